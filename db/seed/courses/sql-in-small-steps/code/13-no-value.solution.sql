SELECT id, rider FROM rides
WHERE stars IS NULL;
