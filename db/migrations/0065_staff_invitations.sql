-- Replaced below by a wider check.
-- unused since 0.1.0
ALTER TABLE "organisation_invitations" DROP CONSTRAINT "organisation_invitations_role_value";--> statement-breakpoint
ALTER TABLE "organisation_invitations" ALTER COLUMN "organisation_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "organisation_invitations" ADD COLUMN "course_id" integer;--> statement-breakpoint
ALTER TABLE "organisation_invitations" ADD CONSTRAINT "organisation_invitations_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "organisation_invitations_course_key" ON "organisation_invitations" USING btree ("course_id","email");--> statement-breakpoint
ALTER TABLE "organisation_invitations" ADD CONSTRAINT "organisation_invitations_of" CHECK (num_nonnulls("organisation_invitations"."organisation_id", "organisation_invitations"."course_id") = 1);--> statement-breakpoint
ALTER TABLE "organisation_invitations" ADD CONSTRAINT "organisation_invitations_role_value" CHECK ("organisation_invitations"."role" in ('owner', 'manager', 'author', 'grader'));