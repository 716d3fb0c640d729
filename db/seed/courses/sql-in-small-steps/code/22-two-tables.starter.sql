SELECT rider, name
FROM rides
JOIN bikes ON bikes.id = 1;
