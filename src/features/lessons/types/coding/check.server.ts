import { hasFixture } from './languages.ts';
import type { CodeLimits, ExpectedMistake, PublishFinding, TestCase } from '#db/schema/catalogue.ts';
import type { WrongProgram } from '#src/features/practice/groups/groups.server.ts';
import { asShown } from '#src/features/practice/run-code.server.ts';
import { expectedMistake, mistakeFaults } from './expected-mistakes.ts';
import type { CodingLanguage } from './languages.ts';
import { judge } from '#src/judge/client.ts';
import {
  finding,
  type LessonCheck,
  type Proof,
} from '#src/features/authoring/publishing/lesson-check.server.ts';
import { mutationsOf } from '#src/features/authoring/publishing/mutations.ts';
import { counted } from '#src/shared/counted.ts';
import { isBlank } from '#src/shared/is-blank.ts';
import { judgeLimits } from './limits.ts';

type Verdict = Awaited<ReturnType<typeof judge>>;

interface CodingWork {
  language: CodingLanguage;
  starterCode: string;
  solution: string;
  expectedOutput: string;
  tests: TestCase[];
  fixture: string;
  limits: CodeLimits;
  mistakes: ExpectedMistake[];
  busyMs: number;
}

const REPEATS = 2;
const MUTATIONS_MS = 4_500;
/** Twenty lessons take less than a minute. */
const RUN_MUTATIONS_MS = 36_000;
const MISTAKE_MS = 2_000;
const BUSY_MS = 30_000;
const SHARE_MIN_MUTATIONS = 5;
const CAUGHT_SHARE_MIN = 0.5;
const SURVIVORS_SHOWN = 12;
const VALUE_MAX = 300;

async function judged(work: CodingWork, code: string, testMs?: number): Promise<Verdict> {
  const until = performance.now() + work.busyMs;
  for (;;) {
    try {
      return await judge(
        {
          language: work.language,
          code,
          tests: work.tests.map(({ input, expectedOutput, mode, hidden, strict }) => ({
            input,
            expectedOutput,
            ...(mode ? { mode } : {}),
            ...(hidden ? { hidden } : {}),
            ...(strict ? { strict } : {}),
          })),
          ...(work.expectedOutput ? { expectedOutput: work.expectedOutput } : {}),
          ...(hasFixture(work.language) ? { fixture: work.fixture } : {}),
        },
        { limits: { ...judgeLimits(work.limits), ...(testMs === undefined ? {} : { testMs }) } },
      );
    } catch (error) {
      const {
        name,
        reason,
        retryAfterSeconds = 2,
      } = error as {
        name?: string;
        reason?: string;
        retryAfterSeconds?: number;
      };
      if (name !== 'JudgeUnavailable' || reason === 'failed' || performance.now() > until) throw error;
      await new Promise((done) => setTimeout(done, retryAfterSeconds * 1000));
    }
  }
}

const KINDS: Record<Verdict['kind'], string> = {
  pass: 'passes',
  wrong_answer: 'gives a wrong answer',
  runtime_error: 'stops with an error',
  syntax_error: 'does not parse',
  time_limit: 'takes too long',
  memory_limit: 'uses too much memory',
  output_limit: 'prints too much',
};

const quoted = (value: string | null) =>
  value === null ? 'nothing' : `“${value.length > VALUE_MAX ? `${value.slice(0, VALUE_MAX)}…` : value}”`;

function reason({ tests, expectedOutput }: CodingWork, verdict: Verdict): string {
  const at = verdict.tests.findIndex(({ passed }) => !passed);
  const failed = verdict.tests[at];
  const error = failed?.error ?? verdict.error;
  if (error) {
    const where = error.line === null ? '' : ` (line ${error.line})`;
    return `${at === -1 ? '' : `Test ${at + 1}: `}${error.name}: ${error.message}${where}`;
  }
  if (failed) {
    const { input, expectedOutput: expected } = tests[at]!;
    if (failed.typeDifference) return `Test ${at + 1}, ${quoted(input)}: ${failed.typeDifference}`;
    return `Test ${at + 1}, ${quoted(input)}, expects ${quoted(expected)} and gets ${quoted(failed.got)}.`;
  }
  return `It prints ${quoted(verdict.output)} and should print ${quoted(expectedOutput)}.`;
}

const isSame = (a: Verdict, b: Verdict) =>
  a.kind === b.kind &&
  a.tests.every(
    (test, index) => test.passed === b.tests[index]?.passed && test.got === b.tests[index]?.got,
  ) &&
  (a.tests.length > 0 || a.output === b.output);

