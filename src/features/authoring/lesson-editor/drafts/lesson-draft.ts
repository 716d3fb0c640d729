import { z } from 'zod';
import {
  emptyExercise,
  emptyLesson,
  type LessonFields,
} from '#src/features/authoring/lesson-editor/lesson-fields.ts';

export interface KeptLesson {
  keptAt: string;
  lesson: LessonFields;
}

/** The storage key of a lesson's draft, or of a new one of a type. */
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

/** A draft of an older version of this site, with newer fields empty; null where the form cannot take it. */
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

/** A stored draft; null where it cannot be read. */
export function parseKeptLesson(text: string | null, type: LessonFields['type']): KeptLesson | null {
  try {
    const found = kept.parse(JSON.parse(text ?? 'null'));
    const lesson = wholeLesson(found.lesson, type);
    return lesson && { keptAt: found.keptAt, lesson };
  } catch {
    return null;
  }
}
