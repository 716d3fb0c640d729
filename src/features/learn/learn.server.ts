import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import { db, prepared, type Tx } from '#db/client.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { enrollments, lessonProgress, pointsLedger } from '#db/schema/learn.ts';
import type { LessonOutline } from '#src/features/catalogue/catalogue.ts';
import { findCourse, lessonBodies, type Viewer } from '#src/features/catalogue/catalogue.server.ts';
import type { LessonModel } from '#src/features/catalogue/schema.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { AppError } from '#src/shared/errors.ts';
import {
  isPassedNotMarked,
  progressPercent,
  skillLevelFor,
  WATCHED_PERCENT,
  watchedSeconds,
} from './learn.ts';
import type { EnrollmentModel, EnrollmentWithContentModel, LessonCompletion } from './schema.ts';

const enrollmentColumns = {
  id: enrollments.id,
  userId: enrollments.userId,
  courseId: enrollments.courseId,
  enrolledAt: enrollments.enrolledAt,
  progress: enrollments.progress,
  completedAt: enrollments.completedAt,
  certificateIssued: enrollments.certificateIssued,
  currentLessonId: enrollments.currentLessonId,
  totalTimeSpent: enrollments.totalTimeSpent,
  lastAccessedAt: enrollments.lastAccessedAt,
  totalPoints: enrollments.totalPoints,
  skillLevel: enrollments.skillLevel,
  course: {
    id: courses.id,
    title: courses.title,
    thumbnail: courses.thumbnail,
    duration: courses.duration,
    level: courses.level,
  },
};

const enrollmentsOfUser = prepared((database) =>
  database
    .select(enrollmentColumns)
    .from(enrollments)
    .innerJoin(courses, eq(courses.id, enrollments.courseId))
    .where(and(eq(enrollments.userId, sql.placeholder('userId')), eq(enrollments.status, 'active')))
    .orderBy(
      desc(sql`coalesce(${enrollments.lastAccessedAt}, ${enrollments.enrolledAt})`),
      desc(enrollments.id),
    )
    .prepare('enrollments_of_user'),
);

const enrollmentInCourse = prepared((database) =>
  database
    .select(enrollmentColumns)
    .from(enrollments)
    .innerJoin(courses, eq(courses.id, enrollments.courseId))
    .where(
      and(
        eq(enrollments.userId, sql.placeholder('userId')),
        eq(enrollments.courseId, sql.placeholder('courseId')),
        eq(enrollments.status, 'active'),
      ),
    )
    .prepare('enrollment_in_course'),
);

type EnrollmentRow = Awaited<ReturnType<ReturnType<typeof enrollmentsOfUser>['execute']>>[number];

function toEnrollmentModel(row: EnrollmentRow): EnrollmentModel {
  return {
    ...row,
    enrolledAt: row.enrolledAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
    lastAccessedAt: row.lastAccessedAt?.toISOString() ?? null,
  };
}

/** A user's active enrollments, the one studied last first (spec 7). */
export async function listEnrollments(userId: number): Promise<EnrollmentModel[]> {
  return (await enrollmentsOfUser().execute({ userId })).map(toEnrollmentModel);
}

/** The same with the outline of each course's lessons and which of them are done (spec 7). */
export async function listEnrollmentsWithContent(userId: number): Promise<EnrollmentWithContentModel[]> {
  const rows = await listEnrollments(userId);
  const ids = rows.map(({ courseId }) => courseId);
  if (ids.length === 0) return [];
  const outlines = await db()
    .select({
      id: lessons.id,
      courseId: lessons.courseId,
      title: lessons.title,
      section: lessons.section,
      type: lessons.type,
      duration: lessons.duration,
      order: lessons.order,
      difficulty: lessons.difficulty,
      isPreview: lessons.isPreview,
      requiredToComplete: lessons.requiredToComplete,
      points: lessons.points,
      completed: sql<boolean>`coalesce(${lessonProgress.completed}, false)`,
    })
    .from(lessons)
    .leftJoin(lessonProgress, and(eq(lessonProgress.lessonId, lessons.id), eq(lessonProgress.userId, userId)))
    .where(inArray(lessons.courseId, ids))
    .orderBy(asc(lessons.order), asc(lessons.id));
  const byCourse = Map.groupBy(outlines, ({ courseId }) => courseId);
  return rows.map((row) => ({
    ...row,
    course: { ...row.course, content: byCourse.get(row.courseId) ?? [] },
  }));
}

