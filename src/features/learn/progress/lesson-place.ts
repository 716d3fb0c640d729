import type { Ruling } from './learn.ts';
import { type LessonType, lessonType } from '#src/features/lessons/registry.ts';

/**
 * The next lesson; from the last one back to the first undone one; null at the end.
 * @param isToDo open and undone
 */
export function lessonAfter<T extends { id: number }>(
  lessons: readonly T[],
  lessonId: number,
  isToDo: (lesson: T) => boolean,
): T | null {
  const at = lessons.findIndex(({ id }) => id === lessonId);
  return lessons[at + 1] ?? lessons.slice(0, Math.max(at, 0)).find(isToDo) ?? null;
}

/** Its own screen, where its type has one. */
export function lessonHref(courseId: number, { id, type }: { id: number; type: LessonType }): string {
  // Only the server knows the scenario's number; the viewer leads on.
  return lessonType(type).ownScreen?.path({ id }) ?? `/learn/${courseId}?lesson=${id}`;
}

/** The list of lessons, notes and questions around it. */
export function courseViewHref(courseId: number, lessonId: number): string {
  return `/learn/${courseId}?lesson=${lessonId}&view=course`;
}

export interface NeighborLesson {
  title: string;
  href: string;
  /** Undone, before the last lesson. */
  isBefore?: boolean;
}

export interface LessonPlace {
  position: number;
  lessonCount: number;
  /** Percent. */
  progress: number;
  points: number;
  /** ISO; set until the learner has seen the new version (decision 74). */
  changedAt: string | null;
  /** Of this learner alone. */
  ruling: Ruling | null;
  previous: NeighborLesson | null;
  next: NeighborLesson | null;
}
