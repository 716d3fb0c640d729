SELECT name, rider
FROM bikes
JOIN rides ON rides.bike_id = bikes.id;
