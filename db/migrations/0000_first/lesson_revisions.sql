-- A lesson's revision rises with everything that the publish check looks at, whoever writes it: a proof is for one revision.
CREATE FUNCTION raise_lesson_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.revision := OLD.revision + 1;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER lessons_revision BEFORE UPDATE OF type, content, file_url, captions_url, duration_seconds, watch_required,
  coding_language, starter_code, solution, expected_output, instructions, hints, test_cases ON lessons
  FOR EACH ROW WHEN (
    (OLD.type, OLD.content, OLD.file_url, OLD.captions_url, OLD.duration_seconds, OLD.watch_required, OLD.coding_language,
      OLD.starter_code, OLD.solution, OLD.expected_output, OLD.instructions, OLD.hints, OLD.test_cases)
    IS DISTINCT FROM
    (NEW.type, NEW.content, NEW.file_url, NEW.captions_url, NEW.duration_seconds, NEW.watch_required, NEW.coding_language,
      NEW.starter_code, NEW.solution, NEW.expected_output, NEW.instructions, NEW.hints, NEW.test_cases)
  ) EXECUTE FUNCTION raise_lesson_revision();
--> statement-breakpoint
CREATE FUNCTION raise_revision_of_lesson() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'DELETE' THEN
    UPDATE lessons SET revision = revision + 1 WHERE id = NEW.lesson_id;
  END IF;
  IF TG_OP = 'DELETE' OR (TG_OP = 'UPDATE' AND OLD.lesson_id <> NEW.lesson_id) THEN
    UPDATE lessons SET revision = revision + 1 WHERE id = OLD.lesson_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER quiz_questions_revision_of_new AFTER INSERT OR DELETE ON quiz_questions
  FOR EACH ROW EXECUTE FUNCTION raise_revision_of_lesson();
--> statement-breakpoint
CREATE TRIGGER quiz_questions_revision AFTER UPDATE ON quiz_questions
  FOR EACH ROW WHEN (
    (OLD.lesson_id, OLD.question, OLD.options, OLD.correct_answer, OLD.explanation)
    IS DISTINCT FROM (NEW.lesson_id, NEW.question, NEW.options, NEW.correct_answer, NEW.explanation)
  ) EXECUTE FUNCTION raise_revision_of_lesson();
--> statement-breakpoint
CREATE TRIGGER scenarios_revision_of_new AFTER INSERT OR DELETE ON scenarios
  FOR EACH ROW EXECUTE FUNCTION raise_revision_of_lesson();
--> statement-breakpoint
CREATE TRIGGER scenarios_revision AFTER UPDATE ON scenarios
  FOR EACH ROW WHEN ((OLD.lesson_id, OLD.definition) IS DISTINCT FROM (NEW.lesson_id, NEW.definition))
  EXECUTE FUNCTION raise_revision_of_lesson();
