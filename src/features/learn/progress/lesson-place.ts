import type { Ruling } from './learn.ts';
import { type LessonType, lessonType } from '#src/features/lessons/registry.ts';

/**
 * Where "Next" leads from a lesson: to the one after it; from the last one to the first of those before it that is still to
 * be done. Null where nothing is left.
 *
 * @param isToDo whether a lesson can be done and is not
 */
export function lessonAfter<T extends { id: number }>(
  lessons: readonly T[],
  lessonId: number,
  isToDo: (lesson: T) => boolean,
): T | null {
  const at = lessons.findIndex(({ id }) => id === lessonId);
  return lessons[at + 1] ?? lessons.slice(0, Math.max(at, 0)).find(isToDo) ?? null;
}

/** Where a lesson of a course is worked on: its own screen at once, where its type has one. */
export function lessonHref(courseId: number, { id, type }: { id: number; type: LessonType }): string {
  // The viewer leads on to a scenario, whose number only the server knows.
  return lessonType(type).ownScreen?.path({ id }) ?? `/learn/${courseId}?lesson=${id}`;
}

/** The course around a lesson that has a screen of its own: its list of lessons, and what is kept beside the lesson. */
export function courseViewHref(courseId: number, lessonId: number): string {
  return `/learn/${courseId}?lesson=${lessonId}&view=course`;
}

/** A lesson of the same course that one may go on to. */
export interface NeighborLesson {
  title: string;
  href: string;
  /** It lies before the last lesson, and is still to be done. */
  isBefore?: boolean;
}

/** Where a lesson stands in its course, and what is before and after it. */
export interface LessonPlace {
  /** From 1. */
  position: number;
  lessonCount: number;
  /** Percent of the course that is done. */
  progress: number;
  points: number;
  /** When it became another one than its learner completed, until they are told (decision 74); ISO. */
  changedAt: string | null;
  /** What was decided for this learner alone; null for nothing. */
  ruling: Ruling | null;
  previous: NeighborLesson | null;
  next: NeighborLesson | null;
}
