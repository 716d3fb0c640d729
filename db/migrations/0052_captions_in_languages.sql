ALTER TABLE "lessons" ADD COLUMN "captions_language" text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE "lessons" ADD COLUMN "more_captions" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "lessons_more_captions_idx" ON "lessons" USING gin ("more_captions" jsonb_path_ops);
--> statement-breakpoint
-- The files of all captions are looked at by the publish check, and their languages are what it calls them by.
DROP TRIGGER lessons_revision ON lessons;
--> statement-breakpoint
CREATE TRIGGER lessons_revision BEFORE UPDATE OF type, content, file_url, captions_url, captions_language, more_captions,
  duration_seconds, watch_required, coding_language, starter_code, solution, expected_output, instructions, hints,
  test_cases, code_limits, expected_mistakes, solution_notes
  ON lessons
  FOR EACH ROW WHEN (
    (OLD.type, OLD.content, OLD.file_url, OLD.captions_url, OLD.captions_language, OLD.more_captions,
      OLD.duration_seconds, OLD.watch_required, OLD.coding_language, OLD.starter_code, OLD.solution, OLD.expected_output,
      OLD.instructions, OLD.hints, OLD.test_cases, OLD.code_limits, OLD.expected_mistakes,
      OLD.solution_notes)
    IS DISTINCT FROM
    (NEW.type, NEW.content, NEW.file_url, NEW.captions_url, NEW.captions_language, NEW.more_captions,
      NEW.duration_seconds, NEW.watch_required, NEW.coding_language, NEW.starter_code, NEW.solution, NEW.expected_output,
      NEW.instructions, NEW.hints, NEW.test_cases, NEW.code_limits, NEW.expected_mistakes,
      NEW.solution_notes)
  ) EXECUTE FUNCTION raise_lesson_revision();
