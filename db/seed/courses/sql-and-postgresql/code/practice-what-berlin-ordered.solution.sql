SELECT c.name, b.title, i.quantity
FROM customers c
JOIN orders o ON o.customer_id = c.id
JOIN order_items i ON i.order_id = o.id
JOIN books b ON b.id = i.book_id
WHERE c.city = 'Berlin';
