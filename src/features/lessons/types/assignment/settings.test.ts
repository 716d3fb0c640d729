import { describe, expect, it } from 'vitest';
import { assignmentSettingsInput, assignmentText, gradeOf } from './settings.ts';

const messages = (value: unknown) =>
  assignmentSettingsInput
    .safeParse(value)
    .error?.issues.map(({ path, message }) => [path.join('.'), message]);

describe('the settings of an assignment', () => {
  it('leave out what says nothing', () => {
    expect(assignmentSettingsInput.parse({ rubric: [], dueNote: '  ', completeFrom: null })).toEqual({});
    expect(
      assignmentSettingsInput.parse({ rubric: [{ name: ' Clear ', description: '', points: 5 }] }),
    ).toEqual({ rubric: [{ name: 'Clear', points: 5 }] });
  });

  it('are refused by the name of what is wrong', () => {
    const one = { name: 'Clear', points: 5 };
    expect(messages({ rubric: [one, one] })).toEqual([['rubric', 'A criterion is there twice']]);
    expect(messages({ rubric: [{ name: '', points: 0 }] })).toEqual([
      ['rubric.0.name', 'Criterion is required'],
      ['rubric.0.points', 'Points must be at least 1'],
    ]);
    expect(
      messages({ rubric: Array.from({ length: 13 }, (_, index) => ({ name: `C${index}`, points: 1 })) }),
    ).toEqual([['rubric', 'A rubric has at most 12 criteria']]);
    expect(messages({ completeFrom: 101 })).toEqual([
      ['completeFrom', 'The least grade must be at most 100'],
    ]);
    expect(messages({ completeFrom: 0.5 })).toEqual([
      ['completeFrom', 'The least grade must be a whole number'],
    ]);
    expect(messages({ dueNote: 'x'.repeat(201) })?.[0]?.[0]).toBe('dueNote');
  });

  it('are told in one line', () => {
    expect(assignmentText({})).toBe('Completed once you hand in your work');
    expect(assignmentText({ dueDay: '2027-01-31' })).toBe(
      'Completed once you hand in your work; Due Jan 31, 2027',
    );
    expect(
      assignmentText({
        completeFrom: 60,
        dueDays: 1,
        dueNote: 'Within two weeks',
        rubric: [{ name: 'Clear', description: 'Easy to follow', points: 5 }],
      }),
    ).toBe(
      'Completed by a grade of at least 60; Due 1 day after the start; Within two weeks; Clear (5): Easy to follow',
    );
  });

  it('make a grade of the points of a rubric', () => {
    const rubric = [
      { name: 'A', points: 10 },
      { name: 'B', points: 20 },
    ];
    expect(gradeOf(rubric, [0, 0])).toBe(0);
    expect(gradeOf(rubric, [10, 20])).toBe(100);
    expect(gradeOf(rubric, [5, 15])).toBe(67);
  });
});
