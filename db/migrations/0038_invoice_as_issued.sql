ALTER TABLE "orders"
  ADD COLUMN "prepaid_cents" integer DEFAULT 0 NOT NULL,
  ADD COLUMN "seller" jsonb,
  ADD CONSTRAINT "orders_prepaid_range" CHECK ("orders"."prepaid_cents" between 0 and "orders"."total_cents");
--> statement-breakpoint
-- Invoices of before say what was there when they were issued. Who sold was not written down: they name the firm of now.
UPDATE "orders" SET "prepaid_cents" = least("orders"."total_cents", greatest(0, came.cents))
FROM (
  SELECT t."order_id", sum(t."amount_cents") AS cents
  FROM "bank_transfers" t JOIN "orders" o ON o."id" = t."order_id"
  WHERE t."recorded_at" <= o."completed_at"
  GROUP BY t."order_id"
) came
WHERE came."order_id" = "orders"."id";
