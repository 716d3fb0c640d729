import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { db, type Executor } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import { containing } from '#src/features/admin/shell/list-search.server.ts';
import { ACCESS_STATUS, isPerson } from '#src/features/catalogue/access.server.ts';
import { isLate } from '#src/features/learn/assignments/due.server.ts';
import type { LessonType } from '#src/features/lessons/registry.ts';
import { toCsv } from '#src/server/csv.ts';
import type { ListQuery } from '#src/shared/list-query.ts';
import {
  type Cell,
  CELL_STATES,
  type CellFacts,
  cellState,
  GRADED_TYPES,
  GRADEBOOK_PAGE_SIZE,
  type GradebookFilter,
  type GradebookSort,
} from './gradebook.ts';

/** Learners. */
const CSV_BATCH = 1000;

export interface GradedLesson {
  id: number;
  title: string;
  type: LessonType;
}

export function gradedLessons(courseId: number, executor: Executor = db()): Promise<GradedLesson[]> {
  return executor
    .select({ id: lessons.id, title: lessons.title, type: lessons.type })
    .from(lessons)
    .where(and(eq(lessons.courseId, courseId), inArray(lessons.type, GRADED_TYPES)))
    .orderBy(asc(lessons.order), asc(lessons.id));
}

const idsOf = (rows: readonly { id: number }[]) => sql`${sql.param(rows.map(({ id }) => id))}::int[]`;

/** SQL. */
function having(filter: GradebookFilter, graded: readonly GradedLesson[]): SQL | undefined {
  if (filter === '') return undefined;
  const ids = idsOf(graded);
  const waiting = sql`
    select a.user_id from assignments a
    left join lesson_progress w on w.user_id = a.user_id and w.lesson_id = a.lesson_id
    where a.lesson_id = any(${ids}) and a.graded_at is null and w.excused_at is null`;
  return filter === 'waits'
    ? sql`${enrollments.userId} in (${waiting})`
    : sql`${enrollments.userId} in (
        select p.user_id from lesson_progress p
        where p.lesson_id = any(${ids}) and not p.completed and p.excused_at is null
          and (p.attempts > 0 or p.score is not null)
          and not exists (
            select from assignments a
            where a.user_id = p.user_id and a.lesson_id = p.lesson_id and a.graded_at is null)
        union
        select r.user_id from scenario_progress r
        join scenarios s on s.id = r.scenario_id
        left join lesson_progress p on p.user_id = r.user_id and p.lesson_id = s.lesson_id
        where s.lesson_id = any(${ids}) and r.completed and not coalesce(p.completed, false)
          and p.excused_at is null)`;
}

type FactRow = CellFacts & { userId: number; lessonId: number };

/** Unopened cells are left out. */
export async function readFacts(
  executor: Executor,
  userIds: readonly number[],
  graded: readonly Pick<GradedLesson, 'id'>[],
): Promise<Map<string, FactRow>> {
  const [who, which] = [sql`${sql.param([...userIds])}::int[]`, idsOf(graded)];
  const rows = await executor.execute<FactRow & Record<string, unknown>>(sql`
    select f."userId", f."lessonId", bool_or(f.begun) as begun, bool_or(f.completed) as completed,
      bool_or(f.excused) as excused, bool_or(f.waits) as waits, bool_or(f.late) as late, max(f.attempts)::int as attempts,
      max(f.score)::int as score
    from (
      select user_id as "userId", lesson_id as "lessonId", true as begun, completed,
        excused_at is not null as excused, false as waits, false as late, attempts, score
      from lesson_progress where user_id = any(${who}) and lesson_id = any(${which})
      union all
      select user_id, lesson_id, true, false, false, graded_at is null,
        ${isLate}, 1, null
      from assignments where user_id = any(${who}) and lesson_id = any(${which})
      union all
      select r.user_id, s.lesson_id, true, false, false, false, false, count(*) filter (where r.completed)::int,
        case when bool_or(p.score is null) then max(r.score) filter (where r.completed) end
      from scenarios s
      join scenario_progress r on r.scenario_id = s.id and r.user_id = any(${who})
      left join lesson_progress p on p.user_id = r.user_id and p.lesson_id = s.lesson_id
      where s.lesson_id = any(${which})
      group by r.user_id, s.lesson_id
    ) f
    group by f."userId", f."lessonId"`);
  return new Map(rows.map((row) => [`${row.userId} ${row.lessonId}`, row]));
}

