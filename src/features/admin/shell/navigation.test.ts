import { expect, it } from 'vitest';
import { ADMIN_GROUPS } from './navigation.ts';

it('has five groups, and a letter for each page alone', () => {
  const pages = ADMIN_GROUPS.flatMap((group) => [...group.pages]);
  expect(ADMIN_GROUPS.filter(({ label }) => label !== '')).toHaveLength(5);
  expect(new Set(pages.map(({ key }) => key)).size).toBe(pages.length);
  expect(new Set(pages.map(({ href }) => href)).size).toBe(pages.length);
});
