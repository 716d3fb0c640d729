SELECT name FROM bikes
WHERE kind = 'city' AND price > 12;
