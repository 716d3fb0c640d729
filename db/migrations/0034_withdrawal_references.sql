CREATE TABLE "withdrawal_tokens" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "withdrawal_tokens_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"order_id" integer NOT NULL,
	"token" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "withdrawal_tokens_token_unique" UNIQUE("token")
);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "withdrawal_reference" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "withdrawal_tokens" ADD CONSTRAINT "withdrawal_tokens_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "withdrawal_tokens_order_idx" ON "withdrawal_tokens" USING btree ("order_id");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_withdrawalReference_unique" UNIQUE("withdrawal_reference");--> statement-breakpoint
-- Whoever registered a preview learner's address would stand in its way. Nobody can read mail there, so it names nobody.
UPDATE "users" SET "email" = 'taken-' || "id" || '@preview.invalid'
WHERE "email" LIKE 'preview-%@preview.invalid' AND NOT EXISTS (SELECT FROM "preview_learners" p WHERE p."user_id" = "users"."id");
