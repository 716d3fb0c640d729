import { expect, test } from './fixtures.ts';

test('the framework’s image service is shut: it would work for anybody', async ({ request }) => {
  for (const query of ['href=/favicon.svg&f=webp', `href=${'9'.repeat(2000)}`, '']) {
    expect((await request.get(`/_image?${query}`)).status()).toBe(404);
  }
});

test('every kind of answer carries the security headers', async ({ request }) => {
  for (const path of [
    '/',
    '/courses',
    '/api/courses',
    '/nothing-here',
    '/api/cart',
    '/dashboard',
    '/healthz',
  ]) {
    const { 'x-content-type-options': sniffing, 'content-security-policy': policy } = (
      await request.get(path, { maxRedirects: 0 })
    ).headers();
    expect([path, sniffing]).toEqual([path, 'nosniff']);
    expect([path, policy]).toEqual([path, expect.stringContaining("frame-ancestors 'none'")]);
  }
});
