CREATE TABLE "lesson_question_replies" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "lesson_question_replies_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"question_id" integer NOT NULL,
	"written_by" integer,
	"by_team" boolean NOT NULL,
	"key" text NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "lesson_question_replies_length" CHECK (length("lesson_question_replies"."body") <= 4000)
);
--> statement-breakpoint
CREATE TABLE "lesson_question_reports" (
	"question_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "lesson_question_reports_question_id_user_id_pk" PRIMARY KEY("question_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "lesson_questions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "lesson_questions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"lesson_id" integer NOT NULL,
	"key" text NOT NULL,
	"body" text NOT NULL,
	"line" integer,
	"quote" text DEFAULT '' NOT NULL,
	"submission_id" integer,
	"shared_by_asker" boolean DEFAULT false NOT NULL,
	"shared_by_team" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"edited_at" timestamp (3) with time zone,
	"answered_at" timestamp (3) with time zone,
	"waiting_since" timestamp (3) with time zone DEFAULT now(),
	"solved_at" timestamp (3) with time zone,
	"hidden_at" timestamp (3) with time zone,
	"hidden_by" integer,
	"hidden_reason" text,
	"mailed_at" timestamp (3) with time zone,
	CONSTRAINT "lesson_questions_line" CHECK ("lesson_questions"."line" >= 1),
	CONSTRAINT "lesson_questions_lengths" CHECK (length("lesson_questions"."body") <= 4000 and length("lesson_questions"."quote") <= 300)
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "question_mail" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "lesson_question_replies" ADD CONSTRAINT "lesson_question_replies_question_id_lesson_questions_id_fk" FOREIGN KEY ("question_id") REFERENCES "public"."lesson_questions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lesson_question_replies" ADD CONSTRAINT "lesson_question_replies_written_by_users_id_fk" FOREIGN KEY ("written_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lesson_question_reports" ADD CONSTRAINT "lesson_question_reports_question_id_lesson_questions_id_fk" FOREIGN KEY ("question_id") REFERENCES "public"."lesson_questions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lesson_question_reports" ADD CONSTRAINT "lesson_question_reports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lesson_questions" ADD CONSTRAINT "lesson_questions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lesson_questions" ADD CONSTRAINT "lesson_questions_lesson_id_lessons_id_fk" FOREIGN KEY ("lesson_id") REFERENCES "public"."lessons"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lesson_questions" ADD CONSTRAINT "lesson_questions_submission_id_code_submissions_id_fk" FOREIGN KEY ("submission_id") REFERENCES "public"."code_submissions"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lesson_questions" ADD CONSTRAINT "lesson_questions_hidden_by_users_id_fk" FOREIGN KEY ("hidden_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "lesson_question_replies_key" ON "lesson_question_replies" USING btree ("question_id","key");--> statement-breakpoint
CREATE INDEX "lesson_question_replies_written_by_idx" ON "lesson_question_replies" USING btree ("written_by");--> statement-breakpoint
CREATE INDEX "lesson_question_reports_user_idx" ON "lesson_question_reports" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "lesson_questions_user_key" ON "lesson_questions" USING btree ("user_id","key");--> statement-breakpoint
CREATE INDEX "lesson_questions_lesson_idx" ON "lesson_questions" USING btree ("lesson_id","user_id");--> statement-breakpoint
CREATE INDEX "lesson_questions_waiting_idx" ON "lesson_questions" USING btree ("waiting_since") WHERE "lesson_questions"."waiting_since" is not null;--> statement-breakpoint
CREATE INDEX "lesson_questions_created_idx" ON "lesson_questions" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "lesson_questions_unmailed_idx" ON "lesson_questions" USING btree ("lesson_id") WHERE "lesson_questions"."mailed_at" is null;--> statement-breakpoint
CREATE INDEX "lesson_questions_submission_idx" ON "lesson_questions" USING btree ("submission_id") WHERE "lesson_questions"."submission_id" is not null;--> statement-breakpoint
CREATE INDEX "lesson_questions_hidden_by_idx" ON "lesson_questions" USING btree ("hidden_by") WHERE "lesson_questions"."hidden_by" is not null;