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
 * Reads what was kept. An earlier version of this site may have kept it: what is not a lesson as the form takes it today
 * is nothing, and what a coding lesson has since then is empty.
 */
export function parseKeptLesson(text: string | null, type: LessonFields['type']): KeptLesson | null {
  try {
    const { keptAt, lesson } = kept.parse(JSON.parse(text ?? 'null'));
    const isWhole = Object.entries(emptyLesson(type)).every(([field, empty]) => {
      const [found, wanted] = [kindOf(lesson[field]), kindOf(empty)];
      if (wanted === 'null') return ['null', 'number', 'object'].includes(found);
      return found === wanted;
    });
    if (!isWhole || lesson.type !== type) return null;
    const whole = lesson as unknown as LessonFields;
    return { keptAt, lesson: { ...whole, exercise: { ...emptyExercise(), ...whole.exercise } } };
  } catch {
    return null;
  }
}
