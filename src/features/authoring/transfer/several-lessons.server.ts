import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { removeLessons } from '#src/features/authoring/lesson-editor/lessons.server.ts';
import type { SeveralAction } from '#src/features/authoring/lesson-editor/schema.ts';
import { changeLesson } from '#src/features/lessons/lesson-store.server.ts';
import { shownId } from '#src/features/lessons/working-copy.server.ts';
import { keptOpening } from '#src/features/lessons/opening.ts';
import { openingsOf, requireOpenable } from '#src/features/lessons/prerequisites.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { AppError } from '#src/shared/errors.ts';
import { copyLesson, holdCourses, moveOver } from './copies.server.ts';

const authorsId = sql`coalesce(${lessons.draftOf}, ${lessons.id})`;

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
        .where(and(eq(lessons.courseId, working.id), inArray(authorsId, lessonIds)))
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
          await removeLessons(tx, actor, working, rows);
          break;
        case 'open': {
          const opening = keptOpening(action.opening);
          for (const row of rows) {
            const { type, title, content } = row;
            await changeLesson(tx, row.id, { type, title, content, opening }, actor.id);
            await recordAudit(tx, actor, {
              action: 'lesson.updated',
              subjectType: 'lesson',
              subjectId: shownId(row),
              details: { title, course: working.title, courseId, changed: 'opening' },
            });
          }
          const all = await openingsOf(working.id, tx);
          for (const lesson of all) if (lessonIds.includes(lesson.id)) requireOpenable(all, lesson);
          break;
        }
      }
      return { changed: rows.length };
    }),
  );
}
