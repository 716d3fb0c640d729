import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { db } from '#db/client.ts';
import { makeUser } from '../../support/factories.ts';
import { hashPassword, verifyPassword } from '#db/passwords.ts';
import { signInFailures, users } from '#db/schema/account.ts';
import { signInWithPassword } from '#src/features/account/account.server.ts';
import {
  delayAfter,
  FAILURES_MAX,
  pairKey,
  sweepFailures,
} from '#src/features/account/sign-in/sign-in-guard.server.ts';
import { setEnvironment } from '#src/server/start/env.ts';
import { log } from '#src/server/log.ts';
import { cookieOptions } from '#src/features/account/session.server.ts';
import { POST as login } from '#src/pages/api/auth/login.ts';
import { POST as logout } from '#src/pages/api/auth/logout.ts';
import { GET as me } from '#src/pages/api/auth/me.ts';
import { POST as reset } from '#src/pages/api/reset-password.ts';
import { sessionCount } from '../../support/account.ts';
import { type Answer, callRoute, SITE, signIn } from '../../support/api.ts';

vi.mock('#db/passwords.ts', async (original) => {
  const real = await original<typeof import('#db/passwords.ts')>();
  return { ...real, verifyPassword: vi.fn(real.verifyPassword) };
});
vi.mock('node:timers/promises', async (original) => {
  const real = await original<typeof import('node:timers/promises')>();
  return { ...real, setTimeout: vi.fn(real.setTimeout) };
});

const PASSWORD = 'correct horse';
let lastIp = 0;
/** An address of its own for each call, so that limits per address stay out of the way. */
const newIp = () => {
  lastIp += 1;
  return `198.51.${Math.floor(lastIp / 250)}.${(lastIp % 250) + 1}`;
};
const tryLogin = (email: unknown, password: unknown, ip = newIp(), headers: Record<string, string> = {}) =>
  callRoute(login, { body: { email, password }, ip, headers });

/** Notes failures of a pair as if they had happened `minutesAgo`. */
async function fail(email: string, ip: string, times: number, minutesAgo = 0) {
  const at = new Date(Date.now() - minutesAgo * 60_000);
  await db()
    .insert(signInFailures)
    .values(Array.from({ length: times }, () => ({ key: pairKey(email, ip), at })));
}

const withoutRequestId = ({ body }: Answer) => ({ ...body, requestId: undefined });

