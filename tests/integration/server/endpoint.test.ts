import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { makeAdmin, makeUser } from '../../support/factories.ts';
import { endpoint } from '#src/server/endpoint.ts';
import { log } from '#src/server/log.ts';
import { contract } from '#src/shared/contract.ts';
import { AppError } from '#src/shared/errors.ts';
import { idInPath, text } from '#src/shared/fields.ts';
import { callRoute, SITE, signIn } from '../../support/api.ts';

const rename = contract({
  method: 'POST',
  path: '/api/things/{id}',
  params: z.object({ id: idInPath() }),
  query: z.object({ loud: z.enum(['yes', 'no']).optional() }),
  input: z.object({ name: text('Name', { max: 20 }) }),
  output: z.object({ id: z.number(), name: z.string() }),
});

const open = endpoint(rename, { access: 'public' }, async ({ params, input }) => {
  const row = { id: params.id, name: input.name, passwordHash: 'secret' };
  return row;
});
const signedIn = endpoint(rename, { access: 'user' }, async ({ params, user }) => ({
  id: params.id,
  name: user.username,
}));
const adminOnly = endpoint(rename, { access: 'admin' }, async ({ params }) => ({
  id: params.id,
  name: 'done',
}));
const ok = { params: { id: '7' }, body: { name: 'Ada' } };

describe('an endpoint', () => {
  it('answers what its contract promises and nothing else', async () => {
    const answer = await callRoute(open, ok);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ id: 7, name: 'Ada' });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('names the field that is wrong', async () => {
    const answer = await callRoute(open, { ...ok, body: { name: '' } });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code: 'invalid_input',
      message: 'Name is required',
      fields: { name: 'Name is required' },
      requestId: expect.any(String),
    });
  });

  it.each([
    ['null'],
    ['[]'],
    ['"x"'],
    ['{"name":'],
    ['{"name":"a","name":"b"}'],
    ['{"name":"a\\u0000"}'],
    ['7'],
  ])('refuses the body %s with 400 (N2, N5)', async (body) => {
    const answer = await callRoute(open, { ...ok, body, headers: { 'content-type': 'application/json' } });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual(expect.any(String));
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  it('refuses text that is not UTF-8', async () => {
    const answer = await callRoute(open, { ...ok, body: new Uint8Array([0x22, 0xff, 0x22]) });
    expect(answer.status).toBe(400);
  });

  it('tells a caller who broke off from a database that did', async () => {
    const told = { warn: vi.spyOn(log, 'warn'), error: vi.spyOn(log, 'error'), info: vi.spyOn(log, 'info') };
    const gone = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    const body = new ReadableStream({ start: (controller) => controller.error(gone) });
    const request = new Request(`${SITE}/api/things/7`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit);
    const answer = await open({
      request,
      url: new URL(request.url),
      params: { id: '7' },
      locals: { requestId: 'broken-off', clientIp: '203.0.113.7', user: null },
      // biome-ignore lint/suspicious/noExplicitAny: what an endpoint reads of its context
    } as any);
    expect(answer.status).toBe(400);
    expect(told.info).toHaveBeenCalledWith(
      expect.objectContaining({ requestId: 'broken-off', err: gone }),
      expect.stringContaining('broke off'),
    );
    expect(told.warn).not.toHaveBeenCalled();
    expect(told.error).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });

  it('refuses a body over 1 MB with 413', async () => {
    const answer = await callRoute(open, { ...ok, body: { name: 'x'.repeat(1_100_000) } });
    expect(answer.status).toBe(413);
  });

  it('takes JSON only', async () => {
    const answer = await callRoute(open, {
      ...ok,
      body: '{"name":"a"}',
      headers: { 'content-type': 'text/plain' },
    });
    expect(answer.status).toBe(415);
  });

  it.each(['0', '-1', '1.5', '1e3', '2147483648', 'abc', '7 '])(
    'knows nothing under the id %j (N3)',
    async (value) => {
      expect((await callRoute(open, { ...ok, params: { id: value } })).status).toBe(404);
    },
  );

  it('answers an unexpected failure as a fixed 500 without its text', async () => {
    const broken = endpoint(rename, { access: 'public' }, async () => {
      throw new Error('select * from users where password');
    });
    const answer = await callRoute(broken, ok);
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('select');
    expect(answer.body.code).toBe('internal');
  });

  it('answers a busy database as 503 with Retry-After (F2)', async () => {
    const busy = endpoint(rename, { access: 'public' }, async () => {
      throw new Error('query failed', {
        cause: Object.assign(new Error('gone'), { code: 'CONNECTION_CLOSED' }),
      });
    });
    const answer = await callRoute(busy, ok);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('2');
  });

  it('carries further facts of a refusal', async () => {
    const changed = endpoint(rename, { access: 'public' }, async () => {
      throw new AppError('price_changed', 'The price has changed.', { extra: { total: '49.00' } });
    });
    expect((await callRoute(changed, ok)).body).toMatchObject({ code: 'price_changed', total: '49.00' });
  });
});

