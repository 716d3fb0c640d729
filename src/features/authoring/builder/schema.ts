import { z } from 'zod';
import { judgedRun } from '#src/features/practice/schema.ts';
import { standing } from '#src/features/catalogue/schema.ts';
import { contract } from '#src/shared/contract.ts';
import { anyOf, rawText } from '#src/shared/fields.ts';
import { BUILT_TYPES } from './builder.ts';
import { EXERCISE_MAX } from '#src/features/lessons/types/coding/limits.ts';
import {
  codingLanguageInput,
  exerciseFields,
  testInput,
} from '#src/features/authoring/lesson-editor/exercise.ts';
import { builtInputs, refuseLowOriginal } from '#src/features/authoring/courses/course-fields.ts';
import { LESSON_MAX } from '#src/features/lessons/lesson-limits.ts';
import {
  builtLessonInputs,
  codingProblems,
  flag,
} from '#src/features/authoring/lesson-editor/lesson-fields.ts';

/** Lessons that the builder sends at once; a course may get more of them afterwards. */
export const BUILT_LESSONS_MAX = 200;

const empty = (value: unknown) => (value === null || value === '' ? undefined : value);
const builtLessonFields = {
  ...builtLessonInputs,
  type: z.enum(BUILT_TYPES, { error: `Type must be ${anyOf(BUILT_TYPES)}` }),
};

function requireExercise(lesson: Parameters<typeof codingProblems>[0], context: z.RefinementCtx): void {
  for (const problem of codingProblems(lesson)) context.addIssue({ code: 'custom', ...problem });
}

/**
 * A lesson of the builder: the fields of spec 7, and what its type has beside them (decision 49). `order` is not read:
 * a lesson's place in the list is its order, from 1 (spec 5).
 */
export const builtLessonInput = z.object(builtLessonFields).superRefine(requireExercise);
export type BuiltLesson = z.output<typeof builtLessonInput>;

/** The same in a draft, whose scenario may be half written: what is missing is told before the course is made. */
export const draftLessonInput = z
  .object({ ...builtLessonFields, scenario: z.unknown().optional() })
  .superRefine(requireExercise);

/** The course's part of the call alone, for the form that asks it. */
export const builtCourseInput = z.object(builtInputs).superRefine(refuseLowOriginal);

/**
 * `POST /api/admin/interactive-courses` (spec 7): a course and its lessons in one piece. `draftId` names the draft that it
 * is made of: a repeated request gives the course that is there already.
 */
export const createInteractiveCourseCall = contract({
  method: 'POST',
  path: '/api/admin/interactive-courses',
  input: z
    .object({
      ...builtInputs,
      isActive: flag('isActive').default(true),
      activateWhenProven: flag('activateWhenProven').default(false),
      draftId: z.uuid({ error: 'draftId must be a UUID' }).nullish(),
      lessons: z
        .array(builtLessonInput, { error: 'Lessons must be a list' })
        .min(1, 'Add at least one lesson')
        .max(BUILT_LESSONS_MAX, `Send at most ${BUILT_LESSONS_MAX} lessons at once`),
    })
    .superRefine(refuseLowOriginal),
  output: z.object({
    id: z.number(),
    title: z.string(),
    isActive: z.boolean(),
    activateWhenProven: z.boolean(),
    ...standing,
    lessons: z.array(z.object({ id: z.number(), title: z.string(), order: z.number() })),
    /** Whether every lesson was looked at before this answer; otherwise the course's publish check tells how the check goes on. */
    checked: z.boolean(),
  }),
});
export type BuiltCourse = z.output<NonNullable<typeof createInteractiveCourseCall.input>>;

/** `POST /api/admin/try-lesson`: judges a program against a coding lesson that is not saved yet. Nothing is kept. */
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
    content: z.preprocess(empty, rawText('Content', { max: LESSON_MAX.content }).default('')),
  }),
  output: judgedRun,
});
