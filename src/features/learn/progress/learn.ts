import type { Level } from '#src/features/catalogue/catalogue.ts';
import type { Closed } from '#src/features/lessons/opening.ts';
import type { LessonType } from '#src/features/lessons/registry.ts';
import { messageOf } from '#src/shared/api.ts';

/** Characters of a text; decision 37. */
export const SUBMISSION_MAX = 20_000;
export const SUBMISSION_FILE_MAX_BYTES = 20 * 1_048_576;
/** Extensions of file names. */
export const SUBMISSION_EXTENSIONS: readonly string[] = [
  ...['pdf', 'docx', 'xlsx', 'pptx', 'txt', 'md', 'csv', 'zip'],
  ...['png', 'jpg', 'jpeg', 'webp', 'gif', 'mp3', 'mp4', 'webm'],
];
/** Characters of notes, and of feedback. */
export const NOTES_MAX = 20_000;
export const FEEDBACK_MAX = 30_000;
/** Videos have an upload of their own. */
export const LESSON_FILE_MAX_BYTES = 24 * 1_048_576;

/** A lesson of the open page that is not found has gone since. */
export function lessonMessage(error: unknown, fallback: string): string {
  const message = messageOf(error, fallback);
  return /^(Lesson|Scenario) not found/.test(message)
    ? 'Its authors have taken this lesson out of the course meanwhile. Go back to the course to go on.'
    : message;
}

/** Decision 129. */
export interface Ruling {
  /** The reason; null where the lesson is due. */
  excused: string | null;
  regrade: { grade: number; reason: string } | null;
  extraAttempts: number;
}

export interface CountedLesson {
  id: number;
  requiredToComplete: boolean;
  /** Decision 129. */
  excused?: boolean;
}

/** The required lessons, or all where none is required (decision 34). */
export function countedLessons<L extends CountedLesson>(lessons: readonly L[]): readonly L[] {
  const required = lessons.filter((lesson) => lesson.requiredToComplete);
  return required.length > 0 ? required : lessons;
}

/**
 * floor(100 × done / counted), 0 without lessons.
 * @param excused of the counted ones; all excused is 100
 */
export function percentDone(done: number, counted: number, excused = 0): number {
  if (counted === 0) return 0;
  return counted === excused ? 100 : Math.floor((100 * done) / (counted - excused));
}

export function progressPercent(lessons: readonly CountedLesson[], done: ReadonlySet<number>): number {
  const counted = countedLessons(lessons);
  const due = counted.filter(({ excused }) => !excused);
  return percentDone(
    due.filter(({ id }) => done.has(id)).length,
    counted.length,
    counted.length - due.length,
  );
}

/** Percent of a course's points (decision 35). */
const INTERMEDIATE_PERCENT = 40;
const ADVANCED_PERCENT = 80;

export function skillLevelFor(points: number, pointsOfCourse: number): Level {
  if (pointsOfCourse <= 0) return 'beginner';
  const percent = (100 * points) / pointsOfCourse;
  if (percent < INTERMEDIATE_PERCENT) return 'beginner';
  return percent < ADVANCED_PERCENT ? 'intermediate' : 'advanced';
}

export type ProgressState = 'not-started' | 'in-progress' | 'completed';

export function progressState(progress: number): ProgressState {
  return progress >= 100 ? 'completed' : progress > 0 ? 'in-progress' : 'not-started';
}

/** Spec 2. */
export function startLabel(progress: number): 'Start Course' | 'Continue Learning' {
  return progress > 0 ? 'Continue Learning' : 'Start Course';
}

/** Spec 2. */
export function dashboardStats(enrollments: readonly { progress: number }[]) {
  const total = enrollments.length;
  const states = enrollments.map(({ progress }) => progressState(progress));
  const sum = enrollments.reduce((all, { progress }) => all + Math.min(progress, 100), 0);
  return {
    total,
    inProgress: states.filter((state) => state === 'in-progress').length,
    completed: states.filter((state) => state === 'completed').length,
    /** Rounded down: 100 only when all are completed. */
    averageProgress: total === 0 ? 0 : Math.floor(sum / total),
  };
}

/** Days. */
const FINISHED_DAYS = 7;

/** Null once it is no news. */
export function lastFinished<T extends { completedAt: string | null }>(
  enrollments: readonly T[],
  now: Date,
): T | null {
  const since = new Date(now.getTime() - FINISHED_DAYS * 86_400_000).toISOString();
  const recent = enrollments.filter(({ completedAt }) => completedAt !== null && completedAt >= since);
  return recent.sort((a, b) => b.completedAt!.localeCompare(a.completedAt!))[0] ?? null;
}

/** The lesson they were at, or the next undone one; else the first undone one, else the first. Closed lessons come last. */
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

export interface NextStep {
  /** Never opened. */
  isNew: boolean;
  courseId: number;
  courseTitle: string;
  thumbnail: string;
  progress: number;
  lessonId: number;
  lessonTitle: string;
  lessonType: LessonType;
  /** From 1, and the number of lessons. */
  place: number;
  lessonCount: number;
}

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
