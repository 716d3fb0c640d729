-- "Review" is what a buyer writes of a course; what a learner is asked again is "recall".
ALTER TABLE "review_items" RENAME TO "recall_items";--> statement-breakpoint
ALTER TABLE "recall_items" RENAME CONSTRAINT "review_items_user_id_lesson_id_pk" TO "recall_items_user_id_lesson_id_pk";--> statement-breakpoint
ALTER TABLE "recall_items" RENAME CONSTRAINT "review_items_user_id_users_id_fk" TO "recall_items_user_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "recall_items" RENAME CONSTRAINT "review_items_lesson_id_lessons_id_fk" TO "recall_items_lesson_id_lessons_id_fk";--> statement-breakpoint
ALTER TABLE "recall_items" RENAME CONSTRAINT "review_items_counts" TO "recall_items_counts";--> statement-breakpoint
ALTER INDEX "review_items_due_idx" RENAME TO "recall_items_due_idx";--> statement-breakpoint
ALTER INDEX "review_items_lesson_idx" RENAME TO "recall_items_lesson_idx";--> statement-breakpoint
ALTER TABLE "review_answers" RENAME TO "recall_answers";--> statement-breakpoint
ALTER TABLE "recall_answers" RENAME CONSTRAINT "review_answers_user_id_lesson_id_version_pk" TO "recall_answers_user_id_lesson_id_version_pk";--> statement-breakpoint
ALTER TABLE "recall_answers" RENAME CONSTRAINT "review_answers_user_id_users_id_fk" TO "recall_answers_user_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "recall_answers" RENAME CONSTRAINT "review_answers_lesson_id_lessons_id_fk" TO "recall_answers_lesson_id_lessons_id_fk";--> statement-breakpoint
ALTER TABLE "recall_answers" RENAME CONSTRAINT "review_answers_rating" TO "recall_answers_rating";--> statement-breakpoint
ALTER TABLE "recall_answers" RENAME CONSTRAINT "review_answers_predicted" TO "recall_answers_predicted";--> statement-breakpoint
ALTER INDEX "review_answers_user_at_idx" RENAME TO "recall_answers_user_at_idx";--> statement-breakpoint
ALTER INDEX "review_answers_lesson_idx" RENAME TO "recall_answers_lesson_idx";
