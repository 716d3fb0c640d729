DROP INDEX "refunds_one_live_per_line";--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "ends_access" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "request_key" uuid;--> statement-breakpoint
CREATE INDEX "refunds_line_idx" ON "refunds" USING btree ("order_item_id");--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_request_key" ON "refunds" USING btree ("order_id","request_key");--> statement-breakpoint
-- The refunds of a line are together never more than it cost, whoever writes them. Its row is held, so that two at once
-- see each other.
CREATE FUNCTION check_line_refunds() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE price integer;
BEGIN
  SELECT price_cents INTO price FROM order_items
    WHERE id = NEW.order_item_id AND order_id = NEW.order_id FOR NO KEY UPDATE;
  IF NEW.amount_cents + (
      SELECT coalesce(sum(amount_cents), 0) FROM refunds
      WHERE order_item_id = NEW.order_item_id AND status IN ('pending', 'succeeded') AND id <> NEW.id
    ) > coalesce(price, 0) THEN
    RAISE EXCEPTION 'line % would be paid back beyond its price', NEW.order_item_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_within_price';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER refunds_within_price BEFORE INSERT OR UPDATE OF amount_cents, order_item_id, order_id, status ON refunds
  FOR EACH ROW WHEN (NEW.order_item_id IS NOT NULL AND NEW.status IN ('pending', 'succeeded'))
  EXECUTE FUNCTION check_line_refunds();
