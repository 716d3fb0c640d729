-- One transaction: the order, its item, the stock, and the cancelled item
BEGIN;
INSERT INTO orders VALUES (7, 2, '2026-03-09', NULL);
ROLLBACK;
