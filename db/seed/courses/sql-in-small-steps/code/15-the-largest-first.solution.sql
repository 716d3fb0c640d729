SELECT id, days FROM rides
ORDER BY days DESC, id;
