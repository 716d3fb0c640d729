import { expect, it } from 'vitest';
import { insideOf } from './inside.ts';

it('counts what learners do and take away, and the length of the videos', () => {
  const of = (...types: Parameters<typeof insideOf>[0][number]['type'][]) => types.map((type) => ({ type }));
  expect(insideOf(of('interactive_coding', 'interactive_coding', 'quiz', 'text'), 4800)).toEqual([
    '2 coding exercises',
    '1 quiz',
    '1 h 20 min of video',
  ]);
  expect(insideOf(of('scenario', 'quiz', 'quiz', 'assignment', 'video'), 59)).toEqual([
    '1 simulation',
    '2 quizzes',
    '1 assignment',
    '1 video',
  ]);
  expect(insideOf(of('document', 'text', 'document', 'video'), 60)).toEqual([
    '2 documents',
    '1 min of video',
  ]);
  expect(insideOf([], 0)).toEqual([]);
});
