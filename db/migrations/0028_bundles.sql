CREATE TABLE "bundle_courses" (
	"bundle_id" integer NOT NULL,
	"position" smallint NOT NULL,
	"course_id" integer,
	CONSTRAINT "bundle_courses_bundle_id_position_pk" PRIMARY KEY("bundle_id","position")
);
--> statement-breakpoint
CREATE TABLE "bundles" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bundles_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"title" text NOT NULL,
	"description" text NOT NULL,
	"price_cents" integer NOT NULL,
	"state" text DEFAULT 'hidden' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bundles_price" CHECK ("bundles"."price_cents" between 50 and 99999999),
	CONSTRAINT "bundles_state" CHECK ("bundles"."state" in ('active', 'hidden'))
);
--> statement-breakpoint
ALTER TABLE "cart_items" ADD COLUMN "bundle_id" integer;--> statement-breakpoint
ALTER TABLE "order_items" ADD COLUMN "bundle_id" integer;--> statement-breakpoint
ALTER TABLE "order_items" ADD COLUMN "bundle_title" text;--> statement-breakpoint
ALTER TABLE "bundle_courses" ADD CONSTRAINT "bundle_courses_bundle_id_bundles_id_fk" FOREIGN KEY ("bundle_id") REFERENCES "public"."bundles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bundle_courses" ADD CONSTRAINT "bundle_courses_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "bundle_courses_bundle_course_key" ON "bundle_courses" USING btree ("bundle_id","course_id");--> statement-breakpoint
CREATE INDEX "bundle_courses_course_idx" ON "bundle_courses" USING btree ("course_id");--> statement-breakpoint
ALTER TABLE "cart_items" ADD CONSTRAINT "cart_items_bundle_id_bundles_id_fk" FOREIGN KEY ("bundle_id") REFERENCES "public"."bundles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_bundle_id_bundles_id_fk" FOREIGN KEY ("bundle_id") REFERENCES "public"."bundles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "cart_items_bundle_idx" ON "cart_items" USING btree ("bundle_id");--> statement-breakpoint
CREATE INDEX "order_items_bundle_idx" ON "order_items" USING btree ("bundle_id");--> statement-breakpoint
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_bundle" CHECK (("order_items"."bundle_id" is null) = ("order_items"."bundle_title" is null));
--> statement-breakpoint
-- Bundles change rarely and are shown on lists, on their own pages and on those of their courses. By row: a course that is
-- deleted asks this table too, and mostly changes nothing here.
CREATE TRIGGER bundles_told AFTER INSERT OR UPDATE OR DELETE ON bundles
  FOR EACH ROW EXECUTE FUNCTION tell_catalogue_changed();
--> statement-breakpoint
CREATE TRIGGER bundles_emptied_told AFTER TRUNCATE ON bundles
  FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue_changed();
--> statement-breakpoint
CREATE TRIGGER bundle_courses_told AFTER INSERT OR UPDATE OR DELETE ON bundle_courses
  FOR EACH ROW EXECUTE FUNCTION tell_catalogue_changed();
--> statement-breakpoint
CREATE TRIGGER bundle_courses_emptied_told AFTER TRUNCATE ON bundle_courses
  FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue_changed();
