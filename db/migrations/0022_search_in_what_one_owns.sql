CREATE TABLE "lesson_texts" (
	"lesson_id" integer NOT NULL,
	"kind" text NOT NULL,
	"words" "tsvector" NOT NULL,
	"captions_url" text,
	"cues" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "lesson_texts_lesson_id_kind_pk" PRIMARY KEY("lesson_id","kind"),
	CONSTRAINT "lesson_texts_kind" CHECK ("lesson_texts"."kind" in ('text', 'questions', 'captions'))
);
--> statement-breakpoint
ALTER TABLE "lesson_progress" ADD COLUMN "notes_words" "tsvector" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "lesson_texts" ADD CONSTRAINT "lesson_texts_lesson_id_lessons_id_fk" FOREIGN KEY ("lesson_id") REFERENCES "public"."lessons"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "lesson_texts_words_idx" ON "lesson_texts" USING gin ("words");--> statement-breakpoint
CREATE INDEX "lesson_progress_notes_idx" ON "lesson_progress" USING btree ("user_id") WHERE "lesson_progress"."notes" <> '';
--> statement-breakpoint
-- What learners find a text by: the course as "@7", the title as A and with "^" before each word, the rest as D.
CREATE FUNCTION lesson_words(course integer, title text, body text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_to_tsvector(ARRAY['@' || course])
    || setweight(to_tsvector('english', search_form(title)), 'A')
    || array_to_tsvector(ARRAY(SELECT '^' || lexeme FROM unnest(to_tsvector('english', search_form(title)))))
    || setweight(to_tsvector('english', search_form(left(body, 200000))), 'D')
$$;
--> statement-breakpoint
-- Only what the lesson shows to everybody who may open it. A scenario shows its own description.
CREATE FUNCTION write_lesson_text(ids integer[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO lesson_texts (lesson_id, kind, words)
  SELECT l.id, 'text', lesson_words(l.course_id, l.title, concat_ws(' ', l.instructions,
    CASE WHEN l.type = 'scenario' THEN (SELECT description FROM scenarios WHERE lesson_id = l.id) ELSE l.content END))
  FROM lessons l WHERE l.id = ANY (ids) ORDER BY l.id
  ON CONFLICT (lesson_id, kind) DO UPDATE SET words = excluded.words
$$;
--> statement-breakpoint
-- The questions alone, without what is right. A quiz that draws its questions shows each learner others: none is found.
CREATE FUNCTION write_lesson_questions(ids integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM lesson_texts WHERE kind = 'questions' AND lesson_id = ANY (ids);
  INSERT INTO lesson_texts (lesson_id, kind, words)
  SELECT l.id, 'questions', lesson_words(l.course_id, '', string_agg(q.question, ' ' ORDER BY q."order", q.id))
  FROM lessons l JOIN quiz_questions q ON q.lesson_id = l.id
  WHERE l.id = ANY (ids) AND l.type = 'quiz' AND NOT l.quiz_settings ? 'draw'
  GROUP BY l.id ORDER BY l.id;
END $$;
--> statement-breakpoint
CREATE FUNCTION lessons_came_to_texts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_lesson_text(ARRAY(SELECT id FROM changed));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER lessons_came_to_texts AFTER INSERT ON lessons REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION lessons_came_to_texts();
--> statement-breakpoint
CREATE FUNCTION lesson_renews_texts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_lesson_text(ARRAY[NEW.id]);
  IF (OLD.course_id, OLD.quiz_settings) IS DISTINCT FROM (NEW.course_id, NEW.quiz_settings) THEN
    PERFORM write_lesson_questions(ARRAY[NEW.id]);
  END IF;
  -- The job reads them again.
  DELETE FROM lesson_texts WHERE lesson_id = NEW.id AND kind = 'captions'
    AND (captions_url IS DISTINCT FROM NEW.captions_url OR OLD.course_id <> NEW.course_id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER lesson_renews_texts
  AFTER UPDATE OF title, type, content, instructions, course_id, quiz_settings, captions_url ON lessons
  FOR EACH ROW
  WHEN ((OLD.title, OLD.type, OLD.content, OLD.instructions, OLD.course_id, OLD.quiz_settings, OLD.captions_url)
    IS DISTINCT FROM (NEW.title, NEW.type, NEW.content, NEW.instructions, NEW.course_id, NEW.quiz_settings, NEW.captions_url))
  EXECUTE FUNCTION lesson_renews_texts();
--> statement-breakpoint
CREATE FUNCTION questions_renew_texts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_lesson_questions(ARRAY(SELECT DISTINCT lesson_id FROM changed));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER questions_came_to_texts AFTER INSERT ON quiz_questions REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION questions_renew_texts();
--> statement-breakpoint
CREATE TRIGGER questions_changed_in_texts AFTER UPDATE ON quiz_questions REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION questions_renew_texts();
--> statement-breakpoint
CREATE TRIGGER questions_gone_from_texts AFTER DELETE ON quiz_questions REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION questions_renew_texts();
--> statement-breakpoint
CREATE FUNCTION scenario_renews_texts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_lesson_text(ARRAY[NEW.lesson_id]);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER scenario_renews_texts AFTER INSERT OR UPDATE OF description, lesson_id ON scenarios
  FOR EACH ROW EXECUTE FUNCTION scenario_renews_texts();
--> statement-breakpoint
CREATE FUNCTION write_notes_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.notes_words := to_tsvector('english', search_form(NEW.notes));
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER lesson_progress_notes_words BEFORE UPDATE OF notes ON lesson_progress
  FOR EACH ROW WHEN (OLD.notes IS DISTINCT FROM NEW.notes) EXECUTE FUNCTION write_notes_words();
--> statement-breakpoint
CREATE TRIGGER lesson_progress_first_notes_words BEFORE INSERT ON lesson_progress
  FOR EACH ROW WHEN (NEW.notes <> '') EXECUTE FUNCTION write_notes_words();
--> statement-breakpoint
UPDATE lesson_progress SET notes_words = to_tsvector('english', search_form(notes)) WHERE notes <> '';
--> statement-breakpoint
SELECT write_lesson_text(ARRAY(SELECT id FROM lessons)), write_lesson_questions(ARRAY(SELECT id FROM lessons));
