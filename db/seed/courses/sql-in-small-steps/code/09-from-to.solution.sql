SELECT name, price FROM bikes WHERE price BETWEEN 10 AND 20;
