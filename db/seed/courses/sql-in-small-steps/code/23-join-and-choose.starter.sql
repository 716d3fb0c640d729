SELECT rider, name
FROM rides
JOIN bikes ON bikes.id = rides.bike_id;
