import { asc, eq, or, sql } from 'drizzle-orm';
import { db, type Executor, type Tx } from '#db/client.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { AppError } from '#src/shared/errors.ts';
import { setOpenings } from './lesson-store.server.ts';
import { keptOpening, type OpeningLesson, openingProblem } from './opening.ts';
import { shownId, workingId } from './working-copy.server.ts';

// A lesson names the lessons that it waits for by the ids that authors know.

/** A course's lessons, or its working copy's, as the rules of opening see them. */
export async function openingsOf(courseId: number, executor: Executor): Promise<OpeningLesson[]> {
  const rows = await executor
    .select({
      id: lessons.id,
      draftOf: lessons.draftOf,
      title: lessons.title,
      opening: lessons.opening,
      requiredToComplete: lessons.requiredToComplete,
      isPreview: lessons.isPreview,
    })
    .from(lessons)
    .where(eq(lessons.courseId, courseId))
    .orderBy(asc(lessons.order), asc(lessons.id));
  return rows.map(({ draftOf, ...row }) => ({ ...row, id: shownId({ id: row.id, draftOf }) }));
}

/** Titles of lessons as they are worked on or else as learners have them, by authors' ids. */
export async function lessonTitles(courseId: number): Promise<Map<number, string>> {
  const rows = await db()
    .select({ id: lessons.id, draftOf: lessons.draftOf, title: lessons.title })
    .from(lessons)
    .where(or(eq(lessons.courseId, courseId), eq(lessons.courseId, workingId(courseId))))
    .orderBy(sql`${lessons.draftOf} nulls first`);
  return new Map(rows.map((row) => [shownId(row), row.title]));
}

/** Refuses a rule by which a lesson could never open. @throws {AppError} invalid_input */
export function requireOpenable(all: readonly OpeningLesson[], lesson: OpeningLesson): void {
  const problem = openingProblem(all, lesson);
  if (!problem) return;
  throw new AppError('invalid_input', problem.message, { fields: { [problem.field]: problem.message } });
}

/** Takes lessons that are gone out of the rules of a course. */
export async function forgetGoneLessons(tx: Tx, courseId: number): Promise<void> {
  const all = await openingsOf(courseId, tx);
  const ids = new Set(all.map(({ id }) => id));
  const changed = all.flatMap(({ id, opening }) =>
    opening.after?.some((one) => !ids.has(one))
      ? [{ id, opening: keptOpening(opening, (one) => ids.has(one)) }]
      : [],
  );
  await setOpenings(tx, changed);
}
