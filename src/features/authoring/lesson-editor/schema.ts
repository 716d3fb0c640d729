import { z } from 'zod';
import { judgedRun } from '#src/features/practice/schema.ts';
import { EXERCISE_MAX } from '#src/features/lessons/types/coding/limits.ts';
import { courseParams, version } from '#src/features/authoring/courses/schema.ts';
import { LESSON_TYPES, type LessonType, missingOf } from '#src/features/lessons/registry.ts';
import { openingInput } from '#src/features/lessons/opening.ts';
import { contract } from '#src/shared/contract.ts';
import { id, idInPath, line, rawText, text } from '#src/shared/fields.ts';
import { LESSON_MAX } from '#src/features/lessons/lesson-limits.ts';
import { codingLanguageInput, exerciseFields, testInput } from './exercise.ts';
import { lessonInputs, problemsOf, whole } from './lesson-fields.ts';

/** Of a course; also the most lessons of one change. */
export const EMPTY_SECTIONS_MAX = 100;
export const SEVERAL_MAX = 100;

export const LESSONS_MAX = 1000;

const lessonFields = {
  ...lessonInputs,
  /** From 1; left out for the end of its section. */
  order: whole('Order', 1, LESSONS_MAX).nullish(),
};

function requireBody(
  lesson: z.output<z.ZodObject<typeof lessonFields>> & { type: LessonType },
  context: z.RefinementCtx,
): void {
  for (const { field, toSave } of missingOf(lesson.type, lesson)) {
    if (toSave) context.addIssue({ code: 'custom', path: [field], message: toSave });
  }
  for (const problem of problemsOf(lesson)) context.addIssue({ code: 'custom', ...problem });
}

const LESSON_CHANGES = ['correction', 'new_version'] as const;
export type LessonChange = (typeof LESSON_CHANGES)[number];

const lessonParams = z.object({ id: idInPath('Lesson id') });

const savedLesson = z.object({
  id: z.number(),
  courseId: z.number(),
  title: z.string(),
  type: z.enum(LESSON_TYPES),
  section: z.string(),
  order: z.number(),
  version: z.number(),
  waits: z.boolean(),
});
export type SavedLesson = z.output<typeof savedLesson>;

export const createLessonCall = contract({
  method: 'POST',
  path: '/api/admin/courses/{id}/lessons',
  params: courseParams,
  input: z
    .object({ ...lessonFields, type: z.enum(LESSON_TYPES, { error: 'There is no such type' }) })
    .superRefine(requireBody),
  output: savedLesson,
});
export type LessonInput = z.output<NonNullable<typeof createLessonCall.input>>;

/** A colleague's newer change gives 409 with `changed`. `type` must be the lesson's own. */
export const updateLessonCall = contract({
  method: 'PUT',
  path: '/api/admin/lessons/{id}',
  params: lessonParams,
  input: z
    .object({
      ...lessonFields,
      type: z.enum(LESSON_TYPES, { error: 'There is no such type' }),
      version,
      change: z.enum(LESSON_CHANGES, { error: 'change must be correction or new_version' }).optional(),
    })
    .superRefine(requireBody),
  output: savedLesson,
});

export const deleteLessonCall = contract({
  method: 'DELETE',
  path: '/api/admin/lessons/{id}',
  params: lessonParams,
  output: z.object({ deleted: z.literal(true) }),
});

/** Adds a copy right after it. */
export const duplicateLessonCall = contract({
  method: 'POST',
  path: '/api/admin/lessons/{id}/duplicate',
  params: lessonParams,
  // A call that names another course is refused, instead of copying into this one.
  input: z.strictObject({}),
  output: savedLesson,
});

/** To another course, while no learner has worked on it. */
export const moveLessonCall = contract({
  method: 'POST',
  path: '/api/admin/lessons/{id}/move',
  params: lessonParams,
  input: z.object({ courseId: id('Course') }),
  output: savedLesson,
});

const emptySections = (name: string) =>
  z
    .array(
      z.object({
        title: line('Section', { max: LESSON_MAX.section }),
        before: id('Lesson').nullable(),
      }),
      { error: `${name} must be a list of sections` },
    )
    .max(EMPTY_SECTIONS_MAX, `A course has at most ${EMPTY_SECTIONS_MAX} sections without lessons`);

/** All lessons in their new order. A newer order than `before` gives 409. */
export const orderLessonsCall = contract({
  method: 'PUT',
  path: '/api/admin/courses/{id}/lesson-order',
  params: courseParams,
  input: z.object({
    before: z.array(id('Lesson'), { error: 'before must be a list of lessons' }).max(LESSONS_MAX),
    lessons: z
      .array(
        z.object({
          id: id('Lesson'),
          section: line('Section', { min: 0, max: LESSON_MAX.section }),
        }),
        { error: 'lessons must be a list' },
      )
      .max(LESSONS_MAX),
    empty: emptySections('empty').optional(),
    emptyBefore: emptySections('emptyBefore').default([]),
  }),
  output: z.object({ lessons: z.array(z.object({ id: z.number(), section: z.string() })) }),
});

export const severalAction = z.discriminatedUnion(
  'do',
  [
    z.strictObject({ do: z.literal('copy') }),
    z.object({ do: z.literal('move'), courseId: id('Course') }),
    z.object({ do: z.literal('delete') }),
    z.object({ do: z.literal('open'), opening: openingInput }),
  ],
  { error: 'Choose what to do: copy, move, delete or open' },
);
export type SeveralAction = z.output<typeof severalAction>;

/** All of it, or nothing. */
export const severalLessonsCall = contract({
  method: 'POST',
  path: '/api/admin/courses/{id}/lessons/several',
  params: courseParams,
  input: z.object({
    lessonIds: z
      .array(id('Lesson'), { error: 'lessonIds must be a list of lessons' })
      .min(1, 'Choose at least one lesson')
      .max(SEVERAL_MAX, `At most ${SEVERAL_MAX} lessons at once`)
      .transform((ids) => [...new Set(ids)]),
    action: severalAction,
  }),
  output: z.object({ changed: z.number() }),
});

/** Markdown as learners see it. */
export const previewCall = contract({
  method: 'POST',
  path: '/api/admin/preview',
  input: z.object({ content: text('Content', { min: 0, max: LESSON_MAX.content }) }),
  output: z.object({ html: z.string() }),
});

/** Judges a program against an unsaved coding lesson. */
export const tryLessonCall = contract({
  method: 'POST',
  path: '/api/admin/try-lesson',
  input: z.object({
    codingLanguage: codingLanguageInput,
    code: rawText('Code', { max: EXERCISE_MAX.code }).refine((value) => value.trim() !== '', 'Empty Code'),
    testCases: z
      .array(testInput)
      .max(EXERCISE_MAX.tests, `A lesson has at most ${EXERCISE_MAX.tests} test cases`),
    expectedOutput: exerciseFields.expectedOutput,
    codeLimits: exerciseFields.codeLimits,
    expectedMistakes: exerciseFields.expectedMistakes,
    content: z.preprocess(
      (value) => (value === null || value === '' ? undefined : value),
      rawText('Content', { max: LESSON_MAX.content }).default(''),
    ),
  }),
  output: judgedRun,
});
