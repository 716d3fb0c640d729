SELECT name, kind FROM bikes WHERE kind NOT IN ('mountain', 'cargo');
