SELECT bikes.name, COUNT(rentals.id) AS times
FROM bikes
LEFT JOIN rentals ON rentals.bike_id = bikes.id
GROUP BY bikes.name;
