CREATE TABLE bikes (
  id integer PRIMARY KEY,
  name text NOT NULL,
  kind text NOT NULL,
  price integer NOT NULL,
  place text
);
CREATE TABLE customers (
  id integer PRIMARY KEY,
  name text NOT NULL,
  town text NOT NULL
);
INSERT INTO bikes VALUES
  (1, 'Swift', 'city', 12, 'Station'), (2, 'Bear', 'mountain', 20, 'Park'), (3, 'Willow', 'city', 10, NULL),
  (4, 'Goat', 'mountain', 25, 'Station'), (5, 'Ox', 'cargo', 30, 'Harbor'), (6, 'Bee', 'child', 6, 'Park'),
  (7, 'Star', 'city', 14, NULL);
INSERT INTO customers VALUES
  (1, 'Mina', 'Brackwater'), (2, 'Jonas', 'Brackwater'), (3, 'Leila', 'Highmoor'), (4, 'Tom', 'Highmoor');
