SELECT name, price FROM bikes;
