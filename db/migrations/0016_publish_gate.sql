CREATE TYPE "public"."gate_check_status" AS ENUM('waiting', 'running', 'done');--> statement-breakpoint
CREATE TYPE "public"."gate_run_status" AS ENUM('running', 'finished', 'abandoned');--> statement-breakpoint
CREATE TABLE "gate_checks" (
	"run_id" integer NOT NULL,
	"lesson_id" integer NOT NULL,
	"status" "gate_check_status" DEFAULT 'waiting' NOT NULL,
	"revision" integer NOT NULL,
	"findings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"facts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "gate_checks_run_id_lesson_id_pk" PRIMARY KEY("run_id","lesson_id")
);
--> statement-breakpoint
CREATE TABLE "gate_overrides" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "gate_overrides_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"lesson_id" integer NOT NULL,
	"revision" integer NOT NULL,
	"finding_key" text NOT NULL,
	"message" text NOT NULL,
	"reason" text NOT NULL,
	"user_id" integer,
	"user_name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"withdrawn_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "gate_runs" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "gate_runs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"course_id" integer NOT NULL,
	"status" "gate_run_status" DEFAULT 'running' NOT NULL,
	"started_by" integer,
	"started_by_name" text NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"moved_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "lessons" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "lessons" ADD COLUMN "proven_revision" integer;--> statement-breakpoint
ALTER TABLE "gate_checks" ADD CONSTRAINT "gate_checks_run_id_gate_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."gate_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gate_checks" ADD CONSTRAINT "gate_checks_lesson_id_lessons_id_fk" FOREIGN KEY ("lesson_id") REFERENCES "public"."lessons"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gate_overrides" ADD CONSTRAINT "gate_overrides_lesson_id_lessons_id_fk" FOREIGN KEY ("lesson_id") REFERENCES "public"."lessons"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gate_overrides" ADD CONSTRAINT "gate_overrides_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gate_runs" ADD CONSTRAINT "gate_runs_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gate_runs" ADD CONSTRAINT "gate_runs_started_by_users_id_fk" FOREIGN KEY ("started_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "gate_checks_lesson_idx" ON "gate_checks" USING btree ("lesson_id");--> statement-breakpoint
CREATE INDEX "gate_overrides_lesson_idx" ON "gate_overrides" USING btree ("lesson_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "gate_overrides_one_each" ON "gate_overrides" USING btree ("lesson_id","revision","finding_key") WHERE "gate_overrides"."withdrawn_at" is null;--> statement-breakpoint
CREATE INDEX "gate_runs_course_idx" ON "gate_runs" USING btree ("course_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "gate_runs_one_running" ON "gate_runs" USING btree ("course_id") WHERE "gate_runs"."status" = 'running';--> statement-breakpoint
CREATE INDEX "lessons_unproven_idx" ON "lessons" USING btree ("course_id") WHERE "lessons"."proven_revision" is distinct from "lessons"."revision";