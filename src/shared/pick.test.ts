import { expect, it } from 'vitest';
import { omit, pick } from './pick.ts';

it('takes the entries that are named, or all but these, and leaves the object as it was', () => {
  const one = { a: 1, b: undefined, c: 3 };
  expect(Object.entries(pick(one, ['c', 'b']))).toEqual([
    ['c', 3],
    ['b', undefined],
  ]);
  expect(Object.entries(omit(one, ['a']))).toEqual([
    ['b', undefined],
    ['c', 3],
  ]);
  expect(one).toEqual({ a: 1, b: undefined, c: 3 });
});
