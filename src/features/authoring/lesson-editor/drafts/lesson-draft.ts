import { z } from 'zod';
import {
  emptyExercise,
  emptyLesson,
  type LessonFields,
} from '#src/features/authoring/lesson-editor/lesson-fields.ts';

/** A lesson as its form held it, which was not saved. */
export interface KeptLesson {
  /** ISO moment. */
  keptAt: string;
  lesson: LessonFields;
}

/** The name of a draft in this browser: of a lesson, or of a new one of a type. */
export function lessonDraftKey(
  userId: number,
  { lessonId, courseId, type }: { lessonId: number | null; courseId: number; type: string },
): string {
  return lessonId === null
    ? `draft:new-lesson:${userId}:${courseId}:${type}`
    : `draft:lesson:${userId}:${lessonId}`;
}

const kept = z.object({ keptAt: z.iso.datetime(), lesson: z.record(z.string(), z.unknown()) });

const kindOf = (value: unknown) => (Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value);

/**
 * A lesson that an earlier version of this site may have kept: null where it is not one as the form takes it today; what
 * lessons have since then is empty.
 */
export function wholeLesson(kept: Record<string, unknown>, type: LessonFields['type']): LessonFields | null {
  const empty = emptyLesson(type);
  const lesson: Record<string, unknown> = { ...empty, ...kept };
  const isWhole = Object.entries(empty).every(([field, value]) => {
    const [found, wanted] = [kindOf(lesson[field]), kindOf(value)];
    return wanted === 'null' ? ['null', 'number', 'object'].includes(found) : found === wanted;
  });
  if (!isWhole || lesson.type !== type) return null;
  const whole = lesson as unknown as LessonFields;
  return { ...whole, exercise: { ...emptyExercise(), ...whole.exercise } };
}

/** Reads what was kept; null where there is nothing that can be read. */
export function parseKeptLesson(text: string | null, type: LessonFields['type']): KeptLesson | null {
  try {
    const found = kept.parse(JSON.parse(text ?? 'null'));
    const lesson = wholeLesson(found.lesson, type);
    return lesson && { keptAt: found.keptAt, lesson };
  } catch {
    return null;
  }
}
