CREATE EXTENSION IF NOT EXISTS unaccent;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
-- Loads the library, so that its setting is known below.
SELECT similarity('a', 'b');
--> statement-breakpoint
-- Words in lower case without accents, one space between them; names such as C++ stay apart from C.
CREATE FUNCTION search_form(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT btrim(regexp_replace(
    replace(replace(replace(lower(unaccent(value)), 'c++', ' cplusplus '), 'c#', ' csharp '), '.net', ' dotnet '),
    '[^[:alnum:]]+', ' ', 'g'))
$$;
--> statement-breakpoint
-- The title's words are kept as written beside their stems, for those who type only the beginning of one.
CREATE FUNCTION course_search_text(title text, description text, category text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT setweight(to_tsvector('english', search_form(title)), 'A') || setweight(to_tsvector('simple', search_form(title)), 'A')
    || setweight(to_tsvector('english', search_form(category)), 'B') || setweight(to_tsvector('simple', search_form(category)), 'B')
    || setweight(to_tsvector('english', search_form(description)), 'C')
$$;
--> statement-breakpoint
-- What to look for where every element of `words` must be found: an element is one word in search form, or several that
-- will do, separated by |. A word is found by its stem, and from three letters on by its beginning. Words such as "the"
-- count only where there is no other. `weights` narrows it to parts of a course: A the title, B the category.
CREATE FUNCTION course_query(words text[], weights text DEFAULT '') RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  WITH alternatives AS (
    SELECT place, alternative, (ts_lexize('english_stem', alternative))[1] AS stem
    FROM unnest(words) WITH ORDINALITY AS one(word, place), string_to_table(one.word, '|') AS alternative
    WHERE alternative <> ''
  ), telling AS (
    SELECT place, string_agg(
      '''' || stem || ''':' || weights || ' | ''' || alternative || ''':' || CASE WHEN length(alternative) > 2 THEN '*' ELSE '' END || weights,
      ' | ') AS part
    FROM alternatives WHERE stem IS NOT NULL GROUP BY place
  )
  SELECT coalesce(
    (SELECT string_agg('(' || part || ')', ' & ' ORDER BY place) FROM telling),
    (SELECT string_agg('''' || alternative || ''':' || weights, ' & ') FROM alternatives),
    '')::tsquery
$$;
--> statement-breakpoint
CREATE INDEX search_words_trigrams_idx ON search_words USING gin (word gin_trgm_ops);
--> statement-breakpoint
-- For each word that no title or category holds, the words nearest to it, best first.
CREATE FUNCTION near_search_words(words text[]) RETURNS TABLE (word text, near text)
LANGUAGE sql STABLE SET pg_trgm.similarity_threshold = 0.2 AS $$
  SELECT one.word, found.word
  FROM unnest(words) AS one(word)
  CROSS JOIN LATERAL (
    SELECT known.word, similarity(known.word, one.word) AS likeness
    FROM search_words AS known
    WHERE known.word % one.word
    ORDER BY likeness DESC, known.word
    LIMIT 24
  ) AS found
  WHERE length(one.word) BETWEEN 4 AND 40
    AND NOT EXISTS (SELECT FROM search_words AS exact WHERE exact.word = one.word COLLATE "C")
  ORDER BY one.word, found.likeness DESC
$$;
--> statement-breakpoint
CREATE FUNCTION write_course_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search_text := course_search_text(NEW.title, NEW.description,
    coalesce((SELECT name FROM categories WHERE id = NEW.category_id), ''));
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER courses_search_text BEFORE INSERT OR UPDATE OF title, description, category_id, search_text ON courses
  FOR EACH ROW EXECUTE FUNCTION write_course_search_text();
--> statement-breakpoint
-- In one order everywhere: two writers must not wait for each other's words.
CREATE FUNCTION learn_search_words(source text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO search_words (word)
  SELECT DISTINCT found FROM string_to_table(search_form(source), ' ') AS found
  WHERE length(found) BETWEEN 3 AND 40 ORDER BY found
  ON CONFLICT DO NOTHING
$$;
--> statement-breakpoint
CREATE FUNCTION learn_changed_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'categories' THEN
    PERFORM learn_search_words(NEW.name);
    IF TG_OP = 'UPDATE' THEN
      UPDATE courses SET category_id = category_id WHERE category_id = NEW.id;
    END IF;
  ELSE
    PERFORM learn_search_words(NEW.title);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER categories_search_words AFTER INSERT OR UPDATE OF name ON categories
  FOR EACH ROW EXECUTE FUNCTION learn_changed_words();
--> statement-breakpoint
CREATE TRIGGER courses_search_words AFTER UPDATE OF title ON courses
  FOR EACH ROW WHEN (OLD.title <> NEW.title) EXECUTE FUNCTION learn_changed_words();
--> statement-breakpoint
CREATE FUNCTION count_new_courses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO course_counts AS kept (category_id, level, courses)
  SELECT category_id, level, count(*) FROM added WHERE is_active GROUP BY category_id, level ORDER BY category_id, level
  ON CONFLICT (category_id, level) DO UPDATE SET courses = kept.courses + excluded.courses;
  PERFORM learn_search_words((SELECT string_agg(title, ' ') FROM added));
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
    SELECT category_id, level, count(*)::int AS courses FROM removed WHERE is_active GROUP BY category_id, level
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
-- What is there already.
UPDATE courses SET category_id = category_id;
--> statement-breakpoint
SELECT learn_search_words(title) FROM courses;
--> statement-breakpoint
SELECT learn_search_words(name) FROM categories;
--> statement-breakpoint
INSERT INTO course_counts (category_id, level, courses)
SELECT category_id, level, count(*) FROM courses WHERE is_active GROUP BY category_id, level;
