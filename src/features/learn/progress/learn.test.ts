import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LESSON_NOT_FOUND } from '#src/features/catalogue/catalogue.ts';
import { ApiError } from '#src/shared/api.ts';
import {
  dashboardStats,
  lastFinished,
  lessonMessage,
  lessonToOpen,
  progressPercent,
  progressState,
  skillLevelFor,
  startLabel,
} from './learn.ts';

const outline = (required: string) =>
  [...required].map((flag, index) => ({ id: index + 1, requiredToComplete: flag === 'r' }));

describe('progress (decision 34)', () => {
  it('counts required lessons, rounded down', () => {
    expect(progressPercent(outline('rrr'), new Set([1]))).toBe(33);
    expect(progressPercent(outline('rrr'), new Set([1, 2]))).toBe(66);
    expect(progressPercent(outline('rro'), new Set([1, 2]))).toBe(100);
    expect(progressPercent(outline('rro'), new Set([3]))).toBe(0);
  });

  it('counts all lessons where none is required, and is 0 without lessons', () => {
    expect(progressPercent(outline('oo'), new Set([1]))).toBe(50);
    expect(progressPercent([], new Set())).toBe(0);
  });

  it('is 100 exactly when everything that counts is done', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 300 }),
        (rows) => {
          const lessons = rows.map(([requiredToComplete], id) => ({ id, requiredToComplete }));
          const done = new Set(rows.flatMap(([, isDone], id) => (isDone ? [id] : [])));
          const anyRequired = rows.some(([required]) => required);
          const all = rows.every(([required, isDone]) => isDone || (anyRequired && !required));
          const progress = progressPercent(lessons, done);
          expect(progress === 100).toBe(all);
          expect(progress).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});

describe('skill level (decision 35)', () => {
  it.each([
    [0, 0, 'beginner'],
    [39, 100, 'beginner'],
    [40, 100, 'intermediate'],
    [79, 100, 'intermediate'],
    [80, 100, 'advanced'],
    [120, 100, 'advanced'],
  ])('of %i among %i points is %s', (points, all, level) => {
    expect(skillLevelFor(points, all)).toBe(level);
  });
});

describe('labels (spec 2, spec 4)', () => {
  it('turn at 0 and at 100', () => {
    expect([0, 1, 99, 100, 120].map(progressState)).toEqual([
      'not-started',
      'in-progress',
      'in-progress',
      'completed',
      'completed',
    ]);
    expect([startLabel(0), startLabel(1)]).toEqual(['Start Course', 'Continue Learning']);
  });

  it('count on the dashboard', () => {
    expect(dashboardStats([])).toEqual({ total: 0, inProgress: 0, completed: 0, averageProgress: 0 });
    expect(dashboardStats([0, 33, 99, 100].map((progress) => ({ progress })))).toEqual({
      total: 4,
      inProgress: 2,
      completed: 1,
      averageProgress: 58,
    });
    // More than everything is everything.
    expect(dashboardStats([{ progress: 120 }, { progress: 0 }]).averageProgress).toBe(50);
  });
});

describe('the lesson to open', () => {
  const lessons = [1, 2, 3, 4].map((id) => ({ id }));
  it.each([
    ['the first at the start', [], null, 1],
    ['the one they were at', [1], 3, 3],
    ['the next one when that is done', [1, 2], 2, 3],
    ['one that was skipped when all after it are done', [1, 3, 4], 4, 2],
    ['the first when all is done', [1, 2, 3, 4], 3, 1],
    ['the first not done when the last place is gone', [1], 99, 2],
  ])('is %s', (_, done, current, expected) => {
    expect(lessonToOpen(lessons, new Set(done), current)?.id).toBe(expected);
  });

  it('is null without lessons', () => {
    expect(lessonToOpen([], new Set(), null)).toBeNull();
  });
});

describe('a lesson that is closed', () => {
  const closed = { until: null, needsEarlier: true, needs: [] };
  it('is passed over for one that is open, done or not', () => {
    const lessons = [{ id: 1 }, { id: 2, closed }, { id: 3, closed: null }];
    expect(lessonToOpen(lessons, new Set([1]), 1)?.id).toBe(3);
    expect(lessonToOpen(lessons, new Set([3]), 2)?.id).toBe(1);
    expect(lessonToOpen(lessons, new Set([1, 3]), 3)?.id).toBe(1);
    expect(lessonToOpen([{ id: 1, closed }, { id: 2 }], new Set([2]), null)?.id).toBe(2);
  });

  it('is opened where there is no other', () => {
    expect(lessonToOpen([{ id: 1, closed }], new Set(), null)?.id).toBe(1);
  });
});

describe('the course that was finished last', () => {
  const now = new Date('2026-11-24T12:00:00Z');
  const course = (completedAt: string | null) => ({ completedAt });
  it('is news for seven days', () => {
    const old = course('2026-11-17T11:59:59.999Z');
    const last = course('2026-11-17T12:00:00.000Z');
    expect(lastFinished([old], now)).toBeNull();
    expect(lastFinished([last, old], now)).toBe(last);
  });

  it('is the newest of them, and none where none was finished', () => {
    const [older, newer] = [course('2026-11-20T00:00:00.000Z'), course('2026-11-23T00:00:00.000Z')];
    expect(lastFinished([older, course(null), newer], now)).toBe(newer);
    expect(lastFinished([newer, older], now)).toBe(newer);
    expect(lastFinished([course(null)], now)).toBeNull();
    expect(lastFinished([], now)).toBeNull();
  });
});

describe('what a page says of a failed call about its lesson', () => {
  const refusal = (status: number, message: string) => new ApiError(status, '', JSON.stringify({ message }));

  it('is that the lesson was taken out, where it is not found any more; else what the server says', () => {
    expect(lessonMessage(refusal(404, LESSON_NOT_FOUND), 'x')).toMatch(/taken this lesson out of the course/);
    expect(lessonMessage(refusal(409, 'Pass this lesson to complete it.'), 'x')).toBe(
      'Pass this lesson to complete it.',
    );
    expect(lessonMessage(refusal(404, 'Scenario not found'), 'x')).toMatch(/Go back to the course to go on/);
    expect(lessonMessage(refusal(404, 'No. Lesson not found'), 'x')).toBe('No. Lesson not found');
    expect(lessonMessage(new TypeError('offline'), 'Nothing is lost.')).toBe('Nothing is lost.');
  });
});
