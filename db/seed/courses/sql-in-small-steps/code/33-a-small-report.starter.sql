SELECT name
FROM bikes
JOIN rides ON rides.bike_id = bikes.id;
