import { describe, expect, test } from 'vitest';
import { Supervisor } from '#src/judge/supervisor.ts';
import { aloneMs, canStarve, ENDLESS, HEAVY, judgeStarved } from './starved.ts';

// Each a few times at most: `node tests/judge/starved.ts` repeats them.
const SLOW_MS = 120_000;

/** On a machine that is busy with others besides, no verdict is as good. */
const orBusy = (kind: string) => [kind, 'busy'];

describe.runIf(canStarve)('a right program passes or gets no verdict (J11)', () => {
  test.each([
    ['JavaScript, 60 million turns', 3],
    ['React', 3],
    ['Python', 3],
  ])(
    '%s with %i others on its processor',
    async (what, others) => {
      const program = HEAVY[what]!;
      // Twice what the program needs alone on this machine: enough processor time, and half of the time that passes.
      const testMs = 2 * (await aloneMs(program));
      const { tally } = await judgeStarved(program, { others }, 1, {
        testMs,
        totalMs: testMs * program.tests.length,
      });
      expect(orBusy('pass')).toContain(Object.keys(tally).join());
    },
    SLOW_MS,
  );
});

describe('a process that is stopped again and again (J12)', () => {
  const stutter = { stoppedMs: 900, runsMs: 300 };

  test(
    'passes a right program, and does not abort',
    async () => {
      const { tally, log } = await judgeStarved(
        HEAVY['JavaScript, 20 million turns, six tests']!,
        stutter,
        1,
      );
      expect(Object.keys(tally).filter((kind) => !orBusy('pass').includes(kind))).toEqual([]);
      expect(log.filter((line) => line.includes('died'))).toEqual([]);
    },
    SLOW_MS,
  );

  test(
    'ends one that has no end, and does not abort',
    async () => {
      const { tally, log } = await judgeStarved(ENDLESS, stutter, 1, { testMs: 250 });
      expect(Object.keys(tally).filter((kind) => !orBusy('time_limit').includes(kind))).toEqual([]);
      expect(log.filter((line) => line.includes('died'))).toEqual([]);
    },
    SLOW_MS,
  );
});

test(
  'what a program does when it is run again for its line changes nothing',
  async () => {
    const judge = new Supervisor({ children: { web: 1 } });
    const kinds: string[] = [];
    try {
      // The line is looked for after the limit: by then this program takes all memory that it can.
      for (let attempt = 0; attempt < 8 && !kinds.includes('time_limit'); attempt += 1) {
        const code = `const until = ${Date.now() + 1_500};
        while (Date.now() < until) {}
        new Array(2 ** 32 - 1).fill(1);`;
        const limits = { testMs: 1_200 };
        const judged = judge.judge({ language: 'javascript', code, tests: [] }, limits);
        // On a machine that is busy with others besides, there is no verdict; then this shows nothing yet.
        kinds.push(
          await judged.then(
            ({ kind }) => kind,
            ({ reason }) => reason,
          ),
        );
      }
      expect(kinds).toContain('time_limit');
    } finally {
      await judge.stop();
    }
  },
  SLOW_MS,
);
