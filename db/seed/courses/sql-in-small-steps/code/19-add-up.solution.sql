SELECT sum(days) AS days FROM rides;
