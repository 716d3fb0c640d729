SELECT name, price AS two_days FROM bikes;
