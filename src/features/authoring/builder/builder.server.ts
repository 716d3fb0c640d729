import { createHash } from 'node:crypto';
import { and, asc, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { db, type Tx } from '#db/client.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { AppError } from '#src/shared/errors.ts';
import type { BuiltCourse, BuiltLesson, createInteractiveCourseCall } from './schema.ts';
import { columnsOf } from '#src/features/authoring/courses/course-fields.ts';
import { namedCategoryFault, standingInCheck } from '#src/features/authoring/courses/courses.server.ts';
import { grantedWish } from '#src/features/authoring/publishing/store-wish.server.ts';
import { startPublishCheck } from '#src/features/authoring/publishing/publish-check.server.ts';
import { addLessons, type LessonToWrite } from '#src/features/lessons/lesson-store.server.ts';
import { lessonType } from '#src/features/lessons/registry.ts';

/** Without a draft's name the same request this soon again is the same course: a double click, a retry. */
const SAME_REQUEST_SECONDS = 10;

type Proven = z.output<typeof createInteractiveCourseCall.output>;
type Built = {
  id: number;
  title: string;
  isActive: boolean;
  activateWhenProven: boolean;
  lessons: { id: number; title: string; order: number }[];
};

/**
 * Makes a course with all its lessons in one transaction (spec 5, 7; decision 49). Audited.
 * Asked again with the same draft, or the same content within seconds, it gives the course that is there.
 *
 * @throws {AppError} invalid_input for a category that does not exist; conflict with `courseId` for a draft that became a
 *   course already and was changed since
 */
async function createInteractiveCourse(
  actor: Actor & { id: number },
  { draftId, lessons: given, ...course }: BuiltCourse,
): Promise<Built> {
  const digest = createHash('sha256')
    .update(JSON.stringify([course, given]))
    .digest('hex');
  try {
    return await db().transaction(async (tx) => {
      // Two requests for one draft must not both find nothing.
      await tx.execute(
        sql`select pg_advisory_xact_lock(hashtextextended(${`builder:${draftId ?? `${actor.id}:${digest}`}`}, 0))`,
      );
      const present = await builtBefore(tx, actor.id, draftId ?? null, digest);
      if (present) return present;
      const [row] = await tx
        .insert(courses)
        .values({
          ...columnsOf(course),
          ...grantedWish(course, false),
          createdBy: actor.id,
          builderDraft: draftId ?? null,
          builderDigest: digest,
        })
        .returning();
      const { id, title, isActive, activateWhenProven } = row!;
      const rows = await addLessons(tx, id, given.map(lessonOf));
      const made = rows.map(({ id, title, order }) => ({ id, title, order }));
      await recordAudit(tx, actor, {
        action: 'course.created',
        subjectType: 'course',
        subjectId: id,
        details: { title, lessons: made.length },
      });
      return { id, title, isActive, activateWhenProven, lessons: made };
    });
  } catch (error) {
    throw namedCategoryFault(error);
  }
}

/**
 * Makes a course as `createInteractiveCourse` does and has its lessons checked; the check goes on without this answer and
 * tells by mail what it finds (decisions 49, 54).
 */
export async function createAndProveCourse(
  actor: Actor & { id: number },
  input: BuiltCourse,
): Promise<Proven> {
  const made = await createInteractiveCourse(actor, input);
  // A repeated request finds what the first one made.
  const { unproven } = await standingInCheck(made.id);
  if (!unproven) return { ...made, checked: true };
  const { run } = await startPublishCheck(actor, made.id, { isTold: true });
  return { ...made, checked: run?.status === 'finished', ...(await standingInCheck(made.id)) };
}

/** The course that this request made when it came first; null where it is the first. */
async function builtBefore(
  tx: Tx,
  actorId: number,
  draftId: string | null,
  digest: string,
): Promise<Built | null> {
  const [course] = await tx
    .select({
      id: courses.id,
      title: courses.title,
      isActive: courses.isActive,
      activateWhenProven: courses.activateWhenProven,
      createdBy: courses.createdBy,
      digest: courses.builderDigest,
    })
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
  const { id, title, isActive, activateWhenProven } = course;
  if (course.digest !== digest || course.createdBy !== actorId) {
    throw new AppError(
      'conflict',
      `This draft has become the course “${title}” already. Change its lessons on its content page, or discard the draft.`,
      { extra: { courseId: id } },
    );
  }
  const made = await tx
    .select({ id: lessons.id, title: lessons.title, order: lessons.order })
    .from(lessons)
    .where(eq(lessons.courseId, id))
    .orderBy(asc(lessons.order), asc(lessons.id));
  return { id, title, isActive, activateWhenProven, lessons: made };
}

/** Learners read a coding lesson's instructions beside their code; in every other lesson they are its text. */
function lessonOf({ instructions, content, questions, ...lesson }: BuiltLesson): LessonToWrite {
  // An id names a question of a lesson that exists; these are all new.
  const asNew = questions.map((question) => ({ ...question, id: null }));
  return lessonType(lesson.type).text.field === 'instructions'
    ? { ...lesson, questions: asNew, instructions, content }
    : { ...lesson, questions: asNew, content: content ? `${instructions}\n\n${content}` : instructions };
}
