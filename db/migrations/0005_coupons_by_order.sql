ALTER TABLE "coupon_uses" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP TABLE "coupon_uses" CASCADE;--> statement-breakpoint
ALTER TABLE "coupons" DROP CONSTRAINT "coupons_usage";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "coupon_code" text;--> statement-breakpoint
CREATE INDEX "coupons_course_idx" ON "coupons" USING btree ("course_id");--> statement-breakpoint
ALTER TABLE "coupons" DROP COLUMN "used_count";--> statement-breakpoint
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_usage_limit" CHECK ("coupons"."usage_limit" >= 1);