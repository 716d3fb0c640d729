import { expect } from 'vitest';
import type { Language, LearnerError, Submission, Verdict, VerdictKind } from '#src/judge/protocol.ts';
import type { RunLimits } from '#src/judge/runner.ts';
import { Supervisor } from '#src/judge/supervisor.ts';

/** Limits for programs that are meant to reach them, so that a suite of bombs stays short. */
export const SMALL_LIMITS = { testMs: 250, totalMs: 600 } satisfies Partial<RunLimits>;

/** A judge that is asked again where the machine was too busy for a verdict: what it is tried with has one. */
export class PatientJudge extends Supervisor {
  override async judge(...program: Parameters<Supervisor['judge']>): Promise<Verdict> {
    for (;;) {
      try {
        return await super.judge(...program);
      } catch (error) {
        if ((error as { reason?: string }).reason !== 'busy') throw error;
      }
    }
  }

  /** As long as its tries need, however busy the machine is. */
  override proveHint(submission: Submission): Promise<LearnerError | null> {
    return super.proveHint(submission, {}, { allMs: 20_000, eachMs: 2_000, wallMs: 60_000 });
  }
}

/** A correct and a wrong program of each language, with a test that tells them apart. */
export const CONTROLS: Record<Language, { right: Submission; wrong: string }> = {
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
  typescript: {
    right: {
      language: 'typescript',
      code: 'const add = (a: number, b: number): number => a + b;',
      tests: [{ input: 'add(20, 22)', expectedOutput: '42' }],
    },
    wrong: 'const add = (a: number, b: number): number => a - b;',
  },
  sql: {
    right: {
      language: 'sql',
      code: 'SELECT name FROM books WHERE pages > 100;',
      fixture:
        "CREATE TABLE books (name text, pages integer); INSERT INTO books VALUES ('A', 90), ('B', 200);",
      tests: [{ input: 'result', expectedOutput: 'name\nB' }],
    },
    wrong: 'SELECT name FROM books WHERE pages < 100;',
  },
};

/** Runs the two control programs of a language and expects their true verdicts. */
export async function expectTrueVerdicts(judge: Supervisor, language: Language): Promise<void> {
  const { right, wrong } = CONTROLS[language];
  const [good, bad] = await Promise.all([judge.judge(right), judge.judge({ ...right, code: wrong })]);
  expect([good.kind, bad.kind], JSON.stringify([good, bad])).toEqual(['pass', 'wrong_answer']);
}

/** A hostile program: what it does, the program, the verdicts that it may get, and what its test reads. */
export type Case = [what: string, code: string, kinds: VerdictKind[], input?: string];

/** Programs that have to be stopped, and programs that may come to their end as long as nobody else notices. */
export function byEnd(cases: readonly Case[]): { stopped: Case[]; harmless: Case[] } {
  const mayEnd = ([, , kinds]: Case) => kinds.includes('pass') || kinds.includes('wrong_answer');
  return { stopped: cases.filter((one) => !mayEnd(one)), harmless: cases.filter(mayEnd) };
}

/** How many hostile programs go by between two looks at the controls, where no process ended. */
const PROGRAMS_PER_CONTROL = 10;

const survived = new WeakMap<Supervisor, number>();

/** How many of a judge's processes have ended, killed or by themselves. */
async function endedProcesses(judge: Supervisor): Promise<number> {
  const { counters } = await judge.health();
  return counters ? counters.deaths + counters.killedForTime + counters.killedForMemory : 0;
}

/**
 * Judges a hostile program, and gives its verdict, which is of one of the kinds. Every tenth runs while another learner's
 * correct program does, which has to pass. After each of these, and after each that ended a process, a right and a wrong
 * control program must get their true verdicts.
 */
export async function survive(
  judge: Supervisor,
  submission: Submission,
  kinds: readonly VerdictKind[],
  limits: Partial<RunLimits> = SMALL_LIMITS,
): Promise<Verdict> {
  const { right } = CONTROLS[submission.language];
  const count = survived.get(judge) ?? 0;
  survived.set(judge, count + 1);
  const isLookedAt = count % PROGRAMS_PER_CONTROL === 0;
  const endedBefore = await endedProcesses(judge);
  const [verdict, other] = await Promise.all([
    judge.judge({ ...submission, owner: 'hostile' }, limits),
    isLookedAt ? judge.judge({ ...right, owner: 'another learner' }) : null,
  ]);
  if (other) expect(other.kind).toBe('pass');
  expect(kinds).toContain(verdict.kind);
  expect(Buffer.byteLength(verdict.output)).toBeLessThanOrEqual(64 * 1024);
  if (isLookedAt || (await endedProcesses(judge)) > endedBefore)
    await expectTrueVerdicts(judge, submission.language);
  return verdict;
}

/** How often a program is judged again where the debugger was too late to say the line. */
const LINE_TRIES = 12;
const LINES_NAMED = 3;

/** A program that never ends, and the line where it does not. */
export type EndlessProgram = { what: string; submission: Submission; line: number };

/**
 * Judges each endless program until three verdicts have named a line, and expects each of these to be the right one, or
 * one beside it (the loop may be at its head or in its body). Where other work takes all of the machine, the debugger
 * that is asked for the line answers too late, and the verdict names none.
 */
export async function expectLinesOfEndlessPrograms(
  judge: Supervisor,
  programs: readonly EndlessProgram[],
  limits: Partial<RunLimits>,
): Promise<void> {
  for (const { what, submission, line } of programs) {
    const named: number[] = [];
    for (let tries = 0; tries < LINE_TRIES && named.length < LINES_NAMED; tries += 1) {
      const { kind, error } = await judge.judge(submission, limits);
      expect(kind, what).toBe('time_limit');
      if (typeof error?.line !== 'number') continue;
      expect(error.message).toContain(`at line ${error.line}`);
      expect(Math.abs(error.line - line), `${what}: line ${error.line}`).toBeLessThanOrEqual(1);
      named.push(error.line);
    }
    expect(named, what).toHaveLength(LINES_NAMED);
  }
}
