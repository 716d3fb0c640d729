DELETE FROM rides
WHERE days = 1;
