ALTER TABLE "courses" ADD COLUMN "outcomes" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "courses" ADD COLUMN "audience" text DEFAULT '' NOT NULL;
--> statement-breakpoint
-- A course is found by what one can do afterwards and whom it is for as by its description.
CREATE OR REPLACE FUNCTION write_course_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search_text := course_search_text(NEW.title, concat_ws(E'\n', NEW.description, NEW.outcomes, NEW.audience),
    coalesce((SELECT name FROM categories WHERE id = NEW.category_id), ''),
    course_about(NEW.id, NEW.level, NEW.price_cents), course_lesson_titles(NEW.id));
  RETURN NEW;
END $$;
--> statement-breakpoint
DROP TRIGGER courses_search_text ON courses;
--> statement-breakpoint
CREATE TRIGGER courses_search_text
  BEFORE INSERT OR UPDATE OF title, description, outcomes, audience, category_id, level, price_cents, search_text ON courses
  FOR EACH ROW EXECUTE FUNCTION write_course_search_text();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION learn_changed_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'categories' THEN
    PERFORM learn_search_words(NEW.name);
    IF TG_OP = 'UPDATE' THEN
      UPDATE courses SET category_id = category_id WHERE category_id = NEW.id;
    END IF;
  ELSE
    PERFORM learn_search_words(concat_ws(' ', NEW.title, NEW.description, NEW.outcomes, NEW.audience,
      course_about(NEW.id, NEW.level, NEW.price_cents), course_lesson_titles(NEW.id)));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
DROP TRIGGER courses_search_words ON courses;
--> statement-breakpoint
CREATE TRIGGER courses_search_words
  AFTER UPDATE OF title, description, outcomes, audience, level, price_cents, search_text ON courses
  FOR EACH ROW WHEN (OLD.search_text IS DISTINCT FROM NEW.search_text) EXECUTE FUNCTION learn_changed_words();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_new_courses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO course_counts AS kept (category_id, level, courses)
  SELECT category_id, level, count(*) FROM added WHERE listed GROUP BY category_id, level ORDER BY category_id, level
  ON CONFLICT (category_id, level) DO UPDATE SET courses = kept.courses + excluded.courses;
  PERFORM learn_search_words((SELECT string_agg(concat_ws(' ', title, description, outcomes, audience, course_about(id, level, price_cents)), ' ') FROM added));
  RETURN NULL;
END $$;
--> statement-breakpoint
-- What visitors see of them is made anew.
CREATE OR REPLACE FUNCTION tell_courses_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids integer[];
  in_lists boolean;
BEGIN
  SELECT array_agg(a.id), bool_or(
      (b.title, b.description, b.outcomes, b.audience, b.price_cents, b.level, b.rating, b.review_count, b.category_id, b.listed, b.created_at,
        b.search_text)
      IS DISTINCT FROM
      (a.title, a.description, a.outcomes, a.audience, a.price_cents, a.level, a.rating, a.review_count, a.category_id, a.listed, a.created_at,
        a.search_text))
    INTO ids, in_lists
    FROM before AS b JOIN after AS a USING (id)
    WHERE (b.title, b.description, b.outcomes, b.audience, b.thumbnail, b.price_cents, b.original_price_cents, b.duration, b.level, b.rating,
        b.review_count, b.created_by, b.category_id, b.listed, b.created_at, b.search_text)
      IS DISTINCT FROM
      (a.title, a.description, a.outcomes, a.audience, a.thumbnail, a.price_cents, a.original_price_cents, a.duration, a.level, a.rating,
        a.review_count, a.created_by, a.category_id, a.listed, a.created_at, a.search_text);
  IF in_lists THEN
    PERFORM pg_notify('catalogue_changed', 'catalogue');
  END IF;
  PERFORM tell_courses(ids);
  RETURN NULL;
END $$;
