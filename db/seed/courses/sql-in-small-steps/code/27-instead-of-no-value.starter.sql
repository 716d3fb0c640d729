SELECT rider, stars FROM rides;
