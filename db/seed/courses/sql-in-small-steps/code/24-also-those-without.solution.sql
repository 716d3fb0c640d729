SELECT name, rider
FROM bikes
LEFT JOIN rides ON rides.bike_id = bikes.id;
