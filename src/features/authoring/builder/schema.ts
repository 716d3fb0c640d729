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

/** Lessons that the builder sends at once; a course may get more of them afterwards. */
export const BUILT_LESSONS_MAX = 200;

/**
 * A lesson of the builder: the fields of spec 7, and what its type has beside them (decision 49). `order` is not read:
 * a lesson's place in the list is its order, from 1 (spec 5).
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

/** Why a lesson would be refused, each with the name of its field. */
export const lessonProblems = (lesson: LessonFields): string[] =>
  (builtLessonInput.safeParse(lessonForCall(lesson, 1)).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );
