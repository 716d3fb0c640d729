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
CREATE CONSTRAINT TRIGGER courses_changed
  AFTER UPDATE OF listed, is_active, category_id, level, price_cents, search_text, title, description ON courses
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.listed, OLD.category_id, OLD.level, OLD.price_cents, OLD.title, OLD.description, OLD.search_text)
    IS DISTINCT FROM (NEW.listed, NEW.category_id, NEW.level, NEW.price_cents, NEW.title, NEW.description, NEW.search_text))
  EXECUTE FUNCTION raise_catalogue_version();
--> statement-breakpoint
-- A meaning that is added changes what searches find.
CREATE TRIGGER search_synonyms_changed AFTER INSERT OR UPDATE OR DELETE ON search_synonyms
  FOR EACH STATEMENT EXECUTE FUNCTION raise_catalogue_version();
--> statement-breakpoint
-- Tells every instance of the site that pages which visitors share show something else now. Equal notifications of one
-- transaction arrive once, after its commit.
CREATE FUNCTION tell_catalogue_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalogue_changed', '');
  RETURN NULL;
END $$;
--> statement-breakpoint
-- The number of learners is left out: purchases would throw every page away, and would wait for each other as they commit.
CREATE FUNCTION tell_courses_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM before AS b FULL JOIN after AS a USING (id)
    WHERE (b.title, b.description, b.thumbnail, b.price_cents, b.original_price_cents, b.duration, b.level, b.rating,
        b.review_count, b.created_by, b.category_id, b.listed, b.created_at)
      IS DISTINCT FROM
      (a.title, a.description, a.thumbnail, a.price_cents, a.original_price_cents, a.duration, a.level, a.rating,
        a.review_count, a.created_by, a.category_id, a.listed, a.created_at)
  ) THEN
    PERFORM pg_notify('catalogue_changed', '');
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER courses_told AFTER INSERT OR DELETE OR TRUNCATE ON courses
  FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue_changed();
--> statement-breakpoint
CREATE TRIGGER courses_changed_told AFTER UPDATE ON courses REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION tell_courses_changed();
--> statement-breakpoint
CREATE TRIGGER categories_told AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON categories
  FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue_changed();
--> statement-breakpoint
CREATE TRIGGER lessons_told AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON lessons
  FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue_changed();
--> statement-breakpoint
CREATE TRIGGER quiz_questions_told AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON quiz_questions
  FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue_changed();
--> statement-breakpoint
CREATE TRIGGER course_reviews_told AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON course_reviews
  FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue_changed();
--> statement-breakpoint
-- Names of reviewers and of a course's author.
CREATE TRIGGER users_renamed_told AFTER UPDATE OF username ON users
  FOR EACH ROW WHEN (OLD.username IS DISTINCT FROM NEW.username) EXECUTE FUNCTION tell_catalogue_changed();
--> statement-breakpoint
CREATE TRIGGER search_synonyms_told AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON search_synonyms
  FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue_changed();
