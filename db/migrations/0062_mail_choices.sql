-- Replaced below by a wider check.
-- unused since 0.1.0
ALTER TABLE "mail_outbox" DROP CONSTRAINT "mail_outbox_status_value";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "learning_mail" text DEFAULT 'daily' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "teaching_mail" text DEFAULT 'daily' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "organisation_mail" text DEFAULT 'daily' NOT NULL;--> statement-breakpoint
ALTER TABLE "mail_outbox" ADD COLUMN "item" jsonb;--> statement-breakpoint
-- Four switches become one choice for each category: a switch that was off switches its category off.
UPDATE "users" SET "learning_mail" = 'off' WHERE NOT "weekly_mail" OR NOT "question_mail"
  OR EXISTS (SELECT FROM "enrollments" WHERE "user_id" = "users"."id" AND NOT "news_mail");--> statement-breakpoint
UPDATE "users" SET "teaching_mail" = 'off' WHERE NOT "question_mail";--> statement-breakpoint
UPDATE "users" SET "organisation_mail" = 'off'
  WHERE EXISTS (SELECT FROM "organisation_members" WHERE "user_id" = "users"."id" AND NOT "weekly_mail");--> statement-breakpoint
CREATE INDEX "mail_outbox_gathered_idx" ON "mail_outbox" USING btree ("id") WHERE "mail_outbox"."status" = 'gathered';--> statement-breakpoint
-- Drops the four switches. 0.1.0 is the first release, and it comes without them.
-- unused since 0.1.0
ALTER TABLE "users" DROP COLUMN "weekly_mail";--> statement-breakpoint
-- unused since 0.1.0
ALTER TABLE "users" DROP COLUMN "question_mail";--> statement-breakpoint
-- unused since 0.1.0
ALTER TABLE "enrollments" DROP COLUMN "news_mail";--> statement-breakpoint
-- unused since 0.1.0
ALTER TABLE "organisation_members" DROP COLUMN "weekly_mail";--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_learning_mail_value" CHECK ("users"."learning_mail" in ('daily', 'at_once', 'off'));--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_teaching_mail_value" CHECK ("users"."teaching_mail" in ('daily', 'at_once', 'off'));--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_organisation_mail_value" CHECK ("users"."organisation_mail" in ('daily', 'at_once', 'off'));--> statement-breakpoint
ALTER TABLE "mail_outbox" ADD CONSTRAINT "mail_outbox_status_value" CHECK ("mail_outbox"."status" in ('queued', 'sent', 'failed', 'gathered'));
