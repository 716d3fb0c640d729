INSERT INTO catalogue_version DEFAULT VALUES;
--> statement-breakpoint
-- Runs at commit, when a transaction waits for nothing else any more: two that change courses in different order cannot
-- hold each other up over this one row. Once for each transaction, however many courses it changes.
CREATE FUNCTION raise_catalogue_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('catalogue.raised_in', true) IS DISTINCT FROM pg_current_xact_id()::text THEN
    PERFORM set_config('catalogue.raised_in', pg_current_xact_id()::text, true);
    UPDATE catalogue_version SET version = version + 1;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER courses_come_and_go AFTER INSERT OR DELETE ON courses
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_catalogue_version();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER courses_changed AFTER UPDATE OF is_active, category_id, level, price_cents, search_text, title, description ON courses
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.is_active, OLD.category_id, OLD.level, OLD.price_cents, OLD.title, OLD.description, OLD.search_text)
    IS DISTINCT FROM (NEW.is_active, NEW.category_id, NEW.level, NEW.price_cents, NEW.title, NEW.description, NEW.search_text))
  EXECUTE FUNCTION raise_catalogue_version();
--> statement-breakpoint
-- The beginning of a word covers its stem where both are the same, which halves the work of most searches.
CREATE OR REPLACE FUNCTION course_query(words text[], weights text DEFAULT '') RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  WITH alternatives AS (
    SELECT place, alternative, (ts_lexize('english_stem', alternative))[1] AS stem
    FROM unnest(words) WITH ORDINALITY AS one(word, place), string_to_table(one.word, '|') AS alternative
    WHERE alternative <> ''
  ), telling AS (
    SELECT place, string_agg(
      CASE WHEN stem = alternative AND length(alternative) > 2 THEN '' ELSE '''' || stem || ''':' || weights || ' | ' END
        || '''' || alternative || ''':' || CASE WHEN length(alternative) > 2 THEN '*' ELSE '' END || weights,
      ' | ') AS part
    FROM alternatives WHERE stem IS NOT NULL GROUP BY place
  )
  SELECT coalesce(
    (SELECT string_agg('(' || part || ')', ' & ' ORDER BY place) FROM telling),
    (SELECT string_agg('''' || alternative || ''':' || weights, ' & ') FROM alternatives),
    '')::tsquery
$$;
