import { z } from 'zod';
import { CODING_LANGUAGES } from '#src/features/lessons/types/coding/languages.ts';
import { answersInput, markedAnswer, shownQuestion } from '#src/features/lessons/types/quiz/kinds/kind.ts';
import { code, judgedRun } from '#src/features/practice/schema.ts';
import { contract } from '#src/shared/contract.ts';
import { idInPath } from '#src/shared/fields.ts';

const lessonInPath = z.object({ id: idInPath('Lesson id') });

const reviewItem = z.object({
  lessonId: z.number(),
  /** Raised by each answer, skip and snooze: what is sent says which one it is for. */
  version: z.number(),
  title: z.string(),
  courseId: z.number(),
  courseTitle: z.string(),
  /** Of a quiz: the one question that is asked. */
  question: shownQuestion.nullable(),
  /** Of a coding lesson: what was to be done, as HTML, and the learner's own program that passed. */
  task: z
    .object({
      html: z.string(),
      solution: z.string().nullable(),
      /** To write it again; null where there is nothing to check a program with. */
      editor: z.object({ language: z.enum(CODING_LANGUAGES), starterCode: z.string() }).nullable(),
    })
    .nullable(),
});
export type ReviewItem = z.output<typeof reviewItem>;

const reviewRange = z.object({
  /** The expectation from which on they are here, in percent. */
  from: z.number(),
  answers: z.number(),
  /** Percent. */
  predicted: z.number(),
  recalled: z.number(),
});
export type ReviewRange = z.output<typeof reviewRange>;

/** `GET /api/recall`: the caller's queue of today. */
export const readReviewQueueCall = contract({
  method: 'GET',
  path: '/api/recall',
  output: z.object({
    /** Everything that is due; more than the queue holds where it is more than a few minutes' worth. */
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

/** `POST /api/recall/{id}`: the answer to a question, or how well a program was remembered. `id` is that of the lesson. */
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

/** `POST /api/recall/{id}/later`: skips a review until tomorrow, or snoozes it for a week. */
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

/**
 * `POST /api/recall/{id}/run`: judges the program of a review that is due. Nothing of the lesson changes; passing answers the
 * review.
 */
export const runReviewCall = contract({
  method: 'POST',
  path: '/api/recall/{id}/run',
  params: lessonInPath,
  input: z.object({ code, version: reviewVersion }),
  output: z.object({
    run: judgedRun,
    /** Null for a run that failed. */
    answered: answeredReview.nullable(),
  }),
});
export type ReviewRun = z.output<typeof runReviewCall.output>;
