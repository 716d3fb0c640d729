import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Schedule, schedules } from './schedule.ts';
import { MoneyMachine } from './world.ts';

/** Schedules in the normal test run; `npm run test:money -- --runs N` for more. */
const RUNS = Number(process.env.MONEY_RUNS ?? 200);
/** Minutes after which no further schedule is begun. */
const MINUTES = process.env.MONEY_MINUTES ? Number(process.env.MONEY_MINUTES) : undefined;
// The normal run is the same each time; `npm run test:money` tries others.
const SEED = Number(process.env.MONEY_SEED ?? 20_261_122);

// The pauses between tries last tens of milliseconds instead of hundreds; deadlines stay as long as they are.
const { setTimeout: sleep } = timers;
const hurried = ((ms: number, ...rest: [unknown?, object?]) =>
  sleep(ms < 1000 ? ms / 10 : ms, ...rest)) as typeof sleep;

/** The normal run's schedules are spread over as many files, which run side by side. */
export const SHARES = 3;

let machine: MoneyMachine;

/** Runs one schedule on this file's machine and gives what went wrong. */
export const run = (schedule: Schedule): Promise<string[]> => machine.run(schedule);

beforeAll(async () => {
  timers.setTimeout = hurried;
  syncBuiltinESMExports();
  machine = await MoneyMachine.start();
});
afterAll(async () => {
  await machine.stop();
  timers.setTimeout = sleep;
  syncBuiltinESMExports();
});

class Wrong extends Error {
  override name = 'Wrong';
}

/**
 * Makes the test that runs every `shares`-th of the random schedules.
 *
 * @param share which of them, from 0
 */
export function testRandomSchedules(share: number, shares: number): void {
  const what =
    shares === 1 ? `${RUNS} random schedules` : `share ${share + 1} of ${shares} of ${RUNS} random schedules`;
  it(`no purchase is lost and none doubled in ${what}`, { timeout: 0 }, () => randomSchedules(share, shares));
}

async function randomSchedules(share: number, shares: number): Promise<void> {
  const startedAt = Date.now();
  let failures = 0;
  let drawn = 0;
  const property = fc.asyncProperty(schedules, async (schedule: Schedule) => {
    drawn += 1;
    // The other files run the others; once one has failed, each smaller one is tried here.
    if (failures === 0 && (drawn - 1) % shares !== share) return;
    const faults = await machine.run(schedule).catch((error: unknown) => [String((error as Error).stack)]);
    if (faults.length > 0) {
      // Shrinking may end at another fault, so the one that was found first is told as well.
      if (failures === 0) console.log(`Found first: ${faults.join('\n')}\n${JSON.stringify(schedule)}`);
      failures += 1;
      throw new Wrong(faults.join('\n'));
    }
    if (machine.counters.schedules % 250 === 0) {
      const seconds = Math.round((Date.now() - startedAt) / 1000);
      console.log(`${machine.counters.schedules} schedules in ${seconds} s`);
    }
  });
  const options = {
    numRuns: RUNS,
    seed: SEED,
    ...(MINUTES === undefined ? {} : { interruptAfterTimeLimit: MINUTES * 60_000 }),
  };
  const outcome = await fc.check(property, options);
  const report = {
    ...machine.counters,
    seed: outcome.seed,
    seconds: Math.round((Date.now() - startedAt) / 1000),
  };
  console.log(JSON.stringify(report, null, 1));
  if (process.env.MONEY_REPORT) appendFileSync(process.env.MONEY_REPORT, `${JSON.stringify(report)}\n`);
  const { counterexample, errorInstance, seed, counterexamplePath } = outcome;
  const said = outcome.failed
    ? `${String(errorInstance)}\nseed ${seed}, path ${counterexamplePath}\n${JSON.stringify(counterexample?.[0], null, 1)}`
    : '';
  expect(said).toBe('');
  // A run that settled nothing would prove nothing.
  expect(machine.counters.settled).toBeGreaterThan(machine.counters.schedules / 2);
}
