CREATE TABLE "course_review_answers" (
	"review_id" integer PRIMARY KEY NOT NULL,
	"course_id" integer NOT NULL,
	"written_by" integer,
	"body" text NOT NULL,
	"hidden_at" timestamp (3) with time zone,
	"hidden_by" integer,
	"hidden_reason" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "course_review_answers_length" CHECK (length("course_review_answers"."body") between 1 and 2000)
);
--> statement-breakpoint
ALTER TABLE "course_reviews" ADD COLUMN "answer_mailed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "course_review_answers" ADD CONSTRAINT "course_review_answers_review_id_course_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."course_reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_review_answers" ADD CONSTRAINT "course_review_answers_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_review_answers" ADD CONSTRAINT "course_review_answers_written_by_users_id_fk" FOREIGN KEY ("written_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_review_answers" ADD CONSTRAINT "course_review_answers_hidden_by_users_id_fk" FOREIGN KEY ("hidden_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "course_review_answers_written_by_idx" ON "course_review_answers" USING btree ("written_by");--> statement-breakpoint
CREATE INDEX "course_review_answers_course_idx" ON "course_review_answers" USING btree ("course_id");--> statement-breakpoint
CREATE TRIGGER course_review_answers_told AFTER TRUNCATE ON course_review_answers
  FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue_changed();
--> statement-breakpoint
CREATE TRIGGER course_review_answers_added_told AFTER INSERT ON course_review_answers REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_courses_of_rows();
--> statement-breakpoint
CREATE TRIGGER course_review_answers_changed_told AFTER UPDATE ON course_review_answers REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_courses_of_rows();
--> statement-breakpoint
CREATE TRIGGER course_review_answers_gone_told AFTER DELETE ON course_review_answers REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_courses_of_rows();
