-- Authors of whom at least three copies were ordered
SELECT b.author, count(*) AS copies
FROM books b
JOIN order_items i ON i.book_id = b.id
GROUP BY b.author;
