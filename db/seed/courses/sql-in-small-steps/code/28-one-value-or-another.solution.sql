SELECT name,
  CASE WHEN price < 12 THEN 'cheap' ELSE 'normal' END AS level
FROM bikes;
