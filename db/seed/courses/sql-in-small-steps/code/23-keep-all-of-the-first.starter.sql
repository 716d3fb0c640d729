SELECT bikes.name, rentals.days
FROM bikes
JOIN rentals ON rentals.bike_id = bikes.id;
