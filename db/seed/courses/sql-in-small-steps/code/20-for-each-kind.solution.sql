SELECT kind, count(*) AS bikes FROM bikes
GROUP BY kind;
