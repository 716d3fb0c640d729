-- What the publish gate looks at now has two columns more: a change of them makes a new revision.
DROP TRIGGER quiz_questions_revision ON quiz_questions;
--> statement-breakpoint
CREATE TRIGGER quiz_questions_revision AFTER UPDATE ON quiz_questions
  FOR EACH ROW WHEN (
    (OLD.lesson_id, OLD.kind, OLD.question, OLD.options, OLD.correct_answer, OLD.explanation, OLD.details)
    IS DISTINCT FROM (NEW.lesson_id, NEW.kind, NEW.question, NEW.options, NEW.correct_answer, NEW.explanation, NEW.details)
  ) EXECUTE FUNCTION raise_revision_of_lesson();
--> statement-breakpoint
CREATE TRIGGER lessons_quiz_settings_revision BEFORE UPDATE OF quiz_settings ON lessons
  FOR EACH ROW WHEN (OLD.quiz_settings IS DISTINCT FROM NEW.quiz_settings) EXECUTE FUNCTION raise_lesson_revision();
