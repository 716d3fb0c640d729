CREATE TABLE "order_flags" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "order_flags_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"order_id" integer NOT NULL,
	"kind" text NOT NULL,
	"subject" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp (3) with time zone,
	"settled_by" integer,
	"note" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
ALTER TABLE "order_items" ADD COLUMN "bought_twice" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "payment_canceled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "intent_failures" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "anonymised_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "failures" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "order_flags" ADD CONSTRAINT "order_flags_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_flags" ADD CONSTRAINT "order_flags_settled_by_users_id_fk" FOREIGN KEY ("settled_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "order_flags_open_key" ON "order_flags" USING btree ("order_id","kind","subject") WHERE "order_flags"."settled_at" is null;--> statement-breakpoint
CREATE INDEX "order_flags_order_idx" ON "order_flags" USING btree ("order_id");--> statement-breakpoint
-- What the log and the joined marks held is carried over; after this nothing reads them to decide.
UPDATE orders SET payment_canceled_at = e.at
FROM (SELECT order_id, min(at) AS at FROM order_events WHERE type = 'payment_canceled' GROUP BY order_id) e
WHERE e.order_id = orders.id;--> statement-breakpoint
UPDATE orders SET intent_failures = e.failures
FROM (SELECT order_id, count(*) AS failures FROM order_events WHERE type = 'intent_refused' GROUP BY order_id) e
WHERE e.order_id = orders.id;--> statement-breakpoint
UPDATE orders SET anonymised_at = updated_at
WHERE user_id IS NULL AND buyer_email = '' AND buyer_first_name = 'Deleted' AND buyer_last_name = 'customer';--> statement-breakpoint
UPDATE refunds SET failures = e.failures
FROM (
  SELECT details->>'refundRow' AS refund, count(*) AS failures FROM order_events WHERE type = 'refund_unanswered' GROUP BY 1
) e
WHERE e.refund = refunds.id::text;--> statement-breakpoint
UPDATE order_items SET bought_twice = true
FROM order_events e
WHERE e.type = 'duplicate_lines' AND e.order_id = order_items.order_id AND e.details->'itemIds' @> to_jsonb(order_items.id);--> statement-breakpoint
-- Each mark that was ever set, with what took it off: the next entry that names it, or the order's last change where
-- its text is gone without one.
INSERT INTO order_flags (order_id, kind, subject, created_at, settled_at, settled_by, note)
SELECT o.id, 'other', e.details->>'flag', e.at,
  coalesce(c.at, CASE WHEN strpos('; ' || coalesce(o.flag, '') || '; ', '; ' || (e.details->>'flag') || '; ') = 0 THEN o.updated_at END),
  c.actor_id, coalesce(c.details->>'note', '')
FROM order_events e
JOIN orders o ON o.id = e.order_id
LEFT JOIN LATERAL (
  SELECT * FROM order_events taken
  WHERE taken.order_id = e.order_id AND taken.type = 'flag_cleared' AND taken.id > e.id
    AND strpos('; ' || (taken.details->>'flag') || '; ', '; ' || (e.details->>'flag') || '; ') > 0
  ORDER BY taken.id LIMIT 1
) c ON true
WHERE e.type = 'flagged' AND e.details->>'flag' IS NOT NULL
ORDER BY e.id
ON CONFLICT DO NOTHING;--> statement-breakpoint
-- Marks without an entry in the log stay open under their own text.
DO $$
DECLARE marked record; known record; rest text;
BEGIN
  FOR marked IN SELECT id, flag, updated_at FROM orders WHERE flag IS NOT NULL LOOP
    rest := '; ' || marked.flag || '; ';
    FOR known IN SELECT subject FROM order_flags WHERE order_id = marked.id AND settled_at IS NULL ORDER BY length(subject) DESC LOOP
      rest := replace(rest, '; ' || known.subject || '; ', '; ');
    END LOOP;
    IF btrim(rest, '; ') <> '' THEN
      INSERT INTO order_flags (order_id, kind, subject, created_at) VALUES (marked.id, 'other', btrim(rest, '; '), marked.updated_at);
    END IF;
  END LOOP;
END $$;--> statement-breakpoint
UPDATE order_flags SET kind = 'payment_mismatch'
WHERE EXISTS (
  SELECT 1 FROM order_events e
  WHERE e.order_id = order_flags.order_id AND e.type = 'payment_mismatch' AND e.details->>'reason' = order_flags.subject
);--> statement-breakpoint
UPDATE order_flags SET kind = known.kind, subject = coalesce(substring(subject FROM known.pattern), '')
FROM (VALUES
  ('without_buyer', '^paid without a name and an email()$'),
  ('coupon_used_by_address', '^its coupon was used with the same email address before()$'),
  ('coupon_used_by_account', '^its coupon was used by the same account before()$'),
  ('bought_twice', '^bought what the buyer owned already; refunded automatically()$'),
  ('refunded_unfulfilled', '^refunded at the provider without having been completed()$'),
  ('paid_twice', '^was paid with (\S+) besides its own payment$'),
  ('refund_failed', '^refund (\S+) failed and the buyer was not paid$'),
  ('refund_unclear', '^refund (\S+) fits several lines; access was kept$'),
  ('refund_returned', '^refund (\S+) came back; the buyer was not paid$'),
  ('refund_refused', '^the provider refused refund (\S+) of this order$')
) known (kind, pattern)
WHERE order_flags.kind = 'other' AND order_flags.subject ~ known.pattern;--> statement-breakpoint
DROP INDEX "orders_flag_idx";--> statement-breakpoint
ALTER TABLE "orders" DROP COLUMN "flag";
