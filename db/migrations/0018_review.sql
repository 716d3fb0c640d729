CREATE TABLE "review_answers" (
	"user_id" integer NOT NULL,
	"lesson_id" integer NOT NULL,
	"version" integer NOT NULL,
	"rating" text NOT NULL,
	"predicted" double precision NOT NULL,
	"recalled" boolean NOT NULL,
	"seconds" smallint NOT NULL,
	"answered_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "review_answers_user_id_lesson_id_version_pk" PRIMARY KEY("user_id","lesson_id","version"),
	CONSTRAINT "review_answers_rating" CHECK ("review_answers"."rating" in ('forgot', 'hard', 'good', 'easy')),
	CONSTRAINT "review_answers_predicted" CHECK ("review_answers"."predicted" between 0 and 1)
);
--> statement-breakpoint
CREATE TABLE "review_items" (
	"user_id" integer NOT NULL,
	"lesson_id" integer NOT NULL,
	"due" timestamp (3) with time zone NOT NULL,
	"stability" double precision NOT NULL,
	"difficulty" double precision NOT NULL,
	"reps" integer DEFAULT 1 NOT NULL,
	"lapses" integer DEFAULT 0 NOT NULL,
	"last_review" timestamp (3) with time zone NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "review_items_user_id_lesson_id_pk" PRIMARY KEY("user_id","lesson_id"),
	CONSTRAINT "review_items_counts" CHECK ("review_items"."reps" >= 0 and "review_items"."lapses" >= 0 and "review_items"."version" >= 0)
);
--> statement-breakpoint
ALTER TABLE "review_answers" ADD CONSTRAINT "review_answers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_answers" ADD CONSTRAINT "review_answers_lesson_id_lessons_id_fk" FOREIGN KEY ("lesson_id") REFERENCES "public"."lessons"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_items" ADD CONSTRAINT "review_items_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_items" ADD CONSTRAINT "review_items_lesson_id_lessons_id_fk" FOREIGN KEY ("lesson_id") REFERENCES "public"."lessons"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "review_answers_user_at_idx" ON "review_answers" USING btree ("user_id","answered_at");--> statement-breakpoint
CREATE INDEX "review_answers_lesson_idx" ON "review_answers" USING btree ("lesson_id");--> statement-breakpoint
CREATE INDEX "review_items_due_idx" ON "review_items" USING btree ("user_id","due");--> statement-breakpoint
CREATE INDEX "review_items_lesson_idx" ON "review_items" USING btree ("lesson_id");--> statement-breakpoint
-- What was finished before there were reviews comes back as if it had been remembered well then.
INSERT INTO "review_items" ("user_id", "lesson_id", "due", "stability", "difficulty", "last_review")
SELECT p."user_id", p."lesson_id", p."completed_at" + interval '3 days', 2.3065, 2.11810397, p."completed_at"
FROM "lesson_progress" p
INNER JOIN "lessons" l ON l."id" = p."lesson_id"
WHERE p."completed" AND p."completed_at" IS NOT NULL AND l."type" IN ('quiz', 'interactive_coding')
ON CONFLICT DO NOTHING;
