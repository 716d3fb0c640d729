SELECT name, kind FROM bikes WHERE kind <> city;
