-- The orders from February on, with their state
SELECT id, CASE WHEN shipped_on - ordered_on <= 2 THEN 'quick' ELSE 'slow' END AS state
FROM orders;
