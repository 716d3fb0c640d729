SELECT SUM(price) AS total
FROM bikes WHERE kind = 'mountain';
