import { describe, expect, it } from 'vitest';
import { parseDayRange, share, spokenTime } from './course-analytics.ts';

const now = new Date('2026-03-01T12:00:00Z');
const range = (query: string) => parseDayRange(new URLSearchParams(query), now);

describe('the days of a report', () => {
  const LAST_30 = { from: '2026-01-31', to: '2026-03-01' };
  it.each([
    ['', LAST_30],
    ['from=2026-02-01&to=2026-02-10', { from: '2026-02-01', to: '2026-02-10' }],
    ['from=2026-02-10&to=2026-02-10', { from: '2026-02-10', to: '2026-02-10' }],
    ['from=2026-02-10&to=2026-02-01', { from: '2026-01-03', to: '2026-02-01' }],
    ['from=2026-02-30', LAST_30],
    ['from=1900-01-01', LAST_30],
    ['from=0000-00-00&to=9999-12-31', LAST_30],
    ["from=2026-01-01'&to=x", LAST_30],
    ['to=2030-01-01', LAST_30],
  ])('%s', (query, expected) => {
    expect(range(query)).toEqual(expected);
  });
});

describe('a share', () => {
  it.each([
    [0, 0, ''],
    [1, 0, ''],
    [0, 5, '0%'],
    [1, 1000, 'under 1%'],
    [2, 3, '66%'],
    [3, 3, '100%'],
    [6, 3, '200%'],
  ])('%s of %s', (part, whole, text) => {
    expect(share(part, whole)).toBe(text);
  });
});

describe('a time', () => {
  it.each([
    [0, '0 s'],
    [59, '59 s'],
    [60, '1 min'],
    [3599, '1 h'],
    [3600, '1 h'],
    [3900, '1 h 5 min'],
  ])('%s seconds', (seconds, text) => {
    expect(spokenTime(seconds)).toBe(text);
  });
});
