CREATE TYPE "public"."video_status" AS ENUM('arriving', 'checking', 'converting', 'ready', 'failed');--> statement-breakpoint
CREATE TABLE "videos" (
	"id" text PRIMARY KEY NOT NULL,
	"course_id" integer NOT NULL,
	"created_by" integer,
	"name" text NOT NULL,
	"size" integer NOT NULL,
	"status" "video_status" DEFAULT 'arriving' NOT NULL,
	"percent" smallint DEFAULT 0 NOT NULL,
	"message" text DEFAULT '' NOT NULL,
	"path" text,
	"is_playable" boolean DEFAULT false NOT NULL,
	"poster_path" text,
	"sizes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"duration" integer,
	"height" integer,
	"worker" uuid,
	"moved_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "videos_path_unique" UNIQUE("path"),
	CONSTRAINT "videos_size" CHECK ("videos"."size" > 0),
	CONSTRAINT "videos_percent" CHECK ("videos"."percent" between 0 and 100)
);
--> statement-breakpoint
ALTER TABLE "videos" ADD CONSTRAINT "videos_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "videos" ADD CONSTRAINT "videos_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "videos_course_idx" ON "videos" USING btree ("course_id","created_at");--> statement-breakpoint
CREATE INDEX "videos_moving_idx" ON "videos" USING btree ("moved_at") WHERE "videos"."status" in ('arriving', 'checking', 'converting');