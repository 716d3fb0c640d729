import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { readDemoCourses } from '#src/features/authoring/transfer/demo-courses.server.ts';
import { DEFAULT_LIMITS } from '#src/judge/pools.ts';
import { divergence } from '#src/features/practice/replay/divergence.ts';
import { type Language, type Submission, TRACED } from '#src/judge/protocol.ts';
import type { Observation } from '#src/judge/runner.ts';
import { type PoolHealth, Supervisor } from '#src/judge/supervisor.ts';
import { hintAt, prepareHints } from '#src/judge/comparing/hints.ts';
import { JAVASCRIPT } from '../judge/mistakes/javascript.ts';
import { PYTHON } from '../judge/mistakes/python.ts';
import { REACT } from '../judge/mistakes/react.ts';
import { endpointTimes } from './judge-endpoint.ts';
import { report } from './results.ts';

// Prints figures and ratios; asserts none. References run in the same minute on the same machine.
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const ONE_BY_ONE = 60;
const ROUNDS = 3;
/** Node's timers wake up to so much late, which is not the judge's. */
const TIMERS_LATE_MS = 2;

/** What a figure is to be, and whether it is. */
interface Aim {
  text: string;
  met: boolean;
}

const figures: string[][] = [];
function note(what: string, value: string, ratio = '', aim?: Aim): void {
  const word = aim ? (aim.met ? 'met' : 'MISSED') : '';
  figures.push([what, value, ratio, aim?.text ?? '', word]);
  console.log(`${what}: ${value} ${ratio && `(${ratio})`} ${aim ? `aim ${aim.text}: ${word}` : ''}`);
}

/** What a run gave that was not asked for. */
const WRONG: Observation = { kind: 'value', value: '[1]', output: '', outputTruncated: false, error: null };

const tests = (inputs: [string, string][]) =>
  inputs.map(([input, expectedOutput]) => ({ input, expectedOutput }));

const words: [string, string][] = Array.from({ length: 10 }, (_, n) => [
  `count_words("one two two ${n}")`,
  '4',
]);

/** What lessons ask for: a short program with ten tests, or a page with a few. */
const PROGRAMS: Record<Language, Submission> = {
  javascript: {
    language: 'javascript',
    code: `// Counts words.
function count_words(text) {
  const counts = new Map();
  for (const word of text.split(' ')) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts.values()].reduce((sum, n) => sum + n, 0);
}
console.log(count_words('to be or not to be'));`,
    tests: tests(words),
  },
  python: {
    language: 'python',
    code: `def count_words(text):
    counts = {}
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    return sum(counts.values())

print(count_words("to be or not to be"))`,
    tests: tests(words),
  },
  html: {
    language: 'html',
    code: '<header><h1>Tea</h1><nav><a href="#a">Green</a> <a href="#b">Black</a></nav></header><main><ul><li>One</li><li>Two</li></ul></main>',
    tests: tests([
      ['h1', 'Tea'],
      ['nav a | count', '2'],
      ['nav a | @href', '#a'],
    ]),
  },
  css: {
    language: 'css',
    code: 'main { max-width: 40rem; } .card { color: rgb(20, 40, 60); padding: 1rem; } .card:first-child { margin-top: 0; }',
    fixture: '<main><article class="card">One</article><article class="card">Two</article></main>',
    tests: tests([
      ['.card | color', 'rgb(20, 40, 60)'],
      ['.card | padding', '16px'],
      ['main | max-width', '640px'],
    ]),
  },
  react: {
    language: 'react',
    code: `import { useState } from 'react';
export default function Counter({ start }) {
  const [count, setCount] = useState(start);
  return <div><p>Count: {count}</p><button onClick={() => setCount(count + 1)}>More</button></div>;
}`,
    tests: tests([['<Counter start={4} />; click button; p | text', 'Count: 5']]),
  },
  typescript: {
    language: 'typescript',
    code: `function count_words(text: string): number {
  const counts = new Map<string, number>();
  for (const word of text.split(' ')) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts.values()].reduce((sum, n) => sum + n, 0);
}
console.log(count_words('to be or not to be'));`,
    tests: tests(words),
  },
  sql: {
    language: 'sql',
    code: `SELECT c.name, count(o.id) AS orders, coalesce(sum(o.total), 0) AS total
FROM customers c LEFT JOIN orders o ON o.customer_id = c.id
GROUP BY c.id, c.name ORDER BY total DESC, c.name`,
    fixture: `CREATE TABLE customers (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE orders (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer_id integer NOT NULL REFERENCES customers (id), total numeric(8, 2) NOT NULL CHECK (total > 0));
INSERT INTO customers (name) VALUES ('Ada'), ('Bob'), ('Cy');
INSERT INTO orders (customer_id, total) VALUES (1, 10), (1, 2.5), (2, 7);`,
    tests: tests(
      Array.from({ length: 5 }, (): [string, string] => [
        'result in order',
        'name | orders | total\nAda | 2 | 12.5\nBob | 1 | 7\nCy | 0 | 0',
      ]),
    ),
  },
};

