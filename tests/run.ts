import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';

// `npm test`: everything that has to hold, in the order in which it fails soonest, with the time that each stage took.

const root = resolve(import.meta.dirname, '..');

/** Browser tests use the release that is built beside the tests before them. */
const BUILD_DIR = process.env.BUILD_DIR ?? 'dist-e2e';

interface Stage {
  name: string;
  command: string[];
  env?: Record<string, string>;
}

const node = (...command: string[]): string[] => [process.execPath, ...command];
const VITEST = node('node_modules/vitest/vitest.mjs', 'run', '--config', 'tests/vitest.config.ts');

const LINT: Stage = {
  name: 'format and lint',
  command: node('node_modules/@biomejs/biome/bin/biome', 'check', '.'),
};
const TESTS: Stage = {
  name: 'unit and integration tests',
  command: [...VITEST, '--project', '!judge'],
};
const JUDGE: Stage = { name: "the judge's tests", command: [...VITEST, '--project', 'judge'] };
const TYPES: Stage = {
  name: 'types',
  command: node('node_modules/astro/bin/astro.mjs', 'check', '--minimumFailingSeverity', 'error'),
};
const BUILD: Stage = {
  name: 'build',
  command: node('scripts/build.ts', '--for-start'),
  env: { BUILD_DIR, NODE_ENV: 'production', BUILD_FOR_TESTS: '1' },
};
const BROWSER: Stage = { name: 'browser tests', command: node('tests/e2e/run.ts'), env: { BUILD_DIR } };

const seconds: [name: string, seconds: number, passed: boolean][] = [];

/**
 * Runs a stage and gives whether it passed.
 *
 * @param beside another one prints meanwhile: this one's output is shown when it has ended
 */
async function run({ name, command: [program, ...words], env }: Stage, beside = false): Promise<boolean> {
  const started = performance.now();
  if (!beside) console.log(`\n── ${name}`);
  const child = spawn(program!, words, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', beside ? 'pipe' : 'inherit', beside ? 'pipe' : 'inherit'],
  });
  // What is judged meanwhile is stopped by the wall's clock, and goes first.
  if (beside && child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => (output += part));
  const code = await new Promise<number | null>((done) => child.once('close', done));
  if (beside) console.log(`\n── ${name}\n${output}`);
  seconds.push([name, Math.round((performance.now() - started) / 1000), code === 0]);
  return code === 0;
}

async function oneAfterTheOther(stages: Stage[], beside: boolean): Promise<boolean> {
  for (const stage of stages) if (!(await run(stage, beside))) return false;
  return true;
}

async function test(): Promise<boolean> {
  if (!(await oneAfterTheOther([LINT, TESTS], false))) return false;
  // One program is judged at a time, which leaves the other processor to the compilers.
  const [judged, built] = await Promise.all([run(JUDGE), oneAfterTheOther([TYPES, BUILD], true)]);
  return judged && built && run(BROWSER);
}

const started = performance.now();
const passed = await test();
const width = Math.max(...seconds.map(([name]) => name.length));
console.log('\nStage times, in seconds (types and build run beside the tests of the judge):');
for (const [name, time, ok] of seconds)
  console.log(`  ${name.padEnd(width)} ${String(time).padStart(5)}${ok ? '' : '  FAILED'}`);
console.log(
  `  ${'all'.padEnd(width)} ${String(Math.round((performance.now() - started) / 1000)).padStart(5)}`,
);
process.exitCode = passed ? 0 : 1;
