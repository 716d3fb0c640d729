import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { db, type Tx } from '#db/client.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import type { SeveralAction } from '#src/features/authoring/lesson-editor/schema.ts';
import { followProof } from '#src/features/authoring/publishing/store-wish.server.ts';
import { recomputeCourse } from '#src/features/learn/progress/completion.server.ts';
import {
  changeLesson,
  deleteLessons,
  type LessonRow,
  placeLessons,
  placesOf,
} from '#src/features/lessons/lesson-store.server.ts';
import { shownId, type WorkingCourse } from '#src/features/lessons/working-copy.server.ts';
import { keptOpening } from '#src/features/lessons/opening.ts';
import { openingsOf, requireOpenable } from '#src/features/lessons/prerequisites.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { AppError } from '#src/shared/errors.ts';
import { copyLesson, holdCourses, moveOver } from './copies.server.ts';

/**
 * Does the same with several lessons: all or nothing, each audited by itself.
 * @throws {AppError} not_found; those of `duplicateLesson` and `moveLessonToCourse`
 */
export function changeSeveral(
  actor: Actor & { id: number },
  courseId: number,
  { lessonIds, action }: { lessonIds: number[]; action: SeveralAction },
): Promise<{ changed: number }> {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const to = 'courseId' in action ? action.courseId : courseId;
      const working = (await holdCourses(tx, [courseId, to])).get(courseId)!;
      const rows = await tx
        .select()
        .from(lessons)
        .where(
          and(
            eq(lessons.courseId, working.id),
            inArray(sql`coalesce(${lessons.draftOf}, ${lessons.id})`, lessonIds),
          ),
        )
        .orderBy(asc(lessons.order), asc(lessons.id));
      if (rows.length !== lessonIds.length) {
        throw new AppError(
          'not_found',
          'One of the lessons is not in this course any more. Reload the page.',
        );
      }
      switch (action.do) {
        case 'copy':
          for (const row of rows) await copyLesson(tx, actor, shownId(row));
          break;
        case 'move':
          for (const row of rows) await moveOver(tx, actor, shownId(row), action.courseId);
          break;
        case 'delete':
          await removeAll(tx, actor, working, rows);
          break;
        case 'open':
          for (const row of rows) {
            const { type, title, content } = row;
            await changeLesson(
              tx,
              row.id,
              { type, title, content, opening: keptOpening(action.opening) },
              actor.id,
            );
            const { details, ...subject } = about(working, row);
            await recordAudit(tx, actor, {
              action: 'lesson.updated',
              ...subject,
              details: { ...details, changed: 'opening' },
            });
          }
          await requireAllOpenable(tx, working, rows);
          break;
      }
      return { changed: rows.length };
    }),
  );
}

async function removeAll(tx: Tx, actor: Actor, working: WorkingCourse, rows: LessonRow[]): Promise<void> {
  await deleteLessons(
    tx,
    rows.map(({ id }) => id),
  );
  await placeLessons(tx, working.id, await placesOf(working.id, tx));
  await recomputeCourse(tx, working.id);
  await followProof(tx, working.id);
  for (const row of rows) await recordAudit(tx, actor, { action: 'lesson.deleted', ...about(working, row) });
}

async function requireAllOpenable(tx: Tx, working: WorkingCourse, rows: LessonRow[]): Promise<void> {
  const all = await openingsOf(working.id, tx);
  const ids = new Set(rows.map(shownId));
  for (const lesson of all) if (ids.has(lesson.id)) requireOpenable(all, lesson);
}

const about = ({ title: course, courseId }: WorkingCourse, row: LessonRow) => ({
  subjectType: 'lesson' as const,
  subjectId: shownId(row),
  details: { title: row.title, course, courseId },
});
