import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import {
  ACCESS_STATUS,
  closedLesson,
  givesAccess,
  requireOpen,
} from '#src/features/catalogue/access.server.ts';
import { db, type Executor, type Tx } from '#db/client.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { enrollments, lessonProgress, pointsLedger, studyDays } from '#db/schema/learn.ts';
import { LESSON_NOT_FOUND, type LessonOutline } from '#src/features/catalogue/catalogue.ts';
import { findCourse, type Viewer } from '#src/features/catalogue/catalogue.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { recordLearners } from '#src/server/webhooks/events.ts';
import { AppError } from '#src/shared/errors.ts';
import {
  certificateNumbers,
  issueCertificates,
} from '#src/features/learn/certificates/certificates.server.ts';
import { countedLessons, percentDone, progressPercent, skillLevelFor } from './learn.ts';
import { startReviews } from '#src/features/review/due/start.server.ts';
import { refusalOf } from '#src/features/store/orders/ended-access.server.ts';
import type { LessonCompletion } from '#src/features/learn/schema.ts';
import { bodyColumns } from '#src/features/lessons/lesson-store.server.ts';
import { isDoneByPassing, markRefusal } from '#src/features/lessons/registry.ts';
import { isCompleted } from './enrollments.server.ts';

const lessonNotFound = () => new AppError('not_found', LESSON_NOT_FOUND);

export interface LearnersLesson {
  id: number;
  courseId: number;
  title: string;
  type: LessonOutline['type'];
  durationSeconds: number | null;
}

const learnersLesson = {
  id: lessons.id,
  courseId: lessons.courseId,
  title: lessons.title,
  type: lessons.type,
  durationSeconds: lessons.durationSeconds,
};

/** @throws {AppError} not_found, forbidden (decision 32, fault I3) */
export async function getLearnersLesson(
  userId: number,
  lessonId: number,
  executor: Executor = db(),
): Promise<LearnersLesson> {
  const [lesson] = await executor
    .select({ ...learnersLesson, closed: closedLesson })
    .from(lessons)
    .innerJoin(enrollments, givesAccess(userId, lessons.courseId))
    .where(eq(lessons.id, lessonId));
  if (!lesson) throw await refusalOf(userId, { lessonId }, lessonNotFound(), executor);
  requireOpen(lesson);
  const { closed: _, ...found } = lesson;
  return found;
}

/**
 * Takes `lockEnrollment` first.
 * @throws {AppError} as `getLearnersLesson`
 */
export async function lockLearnersLesson(tx: Tx, userId: number, lessonId: number): Promise<LearnersLesson> {
  const lesson = await getLearnersLesson(userId, lessonId, tx);
  if (!(await lockEnrollment(tx, userId, lesson.courseId))) {
    throw await refusalOf(userId, { lessonId }, lessonNotFound(), tx);
  }
  return lesson;
}

/**
 * Marks a lesson complete (spec 7, decision 33) and updates the course's progress; idempotent.
 * @throws {AppError} not_found, forbidden, conflict (fault I3)
 */
export async function completeLesson(
  user: NonNullable<Viewer>,
  courseId: number,
  lessonId: number,
): Promise<LessonCompletion> {
  const done = await retryOnConflict(() =>
    db().transaction(async (tx) => {
      if (!(await lockEnrollment(tx, user.id, courseId))) return null;
      await requireMarkable(tx, user.id, courseId, lessonId);
      return recordCompletion(tx, { userId: user.id, courseId, lessonId });
    }),
  );
  if (done) return done;
  if (!(await findCourse(courseId, user))) throw new AppError('not_found', 'Course not found');
  const usual = new AppError('forbidden', 'You are not enrolled in this course.');
  throw await refusalOf(user.id, { courseId }, usual);
}

/**
 * Serializes completions in one course (fault S5): each writer of progress takes this lock first. False without an active
 * enrollment.
 */
export async function lockEnrollment(tx: Tx, userId: number, courseId: number): Promise<boolean> {
  const rows = await tx
    .select({ id: enrollments.id })
    .from(enrollments)
    .where(givesAccess(userId, courseId))
    .for('update');
  return rows.length > 0;
}

/** In one order, against deadlocks. */
export async function lockEnrollments(tx: Tx, whose: SQL | undefined): Promise<void> {
  const { id } = enrollments;
  await tx.select({ id }).from(enrollments).where(whose).orderBy(asc(id)).for('update');
}

/** Whether passing completes it instead of Mark Complete (decision 33). */
export async function isPassedInstead(lessonId: number, executor: Executor = db()): Promise<boolean> {
  const [lesson] = await executor.select(bodyColumns).from(lessons).where(eq(lessons.id, lessonId));
  return lesson !== undefined && isDoneByPassing(lesson.type, lesson);
}

