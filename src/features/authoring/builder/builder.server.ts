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

/** Without a draft id, the same request within this time is a double click or a retry. */
const SAME_REQUEST_SECONDS = 10;

/**
 * Makes a course with its lessons in one transaction (spec 5, 7; decision 49), audited; the check continues
 * in the background and mails its findings (decision 54). A repeat gives the existing course.
 * @throws {AppError} invalid_input for an unknown category; conflict with `courseId` for a changed draft of
 * an existing course
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
    // A repeat gets the findings of the first request.
    if (!(await standingInCheck(id)).unproven) return { ...made, checked: true };
    const { run } = await startPublishCheck(actor, id, { isTold: true });
    return { ...made, checked: run?.status === 'finished', ...(await standingInCheck(id)) };
  } catch (error) {
    throw namedCategoryFault(error);
  }
}

/** Null at the first request. */
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

/** Only coding lessons have instructions beside their text. */
function lessonOf({ instructions, content, questions, ...lesson }: BuiltLesson): LessonToWrite {
  // Ids name questions of existing lessons; these are new.
  const asNew = { ...lesson, questions: questions.map((question) => ({ ...question, id: null })) };
  return lessonType(lesson.type).text.field === 'instructions'
    ? { ...asNew, instructions, content }
    : { ...asNew, content: content ? `${instructions}\n\n${content}` : instructions };
}
