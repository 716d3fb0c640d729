-- The orders that are not shipped yet
SELECT id, customer_id
FROM orders
WHERE shipped_on = NULL;
