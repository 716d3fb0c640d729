CREATE TABLE "seat_plans" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "seat_plans_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"organisation_id" integer NOT NULL,
	"course_id" integer,
	"bundle_id" integer,
	"code" text,
	"domains" text[],
	"due_on" date,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "seat_plans_code_unique" UNIQUE("code"),
	CONSTRAINT "seat_plans_key" UNIQUE NULLS NOT DISTINCT("organisation_id","course_id","bundle_id"),
	CONSTRAINT "seat_plans_of_one_thing" CHECK (num_nonnulls("seat_plans"."course_id", "seat_plans"."bundle_id") = 1),
	CONSTRAINT "seat_plans_link" CHECK (("seat_plans"."code" is null) = ("seat_plans"."domains" is null))
);
--> statement-breakpoint
ALTER TABLE "seat_plans" ADD CONSTRAINT "seat_plans_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seat_plans" ADD CONSTRAINT "seat_plans_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seat_plans" ADD CONSTRAINT "seat_plans_bundle_id_bundles_id_fk" FOREIGN KEY ("bundle_id") REFERENCES "public"."bundles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "seat_plans_course_idx" ON "seat_plans" USING btree ("course_id");--> statement-breakpoint
CREATE INDEX "seat_plans_bundle_idx" ON "seat_plans" USING btree ("bundle_id");--> statement-breakpoint
INSERT INTO "seat_plans" ("organisation_id", "course_id", "code", "domains", "created_at")
	SELECT "organisation_id", "course_id", "code", "domains", "created_at" FROM "seat_links";--> statement-breakpoint
DROP TABLE "seat_links" CASCADE;--> statement-breakpoint
DROP INDEX "order_items_order_course_key";--> statement-breakpoint
DROP INDEX "seats_address_key";--> statement-breakpoint
ALTER TABLE "seats" ALTER COLUMN "course_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "seats" ADD COLUMN "bundle_id" integer;--> statement-breakpoint
ALTER TABLE "seats" ADD CONSTRAINT "seats_bundle_id_bundles_id_fk" FOREIGN KEY ("bundle_id") REFERENCES "public"."bundles"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "order_items_own_course_key" ON "order_items" USING btree ("order_id","course_id") WHERE "order_items"."seats" is null;--> statement-breakpoint
CREATE INDEX "seats_bundle_idx" ON "seats" USING btree ("bundle_id") WHERE "seats"."bundle_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "order_items_order_course_key" ON "order_items" USING btree ("order_id","course_id",coalesce("bundle_id", 0));--> statement-breakpoint
CREATE UNIQUE INDEX "seats_address_key" ON "seats" USING btree ("organisation_id",coalesce("course_id", -"bundle_id"),"email") WHERE "seats"."email" is not null and "seats"."ended_at" is null;--> statement-breakpoint
ALTER TABLE "seats" ADD CONSTRAINT "seats_of_one_thing" CHECK (num_nonnulls("seats"."course_id", "seats"."bundle_id") = 1);