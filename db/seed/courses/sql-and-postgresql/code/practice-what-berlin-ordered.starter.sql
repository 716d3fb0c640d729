-- name, title and quantity of what customers in Berlin ordered
SELECT c.name, o.id
FROM customers c
JOIN orders o ON o.customer_id = c.id;
