import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Submission } from '#src/judge/protocol.ts';
import type { RunLimits } from '#src/judge/runner.ts';
import { Supervisor } from '#src/judge/supervisor.ts';

/**
 * Judges programs while others take the processor from the judge's processes, and counts what they got (faults J11, J12):
 * `node tests/judge/starved.ts [rounds] [words of a case]`. Needs Linux and taskset.
 */

const TASKSET = ['/usr/bin/taskset', '/bin/taskset'].find((path) => existsSync(path));
export const canStarve = TASKSET !== undefined;

/** Processes that compute without end on a processor. */
function burn(processes: number, processor: number): ChildProcess[] {
  const endless = ['-c', String(processor), process.execPath, '-e', 'for(;;);'];
  return Array.from({ length: processes }, () => spawn(TASKSET!, endless, { stdio: 'ignore' }));
}

/** Binds a process with all its threads to one processor. */
function bind(pid: number, processors: string): Promise<void> {
  return new Promise((done) => {
    spawn(TASKSET!, ['-a', '-p', '-c', processors, String(pid)], { stdio: 'ignore' }).once('close', () =>
      done(),
    );
  });
}

/** Stops a process for `stoppedMs` and lets it run for `runsMs`, again and again; gives a function that ends that. */
function stutter(pid: number, stoppedMs: number, runsMs: number): () => void {
  let timer: NodeJS.Timeout;
  const signal = (name: 'SIGSTOP' | 'SIGCONT', nextMs: number) => {
    try {
      process.kill(pid, name);
    } catch {
      return;
    }
    timer = setTimeout(
      () => (name === 'SIGSTOP' ? signal('SIGCONT', runsMs) : signal('SIGSTOP', stoppedMs)),
      nextMs,
    );
  };
  signal('SIGSTOP', stoppedMs);
  return () => {
    clearTimeout(timer);
    try {
      process.kill(pid, 'SIGCONT');
    } catch {
      // It has ended.
    }
  };
}

/** How the judge's process is kept from computing: so many others share its processor, or it is stopped. */
export type Starvation = { others: number } | { stoppedMs: number; runsMs: number };

/** What programs got: a kind of verdict, `busy` or `failed`, and how often. */
export type Tally = Record<string, number>;

/** Judges a program so many times on a judge with one starved process for each of its pools. */
export async function judgeStarved(
  submission: Submission,
  starvation: Starvation,
  rounds: number,
  limits: Partial<RunLimits> = {},
): Promise<{ tally: Tally; log: string[] }> {
  const log: string[] = [];
  const judge = new Supervisor({ children: { web: 1, python: 1 }, log: (line) => log.push(line) });
  const pool = submission.language === 'python' ? 'python' : 'web';
  const processor = availableParallelism() - 1;
  const burners = 'others' in starvation ? burn(starvation.others, processor) : [];
  const tally: Tally = {};
  try {
    // Until the pool is there.
    await judge.judge({ language: submission.language, code: '', tests: [] }).catch(() => {});
    for (let round = 0; round < rounds; round += 1) {
      const [pid] = judge.processIds(pool);
      if (pid && 'others' in starvation) await bind(pid, String(processor));
      const end =
        pid && 'stoppedMs' in starvation ? stutter(pid, starvation.stoppedMs, starvation.runsMs) : null;
      const got = await judge.judge(submission, limits).then(
        ({ kind }) => kind as string,
        (error: { reason?: string }) => error.reason ?? String(error),
      );
      end?.();
      tally[got] = (tally[got] ?? 0) + 1;
    }
  } finally {
    for (const burner of burners) burner.kill('SIGKILL');
    await judge.stop();
  }
  return { tally, log };
}

/** Milliseconds that a right program needs for one of its tests on a judge that nobody starves. */
export async function aloneMs(submission: Submission): Promise<number> {
  const judge = new Supervisor({ children: { web: 1, python: 1 } });
  try {
    await judge.judge({ language: submission.language, code: '', tests: [] }).catch(() => {});
    const verdict = await judge.judge(submission, { testMs: 60_000, totalMs: 240_000 });
    if (verdict.kind !== 'pass') throw new Error(`alone, the program got ${verdict.kind}`);
    return verdict.durationMs / submission.tests.length;
  } finally {
    await judge.stop();
  }
}

const tests = (inputs: string[]) => inputs.map((input, at) => ({ input, expectedOutput: String(at + 1) }));
const FOUR = tests(['f(1)', 'f(2)', 'f(3)', 'f(4)']);

const loop = (rounds: string) => `function f(a){let s=0;for(let i=0;i<${rounds};i++)s+=i%7;return a}`;

/** Right programs, which compute for so long that a busy machine matters. */
export const HEAVY: Record<string, Submission> = {
  'JavaScript, 12 million turns': { language: 'javascript', code: loop('12e6'), tests: FOUR },
  'JavaScript, 60 million turns': { language: 'javascript', code: loop('60e6'), tests: FOUR },
  'JavaScript, 20 million turns, six tests': {
    language: 'javascript',
    code: loop('20e6'),
    tests: tests(['f(1)', 'f(2)', 'f(3)', 'f(4)', 'f(5)', 'f(6)']),
  },
  React: {
    language: 'react',
    code: `${loop('60e6')}\nexport default function App({ n }) { return <p>{f(n)}</p>; }`,
    tests: tests(['<App n={1} /> | text', '<App n={2} /> | text']),
  },
  Python: {
    language: 'python',
    code: 'def f(a):\n    s = 0\n    for i in range(8_000_000):\n        s += i % 7\n    return a\n',
    tests: FOUR.slice(0, 3),
  },
};

/** A program that never ends: on a busy machine too, that is found. */
export const ENDLESS: Submission = { language: 'javascript', code: 'for (;;) {}', tests: FOUR };

async function main(): Promise<void> {
  if (!canStarve) throw new Error('taskset is missing: it comes with util-linux');
  const rounds = Number(process.argv[2] ?? 50);
  const only = process.argv[3];
  const ways: [string, Starvation][] = [
    ['half a processor', { others: 1 }],
    ['a third of one', { others: 2 }],
    ['stopped 900 ms, runs 300 ms', { stoppedMs: 900, runsMs: 300 }],
  ];
  let wrong = 0;
  for (const [how, starvation] of ways) {
    for (const [what, submission] of [...Object.entries(HEAVY), ['endless', ENDLESS] as const]) {
      if (only && !`${how} ${what}`.includes(only)) continue;
      const began = performance.now();
      const { tally, log } = await judgeStarved(submission, starvation, rounds);
      const right = (tally[what === 'endless' ? 'time_limit' : 'pass'] ?? 0) + (tally.busy ?? 0);
      wrong += rounds - right;
      const seconds = ((performance.now() - began) / 1_000 / rounds).toFixed(1);
      console.log(
        `${how} | ${what} | ${JSON.stringify(tally)} | wrong ${rounds - right} | ${seconds} s each`,
      );
      for (const line of log.filter((text) => /died|no verdict/.test(text))) console.log(`    ${line}`);
    }
  }
  console.log(`wrong verdicts: ${wrong}`);
  process.exitCode = wrong > 0 ? 1 : 0;
}

if (import.meta.main) await main();
