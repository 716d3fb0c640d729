UPDATE bikes SET price = 10;
