-- The store lists a course that is to be shown once each of its lessons is proven as it is now.
CREATE FUNCTION course_is_proven(course integer) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(bool_and(proven_revision IS NOT DISTINCT FROM revision), false) FROM lessons WHERE course_id = course
$$;
--> statement-breakpoint
CREATE FUNCTION list_course_by_wish() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.listed := NEW.is_active AND (NEW.listed OR course_is_proven(NEW.id));
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER courses_listed_by_wish BEFORE UPDATE OF is_active ON courses
  FOR EACH ROW WHEN (OLD.is_active <> NEW.is_active) EXECUTE FUNCTION list_course_by_wish();
--> statement-breakpoint
-- The check writes null where it found a fault that nobody let pass.
CREATE FUNCTION list_course_by_lessons() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.proven_revision IS NULL
    OR TG_OP = 'DELETE' AND NOT EXISTS (SELECT FROM lessons WHERE course_id = OLD.course_id) THEN
    UPDATE courses SET listed = false WHERE id = OLD.course_id AND listed;
  ELSE
    UPDATE courses SET listed = true
      WHERE id = OLD.course_id AND is_active AND NOT listed AND course_is_proven(id);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER lessons_list_course AFTER DELETE OR UPDATE OF proven_revision ON lessons
  FOR EACH ROW EXECUTE FUNCTION list_course_by_lessons();
--> statement-breakpoint
CREATE FUNCTION count_new_courses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO course_counts AS kept (category_id, level, courses)
  SELECT category_id, level, count(*) FROM added WHERE listed GROUP BY category_id, level ORDER BY category_id, level
  ON CONFLICT (category_id, level) DO UPDATE SET courses = kept.courses + excluded.courses;
  PERFORM learn_search_words((SELECT string_agg(concat_ws(' ', title, description, course_about(id, level, price_cents)), ' ') FROM added));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER courses_counted_in AFTER INSERT ON courses REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_new_courses();
--> statement-breakpoint
CREATE FUNCTION discount_gone_courses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE course_counts AS kept SET courses = kept.courses - gone.courses
  FROM (
    SELECT category_id, level, count(*)::int AS courses FROM removed WHERE listed GROUP BY category_id, level
  ) AS gone
  WHERE kept.category_id = gone.category_id AND kept.level = gone.level;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER courses_counted_out AFTER DELETE ON courses REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION discount_gone_courses();
--> statement-breakpoint
CREATE FUNCTION recount_changed_course() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO course_counts (category_id, level, courses)
  VALUES (NEW.category_id, NEW.level, 0), (OLD.category_id, OLD.level, 0) ON CONFLICT DO NOTHING;
  -- Both rows in one order, so that two courses that change places do not wait for each other.
  PERFORM FROM course_counts
    WHERE (category_id, level) IN ((NEW.category_id, NEW.level), (OLD.category_id, OLD.level))
    ORDER BY category_id, level FOR UPDATE;
  UPDATE course_counts SET courses = courses
      - (OLD.listed AND category_id = OLD.category_id AND level = OLD.level)::int
      + (NEW.listed AND category_id = NEW.category_id AND level = NEW.level)::int
    WHERE (category_id, level) IN ((NEW.category_id, NEW.level), (OLD.category_id, OLD.level));
  RETURN NULL;
END $$;
--> statement-breakpoint
-- A trigger that names columns looks at those of the statement, and "listed" may also be written on the way, by the
-- trigger above: so "is_active" stays beside it.
CREATE TRIGGER courses_recounted AFTER UPDATE OF listed, is_active, category_id, level ON courses
  FOR EACH ROW WHEN ((OLD.listed, OLD.category_id, OLD.level) IS DISTINCT FROM (NEW.listed, NEW.category_id, NEW.level))
  EXECUTE FUNCTION recount_changed_course();
