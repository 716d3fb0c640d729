SELECT name FROM bikes
WHERE kind = 'cargo' OR kind = 'child';
