DROP INDEX "course_reviews_shown_idx";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "instructor_words" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "instructor_portrait" text;--> statement-breakpoint
ALTER TABLE "course_reviews" ADD COLUMN "is_demo" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "course_reviews_shown_idx" ON "course_reviews" USING btree ("course_id","rating","is_demo") WHERE "course_reviews"."hidden_at" is null;--> statement-breakpoint
-- A course's page shows what its author says of themselves beside the name.
DROP TRIGGER users_renamed_told ON users;
--> statement-breakpoint
CREATE TRIGGER users_shown_told AFTER UPDATE OF username, instructor_words, instructor_portrait ON users
  FOR EACH ROW WHEN ((OLD.username, OLD.instructor_words, OLD.instructor_portrait)
    IS DISTINCT FROM (NEW.username, NEW.instructor_words, NEW.instructor_portrait))
  EXECUTE FUNCTION tell_courses_of_user();
