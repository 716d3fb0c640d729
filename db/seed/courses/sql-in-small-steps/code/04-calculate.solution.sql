SELECT name, price * 2 AS two_days FROM bikes;
