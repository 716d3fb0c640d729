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

test('a page that visitors share reads the same at each address, in each coding and however often', async ({
  request,
}) => {
  const [{ id, title }] = await (await request.get('/api/courses?pageSize=1')).json();
  for (const path of [`/course/${id}`, `/courses/${id}`, '/courses']) {
    const texts = new Set<string>();
    for (const coding of ['gzip', 'identity', 'br', 'gzip', 'br, gzip', 'identity', 'gzip', 'br']) {
      // Of the two, one is answered from memory and one by the page.
      for (const cookie of ['', 'theme=none']) {
        const headers = { 'accept-encoding': coding, ...(cookie ? { cookie } : {}) };
        const answer = await request.get(path, { headers });
        const text = await answer.text();
        expect(text, `${path} in ${coding}`).toMatch(/^<!doctype html>/i);
        expect(text).toContain(title.replaceAll('&', '&amp;'));
        texts.add(text);
      }
    }
    expect(texts.size, path).toBe(1);
  }
});
