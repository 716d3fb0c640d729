SELECT name, price FROM bikes WHERE kind = 'city' AND price < 14;
