-- A free preview shows its video: pages with it are made anew when another size of it can be played. Not while it is
-- being converted, when its percents change all the time.
CREATE FUNCTION tell_courses_of_video() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_courses(ARRAY(SELECT DISTINCT course_id FROM lessons WHERE file_url = NEW.path));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER videos_changed_told AFTER UPDATE ON videos FOR EACH ROW WHEN (
    (OLD.status, OLD.path, OLD.is_playable, OLD.poster_path, OLD.sizes)
    IS DISTINCT FROM (NEW.status, NEW.path, NEW.is_playable, NEW.poster_path, NEW.sizes)
  ) EXECUTE FUNCTION tell_courses_of_video();
