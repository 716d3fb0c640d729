SELECT name FROM bikes WHERE name LIKE 'B%';
