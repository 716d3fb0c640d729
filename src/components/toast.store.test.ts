import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const kept = new Map<string, string>();

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  kept.clear();
});

test('a toast for the next page is shown there once, and not on the page that is left', async () => {
  const left = await import('./toast.store.ts');
  left.toastOnNextPage({ title: 'Please sign in' });
  // The Toaster of the page that is left may wake only now.
  left.showToastFromLastPage();
  expect(left.$toast.get()).toBeNull();
  vi.resetModules();
  const next = await import('./toast.store.ts');
  expect(kept.has(next.NEXT_PAGE_KEY)).toBe(true);
  next.showToastFromLastPage();
  expect(next.$toast.get()).toMatchObject({ title: 'Please sign in' });
  expect(kept.size).toBe(0);
});
