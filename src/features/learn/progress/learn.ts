import type { Level } from '#src/features/catalogue/catalogue.ts';
import type { Closed } from '#src/features/lessons/opening.ts';
import type { LessonType } from '#src/features/lessons/registry.ts';
import { messageOf } from '#src/shared/api.ts';

/** Characters of a submission, and bytes of a submitted file, at most (decision 37). */
export const SUBMISSION_MAX = 20_000;
export const SUBMISSION_FILE_MAX_BYTES = 20 * 1_048_576;
/** What may be handed in, by how the file's name ends. */
export const SUBMISSION_EXTENSIONS: readonly string[] = [
  ...['pdf', 'docx', 'xlsx', 'pptx', 'txt', 'md', 'csv', 'zip'],
  ...['png', 'jpg', 'jpeg', 'webp', 'gif', 'mp3', 'mp4', 'webm'],
];
/** Characters of a learner's notes on one lesson, and of the feedback on a submission, at most. */
export const NOTES_MAX = 20_000;
export const FEEDBACK_MAX = 30_000;
/** Bytes of a lesson's file at most; videos have an upload of their own. */
export const LESSON_FILE_MAX_BYTES = 24 * 1_048_576;

/** What a page says of a failed call about the lesson that it shows: one that it does not find was there before. */
export function lessonMessage(error: unknown, fallback: string): string {
  const message = messageOf(error, fallback);
  return /^(Lesson|Scenario) not found/.test(message)
    ? 'Its authors have taken this lesson out of the course meanwhile. Go back to the course to go on.'
    : message;
}

/** What was decided for one learner in one lesson (decision 129). */
export interface Ruling {
  /** Why they need not do it; null where they must. */
  excused: string | null;
  regrade: { grade: number; reason: string } | null;
  extraAttempts: number;
}

export interface CountedLesson {
  id: number;
  requiredToComplete: boolean;
  /** The learner need not do it (decision 129). */
  excused?: boolean;
}

/** The lessons by which a course's progress is counted: the required ones; where none is required, all (decision 34). */
export function countedLessons<L extends CountedLesson>(lessons: readonly L[]): readonly L[] {
  const required = lessons.filter((lesson) => lesson.requiredToComplete);
  return required.length > 0 ? required : lessons;
}

/**
 * A course's progress in percent: floor(100 × counted lessons done / counted lessons); 0 for a course without lessons.
 *
 * @param excused how many of the counted ones the learner need not do; whoever is excused from all has done them
 */
export function percentDone(done: number, counted: number, excused = 0): number {
  if (counted === 0) return 0;
  return counted === excused ? 100 : Math.floor((100 * done) / (counted - excused));
}

/** The same, of a learner who has done these lessons. */
export function progressPercent(lessons: readonly CountedLesson[], done: ReadonlySet<number>): number {
  const counted = countedLessons(lessons);
  const due = counted.filter(({ excused }) => !excused);
  return percentDone(
    due.filter(({ id }) => done.has(id)).length,
    counted.length,
    counted.length - due.length,
  );
}

/** Percent of a course's points from which a learner is no beginner in it any more, and from which advanced (decision 35). */
const INTERMEDIATE_PERCENT = 40;
const ADVANCED_PERCENT = 80;

/** A learner's level in a course by the share of its points they have. */
export function skillLevelFor(points: number, pointsOfCourse: number): Level {
  if (pointsOfCourse <= 0) return 'beginner';
  const percent = (100 * points) / pointsOfCourse;
  if (percent < INTERMEDIATE_PERCENT) return 'beginner';
  return percent < ADVANCED_PERCENT ? 'intermediate' : 'advanced';
}

/** What the progress of a course means (spec 4). */
export type ProgressState = 'not-started' | 'in-progress' | 'completed';

export function progressState(progress: number): ProgressState {
  return progress >= 100 ? 'completed' : progress > 0 ? 'in-progress' : 'not-started';
}

/** The label of a course's button on My Courses (spec 2). */
export function startLabel(progress: number): 'Start Course' | 'Continue Learning' {
  return progress > 0 ? 'Continue Learning' : 'Start Course';
}

/** The four numbers of the dashboard's cards (spec 2). */
export function dashboardStats(enrollments: readonly { progress: number }[]) {
  const total = enrollments.length;
  const states = enrollments.map(({ progress }) => progressState(progress));
  const sum = enrollments.reduce((all, { progress }) => all + Math.min(progress, 100), 0);
  return {
    total,
    inProgress: states.filter((state) => state === 'in-progress').length,
    completed: states.filter((state) => state === 'completed').length,
    /** Whole percent; 100 only when every course is completed. */
    averageProgress: total === 0 ? 0 : Math.floor(sum / total),
  };
}

/** Days for which the dashboard still speaks of a course that was finished. */
const FINISHED_DAYS = 7;

/** The course that a learner finished last, while that is news. */
export function lastFinished<T extends { completedAt: string | null }>(
  enrollments: readonly T[],
  now: Date,
): T | null {
  const since = new Date(now.getTime() - FINISHED_DAYS * 86_400_000).toISOString();
  const recent = enrollments.filter(({ completedAt }) => completedAt !== null && completedAt >= since);
  return recent.sort((a, b) => b.completedAt!.localeCompare(a.completedAt!))[0] ?? null;
}

/**
 * Where a learner goes on: the lesson they were at, or the next one after it that is not done; else the first that is
 * not done; else the first. A lesson that is closed to them comes last of all. Null for a course without lessons.
 */
export function lessonToOpen<T extends { id: number; closed?: Closed | null }>(
  lessons: readonly T[],
  done: ReadonlySet<number>,
  currentLessonId: number | null,
): T | null {
  const at = lessons.findIndex(({ id }) => id === currentLessonId);
  const ahead = at < 0 ? lessons : lessons.slice(at);
  const isNext = ({ id, closed }: T) => !done.has(id) && !closed;
  return (
    ahead.find(isNext) ?? lessons.find(isNext) ?? lessons.find(({ closed }) => !closed) ?? lessons[0] ?? null
  );
}

/** The course and lesson where a learner goes on. */
export interface NextStep {
  /** The course has never been opened. */
  isNew: boolean;
  courseId: number;
  courseTitle: string;
  thumbnail: string;
  progress: number;
  lessonId: number;
  lessonTitle: string;
  lessonType: LessonType;
  /** Place of the lesson in its course, from 1, and how many there are. */
  place: number;
  lessonCount: number;
}

/** Something new in a course that somebody owns. */
export interface CourseChange {
  kind: 'news' | 'lesson' | 'answer';
  id: number;
  /** Null for news. */
  lessonId: number | null;
  title: string;
  courseId: number;
  courseTitle: string;
  at: string;
}
