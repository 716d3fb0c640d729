import { expect, it } from 'vitest';
import { ADMIN_ENTRIES } from './navigation.ts';

it('has eleven entries, with what visitors ask as the second, and a letter for each page alone', () => {
  const pages = ADMIN_ENTRIES.flatMap((entry) => [...entry.pages]);
  expect(ADMIN_ENTRIES.map(({ label }) => label).join(' · ')).toBe(
    'Overview · Enquiries · Courses · Grading · Questions and ratings · People · Organizations · Orders · Offers · Analytics · Operations',
  );
  expect(new Set(pages.map(({ key }) => key)).size).toBe(pages.length);
  expect(new Set(pages.map(({ href }) => href)).size).toBe(pages.length);
});
