import { describe, expect, it } from 'vitest';
import { GAUGES, type Gauge, type Measure, mass } from './house/gauges.ts';
import { LIMITS, MASS, OVER } from './house/limits.ts';

/** What a measure says against a limit and what is known to be over it. */
function findings(measure: Measure, limit: number, known: Record<string, number>): string[] {
  const over = [...measure].filter(([, value]) => value > limit);
  return [
    ...over.flatMap(([name, value]) =>
      value > (known[name] ?? limit) ? [`${name}: ${value}, at most ${known[name] ?? limit}`] : [],
    ),
    ...Object.keys(known).flatMap((name) =>
      over.some(([found]) => found === name) ? [] : [`${name}: take it out of OVER in tests/house/limits.ts`],
    ),
  ];
}

describe('the house', () => {
  it.each(Object.keys(GAUGES) as Gauge[])('stays within its limits: %s', (gauge) => {
    const measure = GAUGES[gauge]();
    expect(measure.size).toBeGreaterThan(0);
    expect(findings(measure, LIMITS[gauge], OVER[gauge] ?? {})).toEqual([]);
  });

  it('weighs no more than its limits, and every room has one', () => {
    const measured = mass();
    const over = [...measured].filter(([name, value]) => !(value <= (MASS[name] ?? Number.NaN)));
    expect(over).toEqual([]);
    expect(Object.keys(MASS).filter((name) => !measured.has(name))).toEqual([]);
  });

  it('is told of what is over, of what has grown, and of what is known for nothing', () => {
    const measure = new Map([
      ['small', 3],
      ['large', 9],
      ['grown', 12],
      ['known', 8],
    ]);
    expect(findings(measure, 5, { grown: 11, known: 8, small: 7 })).toEqual([
      'large: 9, at most 5',
      'grown: 12, at most 11',
      'small: take it out of OVER in tests/house/limits.ts',
    ]);
  });
});
