ALTER TABLE "courses" ADD COLUMN "empty_sections" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
-- Sections without lessons are shown to no visitor.
CREATE OR REPLACE FUNCTION tell_courses_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- Shown to no visitor, or a few seconds late.
  unseen CONSTANT text[] := array['slug', 'students_count', 'builder_draft', 'archived_at', 'builder_digest',
    'certificate_months', 'activate_when_proven', 'version', 'updated_at', 'published_at', 'draft_of',
    'empty_sections'];
  -- Shown, and no list is filtered, searched or ordered by it.
  in_no_list CONSTANT text[] := array['thumbnail', 'original_price_cents', 'duration', 'created_by'];
  ids integer[];
  in_lists boolean;
BEGIN
  SELECT array_agg(id), bool_or(b - in_no_list IS DISTINCT FROM a - in_no_list)
    INTO ids, in_lists
    FROM (SELECT after.id, to_jsonb(before) - unseen AS b, to_jsonb(after) - unseen AS a
      FROM before JOIN after USING (id)) AS both_rows
    WHERE a IS DISTINCT FROM b;
  IF in_lists THEN
    PERFORM pg_notify('catalogue_changed', 'catalogue');
  END IF;
  PERFORM tell_courses(ids);
  RETURN NULL;
END $$;
