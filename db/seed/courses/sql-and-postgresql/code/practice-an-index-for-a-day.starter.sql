-- Create the index here

SELECT id, customer_id
FROM orders
WHERE ordered_on = DATE '2020-01-01';
