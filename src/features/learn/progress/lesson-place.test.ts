import { describe, expect, it } from 'vitest';
import { lessonAfter, lessonHref } from './lesson-place.ts';

const lessons = [{ id: 1 }, { id: 2 }, { id: 3 }];
const toDo =
  (...ids: number[]) =>
  ({ id }: { id: number }) =>
    ids.includes(id);

describe('the lesson after one', () => {
  it('is the next in order, done or not', () => {
    expect(lessonAfter(lessons, 1, toDo())).toEqual({ id: 2 });
  });
  it('is, after the last one, the first that is still to be done', () => {
    expect(lessonAfter(lessons, 3, toDo(2, 3))).toEqual({ id: 2 });
  });
  it('is none where the last one is all that is left, and for a lesson of another course', () => {
    expect(lessonAfter(lessons, 3, toDo(3))).toBeNull();
    expect(lessonAfter([], 9, toDo(1))).toBeNull();
  });
});

it('opens what has a screen of its own there, and everything else in the viewer', () => {
  expect(lessonHref(7, { id: 4, type: 'interactive_coding' })).toBe('/lesson/4');
  expect(lessonHref(7, { id: 4, type: 'scenario' })).toBe('/learn/7?lesson=4');
  expect(lessonHref(7, { id: 4, type: 'text' })).toBe('/learn/7?lesson=4');
});
