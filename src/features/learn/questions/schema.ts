import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { id, idInPath, MAX_ID, REASON_MAX, rawText, text } from '#src/shared/fields.ts';

/** Characters of a question, and of what is written below it, at most. */
export const QUESTION_MAX = 4000;
/** Characters of a line that a question is about; the rest of a longer one is left out. */
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

/** What became of a question. */
export const QUESTION_STATES = ['waiting', 'answered', 'solved'] as const;

export const questionModel = z.object({
  id: z.number(),
  lessonId: z.number(),
  isOwn: z.boolean(),
  /** As it was written; of the caller's own alone. */
  body: z.string(),
  html: z.string(),
  line: z.number().nullable(),
  quote: z.string(),
  /** The run that it is about; of the caller's own alone. */
  attempt: z.object({ number: z.number(), passed: z.boolean(), code: z.string() }).nullable(),
  state: z.enum(QUESTION_STATES),
  sharedByAsker: z.boolean(),
  sharedByTeam: z.boolean(),
  version: z.number(),
  createdAt: z.string(),
  editedAt: z.string().nullable(),
  /** Why the team hid it from other learners; null where they did not. */
  hiddenReason: z.string().nullable(),
  reported: z.boolean(),
  /** Its asker may still change it and take it back: nobody has answered. */
  mayChange: z.boolean(),
  replies: z.array(reply),
  /** There are older ones that are not given. */
  hasOlderReplies: z.boolean(),
});
export type QuestionModel = z.output<typeof questionModel>;

/** Questions that one answer lists at most; those of others come after the caller's own. */
export const LISTED_MAX = 20;

/**
 * `GET /api/lessons/{id}/questions`: the caller's own, and after them what others let everybody in the lesson read; the newest
 * first. `after` goes on where an answer said that there are `more`.
 */
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
    /** What to ask for next, as `after`; null at the end. */
    more: z.string().nullable(),
    /** The caller is enrolled, so that they may ask. */
    mayAsk: z.boolean(),
  }),
});

/** `POST /api/lessons/{id}/questions`: one `key` asks once, however often it is sent. */
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

/** `PUT /api/lesson-questions/{id}`: changes an own question that nobody has answered yet. */
export const changeQuestionCall = contract({
  method: 'PUT',
  path: '/api/lesson-questions/{id}',
  params: inPath,
  input: z.object({ body, version }),
  output: questionModel,
});

/** `DELETE /api/lesson-questions/{id}`: takes an own question back that nobody has answered yet. */
export const deleteQuestionCall = contract({
  method: 'DELETE',
  path: '/api/lesson-questions/{id}',
  params: inPath,
  output: z.undefined(),
});

/** `POST /api/lesson-questions/{id}/replies`: its asker adds something. */
export const addToQuestionCall = contract({
  method: 'POST',
  path: '/api/lesson-questions/{id}/replies',
  params: inPath,
  input: z.object({ key, body }),
  output: questionModel,
});

/** `PUT /api/lesson-questions/{id}/solved` */
export const solveQuestionCall = contract({
  method: 'PUT',
  path: '/api/lesson-questions/{id}/solved',
  params: inPath,
  input: z.object({ solved: z.boolean({ error: 'Solved must be true or false' }) }),
  output: questionModel,
});

/** `PUT /api/lesson-questions/{id}/shared`: its asker lets other learners read it, where the team does too. */
export const shareQuestionCall = contract({
  method: 'PUT',
  path: '/api/lesson-questions/{id}/shared',
  params: inPath,
  input: z.object({ shared }),
  output: questionModel,
});

/** `POST /api/lesson-questions/{id}/reports`: tells the team that another learner's question should not be shown. */
export const reportQuestionCall = contract({
  method: 'POST',
  path: '/api/lesson-questions/{id}/reports',
  params: inPath,
  input: z.object({ reason: text('Reason', { max: REASON_MAX }) }),
  output: z.object({ reported: z.literal(true) }),
});

const versionAfter = z.object({ version: z.number() });

/** `POST /api/admin/lesson-questions/{id}/replies`: the team answers what it read as `version`. */
export const answerQuestionCall = contract({
  method: 'POST',
  path: '/api/admin/lesson-questions/{id}/replies',
  params: inPath,
  input: z.object({ key, body, version }),
  output: versionAfter,
});

/** `PUT /api/admin/lesson-questions/{id}/shared`: the team lets other learners read it, where its asker does too. */
export const shareAsTeamCall = contract({
  method: 'PUT',
  path: '/api/admin/lesson-questions/{id}/shared',
  params: inPath,
  input: z.object({ shared }),
  output: versionAfter,
});

/** `POST /api/admin/lesson-questions/{id}/hide`: its asker still sees it, with the reason. */
export const hideQuestionCall = contract({
  method: 'POST',
  path: '/api/admin/lesson-questions/{id}/hide',
  params: inPath,
  input: z.object({ reason: text('Reason', { max: REASON_MAX }) }),
  output: z.undefined(),
});

/** `POST /api/admin/lesson-questions/{id}/show`: lets it show, and settles what was reported about it. */
export const showQuestionCall = contract({
  method: 'POST',
  path: '/api/admin/lesson-questions/{id}/show',
  params: inPath,
  output: z.undefined(),
});