/** The solution passes, the starter and an empty program fail, each every time. @throws {JudgeUnavailable} */
async function proveCoding(work: CodingWork, msForMutations: number): Promise<Required<Proof>> {
  const findings: PublishFinding[] = [];
  const wrongPrograms: WrongProgram[] = [];
  const facts = { runs: 0, mutations: 0, caught: 0 };
  const add = (...parts: Parameters<typeof finding>) => findings.push(finding(...parts));
  const hasTests = work.tests.length > 0;
  // Both are missing things of the type's definition.
  if ((!hasTests && isBlank(work.expectedOutput)) || isBlank(work.solution)) {
    return { findings, facts, wrongPrograms };
  }
  const shownOf = (code: string, verdict: Verdict) => {
    const { tests: testCases, expectedOutput } = work;
    return { code, ...asShown({ testCases, expectedOutput }, verdict) };
  };
  const keepWrong = (program: ReturnType<typeof shownOf>) => {
    if (!program.isCorrect) wrongPrograms.push(program);
  };
  if (hasTests && work.tests.every(({ hidden }) => hidden)) {
    add('warning', 'testCases', 'Every test is hidden: learners see no example of what is asked.');
  }
  if (hasTests && !work.tests.some(({ hidden }) => hidden)) {
    add('warning', 'testCases', 'No test is hidden: a program that knows the expected values passes.');
  }
  const runs = async (code: string): Promise<Verdict[]> => {
    const verdicts: Verdict[] = [];
    for (let run = 0; run < REPEATS; run += 1) verdicts.push(await judged(work, code));
    facts.runs += verdicts.length;
    return verdicts;
  };

  const solved = await runs(work.solution);
  const unsolved = solved.find(({ kind }) => kind !== 'pass');
  if (unsolved && solved.some(({ kind }) => kind === 'pass')) {
    add(
      'error',
      'testCases',
      `The reference solution passes in one run and not in another. ${reason(work, unsolved)}`,
      {
        about: 'flaky solution',
      },
    );
  } else if (unsolved) {
    add('error', 'solution', `The reference solution ${KINDS[unsolved.kind]}. ${reason(work, unsolved)}`, {
      about: 'solution fails',
    });
  } else if (solved.some((verdict) => !isSame(verdict, solved[0]!))) {
    add('warning', 'solution', 'The reference solution passes, but gives other values in each run.');
  }

  const isStarterBlank = !work.starterCode.trim();
  const started = isStarterBlank ? [] : await runs(work.starterCode);
  if (started.some(({ kind }) => kind === 'pass')) {
    add('error', 'starterCode', 'The starter code passes the tests before anything is written.');
  } else if (started.some(({ kind }) => kind !== started[0]!.kind)) {
    add('warning', 'starterCode', 'The starter code fails in another way in each run.');
  } else if (started[0]?.kind === 'syntax_error') {
    add('warning', 'starterCode', `The starter code does not parse. ${reason(work, started[0])}`, {
      about: 'starter does not parse',
    });
  }
  const emptied = await runs('');
  if (emptied.some(({ kind }) => kind === 'pass')) {
    add('error', 'testCases', 'An empty program passes the tests.');
  }
  if (unsolved) return { findings, facts, wrongPrograms };
  const starter = started[0] ? shownOf(work.starterCode, started[0]) : null;
  if (starter) keepWrong(starter);

  const slowest = Math.max(...solved.map(({ durationMs }) => durationMs));
  const enoughMs = Math.max(MISTAKE_MS, slowest * 4);
  const isLong = (judgeLimits(work.limits).testMs ?? 0) > enoughMs;
  const programs: ReturnType<typeof shownOf>[] = [];
  for (const { program } of work.mistakes) {
    programs.push(shownOf(program, await judged(work, program, isLong ? enoughMs : undefined)));
  }
  facts.runs += programs.length;
  for (const program of programs) keepWrong(program);
  // A change that makes a loop endless is noticed as well; it need not cost the whole limit of a learner's test.
  const testMs = Math.max(400, Math.ceil(slowest * 4));
  const until = performance.now() + msForMutations;
  const changes: typeof programs = [];
  const survivors: NonNullable<PublishFinding['mutation']>[] = [];
  for (const { code, line, original, mutated } of await mutationsOf(
    work.language,
    work.solution,
    work.starterCode,
  )) {
    if (performance.now() > until) break;
    facts.mutations += 1;
    const verdict = await judged(work, code, testMs < 1000 ? testMs : undefined);
    const change = shownOf(code, verdict);
    changes.push(change);
    keepWrong(change);
    if (verdict.kind === 'pass' && !expectedMistake(work.mistakes, code, change))
      survivors.push({ line, original, mutated });
    else facts.caught += 1;
  }
  facts.runs += facts.mutations;
  const tried = { programs, starter, empty: shownOf('', emptied[0]!), changes };
  for (const fault of mistakeFaults(work.mistakes, work.solution, tried)) {
    add('error', 'expectedMistakes', fault);
  }
  survivors.sort((a, b) => a.line - b.line);
  for (const mutation of survivors.slice(0, SURVIVORS_SHOWN)) {
    add('warning', 'testCases', `No test notices this change of line ${mutation.line} of the solution.`, {
      mutation,
    });
  }
  if (survivors.length > SURVIVORS_SHOWN) {
    const more = survivors.length - SURVIVORS_SHOWN;
    add(
      'warning',
      'testCases',
      `${counted(more, 'further change is', 'further changes are')} not noticed either.`,
      {
        about: 'further survivors',
      },
    );
  }
  if (facts.mutations >= SHARE_MIN_MUTATIONS && facts.caught < facts.mutations * CAUGHT_SHARE_MIN) {
    add(
      'error',
      'testCases',
      `The tests notice only ${facts.caught} of ${facts.mutations} small changes of the solution: a wrong program is likely to pass. Add tests for the changes below.`,
      { about: 'too few caught' },
    );
  }
  return { findings, facts, wrongPrograms };
}

export const checkCoding: LessonCheck = ({ lesson }, { lessonCount, busyMs = BUSY_MS }) =>
  proveCoding(
    {
      language: lesson.codingLanguage!,
      starterCode: lesson.starterCode ?? '',
      solution: lesson.solution ?? '',
      expectedOutput: lesson.expectedOutput ?? '',
      tests: lesson.testCases,
      fixture: lesson.content,
      limits: lesson.codeLimits,
      mistakes: lesson.expectedMistakes,
      busyMs,
    },
    lessonCount === null
      ? Number.POSITIVE_INFINITY
      : Math.min(MUTATIONS_MS, Math.ceil(RUN_MUTATIONS_MS / Math.max(1, lessonCount))),
  );
