import { asc, eq, or, sql } from 'drizzle-orm';
import { db, type Executor, type Tx } from '#db/client.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { AppError } from '#src/shared/errors.ts';
import { setOpenings } from './lesson-store.server.ts';
import { keptOpening, type OpeningLesson, openingProblem } from './opening.ts';
import { shownId, workingId } from './working-copy.server.ts';

// A lesson names the lessons that it waits for by the ids that authors know. These stay what they are when changes are
// published: of a lesson that learners have it is that lesson's, and a new one keeps its own.

/** The lessons of a course (or of the copy in which it is worked on) as the rules of opening see them, in their order. */
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

/** Titles of the lessons of a course, as they are worked on or else as learners have them, by the ids that authors know. */
export async function lessonTitles(courseId: number): Promise<Map<number, string>> {
  const rows = await db()
    .select({ id: lessons.id, draftOf: lessons.draftOf, title: lessons.title })
    .from(lessons)
    .where(or(eq(lessons.courseId, courseId), eq(lessons.courseId, workingId(courseId))))
    // What is worked on comes last, and counts.
    .orderBy(sql`${lessons.draftOf} nulls first`);
  return new Map(rows.map((row) => [shownId(row), row.title]));
}

/**
 * Refuses the rule of a lesson by which it could never open, or that names no lesson of its course.
 *
 * @param all the lessons of the course as they are to be, `lesson` among them
 * @throws {AppError} invalid_input at the field of the rule
 */
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
