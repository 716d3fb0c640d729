import { expect, it } from 'vitest';
import { pointsLevel } from './points.ts';

it.each([
  [0, 1, 50, 0],
  [49, 1, 50, 98],
  [50, 2, 150, 0],
  [149, 2, 150, 99],
  [150, 3, 300, 0],
  [100_000, 63, 100_800, 74],
])('%i points are level %i, and the next begins with %i', (points, level, next, percent) => {
  expect(pointsLevel(points)).toEqual({ level, points, next, percent });
});
