import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';

// `npm run test:mutation`: changes the rules that decide money, access, marks and verdicts one place at a time, and asks
// of each change whether a unit test fails. `-- --mutate FILE` does it for one module.

const root = resolve(import.meta.dirname, '../..');
const REPORT = resolve(root, '.stryker-tmp/report.json');
/** Percent of its changes that the tests of every module must notice. */
const ENOUGH_PERCENT = 85;

interface Report {
  files: Record<string, { mutants: { status: string }[] }>;
}

// A report of an earlier run must not stand for one that failed.
rmSync(REPORT, { force: true });
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/@stryker-mutator/core/bin/stryker.js',
    'run',
    'tests/mutation/stryker.config.mjs',
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit' },
);
if (status !== 0) process.exit(status ?? 1);

const { files } = JSON.parse(readFileSync(REPORT, 'utf8')) as Report;
const rows = Object.entries(files).map(([module, { mutants }]) => {
  const count = (...states: string[]) => mutants.filter((mutant) => states.includes(mutant.status)).length;
  // A change that never ends is noticed too.
  const killed = count('Killed', 'Timeout');
  const survived = count('Survived', 'NoCoverage');
  const all = killed + survived;
  return { module, mutants: all, killed, survived, score: all === 0 ? 100 : (100 * killed) / all };
});
console.log('\n| module | mutants | killed | survived | score |\n| --- | ---: | ---: | ---: | ---: |');
for (const { module, mutants, killed, survived, score } of rows) {
  console.log(`| \`${module}\` | ${mutants} | ${killed} | ${survived} | ${score.toFixed(1)} % |`);
}
const weak = rows.filter(({ score }) => score < ENOUGH_PERCENT);
for (const { module } of weak) console.error(`${module} is under ${ENOUGH_PERCENT} %.`);
process.exit(weak.length > 0 || rows.length === 0 ? 1 : 0);
