import { describe, expect, it } from 'vitest';
import { COUNT_UP_MS, countAt } from './count-up.ts';

describe('counting up', () => {
  it('begins at nothing and ends at the figure after 2000 ms', () => {
    expect(COUNT_UP_MS).toBe(2000);
    expect(countAt(500, 0)).toBe(0);
    expect(countAt(500, 2000)).toBe(500);
    expect(countAt(500, 90_000)).toBe(500);
    expect(countAt(500, -5)).toBe(0);
  });

  it('slows down and never steps back', () => {
    const steps = Array.from({ length: 21 }, (_, index) => countAt(1000, index * 100));
    const gains = steps.slice(1).map((value, index) => value - steps[index]!);
    expect(gains.every((gain) => gain >= 0)).toBe(true);
    expect(countAt(1000, 1000)).toBeGreaterThan(800);
    expect(gains.at(-1)!).toBeLessThan(gains[0]!);
  });
});
