DELETE FROM bikes WHERE name = 'Bee';
