CREATE TYPE "public"."scenario_time" AS ENUM('usual', 'half_more', 'double', 'none');--> statement-breakpoint
ALTER TABLE "recall_items" DROP CONSTRAINT "recall_items_counts";--> statement-breakpoint
ALTER TABLE "scenario_progress" ALTER COLUMN "deadline" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "scenario_time" "scenario_time" DEFAULT 'usual' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "hides_programs" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "lessons" ADD COLUMN "solution_notes" text;--> statement-breakpoint
ALTER TABLE "lessons" ADD COLUMN "shows_programs" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "lessons" ADD COLUMN "programs_shown_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "lesson_progress" ADD COLUMN "quiz_checked" jsonb;--> statement-breakpoint
ALTER TABLE "quiz_attempts" ADD COLUMN "request_id" uuid;--> statement-breakpoint
ALTER TABLE "recall_items" ADD COLUMN "failed_runs" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "lesson_questions" ADD COLUMN "answer_seen_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "scenario_progress" ADD COLUMN "time" "scenario_time" DEFAULT 'usual' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "quiz_attempts_request_idx" ON "quiz_attempts" USING btree ("user_id","lesson_id","request_id");--> statement-breakpoint
CREATE INDEX "lesson_questions_unseen_idx" ON "lesson_questions" USING btree ("user_id") WHERE ("lesson_questions"."answered_at" is not null and "lesson_questions"."answer_seen_at" is null);--> statement-breakpoint
ALTER TABLE "recall_items" ADD CONSTRAINT "recall_items_counts" CHECK ("recall_items"."reps" >= 0 and "recall_items"."lapses" >= 0 and "recall_items"."version" >= 0 and "recall_items"."failed_runs" >= 0);--> statement-breakpoint
ALTER TABLE "scenario_progress" ADD CONSTRAINT "scenario_progress_deadline" CHECK (("scenario_progress"."deadline" is null) = ("scenario_progress"."time" = 'none'));
--> statement-breakpoint
-- Answers of before wait for nobody.
UPDATE "lesson_questions" SET "answer_seen_at" = now() WHERE "answered_at" IS NOT NULL;
--> statement-breakpoint
-- Addresses and pictures of the notes are proven too.
DROP TRIGGER lessons_revision ON lessons;
--> statement-breakpoint
CREATE TRIGGER lessons_revision BEFORE UPDATE OF type, content, file_url, captions_url, duration_seconds, watch_required,
  coding_language, starter_code, solution, expected_output, instructions, hints, test_cases, code_limits, expected_mistakes,
  solution_notes
  ON lessons
  FOR EACH ROW WHEN (
    (OLD.type, OLD.content, OLD.file_url, OLD.captions_url, OLD.duration_seconds, OLD.watch_required, OLD.coding_language,
      OLD.starter_code, OLD.solution, OLD.expected_output, OLD.instructions, OLD.hints, OLD.test_cases, OLD.code_limits,
      OLD.expected_mistakes, OLD.solution_notes)
    IS DISTINCT FROM
    (NEW.type, NEW.content, NEW.file_url, NEW.captions_url, NEW.duration_seconds, NEW.watch_required, NEW.coding_language,
      NEW.starter_code, NEW.solution, NEW.expected_output, NEW.instructions, NEW.hints, NEW.test_cases, NEW.code_limits,
      NEW.expected_mistakes, NEW.solution_notes)
  ) EXECUTE FUNCTION raise_lesson_revision();
--> statement-breakpoint
-- Who handed a program in before this was switched on was not told that others would see it.
CREATE FUNCTION keep_programs_shown_since() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.programs_shown_since := CASE
    WHEN NOT NEW.shows_programs THEN NULL
    WHEN TG_OP = 'UPDATE' AND OLD.shows_programs THEN OLD.programs_shown_since
    ELSE now()
  END;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER lessons_programs_shown_since BEFORE INSERT OR UPDATE OF shows_programs, programs_shown_since ON lessons
  FOR EACH ROW EXECUTE FUNCTION keep_programs_shown_since();
