ALTER TABLE "recall_items" DROP CONSTRAINT "recall_items_counts";--> statement-breakpoint
ALTER TABLE "lesson_progress" ADD COLUMN "quiz_checked" jsonb;--> statement-breakpoint
ALTER TABLE "recall_items" ADD COLUMN "failed_runs" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "recall_items" ADD CONSTRAINT "recall_items_counts" CHECK ("recall_items"."reps" >= 0 and "recall_items"."lapses" >= 0 and "recall_items"."version" >= 0 and "recall_items"."failed_runs" >= 0);