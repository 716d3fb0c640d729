import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CALENDAR_WEEKS, streaks, studyCalendar, utcDay, thisWeek } from './activity.ts';
import { durationText } from '#src/shared/dates.ts';

describe('a streak', () => {
  it.each([
    ['none', [], 0, 0],
    ['today alone', ['2026-11-20'], 1, 1],
    ['yesterday keeps it', ['2026-11-19', '2026-11-18'], 2, 2],
    ['a gap ends it', ['2026-11-18', '2026-11-17', '2026-11-16'], 0, 3],
    ['over a month and a leap day', ['2026-11-20', '2024-02-28', '2024-02-29', '2024-03-01'], 1, 3],
  ])('%s', (_, days, current, longest) => {
    expect(streaks(days, '2026-11-20')).toEqual({ current, longest });
  });

  it('is never longer than the longest, nor than the days', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 400 }), { maxLength: 120 }), (offsets) => {
        const days = offsets.map((offset) => utcDay(new Date(Date.UTC(2026, 10, 20 - offset))));
        const { current, longest } = streaks(days, '2026-11-20');
        expect(current).toBeLessThanOrEqual(longest);
        expect(longest).toBeLessThanOrEqual(days.length);
        expect(longest > 0).toBe(days.length > 0);
      }),
    );
  });
});

describe('the calendar', () => {
  it('has each of the last days once, on its weekday, and none after today', () => {
    for (const today of ['2026-11-20', '2026-11-16', '2026-11-22', '2024-03-01', '2026-01-01']) {
      const { weeks, rows } = studyCalendar([], today);
      expect(weeks).toHaveLength(CALENDAR_WEEKS);
      const days = rows.flatMap(({ cells }) => cells.flatMap((cell) => cell?.day ?? []));
      expect(new Set(days).size).toBe(days.length);
      expect(days.toSorted().at(-1)).toBe(today);
      expect(days.length).toBeGreaterThan(7 * (CALENDAR_WEEKS - 1));
      for (const [row, { weekday, cells }] of rows.entries()) {
        expect(cells).toHaveLength(CALENDAR_WEEKS);
        for (const cell of cells) {
          if (cell) expect((new Date(`${cell.day}T00:00:00Z`).getUTCDay() + 6) % 7, weekday).toBe(row);
        }
      }
    }
  });

  it('shows how much was studied', () => {
    const day = (seconds: number, lessonsCompleted = 0) =>
      studyCalendar([{ day: '2026-11-20', seconds, lessonsCompleted }], '2026-11-20').rows[4]!.cells.at(-1);
    expect([day(0), day(0, 1), day(60), day(1800), day(5400)].map((cell) => cell?.level)).toEqual([
      0, 1, 1, 2, 3,
    ]);
    expect(day(60, 2)).toMatchObject({ day: '2026-11-20', seconds: 60, lessonsCompleted: 2 });
  });
});

describe('time', () => {
  it.each([
    [0, '0 min'],
    [59, 'under a minute'],
    [60, '1 min'],
    [3599, '59 min'],
    [3600, '1 h'],
    [11_100, '3 h 5 min'],
  ])('of %i seconds is %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });
});

describe('the current week', () => {
  const studied = (day: string) => ({ day, seconds: 60, lessonsCompleted: 0 });
  it('begins on Monday and leaves the week before out', () => {
    // 2026-11-22 is a Sunday.
    const { week, count } = thisWeek({
      today: '2026-11-22',
      days: ['2026-11-22', '2026-11-16', '2026-11-15'].map(studied),
    });
    expect([week[0]!.day, week[6]!.day, count]).toEqual(['2026-11-16', '2026-11-22', 2]);
    expect(week.map(({ isStudied }) => isStudied)).toEqual([true, false, false, false, false, false, true]);
    expect(week[6]!.isToday).toBe(true);
  });
  it('is empty on a Monday on which nothing was done yet', () => {
    expect(thisWeek({ today: '2026-11-23', days: [studied('2026-11-22')] }).count).toBe(0);
  });
});
