ALTER TABLE "coupons" ADD COLUMN "batch" text;--> statement-breakpoint
CREATE INDEX "coupons_batch_idx" ON "coupons" USING btree ("batch");