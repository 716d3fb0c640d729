SELECT COUNT(*) AS how_many FROM bikes;
