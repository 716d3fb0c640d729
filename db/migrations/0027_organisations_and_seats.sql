CREATE TYPE "public"."organisation_role" AS ENUM('owner', 'manager');--> statement-breakpoint
CREATE TABLE "organisation_invitations" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "organisation_invitations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"organisation_id" integer NOT NULL,
	"email" text NOT NULL,
	"role" "organisation_role" NOT NULL,
	"token" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "organisation_invitations_token_unique" UNIQUE("token"),
	CONSTRAINT "organisation_invitations_email" CHECK ("organisation_invitations"."email" = lower("organisation_invitations"."email"))
);
--> statement-breakpoint
CREATE TABLE "organisation_members" (
	"organisation_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"role" "organisation_role" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "organisation_members_organisation_id_user_id_pk" PRIMARY KEY("organisation_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "organisations" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "organisations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "organisations_name" CHECK (length("organisations"."name") between 2 and 120)
);
--> statement-breakpoint
CREATE TABLE "seat_links" (
	"organisation_id" integer NOT NULL,
	"course_id" integer NOT NULL,
	"code" text NOT NULL,
	"domains" text[] NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "seat_links_organisation_id_course_id_pk" PRIMARY KEY("organisation_id","course_id"),
	CONSTRAINT "seat_links_code_unique" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "seat_price_steps" (
	"from_seats" integer PRIMARY KEY NOT NULL,
	"percent_off" smallint NOT NULL,
	CONSTRAINT "seat_price_steps_from" CHECK ("seat_price_steps"."from_seats" >= 2),
	CONSTRAINT "seat_price_steps_percent" CHECK ("seat_price_steps"."percent_off" between 1 and 90)
);
--> statement-breakpoint
CREATE TABLE "seats" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "seats_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"order_item_id" integer NOT NULL,
	"organisation_id" integer NOT NULL,
	"course_id" integer NOT NULL,
	"email" text,
	"token" text,
	"mail_due" boolean DEFAULT false NOT NULL,
	"given_at" timestamp (3) with time zone,
	"user_id" integer,
	"taken_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "seats_token_unique" UNIQUE("token"),
	CONSTRAINT "seats_email_normalised" CHECK ("seats"."email" = lower("seats"."email")),
	CONSTRAINT "seats_taken" CHECK ("seats"."user_id" is null or ("seats"."email" is not null and "seats"."taken_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "order_items" ADD COLUMN "seats" integer;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "organisation_id" integer;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "seats" integer;--> statement-breakpoint
ALTER TABLE "organisation_invitations" ADD CONSTRAINT "organisation_invitations_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organisation_members" ADD CONSTRAINT "organisation_members_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organisation_members" ADD CONSTRAINT "organisation_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seat_links" ADD CONSTRAINT "seat_links_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seat_links" ADD CONSTRAINT "seat_links_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seats" ADD CONSTRAINT "seats_order_item_id_order_items_id_fk" FOREIGN KEY ("order_item_id") REFERENCES "public"."order_items"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seats" ADD CONSTRAINT "seats_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seats" ADD CONSTRAINT "seats_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seats" ADD CONSTRAINT "seats_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "organisation_invitations_email_key" ON "organisation_invitations" USING btree ("organisation_id","email");--> statement-breakpoint
CREATE INDEX "organisation_members_user_idx" ON "organisation_members" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "seat_links_course_idx" ON "seat_links" USING btree ("course_id");--> statement-breakpoint
CREATE INDEX "seats_order_item_idx" ON "seats" USING btree ("order_item_id");--> statement-breakpoint
CREATE INDEX "seats_user_idx" ON "seats" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "seats_organisation_idx" ON "seats" USING btree ("organisation_id","course_id","id");--> statement-breakpoint
CREATE INDEX "seats_free_idx" ON "seats" USING btree ("organisation_id","course_id","id") WHERE "seats"."email" is null and "seats"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "seats_mail_due_idx" ON "seats" USING btree ("organisation_id") WHERE "seats"."mail_due";--> statement-breakpoint
CREATE UNIQUE INDEX "seats_address_key" ON "seats" USING btree ("organisation_id","course_id","email") WHERE "seats"."email" is not null and "seats"."ended_at" is null;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "orders_organisation_idx" ON "orders" USING btree ("organisation_id") WHERE "orders"."organisation_id" is not null;--> statement-breakpoint
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_seats" CHECK ("order_items"."seats" >= 1);--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_seats" CHECK ("refunds"."seats" >= 1);