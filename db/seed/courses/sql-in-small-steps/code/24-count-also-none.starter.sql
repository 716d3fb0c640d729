SELECT bikes.name, COUNT(*) AS times
FROM bikes
LEFT JOIN rentals ON rentals.bike_id = bikes.id
GROUP BY bikes.name;
