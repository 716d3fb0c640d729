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
CREATE TABLE rentals (
  id integer PRIMARY KEY,
  bike_id integer NOT NULL REFERENCES bikes (id),
  customer_id integer NOT NULL REFERENCES customers (id),
  days integer NOT NULL
);
INSERT INTO bikes VALUES
  (1, 'Swift', 'city', 12, 'Station'), (2, 'Bear', 'mountain', 20, 'Park'), (3, 'Willow', 'city', 10, NULL),
  (4, 'Goat', 'mountain', 25, 'Station'), (5, 'Ox', 'cargo', 30, 'Harbor'), (6, 'Bee', 'child', 6, 'Park'),
  (7, 'Star', 'city', 14, NULL);
INSERT INTO customers VALUES
  (1, 'Mina', 'Brackwater'), (2, 'Jonas', 'Brackwater'), (3, 'Leila', 'Highmoor'), (4, 'Tom', 'Highmoor');
INSERT INTO rentals VALUES
  (1, 1, 1, 2), (2, 2, 2, 1), (3, 1, 3, 3), (4, 5, 1, 1), (5, 4, 3, 5), (6, 3, 2, 4);
