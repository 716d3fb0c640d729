SELECT name, price FROM bikes
WHERE price > 20;
