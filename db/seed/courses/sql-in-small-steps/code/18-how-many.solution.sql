SELECT count(*) AS rides FROM rides;
