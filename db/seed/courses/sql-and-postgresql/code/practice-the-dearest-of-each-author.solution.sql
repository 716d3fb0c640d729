SELECT author, title, rank() OVER (PARTITION BY author ORDER BY price DESC) AS place
FROM books;
