import { residentMb } from '#src/judge/worker.ts';
import type { Language, Submission } from '#src/judge/protocol.ts';
import { CONTROLS, PatientJudge, SMALL_LIMITS } from './controls.ts';

// Programs of all languages by chance, right and wrong ones among hostile ones: `node tests/judge/soak.ts 20000`.
// Says how many verdicts of the right and the wrong ones were not true, and how the memory of the processes went.

const HOSTILE = {
  javascript: [
    'while (true) {}',
    'const a = []; while (true) a.push(new Array(1e5).fill(1));',
    'new Array(2 ** 32 - 1).fill(1);',
    'const f = () => f(); f();',
    'let s = "x"; while (true) s += s;',
    '(async () => { while (true) await 1; })();',
    'this.constructor.constructor("return process")().exit();',
    '10n ** 10n ** 8n;',
  ],
  typescript: [
    'while (true) {}',
    'type A<T> = T extends [infer H, ...infer R] ? A<[...R, H]> : never; type B = A<[1, 2, 3]>;',
    'const a: unknown[] = []; while (true) a.push(new Array(1e5).fill(1));',
  ],
  react: [
    'export default function App() { while (true) {} }',
    'export default function App() { return <App />; }',
    'export default function App() { throw new Error("x".repeat(1e6)); }',
  ],
  html: [`${'<div>'.repeat(3_000)}`, '<script>while (true) {}</script>', `<p>${'&amp;'.repeat(20_000)}</p>`],
  css: [`${'a{'.repeat(3_000)}`, `h1 { color: ${'var(--a,'.repeat(500)}`, ':is('.repeat(500)],
  python: [
    'while True: pass',
    'a = []\nwhile True: a.append("x" * 100000)',
    'def f(): f()\nf()',
    'import os; os.system("id"); os._exit(1)',
    'x = 10 ** 10 ** 8',
    'while True:\n  try:\n    while True: pass\n  except BaseException: pass',
    'open("/tmp/x", "w").write("x" * 10 ** 8)',
  ],
  sql: [
    'SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b',
    'RESET ROLE; RESET SESSION AUTHORIZATION; DROP TABLE books; COMMIT; SELECT 1',
    'SELECT 1 --\r; DROP TABLE books; COMMIT',
    "SELECT repeat('x', 200000000)",
    'DO $$ BEGIN LOOP BEGIN PERFORM 1/0; EXCEPTION WHEN OTHERS THEN NULL; END; END LOOP; END $$',
    'CREATE TABLE t AS SELECT repeat(md5(a::text), 30) FROM generate_series(1, 1000000) a',
    "LOAD '/tmp/x.so'",
    'SET seed = 0.1; SET search_path = pg_temp; CREATE TEMP TABLE books (name text)',
    "SELECT lo_from_bytea(42, '\\x00'); SELECT lo_export(42, '/tmp/x.so')",
    'CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN f(); END $$; SELECT f()',
  ],
} satisfies Partial<Record<Language, string[]>>;

const most = Number(process.argv[2] ?? 2_000);
const judge = new PatientJudge({});
const languages = Object.keys(HOSTILE) as (keyof typeof HOSTILE)[];
const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;
const seen = { right: 0, wrong: 0, hostile: 0, untrue: [] as string[] };

async function one(): Promise<void> {
  const language = pick(languages);
  const { right, wrong } = CONTROLS[language];
  const kind = pick(['right', 'right', 'wrong', 'hostile'] as const);
  const submission: Submission =
    kind === 'right' ? right : { ...right, code: kind === 'wrong' ? wrong : pick(HOSTILE[language]) };
  seen[kind] += 1;
  const verdict = await judge
    .judge(submission, kind === 'hostile' ? SMALL_LIMITS : {})
    .catch((error: unknown) => ({ kind: String(error) }));
  const expected = { right: 'pass', wrong: 'wrong_answer', hostile: null }[kind];
  if (expected && verdict.kind !== expected) seen.untrue.push(`${language} ${kind}: ${verdict.kind}`);
}

async function memoryMb(): Promise<number> {
  const { pools } = await judge.health();
  return Object.values(pools).reduce((sum, pool) => sum + ('residentMb' in pool ? pool.residentMb : 0), 0);
}

const alive = setInterval(() => {}, 1_000);
let left = most;
const workers = Array.from({ length: 4 }, async () => {
  while (left > 0) {
    left -= 1;
    if (left % Math.ceil(most / 10) === 0) {
      console.log(
        `${most - left} programs, ${await memoryMb()} MB in the judge, ${residentMb(process.pid)} MB here`,
      );
    }
    await one();
  }
});
await Promise.all(workers);
const { counters } = await judge.health();
console.log(
  JSON.stringify({ ...seen, untrue: seen.untrue.slice(0, 20), wrongVerdicts: seen.untrue.length, counters }),
);
clearInterval(alive);
await judge.stop();
process.exit(seen.untrue.length > 0 ? 1 : 0);
