import {
  type CodeLimits,
  codeLimitsInput,
  EXERCISE_MAX,
  NO_MEMORY_LIMIT,
} from '#src/features/lessons/types/coding/limits.ts';
import { expectedMistakesInput } from '#src/features/lessons/types/coding/expected-mistakes.ts';
import { z } from 'zod';
import {
  CODING_LANGUAGES,
  type CodingLanguage,
  codingLanguage,
  languagesInWords,
} from '#src/features/lessons/types/coding/languages.ts';
import { line, rawText, text } from '#src/shared/fields.ts';
import { isBlank } from '#src/shared/is-blank.ts';

/** How a test passes its input (decision 44). */
export const TEST_MODES = ['call', 'stdin'] as const;
export type TestMode = (typeof TEST_MODES)[number];

export interface TestFields {
  input: string;
  expectedOutput: string;
  /** An empty text is expected on purpose; a blank field may be forgotten. */
  expectsEmpty: boolean;
  description: string;
  hidden: boolean;
  mode: TestMode;
  /** Compares the returned value with its type (decision 65). */
  strict: boolean;
}

/** Whether a test's answer is a returned value, which has a type (decision 65). */
export function mayBeStrict(language: CodingLanguage, { mode }: Pick<TestFields, 'mode'>): boolean {
  return mode === 'call' && codingLanguage(language).hasTypes === true;
}

export const emptyTest = (): TestFields => ({
  input: '',
  expectedOutput: '',
  expectsEmpty: false,
  description: '',
  hidden: false,
  mode: 'call',
  strict: false,
});

/** Strict in a new lesson, and in an older one once its author has switched (decision 65). */
export const nextTest = (tests: readonly TestFields[], language: CodingLanguage): TestFields => ({
  ...emptyTest(),
  strict:
    mayBeStrict(language, emptyTest()) && tests.every((test) => test.strict || !mayBeStrict(language, test)),
});

/** Older tests lack newer fields. */
export const testsOfColumn = (tests: readonly Partial<TestFields>[]): TestFields[] =>
  tests.map((test) => ({ ...emptyTest(), ...test }));

/** Whether a test has an input and an expectation; others are not run (spec 5). */
export function isCompleteTest({
  input,
  expectedOutput,
  expectsEmpty,
}: Pick<TestFields, 'input' | 'expectedOutput' | 'expectsEmpty'>): boolean {
  return !isBlank(input) && (expectsEmpty || !isBlank(expectedOutput));
}

/** The first unfinished test blocks another one; null when all are finished (spec 5). */
export function unfinishedTest(
  tests: readonly TestFields[],
): { index: number; field: 'input' | 'expectedOutput'; message: string } | null {
  for (const [index, { input, expectedOutput, expectsEmpty }] of tests.entries()) {
    if (isBlank(input)) return { index, field: 'input', message: INPUT_REQUIRED };
    if (!expectsEmpty && isBlank(expectedOutput)) {
      return { index, field: 'expectedOutput', message: EXPECTED_REQUIRED };
    }
  }
  return null;
}

const INPUT_REQUIRED = 'Input is required';
const EXPECTED_REQUIRED = 'Expected output is required';
const EXPECTED_NOT_EMPTY = 'Leave the expected output blank, or do not ask for an empty text';

const missing = (value: unknown) => value ?? '';
const notBlank = (label: string, message: string) =>
  z.preprocess(
    missing,
    rawText(label, { max: EXERCISE_MAX.testText }).refine((value) => !isBlank(value), message),
  );