/** A program whose text could change what tests share, so that nothing is shared. */
const RESTORED: Submission = { ...PROGRAMS.python, code: `import functools\n${PROGRAMS.python.code}` };

const CLICKS: Submission = {
  ...PROGRAMS.react,
  tests: tests(
    [4, 5, 6, 7].map((n) => [`<Counter start={${n}} />; click button; p | text`, `Count: ${n + 1}`]),
  ),
};

/** The reference solutions of the demo's JavaScript lessons, with all their tests. */
const LESSONS: Submission[] = (await readDemoCourses())
  .flatMap(({ content }) => content)
  .filter((lesson) => lesson.type === 'interactive_coding')
  .filter(({ language }) => language === 'javascript')
  .map(({ language, solution, tests, expectedOutput }) => ({
    language,
    code: solution,
    tests,
    expectedOutput,
  }));

const BOMBS: [Language, string][] = [
  ['javascript', 'for (;;) {}'],
  ['javascript', 'const a = []; for (;;) a.push([a.length]);'],
  ['javascript', 'new Array(2 ** 32 - 1).fill(1);'],
  ['javascript', 'let n = 3n; for (;;) n *= n;'],
  ['javascript', '/^(a+)+$/.test("a".repeat(45) + "b");'],
  ['python', 'while True: pass'],
  ['python', 'a = []\nwhile True: a.append(" " * 10_000_000)'],
  ['python', 'x = 7 ** (10 ** 9)'],
  ['react', 'export default function App() { for (;;) {} }'],
];

interface Times {
  p50: number;
  p95: number;
  failed: number;
}

function summary(times: number[], failed: number): Times {
  const sorted = times.sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), failed };
}

const show = ({ p50, p95, failed }: Times) =>
  `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms${failed > 0 ? `, ${failed} FAILED` : ''}`;

/** The aim for the times of runs, in milliseconds. A run that fails misses any. */
function within({ p50, p95, failed }: Times, most: { p50?: number; p95?: number }): Aim {
  const parts = [most.p50 && `p50 ≤ ${most.p50}`, most.p95 && `p95 ≤ ${most.p95}`].filter(Boolean);
  const met =
    failed === 0 &&
    p50 <= (most.p50 ?? Number.POSITIVE_INFINITY) &&
    p95 <= (most.p95 ?? Number.POSITIVE_INFINITY);
  return { text: `${parts.join(', ')} ms`, met };
}

type Run = () => Promise<boolean>;

/** Starts a run at fixed moments, however long others take, as visitors do. */
async function atRate(run: Run, perSecond: number): Promise<Times> {
  const times: number[] = [];
  let failed = 0;
  const under: Promise<void>[] = [];
  const began = performance.now();
  for (let n = 0; n < perSecond * SECONDS; n += 1) {
    const due = began + (n * 1000) / perSecond;
    const left = due - performance.now();
    if (left > TIMERS_LATE_MS) await wait(left - TIMERS_LATE_MS);
    while (performance.now() < due) await new Promise((go) => setImmediate(go));
    under.push(
      run().then(
        (passed) => {
          times.push(performance.now() - due);
          if (!passed) failed += 1;
        },
        () => {
          failed += 1;
        },
      ),
    );
  }
  await Promise.all(under);
  return summary(times, failed);
}

async function oneByOne(run: Run, count = ONE_BY_ONE): Promise<Times> {
  const times: number[] = [];
  let failed = 0;
  for (let n = 0; n < count; n += 1) {
    const began = performance.now();
    if (!(await run().catch(() => false))) failed += 1;
    times.push(performance.now() - began);
    // A child makes its next sandboxes meanwhile, as between two visitors.
    await wait(60);
  }
  return summary(times, failed);
}

/** As many as go through, with a few always under way. */
async function saturated(run: Run, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000;
  let done = 0;
  const lane = async () => {
    while (performance.now() < until) if (await run().catch(() => false)) done += 1;
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  return done / seconds;
}

/** The median rate of each: by turns, so that a slow moment of the machine does not fall on one of them alone. */
async function saturatedByTurns(runs: Run[]): Promise<number[]> {
  const rates: number[][] = runs.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, run] of runs.entries()) rates[index]!.push(await saturated(run, SECONDS / 2));
  }
  return rates.map((of) => of.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!);
}

// A judge keeps no process alive, also not while it replaces one of its own.
const alive = setInterval(() => {}, 1_000);
const judge = new Supervisor({ log: (line) => console.log(line) });
const judging =
  (submission: Submission): Run =>
  () =>
    judge.judge(submission).then(({ kind }) => kind === 'pass');
