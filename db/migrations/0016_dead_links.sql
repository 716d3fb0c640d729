CREATE TABLE "failing_links" (
	"lesson_id" integer NOT NULL,
	"finding_key" text NOT NULL,
	"field" text NOT NULL,
	"message" text NOT NULL,
	"failed_on" date NOT NULL,
	"dead_at" timestamp (3) with time zone,
	"mailed_at" timestamp (3) with time zone,
	CONSTRAINT "failing_links_lesson_id_finding_key_pk" PRIMARY KEY("lesson_id","finding_key")
);
--> statement-breakpoint
CREATE TABLE "link_checks" (
	"lesson_id" integer PRIMARY KEY NOT NULL,
	"tried_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "failing_links" ADD CONSTRAINT "failing_links_lesson_id_lessons_id_fk" FOREIGN KEY ("lesson_id") REFERENCES "public"."lessons"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_checks" ADD CONSTRAINT "link_checks_lesson_id_lessons_id_fk" FOREIGN KEY ("lesson_id") REFERENCES "public"."lessons"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "failing_links_unmailed_idx" ON "failing_links" USING btree ("lesson_id") WHERE "failing_links"."dead_at" is not null and "failing_links"."mailed_at" is null;