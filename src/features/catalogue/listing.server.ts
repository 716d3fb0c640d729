import { sqlClient } from '#db/client.ts';
import type { PublishFinding } from '#db/schema/catalogue.ts';
import type { Unlisted } from './schema.ts';

type Row = {
  courseId: number;
  isActive: boolean;
  hasLessons: boolean;
  lessonId: number | null;
  lessonTitle: string;
  /** Errors of its last check that count; null where it was not checked as it is now. */
  errors: PublishFinding[] | null;
};

/**
 * What keeps courses off the store, by their id; those that are listed (`courses.listed`, the one rule of everything in
 * the store) are left out.
 */
export async function unlistedReasons(ids: readonly number[]): Promise<Map<number, Unlisted[]>> {
  if (ids.length === 0) return new Map();
  const rows = await sqlClient()<Row[]>`
    select c.id as "courseId", c.is_active as "isActive", exists (select from lessons where course_id = c.id) as "hasLessons",
      l.id as "lessonId", l.title as "lessonTitle", k.errors
    from courses c
    left join lessons l on l.course_id = c.id and l.proven_revision is distinct from l.revision
    left join lateral (
      select case when last.revision = l.revision then (
        select coalesce(json_agg(f), '[]') from jsonb_array_elements(last.findings) as f
        where f ->> 'severity' = 'error' and not exists (
          select from gate_overrides o where o.lesson_id = l.id and o.revision = l.revision
            and o.finding_key = f ->> 'key' and o.withdrawn_at is null)
      ) end as errors
      from gate_checks last where last.lesson_id = l.id and last.status = 'done'
      order by last.run_id desc limit 1
    ) as k on true
    where c.id = any (${ids as number[]}::int[]) and not c.listed
    order by c.id, l."order", l.id`;
  const reasons = new Map<number, Unlisted[]>();
  for (const { courseId, isActive, hasLessons, lessonId, lessonTitle, errors } of rows) {
    const own = reasons.get(courseId) ?? [];
    if (own.length === 0 && !isActive) own.push({ code: 'hidden', message: 'The course is hidden.' });
    if (!hasLessons) own.push({ code: 'no_lessons', message: 'The course has no lessons yet.' });
    if (lessonId !== null) {
      own.push(
        ...(errors?.length
          ? errors.map(({ message }) => ({
              code: 'finding' as const,
              message: `“${lessonTitle}”: ${message}`,
              lessonId,
            }))
          : [
              {
                code: 'not_checked' as const,
                message: `“${lessonTitle}” is not proven to work as it is now. Check the course.`,
                lessonId,
              },
            ]),
      );
    }
    reasons.set(courseId, own);
  }
  return reasons;
}
