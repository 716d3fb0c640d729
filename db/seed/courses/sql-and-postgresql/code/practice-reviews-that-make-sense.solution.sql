CREATE TABLE reviews (
  book_id integer REFERENCES books (id),
  customer_id integer REFERENCES customers (id),
  stars integer NOT NULL CHECK (stars BETWEEN 1 AND 5),
  comment text,
  PRIMARY KEY (book_id, customer_id)
);
