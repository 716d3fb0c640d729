SELECT name FROM bikes
WHERE name = 'Swift';
