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
ALTER INDEX "review_answers_lesson_idx" RENAME TO "recall_answers_lesson_idx";--> statement-breakpoint
-- What checks a course before it is published is the publish check.
ALTER TABLE "gate_runs" RENAME TO "publish_runs";--> statement-breakpoint
ALTER TABLE "publish_runs" RENAME CONSTRAINT "gate_runs_pkey" TO "publish_runs_pkey";--> statement-breakpoint
ALTER TABLE "publish_runs" RENAME CONSTRAINT "gate_runs_course_id_courses_id_fk" TO "publish_runs_course_id_courses_id_fk";--> statement-breakpoint
ALTER TABLE "publish_runs" RENAME CONSTRAINT "gate_runs_started_by_users_id_fk" TO "publish_runs_started_by_users_id_fk";--> statement-breakpoint
ALTER INDEX "gate_runs_course_idx" RENAME TO "publish_runs_course_idx";--> statement-breakpoint
ALTER INDEX "gate_runs_one_running" RENAME TO "publish_runs_one_running";--> statement-breakpoint
ALTER SEQUENCE "gate_runs_id_seq" RENAME TO "publish_runs_id_seq";--> statement-breakpoint
ALTER TABLE "gate_checks" RENAME TO "publish_checks";--> statement-breakpoint
ALTER TABLE "publish_checks" RENAME CONSTRAINT "gate_checks_run_id_lesson_id_pk" TO "publish_checks_run_id_lesson_id_pk";--> statement-breakpoint
ALTER TABLE "publish_checks" RENAME CONSTRAINT "gate_checks_run_id_gate_runs_id_fk" TO "publish_checks_run_id_publish_runs_id_fk";--> statement-breakpoint
ALTER TABLE "publish_checks" RENAME CONSTRAINT "gate_checks_lesson_id_lessons_id_fk" TO "publish_checks_lesson_id_lessons_id_fk";--> statement-breakpoint
ALTER INDEX "gate_checks_lesson_idx" RENAME TO "publish_checks_lesson_idx";--> statement-breakpoint
ALTER TABLE "gate_overrides" RENAME TO "publish_overrides";--> statement-breakpoint
ALTER TABLE "publish_overrides" RENAME CONSTRAINT "gate_overrides_pkey" TO "publish_overrides_pkey";--> statement-breakpoint
ALTER TABLE "publish_overrides" RENAME CONSTRAINT "gate_overrides_lesson_id_lessons_id_fk" TO "publish_overrides_lesson_id_lessons_id_fk";--> statement-breakpoint
ALTER TABLE "publish_overrides" RENAME CONSTRAINT "gate_overrides_user_id_users_id_fk" TO "publish_overrides_user_id_users_id_fk";--> statement-breakpoint
ALTER INDEX "gate_overrides_lesson_idx" RENAME TO "publish_overrides_lesson_idx";--> statement-breakpoint
ALTER INDEX "gate_overrides_one_each" RENAME TO "publish_overrides_one_each";--> statement-breakpoint
ALTER SEQUENCE "gate_overrides_id_seq" RENAME TO "publish_overrides_id_seq";--> statement-breakpoint
ALTER TYPE "gate_run_status" RENAME TO "publish_run_status";--> statement-breakpoint
ALTER TYPE "gate_check_status" RENAME TO "publish_check_status";
