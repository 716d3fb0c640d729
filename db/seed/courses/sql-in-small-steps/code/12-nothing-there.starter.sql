SELECT name FROM bikes WHERE place = NULL;
