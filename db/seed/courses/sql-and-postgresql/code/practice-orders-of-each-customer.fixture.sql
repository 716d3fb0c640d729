CREATE TABLE customers (
  id integer PRIMARY KEY,
  name text NOT NULL,
  city text NOT NULL,
  email text
);
CREATE TABLE books (
  id integer PRIMARY KEY,
  title text NOT NULL,
  author text NOT NULL,
  price numeric(6, 2) NOT NULL,
  stock integer NOT NULL
);
CREATE TABLE orders (
  id integer PRIMARY KEY,
  customer_id integer NOT NULL REFERENCES customers (id),
  ordered_on date NOT NULL,
  shipped_on date
);
CREATE TABLE order_items (
  order_id integer NOT NULL REFERENCES orders (id),
  book_id integer NOT NULL REFERENCES books (id),
  quantity integer NOT NULL,
  PRIMARY KEY (order_id, book_id)
);
INSERT INTO customers VALUES
  (1, 'Ada', 'Berlin', 'ada@example.com'), (2, 'Bruno', 'Lisbon', NULL), (3, 'Chiara', 'Rome', 'chiara@example.com'),
  (4, 'Dev', 'London', NULL), (5, 'Elif', 'Berlin', 'elif@example.com'), (6, 'Finn', 'Oslo', 'finn@example.com');
INSERT INTO books VALUES
  (1, 'The Quiet Harbour', 'Mara Lind', 12.50, 4), (2, 'Salt and Iron', 'Jon Pike', 18.00, 0),
  (3, 'A Garden of Numbers', 'Mara Lind', 24.90, 7), (4, 'Night Trains', 'Ana Reyes', 9.90, 12),
  (5, 'The Last Map', 'Jon Pike', 15.00, 2), (6, 'Small Machines', 'Ana Reyes', 32.00, 5),
  (7, 'Letters Home', 'Tove Berg', 15.00, 0);
INSERT INTO orders VALUES
  (1, 1, '2026-01-05', '2026-01-07'), (2, 3, '2026-01-12', '2026-01-13'), (3, 1, '2026-02-02', NULL),
  (4, 5, '2026-02-10', '2026-02-15'), (5, 4, '2026-03-01', NULL), (6, 3, '2026-03-03', '2026-03-04');
INSERT INTO order_items VALUES
  (1, 1, 2), (1, 4, 1), (2, 3, 1), (3, 5, 1), (4, 4, 3), (4, 6, 1), (5, 1, 1), (6, 6, 2);
