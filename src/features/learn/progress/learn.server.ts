import { and, asc, desc, eq, isNull, lt, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import {
  ACCESS_STATUS,
  closedLesson,
  closedLessonIds,
  givesAccess,
  requireOpen,
} from '#src/features/catalogue/access.server.ts';
import type { Closed } from '#src/features/lessons/opening.ts';
import { db, type Executor, prepared, type Tx } from '#db/client.ts';
import { jsonArray, jsonFields, jsonObject, jsonTime, preparedJson } from '#db/json.ts';
import { users } from '#db/schema/account.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import {
  certificates,
  courseNews,
  enrollments,
  lessonProgress,
  pointsLedger,
  studyClocks,
  studyDays,
} from '#db/schema/learn.ts';
import { LESSON_NOT_FOUND, type LessonOutline } from '#src/features/catalogue/catalogue.ts';
import type { LessonModel } from '#src/features/catalogue/schema.ts';
import {
  findCourse,
  lessonBodies,
  outlineColumns,
  type Viewer,
} from '#src/features/catalogue/catalogue.server.ts';
import { lessonQuestions } from '#db/schema/questions.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { recordLearner } from '#src/server/webhooks/events.ts';
import { AppError } from '#src/shared/errors.ts';
import { firstStreakDay, STREAK_DAYS, type StudyDay, studyRecordOf } from './activity.ts';
import {
  certificateNumbers,
  issueCertificates,
} from '#src/features/learn/certificates/certificates.server.ts';
import { certificateState } from '#src/features/learn/certificates/certificates.ts';
import { type CourseChange, lessonToOpen, type NextStep, progressPercent, skillLevelFor } from './learn.ts';
import { startReviewing } from '#src/features/learn/review/review-items.server.ts';
import { refusalOf } from '#src/features/store/orders/ended-access.server.ts';
import { pointsLevel } from './points.ts';
import { lessonAfter, lessonHref, type LessonPlace } from './lesson-place.ts';
import type {
  CourseProgress,
  EnrollmentModel,
  EnrollmentWithContentModel,
  LessonCompletion,
} from '#src/features/learn/schema.ts';
import { bodyColumns } from '#src/features/lessons/lesson-store.server.ts';
import { has, isDoneByPassing, markRefusal, PLAYED_COLUMNS } from '#src/features/lessons/registry.ts';
import { watchedPercent } from '#src/features/lessons/types/video/watching.ts';
import { pick } from '#src/shared/pick.ts';

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

/**
 * The outline of an enrollment's course with what its learner has done of it, made into one value by the database: a row
 * for each lesson costs several times as much to take over, and a learner may own hundreds.
 */
function outlineOf<T>(fields: Record<string, SQLWrapper>): SQL<T[]> {
  return jsonArray(sql`
    select ${jsonFields(fields)}
    from ${lessons}
    left join ${lessonProgress}
      on ${lessonProgress.lessonId} = ${lessons.id} and ${lessonProgress.userId} = ${enrollments.userId}
    where ${lessons.courseId} = ${enrollments.courseId}
    order by ${lessons.order}, ${lessons.id}`) as SQL<T[]>;
}

const isCompleted = sql<boolean>`coalesce(${lessonProgress.completed}, false)`;

const viewedLesson = {
  id: lessons.id,
  title: lessons.title,
  section: lessons.section,
  type: lessons.type,
  duration: lessons.duration,
  requiredToComplete: lessons.requiredToComplete,
  points: lessons.points,
  completed: isCompleted,
};

/** SQL: since when a lesson is another one than its learner completed; null where they have seen that, or it is the same. */
const changedSince = sql`case when ${isCompleted} and ${lessons.changedAt} > ${lessonProgress.completedAt}
  and ${lessonProgress.seenChangeAt} is distinct from ${lessons.changedAt} then ${jsonTime(lessons.changedAt)} end`;

const { course: courseColumns, ...ownEnrollmentColumns } = enrollmentColumns;