describe('signing in', () => {
  it('gives a token, the user, and a cookie with another secret', async () => {
    const user = await makeUser({ password: PASSWORD, username: 'Ada Lovelace' });
    const answer = await tryLogin(user.email, PASSWORD);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      user: {
        id: user.id,
        username: 'Ada Lovelace',
        email: user.email,
        role: 'student',
        emailVerified: false,
      },
    });
    const cookieSecret = answer.cookies.get('session')!;
    expect(cookieSecret).toMatch(/^[\w-]{43}$/);
    expect(cookieSecret).not.toBe(answer.body.token);
    const both = { token: answer.body.token, cookieSecret };
    expect((await callRoute(me, { as: both })).body.user.id).toBe(user.id);
    expect((await callRoute(me, { withCookie: both })).body.user.id).toBe(user.id);
    // Neither secret works in the other's place.
    const swapped = { token: cookieSecret, cookieSecret: answer.body.token };
    expect((await callRoute(me, { as: swapped })).status).toBe(401);
    expect((await callRoute(me, { withCookie: swapped })).status).toBe(401);
  });

  it('on https keeps the cookie to this host and to https, by its name too', async () => {
    const user = await makeUser({ password: PASSWORD });
    setEnvironment({ SITE_URL: 'https://academy.example' });
    try {
      const answer = await tryLogin(user.email, PASSWORD);
      expect([...answer.cookies.keys()]).toEqual(['__Host-session']);
      expect(cookieOptions()).toEqual({ httpOnly: true, sameSite: 'lax', path: '/', secure: true });
      const sent = (name: string) =>
        callRoute(me, { cookies: new Map([[name, answer.cookies.get('__Host-session')!]]) });
      expect((await sent('__Host-session')).status).toBe(200);
      expect((await sent('session')).status).toBe(401);
    } finally {
      setEnvironment({ SITE_URL: undefined });
    }
  });

  it('is told in the log, and so is a refusal, without the password', async () => {
    const user = await makeUser({ password: PASSWORD });
    const told = vi.spyOn(log, 'info');
    await tryLogin(user.email, PASSWORD);
    await tryLogin(user.email, 'a wrong one');
    await tryLogin('nobody-at-all@example.com', 'a wrong one');
    const lines = told.mock.calls.map(([facts]) => facts as unknown);
    expect(lines).toContainEqual(expect.objectContaining({ event: 'sign-in', userId: user.id }));
    expect(lines).toContainEqual(expect.objectContaining({ event: 'sign-in refused', userId: user.id }));
    expect(lines).toContainEqual(expect.objectContaining({ event: 'sign-in refused', userId: null }));
    expect(JSON.stringify(lines)).not.toContain('a wrong one');
    told.mockRestore();
  });

  it('takes the email in any case, with spaces around it', async () => {
    await makeUser({ email: 'zoe.case@example.com', password: PASSWORD });
    expect((await tryLogin('  Zoe.CASE@Example.com ', PASSWORD)).status).toBe(200);
  });

  it.each([
    ['no email', { password: PASSWORD }, 'email', 'Please enter a valid email address'],
    ['a wrong email', { email: 'ada', password: PASSWORD }, 'email', 'Please enter a valid email address'],
    ['a list', { email: ['a@b.co'], password: PASSWORD }, 'email', 'Please enter a valid email address'],
    ['NUL', { email: 'a\0@b.co', password: PASSWORD }, 'email', 'Please enter a valid email address'],
    ['no password', { email: 'a@b.co' }, 'password', 'Password must be at least 6 characters'],
    [
      '5 characters',
      { email: 'a@b.co', password: '12345' },
      'password',
      'Password must be at least 6 characters',
    ],
    [
      '129 characters',
      { email: 'a@b.co', password: 'x'.repeat(129) },
      'password',
      'Password must be at most 128 characters',
    ],
    [
      '10 kB',
      { email: 'a@b.co', password: 'x'.repeat(10_240) },
      'password',
      'Password must be at most 128 characters',
    ],
    ['a number', { email: 'a@b.co', password: 123456 }, 'password', 'Password must be at least 6 characters'],
    [
      'NUL in the password',
      { email: 'a@b.co', password: 'abc\0def' },
      'password',
      'Password contains characters that cannot be stored',
    ],
  ])('refuses %s', async (_, body, field, message) => {
    const answer = await callRoute(login, { body, ip: newIp() });
    expect(answer.status).toBe(400);
    expect(answer.body.fields).toEqual({ [field]: message });
  });

  it('A4: says the same of an unknown email, a wrong password and an account without password', async () => {
    const user = await makeUser({ password: PASSWORD });
    const passwordless = await makeUser();
    const answers = [
      await tryLogin('nobody@example.com', PASSWORD),
      await tryLogin(user.email, 'wrong horse'),
      await tryLogin(passwordless.email, PASSWORD),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(withoutRequestId(answer)).toEqual(withoutRequestId(answers[0]!));
      expect(answer.cookies.size).toBe(0);
    }
    expect(answers[0]!.body).toMatchObject({
      message: 'Invalid email or password.',
      code: 'unauthenticated',
    });
  });

  // The time itself is a figure of the bench; here, that both ways do the same costly work.
  it('A5: hashes once for an unknown email as for a wrong password, at the same cost', async () => {
    const user = await makeUser({ password: PASSWORD });
    const verify = vi.mocked(verifyPassword);
    const hashesFor = async (email: string) => {
      verify.mockClear();
      await tryLogin(email, 'wrong horse');
      return verify.mock.calls.map(([hash]) => hash.split('$').slice(0, 4).join('$'));
    };
    const wrong = await hashesFor(user.email);
    expect(wrong).toHaveLength(1);
    expect(await hashesFor('nobody@example.com')).toEqual(wrong);
  });

  it('A6: gives new secrets and ends what the browser brought along', async () => {
    const attacker = await signIn(await makeUser());
    const user = await makeUser({ password: PASSWORD });
    const older = await signIn(user);
    const answer = await callRoute(login, {
      body: { email: user.email, password: PASSWORD },
      as: older,
      withCookie: attacker,
      ip: newIp(),
    });
    expect(answer.status).toBe(200);
    const secrets = [answer.body.token, answer.cookies.get('session')];
    for (const dead of [attacker, older]) {
      expect(secrets).not.toContain(dead.token);
      expect(secrets).not.toContain(dead.cookieSecret);
      expect((await callRoute(me, { as: dead })).status).toBe(401);
      expect((await callRoute(me, { withCookie: dead })).status).toBe(401);
    }
  });

  it('A6: takes a made-up cookie or header for nothing', async () => {
    const user = await makeUser({ password: PASSWORD });
    const made = { token: 'x'.repeat(43), cookieSecret: 'y'.repeat(43) };
    const answer = await callRoute(login, {
      body: { email: user.email, password: PASSWORD },
      as: made,
      withCookie: made,
      ip: newIp(),
    });
    expect(answer.status).toBe(200);
    expect(answer.body.token).not.toBe(made.token);
    expect(answer.cookies.get('session')).not.toBe(made.cookieSecret);
  });

  it('keeps one device signed in when another signs in', async () => {
    const user = await makeUser({ password: PASSWORD });
    const laptop = await signIn(user);
    await tryLogin(user.email, PASSWORD);
    expect((await callRoute(me, { as: laptop })).status).toBe(200);
    expect(await sessionCount(user.id)).toBe(4);
  });

  it('does not sign in with a password that a reset replaced meanwhile', async () => {
    const user = await makeUser({ password: PASSWORD });
    const replacement = await hashPassword('another horse');
    const { verifyPassword: verify } =
      await vi.importActual<typeof import('#db/passwords.ts')>('#db/passwords.ts');
    // The reset commits while the old hash, already read, is being checked.
    vi.mocked(verifyPassword).mockImplementationOnce(async (hash, password) => {
      await db().update(users).set({ passwordHash: replacement }).where(eq(users.id, user.id));
      return verify(hash, password);
    });
    expect((await tryLogin(user.email, PASSWORD)).status).toBe(401);
    expect(await sessionCount(user.id)).toBe(0);
  });
});

