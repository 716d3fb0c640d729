INSERT INTO customers (id, name, town)
VALUES (5, 'Nora', 'Highmoor');
