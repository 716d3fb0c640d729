CREATE TABLE "group_hint_offers" (
	"group_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"attempt" integer NOT NULL,
	"held_out" boolean NOT NULL,
	"offered_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"shown_at" timestamp (3) with time zone,
	CONSTRAINT "group_hint_offers_group_id_user_id_pk" PRIMARY KEY("group_id","user_id"),
	CONSTRAINT "group_hint_offers_shown" CHECK (not ("group_hint_offers"."held_out" and "group_hint_offers"."shown_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "mistake_groups" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mistake_groups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"lesson_id" integer NOT NULL,
	"key" text NOT NULL,
	"difference" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"seed" text,
	"hint" text,
	"hint_at" timestamp (3) with time zone,
	"last_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mistake_groups_hint" CHECK (("mistake_groups"."hint" is null) = ("mistake_groups"."hint_at" is null)),
	CONSTRAINT "mistake_groups_failures" CHECK ("mistake_groups"."failures" >= 0)
);
--> statement-breakpoint
ALTER TABLE "code_submissions" ADD COLUMN "mistake_group_id" integer;--> statement-breakpoint
ALTER TABLE "group_hint_offers" ADD CONSTRAINT "group_hint_offers_group_id_mistake_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."mistake_groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_hint_offers" ADD CONSTRAINT "group_hint_offers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mistake_groups" ADD CONSTRAINT "mistake_groups_lesson_id_lessons_id_fk" FOREIGN KEY ("lesson_id") REFERENCES "public"."lessons"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "group_hint_offers_user_idx" ON "group_hint_offers" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "mistake_groups_lesson_key" ON "mistake_groups" USING btree ("lesson_id","key");--> statement-breakpoint
ALTER TABLE "code_submissions" ADD CONSTRAINT "code_submissions_mistake_group_id_mistake_groups_id_fk" FOREIGN KEY ("mistake_group_id") REFERENCES "public"."mistake_groups"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "code_submissions_stuck_idx" ON "code_submissions" USING btree ("lesson_id","user_id","is_correct","submitted_at");--> statement-breakpoint
CREATE INDEX "code_submissions_group_idx" ON "code_submissions" USING btree ("mistake_group_id","id") WHERE "code_submissions"."mistake_group_id" is not null;