/** A test (spec 3, 5); compared texts stay exactly as typed. */
export const testInput = z
  .object({
    input: notBlank('Input', INPUT_REQUIRED),
    expectedOutput: z.preprocess(missing, rawText('Expected output', { max: EXERCISE_MAX.testText })),
    expectsEmpty: z.boolean({ error: 'expectsEmpty must be true or false' }).default(false),
    description: z.preprocess(missing, line('Description', { min: 0, max: EXERCISE_MAX.description })),
    hidden: z.boolean({ error: 'hidden must be true or false' }).default(false),
    mode: z.enum(TEST_MODES, { error: 'mode must be call or stdin' }).default('call'),
    /** Off by default, for older lessons and callers (decision 65). */
    strict: z.boolean({ error: 'strict must be true or false' }).default(false),
  })
  .superRefine(
    ({ expectedOutput, expectsEmpty }, ctx) => {
      if (typeof expectedOutput !== 'string' || isBlank(expectedOutput) === (expectsEmpty === true)) return;
      ctx.addIssue({
        code: 'custom',
        path: ['expectedOutput'],
        message: expectsEmpty ? EXPECTED_NOT_EMPTY : EXPECTED_REQUIRED,
      });
    },
    { when: () => true },
  );

const WRONG_LANGUAGE = `Choose ${languagesInWords('disjunction')}`;
export const codingLanguageInput = z.enum(CODING_LANGUAGES, { error: WRONG_LANGUAGE });

const optional = (label: string, max: number) => z.preprocess(missing, rawText(label, { max }));

export const exerciseFields = {
  instructions: z.preprocess(missing, text('Instructions', { min: 0, max: EXERCISE_MAX.instructions })),
  codingLanguage: codingLanguageInput.nullish(),
  starterCode: optional('Starter code', EXERCISE_MAX.code),
  solution: optional('Reference solution', EXERCISE_MAX.code),
  expectedOutput: optional('Expected output', EXERCISE_MAX.expectedOutput),
  /** Without blank hints (spec 5). */
  hints: z
    .array(text('Hint', { min: 0, max: EXERCISE_MAX.hint }), { error: 'Hints must be a list' })
    .nullish()
    .transform((hints) => (hints ?? []).filter((hint) => hint !== ''))
    .refine(
      (hints) => hints.length <= EXERCISE_MAX.hints,
      `A lesson has at most ${EXERCISE_MAX.hints} hints`,
    ),
  testCases: z
    .array(testInput, { error: 'Test cases must be a list' })
    .max(EXERCISE_MAX.tests, `A lesson has at most ${EXERCISE_MAX.tests} test cases`)
    .nullish()
    .transform((tests) => tests ?? []),
  codeLimits: codeLimitsInput.default({}),
  expectedMistakes: expectedMistakesInput,
  solutionNotes: z.preprocess(missing, text('What to notice', { min: 0, max: EXERCISE_MAX.solutionNotes })),
  showsPrograms: z.boolean({ error: 'showsPrograms must be true or false' }).default(false),
};

type Judged = {
  codingLanguage?: CodingLanguage | null | undefined;
  testCases: readonly TestFields[];
  codeLimits?: CodeLimits;
};

/** Rules between the fields of a coding lesson. */
export function exerciseProblems({
  codingLanguage: language,
  testCases,
  codeLimits = {},
}: Judged): { path: (string | number)[]; message: string }[] {
  const problems: { path: (string | number)[]; message: string }[] = [];
  if (!language) {
    return [{ path: ['codingLanguage'], message: WRONG_LANGUAGE }];
  }
  const known = codingLanguage(language);
  if (codeLimits.memoryMb !== undefined && !known.hasMemoryLimit) {
    problems.push({ path: ['codeLimits', 'memoryMb'], message: NO_MEMORY_LIMIT });
  }
  for (const [index, { mode, hidden, description }] of testCases.entries()) {
    if (mode === 'stdin' && !known.takesLines) {
      problems.push({
        path: ['testCases', index, 'mode'],
        message: `${known.label} reads no lines; only ${languagesInWords('conjunction', 'takesLines')} do`,
      });
    }
    if (hidden && !description) {
      problems.push({
        path: ['testCases', index, 'description'],
        message: 'A hidden test needs a description: it is all that learners see of it',
      });
    }
  }
  return problems;
}
