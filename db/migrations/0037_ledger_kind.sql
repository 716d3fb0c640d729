-- One statement, so that the table is written anew once. Rows that are there are not asked: no odd name among them keeps a
-- database from its upgrade.
ALTER TABLE "ledger_entries"
  ADD COLUMN "kind" text GENERATED ALWAYS AS (split_part(movement, ':', 1)) STORED NOT NULL,
  ADD COLUMN "subject" text GENERATED ALWAYS AS (split_part(movement, ':', 2)) STORED NOT NULL,
  ADD CONSTRAINT "ledger_entries_kind" CHECK ("ledger_entries"."kind" in ('payment', 'invoice', 'transfer', 'refund', 'dispute')) NOT VALID;
