import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  emptyAmong,
  flattened,
  moveSection,
  putBeside,
  putLessons,
  type Section,
  sectionsOf,
  stepLesson,
} from './sections.ts';

const COURSE = [
  { id: 1, section: 'A' },
  { id: 2, section: 'A' },
  { id: 3, section: 'B' },
  { id: 4, section: '' },
];
const EMPTY = [
  { title: 'Between', before: 3 },
  { title: 'Last', before: null },
];
const shown = (sections: readonly Section[]) =>
  sections.map(({ title, lessons }) => `${title}(${lessons.map(({ id }) => id).join(' ')})`).join(' ');
const all = sectionsOf(COURSE, EMPTY);

describe('sections', () => {
  it('are runs of lessons, and those without lessons in their places', () => {
    expect(shown(all)).toBe('A(1 2) Between() B(3) (4) Last()');
    expect(flattened(all)).toEqual({ lessons: COURSE, empty: EMPTY });
    // A lesson that is gone, and a section that has got a lesson meanwhile.
    const later = [
      { title: 'B', before: 1 },
      { title: 'C', before: 99 },
    ];
    expect(shown(sectionsOf(COURSE, later))).toBe('A(1 2) B(3) (4) C()');
    expect(shown(sectionsOf([], EMPTY))).toBe('Between() Last()');
  });

  it('move with their lessons', () => {
    expect(shown(moveSection(all, 'B', 'A', 'before'))).toBe('B(3) A(1 2) Between() (4) Last()');
    expect(shown(moveSection(all, 'Last', 'B', 'after'))).toBe('A(1 2) Between() B(3) Last() (4)');
    expect(shown(moveSection(all, 'A', 'none', 'after'))).toBe(shown(all));
  });

  it('take lessons, and stay when they have none', () => {
    expect(shown(putLessons(all, new Set([1, 3]), 'Last'))).toBe('A(2) Between() B() (4) Last(1 3)');
    expect(shown(putBeside(all, 4, 1, 'before'))).toBe('A(4 1 2) Between() B(3) () Last()');
    const kept = flattened(putBeside(all, 4, 1, 'before'));
    expect(shown(sectionsOf(kept.lessons, kept.empty))).toBe('A(4 1 2) Between() B(3) Last()');
    expect(shown(putBeside(all, 1, 99, 'after'))).toBe(shown(all));
    expect(shown(putLessons(all, new Set([1]), 'A', { id: 1, edge: 'after' }))).toBe(shown(all));
  });

  it('are passed by a lesson step by step', () => {
    let now = stepLesson(all, 2, 'down');
    expect(shown(now)).toBe('A(1) Between(2) B(3) (4) Last()');
    now = stepLesson(now, 2, 'down');
    expect(shown(now)).toBe('A(1) Between() B(2 3) (4) Last()');
    expect(shown(stepLesson(now, 2, 'down'))).toBe('A(1) Between() B(3 2) (4) Last()');
    expect(shown(stepLesson(now, 2, 'up'))).toBe('A(1) Between(2) B(3) (4) Last()');
    expect(shown(stepLesson(all, 1, 'up'))).toBe(shown(all));
  });

  it('are told apart where several have one name', () => {
    const lessons = ['A', 'B', 'A', 'A 2'].map((section, id) => ({ id, section }));
    expect(new Set(sectionsOf(lessons, []).map(({ key }) => key)).size).toBe(4);
  });

  it('without lessons stand before lessons that are there, and not beside one of their name', () => {
    const empty = [
      { title: 'Lost', before: 99 },
      { title: 'B', before: 1 },
      ...EMPTY,
      { title: 'Amid', before: 2 },
    ];
    const kept = [
      { title: 'Between', before: 3 },
      { title: 'Lost', before: null },
      { title: 'Last', before: null },
      { title: 'Amid', before: null },
    ];
    expect(emptyAmong(COURSE, empty)).toEqual(kept);
    expect(emptyAmong(COURSE, kept)).toEqual(kept);
    expect(emptyAmong([], kept).map(({ before }) => before)).toEqual([null, null, null, null]);
  });

  it('lose no lesson, whatever is moved where', () => {
    const places = fc.uniqueArray(
      fc.record({ id: fc.integer({ min: 1, max: 30 }), section: fc.constantFrom('', 'A', 'B', 'C') }),
      { selector: ({ id }) => id, minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(places, fc.nat(), fc.nat(), fc.boolean(), (lessons, from, to, before) => {
        const sections = sectionsOf(lessons, EMPTY);
        const [a, b] = [lessons[from % lessons.length]!.id, lessons[to % lessons.length]!.id];
        const [c, d] = [sections[from % sections.length]!.key, sections[to % sections.length]!.key];
        const ids = (some: readonly Section[]) =>
          flattened(some)
            .lessons.map(({ id }) => id)
            .toSorted((x, y) => x - y);
        const edge = before ? 'before' : 'after';
        expect(new Set(sections.map(({ key }) => key)).size).toBe(sections.length);
        expect(ids(putBeside(sections, a, b, edge))).toEqual(ids(sections));
        expect(ids(stepLesson(sections, a, before ? 'up' : 'down'))).toEqual(ids(sections));
        expect(ids(moveSection(sections, c, d, edge))).toEqual(ids(sections));
        expect(ids(putLessons(sections, new Set([a, b]), c))).toEqual(ids(sections));
      }),
    );
  });
});
