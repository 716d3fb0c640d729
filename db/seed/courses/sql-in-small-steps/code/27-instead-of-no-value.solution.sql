SELECT rider, COALESCE(stars, 0) AS stars FROM rides;
