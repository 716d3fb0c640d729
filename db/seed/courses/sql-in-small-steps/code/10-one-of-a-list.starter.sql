SELECT name, kind FROM bikes WHERE kind IN ('mountain', 'cargo');
