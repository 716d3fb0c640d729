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

let machine: MoneyMachine;
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

/** Schedules that went wrong once, by what they lead to. */
const FOUND: { name: string; schedule: Schedule }[] = [
  {
    name: 'what cost nothing and was bought again is kept when the other purchase is paid back',
    schedule: {
      prices: [2000, 2000, 2000],
      couponPercent: 100,
      steps: [
        { do: 'direct checkout', who: 'ada as guest', course: 0, coupon: true },
        { do: 'buy', who: 'ada', course: 0, card: 'pm_card_visa', coupon: false },
        { do: 'address verified', who: 'ada' },
        { do: 'refund at the provider', nth: 0, how: 'all' },
      ],
    },
  },
];

it.each(FOUND)('$name', async ({ schedule }) => {
  expect(await machine.run(schedule)).toEqual([]);
});

it(`no purchase is lost and none doubled in ${RUNS} random schedules`, { timeout: 0 }, async () => {
  const startedAt = Date.now();
  let failures = 0;
  const property = fc.asyncProperty(schedules, async (schedule: Schedule) => {
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
});
