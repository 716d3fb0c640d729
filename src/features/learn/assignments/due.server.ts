import { sql } from 'drizzle-orm';
import { jsonTime } from '#db/json.ts';

/** SQL: ISO 8601, the end of an assignment's due day (UTC); null without one. Needs `lessons` and `enrollments`. */
export const dueAt = sql<string | null>`${jsonTime(sql`(coalesce(
  (lessons.assignment_settings ->> 'dueDay')::date,
  (enrollments.enrolled_at at time zone 'UTC')::date + (lessons.assignment_settings ->> 'dueDays')::int
  ) + interval '1 day - 1 ms') at time zone 'UTC'`)}`;

/** SQL: the same for a row of `assignments`. */
export const dueOfWork = sql<string | null>`(select ${dueAt} from lessons
  left join enrollments on enrollments.course_id = lessons.course_id and enrollments.user_id = assignments.user_id
  where lessons.id = assignments.lesson_id)`;

export const isLate = sql<boolean>`coalesce(${jsonTime(sql`assignments.submitted_at`)} > ${dueOfWork}, false)`;
