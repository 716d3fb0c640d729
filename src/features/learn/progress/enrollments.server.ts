import { and, desc, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { closedLessonIds, givesAccess } from '#src/features/catalogue/access.server.ts';
import { prepared } from '#db/client.ts';
import { jsonArray, jsonFields, jsonObject, jsonTime, preparedJson } from '#db/json.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { certificates, enrollments, lessonProgress, pointsLedger } from '#db/schema/learn.ts';
import type { LessonModel } from '#src/features/catalogue/schema.ts';
import { lessonBodies, outlineColumns } from '#src/features/catalogue/catalogue.server.ts';
import { AppError } from '#src/shared/errors.ts';
import type {
  CourseProgress,
  EnrollmentModel,
  EnrollmentWithContentModel,
} from '#src/features/learn/schema.ts';

export const enrollmentColumns = {
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
    .where(givesAccess(sql.placeholder('userId')))
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
    .where(givesAccess(sql.placeholder('userId'), sql.placeholder('courseId')))
    .prepare('enrollment_in_course'),
);

type EnrollmentRow = Awaited<ReturnType<ReturnType<typeof enrollmentsOfUser>['execute']>>[number];

export function toEnrollmentModel(row: EnrollmentRow): EnrollmentModel {
  return {
    ...row,
    enrolledAt: row.enrolledAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
    lastAccessedAt: row.lastAccessedAt?.toISOString() ?? null,
  };
}

/** Active ones, latest studied first (spec 7). */
export async function listEnrollments(userId: number): Promise<EnrollmentModel[]> {
  return (await enrollmentsOfUser().execute({ userId })).map(toEnrollmentModel);
}

/** One JSON value: a row for each lesson is several times as slow for hundreds of courses. */
export function outlineOf<T>(fields: Record<string, SQLWrapper>): SQL<T[]> {
  return jsonArray(sql`
    select ${jsonFields(fields)}
    from ${lessons}
    left join ${lessonProgress}
      on ${lessonProgress.lessonId} = ${lessons.id} and ${lessonProgress.userId} = ${enrollments.userId}
    where ${lessons.courseId} = ${enrollments.courseId}
    order by ${lessons.order}, ${lessons.id}`) as SQL<T[]>;
}

export const isCompleted = sql<boolean>`coalesce(${lessonProgress.completed}, false)`;

/** SQL (decision 129). */
export const isExcused = sql<boolean>`(${lessonProgress.excusedAt} is not null)`;

export const viewedLesson = {
  id: lessons.id,
  title: lessons.title,
  section: lessons.section,
  type: lessons.type,
  duration: lessons.duration,
  requiredToComplete: lessons.requiredToComplete,
  points: lessons.points,
  completed: isCompleted,
};

/** SQL: when a completed lesson changed; null once the learner has seen it. */
export const changedSince = sql<
  string | null
>`case when ${isCompleted} and ${lessons.changedAt} > ${lessonProgress.completedAt}
  and ${lessonProgress.seenChangeAt} is distinct from ${lessons.changedAt} then ${jsonTime(lessons.changedAt)} end`;

const { course: courseColumns, ...ownEnrollmentColumns } = enrollmentColumns;

/**
 * SQL: `EnrollmentModel` rows of the placeholder `userId`, latest studied first.
 * @param more fields of each
 * @param ofCourse fields of its course
 */
export function enrollmentRows(
  more: Record<string, SQLWrapper> = {},
  ofCourse: Record<string, SQLWrapper> = {},
): SQL {
  return sql`
    select ${jsonFields({
      ...ownEnrollmentColumns,
      enrolledAt: jsonTime(enrollments.enrolledAt),
      completedAt: jsonTime(enrollments.completedAt),
      lastAccessedAt: jsonTime(enrollments.lastAccessedAt),
      course: jsonObject({ ...courseColumns, ...ofCourse }),
      ...more,
    })}
    from ${enrollments} inner join ${courses} on ${courses.id} = ${enrollments.courseId}
    where ${givesAccess(sql.placeholder('userId'))}
    order by coalesce(${enrollments.lastAccessedAt}, ${enrollments.enrolledAt}) desc, ${enrollments.id} desc`;
}

const outlineInAnswers = outlineOf({
  ...viewedLesson,
  courseId: lessons.courseId,
  order: lessons.order,
  difficulty: lessons.difficulty,
  isPreview: lessons.isPreview,
});

const enrollmentsWithContent = preparedJson<EnrollmentWithContentModel>(
  'enrollments_with_content',
  enrollmentRows({}, { content: outlineInAnswers }),
);

/** With each course's outline and what is done of it (spec 7). */
export function listEnrollmentsWithContent(userId: number): Promise<EnrollmentWithContentModel[]> {
  return enrollmentsWithContent({ userId });
}

function outlineAlone(lesson: LessonModel): LessonModel {
  return Object.fromEntries(
    Object.keys(outlineColumns).map((field) => [field, lesson[field as keyof LessonModel]]),
  ) as LessonModel;
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

export async function doneLessons(userId: number, courseId: number): Promise<Set<number>> {
  const rows = await doneInCourse().execute({ userId, courseId });
  return new Set(rows.map(({ lessonId }) => lessonId));
}

/**
 * With its lessons' bodies in order (spec 7).
 * @throws {AppError} not_found without an active enrollment (fault I4)
 */
export async function getEnrollment(userId: number, courseId: number): Promise<EnrollmentWithContentModel> {
  const [[row], bodies, done, closed] = await Promise.all([
    enrollmentInCourse().execute({ userId, courseId }),
    lessonBodies(courseId, true),
    doneLessons(userId, courseId),
    closedLessonIds(userId, courseId),
  ]);
  if (!row) throw new AppError('not_found', 'Course Not Found');
  const content = [...bodies.values()].map((lesson) => ({
    ...(closed.has(lesson.id) ? outlineAlone(lesson) : lesson),
    completed: done.has(lesson.id),
  }));
  return { ...toEnrollmentModel(row), course: { ...row.course, content } };
}

const progressOfUser = preparedJson<CourseProgress>(
  'progress_of_user',
  sql`
    select ${jsonFields({
      courseId: enrollments.courseId,
      progress: enrollments.progress,
      totalPoints: enrollments.totalPoints,
      skillLevel: enrollments.skillLevel,
      certificateNumber: sql`(
        select ${certificates.certificateNumber} from ${certificates}
        where ${certificates.userId} = ${enrollments.userId} and ${certificates.courseId} = ${enrollments.courseId})`,
      lessons: jsonArray(sql`
        select ${jsonFields({
          lessonId: lessonProgress.lessonId,
          completed: lessonProgress.completed,
          timeSpent: lessonProgress.timeSpent,
          completedAt: jsonTime(lessonProgress.completedAt),
          score: lessonProgress.score,
          attempts: lessonProgress.attempts,
          notes: lessonProgress.notes,
          points: sql`coalesce(${pointsLedger.points}, 0)`,
        })}
        from ${lessonProgress}
        left join ${pointsLedger}
          on ${pointsLedger.lessonId} = ${lessonProgress.lessonId} and ${pointsLedger.userId} = ${lessonProgress.userId}
        where ${lessonProgress.userId} = ${enrollments.userId} and ${lessonProgress.courseId} = ${enrollments.courseId}
        order by ${lessonProgress.lessonId}`),
    })}
    from ${enrollments}
    where ${givesAccess(sql.placeholder('userId'))}
    order by coalesce(${enrollments.lastAccessedAt}, ${enrollments.enrolledAt}) desc, ${enrollments.id} desc`,
);

/** By course, with each lesson that was touched (decision 40). */
export function listProgress(userId: number): Promise<CourseProgress[]> {
  return progressOfUser({ userId });
}
