SELECT * FROM rides;