const doneInCourse = prepared((database) =>
  database
    .select({ lessonId: lessonProgress.lessonId })
    .from(lessonProgress)
    .where(
      and(
        eq(lessonProgress.userId, sql.placeholder('userId')),
        eq(lessonProgress.courseId, sql.placeholder('courseId')),
        eq(lessonProgress.completed, true),
      ),
    )
    .prepare('done_in_course'),
);

async function doneLessons(userId: number, courseId: number): Promise<Set<number>> {
  const rows = await doneInCourse().execute({ userId, courseId });
  return new Set(rows.map(({ lessonId }) => lessonId));
}

/**
 * One enrollment of a user with the bodies of its lessons, sorted by order (spec 7).
 *
 * @throws {AppError} not_found where this user has no active enrollment, whoever else has one (fault I4)
 */
export async function getEnrollment(userId: number, courseId: number): Promise<EnrollmentWithContentModel> {
  const [[row], bodies, done] = await Promise.all([
    enrollmentInCourse().execute({ userId, courseId }),
    lessonBodies(courseId, true),
    doneLessons(userId, courseId),
  ]);
  if (!row) throw new AppError('not_found', 'Course Not Found');
  const content = [...bodies.values()].map((lesson) => ({ ...lesson, completed: done.has(lesson.id) }));
  return { ...toEnrollmentModel(row), course: { ...row.course, content } };
}

/** What the viewer needs of a course: its outline, what is done, and the one lesson that is open. */
export interface Classroom {
  enrollment: EnrollmentModel;
  lessons: (LessonOutline & { completed: boolean })[];
}

/** The course as its learner sees it; null where this user has no active enrollment. */
export async function findClassroom(user: NonNullable<Viewer>, courseId: number): Promise<Classroom | null> {
  const [[row], view, done] = await Promise.all([
    enrollmentInCourse().execute({ userId: user.id, courseId }),
    findCourse(courseId, user),
    doneLessons(user.id, courseId),
  ]);
  if (!row || !view) return null;
  return {
    enrollment: toEnrollmentModel(row),
    lessons: view.lessons.map((lesson) => ({ ...lesson, completed: done.has(lesson.id) })),
  };
}

/**
 * Opens a lesson for its learner: gives its body and keeps where they are (decision 34). The caller has found the
 * classroom; null for a lesson of another course.
 */
export async function openLesson(
  userId: number,
  courseId: number,
  lessonId: number,
): Promise<LessonModel | null> {
  const lesson = await findLessonBody(courseId, lessonId);
  if (!lesson) return null;
  await db()
    .update(enrollments)
    .set({ currentLessonId: lessonId, lastAccessedAt: sql`now()` })
    .where(
      and(
        eq(enrollments.userId, userId),
        eq(enrollments.courseId, courseId),
        eq(enrollments.status, 'active'),
      ),
    );
  return lesson;
}

const lessonOfCourse = prepared((database) =>
  database
    .select()
    .from(lessons)
    .where(
      and(eq(lessons.id, sql.placeholder('lessonId')), eq(lessons.courseId, sql.placeholder('courseId'))),
    )
    .prepare('lesson_of_course'),
);

async function findLessonBody(courseId: number, lessonId: number): Promise<LessonModel | null> {
  const [row] = await lessonOfCourse().execute({ lessonId, courseId });
  if (!row) return null;
  const { testCases, solution: _, ...lesson } = row;
  return { ...lesson, testCases: testCases.filter(({ hidden }) => !hidden) };
}

/**
 * Marks a lesson complete for its learner (spec 7, decision 33) and brings the course's progress, points and level up
 * to date with it. Repeating it changes nothing.
 *
 * @throws {AppError} not_found for an unknown or hidden course and for a lesson of another course; forbidden where the
 *   user is not enrolled; conflict for lessons that must be passed or watched first (fault I3)
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
  throw new AppError('forbidden', 'You are not enrolled in this course.');
}

/**
 * Locks a user's active enrollment until the transaction ends, so that completions in one course follow each other
 * and none is counted from a stale state (fault S5). Every writer of progress takes this lock first. False where there
 * is none.
 */
export async function lockEnrollment(tx: Tx, userId: number, courseId: number): Promise<boolean> {
  const rows = await tx
    .select({ id: enrollments.id })
    .from(enrollments)
    .where(
      and(
        eq(enrollments.userId, userId),
        eq(enrollments.courseId, courseId),
        eq(enrollments.status, 'active'),
      ),
    )
    .for('update');
  return rows.length > 0;
}

