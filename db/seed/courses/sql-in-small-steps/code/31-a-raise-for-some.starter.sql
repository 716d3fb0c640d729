UPDATE bikes SET price = 3
WHERE kind = 'city';
