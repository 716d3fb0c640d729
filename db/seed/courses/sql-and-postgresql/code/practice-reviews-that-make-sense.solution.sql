CREATE TABLE reviews (
  book_id integer NOT NULL REFERENCES books (id),
  customer_id integer NOT NULL REFERENCES customers (id),
  stars integer NOT NULL CHECK (stars BETWEEN 1 AND 5),
  comment text,
  PRIMARY KEY (book_id, customer_id)
);
