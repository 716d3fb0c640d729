import { sqlClient } from '#db/client.ts';
import type { PublishFinding } from '#db/schema/catalogue.ts';
import type { Unproven } from './schema.ts';

type Row = {
  courseId: number;
  lessonId: number | null;
  lessonTitle: string;
  /** Null where the present revision is unchecked. */
  errors: PublishFinding[] | null;
};

/** By id, without proven courses. Courses stay in the store. */
export async function unprovenReasons(ids: readonly number[]): Promise<Map<number, Unproven[]>> {
  if (ids.length === 0) return new Map();
  const rows = await sqlClient()<Row[]>`
    select c.id as "courseId", l.id as "lessonId", l.title as "lessonTitle", k.errors
    from courses c
    left join lessons l on l.course_id = c.id and l.proven_revision is distinct from l.revision
    left join lateral (
      select case when last.revision = l.revision then (
        select coalesce(json_agg(f), '[]') from jsonb_array_elements(last.findings) as f
        where f ->> 'severity' = 'error' and not exists (
          select from publish_overrides o where o.lesson_id = l.id and o.revision = l.revision
            and o.finding_key = f ->> 'key' and o.withdrawn_at is null)
      ) end as errors
      from publish_checks last where last.lesson_id = l.id and last.status = 'done'
      order by last.run_id desc limit 1
    ) as k on true
    where c.id = any (${ids as number[]}::int[])
      and (l.id is not null or not exists (select from lessons where course_id = c.id))
    order by c.id, l."order", l.id`;
  const reasons = new Map<number, Unproven[]>();
  for (const { courseId, lessonId, lessonTitle, errors } of rows) {
    const own = reasons.get(courseId) ?? [];
    if (lessonId === null) own.push({ code: 'no_lessons', message: 'The course has no lessons yet.' });
    else if (errors?.length) {
      for (const { message } of errors)
        own.push({ code: 'finding', message: `“${lessonTitle}”: ${message}`, lessonId });
    } else {
      const message = `“${lessonTitle}” is not proven to work as it is now. Check the course.`;
      own.push({ code: 'not_checked', message, lessonId });
    }
    reasons.set(courseId, own);
  }
  return reasons;
}
