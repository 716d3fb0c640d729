SELECT customers.name, rentals.days
FROM rentals
JOIN customers ON customers.id = rentals.customer_id
WHERE rentals.days > 2;
