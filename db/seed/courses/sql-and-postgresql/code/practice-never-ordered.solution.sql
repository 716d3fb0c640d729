SELECT b.title, b.author
FROM books b
WHERE NOT EXISTS (SELECT 1 FROM order_items i WHERE i.book_id = b.id);
