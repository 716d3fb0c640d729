-- The books that cost less than 16 and are in stock
SELECT title, price
FROM books;