describe('access', () => {
  it('asks visitors to sign in', async () => {
    const answer = await callRoute(signedIn, ok);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('lets a bearer in, whatever its origin', async () => {
    const user = await makeUser({ username: 'Ada' });
    const answer = await callRoute(signedIn, {
      ...ok,
      as: await signIn(user),
      headers: { origin: 'https://evil.test' },
    });
    expect(answer.body).toEqual({ id: 7, name: 'Ada' });
  });

  it.each([
    'Bearer',
    'Bearer null',
    'bearer x',
    'Basic abc',
    `Bearer ${'x'.repeat(9000)}`,
    'Bearer a b c',
    '',
  ])('answers 401 to the header %j (A21)', async (authorization) => {
    const answer = await callRoute(signedIn, { ...ok, headers: { authorization } });
    expect(answer.status).toBe(401);
    expect(answer.body.code).toBe('unauthenticated');
  });

  it('takes a lower-case scheme', async () => {
    const { token } = await signIn(await makeUser());
    expect((await callRoute(signedIn, { ...ok, headers: { authorization: `bearer ${token}` } })).status).toBe(
      200,
    );
  });

  it('does not take the secret of one kind for the other', async () => {
    const both = await signIn(await makeUser());
    expect((await callRoute(signedIn, { ...ok, as: { ...both, token: both.cookieSecret } })).status).toBe(
      401,
    );
    expect(
      (await callRoute(signedIn, { ...ok, withCookie: { ...both, cookieSecret: both.token } })).status,
    ).toBe(401);
  });

  it('lets the bearer alone decide where a cookie of another person comes along (A23)', async () => {
    const [ada, bob] = [await makeUser({ username: 'Ada' }), await makeUser({ username: 'Bob' })];
    const mixed = { ...ok, as: await signIn(ada), withCookie: await signIn(bob) };
    expect((await callRoute(signedIn, mixed)).body.name).toBe('Ada');
    expect((await callRoute(signedIn, { ...mixed, as: { token: 'garbage', cookieSecret: '' } })).status).toBe(
      401,
    );
  });

  it.each([
    [{ origin: 'https://evil.test' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: `${SITE}.evil.test` }, 403],
    [{ origin: SITE, 'sec-fetch-site': 'cross-site' }, 403],
    [{ origin: SITE }, 200],
    [{ origin: SITE, 'sec-fetch-site': 'same-origin' }, 200],
  ])('answers a write by cookie with the headers %j with %d (A10)', async (headers, status) => {
    const withCookie = await signIn(await makeUser());
    expect((await callRoute(signedIn, { ...ok, withCookie, headers })).status).toBe(status);
  });

  it('keeps students and visitors from what administrators do (I7)', async () => {
    expect((await callRoute(adminOnly, ok)).status).toBe(401);
    expect((await callRoute(adminOnly, { ...ok, as: await signIn(await makeUser()) })).status).toBe(403);
    expect((await callRoute(adminOnly, { ...ok, as: await signIn(await makeAdmin()) })).status).toBe(200);
  });
});

describe('limits', () => {
  // Five in an hour, by address.
  const limited = endpoint(rename, { access: 'public', limit: 'contact-untimed' }, async ({ params }) => ({
    id: params.id,
    name: 'x',
  }));

  it('refuse the call after the last allowed one, per address', async () => {
    const statuses = [];
    for (let i = 0; i < 7; i += 1) statuses.push((await callRoute(limited, ok)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    const refused = await callRoute(limited, ok);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await callRoute(limited, { ...ok, ip: '203.0.113.8' })).status).toBe(200);
  });

  it('do not believe X-Forwarded-For (A3)', async () => {
    const statuses = [];
    for (let i = 0; i < 6; i += 1) {
      const headers = { 'x-forwarded-for': `198.51.100.${i}` };
      statuses.push((await callRoute(limited, { ...ok, ip: '203.0.113.9', headers })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('count exactly when calls come at once', async () => {
    const call = () => callRoute(limited, { ...ok, ip: '203.0.113.10' });
    const answers = await Promise.all(Array.from({ length: 20 }, call));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(5);
  });

  it('count an account wherever it calls from, and not its neighbours at one address', async () => {
    // Three in an hour.
    const own = endpoint(rename, { access: 'user', limit: 'resend-verification' }, async ({ params }) => ({
      id: params.id,
      name: 'x',
    }));
    const as = await signIn(await makeUser());
    const statuses = [];
    for (let i = 0; i < 4; i += 1)
      statuses.push((await callRoute(own, { ...ok, as, ip: `198.51.100.${i}` })).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const other = await signIn(await makeUser());
    expect((await callRoute(own, { ...ok, as: other, ip: '198.51.100.3' })).status).toBe(200);
  });
});
