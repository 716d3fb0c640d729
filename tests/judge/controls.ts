import { expect } from 'vitest';
import type { Language, Submission, Verdict, VerdictKind } from '#src/judge/protocol.ts';
import type { RunLimits } from '#src/judge/runner.ts';
import type { Supervisor } from '#src/judge/supervisor.ts';

/** Limits for programs that are meant to reach them, so that a suite of bombs stays short. */
export const SMALL_LIMITS = { testMs: 250, totalMs: 600 } satisfies Partial<RunLimits>;

/** A correct and a wrong program of each language, with a test that tells them apart. */
const CONTROLS: Record<Language, { right: Submission; wrong: string }> = {
  javascript: {
    right: {
      language: 'javascript',
      code: 'const add = (a, b) => a + b;',
      tests: [{ input: 'add(20, 22)', expectedOutput: '42' }],
    },
    wrong: 'const add = (a, b) => a - b;',
  },
  python: {
    right: {
      language: 'python',
      code: 'def add(a, b):\n    return a + b\n',
      tests: [{ input: 'add(20, 22)', expectedOutput: '42' }],
    },
    wrong: 'def add(a, b):\n    return a - b\n',
  },
  html: {
    right: {
      language: 'html',
      code: '<main><h1>Hello</h1></main>',
      tests: [{ input: 'h1', expectedOutput: 'Hello' }],
    },
    wrong: '<main><h1>Goodbye</h1></main>',
  },
  css: {
    right: {
      language: 'css',
      code: 'h1 { color: red; }',
      fixture: '<h1>Hello</h1>',
      tests: [{ input: 'h1 | color', expectedOutput: 'red' }],
    },
    wrong: 'h1 { color: blue; }',
  },
  react: {
    right: {
      language: 'react',
      code: 'export default function App() { return <h1>Hello</h1>; }',
      tests: [{ input: '<App /> | text', expectedOutput: 'Hello' }],
    },
    wrong: 'export default function App() { return <h1>Goodbye</h1>; }',
  },
};

/** Runs the two control programs of a language and expects their true verdicts. */
export async function expectTrueVerdicts(judge: Supervisor, language: Language): Promise<void> {
  const { right, wrong } = CONTROLS[language];
  const [good, bad] = await Promise.all([judge.judge(right), judge.judge({ ...right, code: wrong })]);
  expect([good.kind, bad.kind]).toEqual(['pass', 'wrong_answer']);
}

/**
 * Judges a hostile program while another learner's correct one runs, which has to pass, and then both controls.
 * Gives the hostile program's verdict, which is of one of the kinds.
 */
export async function survive(
  judge: Supervisor,
  submission: Submission,
  kinds: readonly VerdictKind[],
  limits: Partial<RunLimits> = SMALL_LIMITS,
): Promise<Verdict> {
  const { right } = CONTROLS[submission.language];
  const [verdict, other] = await Promise.all([
    judge.judge({ ...submission, owner: 'hostile' }, limits),
    judge.judge({ ...right, owner: 'another learner' }),
  ]);
  expect(other.kind).toBe('pass');
  expect(kinds).toContain(verdict.kind);
  expect(Buffer.byteLength(verdict.output)).toBeLessThanOrEqual(64 * 1024);
  await expectTrueVerdicts(judge, submission.language);
  return verdict;
}

const LINE_TRIES = 12;

/**
 * Judges a program that never ends until its verdict names a line. Where other work takes all of the machine, the
 * debugger that is asked for the line may answer too late; asked often enough, it has to answer.
 */
export async function untilItHasALine(
  judge: Supervisor,
  submission: Submission,
  limits: Partial<RunLimits>,
): Promise<Verdict> {
  let verdict = await judge.judge(submission, limits);
  for (let tries = 1; tries < LINE_TRIES && verdict.error?.line == null; tries += 1) {
    verdict = await judge.judge(submission, limits);
  }
  expect(verdict.kind).toBe('time_limit');
  expect(verdict.error?.line).not.toBeNull();
  return verdict;
}
