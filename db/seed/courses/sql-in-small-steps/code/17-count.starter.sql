SELECT name AS how_many FROM bikes;
