SELECT rider, sum(days) AS days FROM rides
GROUP BY rider;
