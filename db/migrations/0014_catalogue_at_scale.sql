CREATE TABLE "course_counts" (
	"category_id" integer NOT NULL,
	"level" "course_level" NOT NULL,
	"courses" integer NOT NULL,
	CONSTRAINT "course_counts_category_id_level_pk" PRIMARY KEY("category_id","level"),
	CONSTRAINT "course_counts_range" CHECK ("course_counts"."courses" >= 0)
);
--> statement-breakpoint
CREATE TABLE "search_words" (
	"word" text collate "C" PRIMARY KEY NOT NULL
);
--> statement-breakpoint
DROP INDEX "courses_level_idx";--> statement-breakpoint
DROP INDEX "course_reviews_course_idx";--> statement-breakpoint
DROP INDEX "courses_popular_idx";--> statement-breakpoint
DROP INDEX "courses_rating_idx";--> statement-breakpoint
DROP INDEX "courses_newest_idx";--> statement-breakpoint
DROP INDEX "courses_price_idx";--> statement-breakpoint
DROP INDEX "courses_category_idx";--> statement-breakpoint
ALTER TABLE "courses" ALTER COLUMN "search_text" DROP EXPRESSION;--> statement-breakpoint
ALTER TABLE "courses" ALTER COLUMN "search_text" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "courses" ALTER COLUMN "search_text" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "course_counts" ADD CONSTRAINT "course_counts_category_id_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."categories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "course_reviews_shown_idx" ON "course_reviews" USING btree ("course_id","rating") WHERE "course_reviews"."hidden_at" is null;--> statement-breakpoint
CREATE INDEX "course_reviews_newest_idx" ON "course_reviews" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "course_reviews_course_idx" ON "course_reviews" USING btree ("course_id","created_at","id");--> statement-breakpoint
CREATE INDEX "courses_popular_idx" ON "courses" USING btree ("students_count" DESC NULLS FIRST,"id" DESC NULLS FIRST,"category_id","level") WHERE "courses"."is_active";--> statement-breakpoint
CREATE INDEX "courses_rating_idx" ON "courses" USING btree ("rating" DESC NULLS FIRST,"review_count" DESC NULLS FIRST,"id" DESC NULLS FIRST,"category_id","level") WHERE "courses"."is_active";--> statement-breakpoint
CREATE INDEX "courses_newest_idx" ON "courses" USING btree ("id" DESC NULLS FIRST,"category_id","level") WHERE "courses"."is_active";--> statement-breakpoint
CREATE INDEX "courses_price_idx" ON "courses" USING btree ("price_cents","id","category_id","level") WHERE "courses"."is_active";--> statement-breakpoint
CREATE INDEX "courses_category_idx" ON "courses" USING btree ("category_id","students_count" DESC NULLS FIRST,"id" DESC NULLS FIRST,"level") WHERE "courses"."is_active";