import { ENDPOINTS } from '../support/routes.ts';
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

test('every page says in a header what it may load, whether it was built or is rendered; others load nothing', async ({
  request,
}) => {
  const policyOf = async (path: string) =>
    (await request.get(path, { maxRedirects: 0 })).headers()['content-security-policy'];
  for (const path of ['/', '/about', '/login', '/courses', '/nothing-here', '/course/999999999']) {
    expect([path, await policyOf(path)]).toEqual([
      path,
      expect.stringMatching(/object-src 'none'.*script-src 'self' 'sha256-.*frame-ancestors 'none'/),
    ]);
  }
  for (const path of ['/dashboard', '/api/cart', '/api/courses', '/api/nothing', '/%zz', '/healthz']) {
    expect([path, await policyOf(path)]).toEqual([path, expect.stringMatching(/^default-src 'none'/)]);
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

test.describe('the API', () => {
  const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
  const taken = Map.groupBy(
    Object.keys(ENDPOINTS)
      .map((name) => name.split(' ') as [string, string])
      .filter(([, path]) => path.startsWith('/api/') && !path.includes('[...')),
    ([, path]) => path,
  );

  test('answers each address with a method that it does not take with 405 and those that it takes', async ({
    request,
  }) => {
    expect(taken.size).toBeGreaterThan(80);
    for (const [path, names] of taken) {
      const own = names.map(([method]) => method);
      const allowed = METHODS.filter(
        (method) => own.includes(method) || (method === 'HEAD' && own.includes('GET')),
      );
      const options = await request.fetch(path.replaceAll(/\[\w+\]/g, '1'), { method: 'OPTIONS' });
      expect([path, options.status(), options.headers().allow]).toEqual([
        path,
        204,
        [...allowed, 'OPTIONS'].join(', '),
      ]);
      for (const method of METHODS.filter((one) => !allowed.includes(one))) {
        const answer = await request.fetch(path.replaceAll(/\[\w+\]/g, '1'), { method });
        const asked = `${method} ${path}`;
        expect([asked, answer.status()]).toEqual([asked, 405]);
        expect([asked, answer.headers().allow]).toEqual([asked, allowed.join(', ')]);
        expect([asked, answer.headers()['content-type']]).toEqual([asked, 'application/json; charset=utf-8']);
        if (method !== 'HEAD') expect(await answer.json()).toMatchObject({ code: 'method_not_allowed' });
      }
    }
  });

  test('answers an address that it does not have with 404 and JSON, whatever the method', async ({
    request,
  }) => {
    for (const path of [
      '/api/',
      '/api/nothing',
      '/api/courses/1/nothing',
      '/api/courses.html',
      '/api/admin',
      '/api/courses/2147483647/',
    ]) {
      // The last of them is an address of ours, without a course.
      for (const method of path.endsWith('7/') ? ['GET', 'HEAD'] : METHODS) {
        const answer = await request.fetch(path, { method, headers: { accept: 'text/html' } });
        const asked = `${method} ${path}`;
        expect([asked, answer.status()]).toEqual([asked, 404]);
        expect([asked, answer.headers()['content-type']]).toEqual([asked, 'application/json; charset=utf-8']);
        if (method !== 'HEAD') expect(await answer.json()).toMatchObject({ code: 'not_found' });
      }
    }
  });
});
