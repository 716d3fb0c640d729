-- A table that refuses reviews that make no sense
CREATE TABLE reviews (
  book_id integer,
  customer_id integer,
  stars integer,
  comment text
);
