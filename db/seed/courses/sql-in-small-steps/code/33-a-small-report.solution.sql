SELECT name, sum(days * price) AS earned
FROM bikes
JOIN rides ON rides.bike_id = bikes.id
GROUP BY name
ORDER BY earned DESC
LIMIT 3;
