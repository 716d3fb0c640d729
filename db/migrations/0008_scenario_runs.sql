ALTER TABLE "scenario_progress" ADD COLUMN "engine_run" jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "scenario_progress" ADD COLUMN "definition" jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "scenario_progress" ADD COLUMN "passed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "scenarios" ADD COLUMN "solution" jsonb;