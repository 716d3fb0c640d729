SELECT name,
  CASE WHEN FALSE THEN 'cheap' ELSE 'normal' END AS level
FROM bikes;
