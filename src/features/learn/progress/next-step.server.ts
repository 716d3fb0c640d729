import { ruling } from './rulings.server.ts';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { closedLesson, givesAccess } from '#src/features/catalogue/access.server.ts';
import type { Closed } from '#src/features/lessons/opening.ts';
import { jsonArray, jsonFields, preparedJson } from '#db/json.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { enrollments, lessonProgress } from '#db/schema/learn.ts';
import type { LessonOutline } from '#src/features/catalogue/catalogue.ts';
import { lessonToOpen, type NextStep, type Ruling } from './learn.ts';
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

const stepsOfLearner = preparedJson<{ steps: Step[]; progress: number | null; ruling: Ruling | null }>(
  'steps_of_learner',
  sql`select ${jsonFields({
    steps: stepsOf(sql.placeholder('courseId')),
    progress: sql`(
      select ${enrollments.progress} from ${enrollments}
      where ${givesAccess(sql.placeholder('userId'), sql.placeholder('courseId'))})`,
    ruling: sql`(
      select ${ruling} from ${lessonProgress}
      where ${lessonProgress.userId} = ${sql.placeholder('userId')}
        and ${lessonProgress.lessonId} = ${sql.placeholder('lessonId')}::int)`,
  })}`,
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

export async function placeOfLesson(
  userId: number,
  courseId: number,
  lessonId: number,
): Promise<LessonPlace> {
  const [row] = await stepsOfLearner({ userId, courseId, lessonId });
  const { steps, progress, ...ofLearner } = row!;
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
    progress: progress ?? 0,
    points: steps[at]?.points ?? 0,
    changedAt: steps[at]?.changedAt ?? null,
    ...ofLearner,
    previous: previous && { title: previous.title, href: previous.href },
    next: neighbor(lessonAfter(steps, lessonId, ({ completed, closed }) => !completed && !closed)),
  };
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
