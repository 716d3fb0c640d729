import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterReview, firstMemory, fitInto, retrievability } from './schedule.ts';

const RATINGS = ['forgot', 'hard', 'good', 'easy'] as const;
const DAY_MS = 86_400_000;
const now = new Date('2026-11-23T12:00:00Z');
const days = (from: Date, to: Date) => Math.round((to.getTime() - from.getTime()) / DAY_MS);

describe('what is remembered of a lesson', () => {
  it('is asked first after some days, when nine of ten still know it', () => {
    const memory = firstMemory(now);
    expect(days(now, memory.due)).toBeGreaterThanOrEqual(1);
    expect(retrievability(memory, memory.due)).toBeCloseTo(0.9, 1);
    expect(retrievability(memory, now)).toBe(1);
  });

  it('lasts longer the better it was known', () => {
    const memory = firstMemory(now);
    const after = RATINGS.map((rating) => days(memory.due, afterReview(memory, rating, memory.due).due));
    expect(after).toEqual([...after].sort((a, b) => a - b));
    expect(after[0]).toBeGreaterThanOrEqual(1);
    expect(after[3]).toBeGreaterThan(after[0]!);
    expect(afterReview(memory, 'forgot', memory.due).lapses).toBe(1);
    expect(new Set(after).size).toBe(4);
    expect(afterReview(memory, 'good', memory.due)).toMatchObject({
      reps: 2,
      lapses: 0,
      lastReview: memory.due,
    });
  });

  it('is never due before its review, within about a year, and never in the past of a clock that was set back', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...RATINGS), fc.integer({ min: -400, max: 4000 })), {
          maxLength: 40,
        }),
        (reviews) => {
          let memory = firstMemory(now);
          let clock = now;
          for (const [rating, later] of reviews) {
            clock = new Date(clock.getTime() + later * DAY_MS);
            const next = afterReview(memory, rating, clock);
            expect(next.lastReview.getTime()).toBeGreaterThanOrEqual(memory.lastReview.getTime());
            const ahead = days(next.lastReview, next.due);
            expect(ahead).toBeGreaterThanOrEqual(1);
            // Past the bound too, good comes a day after hard, and easy a day after good.
            expect(ahead).toBeLessThanOrEqual(365 + 2);
            expect(Number.isFinite(next.stability) && Number.isFinite(next.difficulty)).toBe(true);
            memory = next;
          }
        },
      ),
    );
  });
});

it('counts a review by a clock that was set back as one at the time of the last', () => {
  const memory = firstMemory(now);
  const before = new Date(now.getTime() - DAY_MS);
  expect(retrievability(memory, before)).toBe(1);
  expect(afterReview(memory, 'good', before).lastReview).toEqual(now);
});

describe('a day’s queue', () => {
  const item = { seconds: 40 };
  it('holds what fits into the time that is left, in its order', () => {
    expect(fitInto([item, item, item], 100)).toHaveLength(2);
    expect(fitInto([item, item], 80)).toHaveLength(2);
    expect(fitInto([item], 39)).toEqual([]);
    // What comes later does not overtake what is due before it.
    expect(fitInto([item, { seconds: 75 }, item], 100)).toEqual([item]);
    expect(fitInto([], 300)).toEqual([]);
    expect(
      fitInto(
        Array.from({ length: 10_000 }, () => item),
        300,
      ),
    ).toHaveLength(7);
  });
});
