import { describe, expect, it } from 'vitest';
import { helps, interval } from './worth.ts';

const of = (passed: number, learners: number) => ({ passed, learners });

describe('the interval of a share', () => {
  it.each([
    [0, 0, 0, 1],
    [0, 10, 0, 0.278],
    [5, 10, 0.237, 0.763],
    [10, 10, 0.722, 1],
    [80, 100, 0.711, 0.867],
  ])('of %i of %i is that of Wilson', (passed, learners, low, high) => {
    const found = interval(of(passed, learners));
    expect(found.low).toBeCloseTo(low, 3);
    expect(found.high).toBeCloseTo(high, 3);
  });
});

describe('a hint', () => {
  it.each([
    ['helps where clearly more pass with it', of(72, 80), of(6, 20), 'yes'],
    ['is not judged before anybody had it', of(0, 0), of(0, 0), 'unknown'],
    ['is not judged while nobody was held out', of(9, 9), of(0, 0), 'unknown'],
    ['is not judged by a few', of(3, 4), of(1, 2), 'unknown'],
    ['is not judged by a small difference', of(50, 80), of(11, 20), 'unknown'],
    ['does not help where as many pass without it', of(20, 40), of(5, 10), 'no'],
    ['does not help where more pass without it', of(5, 40), of(8, 10), 'no'],
    ['is not called useless by a few', of(1, 19), of(4, 5), 'unknown'],
  ] as const)('%s', (_what, offered, heldOut, answer) => {
    expect(helps(offered, heldOut)).toBe(answer);
  });
});
