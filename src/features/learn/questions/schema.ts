import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { id, idInPath, MAX_ID, REASON_MAX, rawText, text } from '#src/shared/fields.ts';

/** Characters of a question or reply. */
export const QUESTION_MAX = 4000;
/** Characters; longer lines are cut. */
export const QUOTE_MAX = 300;
const LINE_MAX = 100_000;

const inPath = z.object({ id: idInPath('Question id') });
const body = text('Text', { max: QUESTION_MAX });
const version = z.int({ error: 'Version must be a whole number' }).min(1, 'Version must be at least 1');
const key = z
  .string({ error: 'Key must be text' })
  .regex(/^[\w-]{8,64}$/, 'Key must be 8 to 64 letters or digits');
const shared = z.boolean({ error: 'Shared must be true or false' });

const reply = z.object({
  id: z.number(),
  byTeam: z.boolean(),
  html: z.string(),
  createdAt: z.string(),
});

export const QUESTION_STATES = ['waiting', 'answered', 'solved'] as const;

export const questionModel = z.object({
  id: z.number(),
  lessonId: z.number(),
  isOwn: z.boolean(),
  /** The source; only of the caller's own. */
  body: z.string(),
  html: z.string(),
  line: z.number().nullable(),
  quote: z.string(),
  /** Only of the caller's own. */
  attempt: z.object({ number: z.number(), passed: z.boolean(), code: z.string() }).nullable(),
  state: z.enum(QUESTION_STATES),
  sharedByAsker: z.boolean(),
  sharedByTeam: z.boolean(),
  version: z.number(),
  createdAt: z.string(),
  editedAt: z.string().nullable(),
  /** From the team; null while visible. */
  hiddenReason: z.string().nullable(),
  reported: z.boolean(),
  /** Before the first answer. */
  mayChange: z.boolean(),
  replies: z.array(reply),
  hasOlderReplies: z.boolean(),
});
export type QuestionModel = z.output<typeof questionModel>;

export const LISTED_MAX = 20;

/** The caller's own, then shared ones, newest first. `after` takes the `more` of an answer. */
export const listQuestionsCall = contract({
  method: 'GET',
  path: '/api/lessons/{id}/questions',
  params: z.object({ id: idInPath('Lesson id') }),
  query: z.object({
    after: z
      .string()
      .regex(/^(own|shared)-(0|[1-9]\d{0,9})$/, 'After must be what an answer gave as more')
      .refine((value) => Number(value.split('-')[1]) <= MAX_ID, 'After is out of range')
      .optional(),
  }),
  output: z.object({
    own: z.array(questionModel),
    shared: z.array(questionModel),
    /** For `after`; null at the end. */
    more: z.string().nullable(),
    /** Enrolled. */
    mayAsk: z.boolean(),
  }),
});

/** One `key` asks once. */
export const askQuestionCall = contract({
  method: 'POST',
  path: '/api/lessons/{id}/questions',
  params: z.object({ id: idInPath('Lesson id') }),
  input: z.object({
    key,
    body,
    line: z
      .int({ error: 'Line must be a whole number' })
      .min(1, 'Line must be at least 1')
      .max(LINE_MAX, `Line must be at most ${LINE_MAX}`)
      .nullable()
      .default(null),
    quote: rawText('The line it is about', { max: QUOTE_MAX }).default(''),
    submissionId: id('Attempt').nullable().default(null),
    shared: shared.default(false),
  }),
  output: questionModel,
});

/** Before the first answer. */
export const changeQuestionCall = contract({
  method: 'PUT',
  path: '/api/lesson-questions/{id}',
  params: inPath,
  input: z.object({ body, version }),
  output: questionModel,
});

/** Before the first answer. */
export const deleteQuestionCall = contract({
  method: 'DELETE',
  path: '/api/lesson-questions/{id}',
  params: inPath,
  output: z.undefined(),
});

export const addToQuestionCall = contract({
  method: 'POST',
  path: '/api/lesson-questions/{id}/replies',
  params: inPath,
  input: z.object({ key, body }),
  output: questionModel,
});

export const solveQuestionCall = contract({
  method: 'PUT',
  path: '/api/lesson-questions/{id}/solved',
  params: inPath,
  input: z.object({ solved: z.boolean({ error: 'Solved must be true or false' }) }),
  output: questionModel,
});

/** Takes effect where the team shares it too. */
export const shareQuestionCall = contract({
  method: 'PUT',
  path: '/api/lesson-questions/{id}/shared',
  params: inPath,
  input: z.object({ shared }),
  output: questionModel,
});

export const reportQuestionCall = contract({
  method: 'POST',
  path: '/api/lesson-questions/{id}/reports',
  params: inPath,
  input: z.object({ reason: text('Reason', { max: REASON_MAX }) }),
  output: z.object({ reported: z.literal(true) }),
});

const versionAfter = z.object({ version: z.number() });

/** To the question as read in `version`. */
export const answerQuestionCall = contract({
  method: 'POST',
  path: '/api/admin/lesson-questions/{id}/replies',
  params: inPath,
  input: z.object({ key, body, version }),
  output: versionAfter,
});

/** Takes effect where the asker shares it too. */
export const shareAsTeamCall = contract({
  method: 'PUT',
  path: '/api/admin/lesson-questions/{id}/shared',
  params: inPath,
  input: z.object({ shared }),
  output: versionAfter,
});

/** The asker still sees it, with the reason. */
export const hideQuestionCall = contract({
  method: 'POST',
  path: '/api/admin/lesson-questions/{id}/hide',
  params: inPath,
  input: z.object({ reason: text('Reason', { max: REASON_MAX }) }),
  output: z.undefined(),
});

/** Settles the reports about it too. */
export const showQuestionCall = contract({
  method: 'POST',
  path: '/api/admin/lesson-questions/{id}/show',
  params: inPath,
  output: z.undefined(),
});
