SELECT name, price FROM bikes WHERE kind = 'city';
