SELECT name, price FROM bikes
WHERE price > (SELECT AVG(price) FROM bikes);
