import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { reviewDraft } from './review-draft.ts';

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

it('is what was written for this review, and for no other', () => {
  reviewDraft(1, 2, 3).write('let a;\n3\n');
  expect(reviewDraft(1, 2, 3).read()).toBe('let a;\n3\n');
  for (const other of [
    reviewDraft(1, 2, 4),
    reviewDraft(1, 2, 33),
    reviewDraft(9, 2, 3),
    reviewDraft(1, 9, 3),
  ]) {
    expect(other.read()).toBeNull();
  }
  // Of the lesson there is one: what an older review left does not gather.
  reviewDraft(1, 2, 4).write('');
  expect(reviewDraft(1, 2, 3).read()).toBeNull();
  expect(reviewDraft(1, 2, 4).read()).toBe('');
  reviewDraft(1, 2, 4).clear();
  expect(reviewDraft(1, 2, 4).read()).toBeNull();
});
