import { z } from 'zod';
import { courseParams } from '#src/features/authoring/courses/schema.ts';
import { EXPORT_FORMATS, exportQuestionsCall } from '#src/features/authoring/question-files/schema.ts';
import { LESSON_MAX } from '#src/features/lessons/lesson-limits.ts';
import { QUESTION_MAX } from '#src/features/lessons/types/quiz/kinds/kind.ts';
import { questionInput, QUESTIONS_MAX } from '#src/features/lessons/types/quiz/question.ts';
import { contract } from '#src/shared/contract.ts';
import { id, line } from '#src/shared/fields.ts';

const questionIds = z
  .array(id('Question'), { error: 'Questions must be a list' })
  .min(1, 'Choose at least one question')
  .max(QUESTIONS_MAX, `At most ${QUESTIONS_MAX} questions at once`)
  .transform((ids) => [...new Set(ids)]);

/** A quiz's id, or the title of a new one. */
const target = z.union(
  [z.object({ lessonId: id('Quiz') }), z.object({ title: line('Title', { max: LESSON_MAX.title }) })],
  { error: 'Choose a quiz, or give a new one a title' },
);
export type BankTarget = z.output<typeof target>;

const written = z.object({
  lessonId: z.number(),
  title: z.string(),
  added: z.number(),
  already: z.number(),
});
export type Written = z.output<typeof written>;

/** Adds questions of a file to a quiz. */
export const addQuestionsCall = contract({
  method: 'POST',
  path: '/api/admin/courses/{id}/questions',
  params: courseParams,
  input: z.object({
    target,
    questions: z
      .array(questionInput, { error: 'Questions must be a list' })
      .min(1, 'There is no question to add')
      .max(QUESTIONS_MAX, `A quiz has at most ${QUESTIONS_MAX} questions`),
  }),
  output: written,
});

export const copyQuestionsCall = contract({
  method: 'POST',
  path: '/api/admin/courses/{id}/questions/copy',
  params: courseParams,
  input: z.object({ target, questionIds }),
  output: written,
});

/** Adds or removes a tag. */
export const tagQuestionsCall = contract({
  method: 'POST',
  path: '/api/admin/courses/{id}/questions/tag',
  params: courseParams,
  input: z.object({
    questionIds,
    tag: line('Tag', { max: QUESTION_MAX.tag }).transform((value) => value.toLowerCase()),
    remove: z.boolean({ error: 'remove must be true or false' }).default(false),
  }),
  output: z.object({ changed: z.number() }),
});

export const exportBankCall = contract({
  method: 'POST',
  path: '/api/admin/courses/{id}/questions/export',
  params: courseParams,
  input: z.object({ format: z.enum(EXPORT_FORMATS, { error: 'There is no such format' }), questionIds }),
  output: exportQuestionsCall.output,
});