const running = (language: Language): Run => judging(PROGRAMS[language]);

/** Whether this judge has the language, after its processes have started and filled their pools. */
async function ready(language: Language): Promise<boolean> {
  const verdict = await judge.judge(PROGRAMS[language]).catch(() => null);
  if (verdict && verdict.kind !== 'pass') {
    console.log(`${language}: the program of the bench gets ${JSON.stringify(verdict).slice(0, 600)}`);
  }
  for (let n = 0; n < 6; n += 1) await running(language)().catch(() => {});
  await wait(500);
  if (verdict?.kind !== 'pass') note(`${language}`, 'cannot be judged here');
  return verdict?.kind === 'pass';
}

/** The reference programs: what others spend on the same tests without any wall around them. */
const { code, tests: asked } = PROGRAMS.javascript;
const plainJavaScript = `${code}
let passed = true;
${asked.map(({ input, expectedOutput }) => `passed &&= String(${input}) === ${JSON.stringify(expectedOutput)};`).join('\n')}
if (!passed) throw new Error('wrong');`;

async function inProcess(program: string, parameters: string[]): Promise<boolean> {
  const child = spawn(program, parameters, { stdio: 'ignore' });
  const [exit] = (await once(child, 'exit')) as [number];
  return exit === 0;
}

const perProcess: Run = () => inProcess(process.execPath, ['-e', plainJavaScript]);
const perWorker: Run = async () => {
  const worker = new Worker(plainJavaScript, { eval: true, stdout: true });
  const [exit] = (await once(worker, 'exit')) as [number];
  return exit === 0;
};
const plainPython = `${PROGRAMS.python.code}\n${words.map(([input]) => `assert ${input} == 4`).join('\n')}`;
const perPythonProcess: Run = () => inProcess('python3', ['-c', plainPython]);

const languages = new Set<Language>();
for (const language of Object.keys(PROGRAMS) as Language[])
  if (await ready(language)) languages.add(language);

const process50 = await oneByOne(perProcess);
note('a node process for each JavaScript run', show(process50));
const worker50 = await oneByOne(perWorker);
note('a worker for each JavaScript run', show(worker50));

const against = ({ p50 }: Times) =>
  `${(process50.p50 / p50).toFixed(1)} × faster than a process, ${(worker50.p50 / p50).toFixed(1)} × than a worker`;

const javascript = await atRate(running('javascript'), 50);
note(
  'JavaScript, 10 tests, 50/s',
  show(javascript),
  against(javascript),
  within(javascript, { p50: 4, p95: 10 }),
);

if (languages.has('python')) {
  const python = await atRate(running('python'), 10);
  const reference = await oneByOne(perPythonProcess, 20).catch(() => null);
  const ratio =
    reference && reference.failed === 0
      ? `${(reference.p50 / python.p50).toFixed(1)} × faster than a python3 process (p50 ${reference.p50.toFixed(1)} ms)`
      : 'no python3 here to compare with';
  note('Python, 10 tests, 10/s', show(python), ratio, within(python, { p50: 8, p95: 20 }));
  const restored = await atRate(judging(RESTORED), 10);
  note('Python, 10 tests, all memory restored after each, 10/s', show(restored));
}
for (const [language, p50] of [
  ['react', 15],
  ['html', 40],
  ['css', 40],
  ['typescript', 60],
  ['sql', 25],
] as const) {
  if (!languages.has(language)) continue;
  const titles: Partial<Record<Language, string>> = {
    react: 'React with a click',
    typescript: 'TypeScript, 10 tests',
  };
  const what = titles[language] ?? language.toUpperCase();
  const times = await oneByOne(running(language));
  note(what, show(times), against(times), within(times, { p50 }));
  if (language === 'react') {
    note('React with a click, 4 tests', show(await oneByOne(judging(CLICKS))));
  }
}

/** What a replay takes: the learner's program and the author's step by step, and where the two part. */
const replaying =
  ({ language, code, tests: [test] }: Submission): Run =>
  async () => {
    const asked: Submission = { language, code, tests: [test!], traced: true };
    const [own, authors] = [await judge.judge(asked), await judge.judge(asked)];
    if (!own.trace || !authors.trace) return false;
    const { step } = divergence(
      { ...own.trace, output: own.output, error: null },
      { ...authors.trace, output: authors.output, error: null },
      { learners: code, authors: code },
    );
    return step === null && own.kind === 'pass';
  };
for (const language of TRACED) {
  if (!languages.has(language)) continue;
  const times = await oneByOne(replaying(PROGRAMS[language]));
  note(`a replay, ${language}`, show(times), against(times), within(times, { p50: 300 }));
}

