-- Was a value added to an enum, which rows of a backup cannot use before the transaction that restores them has ended.
DO $$
DECLARE
  triggers text[] := (SELECT array_agg(pg_get_triggerdef(oid)) FROM pg_trigger
    WHERE tgrelid = 'lessons'::regclass AND tgname IN ('lessons_changed_in_search', 'lessons_revision'));
  statement text;
BEGIN
  DROP TRIGGER lessons_changed_in_search ON lessons;
  DROP TRIGGER lessons_revision ON lessons;
  ALTER TABLE lessons ALTER coding_language TYPE text;
  ALTER TABLE code_submissions ALTER language TYPE text;
  DROP TYPE coding_language;
  FOREACH statement IN ARRAY triggers LOOP
    EXECUTE statement;
  END LOOP;
END $$;
