SELECT name FROM bikes WHERE place IS NULL;
