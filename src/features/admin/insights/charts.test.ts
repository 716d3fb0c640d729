import { describe, expect, it } from 'vitest';
import { disagreementLabel, parseReconciledDays } from '#src/features/admin/orders/reconciliation.ts';
import { layOutBars, niceCeiling, parseSalesRange, recentSteps, stepLabel, stepsBetween } from './charts.ts';
import { formFor, typedNumber } from '#src/components/form-values.ts';
import { createCourseCall } from '#src/features/authoring/courses/schema.ts';

describe('the charts', () => {
  it('end their scale at a number that reads well', () => {
    expect([0, 1, 7, 11, 21_200, 99_999, 100_000].map(niceCeiling)).toEqual([
      1, 1, 8, 20, 30_000, 100_000, 100_000,
    ]);
  });

  it('lay out bars above and below zero', () => {
    expect(layOutBars([0, 0], 100)).toEqual({
      high: 100,
      low: 0,
      zero: 100,
      bars: [
        { top: 100, height: 0 },
        { top: 100, height: 0 },
      ],
    });
    const { high, low, zero, bars } = layOutBars([100, -100]);
    expect([high, low, zero]).toEqual([100, -100, 50]);
    expect(bars).toEqual([
      { top: 0, height: 50 },
      { top: 50, height: 50 },
    ]);
  });

  it('begin 29 days or 11 months ago, over the turn of months and years', () => {
    const days = recentSteps('30-days', new Date('2026-03-01T23:59:00Z'));
    expect([days.unit, days.starts.length, days.starts[0], ...days.starts.slice(-2), days.to]).toEqual([
      'day',
      30,
      '2026-01-31',
      '2026-02-28',
      '2026-03-01',
      '2026-03-01',
    ]);
    const months = recentSteps('12-months', new Date('2026-03-31T00:00:00Z'));
    expect([months.unit, months.starts.length, months.starts[0], months.starts.at(-1)]).toEqual([
      'month',
      12,
      '2025-04-01',
      '2026-03-01',
    ]);
  });

  it('show a chosen time by days, and by months where it is long', () => {
    expect(stepsBetween({ from: '2026-03-01', to: '2026-03-01' })).toEqual({
      unit: 'day',
      starts: ['2026-03-01'],
      to: '2026-03-01',
    });
    expect(stepsBetween({ from: '2026-01-01', to: '2026-03-03' }).starts).toHaveLength(62);
    expect(stepsBetween({ from: '2025-12-31', to: '2026-03-03' })).toEqual({
      unit: 'month',
      starts: ['2025-12-31', '2026-01-01', '2026-02-01', '2026-03-01'],
      to: '2026-03-03',
    });
  });

  it('name days and months', () => {
    expect(stepLabel('2026-11-01', 'day')).toBe('Nov 1');
    expect(stepLabel('2026-11-01', 'month')).toBe('Nov 2026');
    expect([parseSalesRange('12-months'), parseSalesRange('x'), parseSalesRange(null)]).toEqual([
      '12-months',
      '30-days',
      '30-days',
    ]);
  });
});

describe('reconciliation', () => {
  it('are compared for a known time', () => {
    expect(['90', 'all', '7', '', null].map(parseReconciledDays)).toEqual(['90', 'all', '30', '30', '30']);
    expect(disagreementLabel('paid_not_completed')).toBe('Paid, not completed');
    expect(disagreementLabel('of_a_new_kind')).toBe('of a new kind');
  });
});

describe('what was typed', () => {
  it('becomes numbers, or what every schema refuses', () => {
    expect(['', ' 12 ', '-3', '1.5', '1e3', 'a'].map(typedNumber)).toEqual([
      undefined,
      12,
      -3,
      1.5,
      Number.NaN,
      Number.NaN,
    ]);
  });

  it('is checked by the rules of the call, field by field', () => {
    const form = formFor(createCourseCall.input!, (typed) => ({
      title: typed('title'),
      description: typed('description'),
      thumbnail: typed('thumbnail'),
      price: typed('price'),
      originalPrice: typed('originalPrice'),
      duration: typed('duration'),
      level: typed('level'),
      categoryId: typed('categoryId'),
    }));
    const failed = form.safeParse({ title: 'T', thumbnail: 'javascript:1', price: '' });
    expect(
      Object.fromEntries(failed.error!.issues.map(({ path, message }) => [path.join('.'), message])),
    ).toEqual({
      description: 'Description is required',
      thumbnail: 'Thumbnail must be an https:// address or a path of this site',
      price: 'Price is required',
      duration: 'Duration is required',
      level: 'Choose Beginner, Intermediate or Advanced',
      categoryId: 'Category is required',
    });
    const passed = form.safeParse({
      title: 'T',
      description: 'D',
      thumbnail: '/a.png',
      price: '49.00',
      duration: '1 h',
      level: 'Beginner',
      categoryId: '1',
    });
    // What goes on the wire is what was typed; the server parses it again.
    expect(passed.data).toMatchObject({ price: '49.00', categoryId: '1' });
  });
});