/**
 * SQL: a user's active enrollments as `EnrollmentModel`, the one studied last first; the user is the placeholder `userId`.
 *
 * @param more further fields of each
 * @param ofCourse further fields of its course
 */
function enrollmentRows(
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

/** The same with the outline of each course's lessons and which of them are done (spec 7). */
export function listEnrollmentsWithContent(userId: number): Promise<EnrollmentWithContentModel[]> {
  return enrollmentsWithContent({ userId });
}

/** What of a lesson everybody may know. */
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

/** Seconds without a sign of life after which a tab counts as closed: three of its reports were due by then. */
export const TAB_GONE_SECONDS = 90;
/** Seconds for which a page view does not move `lastAccessedAt` again: a reload must not cost a write. */
const PLACE_FRESH_SECONDS = 30;

const secondsAgo = (count: number) => sql`now() - make_interval(secs => ${sql.raw(String(count))})`;

/** What the viewer needs of the open lesson; the query has `lessons`, and `lesson_progress` of its learner beside it. */
const openedLesson = {
  lesson: {
    ...outlineColumns,
    ...pick(lessons, ['content', 'instructions', 'fileSize', 'mimeType', ...PLAYED_COLUMNS]),
  },
  ofLearner: {
    // The join's other columns may be null by themselves.
    lessonId: lessonProgress.lessonId,
    score: lessonProgress.score,
    timeSpent: lessonProgress.timeSpent,
    notes: lessonProgress.notes,
    notesVersion: lessonProgress.notesVersion,
    videoPosition: lessonProgress.videoPosition,
    watchedIntervals: lessonProgress.watchedIntervals,
  },
  watchIsStale: sql<boolean>`coalesce(${lessonProgress.watchedAt} < ${secondsAgo(TAB_GONE_SECONDS)}, true)`,
};

const seatInCourse = prepared((database) =>
  database
    .select({
      ...enrollmentColumns,
      certificateNumber: certificates.certificateNumber,
      newsCount: sql<number>`(select count(*)::int from ${courseNews} where ${courseNews.courseId} = ${courses.id} and ${courseNews.sentAt} is not null)`,
      outline: outlineOf<ViewedLesson>({ ...viewedLesson, closed: closedLesson, changedAt: changedSince }).as(
        'outline',
      ),
      /** Where they are has to be written down again. */
      placeIsStale: sql<boolean>`coalesce(${enrollments.lastAccessedAt} < ${secondsAgo(PLACE_FRESH_SECONDS)}, true)`,
      /** No open tab counts time for them. */
      clockIsStale: sql<boolean>`coalesce(${studyClocks.countedUntil} < ${secondsAgo(TAB_GONE_SECONDS)}, true)`,
      ...openedLesson,
    })
    .from(enrollments)
    .innerJoin(courses, eq(courses.id, enrollments.courseId))
    .leftJoin(studyClocks, eq(studyClocks.userId, enrollments.userId))
    .leftJoin(
      lessons,
      and(
        eq(lessons.courseId, enrollments.courseId),
        eq(lessons.id, sql`coalesce(${sql.placeholder('lessonId')}::int, ${enrollments.currentLessonId})`),
      ),
    )
    .leftJoin(
      lessonProgress,
      and(eq(lessonProgress.lessonId, lessons.id), eq(lessonProgress.userId, enrollments.userId)),
    )
    .leftJoin(
      certificates,
      and(eq(certificates.userId, enrollments.userId), eq(certificates.courseId, enrollments.courseId)),
    )
    .where(givesAccess(sql.placeholder('userId'), sql.placeholder('courseId')))
    .prepare('seat_in_course'),
);

/** A lesson in the list beside the open one. */
export type ViewedLesson = Pick<
  LessonOutline,
  'id' | 'title' | 'section' | 'type' | 'duration' | 'requiredToComplete' | 'points'
> & {
  completed: boolean;
  closed: Closed | null;
  /** Since when it is a new version of what its learner completed, until they have seen it. */
  changedAt: string | null;
};

/** What the viewer needs of a course: its outline and what is done of it. */
export interface Classroom {
  enrollment: EnrollmentModel;
  lessons: ViewedLesson[];
  certificateNumber: string | null;
  /** What its authors have told its learners so far. */
  newsCount: number;
  /** What `openLesson` has to write down. */
  stale: { place: boolean; clock: boolean };
  /** The lesson that most likely is opened next, read along. */
  atHand: LessonRow | null;
}

/**
 * The course as its learner sees it; null where this user has no active enrollment, whoever they are.
 *
 * @param lessonId the lesson that is asked for, if any
 */
export async function findClassroom(
  user: NonNullable<Viewer>,
  courseId: number,
  lessonId: number | null = null,
): Promise<Classroom | null> {
  const [row] = await seatInCourse().execute({ userId: user.id, courseId, lessonId });
  if (!row) return null;
  const { certificateNumber, newsCount, placeIsStale, clockIsStale, outline, ...rest } = row;
  const { lesson, ofLearner, watchIsStale, ...enrollment } = rest;
  return {
    enrollment: toEnrollmentModel(enrollment),
    lessons: outline,
    certificateNumber,
    newsCount,
    stale: { place: placeIsStale, clock: clockIsStale },
    atHand: lesson && { lesson, ofLearner, watchIsStale },
  };
}

const lessonForLearner = prepared((database) =>
  database
    .select(openedLesson)
    .from(lessons)
    .leftJoin(
      lessonProgress,
      and(eq(lessonProgress.lessonId, lessons.id), eq(lessonProgress.userId, sql.placeholder('userId'))),
    )
    .where(
      and(eq(lessons.id, sql.placeholder('lessonId')), eq(lessons.courseId, sql.placeholder('courseId'))),
    )
    .prepare('lesson_for_learner'),
);

type LessonRow = Awaited<ReturnType<ReturnType<typeof lessonForLearner>['execute']>>[number];

/** A lesson that its learner has opened, with what is kept of their work on it. */
export type OpenedLesson = LessonRow['lesson'] & {
  /** Seconds. */
  timeSpent: number;
  score: number | null;
  notes: string;
  notesVersion: number;
  videoPosition: number;
  watchedPercent: number | null;
};

/**
 * Opens a lesson for its learner: gives its body, keeps where they are (decision 34), and starts the clock by which
 * later reports of time and watching are measured. The caller has found the classroom; null for a lesson of another
 * course.
 *
 * @param stale what of it has to be written, as the classroom knows
 * @param atHand a lesson that the classroom has read along
 */
export async function openLesson(
  userId: number,
  courseId: number,
  lessonId: number,
  stale: Classroom['stale'] = { place: true, clock: true },
  atHand: Classroom['atHand'] = null,
): Promise<OpenedLesson | null> {
  const row =
    atHand?.lesson.id === lessonId
      ? atHand
      : (await lessonForLearner().execute({ userId, courseId, lessonId }))[0];
  if (!row) return null;
  const { lesson, ofLearner: progress, watchIsStale } = row;
  const isVideo = has(lesson.type, 'watchRequired');
  await Promise.all([
    stale.place ? keepPlace(userId, courseId, lessonId) : null,
    stale.clock ? startStudyClock(userId) : null,
    !progress || (isVideo && watchIsStale) ? startLesson(userId, courseId, lessonId, isVideo) : null,
  ]);
  return {
    ...lesson,
    timeSpent: progress?.timeSpent ?? 0,
    score: progress?.score ?? null,
    notes: progress?.notes ?? '',
    notesVersion: progress?.notesVersion ?? 0,
    videoPosition: progress?.videoPosition ?? 0,
    watchedPercent: isVideo ? watchedPercent(progress?.watchedIntervals ?? [], lesson.durationSeconds) : null,
  };
}

/**
 * Notes that a learner has been told that a lesson is another one than they completed.
 *
 * @param changedAt as the classroom gave it: a newer change is still to be told
 */
export async function seeChange(userId: number, lessonId: number, changedAt: string): Promise<void> {
  await db()
    .update(lessonProgress)
    .set({ seenChangeAt: new Date(changedAt) })
    .where(and(eq(lessonProgress.userId, userId), eq(lessonProgress.lessonId, lessonId)));
}

async function keepPlace(userId: number, courseId: number, lessonId: number): Promise<void> {
  await db()
    .update(enrollments)
    .set({ currentLessonId: lessonId, lastAccessedAt: sql`now()` })
    .where(givesAccess(userId, courseId));
}

async function startStudyClock(userId: number): Promise<void> {
  await db()
    .insert(studyClocks)
    .values({ userId })
    .onConflictDoUpdate({
      target: studyClocks.userId,
      set: { countedUntil: sql`now()` },
      setWhere: lt(studyClocks.countedUntil, secondsAgo(TAB_GONE_SECONDS)),
    });
}

async function startLesson(
  userId: number,
  courseId: number,
  lessonId: number,
  isVideo: boolean,
): Promise<void> {
  await db()
    .insert(lessonProgress)
    .values({ userId, courseId, lessonId, ...(isVideo && { watchedAt: sql`now()` }) })
    .onConflictDoUpdate({
      target: [lessonProgress.userId, lessonProgress.lessonId],
      set: { watchedAt: sql`now()` },
      setWhere: and(
        sql`${isVideo}`,
        or(isNull(lessonProgress.watchedAt), lt(lessonProgress.watchedAt, secondsAgo(TAB_GONE_SECONDS))),
      ),
    });
}

type Step = {
  id: number;
  title: string;
  type: LessonOutline['type'];
  points: number;
  completed: boolean;
  closed: Closed | null;
  /** When it became another one than this learner completed, until they are told; ISO. */
  changedAt: string | null;
};

/** SQL: the lessons of a course as steps of the user whom the placeholder `userId` names. */
function stepsOf(courseId: SQLWrapper): SQL {
  return jsonArray(sql`
    select ${jsonFields({
      id: lessons.id,
      title: lessons.title,
      type: lessons.type,
      points: lessons.points,
      changedAt: changedSince,
      completed: isCompleted,
      closed: closedLesson,
    })}
    from ${lessons}
    inner join ${enrollments} on ${givesAccess(sql.placeholder('userId'), lessons.courseId)}
    left join ${lessonProgress}
      on ${lessonProgress.lessonId} = ${lessons.id} and ${lessonProgress.userId} = ${sql.placeholder('userId')}
    where ${lessons.courseId} = ${courseId}
    order by ${lessons.order}, ${lessons.id}`);
}

const stepsOfLearner = preparedJson<{ steps: Step[] }>(
  'steps_of_learner',
  sql`select ${jsonFields({ steps: stepsOf(sql.placeholder('courseId')) })}`,
);

/** The course where a learner goes on: the one studied or bought last that is not finished. */
const courseToContinue = (owned: readonly EnrollmentModel[]) => owned.find(({ progress }) => progress < 100);

/** SQL: the id of the same course, of the user whom the placeholder `userId` names. */
const courseIdToContinue = sql`(
  select ${enrollments.courseId} from ${enrollments}
  where ${givesAccess(sql.placeholder('userId'))} and ${enrollments.progress} < 100
  order by coalesce(${enrollments.lastAccessedAt}, ${enrollments.enrolledAt}) desc, ${enrollments.id} desc limit 1)`;

/**
 * Where a learner goes on: the last lesson of the course that they studied last and have not finished (decision 41), or
 * the first one of a course that they bought since (decision 62). Null when all is done.
 *
 * @param owned their enrollments, the one studied last first
 */
export async function findNextStep(
  userId: number,
  owned: readonly EnrollmentModel[],
): Promise<NextStep | null> {
  const last = courseToContinue(owned);
  if (!last) return null;
  const [row] = await stepsOfLearner({ userId, courseId: last.courseId });
  return nextStep(owned, row!.steps);
}

/** The same for steps that were read along with the enrollments. */
function nextStep(owned: readonly EnrollmentModel[], steps: readonly Step[]): NextStep | null {
  const last = courseToContinue(owned);
  if (!last) return null;
  const done = new Set(steps.flatMap(({ id, completed }) => (completed ? [id] : [])));
  const lesson = lessonToOpen(steps, done, last.currentLessonId);
  if (!lesson) return null;
  return {
    isNew: last.lastAccessedAt === null,
    courseId: last.courseId,
    courseTitle: last.course.title,
    thumbnail: last.course.thumbnail,
    progress: last.progress,
    lessonId: lesson.id,
    lessonTitle: lesson.title,
    lessonType: lesson.type,
    place: steps.indexOf(lesson) + 1,
    lessonCount: steps.length,
  };
}

/** Where a lesson stands in the course of somebody enrolled in it, and what is before and after it. */
export async function placeOfLesson(
  userId: number,
  courseId: number,
  lessonId: number,
): Promise<LessonPlace> {
  const [row] = await stepsOfLearner({ userId, courseId });
  const { steps } = row!;
  const at = steps.findIndex(({ id }) => id === lessonId);
  const neighbor = (step: Step | null | undefined) =>
    step
      ? {
          title: step.title,
          href: lessonHref(courseId, step),
          ...(steps.indexOf(step) < at && { isBefore: true }),
        }
      : null;
  const previous = neighbor(steps[at - 1]);
  return {
    position: at + 1,
    lessonCount: steps.length,
    points: steps[at]?.points ?? 0,
    changedAt: steps[at]?.changedAt ?? null,
    previous: previous && { title: previous.title, href: previous.href },
    next: neighbor(lessonAfter(steps, lessonId, ({ completed, closed }) => !completed && !closed)),
  };
}

/** An enrollment with how many lessons its course has and how many of them its learner has done. */
export type EnrollmentCard = EnrollmentModel & { lessonCount: number; doneCount: number };

const coursesPage = preparedJson<{
  owned: (EnrollmentModel & { counts: [number, number] })[];
  steps: Step[];
}>(
  'courses_page',
  sql`select ${jsonFields({
    owned: jsonArray(
      enrollmentRows({
        counts: sql`(
          select json_build_array(count(*), count(*) filter (where ${lessonProgress.completed}))
          from ${lessons}
          left join ${lessonProgress}
            on ${lessonProgress.lessonId} = ${lessons.id} and ${lessonProgress.userId} = ${enrollments.userId}
          where ${lessons.courseId} = ${enrollments.courseId})`,
      }),
    ),
    steps: stepsOf(courseIdToContinue),
  })}`,
);

/** What /my-courses shows: a user's active enrollments, the one studied last first, and where they go on (spec 2). */
export async function readCoursesPage(
  userId: number,
): Promise<{ owned: EnrollmentCard[]; next: NextStep | null }> {
  const [row] = await coursesPage({ userId });
  const owned = row!.owned.map(({ counts: [lessonCount, doneCount], ...enrollment }) => ({
    ...enrollment,
    lessonCount,
    doneCount,
  }));
  return { owned, next: nextStep(owned, row!.steps) };
}

/** Days for which news are new, and how many changes are shown. */
const NEWS_DAYS = 14;
const CHANGES_SHOWN = 4;

/** SQL: what is new in the courses of the user whom the placeholder `userId` names, the newest first. */
function changesForLearner(): SQL {
  const fields = (
    kind: CourseChange['kind'],
    { id, lessonId, title, at }: Record<'id' | 'lessonId' | 'title' | 'at', SQLWrapper>,
  ) => sql`
    ${sql.raw(`'${kind}'`)} as kind, ${id} as id, ${lessonId} as "lessonId", ${title} as title,
    ${courses.id} as "courseId", ${courses.title} as "courseTitle", ${at} as at`;
  const isNews = (at: SQLWrapper) =>
    sql`${at} > now() - make_interval(days => ${sql.raw(String(NEWS_DAYS))})`;
  const ofLesson = { lessonId: lessons.id, title: lessons.title };
  return sql`(
    select coalesce(json_agg(change order by change.at desc), '[]') from (
      select * from (
        select ${fields('news', { id: courseNews.id, lessonId: sql`null::int`, title: courseNews.title, at: courseNews.sentAt })}
        from ${courseNews}
        inner join ${courses} on ${courses.id} = ${courseNews.courseId}
        inner join ${enrollments} on ${givesAccess(sql.placeholder('userId'), courseNews.courseId)}
        where ${isNews(courseNews.sentAt)}
          and ${courseNews.sentAt} >= ${enrollments.enrolledAt}
        union all
        select ${fields('lesson', { ...ofLesson, id: lessons.id, at: lessons.changedAt })}
        from ${lessonProgress}
        inner join ${lessons} on ${lessons.id} = ${lessonProgress.lessonId}
        inner join ${courses} on ${courses.id} = ${lessons.courseId}
        inner join ${enrollments} on ${givesAccess(sql.placeholder('userId'), lessons.courseId)}
        where ${lessonProgress.userId} = ${sql.placeholder('userId')} and ${changedSince} is not null
        union all
        select ${fields('answer', { ...ofLesson, id: lessonQuestions.id, at: lessonQuestions.answeredAt })}
        from ${lessonQuestions}
        inner join ${lessons} on ${lessons.id} = ${lessonQuestions.lessonId}
        inner join ${courses} on ${courses.id} = ${lessons.courseId}
        inner join ${enrollments} on ${givesAccess(sql.placeholder('userId'), lessons.courseId)}
        where ${lessonQuestions.userId} = ${sql.placeholder('userId')} and ${lessonQuestions.hiddenAt} is null
          and ${isNews(lessonQuestions.answeredAt)}
      ) as every
      order by at desc limit ${sql.raw(String(CHANGES_SHOWN))}
    ) as change)`;
}

const dashboardOfLearner = preparedJson<{
  owned: EnrollmentModel[];
  steps: Step[];
  days: StudyDay[];
  certificates: OwnCertificate[];
  weeklyMail: boolean | null;
  weeklyGoal: number | null;
  points: number;
  changes: CourseChange[];
}>(
  'dashboard_of_learner',
  sql`select ${jsonFields({
    owned: jsonArray(enrollmentRows()),
    steps: stepsOf(courseIdToContinue),
    days: jsonArray(sql`
      select ${jsonFields({
        day: studyDays.day,
        seconds: studyDays.seconds,
        lessonsCompleted: studyDays.lessonsCompleted,
      })}
      from ${studyDays}
      where ${studyDays.userId} = ${sql.placeholder('userId')} and ${studyDays.day} >= ${sql.placeholder('since')}
      order by ${studyDays.day} desc limit ${sql.raw(String(STREAK_DAYS))}`),
    certificates: jsonArray(sql`
      select ${jsonFields({
        number: certificates.certificateNumber,
        courseTitle: certificates.courseTitle,
        issuedAt: jsonTime(certificates.issuedAt),
        validUntil: jsonTime(certificates.validUntil),
        revokedAt: jsonTime(certificates.revokedAt),
      })}
      from ${certificates}
      where ${certificates.userId} = ${sql.placeholder('userId')}
      order by ${certificates.issuedAt} desc, ${certificates.id} desc`),
    weeklyMail: sql`(select ${users.weeklyMail} from ${users} where ${users.id} = ${sql.placeholder('userId')})`,
    weeklyGoal: sql`(select ${users.weeklyGoal} from ${users} where ${users.id} = ${sql.placeholder('userId')})`,
    points: sql`(
      select coalesce(sum(${pointsLedger.points}), 0)::int from ${pointsLedger}
      where ${pointsLedger.userId} = ${sql.placeholder('userId')})`,
    changes: changesForLearner(),
  })}`,
);

/** Sets on how many days of a week a user wants to study. */
export async function setWeeklyGoal(userId: number, days: number): Promise<{ days: number }> {
  await db().update(users).set({ weeklyGoal: days }).where(eq(users.id, userId));
  return { days };
}

/** A certificate as its owner's list has it; moments as ISO text. */
interface OwnCertificate {
  number: string;
  courseTitle: string;
  issuedAt: string;
  validUntil: string | null;
  revokedAt: string | null;
}

/**
 * What the dashboard shows of a user's learning (spec 2), in one query; certificates of courses that they lost access to
 * included.
 */
export async function readDashboard(userId: number, now = new Date()) {
  const [row] = await dashboardOfLearner({ userId, since: firstStreakDay(now) });
  const { owned, steps, days, weeklyMail } = row!;
  const moment = (iso: string | null) => (iso === null ? null : new Date(iso));
  return {
    enrollments: owned,
    next: nextStep(owned, steps),
    record: studyRecordOf(days, now),
    certificates: row!.certificates.map((one) => {
      const ends = { validUntil: moment(one.validUntil), revokedAt: moment(one.revokedAt) };
      return { ...one, ...ends, issuedAt: new Date(one.issuedAt), state: certificateState(ends, now) };
    }),
    weeklyMail: weeklyMail ?? false,
    weeklyGoal: row!.weeklyGoal ?? 3,
    points: pointsLevel(row!.points),
    changes: row!.changes,
  };
}

const lessonNotFound = () => new AppError('not_found', LESSON_NOT_FOUND);

/** A lesson as it is found for a change by its learner. */
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

/**
 * A lesson of a course in which the user is enrolled.
 *
 * @throws {AppError} not_found for any other, with the text of spec 8 (decision 32, fault I3); forbidden for one that is
 *   not open to them yet
 */
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
 * The same for a change: takes the lock of `lockEnrollment` first.
 *
 * @throws {AppError} not_found as `getLearnersLesson`
 */
export async function lockLearnersLesson(tx: Tx, userId: number, lessonId: number): Promise<LearnersLesson> {
  const lesson = await getLearnersLesson(userId, lessonId, tx);
  if (!(await lockEnrollment(tx, userId, lesson.courseId))) {
    throw await refusalOf(userId, { lessonId }, lessonNotFound(), tx);
  }
  return lesson;
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
  const usual = new AppError('forbidden', 'You are not enrolled in this course.');
  throw await refusalOf(user.id, { courseId }, usual);
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
    .where(givesAccess(userId, courseId))
    .for('update');
  return rows.length > 0;
}

/** Whether a lesson has something to pass, so that nobody marks it complete (decision 33). */
export async function isPassedInstead(lessonId: number, executor: Executor = db()): Promise<boolean> {
  const [lesson] = await executor.select(bodyColumns).from(lessons).where(eq(lessons.id, lessonId));
  return lesson !== undefined && isDoneByPassing(lesson.type, lesson);
}

/** Refuses lessons that Mark Complete may not finish (decision 33). */
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
  // Sent together, in whichever order: none of these waits for an answer of another.
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
    startReviewing(tx, userId, lessonId),
  ]);
  const outline = before.map((lesson) =>
    lesson.id === lessonId
      ? { ...lesson, completed: true, awarded: awarded[0]?.points ?? lesson.awarded }
      : lesson,
  );
  const [{ certificateIssued, ...enrollment }] = await Promise.all([
    refreshEnrollment(tx, userId, courseId, lessonId, outline),
    // The ledger knows whether it is the first time ever.
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

/** The number of the certificate of who has completed a course, which is issued where there is none. */
async function certificateOf(
  tx: Tx,
  userId: number,
  courseId: number,
  isIssued: boolean,
): Promise<string | null> {
  const known = isIssued ? await certificateNumbers(tx, courseId, [userId]) : null;
  return known?.get(userId) ?? (await issueCertificates(tx, courseId, [userId])).get(userId) ?? null;
}

/** Adds to what a learner did today, in UTC. */
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
 * Brings the progress, points and level of everybody in a course up to date after its lessons were added, removed or
 * changed (fault S6). Who had completed the course keeps `completedAt` and the certificate, whatever the percentage is
 * now; whoever reaches 100 % because a lesson went away completes it now and gets a certificate. Gives the latter's user
 * ids.
 *
 * For a removed lesson it is called after the deletion, in the same transaction.
 */
export async function recomputeCourse(tx: Tx, courseId: number): Promise<number[]> {
  // In one order, so that two of these never wait for each other crosswise; completions wait for it or it for them.
  await tx
    .select({ id: enrollments.id })
    .from(enrollments)
    .where(eq(enrollments.courseId, courseId))
    .orderBy(asc(enrollments.id))
    .for('update');
  const rows = await tx.execute<{ user_id: number; newly: boolean }>(sql`
    with counted as (
      select l.id, l.points
      from lessons l
      where l.course_id = ${courseId}
        and (l.required_to_complete or not exists (
          select 1 from lessons r where r.course_id = ${courseId} and r.required_to_complete))
    ), share as (
      select e.id, e.completed_at is null as open,
        (select count(*) from counted) as total,
        (select count(*) from counted c join lesson_progress p on p.lesson_id = c.id and p.user_id = e.user_id
          where p.completed) as done,
        (select coalesce(sum(pl.points), 0) from points_ledger pl
          where pl.user_id = e.user_id and pl.course_id = ${courseId}) as points,
        (select coalesce(sum(l.points), 0) from lessons l where l.course_id = ${courseId}) as all_points
      from enrollments e where e.course_id = ${courseId}
    ), figures as (
      select id, open, points,
        case when total = 0 then 0 else floor(100 * done / total) end as progress,
        case when all_points = 0 or 100 * points < 40 * all_points then 'beginner'
          when 100 * points < 80 * all_points then 'intermediate' else 'advanced' end as level
      from share
    )
    update enrollments e
    set progress = f.progress, total_points = f.points, skill_level = f.level::course_level,
      completed_at = case when f.progress >= 100 then coalesce(e.completed_at, now()) else e.completed_at end
    from figures f where f.id = e.id
    returning e.user_id, f.open and f.progress >= 100 and e.status = ${ACCESS_STATUS} as newly`);
  const completed = rows.flatMap(({ user_id, newly }) => (newly ? [user_id] : []));
  await issueCertificates(tx, courseId, completed);
  return completed;
}

/** The lessons of a course as they count for a learner: what is done of them and what it gave. */
function worthOfLessons(tx: Tx, userId: number, courseId: number) {
  return tx
    .select({
      id: lessons.id,
      requiredToComplete: lessons.requiredToComplete,
      points: lessons.points,
      completed: isCompleted,
      awarded: sql<number>`coalesce(${pointsLedger.points}, 0)`,
    })
    .from(lessons)
    .leftJoin(lessonProgress, and(eq(lessonProgress.lessonId, lessons.id), eq(lessonProgress.userId, userId)))
    .leftJoin(pointsLedger, and(eq(pointsLedger.lessonId, lessons.id), eq(pointsLedger.userId, userId)))
    .where(eq(lessons.courseId, courseId))
    .prepare('worth_of_lessons')
    .execute();
}

/** Keeps progress, points and level as the lessons give them; the caller holds the enrollment's lock. One statement. */
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
      // Kept when lessons are added later (decision 34).
      ...(progress >= 100 ? { completedAt: sql`coalesce(${enrollments.completedAt}, now())` } : {}),
    })
    .where(and(eq(enrollments.userId, userId), eq(enrollments.courseId, courseId)))
    .returning({ completedAt: enrollments.completedAt, certificateIssued: enrollments.certificateIssued })
    .prepare('refresh_enrollment')
    .execute();
  if (row?.completedAt) await recordLearner(tx, 'completed', { userId, courseId });
  return {
    progress,
    totalPoints,
    skillLevel,
    courseCompletedAt: row?.completedAt?.toISOString() ?? null,
    certificateIssued: row?.certificateIssued ?? false,
  };
}

const progressOfUser = preparedJson<CourseProgress>(
  'progress_of_user',
  sql`
    select ${jsonFields({
      courseId: enrollments.courseId,
      progress: enrollments.progress,
      totalPoints: enrollments.totalPoints,
      skillLevel: enrollments.skillLevel,
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

/** A user's progress and points by course, with every lesson they have touched (decision 40). */
export function listProgress(userId: number): Promise<CourseProgress[]> {
  return progressOfUser({ userId });
}
