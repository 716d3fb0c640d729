SELECT b.author, sum(i.quantity) AS copies
FROM books b
JOIN order_items i ON i.book_id = b.id
GROUP BY b.author
HAVING sum(i.quantity) >= 3;
