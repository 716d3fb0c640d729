SELECT name, CASE WHEN price < 15 THEN 'cheap' ELSE 'dear' END AS class FROM bikes;
