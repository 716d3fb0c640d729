import { describe, expect, it } from 'vitest';
import { lessonDeletionNotice, placeInSection, severalDeletionNotice } from './lessons.ts';

const COURSE = [
  { id: 1, section: 'A' },
  { id: 2, section: 'A' },
  { id: 3, section: 'B' },
  { id: 4, section: '' },
];

describe('the place of a lesson', () => {
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

it('says what deleting several lessons takes along', () => {
  const [fresh, done] = [
    { title: 'A', completions: 0 },
    { title: 'B', completions: 3 },
  ];
  expect(severalDeletionNotice([fresh, fresh], false)).toContain('No learner has completed any of them.');
  expect(severalDeletionNotice([fresh, done], false)).toContain('Learners have completed “B”');
  expect(severalDeletionNotice([done, done], true)).toMatch(/until you publish.*completed 2 of them/);
  expect(severalDeletionNotice([done], false)).toBe(lessonDeletionNotice(done));
});
