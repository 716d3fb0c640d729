ALTER TABLE "lesson_questions" ADD COLUMN "answer_seen_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "lesson_questions_unseen_idx" ON "lesson_questions" USING btree ("user_id") WHERE ("lesson_questions"."answered_at" is not null and "lesson_questions"."answer_seen_at" is null);--> statement-breakpoint
UPDATE "lesson_questions" SET "answer_seen_at" = now() WHERE "answered_at" IS NOT NULL;
