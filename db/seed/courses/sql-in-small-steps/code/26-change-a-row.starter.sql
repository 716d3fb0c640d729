UPDATE bikes SET price = 15;
