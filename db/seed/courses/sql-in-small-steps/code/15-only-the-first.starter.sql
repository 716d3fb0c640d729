SELECT name, price FROM bikes ORDER BY price DESC;
