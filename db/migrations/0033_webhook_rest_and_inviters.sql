ALTER TABLE "organisation_invitations" ADD COLUMN "invited_by" integer;--> statement-breakpoint
-- Who mailed the open ones was not kept: they hang on the owner who has been one the longest.
UPDATE "organisation_invitations" i SET "invited_by" = (
	SELECT m."user_id" FROM "organisation_members" m
	WHERE m."organisation_id" = i."organisation_id" AND m."role" = 'owner' ORDER BY m."created_at", m."user_id" LIMIT 1);--> statement-breakpoint
DELETE FROM "organisation_invitations" WHERE "invited_by" IS NULL;--> statement-breakpoint
ALTER TABLE "organisation_invitations" ALTER COLUMN "invited_by" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "leased_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "rested_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "rest_reason" text;--> statement-breakpoint
ALTER TABLE "organisation_invitations" ADD CONSTRAINT "organisation_invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "organisation_invitations_invited_by_idx" ON "organisation_invitations" USING btree ("invited_by");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_leased_idx" ON "webhook_deliveries" USING btree ("leased_until") WHERE "webhook_deliveries"."leased_until" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_waiting_idx" ON "webhook_deliveries" USING btree ("endpoint_id","due_at") WHERE "webhook_deliveries"."status" = 'queued';--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_rest" CHECK (("webhook_endpoints"."rested_at" is null) = ("webhook_endpoints"."rest_reason" is null) and ("webhook_endpoints"."rested_at" is null or "webhook_endpoints"."paused"));