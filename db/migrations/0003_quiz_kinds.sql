ALTER TABLE "quiz_questions" DROP CONSTRAINT "quiz_questions_answer_range";--> statement-breakpoint
ALTER TABLE "quiz_questions" ALTER COLUMN "correct_answer" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "lessons" ADD COLUMN "quiz_settings" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "quiz_questions" ADD COLUMN "kind" text DEFAULT 'single_choice' NOT NULL;--> statement-breakpoint
ALTER TABLE "quiz_questions" ADD COLUMN "details" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "quiz_questions" ADD CONSTRAINT "quiz_questions_answer_range" CHECK (case when "quiz_questions"."kind" = 'single_choice' then coalesce("quiz_questions"."correct_answer" >= 0 and "quiz_questions"."correct_answer" < jsonb_array_length("quiz_questions"."options"), false) else "quiz_questions"."correct_answer" is null end);