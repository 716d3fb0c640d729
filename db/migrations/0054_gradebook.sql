CREATE TABLE "regrades" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "regrades_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"lesson_id" integer NOT NULL,
	"attempt_id" integer,
	"before" smallint,
	"grade" smallint NOT NULL,
	"reason" text NOT NULL,
	"graded_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "regrades_grade" CHECK ("regrades"."grade" between 0 and 100)
);
--> statement-breakpoint
ALTER TABLE "lesson_progress" ADD COLUMN "excused_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "lesson_progress" ADD COLUMN "excused_reason" text;--> statement-breakpoint
ALTER TABLE "lesson_progress" ADD COLUMN "excused_by" integer;--> statement-breakpoint
ALTER TABLE "lesson_progress" ADD COLUMN "extra_attempts" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "regrades" ADD CONSTRAINT "regrades_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "regrades" ADD CONSTRAINT "regrades_lesson_id_lessons_id_fk" FOREIGN KEY ("lesson_id") REFERENCES "public"."lessons"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "regrades" ADD CONSTRAINT "regrades_attempt_id_quiz_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."quiz_attempts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "regrades" ADD CONSTRAINT "regrades_graded_by_users_id_fk" FOREIGN KEY ("graded_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "regrades_user_lesson_idx" ON "regrades" USING btree ("user_id","lesson_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "regrades_lesson_idx" ON "regrades" USING btree ("lesson_id");--> statement-breakpoint
CREATE INDEX "regrades_attempt_idx" ON "regrades" USING btree ("attempt_id") WHERE "regrades"."attempt_id" is not null;--> statement-breakpoint
CREATE INDEX "regrades_graded_by_idx" ON "regrades" USING btree ("graded_by") WHERE "regrades"."graded_by" is not null;--> statement-breakpoint
ALTER TABLE "lesson_progress" ADD CONSTRAINT "lesson_progress_excused_by_users_id_fk" FOREIGN KEY ("excused_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "assignments_lesson_idx" ON "assignments" USING btree ("lesson_id","graded_at");--> statement-breakpoint
CREATE INDEX "lesson_progress_not_passed_idx" ON "lesson_progress" USING btree ("lesson_id","user_id") WHERE not "lesson_progress"."completed" and "lesson_progress"."excused_at" is null and ("lesson_progress"."attempts" > 0 or "lesson_progress"."score" is not null);--> statement-breakpoint
CREATE INDEX "lesson_progress_excused_by_idx" ON "lesson_progress" USING btree ("excused_by") WHERE "lesson_progress"."excused_by" is not null;--> statement-breakpoint
ALTER TABLE "lesson_progress" ADD CONSTRAINT "lesson_progress_excuse" CHECK (("lesson_progress"."excused_at" is null) = ("lesson_progress"."excused_reason" is null));--> statement-breakpoint
ALTER TABLE "lesson_progress" ADD CONSTRAINT "lesson_progress_extra_attempts" CHECK ("lesson_progress"."extra_attempts" between 0 and 100);