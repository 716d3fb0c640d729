ALTER TYPE "public"."coding_language" ADD VALUE 'typescript';--> statement-breakpoint
ALTER TYPE "public"."coding_language" ADD VALUE 'sql';