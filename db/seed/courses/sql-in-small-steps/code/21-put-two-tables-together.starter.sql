SELECT bikes.name, rentals.days
FROM rentals
JOIN bikes ON bikes.id = rentals.id;