if (languages.has('python')) {
  const [js, py] = await Promise.all([atRate(running('javascript'), 100), atRate(running('python'), 10)]);
  note('mixed: JavaScript at 100/s', show(js), against(js), within(js, { p95: 15 }));
  note('mixed: Python at 10/s', show(py), '', within(py, { p95: 40 }));
}

let turn = 0;
const nextLesson: Run = () => {
  turn += 1;
  return judging(LESSONS[turn % LESSONS.length]!)();
};
const testCount = LESSONS.reduce((sum, { tests }) => sum + tests.length, 0);
const ONE_TEST: Submission = { ...PROGRAMS.javascript, tests: PROGRAMS.javascript.tests.slice(0, 1) };
const lesson = `the demo's ${LESSONS.length} lessons in turn, ${(testCount / LESSONS.length).toFixed(1)} tests each`;
const kinds: [what: string, run: Run][] = [
  [lesson, nextLesson],
  ['10 tests each', running('javascript')],
  ['1 test each', judging(ONE_TEST)],
];
const [processRate, ...rates] = await saturatedByTurns([perProcess, ...kinds.map(([, run]) => run)]);
for (const [index, [what]] of kinds.entries()) {
  const rate = rates[index]!;
  note(
    `JavaScript, saturated: ${what}`,
    `${rate.toFixed(0)}/s`,
    `${(rate / processRate!).toFixed(1)} × a process for each (${processRate!.toFixed(0)}/s)`,
    { text: '≥ 500/s', met: rate >= 500 },
  );
}
if (languages.has('python')) {
  const [rate, restored] = await saturatedByTurns([running('python'), judging(RESTORED)]);
  note('Python, saturated', `${rate!.toFixed(0)}/s`, '', { text: '≥ 35/s', met: rate! >= 35 });
  note('Python, saturated, all memory restored after each', `${restored!.toFixed(0)}/s`);
}

let worst = { over: Number.NEGATIVE_INFINITY, what: '' };
for (const [language, bomb] of BOMBS) {
  if (!languages.has(language)) continue;
  const began = performance.now();
  const { kind } = await judge.judge({ language, code: bomb, tests: [] });
  const over = performance.now() - began - DEFAULT_LIMITS[language].testMs;
  if (over > worst.over) worst = { over, what: `${kind}: ${bomb.slice(0, 40)}` };
  await wait(1_500);
}
note('verdict on a bomb, beyond its limit, worst', `${worst.over.toFixed(0)} ms`, worst.what, {
  text: '≤ 1000 ms',
  met: worst.over <= 1_000,
});

await wait(2_000);
const { pools, counters } = await judge.health();
const resident = Object.values(pools).reduce((sum, pool) => sum + (pool as PoolHealth).residentMb, 0);
note('idle memory of all pools', `${resident} MB`, '', { text: '≤ 1200 MB', met: resident <= 1_200 });

const { endpoint, judge: alone } = await endpointTimes(PROGRAMS.javascript, running('javascript'));
const [asked50, alone50] = [summary(endpoint, 0), summary(alone, 0)];
const overhead = asked50.p50 - alone50.p50;
note(
  'POST /api/execute-code, JavaScript, one by one',
  show(asked50),
  `the judge alone by turns: ${show(alone50)}`,
);
note('the endpoint on top of the judge', `p50 ${overhead.toFixed(1)} ms`, '', {
  text: 'p50 ≤ 10 ms',
  met: overhead <= 10,
});
const words95 = await explanationTimes();
note('the words for a wrong answer, the programs of tests/judge/mistakes', show(words95), '', {
  text: 'p95 ≤ 5 ms',
  met: words95.p95 <= 5,
});
console.log(`\nCounters: ${JSON.stringify(counters)}`);
await judge.stop();
clearInterval(alive);

/** How long the words for a program take, when its answer is known to be wrong. */
async function explanationTimes() {
  const took: number[] = [];
  for (const [language, mistakes] of [
    ['javascript', JAVASCRIPT],
    ['python', PYTHON],
    ['react', REACT],
  ] as const) {
    await prepareHints(language);
    for (const round of [0, 1]) {
      for (const [, code, asked] of mistakes) {
        const [input = '', expectedOutput = ''] = asked.split(' → ');
        const began = performance.now();
        // What was read before is known: each program is a new one.
        const fresh = `${code}\n${language === 'python' ? '#' : '//'} ${round}`;
        hintAt({ language, code: fresh, tests: [{ input, expectedOutput }] }, 0, WRONG);
        // The first round is the compiler's.
        if (round > 0) took.push(performance.now() - began);
      }
    }
  }
  return summary(took, 0);
}

const rows = figures.map((figure) => `| ${figure.join(' | ')} |`);
await report('judge', ['| measured | value | ratio | aim | |', '|---|---|---|---|---|', ...rows].join('\n'));
