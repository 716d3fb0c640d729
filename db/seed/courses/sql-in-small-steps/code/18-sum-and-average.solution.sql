SELECT SUM(price) AS total, AVG(price) AS average
FROM bikes WHERE kind = 'mountain';
