-- The place of each book among the books of its author
SELECT author, title, rank() OVER (ORDER BY price DESC) AS place
FROM books;
