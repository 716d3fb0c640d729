SELECT kind FROM bikes;
