import { z } from 'zod';
import { standing } from '#src/features/catalogue/schema.ts';
import { contract } from '#src/shared/contract.ts';
import { anyOf } from '#src/shared/fields.ts';
import { BUILT_TYPES, lessonForCall } from './builder.ts';
import { builtInputs, refuseLowOriginal } from '#src/features/authoring/courses/course-fields.ts';
import {
  builtLessonInputs,
  codingProblems,
  flag,
  type LessonFields,
} from '#src/features/authoring/lesson-editor/lesson-fields.ts';

export const BUILT_LESSONS_MAX = 200;

/**
 * The fields of spec 7, and those of the type (decision 49). The place in the list replaces `order` (spec 5).
 */
export const builtLessonInput = z
  .object({
    ...builtLessonInputs,
    type: z.enum(BUILT_TYPES, { error: `Type must be ${anyOf(BUILT_TYPES)}` }),
  })
  .superRefine((lesson, context) => {
    for (const problem of codingProblems(lesson)) context.addIssue({ code: 'custom', ...problem });
  });
export type BuiltLesson = z.output<typeof builtLessonInput>;

/** Spec 7. A repeated `draftId` gives the existing course. */
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
    checked: z.boolean(),
  }),
});
export type BuiltCourse = z.output<NonNullable<typeof createInteractiveCourseCall.input>>;

/** Each with the name of its field. */
export const lessonProblems = (lesson: LessonFields): string[] =>
  (builtLessonInput.safeParse(lessonForCall(lesson, 1)).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );
