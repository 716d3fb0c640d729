import { z } from 'zod';
import { LEVELS } from '#src/features/catalogue/catalogue.ts';
import { contract } from '#src/shared/contract.ts';
import { id, idInPath, rawText } from '#src/shared/fields.ts';
import { CODING_LANGUAGES } from '#src/features/lessons/types/coding/languages.ts';
import { CODE_MAX_BYTES, EMPTY_CODE, VERDICTS } from './practice.ts';
import { LESSON_TYPES } from '#src/features/lessons/registry.ts';
import { isBlank } from '#src/shared/is-blank.ts';

/** A test as learners may see it: of a hidden one the description alone (decision 44). */
const shownTest = z.object({
  input: z.string().optional(),
  expectedOutput: z.string().optional(),
  description: z.string(),
  hidden: z.boolean(),
  mode: z.enum(['call', 'stdin']),
});

export const learnerError = z.object({
  name: z.string(),
  message: z.string(),
  line: z.number().nullable(),
  column: z.number().nullable(),
  explanation: z.string().nullable(),
});
export type RunError = z.output<typeof learnerError>;

const shownRows = z.object({
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  rows: z.array(
    z.object({
      cells: z.array(z.string().nullable()),
      marks: z.array(z.number()),
      differs: z.enum(['missing', 'extra']).nullable(),
    }),
  ),
  more: z.number(),
});

const testResult = shownTest.extend({
  passed: z.boolean(),
  verdict: z.enum(VERDICTS),
  /** What the program gave; absent for hidden tests, null where it gave nothing. */
  got: z.string().nullable().optional(),
  /** Of a test that compares with the type: in a sentence, how the type of what was given is not the expected one. */
  typeDifference: z.string().optional(),
  /** Of a test of SQL whose rows differ: what is asked for beside what came. */
  tables: z.object({ wanted: shownRows, got: shownRows }).optional(),
  /** Of a hidden test that failed by its answer: what kind of value came, such as "a list". */
  gave: z.string().optional(),
  /** Absent for hidden tests. */
  error: learnerError.nullable().optional(),
});
export type TestResult = z.output<typeof testResult>;

/** `GET /api/lessons/{id}` (spec 7). Solutions, hidden inputs and hidden expected values stay on the server (I2). */
export const getLessonCall = contract({
  method: 'GET',
  path: '/api/lessons/{id}',
  params: z.object({ id: idInPath('Lesson id') }),
  output: z.object({
    id: z.number(),
    courseId: z.number(),
    title: z.string(),
    type: z.enum(LESSON_TYPES),
    difficulty: z.enum(LEVELS),
    points: z.number(),
    instructions: z.string(),
    /** Further text, or the markup that a css lesson styles (decision 48). */
    content: z.string(),
    expectedOutput: z.string(),
    hints: z.array(z.string()),
    testCases: z.array(shownTest),
    codingLanguage: z.enum(CODING_LANGUAGES).nullable(),
    starterCode: z.string(),
    isPreview: z.boolean(),
    attempts: z.number(),
    hintsUsed: z.number(),
    completed: z.boolean(),
  }),
});
export type LessonForLearner = z.output<typeof getLessonCall.output>;

export const code = rawText('Code', { max: CODE_MAX_BYTES })
  .refine(
    (value) => new TextEncoder().encode(value).length <= CODE_MAX_BYTES,
    'Code must be at most 64 KB. Please shorten it.',
  )
  .refine((value) => !isBlank(value), EMPTY_CODE.title);

/** Any number at all: what is out of range is put right by the server's own count, not refused (fault J10). */
const claimed = (label: string) =>
  z
    .number({ error: `${label} must be a number` })
    .nullish()
    .default(0);

export const program = z.object({
  code,
  language: z.string({ error: 'Language must be text' }).max(40, 'Language is not known'),
});

const runResult = z.object({
  output: z.string(),
  outputTruncated: z.boolean(),
  isCorrect: z.boolean(),
  verdict: z.enum(VERDICTS),
  error: learnerError.nullable(),
  /** A mistake beside the point that may be why a test failed; never the error itself. */
  hint: learnerError.nullable(),
  /** What the lesson's author says of just this mistake, before anything general; null where they expected another, or none. */
  said: z.string().nullable(),
  tests: z.array(testResult),
  submissionId: z.number(),
  /** Number of this run among the learner's runs of the lesson, from 1. */
  attempts: z.number(),
  hintsUsed: z.number(),
  /** Seconds, as the server counts them. */
  timeSpent: z.number(),
  pointsAwarded: z.number(),
  /** Whether the lesson is done: by this run or by an earlier one. */
  completed: z.boolean(),
  /** The course's progress after this run; null for who runs a preview lesson without being enrolled. */
  progress: z.number().nullable(),
  totalPoints: z.number().nullable(),
});
export type RunResult = z.output<typeof runResult>;

/** The part of a run that is about the program alone; nothing of it was counted. */
export const judgedRun = runResult.pick({
  output: true,
  outputTruncated: true,
  isCorrect: true,
  verdict: true,
  error: true,
  hint: true,
  said: true,
  tests: true,
});
export type JudgedRun = z.output<typeof judgedRun>;

/** `POST /api/execute-code` (spec 7). `isCorrect`, `attempts` and the like in the body count for nothing (J10). */
export const executeCodeCall = contract({
  method: 'POST',
  path: '/api/execute-code',
  input: program.extend({
    lessonId: id('Lesson id'),
    timeSpent: claimed('Time spent'),
    hintsUsed: claimed('Hints used'),
  }),
  output: runResult,
});

/** `POST /api/lessons/{id}/code-preview`: judges a program against a preview lesson, for anyone; nothing is kept. */
export const tryPreviewCall = contract({
  method: 'POST',
  path: '/api/lessons/{id}/code-preview',
  params: z.object({ id: idInPath('Lesson id') }),
  input: program,
  output: judgedRun,
});

/** `POST /api/lessons/{id}/hints`: tells the server that so many hints have been seen. */
export const revealHintCall = contract({
  method: 'POST',
  path: '/api/lessons/{id}/hints',
  params: z.object({ id: idInPath('Lesson id') }),
  input: z.object({ shown: claimed('Shown') }),
  output: z.object({ hintsUsed: z.number() }),
});

const submissionSummary = z.object({
  id: z.number(),
  attempts: z.number(),
  verdict: z.enum(VERDICTS),
  isCorrect: z.boolean(),
  timeSpent: z.number(),
  hintsUsed: z.number(),
  submittedAt: z.string(),
});
export type SubmissionSummary = z.output<typeof submissionSummary>;

/** `GET /api/lessons/{id}/submissions`: the caller's own runs of a lesson, the last one first. */
export const listSubmissionsCall = contract({
  method: 'GET',
  path: '/api/lessons/{id}/submissions',
  params: z.object({ id: idInPath('Lesson id') }),
  output: z.array(submissionSummary),
});

/** `GET /api/submissions/{id}`: one of the caller's own runs, with its code, to restore it (fault I5). */
export const getSubmissionCall = contract({
  method: 'GET',
  path: '/api/submissions/{id}',
  params: z.object({ id: idInPath('Submission id') }),
  output: submissionSummary.extend({
    lessonId: z.number(),
    language: z.enum(CODING_LANGUAGES),
    submittedCode: z.string(),
    output: z.string(),
    tests: z.array(testResult),
    completedAt: z.string().nullable(),
  }),
});
