SELECT title, price
FROM books
WHERE price < 16 AND stock > 0;
