BEGIN;
INSERT INTO orders (id, customer_id, ordered_on) VALUES (7, 2, '2026-03-09');
INSERT INTO order_items (order_id, book_id, quantity) VALUES (7, 3, 2);
UPDATE books SET stock = stock - 2 WHERE id = 3;
DELETE FROM order_items WHERE order_id = 5 AND book_id = 1;
COMMIT;
