SELECT name FROM bikes
WHERE name LIKE 'W%';
