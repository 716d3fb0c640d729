ALTER TABLE "courses" ADD COLUMN "builder_draft" uuid;--> statement-breakpoint
ALTER TABLE "courses" ADD COLUMN "builder_digest" text;--> statement-breakpoint
ALTER TABLE "courses" ADD CONSTRAINT "courses_builderDraft_unique" UNIQUE("builder_draft");