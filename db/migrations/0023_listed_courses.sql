DROP INDEX "courses_popular_idx";--> statement-breakpoint
DROP INDEX "courses_rating_idx";--> statement-breakpoint
DROP INDEX "courses_newest_idx";--> statement-breakpoint
DROP INDEX "courses_price_idx";--> statement-breakpoint
DROP INDEX "courses_category_idx";--> statement-breakpoint
ALTER TABLE "courses" ADD COLUMN "listed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "courses_popular_idx" ON "courses" USING btree ("students_count" DESC NULLS FIRST,"id" DESC NULLS FIRST,"category_id","level") WHERE "courses"."listed";--> statement-breakpoint
CREATE INDEX "courses_rating_idx" ON "courses" USING btree ("rating" DESC NULLS FIRST,"review_count" DESC NULLS FIRST,"id" DESC NULLS FIRST,"category_id","level") WHERE "courses"."listed";--> statement-breakpoint
CREATE INDEX "courses_newest_idx" ON "courses" USING btree ("id" DESC NULLS FIRST,"category_id","level") WHERE "courses"."listed";--> statement-breakpoint
CREATE INDEX "courses_price_idx" ON "courses" USING btree ("price_cents","id","category_id","level") WHERE "courses"."listed";--> statement-breakpoint
CREATE INDEX "courses_category_idx" ON "courses" USING btree ("category_id","students_count" DESC NULLS FIRST,"id" DESC NULLS FIRST,"level") WHERE "courses"."listed";--> statement-breakpoint
ALTER TABLE "courses" ADD CONSTRAINT "courses_listed_is_active" CHECK ("courses"."is_active" or not "courses"."listed");