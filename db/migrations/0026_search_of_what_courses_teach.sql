CREATE TABLE "missed_searches" (
	"day" date NOT NULL,
	"typed" text NOT NULL,
	"searches" integer DEFAULT 1 NOT NULL,
	"closest" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "missed_searches_day_typed_pk" PRIMARY KEY("day","typed"),
	CONSTRAINT "missed_searches_counts" CHECK ("missed_searches"."searches" > 0)
);
--> statement-breakpoint
CREATE TABLE "search_synonyms" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "search_synonyms_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"typed" text NOT NULL,
	"means" text NOT NULL,
	"created_by_name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "search_synonyms_typed_unique" UNIQUE("typed")
);
--> statement-breakpoint
ALTER TABLE "search_words" ADD COLUMN "stem" text collate "C" DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "search_words_stem_idx" ON "search_words" USING btree ("stem");