-- The three dearest books, the dearest first
SELECT title, price
FROM books
ORDER BY price;
