import { createHash } from 'node:crypto';
import { and, asc, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { db, type Tx } from '#db/client.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import type { Actor } from '#src/features/account/audit.server.ts';
import { standingInCheck } from '#src/features/authoring/courses/courses.server.ts';
import { insertCourse, namedCategoryFault } from '#src/features/authoring/courses/new-course.server.ts';
import { startPublishCheck } from '#src/features/authoring/publishing/publish-check.server.ts';
import type { LessonToWrite } from '#src/features/lessons/lesson-store.server.ts';
import { lessonType } from '#src/features/lessons/registry.ts';
import { AppError } from '#src/shared/errors.ts';
import type { BuiltCourse, BuiltLesson, createInteractiveCourseCall } from './schema.ts';

/** Without a draft's name the same request this soon again is the same course: a double click, a retry. */
const SAME_REQUEST_SECONDS = 10;

/**
 * Makes a course with all its lessons in one transaction (spec 5, 7; decision 49), audited, and has its lessons checked;
 * the check goes on without this answer and tells by mail what it finds (decision 54).
 * Asked again with the same draft, or the same content within seconds, it gives the course that is there.
 *
 * @throws {AppError} invalid_input for a category that does not exist; conflict with `courseId` for a draft that became a
 *   course already and was changed since
 */
export async function createAndProveCourse(
  actor: Actor & { id: number },
  { draftId, lessons: given, ...course }: BuiltCourse,
): Promise<z.output<typeof createInteractiveCourseCall.output>> {
  const builderDraft = draftId ?? null;
  const builderDigest = createHash('sha256')
    .update(JSON.stringify([course, given]))
    .digest('hex');
  try {
    const { course: row, lessons: rows } = await db().transaction(async (tx) => {
      // Two requests for one draft must not both find nothing.
      await tx.execute(
        sql`select pg_advisory_xact_lock(hashtextextended(${`builder:${draftId ?? `${actor.id}:${builderDigest}`}`}, 0))`,
      );
      return (
        (await builtBefore(tx, actor.id, builderDraft, builderDigest)) ??
        (await insertCourse(tx, actor, course, given.map(lessonOf), { builderDraft, builderDigest }))
      );
    });
    const { id, title, isActive, activateWhenProven } = row;
    const made = {
      ...{ id, title, isActive, activateWhenProven },
      lessons: rows.map(({ id, title, order }) => ({ id, title, order })),
    };
    // A repeated request finds what the first one made.
    if (!(await standingInCheck(id)).unproven) return { ...made, checked: true };
    const { run } = await startPublishCheck(actor, id, { isTold: true });
    return { ...made, checked: run?.status === 'finished', ...(await standingInCheck(id)) };
  } catch (error) {
    throw namedCategoryFault(error);
  }
}

/** The course that this request made when it came first; null where it is the first. */
async function builtBefore(tx: Tx, actorId: number, draftId: string | null, digest: string) {
  const [course] = await tx
    .select()
    .from(courses)
    .where(
      draftId !== null
        ? eq(courses.builderDraft, draftId)
        : and(
            eq(courses.createdBy, actorId),
            eq(courses.builderDigest, digest),
            sql`${courses.createdAt} > clock_timestamp() - make_interval(secs => ${SAME_REQUEST_SECONDS})`,
          ),
    )
    .orderBy(asc(courses.id))
    .limit(1);
  if (!course) return null;
  if (course.builderDigest !== digest || course.createdBy !== actorId) {
    throw new AppError(
      'conflict',
      `This draft has become the course “${course.title}” already. Change its lessons on its content page, or discard the draft.`,
      { extra: { courseId: course.id } },
    );
  }
  const made = tx.select().from(lessons).where(eq(lessons.courseId, course.id));
  return { course, lessons: await made.orderBy(asc(lessons.order), asc(lessons.id)) };
}

/** Learners read a coding lesson's instructions beside their code; in every other lesson they are its text. */
function lessonOf({ instructions, content, questions, ...lesson }: BuiltLesson): LessonToWrite {
  // An id names a question of a lesson that exists; these are all new.
  const asNew = { ...lesson, questions: questions.map((question) => ({ ...question, id: null })) };
  return lessonType(lesson.type).text.field === 'instructions'
    ? { ...asNew, instructions, content }
    : { ...asNew, content: content ? `${instructions}\n\n${content}` : instructions };
}
