import { addressOf } from './addresses.ts';
import { expect, test } from './fixtures.ts';

// Kilobytes before compression: each one is written by the server and parsed by the browser.
const LIMITS: Record<string, number> = {
  '/courses': 45,
  // With the text of lessons that can be read before buying, and up to ten reviews that other tests write.
  '/courses/[id]': 60,
  '/dashboard': 45,
  '/learn/[id]': 45,
  '/lesson/[id]': 45,
  '/my-courses': 45,
};

for (const [route, limit] of Object.entries(LIMITS)) {
  test(`the page ${route} has at most ${limit} KB of markup`, async ({ request }) => {
    const data = { email: 'student@example.com', password: 'learn-demo' };
    if (!route.startsWith('/courses')) await request.post('/api/auth/login', { data });
    const answer = await request.get(await addressOf(route, request), { maxRedirects: 0 });
    expect(answer.status()).toBe(200);
    expect((await answer.body()).length / 1024).toBeLessThanOrEqual(limit);
  });
}
