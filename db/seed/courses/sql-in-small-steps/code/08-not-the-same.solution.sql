SELECT name FROM bikes
WHERE kind <> 'child';
