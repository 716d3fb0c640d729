SELECT * FROM bikes;
