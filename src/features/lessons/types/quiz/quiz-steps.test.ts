import { describe, expect, it } from 'vitest';
import { afterPractice, firstOpen } from './quiz-steps.ts';

describe('what is practised after a quiz', () => {
  it('comes back until it is right', () => {
    let queue = afterPractice([3, 5], false);
    expect(queue).toEqual([5, 3]);
    queue = afterPractice(queue, true);
    expect(queue).toEqual([3]);
    expect(afterPractice(queue, false)).toEqual([3]);
    expect(afterPractice(queue, true)).toEqual([]);
    expect(afterPractice([], false)).toEqual([]);
  });
});

describe('where a quiz with feedback after each question goes on', () => {
  const questions = [{ id: 3 }, { id: 5 }, { id: 7 }];

  it('is the first question that was not told, or the last one', () => {
    expect(firstOpen(questions, new Set())).toBe(0);
    expect(firstOpen(questions, new Set([3, 7]))).toBe(1);
    expect(firstOpen(questions, new Set([3, 5, 7]))).toBe(2);
    expect(firstOpen([], new Set())).toBe(0);
  });
});
