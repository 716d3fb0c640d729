SELECT name, price AS class FROM bikes;
