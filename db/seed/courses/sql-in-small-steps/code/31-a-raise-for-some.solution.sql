UPDATE bikes SET price = price + 3
WHERE kind = 'city';