export const NOTHING: CellFacts = {
  begun: false,
  completed: false,
  excused: false,
  waits: false,
  late: false,
  attempts: 0,
  score: null,
};

async function withCells<L extends { id: number }>(
  learners: readonly L[],
  graded: readonly GradedLesson[],
): Promise<(L & { cells: Cell[] })[]> {
  const facts = await readFacts(
    db(),
    learners.map(({ id }) => id),
    graded,
  );
  return learners.map((learner) => ({
    ...learner,
    cells: graded.map(({ id }) => {
      const known = facts.get(`${learner.id} ${id}`) ?? NOTHING;
      return { state: cellState(known), attempts: known.attempts, best: known.score, late: known.late };
    }),
  }));
}

const learnerColumns = {
  id: users.id,
  username: users.username,
  email: users.email,
  progress: enrollments.progress,
  hasAccess: sql<boolean>`${enrollments.status} = ${ACCESS_STATUS}`,
};
const ORDER: Record<GradebookSort, SQL[]> = {
  name: [sql`lower(${users.username}) asc`, asc(users.id)],
  progress: [sql`${enrollments.progress} desc`, sql`lower(${users.username}) asc`, asc(users.id)],
};

/** One page, with learners whose access ended; null without the course. A page past the end is the last. */
export async function findGradebook(
  courseId: number,
  { search, page: asked, filter, sort }: ListQuery & { filter: GradebookFilter; sort: GradebookSort },
) {
  const [[course], graded] = await Promise.all([
    db().select({ id: courses.id, title: courses.title }).from(courses).where(eq(courses.id, courseId)),
    gradedLessons(courseId),
  ]);
  if (!course) return null;
  const lowerName = sql`lower(${users.username})`;
  const matching = and(
    eq(enrollments.courseId, courseId),
    isPerson(enrollments.userId),
    having(filter, graded),
    search ? sql`(${containing(lowerName, search)} or ${containing(users.email, search)})` : undefined,
  );
  // In one query: the filters are expensive.
  const read = (page: number) =>
    db()
      .select({ ...learnerColumns, total: sql<number>`(count(*) over ())::int` })
      .from(enrollments)
      .innerJoin(users, eq(users.id, enrollments.userId))
      .where(matching)
      .orderBy(...ORDER[sort])
      .limit(GRADEBOOK_PAGE_SIZE)
      .offset((page - 1) * GRADEBOOK_PAGE_SIZE);
  let page = asked;
  let found = await read(page);
  if (found.length === 0 && page > 1) {
    const [first] = await read(1);
    page = Math.max(1, Math.ceil((first?.total ?? 0) / GRADEBOOK_PAGE_SIZE));
    found = await read(page);
  }
  const total = found[0]?.total ?? 0;
  const rows = found.map(({ total: _, ...learner }) => learner);
  return { course, lessons: graded, total, page, learners: await withCells(rows, graded) };
}

/** CSV in parts of a thousand learners; null without the course. */
export async function gradebookCsv(courseId: number): Promise<string | null> {
  const [[course], graded] = await Promise.all([
    db().select({ id: courses.id }).from(courses).where(eq(courses.id, courseId)),
    gradedLessons(courseId),
  ]);
  if (!course) return null;
  const rows: (string | number)[][] = [];
  for (let after = 0; ; ) {
    const batch = await db()
      .select(learnerColumns)
      .from(enrollments)
      .innerJoin(users, eq(users.id, enrollments.userId))
      .where(
        and(
          eq(enrollments.courseId, courseId),
          isPerson(enrollments.userId),
          sql`${enrollments.userId} > ${after}`,
        ),
      )
      .orderBy(asc(enrollments.userId))
      .limit(CSV_BATCH);
    for (const { username, email, progress, hasAccess, cells } of await withCells(batch, graded)) {
      rows.push([
        ...[username, email, hasAccess ? 'yes' : 'no', progress],
        ...cells.flatMap(({ state, best, attempts, late }) => [
          CELL_STATES[state].label + (late ? ', late' : ''),
          best ?? '',
          attempts,
        ]),
      ]);
    }
    if (batch.length < CSV_BATCH) break;
    after = batch.at(-1)!.id;
  }
  return toCsv(
    [
      ...['Learner', 'Email', 'Access', 'Progress in percent'],
      ...graded.flatMap(({ title }) => [`${title}: state`, `${title}: best grade`, `${title}: attempts`]),
    ],
    rows,
  );
}
