ALTER TABLE "courses" ADD COLUMN "published_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "courses" ADD COLUMN "draft_of" integer;--> statement-breakpoint
ALTER TABLE "lessons" ADD COLUMN "draft_of" integer;--> statement-breakpoint
ALTER TABLE "publish_runs" ADD COLUMN "publishes" jsonb;--> statement-breakpoint
ALTER TABLE "publish_runs" ADD COLUMN "outcome" text;--> statement-breakpoint
ALTER TABLE "quiz_questions" ADD COLUMN "draft_of" integer;--> statement-breakpoint
ALTER TABLE "courses" ADD CONSTRAINT "courses_draft_of_courses_id_fk" FOREIGN KEY ("draft_of") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lessons" ADD CONSTRAINT "lessons_draft_of_lessons_id_fk" FOREIGN KEY ("draft_of") REFERENCES "public"."lessons"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "lessons_draft_of_key" ON "lessons" USING btree ("draft_of") WHERE "lessons"."draft_of" is not null;--> statement-breakpoint
ALTER TABLE "courses" ADD CONSTRAINT "courses_draftOf_unique" UNIQUE("draft_of");--> statement-breakpoint
ALTER TABLE "courses" ADD CONSTRAINT "courses_draft_is_archived" CHECK ("courses"."draft_of" is null or "courses"."archived_at" is not null);--> statement-breakpoint
-- What the store has, or has sold, is published: changes of its lessons wait from now on.
UPDATE courses SET published_at = now() WHERE is_active OR students_count > 0;
--> statement-breakpoint
CREATE FUNCTION note_publication() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.published_at := now();
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER courses_published BEFORE INSERT OR UPDATE OF is_active ON courses
  FOR EACH ROW WHEN (NEW.is_active AND NEW.published_at IS NULL) EXECUTE FUNCTION note_publication();
