import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lessonDeletionNotice, moveLesson, placeInSection, stepLesson } from './lessons.ts';

const COURSE = [
  { id: 1, section: 'A' },
  { id: 2, section: 'A' },
  { id: 3, section: 'B' },
  { id: 4, section: '' },
];
const shown = (lessons: readonly { id: number; section: string }[]) =>
  lessons.map(({ id, section }) => `${id}${section}`).join(' ');

describe('moving a lesson', () => {
  it('puts it beside another and into that one’s section', () => {
    expect(shown(moveLesson(COURSE, 1, 3, 'after'))).toBe('2A 3B 1B 4');
    expect(shown(moveLesson(COURSE, 4, 1, 'before'))).toBe('4A 1A 2A 3B');
    expect(shown(moveLesson(COURSE, 1, 2, 'after'))).toBe('2A 1A 3B 4');
    expect(shown(moveLesson(COURSE, 1, 1, 'after'))).toBe(shown(COURSE));
    expect(shown(moveLesson(COURSE, 1, 99, 'after'))).toBe(shown(COURSE));
  });

  it('a step goes into the neighboring section before it passes anything there', () => {
    expect(shown(stepLesson(COURSE, 2, 'up'))).toBe('2A 1A 3B 4');
    expect(shown(stepLesson(COURSE, 2, 'down'))).toBe('1A 2B 3B 4');
    expect(shown(stepLesson(stepLesson(COURSE, 2, 'down'), 2, 'down'))).toBe('1A 3B 2B 4');
    expect(shown(stepLesson(COURSE, 1, 'up'))).toBe(shown(COURSE));
    expect(shown(stepLesson(COURSE, 4, 'down'))).toBe(shown(COURSE));
  });

  it('loses no lesson, whatever is moved where', () => {
    const places = fc.uniqueArray(
      fc.record({ id: fc.integer({ min: 1, max: 30 }), section: fc.constantFrom('', 'A', 'B', 'C') }),
      { selector: ({ id }) => id, minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(places, fc.nat(), fc.nat(), fc.boolean(), (lessons, from, to, before) => {
        const [a, b] = [lessons[from % lessons.length]!.id, lessons[to % lessons.length]!.id];
        const ids = (some: readonly { id: number }[]) => some.map(({ id }) => id).toSorted((x, y) => x - y);
        expect(ids(moveLesson(lessons, a, b, before ? 'before' : 'after'))).toEqual(ids(lessons));
        expect(ids(stepLesson(lessons, a, before ? 'up' : 'down'))).toEqual(ids(lessons));
      }),
    );
  });

  it('keeps sections in one piece', () => {
    const inOnePiece = (lessons: readonly { section: string }[]) => {
      const runs = lessons.filter(({ section }, index) => section !== lessons[index - 1]?.section);
      return new Set(runs.map(({ section }) => section)).size === runs.length;
    };
    for (const { id } of COURSE) {
      for (const target of COURSE) {
        expect(inOnePiece(moveLesson(COURSE, id, target.id, 'before'))).toBe(true);
        expect(inOnePiece(moveLesson(COURSE, id, target.id, 'after'))).toBe(true);
      }
      expect(inOnePiece(stepLesson(COURSE, id, 'up'))).toBe(true);
      expect(inOnePiece(stepLesson(COURSE, id, 'down'))).toBe(true);
    }
  });

  it('finds the end of a section', () => {
    expect([placeInSection(COURSE, 'A'), placeInSection(COURSE, 'B'), placeInSection(COURSE, 'New')]).toEqual(
      [2, 3, 4],
    );
  });
});

it('says what deleting a lesson takes along', () => {
  expect(lessonDeletionNotice({ title: 'T', completions: 0 })).toContain('No learner has completed it.');
  expect(lessonDeletionNotice({ title: 'T', completions: 1 })).toBe(
    '“T” will be removed for good. 1 learner has completed it; their result and points for it go with it.',
  );
  expect(lessonDeletionNotice({ title: 'T', completions: 2400 })).toContain('2,400 learners have');
  const neededBy = ['A', 'B', 'C', 'D', 'E'];
  expect(lessonDeletionNotice({ title: 'T', completions: 0, neededBy }, true)).toBe(
    'Learners keep “T” until you publish the changes of this course. “A”, “B”, “C”, and 2 more then wait for it no more.',
  );
});
