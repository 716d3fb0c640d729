-- Hints are kept from nobody. "held_out" stays for the release before.
DELETE FROM "group_hint_offers" WHERE "held_out";--> statement-breakpoint
-- unused since 0.1.0
ALTER TABLE "group_hint_offers" DROP CONSTRAINT "group_hint_offers_shown";--> statement-breakpoint
ALTER TABLE "group_hint_offers" ALTER COLUMN "held_out" SET DEFAULT false;
