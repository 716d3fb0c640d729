import { describe, expect, it } from 'vitest';
import {
  keptOpening,
  lessonsWaitingFor,
  type Opening,
  openingHints,
  openingInput,
  openingProblem,
  type OpeningLesson,
  openingText,
  opensSentence,
  opensShortly,
} from './opening.ts';

const lesson = (id: number, opening: Opening = {}, values: Partial<OpeningLesson> = {}): OpeningLesson => ({
  id,
  title: 'ABCDEF'[id - 1]!,
  opening,
  requiredToComplete: true,
  isPreview: false,
  ...values,
});
const problem = (lessons: OpeningLesson[], id: number) =>
  openingProblem(lessons, lessons.find((one) => one.id === id)!);

describe('in words', () => {
  const needs = [
    { id: 1, title: 'Loops' },
    { id: 2, title: 'Arrays' },
  ];

  it('authors read which lessons are waited for', () => {
    const titles = new Map([[1, 'Loops']]);
    expect(openingText({ after: [1] }, titles)).toBe('after “Loops”');
    expect(openingText({ afterEarlier: true, after: [1, 2] }, titles)).toBe(
      'after the required lessons before it, after “Loops” and lesson 2',
    );
  });

  it('learners read which are still needed', () => {
    const closed = { until: null, needsEarlier: false, needs };
    expect(opensSentence(closed)).toBe('This lesson opens once you have completed “Loops” and “Arrays”.');
    expect(opensShortly(closed)).toBe('once you have completed “Loops” and “Arrays”');
    expect(opensSentence({ ...closed, needsEarlier: true, until: '2027-01-31T00:00:00Z' })).toBe(
      'This lesson opens on Jan 31, 2027, once you have completed the required lessons before it and “Loops” and “Arrays”.',
    );
    const more = { ...closed, needs: [...needs, { id: 3, title: 'Sets' }] };
    expect(opensSentence(more)).toContain('“Loops”, “Arrays”, and “Sets”.');
    expect(opensShortly(more)).toBe('once you have completed “Loops”, “Arrays”, and 1 more');
    expect(opensShortly({ until: null, needsEarlier: true, needs })).toBe('after the lessons before it');
  });
});

it('takes ten lessons at most', () => {
  const many = Array.from({ length: 11 }, (_, index) => index + 1);
  expect(openingInput.safeParse({ after: many.slice(0, 10) }).success).toBe(true);
  expect(openingInput.safeParse({ after: many }).error?.issues[0]?.message).toBe(
    'A lesson waits for at most 10 lessons by name',
  );
  expect(openingInput.safeParse({ after: ['x'] }).error?.issues[0]?.path).toEqual(['after', 0]);
});

it('keeps each lesson once, in one order, and none that is gone', () => {
  expect(keptOpening({ on: '2027-01-31', after: [3, 1, 3, 2] }, (id) => id !== 2)).toEqual({
    on: '2027-01-31',
    after: [1, 3],
  });
  expect(keptOpening({ after: [2] }, () => false)).toEqual({});
});

describe('a circle', () => {
  it('is none where lessons wait in one direction, whatever their order', () => {
    const lessons = [lesson(1, { after: [3] }), lesson(2), lesson(3, { after: [2] })];
    expect([1, 2, 3].map((id) => problem(lessons, id))).toEqual([null, null, null]);
    expect([...lessonsWaitingFor(lessons, 2)].sort()).toEqual([1, 3]);
  });

  it.each([
    ['itself', [lesson(1, { after: [1] })], 1, 'A lesson cannot wait for itself'],
    ['no lesson of the course', [lesson(1, { after: [9] })], 1, 'This course has no such lesson'],
    [
      'one that waits for it',
      [lesson(1, { after: [2] }), lesson(2, { after: [1] })],
      1,
      '“B” waits for “A” already',
    ],
    [
      'one that waits for it over others',
      [
        lesson(1, { after: [4] }),
        lesson(2, { after: [1] }),
        lesson(3, { after: [2] }),
        lesson(4, { after: [3] }),
      ],
      1,
      '“D” waits for “A” already',
    ],
    [
      'a later one that comes after all before it',
      [lesson(1, { after: [2] }), lesson(2, { afterEarlier: true })],
      1,
      '“B” waits for “A” already',
    ],
  ])('waits for %s', (_, lessons, id, message) => {
    expect(problem(lessons, id)).toEqual({ field: 'opening.after', message });
  });

  it('is named at the rule that closes it', () => {
    const lessons = [lesson(1, { after: [2] }), lesson(2, { afterEarlier: true })];
    expect(problem(lessons, 2)).toEqual({
      field: 'opening.afterEarlier',
      message: '“A” waits for “B” already',
    });
  });

  it('is none over what opens all the same, and over what need not be done', () => {
    expect(
      problem([lesson(1, { after: [2] }), lesson(2, { after: [1] }, { isPreview: true })], 1),
    ).toBeNull();
    expect(
      problem(
        [lesson(1, { after: [2] }, { requiredToComplete: false }), lesson(2, { afterEarlier: true })],
        1,
      ),
    ).toBeNull();
    expect(problem([lesson(1, { afterEarlier: true, after: [2] }), lesson(2)], 1)).toBeNull();
  });
});

it('hints at what may never be done', () => {
  const optional = lesson(1, {}, { requiredToComplete: false });
  expect(openingHints([optional, lesson(2, { after: [1] })], lesson(2, { after: [1] }))).toEqual([
    'It waits for “A”, which is not required: learners who leave that out cannot open it.',
  ]);
  const circle = [lesson(1, { after: [2] }), lesson(2, { after: [1] })];
  expect(openingHints(circle, circle[0]!)).toEqual([
    'It waits for “B”, which waits for this lesson: neither of them ever opens.',
  ]);
  expect(openingHints([lesson(1), lesson(2, { after: [1] })], lesson(2, { after: [1] }))).toEqual([]);
});
