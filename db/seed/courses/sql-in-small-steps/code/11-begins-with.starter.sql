SELECT name FROM bikes WHERE name = 'B';
