SELECT name, place
FROM bikes;
