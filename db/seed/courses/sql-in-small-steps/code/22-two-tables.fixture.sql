CREATE TABLE bikes (
  id integer PRIMARY KEY,
  name text NOT NULL,
  kind text NOT NULL,
  price integer NOT NULL
);
INSERT INTO bikes VALUES
  (1, 'Swift', 'city', 12), (2, 'Bolt', 'city', 15), (3, 'Ridge', 'mountain', 22),
  (4, 'Peak', 'mountain', 22), (5, 'Wagon', 'cargo', 30), (6, 'Mini', 'child', 8);
CREATE TABLE rides (
  id integer PRIMARY KEY,
  bike_id integer NOT NULL REFERENCES bikes (id),
  rider text NOT NULL,
  days integer NOT NULL,
  stars integer
);
INSERT INTO rides VALUES
  (1, 1, 'Ada', 2, 5), (2, 3, 'Bo', 1, NULL), (3, 1, 'Cem', 3, 4),
  (4, 5, 'Ada', 1, 5), (5, 2, 'Dina', 4, NULL), (6, 3, 'Ada', 2, 3);
