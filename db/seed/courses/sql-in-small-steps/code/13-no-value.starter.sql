SELECT id, rider FROM rides
WHERE stars = 5;
