SELECT id, days FROM rides
ORDER BY days, id;
