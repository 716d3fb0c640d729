import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { FAILURES_FILE, type NamedFailure } from './support/closing-line.ts';

// `npm test`: everything that has to hold, in the order in which it fails soonest. Each stage runs whatever became of the
// one before; the end names everything that failed and the command that runs it alone.

const root = resolve(import.meta.dirname, '..');

/** Browser tests use the release that is built beside the tests before them. */
const BUILD_DIR = process.env.BUILD_DIR ?? 'dist-e2e';

interface Stage {
  name: string;
  command: string[];
  env?: Record<string, string>;
  /** What runs this stage alone, where its tests do not name themselves. */
  alone: string;
}

interface Ended {
  name: string;
  seconds: number;
  outcome: 'passed' | 'failed' | 'not run';
}

const node = (...command: string[]): string[] => [process.execPath, ...command];
const VITEST = node('node_modules/vitest/vitest.mjs', 'run', '--config', 'tests/vitest.config.ts');

const LINT: Stage = {
  name: 'format and lint',
  command: node('node_modules/@biomejs/biome/bin/biome', 'check', '.'),
  alone: 'npx biome check .',
};
const TEMPLATES: Stage = {
  name: 'format of templates',
  command: node('node_modules/prettier/bin/prettier.cjs', '--check', 'src/**/*.astro'),
  alone: 'npx prettier --check "src/**/*.astro"',
};
const TESTS: Stage = {
  name: 'unit and integration tests',
  command: [...VITEST, '--project', '!judge'],
  alone: 'npm run test:unit && npm run test:integration && npm run test:recipes',
};
const JUDGE: Stage = {
  name: "the judge's tests",
  command: [...VITEST, '--project', 'judge'],
  alone: 'npm run test:judge',
};
const TYPES: Stage = {
  name: 'types',
  command: node('node_modules/astro/bin/astro.mjs', 'check', '--minimumFailingSeverity', 'error'),
  alone: 'npm run check',
};
const BUILD: Stage = {
  name: 'build',
  command: node('scripts/build.ts', '--for-start'),
  env: { BUILD_DIR, NODE_ENV: 'production', BUILD_FOR_TESTS: '1' },
  alone: 'npm run build',
};
const BROWSER: Stage = {
  name: 'browser tests',
  command: node('tests/e2e/run.ts'),
  env: { BUILD_DIR, BUILD_FOR_TESTS: '1' },
  alone: 'npm run test:e2e',
};

const notes = mkdtempSync(join(tmpdir(), 'academy-npm-test-'));
process.on('exit', () => rmSync(notes, { recursive: true, force: true }));
const ended: Ended[] = [];
const failures: NamedFailure[] = [];

const running = new Set<ChildProcess>();
let stopped = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    stopped = true;
    for (const child of running) child.kill(signal);
  });
}

/** What the reporters of a stage wrote down, or the stage itself where it has no reporter or did not come that far. */
function failuresOf({ name, alone }: Stage, file: string): NamedFailure[] {
  let lines: string[] = [];
  try {
    lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    // No test failed by itself.
  }
  if (lines.length === 0)
    return [{ test: name, file: 'see its output above', command: alone, kind: 'failed', why: '' }];
  return lines.map((line) => JSON.parse(line) as NamedFailure);
}

/** Runs a stage and gives whether it passed. */
async function run(stage: Stage): Promise<boolean> {
  const { name, env } = stage;
  const [program, ...words] = stage.command;
  if (stopped) return notRun(stage);
  const file = join(notes, `${ended.length}-${name.replaceAll(/\W/g, '-')}.jsonl`);
  const started = performance.now();
  console.log(`\n── ${name}`);
  const child = spawn(program!, words, {
    cwd: root,
    env: { ...process.env, ...env, [FAILURES_FILE]: file },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  running.add(child);
  const code = await new Promise<number | null>((done) => {
    child.once('close', done);
    child.once('error', (error) => {
      console.error(`${name} could not be started: ${error.message}`);
      done(1);
    });
  });
  running.delete(child);
  const passed = code === 0 && !stopped;
  ended.push({
    name,
    seconds: Math.round((performance.now() - started) / 1000),
    outcome: passed ? 'passed' : 'failed',
  });
  if (!passed) failures.push(...failuresOf(stage, file));
  return passed;
}

function notRun({ name }: Stage): false {
  ended.push({ name, seconds: 0, outcome: 'not run' });
  return false;
}

// The ports of `npm start`: they are taken, by it or from here, so a test that needs one of them fails.
for (const port of [4321, 4242])
  createServer()
    .on('error', () => {})
    .listen(port)
    .unref();

const started = performance.now();
await run(LINT);
await run(TEMPLATES);
await run(TESTS);
await run(TYPES);
const built = await run(BUILD);
// Alone: what is judged is stopped by the wall's clock, and compilers beside it made right programs late.
await run(JUDGE);
// Without a build there is nothing to look at.
if (built) await run(BROWSER);
else notRun(BROWSER);

const width = Math.max(...ended.map(({ name }) => name.length));
console.log('\nStage times, in seconds:');
for (const { name, seconds, outcome } of ended)
  console.log(
    `  ${name.padEnd(width)} ${String(seconds).padStart(5)}${outcome === 'passed' ? '' : `  ${outcome.toUpperCase()}`}`,
  );
console.log(
  `  ${'all'.padEnd(width)} ${String(Math.round((performance.now() - started) / 1000)).padStart(5)}`,
);
if (failures.length > 0) {
  console.log(`\n${stopped ? 'Stopped. ' : ''}What did not pass, and the command that runs it alone:`);
  for (const { test, file, command, kind, why } of failures) {
    console.log(`  ${kind.toUpperCase()} ${file}\n    ${test}\n    ${command}`);
    if (why) console.log(why.replaceAll(/^/gm, '      '));
  }
}
process.exitCode = ended.every(({ outcome }) => outcome === 'passed') ? 0 : 1;
