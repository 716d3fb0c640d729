-- What depends on the prices as integers is
-- unused since 0.1.0
DROP TRIGGER courses_search_text ON courses;--> statement-breakpoint
-- unused since 0.1.0
DROP TRIGGER courses_search_words ON courses;--> statement-breakpoint
-- unused since 0.1.0
DROP TRIGGER courses_changed ON courses;--> statement-breakpoint
-- unused since 0.1.0
ALTER TABLE "courses" DROP CONSTRAINT "courses_price_range";--> statement-breakpoint
-- unused since 0.1.0
ALTER TABLE "courses" DROP CONSTRAINT "courses_original_price_range";--> statement-breakpoint
-- unused since 0.1.0
ALTER TABLE "courses" ALTER COLUMN "price_cents" SET DATA TYPE bigint, ALTER COLUMN "original_price_cents" SET DATA TYPE bigint;--> statement-breakpoint
ALTER TABLE "courses" ADD CONSTRAINT "courses_price_range" CHECK ("courses"."price_cents" = 0 or "courses"."price_cents" between 50 and 9999999999);--> statement-breakpoint
ALTER TABLE "courses" ADD CONSTRAINT "courses_original_price_range" CHECK ("courses"."original_price_cents" between 0 and 9999999999);--> statement-breakpoint
-- unused since 0.1.0
DROP FUNCTION course_about(integer, text, integer);--> statement-breakpoint
CREATE FUNCTION course_about(course integer, level text, price_cents bigint) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT concat_ws(' ', level, CASE WHEN price_cents = 0 THEN 'free' END, 'certificate', (
    SELECT string_agg(DISTINCT concat_ws(' ', coding_language, CASE type
      WHEN 'interactive_coding' THEN 'coding exercise'
      WHEN 'scenario' THEN 'simulation scenario'
      ELSE type END), ' ')
    FROM lessons WHERE course_id = course))
$$;
--> statement-breakpoint
CREATE TRIGGER courses_search_text
  BEFORE INSERT OR UPDATE OF title, description, outcomes, audience, category_id, level, price_cents, search_text ON courses
  FOR EACH ROW EXECUTE FUNCTION write_course_search_text();
--> statement-breakpoint
CREATE TRIGGER courses_search_words
  AFTER UPDATE OF title, description, outcomes, audience, level, price_cents, search_text ON courses
  FOR EACH ROW WHEN (OLD.search_text IS DISTINCT FROM NEW.search_text) EXECUTE FUNCTION learn_changed_words();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER courses_changed
  AFTER UPDATE OF is_active, category_id, level, price_cents, search_text, title, description ON courses
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.is_active, OLD.category_id, OLD.level, OLD.price_cents, OLD.title, OLD.description, OLD.search_text)
    IS DISTINCT FROM (NEW.is_active, NEW.category_id, NEW.level, NEW.price_cents, NEW.title, NEW.description, NEW.search_text))
  EXECUTE FUNCTION raise_catalogue_version();
