CREATE INDEX orders_by_day ON orders (ordered_on);

SELECT id, customer_id
FROM orders
WHERE ordered_on = DATE '2020-01-01';
