CREATE TABLE "preview_learners" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"admin_id" integer NOT NULL,
	"course_id" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "preview_learners" ADD CONSTRAINT "preview_learners_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "preview_learners" ADD CONSTRAINT "preview_learners_admin_id_users_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."users"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "preview_learners" ADD CONSTRAINT "preview_learners_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "preview_learners_admin_course_key" ON "preview_learners" USING btree ("admin_id","course_id");--> statement-breakpoint
CREATE INDEX "preview_learners_course_idx" ON "preview_learners" USING btree ("course_id");