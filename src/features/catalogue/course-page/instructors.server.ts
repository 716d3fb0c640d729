import { sqlClient } from '#db/client.ts';
import type { Instructor } from './instructor.ts';

/** Who made an active course and says something of themselves (decision 96), by name, with these courses by title. */
export function listInstructors() {
  return sqlClient()<(Instructor & { courses: { id: number; title: string }[] })[]>`
    select u.username as name, u.instructor_words as words, u.instructor_portrait as portrait,
      json_agg(json_build_object('id', c.id, 'title', c.title) order by c.title, c.id) as courses
    from users u join courses c on c.created_by = u.id
    where c.is_active and (u.instructor_words <> '' or u.instructor_portrait is not null)
    group by u.id order by u.username, u.id`;
}
