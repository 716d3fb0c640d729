SELECT name FROM bikes
WHERE price >= 12;
