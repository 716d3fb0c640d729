SELECT kind, COUNT(*) AS how_many
FROM bikes
GROUP BY kind
HAVING COUNT(*) > 1;
