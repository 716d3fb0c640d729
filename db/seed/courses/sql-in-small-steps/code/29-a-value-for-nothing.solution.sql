SELECT name, COALESCE(place, 'with a customer') AS place
FROM bikes;
