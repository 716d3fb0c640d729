import { z } from 'zod';
import { coding, has, quiz, scenario, text } from '#src/features/lessons/registry.ts';
import { BUILT_FIELDS, type BuiltField } from '#src/features/authoring/courses/course-fields.ts';
import { wholeLesson } from '#src/features/authoring/lesson-editor/drafts/lesson-draft.ts';
import {
  BUILT_LESSON_FIELDS,
  type LessonFields,
  ofItsType,
} from '#src/features/authoring/lesson-editor/lesson-fields.ts';

/** Spec 2. */
export const BUILT_TYPES = [coding.name, scenario.name, quiz.name, text.name] as const;
export type BuiltType = (typeof BUILT_TYPES)[number];

/** `key` stays while the lesson is moved and edited. */
export type DraftLesson = LessonFields & { key: string; type: BuiltType };

/** Stored on this device until the course is made. */
export interface BuilderDraft {
  /** A repeated request with it makes no second course. */
  draftId: string;
  course: Partial<Record<BuiltField, string>>;
  whenProven: boolean;
  lessons: DraftLesson[];
  open: DraftLesson | null;
}

/** A lesson for `POST /api/admin/interactive-courses` (spec 7). `order` is from 1 (spec 5). */
export function lessonForCall(lesson: Omit<LessonFields, 'order'>, order: number) {
  const { type, exercise, content } = lesson;
  return {
    ...ofItsType(type, { ...lesson, ...exercise }, BUILT_LESSON_FIELDS),
    ...(has(type, 'testCases') ? {} : { codingLanguage: null, instructions: content, content: '' }),
    type: type as BuiltType,
    order,
  };
}

const keptLesson = z
  .looseObject({ key: z.string(), type: z.enum(BUILT_TYPES) })
  .transform((kept, context): DraftLesson => {
    const whole = wholeLesson(kept, kept.type);
    if (whole) return { ...whole, key: kept.key, type: kept.type };
    context.addIssue('Not a lesson of today');
    return z.NEVER;
  });
const keptDraft = z.object({
  keptAt: z.string(),
  draftId: z.uuid(),
  course: z.partialRecord(z.enum(BUILT_FIELDS), z.string()),
  whenProven: z.boolean().default(false),
  lessons: z.array(keptLesson),
  open: keptLesson.nullable(),
});

/** A stored draft; null where it is unreadable or empty. */
export function parseDraft(kept: string | null): (BuilderDraft & { keptAt: string }) | null {
  try {
    const draft = keptDraft.parse(JSON.parse(kept ?? 'null'));
    const { level: _, ...typed } = draft.course;
    return draft.open || draft.lessons.length > 0 || Object.values(typed).some(Boolean) ? draft : null;
  } catch {
    return null;
  }
}
