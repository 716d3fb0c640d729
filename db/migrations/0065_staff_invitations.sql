ALTER TABLE "organisation_invitations" DROP CONSTRAINT "organisation_invitations_role_value";--> statement-breakpoint
DROP INDEX "organisation_invitations_email_key";--> statement-breakpoint
ALTER TABLE "organisation_invitations" ALTER COLUMN "organisation_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "organisation_invitations" ADD COLUMN "course_id" integer;--> statement-breakpoint
ALTER TABLE "organisation_invitations" ADD CONSTRAINT "organisation_invitations_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "organisation_invitations_course_idx" ON "organisation_invitations" USING btree ("course_id");--> statement-breakpoint
ALTER TABLE "organisation_invitations" ADD CONSTRAINT "organisation_invitations_email_key" UNIQUE NULLS NOT DISTINCT("organisation_id","course_id","email");--> statement-breakpoint
ALTER TABLE "organisation_invitations" ADD CONSTRAINT "organisation_invitations_of" CHECK (num_nonnulls("organisation_invitations"."organisation_id", "organisation_invitations"."course_id") = 1
        and ("organisation_invitations"."course_id" is null) = ("organisation_invitations"."role" in ('owner', 'manager')));--> statement-breakpoint
ALTER TABLE "organisation_invitations" ADD CONSTRAINT "organisation_invitations_role_value" CHECK ("organisation_invitations"."role" in ('owner', 'manager', 'author', 'grader'));