/** Decision 33. */
async function requireMarkable(tx: Tx, userId: number, courseId: number, lessonId: number): Promise<void> {
  const [lesson] = await tx
    .select({
      ...bodyColumns,
      completed: lessonProgress.completed,
      watchedIntervals: lessonProgress.watchedIntervals,
      closed: closedLesson,
    })
    .from(lessons)
    .innerJoin(enrollments, givesAccess(userId, lessons.courseId))
    .leftJoin(lessonProgress, and(eq(lessonProgress.lessonId, lessons.id), eq(lessonProgress.userId, userId)))
    .where(and(eq(lessons.id, lessonId), eq(lessons.courseId, courseId)));
  if (!lesson) throw new AppError('not_found', 'Lesson not found');
  if (lesson.completed) return;
  requireOpen({ id: lessonId, courseId, closed: lesson.closed });
  const refusal = markRefusal(lesson.type, lesson, lesson.watchedIntervals ?? []);
  if (refusal) throw new AppError('conflict', refusal);
}

/**
 * Completes a lesson, awards its points once and updates the progress (decisions 34, 35); after `lockEnrollment`.
 * @param score percent; the best counts
 */
export async function recordCompletion(
  tx: Tx,
  {
    userId,
    courseId,
    lessonId,
    score = null,
  }: { userId: number; courseId: number; lessonId: number; score?: number | null },
): Promise<LessonCompletion> {
  // Independent statements in one round trip.
  const [[progressRow], awarded, before] = await Promise.all([
    tx
      .insert(lessonProgress)
      .values({ userId, lessonId, courseId, completed: true, completedAt: sql`now()`, score })
      .onConflictDoUpdate({
        target: [lessonProgress.userId, lessonProgress.lessonId],
        set: {
          completed: true,
          completedAt: sql`coalesce(${lessonProgress.completedAt}, now())`,
          score: sql`greatest(${lessonProgress.score}, excluded.score)`,
          updatedAt: sql`now()`,
        },
      })
      .returning({ completedAt: lessonProgress.completedAt })
      .prepare('complete_lesson')
      .execute(),
    tx
      .insert(pointsLedger)
      .select(
        tx
          .select({
            userId: sql<number>`${userId}::int`.as('user_id'),
            lessonId: lessons.id,
            courseId: lessons.courseId,
            points: lessons.points,
            awardedAt: sql<Date>`now()`.as('awarded_at'),
          })
          .from(lessons)
          .where(and(eq(lessons.id, lessonId), eq(lessons.courseId, courseId))),
      )
      .onConflictDoNothing()
      .returning({ points: pointsLedger.points })
      .prepare('award_points')
      .execute(),
    worthOfLessons(tx, userId, courseId),
    startReviews(tx, userId, lessonId),
  ]);
  const outline = before.map((lesson) =>
    lesson.id === lessonId
      ? { ...lesson, completed: true, awarded: awarded[0]?.points ?? lesson.awarded }
      : lesson,
  );
  const [{ certificateIssued, ...enrollment }] = await Promise.all([
    refreshEnrollment(tx, userId, courseId, lessonId, outline),
    // The ledger has the first time ever.
    awarded.length > 0 ? addStudy(tx, userId, { seconds: 0, lessonsCompleted: 1 }) : null,
  ]);
  return {
    courseId,
    lessonId,
    completed: true,
    completedAt: progressRow!.completedAt!.toISOString(),
    pointsAwarded: awarded[0]?.points ?? 0,
    ...enrollment,
    certificateNumber:
      enrollment.progress >= 100 ? await certificateOf(tx, userId, courseId, certificateIssued) : null,
  };
}

/** Issues a missing one. */
async function certificateOf(
  tx: Tx,
  userId: number,
  courseId: number,
  isIssued: boolean,
): Promise<string | null> {
  const known = isIssued ? await certificateNumbers(tx, courseId, [userId]) : null;
  return known?.get(userId) ?? (await issueCertificates(tx, courseId, [userId])).get(userId) ?? null;
}

/** To today in UTC. */
export async function addStudy(
  tx: Tx,
  userId: number,
  { seconds, lessonsCompleted }: { seconds: number; lessonsCompleted: number },
): Promise<void> {
  await tx
    .insert(studyDays)
    .values({ userId, day: sql`(now() at time zone 'UTC')::date`, seconds, lessonsCompleted })
    .onConflictDoUpdate({
      target: [studyDays.userId, studyDays.day],
      set: {
        seconds: sql`least(86400, ${studyDays.seconds} + excluded.seconds)`,
        lessonsCompleted: sql`${studyDays.lessonsCompleted} + excluded.lessons_completed`,
      },
    });
}

/**
 * Updates progress, points and level after a course's lessons changed (fault S6): `completedAt` stays; a removed lesson may
 * complete it. Called after the deletion, in its transaction.
 * @param userId one learner; everybody by default
 * @returns users who complete it now
 */
