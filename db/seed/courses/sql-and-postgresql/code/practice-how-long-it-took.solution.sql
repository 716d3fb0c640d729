SELECT id,
  CASE
    WHEN shipped_on IS NULL THEN 'waiting'
    WHEN shipped_on - ordered_on <= 2 THEN 'quick'
    ELSE 'slow'
  END AS state
FROM orders
WHERE ordered_on >= DATE '2026-02-01';
