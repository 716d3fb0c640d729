SELECT title, price
FROM books
ORDER BY price DESC, title
LIMIT 3;
