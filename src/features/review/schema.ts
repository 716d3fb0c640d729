import { z } from 'zod';
import { CODING_LANGUAGES } from '#src/features/lessons/types/coding/languages.ts';
import { answersInput, markedAnswer, shownQuestion } from '#src/features/lessons/types/quiz/kinds/kind.ts';
import { code, judgedRun } from '#src/features/practice/schema.ts';
import { contract } from '#src/shared/contract.ts';
import { idInPath } from '#src/shared/fields.ts';

const lessonInPath = z.object({ id: idInPath('Lesson id') });

const reviewItem = z.object({
  lessonId: z.number(),
  /** Raised by each answer, skip and snooze. */
  version: z.number(),
  title: z.string(),
  courseId: z.number(),
  courseTitle: z.string(),
  /** Of a quiz. */
  question: shownQuestion.nullable(),
  /** Of a coding lesson: HTML, and the learner's solution. */
  task: z
    .object({
      html: z.string(),
      solution: z.string().nullable(),
      /** Null where nothing checks a program. */
      editor: z.object({ language: z.enum(CODING_LANGUAGES), starterCode: z.string() }).nullable(),
    })
    .nullable(),
});
export type ReviewItem = z.output<typeof reviewItem>;

const reviewRange = z.object({
  /** Lower bound in percent. */
  from: z.number(),
  answers: z.number(),
  /** Percent. */
  predicted: z.number(),
  recalled: z.number(),
});
export type ReviewRange = z.output<typeof reviewRange>;

export const readReviewQueueCall = contract({
  method: 'GET',
  path: '/api/recall',
  output: z.object({
    /** All, also beyond the queue. */
    dueCount: z.number(),
    items: z.array(reviewItem),
    recall: z.array(reviewRange),
    secondsPerDay: z.number(),
  }),
});
export type ReviewQueue = z.output<typeof readReviewQueueCall.output>;

export const reviewVersion = z
  .int({ error: 'Version must be a whole number' })
  .min(0, 'Version must not be negative');

export const answeredReview = z.object({
  recalled: z.boolean(),
  due: z.string(),
  marked: markedAnswer.nullable(),
});
export type AnsweredReview = z.output<typeof answeredReview>;

/** `id` is the lesson's. */
export const answerReviewItemCall = contract({
  method: 'POST',
  path: '/api/recall/{id}',
  params: lessonInPath,
  input: z.object({
    version: reviewVersion,
    answers: answersInput.optional(),
    rating: z
      .enum(['forgot', 'hard', 'good', 'easy'], { error: 'Rating must be forgot, hard, good or easy' })
      .optional(),
  }),
  output: answeredReview,
});

/** Skips to tomorrow, or snoozes for a week. */
export const putOffReviewCall = contract({
  method: 'POST',
  path: '/api/recall/{id}/later',
  params: lessonInPath,
  input: z.object({
    version: reviewVersion,
    until: z.enum(['tomorrow', 'next-week'], { error: 'Until must be tomorrow or next-week' }),
  }),
  output: z.object({ due: z.string() }),
});

/** The lesson does not change; a pass answers the review. */
export const runReviewCall = contract({
  method: 'POST',
  path: '/api/recall/{id}/run',
  params: lessonInPath,
  input: z.object({ code, version: reviewVersion }),
  output: z.object({
    run: judgedRun,
    /** Null for a failed run. */
    answered: answeredReview.nullable(),
  }),
});
export type ReviewRun = z.output<typeof runReviewCall.output>;
