SELECT name FROM bikes
WHERE kind = 'cargo';
