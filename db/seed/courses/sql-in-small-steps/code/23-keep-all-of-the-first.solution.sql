SELECT bikes.name, rentals.days
FROM bikes
LEFT JOIN rentals ON rentals.bike_id = bikes.id;
