ALTER TABLE "lessons" ADD COLUMN "changed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "lesson_progress" ADD COLUMN "seen_change_at" timestamp (3) with time zone;