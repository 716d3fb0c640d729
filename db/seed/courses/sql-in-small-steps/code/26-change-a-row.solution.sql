UPDATE bikes SET price = 15 WHERE name = 'Star';
