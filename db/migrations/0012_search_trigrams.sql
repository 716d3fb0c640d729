-- Parts of names and addresses are found by their trigrams. A server without the extension, or a user who may not create
-- it, searches row by row instead: slower, with the same results.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') THEN
    RAISE NOTICE 'pg_trgm is not installed: searches read whole tables';
    RETURN;
  END IF;
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX IF NOT EXISTS users_username_trigrams ON users USING gin (lower(username) gin_trgm_ops);
  CREATE INDEX IF NOT EXISTS users_email_trigrams ON users USING gin (email gin_trgm_ops);
  CREATE INDEX IF NOT EXISTS orders_buyer_email_trigrams ON orders USING gin (buyer_email gin_trgm_ops);
  CREATE INDEX IF NOT EXISTS orders_buyer_name_trigrams ON orders
    USING gin (lower(buyer_first_name || ' ' || buyer_last_name) gin_trgm_ops);
  CREATE INDEX IF NOT EXISTS orders_invoice_trigrams ON orders USING gin (invoice_number gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege THEN
  RAISE NOTICE 'this user may not create pg_trgm: searches read whole tables';
END $$;
