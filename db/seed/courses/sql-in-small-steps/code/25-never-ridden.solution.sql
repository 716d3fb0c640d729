SELECT name
FROM bikes
LEFT JOIN rides ON rides.bike_id = bikes.id
WHERE rides.id IS NULL;
