import { eq, sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { mistakeGroups } from '#db/schema/practice.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { isPerson } from '#src/features/catalogue/access.server.ts';
import { coding } from '#src/features/lessons/registry.ts';
import { requireRenderable } from '#src/server/markdown.ts';
import { AppError } from '#src/shared/errors.ts';
import type { CodingLanguage } from '#src/features/lessons/types/coding/languages.ts';
import { REST } from './groups.server.ts';

/** Within a day of the first run, without a pass. */
export const STUCK_FAILURES = 5;
const LEARNERS_SHOWN = 100;
const GROUPS_SHOWN = 10;
const LAST_PROGRAMS = 25;

/** SQL over the runs `s` of one learner in one lesson. */
const IS_STUCK = sql`count(*) filter (where not s.is_correct) >= ${STUCK_FAILURES} and coalesce(
  min(s.submitted_at) filter (where s.is_correct) > min(s.submitted_at) + interval '1 day', true)`;

interface StuckLesson {
  id: number;
  title: string;
  section: string;
  place: number;
  tried: number;
  stuck: number;
  groups: number;
  hints: number;
}

export async function stuckLessons(courseId: number): Promise<StuckLesson[]> {
  const rows = await db().execute<Record<keyof StuckLesson, string | number>>(sql`
    with listed as (
      select id, title, section, type, row_number() over (order by "order", id)::int as place from lessons
      where course_id = ${courseId}
    ), runs as (
      select s.lesson_id, ${IS_STUCK} as stuck
      from code_submissions s
      where s.lesson_id in (select id from listed) and ${isPerson(sql`s.user_id`)}
      group by s.lesson_id, s.user_id
    ), counted as (
      select lesson_id, count(*)::int as tried, count(*) filter (where stuck)::int as stuck from runs group by lesson_id
    ), grouped as (
      select lesson_id, count(*)::int as groups, count(hint)::int as hints from mistake_groups
      where lesson_id in (select id from listed) group by lesson_id
    )
    select l.id, l.title, l.section, l.place, coalesce(c.tried, 0) as tried, coalesce(c.stuck, 0) as stuck,
      coalesce(g.groups, 0) as groups, coalesce(g.hints, 0) as hints
    from listed l left join counted c on c.lesson_id = l.id left join grouped g on g.lesson_id = l.id
    where l.type = ${coding.name} order by l.place`);
  return rows.map((row) => ({
    id: Number(row.id),
    title: String(row.title),
    section: String(row.section),
    place: Number(row.place),
    tried: Number(row.tried),
    stuck: Number(row.stuck),
    groups: Number(row.groups),
    hints: Number(row.hints),
  }));
}

/** The course's learners who are stuck in a lesson and have not passed it since, most failures first. */
export async function stuckLearners(
  courseId: number,
  lessonId: number,
): Promise<{ id: number; username: string; failures: number }[]> {
  return db().execute(sql`
    select u.id, u.username, count(*)::int as failures
    from code_submissions s join users u on u.id = s.user_id
    join enrollments e on e.user_id = u.id and e.course_id = ${courseId}
    where s.lesson_id = ${lessonId} and ${isPerson(sql`u.id`)}
    group by u.id having ${IS_STUCK} and not bool_or(s.is_correct)
    order by failures desc, u.id limit ${LEARNERS_SHOWN}`);
}

const TRIES_COUNTED = 3;

interface ShownGroup {
  id: number;
  failures: number;
  now: number;
  code: string;
  isSeed: boolean;
  hint: string;
  opened: number;
  /** Learners, and those who passed within three more runs. */
  offered: number;
  passed: number;
}

/** Null where the course has no such lesson. */
export async function findLessonGroups(
  courseId: number,
  lessonId: number,
): Promise<{ title: string; language: CodingLanguage | null; groups: ShownGroup[] } | null> {
  const [lesson] = await db()
    .select({ courseId: lessons.courseId, title: lessons.title, language: lessons.codingLanguage })
    .from(lessons)
    .where(eq(lessons.id, lessonId));
  if (lesson?.courseId !== courseId) return null;
  type Row = Record<'id' | 'failures' | 'now' | 'opened' | 'offered' | 'passed', number> &
    Record<'code' | 'seed' | 'hint', string | null>;
  const rows = await db().execute<Row>(sql`
    with largest as (
      select id, failures, seed, hint, hint_at from mistake_groups
      where lesson_id = ${lessonId} and key <> ${REST}
      order by failures desc, id limit ${GROUPS_SHOWN}
    ), failing as (
      select (array_agg(s.mistake_group_id order by s.attempts desc, s.id desc))[1] as group_id from code_submissions s
      where s.lesson_id = ${lessonId} and ${isPerson(sql`s.user_id`)}
      group by s.user_id having not bool_or(s.is_correct)
    ), offers as (
      select o.group_id, o.shown_at, r.passed
      from largest g join group_hint_offers o on o.group_id = g.id and o.offered_at >= g.hint_at
      cross join lateral (
        select coalesce(bool_or(s.is_correct and s.attempts <= o.attempt + ${TRIES_COUNTED}), false) as passed,
          coalesce(max(s.attempts), 0) >= o.attempt + ${TRIES_COUNTED} as tried
        from code_submissions s
        where s.user_id = o.user_id and s.lesson_id = ${lessonId} and s.attempts > o.attempt
      ) r
      where r.passed or r.tried or o.offered_at < now() - interval '1 day'
    ), worth as (
      select group_id, count(shown_at)::int as opened,
        count(*)::int as offered, count(*) filter (where passed)::int as passed
      from offers group by group_id
    )
    select g.id, g.failures, g.seed, g.hint, typical.code,
      (select count(*)::int from failing f where f.group_id = g.id) as now,
      coalesce(w.opened, 0) as opened, coalesce(w.offered, 0) as offered, coalesce(w.passed, 0) as passed
    from largest g left join worth w on w.group_id = g.id
    left join lateral (
      select code from (
        select code, row_number() over (order by length(code), id) as place, count(*) over () as total from (
          select s.id, s.submitted_code as code from code_submissions s
          where s.mistake_group_id = g.id order by s.id desc limit ${LAST_PROGRAMS}
        ) latest
      ) ranked where place = (total + 1) / 2
    ) typical on true
    order by g.failures desc, g.id`);
  return {
    title: lesson.title,
    language: lesson.language,
    groups: rows.map((row) => ({
      id: row.id,
      failures: row.failures,
      now: row.now,
      code: row.code ?? row.seed ?? '',
      isSeed: row.code === null,
      hint: row.hint ?? '',
      opened: row.opened,
      offered: row.offered,
      passed: row.passed,
    })),
  };
}

/**
 * Changes a group's hint; '' removes it.
 * @throws {AppError} not_found; conflict after somebody else's change
 */
export async function writeGroupHint(
  actor: Actor,
  groupId: number,
  { hint, before }: { hint: string; before: string },
): Promise<{ hint: string }> {
  requireRenderable('hint', 'Hint', hint);
  return db().transaction(async (tx) => {
    const [group] = await tx
      .select({ hint: mistakeGroups.hint, key: mistakeGroups.key, lessonId: mistakeGroups.lessonId })
      .from(mistakeGroups)
      .where(eq(mistakeGroups.id, groupId))
      .for('no key update');
    if (!group || group.key === REST) throw new AppError('not_found', 'There is no such group any more.');
    if ((group.hint ?? '') === hint) return { hint };
    if ((group.hint ?? '') !== before) {
      throw new AppError(
        'conflict',
        'Somebody else has changed this hint meanwhile. Copy what you wrote and load the page again.',
      );
    }
    await tx
      .update(mistakeGroups)
      .set({ hint: hint || null, hintAt: hint ? sql`now()` : null })
      .where(eq(mistakeGroups.id, groupId));
    const [lesson] = await tx
      .select({ title: lessons.title, course: courses.title, courseId: courses.id })
      .from(lessons)
      .innerJoin(courses, eq(courses.id, lessons.courseId))
      .where(eq(lessons.id, group.lessonId));
    await recordAudit(tx, actor, {
      action: hint ? 'lesson.group_hint_written' : 'lesson.group_hint_removed',
      subjectType: 'lesson',
      subjectId: group.lessonId,
      details: lesson!,
    });
    return { hint };
  });
}
