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
-- What a search finds a course by. A is its title, B its category, level and what its lessons use and are, C the lessons'
-- titles, D its description. The title's words are kept as written beside their stems, for those who type only the
-- beginning of one, and with "^" in front: an index of words does not know places, and "all in the title" must not read
-- every course that has the words anywhere.
CREATE FUNCTION course_search_text(title text, description text, category text, about text, lessons text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT setweight(to_tsvector('english', search_form(title)), 'A') || setweight(to_tsvector('simple', search_form(title)), 'A')
    || array_to_tsvector(ARRAY(SELECT '^' || lexeme FROM unnest(to_tsvector('english', search_form(title)))))
    || setweight(to_tsvector('english', search_form(category || ' ' || about)), 'B')
    || setweight(to_tsvector('simple', search_form(category)), 'B')
    || setweight(to_tsvector('english', search_form(lessons)), 'C')
    || setweight(to_tsvector('english', search_form(description)), 'D')
$$;
--> statement-breakpoint
-- In everyday words: whom a course is for, the languages and tools of its lessons, and the kinds of lessons it has.
CREATE FUNCTION course_about(course integer, level course_level, price_cents integer) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT concat_ws(' ', level, CASE WHEN price_cents = 0 THEN 'free' END, 'certificate', (
    SELECT string_agg(DISTINCT concat_ws(' ', coding_language, CASE type
      WHEN 'interactive_coding' THEN 'coding exercise'
      WHEN 'scenario' THEN 'simulation scenario'
      ELSE type::text END), ' ')
    FROM lessons WHERE course_id = course))
$$;
--> statement-breakpoint
CREATE FUNCTION course_lesson_titles(course integer) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(string_agg(title || ' ' || section, ' ' ORDER BY "order", id), '') FROM lessons WHERE course_id = course
$$;
--> statement-breakpoint
CREATE FUNCTION write_course_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search_text := course_search_text(NEW.title, NEW.description,
    coalesce((SELECT name FROM categories WHERE id = NEW.category_id), ''),
    course_about(NEW.id, NEW.level, NEW.price_cents), course_lesson_titles(NEW.id));
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER courses_search_text
  BEFORE INSERT OR UPDATE OF title, description, category_id, level, price_cents, search_text ON courses
  FOR EACH ROW EXECUTE FUNCTION write_course_search_text();
--> statement-breakpoint
-- A course is found by its lessons. Its row is written again, whose own trigger reads them; whoever edits a lesson has
-- locked the course before.
CREATE FUNCTION lessons_renew_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE courses SET search_text = '' WHERE id IN (SELECT course_id FROM changed);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER lessons_added_to_search AFTER INSERT ON lessons REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION lessons_renew_search_text();
--> statement-breakpoint
CREATE TRIGGER lessons_gone_from_search AFTER DELETE ON lessons REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION lessons_renew_search_text();
--> statement-breakpoint
CREATE FUNCTION lesson_renews_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE courses SET search_text = '' WHERE id IN (OLD.course_id, NEW.course_id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER lessons_changed_in_search AFTER UPDATE OF title, section, type, coding_language, course_id ON lessons
  FOR EACH ROW
  WHEN ((OLD.title, OLD.section, OLD.type, OLD.coding_language, OLD.course_id)
    IS DISTINCT FROM (NEW.title, NEW.section, NEW.type, NEW.coding_language, NEW.course_id))
  EXECUTE FUNCTION lesson_renews_search_text();
--> statement-breakpoint
-- In one order everywhere: two writers must not wait for each other's words.
CREATE FUNCTION learn_search_words(source text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO search_words (word, stem)
  SELECT DISTINCT found, coalesce((ts_lexize('english_stem', found))[1], '')
  FROM string_to_table(search_form(source), ' ') AS found
  WHERE length(found) BETWEEN 2 AND 40 ORDER BY found
  ON CONFLICT (word) DO UPDATE SET stem = excluded.stem WHERE search_words.stem <> excluded.stem
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
    PERFORM learn_search_words(concat_ws(' ', NEW.title, NEW.description,
      course_about(NEW.id, NEW.level, NEW.price_cents), course_lesson_titles(NEW.id)));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER categories_search_words AFTER INSERT OR UPDATE OF name ON categories
  FOR EACH ROW EXECUTE FUNCTION learn_changed_words();
--> statement-breakpoint
CREATE TRIGGER courses_search_words
  AFTER UPDATE OF title, description, level, price_cents, search_text ON courses
  FOR EACH ROW WHEN (OLD.search_text IS DISTINCT FROM NEW.search_text) EXECUTE FUNCTION learn_changed_words();
--> statement-breakpoint
-- What to look for where every element of `words` must be found: an element is one word in search form, or several that
-- will do, separated by |. A word is found by its stem, and from three letters on by its beginning, which covers the stem
-- where both are the same: that halves the work of most searches. Words such as "the" count only where there is no other.
-- `weights` narrows it to parts of a course, as course_search_text names them.
CREATE FUNCTION course_query(words text[], weights text DEFAULT '') RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
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
--> statement-breakpoint
CREATE INDEX search_words_trigrams_idx ON search_words USING gin (word gin_trgm_ops);
--> statement-breakpoint
-- For each word that no course uses in any form, the words nearest to it, best first.
CREATE FUNCTION near_search_words(words text[]) RETURNS TABLE (word text, near text)
LANGUAGE sql STABLE SET pg_trgm.similarity_threshold = 0.2 AS $$
  SELECT one.word, found.word
  FROM unnest(words) AS one(word)
  CROSS JOIN LATERAL (
    SELECT known.word, similarity(known.word, one.word) AS likeness
    FROM search_words AS known
    WHERE known.word % one.word AND length(known.word) > 3
    ORDER BY likeness DESC, known.word
    LIMIT 24
  ) AS found
  WHERE length(one.word) BETWEEN 4 AND 40
    AND NOT EXISTS (SELECT FROM search_words AS exact WHERE exact.word = one.word COLLATE "C")
  ORDER BY one.word, found.likeness DESC
$$;
