import { expect, it } from 'vitest';
import { run, SHARES, testRandomSchedules } from './random-schedules.ts';
import type { Schedule } from './schedule.ts';

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
  expect(await run(schedule)).toEqual([]);
});

// `npm run test:money` runs this file alone, with all of its schedules.
testRandomSchedules(0, process.env.MONEY_RUNS ? 1 : SHARES);
