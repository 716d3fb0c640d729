import { z } from 'zod';
import { LEVELS } from '#src/features/catalogue/catalogue.ts';
import { contract } from '#src/shared/contract.ts';
import { id, idInPath, rawText } from '#src/shared/fields.ts';
import { CODING_LANGUAGES } from '#src/features/lessons/types/coding/languages.ts';
import { CODE_MAX_BYTES, EMPTY_CODE, VERDICTS } from './practice.ts';
import { LESSON_TYPES } from '#src/features/lessons/registry.ts';
import { isBlank } from '#src/shared/is-blank.ts';

/** Of a hidden test only the description (decision 44). */
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
  /** Absent for hidden tests, null where it gave nothing. */
  got: z.string().nullable().optional(),
  typeDifference: z.string().optional(),
  tables: z.object({ wanted: shownRows, got: shownRows }).optional(),
  gave: z.string().optional(),
  error: learnerError.nullable().optional(),
});
export type TestResult = z.output<typeof testResult>;

/** `GET /api/lessons/{id}` (spec 7). */
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
    /** Further text, or a css lesson's markup (decision 48). */
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

/** The server's own count replaces what is out of range (fault J10). */
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
  hint: learnerError.nullable(),
  said: z.string().nullable(),
  tests: z.array(testResult),
  submissionId: z.number(),
  attempts: z.number(),
  hintsUsed: z.number(),
  /** Seconds, as the server counts them. */
  timeSpent: z.number(),
  pointsAwarded: z.number(),
  completed: z.boolean(),
  /** Null for who runs a preview lesson without being enrolled. */
  progress: z.number().nullable(),
  totalPoints: z.number().nullable(),
});
export type RunResult = z.output<typeof runResult>;

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

/** `POST /api/execute-code` (spec 7). */
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

/** `POST /api/lessons/{id}/code-preview`: nothing is stored. */
export const tryPreviewCall = contract({
  method: 'POST',
  path: '/api/lessons/{id}/code-preview',
  params: z.object({ id: idInPath('Lesson id') }),
  input: program,
  output: judgedRun,
});

/** `POST /api/lessons/{id}/code-hint`: proven by the judge. */
export const codeHintCall = contract({
  method: 'POST',
  path: '/api/lessons/{id}/code-hint',
  params: z.object({ id: idInPath('Lesson id') }),
  input: program,
  output: z.object({ hint: learnerError.nullable() }),
});

/** `POST /api/lessons/{id}/hints`. */
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

/** `GET /api/lessons/{id}/submissions`: the last one first. */
export const listSubmissionsCall = contract({
  method: 'GET',
  path: '/api/lessons/{id}/submissions',
  params: z.object({ id: idInPath('Lesson id') }),
  output: z.array(submissionSummary),
});

/** `GET /api/submissions/{id}` (fault I5). */
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