/** Refuses lessons that Mark Complete may not finish (decision 33). */
async function requireMarkable(tx: Tx, userId: number, courseId: number, lessonId: number): Promise<void> {
  const [lesson] = await tx
    .select({
      type: lessons.type,
      watchRequired: lessons.watchRequired,
      durationSeconds: lessons.durationSeconds,
      completed: lessonProgress.completed,
      watchedIntervals: lessonProgress.watchedIntervals,
    })
    .from(lessons)
    .leftJoin(lessonProgress, and(eq(lessonProgress.lessonId, lessons.id), eq(lessonProgress.userId, userId)))
    .where(and(eq(lessons.id, lessonId), eq(lessons.courseId, courseId)));
  if (!lesson) throw new AppError('not_found', 'Lesson not found');
  if (lesson.completed) return;
  if (isPassedNotMarked(lesson.type)) {
    throw new AppError('conflict', 'Pass this lesson to complete it.');
  }
  if (lesson.type === 'video' && lesson.watchRequired && lesson.durationSeconds) {
    const percent = (100 * watchedSeconds(lesson.watchedIntervals ?? [])) / lesson.durationSeconds;
    if (percent < WATCHED_PERCENT) {
      throw new AppError('conflict', `Watch at least ${WATCHED_PERCENT}% of this video to complete it.`);
    }
  }
}

/**
 * Records that a lesson is done, gives its points once, and computes the course's progress anew (decisions 34, 35).
 * For lessons that are passed rather than marked, their feature calls this after `lockEnrollment` in the transaction
 * of the verdict.
 *
 * @param score percent, where the lesson has one; the best counts
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
  const [progressRow] = await tx
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
    .returning({ completedAt: lessonProgress.completedAt });
  const awarded = await tx
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
    .returning({ points: pointsLedger.points });
  const enrollment = await refreshEnrollment(tx, userId, courseId, lessonId);
  return {
    courseId,
    lessonId,
    completed: true,
    completedAt: progressRow!.completedAt!.toISOString(),
    pointsAwarded: awarded[0]?.points ?? 0,
    ...enrollment,
  };
}

/** Computes progress, points and level from what is recorded; the caller holds the enrollment's lock. */
async function refreshEnrollment(tx: Tx, userId: number, courseId: number, lessonId: number) {
  const outline = await tx
    .select({
      id: lessons.id,
      requiredToComplete: lessons.requiredToComplete,
      points: lessons.points,
      completed: sql<boolean>`coalesce(${lessonProgress.completed}, false)`,
      awarded: sql<number>`coalesce(${pointsLedger.points}, 0)`,
    })
    .from(lessons)
    .leftJoin(lessonProgress, and(eq(lessonProgress.lessonId, lessons.id), eq(lessonProgress.userId, userId)))
    .leftJoin(pointsLedger, and(eq(pointsLedger.lessonId, lessons.id), eq(pointsLedger.userId, userId)))
    .where(eq(lessons.courseId, courseId));
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
      // Kept when lessons are added later (decision 34).
      ...(progress >= 100 ? { completedAt: sql`coalesce(${enrollments.completedAt}, now())` } : {}),
    })
    .where(and(eq(enrollments.userId, userId), eq(enrollments.courseId, courseId)))
    .returning({ completedAt: enrollments.completedAt });
  return { progress, totalPoints, skillLevel, courseCompletedAt: row?.completedAt?.toISOString() ?? null };
}

/** A user's progress and points by course, with every lesson they have touched (decision 40). */
export async function listProgress(userId: number) {
  const [rows, touched] = await Promise.all([
    enrollmentsOfUser().execute({ userId }),
    db()
      .select({
        courseId: lessonProgress.courseId,
        lessonId: lessonProgress.lessonId,
        completed: lessonProgress.completed,
        timeSpent: lessonProgress.timeSpent,
        completedAt: lessonProgress.completedAt,
        score: lessonProgress.score,
        attempts: lessonProgress.attempts,
        notes: lessonProgress.notes,
        points: sql<number>`coalesce(${pointsLedger.points}, 0)`,
      })
      .from(lessonProgress)
      .leftJoin(
        pointsLedger,
        and(
          eq(pointsLedger.lessonId, lessonProgress.lessonId),
          eq(pointsLedger.userId, lessonProgress.userId),
        ),
      )
      .where(eq(lessonProgress.userId, userId))
      .orderBy(asc(lessonProgress.lessonId)),
  ]);
  const byCourse = Map.groupBy(touched, ({ courseId }) => courseId);
  return rows.map(({ courseId, progress, totalPoints, skillLevel }) => ({
    courseId,
    progress,
    totalPoints,
    skillLevel,
    lessons: (byCourse.get(courseId) ?? []).map(({ courseId: _, completedAt, ...lesson }) => ({
      ...lesson,
      completedAt: completedAt?.toISOString() ?? null,
    })),
  }));
}
