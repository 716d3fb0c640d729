SELECT name FROM bikes;
