CREATE TABLE bikes (
  id integer PRIMARY KEY,
  name text NOT NULL,
  kind text NOT NULL,
  price integer NOT NULL
);
INSERT INTO bikes VALUES
  (1, 'Swift', 'city', 12), (2, 'Bolt', 'city', 15), (3, 'Ridge', 'mountain', 22),
  (4, 'Peak', 'mountain', 22), (5, 'Wagon', 'cargo', 30), (6, 'Mini', 'child', 8);
