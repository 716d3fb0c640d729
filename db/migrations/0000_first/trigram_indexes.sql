-- Parts of names, addresses and invoice numbers, which administrators search for, are found by their trigrams.
CREATE INDEX users_username_trigrams ON users USING gin (lower(username) gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX users_email_trigrams ON users USING gin (email gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX orders_buyer_email_trigrams ON orders USING gin (buyer_email gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX orders_buyer_name_trigrams ON orders
  USING gin (lower(buyer_first_name || ' ' || buyer_last_name) gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX orders_invoice_trigrams ON orders USING gin (invoice_number gin_trgm_ops);
