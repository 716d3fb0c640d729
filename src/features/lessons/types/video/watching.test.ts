import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addWatched,
  clockText,
  INTERVALS_MAX,
  type Interval,
  mergeIntervals,
  notedMoments,
  resumeAt,
  watchedPercent,
  watchedSeconds,
} from './watching.ts';

const DURATION = 600;
const interval = fc.tuple(
  fc.double({ min: -50, max: 700, noNaN: true }),
  fc.double({ min: -50, max: 700, noNaN: true }),
);
const intervals = fc.array(interval, { maxLength: 40 });
const whole = fc
  .tuple(fc.integer({ min: 0, max: DURATION }), fc.integer({ min: 0, max: DURATION }))
  .map(([a, b]): Interval => [Math.min(a, b), Math.max(a, b)]);
const near = (value: number) => Math.round(value * 10) / 10;

describe('merged intervals', () => {
  it('are sorted, apart, and within the video', () => {
    fc.assert(
      fc.property(intervals, (given) => {
        const merged = mergeIntervals(given, DURATION);
        for (const [index, [from, to]] of merged.entries()) {
          expect(from).toBeGreaterThanOrEqual(0);
          expect(to).toBeLessThanOrEqual(DURATION);
          expect(to).toBeGreaterThan(from);
          if (index > 0) expect(from).toBeGreaterThan(merged[index - 1]![1]);
        }
      }),
    );
  });

  it('cover each second exactly if one of the given covers it', () => {
    fc.assert(
      fc.property(
        fc.array(whole, { maxLength: 30 }),
        fc.integer({ min: 0, max: DURATION - 1 }),
        (given, second) => {
          const covers = ([from, to]: Interval) => from <= second && second + 1 <= to;
          expect(mergeIntervals(given, DURATION).some(covers)).toBe(
            [second, second + 0.5].every((at) => given.some(([from, to]) => from <= at && at + 0.5 <= to)),
          );
        },
      ),
    );
  });

  it('do not depend on the order, and merging again changes nothing', () => {
    fc.assert(
      fc.property(intervals, (given) => {
        const merged = mergeIntervals(given, DURATION);
        expect(mergeIntervals([...given].reverse(), DURATION)).toEqual(merged);
        expect(mergeIntervals(merged, DURATION)).toEqual(merged);
      }),
    );
  });

  it('are never more than a row can hold', () => {
    const many = Array.from({ length: 3000 }, (_, index): Interval => [index * 2, index * 2 + 1]);
    expect(mergeIntervals([...many, [10_000, 10_100]])).toHaveLength(INTERVALS_MAX);
    expect(mergeIntervals([...many, [10_000, 10_100]])).toContainEqual([10_000, 10_100]);
  });

  it('leave out what is no interval', () => {
    expect(
      mergeIntervals(
        [
          [5, 5],
          [9, 3],
          [Number.NaN, 4],
          [1, Number.NaN],
        ],
        DURATION,
      ),
    ).toEqual([]);
  });
});

describe('watching more of a video', () => {
  it('never takes anything away, and never adds more than time allows', () => {
    fc.assert(
      fc.property(
        fc.array(whole, { maxLength: 20 }),
        fc.array(whole, { maxLength: 20 }),
        fc.integer({ min: -10, max: 900 }),
        (known, reported, allowance) => {
          const before = mergeIntervals(known, DURATION);
          const after = addWatched(before, reported, { duration: DURATION, allowance });
          const gained = near(watchedSeconds(after) - watchedSeconds(before));
          expect(gained).toBeGreaterThanOrEqual(0);
          expect(gained).toBeLessThanOrEqual(Math.max(0, allowance));
          expect(near(watchedSeconds([...before, ...after]))).toBe(near(watchedSeconds(after)));
        },
      ),
    );
  });

  it('takes everything when there is time, once however often it is reported', () => {
    fc.assert(
      fc.property(
        fc.array(whole, { maxLength: 20 }),
        fc.array(whole, { maxLength: 20 }),
        (known, reported) => {
          const room = { duration: DURATION, allowance: DURATION };
          const after = addWatched(known, reported, room);
          expect(after).toEqual(mergeIntervals([...known, ...reported], DURATION));
          expect(addWatched(after, reported, { ...room, allowance: 0 })).toEqual(after);
        },
      ),
    );
  });

  it('gives in parts the same as at once', () => {
    fc.assert(
      fc.property(fc.array(whole, { maxLength: 20 }), fc.nat(20), (reported, at) => {
        const room = { duration: DURATION, allowance: DURATION };
        const inParts = addWatched(addWatched([], reported.slice(0, at), room), reported.slice(at), room);
        expect(inParts).toEqual(addWatched([], reported, room));
      }),
    );
  });

  it('counts a forged report by the clock', () => {
    expect(addWatched([], [[0, 600]], { duration: 600, allowance: 20 })).toEqual([[0, 20]]);
    expect(addWatched([[0, 20]], [[0, 600]], { duration: 600, allowance: 5 })).toEqual([[0, 25]]);
    expect(addWatched([[10, 20]], [[0, 600]], { duration: 600, allowance: 15 })).toEqual([[0, 25]]);
  });
});

describe('a video', () => {
  it.each([
    [0, 100, 0],
    [0.5, 100, 0],
    [42, 100, 42],
    [96, 100, 0],
    [5000, 100, 0],
    [42, null, 42],
    [Number.NaN, 100, 0],
  ])('that stopped at %d of %s goes on at %d', (position, duration, expected) => {
    expect(resumeAt(position, duration)).toBe(expected);
  });

  it('has moments that notes can name', () => {
    expect([0, 9.9, 75, 3675].map(clockText)).toEqual(['0:00', '0:09', '1:15', '1:01:15']);
    expect(notedMoments('[1:15] reduce\nno moment\nsee [1:01:15]  again [0:02]\n[99] [1:75] [x:10]')).toEqual(
      [
        { seconds: 75, text: 'reduce' },
        { seconds: 3675, text: 'see again [0:02]' },
      ],
    );
  });

  it('finds every moment it wrote', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 80_000 }), (seconds) => {
        expect(notedMoments(`[${clockText(seconds)}] here`)).toEqual([{ seconds, text: 'here' }]);
      }),
    );
  });
});

describe('watched time', () => {
  it('in percent is rounded down, never above 100, and unknown without a length', () => {
    expect(watchedPercent([[0, 2]], 3)).toBe(66);
    expect(watchedPercent([[0, 9]], 3)).toBe(100);
    expect(watchedPercent([[0, 3]], null)).toBeNull();
    expect(watchedPercent([[0, 3]], 0)).toBeNull();
  });

  it('counts overlapping intervals once', () => {
    expect(
      watchedSeconds([
        [10, 20],
        [0, 5],
        [15, 30],
        [2, 4],
      ]),
    ).toBe(25);
    expect(watchedSeconds([])).toBe(0);
  });
});
