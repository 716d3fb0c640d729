import { addressOf } from './addresses.ts';
import { expect, test } from './fixtures.ts';

// Bytes of markup before compression: what the server writes for each visitor, and the browser parses.
const KB = 1024;
const LIMIT = 45;
const PUBLIC: Record<string, number> = {
  '/courses': LIMIT,
  // All that is in a course stands in its page, with the text of the lessons that can be read before buying.
  '/courses/[id]': 50,
  '/courses?search=python': LIMIT,
};
const SIGNED_IN: Record<string, number> = {
  '/learn/[id]': LIMIT,
  '/lesson/[id]': LIMIT,
  '/dashboard': LIMIT,
  '/my-courses': LIMIT,
};

for (const [who, limits] of Object.entries({ visitor: PUBLIC, learner: SIGNED_IN })) {
  for (const [route, limit] of Object.entries(limits)) {
    test(`the page ${route} has at most ${limit} KB of markup for a ${who}`, async ({ request }) => {
      if (who === 'learner') {
        const data = { email: 'student@example.com', password: 'learn-demo' };
        expect((await request.post('/api/auth/login', { data })).ok()).toBe(true);
      }
      const answer = await request.get(await addressOf(route, request));
      expect(answer.status()).toBe(200);
      const kilobytes = (await answer.body()).length / KB;
      expect(kilobytes).toBeGreaterThan(10);
      expect(kilobytes).toBeLessThanOrEqual(limit);
    });
  }
}
