import { beforeAll, describe, expect, it } from 'vitest';
import { makeUser } from '../../support/factories.ts';
import { POST } from '#src/pages/api/page-vitals.ts';
import { createMetrics } from '#src/server/metrics.ts';
import { callRoute, SITE, signIn } from '../../support/api.ts';

const metrics = createMetrics({ token: 'a-token-that-nobody-guesses', read: async () => [] });

/** The lines of the figures of pages, as they are read at `/metrics`. */
async function figures(): Promise<string[]> {
  const { body } = await metrics.render();
  return body.split('\n').filter((line) => line.startsWith('page_'));
}

type Session = Awaited<ReturnType<typeof signIn>>;
let learner: Session;
beforeAll(async () => {
  learner = await signIn(await makeUser());
});

describe('the speed of a page, told by a browser', () => {
  it('is counted under the pattern of its page', async () => {
    const told = await callRoute(POST, {
      withCookie: learner,
      body: { route: '/learn/[id]', lcp: 1200, inp: 90, cls: 0.02 },
    });
    expect(told.status).toBe(204);
    // A page that is left early has measured only some of it; the home page is the shortest pattern.
    const early = await callRoute(POST, { withCookie: learner, body: { route: '/', cls: 0 } });
    expect(early.status).toBe(204);
    const lines = await figures();
    for (const line of [
      'page_lcp_seconds_bucket{le="1",route="/learn/[id]"} 0',
      'page_lcp_seconds_bucket{le="1.5",route="/learn/[id]"} 1',
      'page_lcp_seconds_sum{route="/learn/[id]"} 1.2',
      'page_inp_seconds_bucket{le="0.1",route="/learn/[id]"} 1',
      'page_cls_bucket{le="0.05",route="/learn/[id]"} 1',
      'page_cls_count{route="/"} 1',
    ]) {
      expect(lines).toContain(line);
    }
    expect(lines).not.toContain('page_lcp_seconds_count{route="/"} 1');
  });

  const ROUTE = '/courses/[id]';
  it.each([
    ['an address instead of a pattern', { route: '/courses/17', lcp: 1 }],
    ['a page that there is not', { route: '/courses/[id]/secret', lcp: 1 }],
    ['a pattern with a slash too many', { route: '/courses/[id]/', lcp: 1 }],
    ['a pattern that would break the figures', { route: '/"} 1\npage_cls_count{route="x', lcp: 1 }],
    ['a name that every object has', { route: '__proto__', lcp: 1 }],
    ['no pattern', { lcp: 1 }],
    ['a list of patterns', { route: [ROUTE], lcp: 1 }],
    ['nothing measured', { route: ROUTE }],
    ['another measure', { route: ROUTE, lcp: 1, fid: 3 }],
    ['a text for a number', { route: ROUTE, lcp: '12' }],
    ['a measure below zero', { route: ROUTE, inp: -1 }],
    ['a measure without end', { route: ROUTE, lcp: 1e308 }],
    ['more than two minutes', { route: ROUTE, lcp: 120_001 }],
    ['a shift of everything many times', { route: ROUTE, cls: 101 }],
    ['no number', `{"route":"${ROUTE}","lcp":NaN}`],
    ['what JSON makes of no number', { route: ROUTE, lcp: null }],
    ['a number past what numbers hold', `{"route":"${ROUTE}","lcp":1e999}`],
    ['the same name twice', `{"route":"${ROUTE}","lcp":1,"lcp":2}`],
    ['a list', [{ route: ROUTE, lcp: 1 }]],
    ['nothing', 'null'],
  ])('is refused as a whole: %s', async (_name, body) => {
    const before = await figures();
    const answer = await callRoute(POST, {
      withCookie: learner,
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toBeTruthy();
    expect(await figures()).toEqual(before);
  });

  it('is taken to the bounds', async () => {
    const other = await signIn(await makeUser());
    for (const body of [
      { route: ROUTE, lcp: 0, inp: 0, cls: 0 },
      { route: ROUTE, lcp: 120_000, inp: 120_000, cls: 100 },
    ]) {
      expect((await callRoute(POST, { withCookie: other, body })).status).toBe(204);
    }
    expect(await figures()).toContain('page_lcp_seconds_bucket{le="+Inf",route="/courses/[id]"} 2');
  });

  it('is taken from nobody who is signed out, and from no other site', async () => {
    const before = await figures();
    const body = { route: ROUTE, lcp: 5 };
    expect((await callRoute(POST, { body, headers: { origin: SITE } })).status).toBe(401);
    const foreign = { origin: 'https://evil.example' };
    expect((await callRoute(POST, { body, withCookie: learner, headers: foreign })).status).toBe(403);
    const plain = { 'content-type': 'text/plain' };
    const text = await callRoute(POST, { body: JSON.stringify(body), withCookie: learner, headers: plain });
    expect(text.status).toBe(415);
    expect(await figures()).toEqual(before);
  });

  it('is limited for each account', async () => {
    const [eager, calm] = [await signIn(await makeUser()), await signIn(await makeUser())];
    const body = { route: ROUTE, cls: 0 };
    const answers = await Promise.all(
      Array.from({ length: 31 }, () => callRoute(POST, { body, withCookie: eager })),
    );
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(30);
    expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toBeTruthy();
    expect((await callRoute(POST, { body, withCookie: calm })).status).toBe(204);
  });
});
