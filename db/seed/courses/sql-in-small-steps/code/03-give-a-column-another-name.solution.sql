SELECT name, price AS per_day FROM bikes;