describe('guessing passwords', () => {
  it('A1: is refused after 10 failures of a pair, even with the right password, and not from elsewhere', async () => {
    const user = await makeUser({ password: PASSWORD });
    const ip = newIp();
    for (let attempt = 1; attempt <= FAILURES_MAX; attempt += 1) {
      expect((await tryLogin(user.email, `wrong ${attempt}`, ip)).status).toBe(401);
    }
    for (const password of ['wrong again', PASSWORD]) {
      const refused = await tryLogin(user.email.toUpperCase(), password, ip);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500);
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(600);
      expect(refused.body.message).toBe(
        'Too many failed sign-ins. Please try again in 10 minutes, or reset your password.',
      );
    }
    expect((await tryLogin(user.email, PASSWORD)).status).toBe(200);
  });

  it('A1: lets no burst try more passwords than a sequence', async () => {
    const user = await makeUser({ password: PASSWORD });
    const ip = newIp();
    const visit = { ip, userAgent: null, presented: { authorization: null, cookieSecret: undefined } };
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        signInWithPassword({ email: user.email, password: `wrong ${index}` }, visit).catch(
          (error: { code: string }) => error.code,
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'unauthenticated')).toHaveLength(FAILURES_MAX);
    expect(outcomes.filter((outcome) => outcome === 'too_many_requests')).toHaveLength(50);
  });

  it('is possible again when the failures are older than 10 minutes', async () => {
    const user = await makeUser({ password: PASSWORD });
    const ip = newIp();
    await fail(user.email, ip, FAILURES_MAX, 11);
    await fail(user.email, ip, FAILURES_MAX - 1, 2);
    expect((await tryLogin(user.email, PASSWORD, ip)).status).toBe(200);
  });

  it('is forgiven by a success', async () => {
    const user = await makeUser({ password: PASSWORD });
    const ip = newIp();
    await fail(user.email, ip, 4);
    expect((await tryLogin(user.email, PASSWORD, ip)).status).toBe(200);
    const left = await db()
      .select()
      .from(signInFailures)
      .where(eq(signInFailures.key, pairKey(user.email, ip)));
    expect(left).toHaveLength(0);
  });

  it('takes longer after each failure past the fifth', async () => {
    expect([0, 4, 5, 6, 7, 8, 9, 30].map(delayAfter)).toEqual([0, 0, 200, 400, 800, 1600, 3200, 4000]);
    const user = await makeUser({ password: PASSWORD });
    const ip = newIp();
    await fail(user.email, ip, 7, 12);
    const events: string[] = [];
    const done = Promise.withResolvers<void>();
    vi.mocked(sleep).mockImplementationOnce((async (ms?: number) => {
      events.push(`waits ${ms}`);
      await done.promise;
    }) as typeof sleep);
    const checks = vi.mocked(verifyPassword).mock.calls.length;
    const answer = tryLogin(user.email, PASSWORD, ip);
    await expect.poll(() => events).toEqual(['waits 800']);
    expect(vi.mocked(verifyPassword).mock.calls).toHaveLength(checks);
    done.resolve();
    expect((await answer).status).toBe(200);
    expect(vi.mocked(verifyPassword).mock.calls).toHaveLength(checks + 1);
  });

  it('keeps neither the email nor the address', async () => {
    await tryLogin('private@example.com', 'wrong horse', '192.0.2.77');
    const rows = JSON.stringify(await db().select().from(signInFailures));
    expect(rows).toContain(pairKey('private@example.com', '192.0.2.77'));
    expect(rows).not.toMatch(/private|192\.0\.2\.77/);
  });

  it('is forgotten by the sweep once it counts for nothing', async () => {
    await fail('swept@example.com', '192.0.2.1', 1, 16);
    await fail('kept@example.com', '192.0.2.1', 1, 14);
    await sweepFailures();
    const keys = (await db().select().from(signInFailures)).map((row) => row.key);
    expect(keys).not.toContain(pairKey('swept@example.com', '192.0.2.1'));
    expect(keys).toContain(pairKey('kept@example.com', '192.0.2.1'));
  });

  it('A2: one address may try 30 accounts a minute', async () => {
    const ip = newIp();
    const statuses = [];
    for (let account = 0; account < 31; account += 1) {
      statuses.push(await tryLogin(`stuffed-${account}@example.com`, 'password', ip));
    }
    expect(statuses.slice(0, 30).every((answer) => answer.status === 401)).toBe(true);
    const last = statuses.at(-1)!;
    expect(last.status).toBe(429);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(last.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  });

  it('A26: lets 40 colleagues behind one address in at once with right passwords', async () => {
    const ip = newIp();
    const colleagues = await Promise.all(Array.from({ length: 40 }, () => makeUser({ password: PASSWORD })));
    const answers = await Promise.all(
      colleagues.map(async ({ email }) => {
        for (;;) {
          const answer = await tryLogin(email, PASSWORD, ip);
          // A machine that is too busy says so, and browsers come again.
          if (answer.status !== 503) return answer;
        }
      }),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    // They have used up nothing of what wrong passwords may.
    for (let account = 0; account < 30; account += 1) {
      expect((await tryLogin(`beside-${account}@example.com`, 'password', ip)).status).toBe(401);
    }
    expect((await tryLogin(colleagues[0]!.email, PASSWORD, ip)).status).toBe(429);
  }, 120_000);

  it('A2: lets no burst try more accounts than a sequence', async () => {
    const ip = newIp();
    const answers = await Promise.all(
      Array.from({ length: 90 }, (_, account) => tryLogin(`burst-${account}@example.com`, 'password', ip)),
    );
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(30);
    expect(answers.filter(({ status }) => status === 429 || status === 503).length).toBeGreaterThanOrEqual(
      60,
    );
    expect((await tryLogin('after-the-burst@example.com', 'password', ip)).status).toBe(429);
  }, 120_000);

  it('A3: is not made easier by a forwarding header', async () => {
    const ip = newIp();
    const email = 'forwarded@example.com';
    await fail(email, ip, FAILURES_MAX);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const header = `203.0.113.${attempt}`;
      const answer = await tryLogin(email, 'password', ip, {
        'x-forwarded-for': header,
        'x-real-ip': header,
        forwarded: `for=${header}`,
      });
      expect(answer.status).toBe(429);
    }
  });
});

