INSERT INTO bikes VALUES
  (7, 'Dash', 'city', 0);
