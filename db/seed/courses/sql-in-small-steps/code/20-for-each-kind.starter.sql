SELECT kind, count(*) AS bikes FROM bikes;
