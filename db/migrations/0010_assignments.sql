-- Assignments become a type of lesson. The type is made anew, because a value that is added to one cannot be used before
-- the transaction ends, and lessons that took a submission are turned into assignments here.
DROP TRIGGER lessons_revision ON lessons;
--> statement-breakpoint
DROP TRIGGER lessons_changed_in_search ON lessons;
--> statement-breakpoint
ALTER TABLE "lessons" DROP CONSTRAINT "lessons_coding_language";
--> statement-breakpoint
ALTER TYPE "public"."lesson_type" RENAME TO "lesson_type_before";
--> statement-breakpoint
CREATE TYPE "public"."lesson_type" AS ENUM('video', 'text', 'quiz', 'document', 'interactive_coding', 'scenario', 'assignment');
--> statement-breakpoint
ALTER TABLE "lessons" ALTER COLUMN "type" SET DATA TYPE "public"."lesson_type" USING "type"::text::"public"."lesson_type";
--> statement-breakpoint
DROP TYPE "public"."lesson_type_before";
--> statement-breakpoint
ALTER TABLE "lessons" ADD CONSTRAINT "lessons_coding_language" CHECK ("lessons"."type" <> 'interactive_coding' or "lessons"."coding_language" is not null);
--> statement-breakpoint
ALTER TABLE "lessons" ADD COLUMN "assignment_settings" jsonb DEFAULT '{}'::jsonb NOT NULL;
--> statement-breakpoint
UPDATE "lessons" SET "type" = 'assignment' WHERE "accepts_submission" AND "type" IN ('text', 'document');
--> statement-breakpoint
ALTER TABLE "lessons" DROP COLUMN "accepts_submission";
--> statement-breakpoint
CREATE TRIGGER lessons_revision BEFORE UPDATE OF type, content, file_url, captions_url, duration_seconds, watch_required,
  coding_language, starter_code, solution, expected_output, instructions, hints, test_cases ON lessons
  FOR EACH ROW WHEN (
    (OLD.type, OLD.content, OLD.file_url, OLD.captions_url, OLD.duration_seconds, OLD.watch_required, OLD.coding_language,
      OLD.starter_code, OLD.solution, OLD.expected_output, OLD.instructions, OLD.hints, OLD.test_cases)
    IS DISTINCT FROM
    (NEW.type, NEW.content, NEW.file_url, NEW.captions_url, NEW.duration_seconds, NEW.watch_required, NEW.coding_language,
      NEW.starter_code, NEW.solution, NEW.expected_output, NEW.instructions, NEW.hints, NEW.test_cases)
  ) EXECUTE FUNCTION raise_lesson_revision();
--> statement-breakpoint
CREATE TRIGGER lessons_changed_in_search AFTER UPDATE OF title, section, type, coding_language, course_id ON lessons
  FOR EACH ROW
  WHEN ((OLD.title, OLD.section, OLD.type, OLD.coding_language, OLD.course_id)
    IS DISTINCT FROM (NEW.title, NEW.section, NEW.type, NEW.coding_language, NEW.course_id))
  EXECUTE FUNCTION lesson_renews_search_text();
--> statement-breakpoint
ALTER TABLE "assignments" ADD COLUMN "marks" jsonb;
