-- The made-up reviews of the demo: without the mark they would count as real ones.
DELETE FROM "course_reviews" WHERE "is_demo";--> statement-breakpoint
DROP INDEX "course_reviews_shown_idx";--> statement-breakpoint
CREATE INDEX "course_reviews_shown_idx" ON "course_reviews" USING btree ("course_id","rating") WHERE "course_reviews"."hidden_at" is null;--> statement-breakpoint
-- Drops the mark of a made-up review. 0.1.0 is the first release, and it comes without it.
-- unused since 0.1.0
ALTER TABLE "course_reviews" DROP COLUMN "is_demo";
