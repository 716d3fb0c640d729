import { db } from '#db/client.ts';
import { judge, proveHint } from '#src/judge/client.ts';
import { isForeignKeyViolation, retryOnConflict } from '#src/server/database-errors.ts';
import { log } from '#src/server/log.ts';
import { AppError } from '#src/shared/errors.ts';
import { has } from '#src/features/lessons/registry.ts';
import { expectedMistake } from '#src/features/lessons/types/coding/expected-mistakes.ts';
import { judgeLimits } from '#src/features/lessons/types/coding/limits.ts';
import { languageLabel, hasFixture } from '#src/features/lessons/types/coding/languages.ts';
import type { JudgedRun, RunError, RunResult, TestResult } from './schema.ts';
import { keepSubmission } from './submissions.server.ts';
import {
  type LessonRow,
  type SignedIn,
  lessonNotFound,
  readableLesson,
  shownTest,
} from '#src/features/practice/practice.server.ts';
import type { RunRequest } from './submissions.server.ts';

const VALUE_MAX_CHARACTERS = 4000;

const TOO_MANY_WAIT =
  'Too many programs are waiting to be run. Yours got no verdict and nothing was counted. Please try again in a moment.';

type Verdict = Awaited<ReturnType<typeof judge>>;
type JudgedTest = Verdict['tests'][number];

/**
 * Judges a program and stores the submission. @throws {AppError} not_found; invalid_input; conflict;
 * too_many_requests; unavailable: then nothing is counted
 */
export async function executeCode(user: SignedIn, request: RunRequest): Promise<RunResult> {
  const lesson = judgeable(await readableLesson(request.lessonId, user), request.language);
  const language = lesson.codingLanguage;
  // No connection is held while the judge works.
  const verdict = await askJudge(lesson, request.code, String(user.id));
  const shown = asTold(lesson, request.code, verdict);
  try {
    return await retryOnConflict(() =>
      db().transaction((tx) => keepSubmission(tx, user, lesson, { ...request, language }, shown)),
    );
  } catch (error) {
    // The lesson or the account was deleted while the program ran.
    if (isForeignKeyViolation(error)) throw lessonNotFound();
    throw error;
  }
}

/** Judges by the same rules and stores nothing, for a review. @throws {AppError} as `executeCode` */
export async function judgeForReview(user: SignedIn, lessonId: number, code: string): Promise<JudgedRun> {
  const row = await readableLesson(lessonId, user);
  const lesson = judgeable(row, row.codingLanguage ?? '');
  return asTold(lesson, code, await askJudge(lesson, code, String(user.id)));
}

/**
 * Judges a preview lesson's program for anyone and stores nothing.
 * @throws {AppError} not_found; as `executeCode`
 */
export async function tryPreview(
  lessonId: number,
  code: string,
  language: string,
  ip: string,
): Promise<JudgedRun> {
  // As anyone, whoever tries it: a learner's programs are judged where they count.
  const lesson = judgeable(await readableLesson(lessonId, null), language);
  return asTold(lesson, code, await askJudge(lesson, code, ...asVisitor(ip)));
}

/**
 * The line and the kind of a small edit that passes more tests of a lesson, or null; stores nothing.
 * @throws {AppError} as `executeCode`
 */
export async function codeHint(
  user: SignedIn | null,
  lessonId: number,
  { code, language }: Pick<RunRequest, 'code' | 'language'>,
  ip: string,
): Promise<RunError | null> {
  const lesson = judgeable(await readableLesson(lessonId, user), language);
  const [owner, more] = user ? [String(user.id)] : asVisitor(ip);
  const submission = { ...submissionOf(lesson, code, owner), ...more };
  return shownError(await answered(proveHint(submission, { limits: judgeLimits(lesson.codeLimits) })));
}

export const asVisitor = (ip: string) => [`preview:${ip}`, { isVisitor: true }] as const;

export function judgeable(lesson: LessonRow, asked: string): LessonRow & JudgedLesson {
  const language = lesson.codingLanguage;
  if (!has(lesson.type, 'codingLanguage') || !language) {
    const message = 'This lesson is not a coding lesson.';
    throw new AppError('invalid_input', message, { fields: { lessonId: message } });
  }
  if (asked.trim().toLowerCase() !== language) {
    const message = `This lesson is written in ${languageLabel(language)}.`;
    throw new AppError('invalid_input', message, { fields: { language: message } });
  }
  if (lesson.testCases.length === 0 && !lesson.expectedOutput?.trim()) {
    const message =
      'This lesson has nothing to check your code with. Read it, and mark it complete in the course.';
    throw new AppError('conflict', message);
  }
  return { ...lesson, codingLanguage: language };
}

type JudgedLesson = Pick<
  LessonRow,
  'testCases' | 'codeLimits' | 'expectedOutput' | 'expectedMistakes' | 'content'
> & {
  codingLanguage: NonNullable<LessonRow['codingLanguage']>;
};

