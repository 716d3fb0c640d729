CREATE TABLE "course_days" (
	"course_id" integer NOT NULL,
	"day" date NOT NULL,
	"views" integer DEFAULT 0 NOT NULL,
	"carts" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "course_days_course_id_day_pk" PRIMARY KEY("course_id","day"),
	CONSTRAINT "course_days_counts" CHECK ("course_days"."views" >= 0 and "course_days"."carts" >= 0)
);
--> statement-breakpoint
ALTER TABLE "course_days" ADD CONSTRAINT "course_days_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "course_days_day_idx" ON "course_days" USING btree ("day");--> statement-breakpoint
CREATE INDEX "users_role_idx" ON "users" USING btree ("role","created_at");--> statement-breakpoint
CREATE INDEX "users_name_idx" ON "users" USING btree (lower("username"),"id");--> statement-breakpoint
CREATE INDEX "enrollments_owners_idx" ON "enrollments" USING btree ("user_id") WHERE "enrollments"."status" <> 'revoked';--> statement-breakpoint
CREATE INDEX "code_submissions_lesson_at_idx" ON "code_submissions" USING btree ("lesson_id","submitted_at");--> statement-breakpoint
CREATE INDEX "orders_status_id_idx" ON "orders" USING btree ("status","id");