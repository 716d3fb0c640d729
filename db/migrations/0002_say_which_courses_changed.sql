-- Says which courses changed, so that only what shows them is made anew: `course:7` for what shows this course, `catalogue`
-- for every list of courses, nothing for everything. Equal notifications of one transaction arrive once, after its commit.
CREATE FUNCTION tell_courses(ids integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(ids) > 50 THEN
    PERFORM pg_notify('catalogue_changed', '');
  ELSE
    PERFORM pg_notify('catalogue_changed', 'course:' || id) FROM unnest(ids) AS id;
  END IF;
END $$;
--> statement-breakpoint
-- A course that comes or goes is shown, or no longer, in lists; one that goes also by itself.
CREATE FUNCTION tell_courses_came() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalogue_changed', 'catalogue');
  IF TG_OP = 'DELETE' THEN
    PERFORM tell_courses(ARRAY(SELECT id FROM changed));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- The number of learners is left out: purchases would clear lists, and would wait for each other as they commit. What
-- lists are filtered, searched or ordered by may change which of them show a course.
CREATE OR REPLACE FUNCTION tell_courses_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids integer[];
  in_lists boolean;
BEGIN
  SELECT array_agg(a.id), bool_or(
      (b.title, b.description, b.price_cents, b.level, b.rating, b.review_count, b.category_id, b.listed, b.created_at,
        b.search_text)
      IS DISTINCT FROM
      (a.title, a.description, a.price_cents, a.level, a.rating, a.review_count, a.category_id, a.listed, a.created_at,
        a.search_text))
    INTO ids, in_lists
    FROM before AS b JOIN after AS a USING (id)
    WHERE (b.title, b.description, b.thumbnail, b.price_cents, b.original_price_cents, b.duration, b.level, b.rating,
        b.review_count, b.created_by, b.category_id, b.listed, b.created_at, b.search_text)
      IS DISTINCT FROM
      (a.title, a.description, a.thumbnail, a.price_cents, a.original_price_cents, a.duration, a.level, a.rating,
        a.review_count, a.created_by, a.category_id, a.listed, a.created_at, a.search_text);
  IF in_lists THEN
    PERFORM pg_notify('catalogue_changed', 'catalogue');
  END IF;
  PERFORM tell_courses(ids);
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Rows that belong to a course: lessons and reviews by themselves, a question by its lesson.
CREATE FUNCTION tell_courses_of_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'quiz_questions' THEN
    PERFORM tell_courses(ARRAY(
      SELECT DISTINCT course_id FROM lessons WHERE id IN (SELECT lesson_id FROM changed)));
  ELSE
    PERFORM tell_courses(ARRAY(SELECT DISTINCT course_id FROM changed));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Names of reviewers and of a course's author.
CREATE FUNCTION tell_courses_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_courses(ARRAY(
    SELECT course_id FROM course_reviews WHERE user_id = NEW.id
    UNION SELECT id FROM courses WHERE created_by = NEW.id));
  RETURN NULL;
END $$;
--> statement-breakpoint
DROP TRIGGER courses_told ON courses;
--> statement-breakpoint
CREATE TRIGGER courses_told AFTER TRUNCATE ON courses FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue_changed();
--> statement-breakpoint
CREATE TRIGGER courses_added_told AFTER INSERT ON courses FOR EACH STATEMENT EXECUTE FUNCTION tell_courses_came();
--> statement-breakpoint
CREATE TRIGGER courses_gone_told AFTER DELETE ON courses REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_courses_came();
--> statement-breakpoint
DROP TRIGGER lessons_told ON lessons;
--> statement-breakpoint
CREATE TRIGGER lessons_told AFTER TRUNCATE ON lessons FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue_changed();
--> statement-breakpoint
CREATE TRIGGER lessons_added_told AFTER INSERT ON lessons REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_courses_of_rows();
--> statement-breakpoint
CREATE TRIGGER lessons_changed_told AFTER UPDATE ON lessons REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_courses_of_rows();
--> statement-breakpoint
CREATE TRIGGER lessons_gone_told AFTER DELETE ON lessons REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_courses_of_rows();
--> statement-breakpoint
-- A lesson is not moved to another course by the site. Who does it by hand has everything made anew.
CREATE TRIGGER lessons_moved_told AFTER UPDATE OF course_id ON lessons
  FOR EACH ROW WHEN (OLD.course_id <> NEW.course_id) EXECUTE FUNCTION tell_catalogue_changed();
--> statement-breakpoint
DROP TRIGGER quiz_questions_told ON quiz_questions;
--> statement-breakpoint
CREATE TRIGGER quiz_questions_told AFTER TRUNCATE ON quiz_questions
  FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue_changed();
--> statement-breakpoint
CREATE TRIGGER quiz_questions_added_told AFTER INSERT ON quiz_questions REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_courses_of_rows();
--> statement-breakpoint
CREATE TRIGGER quiz_questions_changed_told AFTER UPDATE ON quiz_questions REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_courses_of_rows();
--> statement-breakpoint
CREATE TRIGGER quiz_questions_gone_told AFTER DELETE ON quiz_questions REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_courses_of_rows();
--> statement-breakpoint
DROP TRIGGER course_reviews_told ON course_reviews;
--> statement-breakpoint
CREATE TRIGGER course_reviews_told AFTER TRUNCATE ON course_reviews
  FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue_changed();
--> statement-breakpoint
CREATE TRIGGER course_reviews_added_told AFTER INSERT ON course_reviews REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_courses_of_rows();
--> statement-breakpoint
CREATE TRIGGER course_reviews_changed_told AFTER UPDATE ON course_reviews REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_courses_of_rows();
--> statement-breakpoint
CREATE TRIGGER course_reviews_gone_told AFTER DELETE ON course_reviews REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_courses_of_rows();
--> statement-breakpoint
DROP TRIGGER users_renamed_told ON users;
--> statement-breakpoint
CREATE TRIGGER users_renamed_told AFTER UPDATE OF username ON users
  FOR EACH ROW WHEN (OLD.username IS DISTINCT FROM NEW.username) EXECUTE FUNCTION tell_courses_of_user();
