-- The books that were never ordered
SELECT title, author
FROM books
WHERE stock = 0;