function submissionOf(lesson: JudgedLesson, code: string, owner: string): Parameters<typeof judge>[0] {
  const { codingLanguage: language, testCases, expectedOutput, content } = lesson;
  return {
    language,
    code,
    tests: testCases.map((test) => ({
      input: test.input,
      expectedOutput: test.expectedOutput,
      mode: test.mode,
      hidden: test.hidden,
      ...(test.strict ? { strict: true } : {}),
    })),
    expectedOutput: expectedOutput ?? undefined,
    fixture: hasFixture(language) ? content : undefined,
    owner,
  };
}

/** Judges against a lesson as its author has it, saved or not. @throws {AppError} conflict; unavailable */
export async function tryLesson(author: SignedIn, lesson: JudgedLesson, code: string): Promise<JudgedRun> {
  if (lesson.testCases.length === 0 && !lesson.expectedOutput?.trim()) {
    throw new AppError(
      'conflict',
      'Add a test case or an expected output first: there is nothing to compare with.',
    );
  }
  return asTold(lesson, code, await askJudge(lesson, code, String(author.id)));
}

export function askJudge(
  lesson: JudgedLesson,
  code: string,
  owner: string,
  more: { traced?: true; isVisitor?: true } = {},
): Promise<Verdict> {
  const submission = { ...submissionOf(lesson, code, owner), ...more };
  return answered(judge(submission, { limits: judgeLimits(lesson.codeLimits) }));
}

async function answered<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    const refusal = error as { name?: string; reason?: string; retryAfterSeconds?: number };
    const reason = refusal.name === 'JudgeUnavailable' ? refusal.reason : 'failed';
    const options = { retryAfterSeconds: refusal.retryAfterSeconds ?? 2, cause: error };
    if (reason === 'own_runs') {
      const message =
        'Your earlier runs are still under way. Wait for their results; this one was not counted.';
      throw new AppError('too_many_requests', message, options);
    }
    if (reason !== 'busy') log.error({ err: error }, 'the judge gave no verdict');
    throw new AppError(
      'unavailable',
      reason === 'busy'
        ? TOO_MANY_WAIT
        : 'Your code could not be run because of a fault on our side. Nothing was counted. Please try again in a moment.',
      options,
    );
  }
}

function asTold(lesson: JudgedLesson, code: string, verdict: Verdict): JudgedRun {
  const shown = asShown(lesson, verdict);
  const said = expectedMistake(lesson.expectedMistakes, code, shown)?.say ?? null;
  return said && shown.isCorrect
    ? { ...shown, said, isCorrect: false, verdict: 'wrong_answer' }
    : { ...shown, said };
}

/** All but what hidden tests were given and what they gave. */
export function asShown(
  lesson: Pick<LessonRow, 'testCases' | 'expectedOutput'>,
  verdict: Verdict,
): Omit<JudgedRun, 'said'> {
  const { testCases } = lesson;
  const tests = testCases.map((test, index): TestResult => {
    const judged = verdict.tests[index];
    const result = {
      ...shownTest(test),
      passed: judged?.passed ?? false,
      verdict: judged?.kind ?? verdict.kind,
    };
    return test.hidden
      ? { ...result, ...(judged?.gave ? { gave: judged.gave } : {}) }
      : {
          ...result,
          got: clip(judged?.got ?? null),
          ...(judged?.typeDifference ? { typeDifference: storable(judged.typeDifference) } : {}),
          ...(judged?.tables ? { tables: judged.tables } : {}),
          error: shownError(judged?.error ?? null),
        };
  });
  if (testCases.length === 0) {
    tests.push({
      description: 'Prints the expected output',
      expectedOutput: lesson.expectedOutput ?? '',
      hidden: false,
      mode: 'call',
      passed: verdict.kind === 'pass',
      verdict: verdict.kind,
      got: clip(verdict.output),
      error: shownError(verdict.error),
    });
  }
  return {
    output: storable(verdict.output),
    outputTruncated: verdict.outputTruncated,
    isCorrect: verdict.kind === 'pass',
    verdict: verdict.kind,
    // The judge leaves a hidden test's values out of it.
    error: shownError(verdict.error),
    hint: shownError(verdict.hint),
    tests,
  };
}

export function shownError(error: JudgedTest['error']): RunError | null {
  if (!error) return null;
  const { name, message, line, column, explanation } = error;
  return {
    name: storable(name),
    message: clip(message)!,
    line,
    column,
    explanation: explanation === null ? null : storable(explanation),
  };
}

/** PostgreSQL and JSON cannot carry every printed character. */
function storable(value: string): string {
  return value.replaceAll('\0', '\u2400').toWellFormed();
}

function clip(value: string | null): string | null {
  if (value === null) return null;
  return value.length <= VALUE_MAX_CHARACTERS
    ? storable(value)
    : `${storable(value.slice(0, VALUE_MAX_CHARACTERS))}…`;
}
