import { ruling } from './rulings.server.ts';
import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { closedLesson, givesAccess } from '#src/features/catalogue/access.server.ts';
import type { Closed } from '#src/features/lessons/opening.ts';
import { prepared } from '#db/client.ts';
import { jsonArray, jsonFields, preparedJson } from '#db/json.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { enrollments, lessonProgress } from '#db/schema/learn.ts';
import type { LessonOutline } from '#src/features/catalogue/catalogue.ts';
import { lessonToOpen, type NextStep } from './learn.ts';
import { lessonAfter, lessonHref, type LessonPlace } from './lesson-place.ts';
import type { EnrollmentModel } from '#src/features/learn/schema.ts';
import { changedSince, enrollmentRows, isCompleted, isExcused } from './enrollments.server.ts';

export type Step = {
  id: number;
  title: string;
  type: LessonOutline['type'];
  points: number;
  completed: boolean;
  excused: boolean;
  closed: Closed | null;
  /** ISO; set until the learner has seen the new version. */
  changedAt: string | null;
};

/** SQL: of the placeholder `userId`. */
export function stepsOf(courseId: SQLWrapper): SQL {
  return jsonArray(sql`
    select ${jsonFields({
      id: lessons.id,
      title: lessons.title,
      type: lessons.type,
      points: lessons.points,
      changedAt: changedSince,
      completed: isCompleted,
      excused: isExcused,
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

/** The latest studied or bought one that is not finished. */
const courseToContinue = (owned: readonly EnrollmentModel[]) => owned.find(({ progress }) => progress < 100);

/** SQL: its id, of the placeholder `userId`. */
export const courseIdToContinue = sql`(
  select ${enrollments.courseId} from ${enrollments}
  where ${givesAccess(sql.placeholder('userId'))} and ${enrollments.progress} < 100
  order by coalesce(${enrollments.lastAccessedAt}, ${enrollments.enrolledAt}) desc, ${enrollments.id} desc limit 1)`;

/**
 * The last lesson of the latest unfinished course (decision 41), or the first of one bought since (decision 62).
 * @param owned latest studied first
 */
export async function findNextStep(
  userId: number,
  owned: readonly EnrollmentModel[],
): Promise<NextStep | null> {
  const last = courseToContinue(owned);
  if (!last) return null;
  const [row] = await stepsOfLearner({ userId, courseId: last.courseId, lessonId: null });
  return nextStep(owned, row!.steps);
}

export function nextStep(owned: readonly EnrollmentModel[], steps: readonly Step[]): NextStep | null {
  const last = courseToContinue(owned);
  if (!last) return null;
  const done = new Set(steps.flatMap(({ id, completed, excused }) => (completed || excused ? [id] : [])));
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

const lessonId = sql.placeholder('lessonId');

/** Of the placeholders `userId` and `lessonId`, for rows of `lessons` with the learner's enrollment and progress. */
export const placeColumns = {
  ruling,
  id: lessons.id,
  courseId: lessons.courseId,
  points: lessons.points,
  progress: enrollments.progress,
  lessonCount: sql<number>`(select count(*)::int from lessons one where one.course_id = ${lessons.courseId})`,
  position: sql<number>`(select count(*)::int from lessons one
    where one.course_id = ${lessons.courseId} and (one."order", one.id) <= (${lessons.order}, ${lessons.id}))`,
  steps: stepsOf(sql`(select one.course_id from lessons one where one.id = ${lessonId})`) as SQL<Step[]>,
};

type PlaceRow = Pick<LessonPlace, 'lessonCount' | 'position' | 'points' | 'ruling'> & {
  id: number;
  courseId: number;
  progress: number | null;
  steps: Step[];
};

/** Without an enrollment there are no neighbors. */
export function placeIn(row: PlaceRow): LessonPlace {
  const { id, courseId, steps, progress, points, position, lessonCount } = row;
  const at = steps.findIndex((step) => step.id === id);
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
    position,
    lessonCount,
    progress: progress ?? 0,
    points,
    changedAt: steps[at]?.changedAt ?? null,
    // A former learner has none.
    ruling: progress === null ? null : row.ruling,
    previous: previous && { title: previous.title, href: previous.href },
    next: neighbor(lessonAfter(steps, id, ({ completed, closed }) => !completed && !closed)),
  };
}

const placeOfLearner = prepared((database) =>
  database
    .select(placeColumns)
    .from(lessons)
    .innerJoin(enrollments, givesAccess(sql.placeholder('userId'), lessons.courseId))
    .leftJoin(
      lessonProgress,
      and(eq(lessonProgress.lessonId, lessons.id), eq(lessonProgress.userId, enrollments.userId)),
    )
    .where(eq(lessons.id, lessonId))
    .prepare('place_of_learner'),
);

export async function placeOfLesson(userId: number, lessonId: number): Promise<LessonPlace | null> {
  const [row] = await placeOfLearner().execute({ userId, lessonId });
  return row ? placeIn(row) : null;
}

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

/** Spec 2; latest studied first. */
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
