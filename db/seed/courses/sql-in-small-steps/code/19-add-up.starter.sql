SELECT count(*) AS days FROM rides;
