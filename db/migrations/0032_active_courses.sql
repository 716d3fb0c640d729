-- Whether the store has a course is what was asked for it, and nothing else. A course that waited for its publish check
-- goes on waiting, hidden, and comes into the store by itself as it would have.
DROP TRIGGER courses_listed_by_wish ON courses;
--> statement-breakpoint
DROP TRIGGER lessons_list_course ON lessons;
--> statement-breakpoint
DROP TRIGGER courses_recounted ON courses;
--> statement-breakpoint
DROP TRIGGER courses_changed ON courses;
--> statement-breakpoint
DROP FUNCTION list_course_by_wish();
--> statement-breakpoint
DROP FUNCTION list_course_by_lessons();
--> statement-breakpoint
DROP FUNCTION course_is_proven(integer);
--> statement-breakpoint
ALTER TABLE "gate_runs" ADD COLUMN "is_told" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "courses" ADD COLUMN "activate_when_proven" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "courses" DROP CONSTRAINT "courses_listed_is_active";--> statement-breakpoint
ALTER TABLE "courses" DROP CONSTRAINT "courses_archived_is_hidden";--> statement-breakpoint
UPDATE courses SET is_active = false, activate_when_proven = true WHERE is_active AND NOT listed;
--> statement-breakpoint
DROP INDEX "courses_popular_idx";--> statement-breakpoint
DROP INDEX "courses_rating_idx";--> statement-breakpoint
DROP INDEX "courses_newest_idx";--> statement-breakpoint
DROP INDEX "courses_price_idx";--> statement-breakpoint
DROP INDEX "courses_category_idx";--> statement-breakpoint
ALTER TABLE "courses" DROP COLUMN "listed";--> statement-breakpoint
CREATE INDEX "courses_popular_idx" ON "courses" USING btree ("students_count" DESC NULLS FIRST,"id" DESC NULLS FIRST,"category_id","level") WHERE "courses"."is_active";--> statement-breakpoint
CREATE INDEX "courses_rating_idx" ON "courses" USING btree ("rating" DESC NULLS FIRST,"review_count" DESC NULLS FIRST,"id" DESC NULLS FIRST,"category_id","level") WHERE "courses"."is_active";--> statement-breakpoint
CREATE INDEX "courses_newest_idx" ON "courses" USING btree ("id" DESC NULLS FIRST,"category_id","level") WHERE "courses"."is_active";--> statement-breakpoint
CREATE INDEX "courses_price_idx" ON "courses" USING btree ("price_cents","id","category_id","level") WHERE "courses"."is_active";--> statement-breakpoint
CREATE INDEX "courses_category_idx" ON "courses" USING btree ("category_id","students_count" DESC NULLS FIRST,"id" DESC NULLS FIRST,"level") WHERE "courses"."is_active";--> statement-breakpoint
ALTER TABLE "courses" ADD CONSTRAINT "courses_waits_or_is_active" CHECK (not ("courses"."is_active" and "courses"."activate_when_proven"));--> statement-breakpoint
ALTER TABLE "courses" ADD CONSTRAINT "courses_archived_is_hidden" CHECK ("courses"."archived_at" is null or not ("courses"."is_active" or "courses"."activate_when_proven"));
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_new_courses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO course_counts AS kept (category_id, level, courses)
  SELECT category_id, level, count(*) FROM added WHERE is_active GROUP BY category_id, level ORDER BY category_id, level
  ON CONFLICT (category_id, level) DO UPDATE SET courses = kept.courses + excluded.courses;
  PERFORM learn_search_words((SELECT string_agg(concat_ws(' ', title, description, outcomes, audience, course_about(id, level, price_cents)), ' ') FROM added));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION discount_gone_courses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE course_counts AS kept SET courses = kept.courses - gone.courses
  FROM (
    SELECT category_id, level, count(*)::int AS courses FROM removed WHERE is_active GROUP BY category_id, level
  ) AS gone
  WHERE kept.category_id = gone.category_id AND kept.level = gone.level;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION recount_changed_course() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO course_counts (category_id, level, courses)
  VALUES (NEW.category_id, NEW.level, 0), (OLD.category_id, OLD.level, 0) ON CONFLICT DO NOTHING;
  -- Both rows in one order, so that two courses that change places do not wait for each other.
  PERFORM FROM course_counts
    WHERE (category_id, level) IN ((NEW.category_id, NEW.level), (OLD.category_id, OLD.level))
    ORDER BY category_id, level FOR UPDATE;
  UPDATE course_counts SET courses = courses
      - (OLD.is_active AND category_id = OLD.category_id AND level = OLD.level)::int
      + (NEW.is_active AND category_id = NEW.category_id AND level = NEW.level)::int
    WHERE (category_id, level) IN ((NEW.category_id, NEW.level), (OLD.category_id, OLD.level));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER courses_recounted AFTER UPDATE OF is_active, category_id, level ON courses
  FOR EACH ROW WHEN ((OLD.is_active, OLD.category_id, OLD.level) IS DISTINCT FROM (NEW.is_active, NEW.category_id, NEW.level))
  EXECUTE FUNCTION recount_changed_course();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER courses_changed
  AFTER UPDATE OF is_active, category_id, level, price_cents, search_text, title, description ON courses
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.is_active, OLD.category_id, OLD.level, OLD.price_cents, OLD.title, OLD.description, OLD.search_text)
    IS DISTINCT FROM (NEW.is_active, NEW.category_id, NEW.level, NEW.price_cents, NEW.title, NEW.description, NEW.search_text))
  EXECUTE FUNCTION raise_catalogue_version();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION tell_courses_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids integer[];
  in_lists boolean;
BEGIN
  SELECT array_agg(a.id), bool_or(
      (b.title, b.description, b.outcomes, b.audience, b.price_cents, b.level, b.rating, b.review_count, b.category_id, b.is_active, b.created_at,
        b.search_text)
      IS DISTINCT FROM
      (a.title, a.description, a.outcomes, a.audience, a.price_cents, a.level, a.rating, a.review_count, a.category_id, a.is_active, a.created_at,
        a.search_text))
    INTO ids, in_lists
    FROM before AS b JOIN after AS a USING (id)
    WHERE (b.title, b.description, b.outcomes, b.audience, b.thumbnail, b.price_cents, b.original_price_cents, b.duration, b.level, b.rating,
        b.review_count, b.created_by, b.category_id, b.is_active, b.created_at, b.search_text)
      IS DISTINCT FROM
      (a.title, a.description, a.outcomes, a.audience, a.thumbnail, a.price_cents, a.original_price_cents, a.duration, a.level, a.rating,
        a.review_count, a.created_by, a.category_id, a.is_active, a.created_at, a.search_text);
  IF in_lists THEN
    PERFORM pg_notify('catalogue_changed', 'catalogue');
  END IF;
  PERFORM tell_courses(ids);
  RETURN NULL;
END $$;
