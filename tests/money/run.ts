import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Counters } from './world.ts';

const USAGE = 'Usage: npm run test:money -- [--runs 10000] [--minutes 60] [--seed 42]';

/** A whole number of an option; the usage and exit code 2 where it is none. */
function whole(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  console.error(USAGE);
  process.exit(2);
}

function readOptions() {
  try {
    return parseArgs({
      options: { runs: { type: 'string' }, minutes: { type: 'string' }, seed: { type: 'string' } },
    }).values;
  } catch {
    console.error(USAGE);
    process.exit(2);
  }
}

// The long version of the money tests: as many random schedules as asked for, and fault P5 with all its rounds. A failing
// schedule is shrunk and printed with its seed, with which it can be run again. `--minutes` ends the schedules early.
const given = readOptions();
const runs = whole(given.runs) ?? 10_000;
const seed = whole(given.seed) ?? randomInt(2 ** 31);
const minutes = whole(given.minutes);
const folder = await mkdtemp(join(tmpdir(), 'academy-money-'));
const report = join(folder, 'report.jsonl');

function vitest(args: string[], env: Record<string, string>): Promise<number> {
  const child = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      'tests/vitest.config.ts',
      '--project',
      'integration',
      ...args,
    ],
    {
      cwd: resolve(import.meta.dirname, '../..'),
      // The closing line of the run below is the one that counts.
      stdio: 'inherit',
      env: { ...process.env, ...env },
    },
  );
  return new Promise((done) => child.once('exit', (code) => done(code ?? 1)));
}

const schedulesCode = await vitest(['tests/money/schedules.test.ts'], {
  MONEY_RUNS: String(runs),
  MONEY_REPORT: report,
  MONEY_SEED: String(seed),
  ...(minutes === undefined ? {} : { MONEY_MINUTES: String(minutes) }),
});
const roundsCode = await vitest(['tests/integration/store/payments.test.ts', '-t', 'P5:'], {
  MONEY_P5_ROUNDS: '200',
});
const killCode = await vitest(['tests/money/sigkill.test.ts', 'tests/money/outages.test.ts'], {});

type Report = Counters & { seed: number; seconds: number };
const counters = await readFile(report, 'utf8').then(
  (text) => JSON.parse(text.trim().split('\n').at(-1)!) as Report,
  () => null,
);
await rm(folder, { recursive: true, force: true });
if (counters) {
  const { schedules, operations, deaths, settled, payments, refunds, disputes, answers, oracleFailures } =
    counters;
  const list = (counts: Record<string, number>) =>
    Object.entries(counts)
      .sort(([, a], [, b]) => b - a)
      .map(([name, count]) => `  ${name}: ${count}`)
      .join('\n');
  console.log(`\nschedules: ${schedules}\nseed: ${counters.seed}\nseconds: ${counters.seconds}`);
  console.log(
    `operations: ${Object.values(operations).reduce((sum, count) => sum + count, 0)}\n${list(operations)}`,
  );
  console.log(`answers by status:\n${list(answers)}`);
  console.log(`processes that died: ${deaths}\npayments: ${payments}\nsettled orders: ${settled}`);
  const { correctedInvoices, quotes, bundleSeats, bundleSeatsEnded } = counters;
  console.log(`corrected invoices: ${correctedInvoices}\nquotes: ${quotes}`);
  console.log(`seats of bundles: ${bundleSeats}, paid back: ${bundleSeatsEnded}`);
  console.log(`refunds: ${refunds}\ndisputes: ${disputes}\noracle failures: ${oracleFailures}`);
}
const parts = [schedulesCode, roundsCode, killCode];
const failures = parts.filter((code) => code !== 0).length;
// A schedule counts as a test of its own; the rounds and the killed processes as one each.
const passed =
  (counters && schedulesCode === 0 ? counters.schedules : 0) +
  parts.slice(1).filter((code) => code === 0).length;
console.log(`\n${passed} passed, ${failures} failed`);
process.exit(failures === 0 ? 0 : 1);
