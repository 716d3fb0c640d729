import { expect, it } from 'vitest';
import { tellDifference } from './evidence.ts';

it.each([
  ['Good night!\nGood morning!\n', 'Good morning!\nGood night!', 'The right lines came in another order.'],
  ['Good morning!', 'Good morning!\nGood night!', 'The line “Good night!” is missing.'],
  ['One\nTwo\nThree', 'One\nThree', 'The line “Two” is too much.'],
])('%j in place of %j is told', (got, wanted, message) => {
  expect(tellDifference(got, wanted)?.message).toBe(message);
});
