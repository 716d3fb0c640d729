SELECT name, price FROM bikes
WHERE kind = 'city' OR kind = 'child' AND price < 12;
