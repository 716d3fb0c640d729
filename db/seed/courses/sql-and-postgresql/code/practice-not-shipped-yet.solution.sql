SELECT id, customer_id
FROM orders
WHERE shipped_on IS NULL;