describe('requests from other sites', () => {
  it.each([
    ['another origin', { origin: 'https://evil.test', 'content-type': 'application/json' }, 403],
    ['a subdomain', { origin: 'http://localhost.evil.test:4321', 'content-type': 'application/json' }, 403],
    ['origin null', { origin: 'null', 'content-type': 'application/json' }, 403],
    ['a cross-site fetch', { 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' }, 403],
    ['JSON as text/plain', { 'content-type': 'text/plain' }, 415],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['no type', {}, 415],
  ])('A10: %s does not sign in', async (_, headers, status) => {
    const user = await makeUser({ password: PASSWORD });
    const body = JSON.stringify({ email: user.email, password: PASSWORD });
    const answer = await callRoute(login, {
      body: new TextEncoder().encode(body),
      headers: { 'content-type': '', ...headers },
      ip: newIp(),
    });
    expect(answer.status).toBe(status);
    expect(answer.cookies.size).toBe(0);
    expect(await sessionCount(user.id)).toBe(0);
  });

  it('A10: a foreign page cannot end a session with the cookie alone', async () => {
    const user = await makeUser();
    const session = await signIn(user);
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.test' },
      { origin: SITE, 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreign) {
      expect((await callRoute(logout, { method: 'POST', withCookie: session, headers })).status).toBe(403);
    }
    expect((await callRoute(me, { withCookie: session })).status).toBe(200);
  });

  it('A10: the bearer token is not affected', async () => {
    const session = await signIn(await makeUser());
    const answer = await callRoute(logout, {
      method: 'POST',
      as: session,
      headers: { origin: 'https://app.partner.test' },
    });
    expect(answer.status).toBe(204);
  });
});

describe('a body', () => {
  it('A19: of 1 MiB and more is refused before anything is hashed', async () => {
    const body = { email: 'a@example.com', password: 'x'.repeat(1_048_576), token: 't', newPassword: 'n' };
    for (const route of [login, reset])
      expect((await callRoute(route, { body, ip: newIp() })).status).toBe(413);
  });

  it.each(['null', '[]', '"x"', '7', '{', '{"email":"a@b.co","email":"c@d.co","password":"123456"}'])(
    'like %s is refused',
    async (body) => {
      const answer = await callRoute(login, {
        body,
        headers: { 'content-type': 'application/json' },
        ip: newIp(),
      });
      expect(answer.status).toBe(400);
    },
  );
});
