SELECT name FROM bikes
WHERE kind = 'city';
