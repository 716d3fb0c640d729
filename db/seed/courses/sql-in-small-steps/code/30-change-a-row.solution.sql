UPDATE bikes SET price = 10
WHERE name = 'Mini';
