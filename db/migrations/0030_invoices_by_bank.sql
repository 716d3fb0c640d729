-- Was two values added to an enum, which rows of a backup cannot use before the transaction that restores them has ended.
ALTER TABLE "ledger_entries" ALTER COLUMN "account" TYPE text;--> statement-breakpoint
DROP TYPE "public"."ledger_account";--> statement-breakpoint
CREATE TABLE "bank_transfers" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bank_transfers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"order_id" integer NOT NULL,
	"amount_cents" integer NOT NULL,
	"booked_on" date NOT NULL,
	"reference" text NOT NULL,
	"request_key" uuid NOT NULL,
	"recorded_by" integer,
	"recorded_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bank_transfers_amount" CHECK ("bank_transfers"."amount_cents" <> 0)
);
--> statement-breakpoint
ALTER TABLE "organisations" ADD COLUMN "billing" jsonb;--> statement-breakpoint
ALTER TABLE "disputes" ADD COLUMN "credit_note_number" text;--> statement-breakpoint
ALTER TABLE "invoice_counters" ADD COLUMN "series" text DEFAULT 'INV' NOT NULL;--> statement-breakpoint
ALTER TABLE "invoice_counters" DROP CONSTRAINT "invoice_counters_pkey";--> statement-breakpoint
ALTER TABLE "invoice_counters" ADD CONSTRAINT "invoice_counters_series_year_pk" PRIMARY KEY("series","year");--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "payment" text DEFAULT 'card' NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "billing" jsonb;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "reminders_sent" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "credit_note_number" text;--> statement-breakpoint
ALTER TABLE "bank_transfers" ADD CONSTRAINT "bank_transfers_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_transfers" ADD CONSTRAINT "bank_transfers_recorded_by_users_id_fk" FOREIGN KEY ("recorded_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "bank_transfers_request_key" ON "bank_transfers" USING btree ("order_id","request_key");--> statement-breakpoint
CREATE INDEX "bank_transfers_recorded_by_idx" ON "bank_transfers" USING btree ("recorded_by");--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_creditNoteNumber_unique" UNIQUE("credit_note_number");--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_creditNoteNumber_unique" UNIQUE("credit_note_number");--> statement-breakpoint
-- What was paid back before gets its number by the day on which it was.
CREATE TEMPORARY TABLE "credited" ON COMMIT DROP AS
	SELECT "kind", "id", "year", row_number() OVER (PARTITION BY "year" ORDER BY "at", "kind", "id") AS "number" FROM (
		SELECT 'refund' AS "kind", "id", "updated_at" AS "at", extract(year FROM "updated_at" AT TIME ZONE 'UTC')::smallint AS "year" FROM "refunds" WHERE "status" = 'succeeded'
		UNION ALL
		SELECT 'dispute', "id", coalesce("closed_at", "opened_at"), extract(year FROM coalesce("closed_at", "opened_at") AT TIME ZONE 'UTC')::smallint FROM "disputes" WHERE "status" = 'lost'
	) "back";--> statement-breakpoint
UPDATE "refunds" SET "credit_note_number" = 'CN-' || "year" || '-' || lpad("number"::text, 6, '0') FROM "credited" WHERE "kind" = 'refund' AND "credited"."id" = "refunds"."id";--> statement-breakpoint
UPDATE "disputes" SET "credit_note_number" = 'CN-' || "year" || '-' || lpad("number"::text, 6, '0') FROM "credited" WHERE "kind" = 'dispute' AND "credited"."id" = "disputes"."id";--> statement-breakpoint
INSERT INTO "invoice_counters" ("series", "year", "last_number") SELECT 'CN', "year", max("number") FROM "credited" GROUP BY "year";
