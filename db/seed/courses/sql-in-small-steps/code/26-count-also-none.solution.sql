SELECT name, count(rides.id) AS rides
FROM bikes
LEFT JOIN rides ON rides.bike_id = bikes.id
GROUP BY name;