export async function recomputeCourse(tx: Tx, courseId: number, userId?: number): Promise<number[]> {
  const whose = and(
    eq(enrollments.courseId, courseId),
    userId === undefined ? undefined : eq(enrollments.userId, userId),
  );
  await lockEnrollments(tx, whose);
  const outline = await tx
    .select({ id: lessons.id, requiredToComplete: lessons.requiredToComplete, points: lessons.points })
    .from(lessons)
    .where(eq(lessons.courseId, courseId));
  const counted = countedLessons(outline).map(({ id }) => id);
  const pointsOfCourse = outline.reduce((sum, lesson) => sum + lesson.points, 0);
  const learners = await tx
    .select({
      id: enrollments.id,
      userId: enrollments.userId,
      isOpen: sql<boolean>`${enrollments.completedAt} is null and ${enrollments.status} = ${ACCESS_STATUS}`,
      done: sql`(select count(*) from lesson_progress p
        where p.user_id = enrollments.user_id and p.completed and p.excused_at is null
          and p.lesson_id = any(${sql.param(counted)}::int[]))`.mapWith(Number),
      excused: sql`(select count(*) from lesson_progress p
        where p.user_id = enrollments.user_id and p.excused_at is not null
          and p.lesson_id = any(${sql.param(counted)}::int[]))`.mapWith(Number),
      points: sql`(select coalesce(sum(l.points), 0) from points_ledger l
        where l.user_id = enrollments.user_id and l.course_id = ${courseId})`.mapWith(Number),
    })
    .from(enrollments)
    .where(whose);
  const figures = learners.map(({ id, done, excused, points }) => ({
    id,
    points,
    progress: percentDone(done, counted.length, excused),
    level: skillLevelFor(points, pointsOfCourse),
  }));
  await tx.execute(sql`
    update enrollments e
    set progress = f.progress, total_points = f.points, skill_level = f.level,
      completed_at = case when f.progress >= 100 then coalesce(e.completed_at, now()) else e.completed_at end
    from jsonb_to_recordset(${JSON.stringify(figures)}::jsonb)
      as f(id int, points int, progress int, level text)
    where f.id = e.id`);
  const completed = learners.flatMap(({ userId, isOpen }, at) =>
    isOpen && figures[at]!.progress >= 100 ? [userId] : [],
  );
  const told = completed.map((userId) => ({ userId }));
  await recordLearners(tx, 'completed', courseId, told);
  await issueCertificates(tx, courseId, completed);
  return completed;
}

/** Lessons as they count for a learner. */
function worthOfLessons(tx: Tx, userId: number, courseId: number) {
  return tx
    .select({
      id: lessons.id,
      requiredToComplete: lessons.requiredToComplete,
      points: lessons.points,
      completed: isCompleted,
      excused: sql<boolean>`${lessonProgress.excusedAt} is not null`,
      awarded: sql<number>`coalesce(${pointsLedger.points}, 0)`,
    })
    .from(lessons)
    .leftJoin(lessonProgress, and(eq(lessonProgress.lessonId, lessons.id), eq(lessonProgress.userId, userId)))
    .leftJoin(pointsLedger, and(eq(pointsLedger.lessonId, lessons.id), eq(pointsLedger.userId, userId)))
    .where(eq(lessons.courseId, courseId))
    .prepare('worth_of_lessons')
    .execute();
}

/** The caller holds the enrollment's lock. */
async function refreshEnrollment(
  tx: Tx,
  userId: number,
  courseId: number,
  lessonId: number,
  outline: Awaited<ReturnType<typeof worthOfLessons>>,
) {
  const done = new Set(outline.flatMap((lesson) => (lesson.completed ? [lesson.id] : [])));
  const progress = progressPercent(outline, done);
  const totalPoints = outline.reduce((sum, lesson) => sum + lesson.awarded, 0);
  const pointsOfCourse = outline.reduce((sum, lesson) => sum + lesson.points, 0);
  const skillLevel = skillLevelFor(totalPoints, pointsOfCourse);
  const [row] = await tx
    .update(enrollments)
    .set({
      progress,
      totalPoints,
      skillLevel,
      currentLessonId: lessonId,
      lastAccessedAt: sql`now()`,
      // Stays when lessons are added later (decision 34).
      ...(progress >= 100 ? { completedAt: sql`coalesce(${enrollments.completedAt}, now())` } : {}),
    })
    .where(and(eq(enrollments.userId, userId), eq(enrollments.courseId, courseId)))
    .returning({ completedAt: enrollments.completedAt, certificateIssued: enrollments.certificateIssued })
    .prepare('refresh_enrollment')
    .execute();
  if (row?.completedAt) await recordLearners(tx, 'completed', courseId, [{ userId }]);
  return {
    progress,
    totalPoints,
    skillLevel,
    courseCompletedAt: row?.completedAt?.toISOString() ?? null,
    certificateIssued: row?.certificateIssued ?? false,
  };
}
