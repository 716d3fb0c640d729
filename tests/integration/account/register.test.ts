import { eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { db } from '#db/client.ts';
import { makeUser } from '../../support/factories.ts';
import { adminRequests, users } from '#db/schema/account.ts';
import { POST as login } from '#src/pages/api/auth/login.ts';
import { GET as me } from '#src/pages/api/auth/me.ts';
import { POST as register } from '#src/pages/api/auth/register.ts';
import { mailsTo } from '../../support/account.ts';
import { consume } from '#src/server/limits/rate-limit.ts';
import { callRoute, signIn } from '../../support/api.ts';

vi.unmock('@node-rs/argon2');

const PASSWORD = 'correct horse';
let last = 0;
const newIp = () => {
  last += 1;
  return `198.51.${Math.floor(last / 250)}.${(last % 250) + 1}`;
};
const person = (values: Record<string, unknown> = {}) => {
  last += 1;
  return {
    username: 'Ada Lovelace',
    email: `ada-${last}@example.com`,
    password: PASSWORD,
    confirmPassword: PASSWORD,
    ...values,
  };
};
const tryRegister = (body: unknown, ip = newIp()) => callRoute(register, { body, ip });
const accountOf = async (email: string) => (await db().select().from(users).where(eq(users.email, email)))[0];

describe('registering', () => {
  it('makes a student, signs them in and mails the verification link', async () => {
    const body = person();
    const answer = await tryRegister(body);
    expect(answer.status).toBe(201);
    const account = (await accountOf(body.email))!;
    expect(answer.body).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      user: {
        id: account.id,
        username: 'Ada Lovelace',
        email: body.email,
        role: 'student',
        emailVerified: false,
      },
      adminRequest: null,
      message: 'Your account is ready.',
    });
    const session = { token: answer.body.token, cookieSecret: answer.cookies.get('session')! };
    expect((await callRoute(me, { as: session })).status).toBe(200);
    expect((await callRoute(me, { withCookie: session })).status).toBe(200);
    expect(account.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const mails = await mailsTo(body.email);
    expect(mails.map((mail) => mail.template)).toEqual(['email-verification']);
    expect(mails[0]!.text).toMatch(/^http:\/\/localhost:4321\/verify-email\?token=[\w-]{43}$/m);
  });

  it('takes spaces around name and email away, and unifies case and form', async () => {
    const body = person({ username: '  Zoe\u0308  ', email: '  MiXeD.Case@Example.COM ' });
    const answer = await tryRegister(body);
    expect(answer.body.user).toMatchObject({ username: 'Zoe\u0308', email: 'mixed.case@example.com' });
  });

  it('takes any name that can be shown, and shows it as it is', async () => {
    for (const username of [
      '<script>alert(1)</script>',
      "O'Brien",
      '李小龙',
      '👩‍💻',
      'x'.repeat(80),
      '😀'.repeat(80),
    ]) {
      const answer = await tryRegister(person({ username }));
      expect(answer.status).toBe(201);
      expect(answer.body.user.username).toBe(username);
    }
  });

  it.each([
    ['no name', { username: undefined }, { username: 'Full name must be text' }],
    ['a blank name', { username: '   ' }, { username: 'Full name is required' }],
    ['81 characters', { username: 'x'.repeat(81) }, { username: 'Full name must be at most 80 characters' }],
    [
      'a line break in the name',
      { username: 'Ada\r\nBcc: x@y.zz' },
      { username: 'Full name must be a single line' },
    ],
    [
      'NUL in the name',
      { username: 'Ada\0' },
      { username: 'Full name contains characters that cannot be stored' },
    ],
    [
      'half a surrogate pair',
      { username: 'Ada\ud800' },
      { username: 'Full name contains characters that cannot be stored' },
    ],
    ['a list as name', { username: ['Ada'] }, { username: 'Full name must be text' }],
    ['a wrong email', { email: 'ada@' }, { email: 'Please enter a valid email address' }],
    [
      'two emails',
      { email: 'ada@example.com,eve@example.com' },
      { email: 'Please enter a valid email address' },
    ],
    [
      'a long email',
      { email: `${'a'.repeat(250)}@example.com` },
      { email: 'Please enter a valid email address' },
    ],
    [
      'different passwords',
      { confirmPassword: 'correct horses' },
      { confirmPassword: "Passwords don't match" },
    ],
    ['no repetition', { confirmPassword: undefined }, { confirmPassword: "Passwords don't match" }],
    ['a trimmed repetition', { password: `${PASSWORD} ` }, { confirmPassword: "Passwords don't match" }],
    [
      'a short password',
      { password: '12345', confirmPassword: '12345' },
      { password: 'Password must be at least 6 characters' },
    ],
    [
      'several faults',
      { email: 'x', password: '123', confirmPassword: '1234' },
      {
        email: 'Please enter a valid email address',
        password: 'Password must be at least 6 characters',
        confirmPassword: "Passwords don't match",
      },
    ],
  ])('refuses %s', async (_, values, fields) => {
    const body = person(values);
    const answer = await tryRegister(body);
    expect(answer.status).toBe(400);
    expect(answer.body.fields).toEqual(fields);
    expect(answer.cookies.size).toBe(0);
  });

  it.each([
    ['6 characters', '123456', 201],
    ['128 characters', 'x'.repeat(128), 201],
    ['128 emoji', '😀'.repeat(128), 201],
    ['6 emoji', '😀'.repeat(6), 201],
    ['spaces only', '      ', 201],
    ['spaces around', '  horse  ', 201],
    ['unicode', 'пароль密码', 201],
    ['5 characters', '12345', 400],
    ['5 emoji', '😀'.repeat(5), 400],
    ['129 characters', 'x'.repeat(129), 400],
    ['10 kB', 'x'.repeat(10_240), 400],
    ['1 MB', 'x'.repeat(1_048_576), 413],
  ])('A19: a password of %s is taken whole or refused', async (_, password, status) => {
    const body = person({ password, confirmPassword: password });
    expect((await tryRegister(body)).status).toBe(status);
    const account = await accountOf(body.email);
    expect(account !== undefined).toBe(status === 201);
    if (!account) return;
    const tryLogin = async (attempt: string) =>
      (await callRoute(login, { body: { email: body.email, password: attempt }, ip: newIp() })).status;
    expect(await tryLogin(password)).toBe(200);
    // Neither a longer nor a shorter nor a trimmed one is taken for it.
    const others = [`${password}x`, [...password].slice(0, -1).join(''), password.trim()];
    for (const other of others) if (other !== password) expect(await tryLogin(other)).not.toBe(200);
  });

  it('A18: of 20 at once with one email, written differently, one wins', async () => {
    const address = `race-${Date.now()}@example.com`;
    const spellings = [address, address.toUpperCase(), ` ${address} `, address.replace('race', 'Race')];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => tryRegister(person({ email: spellings[index % 4] }))),
    );
    const statuses = answers.map((answer) => answer.status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    const refused = answers.find((answer) => answer.status === 409)!;
    expect(refused.body.code).toBe('conflict');
    expect(refused.body.fields.email).toBe(refused.body.message);
    expect(await db().$count(users, eq(users.email, address))).toBe(1);
    expect(await mailsTo(address)).toHaveLength(1);
  });

  it('refuses an email that has an account, and leaves the account alone', async () => {
    const user = await makeUser({ password: PASSWORD });
    const answer = await tryRegister(
      person({ email: user.email, password: 'overwritten', confirmPassword: 'overwritten' }),
    );
    expect(answer.status).toBe(409);
    expect(answer.body.message).toBe(
      'An account with this email already exists. Sign in, or reset your password.',
    );
    expect(await accountOf(user.email)).toEqual(user);
    expect(answer.cookies.size).toBe(0);
  });

  it('A6: ends the sign-in that the browser brought along', async () => {
    const attacker = await signIn(await makeUser());
    expect((await callRoute(register, { body: person(), withCookie: attacker, ip: newIp() })).status).toBe(
      201,
    );
    expect((await callRoute(me, { withCookie: attacker })).status).toBe(401);
  });

  it('A4: is limited per address, so that emails cannot be tried in bulk', async () => {
    const ip = newIp();
    const user = await makeUser();
    for (let attempt = 0; attempt < 20; attempt += 1) {
      expect((await tryRegister(person({ email: user.email }), ip)).status).toBe(409);
    }
    const refused = await tryRegister(person({ email: user.email }), ip);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // Neither does a free email tell itself apart from a taken one by getting through.
    expect((await tryRegister(person(), ip)).status).toBe(429);
  });

  it('A4: a burst learns no more than a sequence', async () => {
    const ip = newIp();
    const user = await makeUser();
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => tryRegister(person({ email: user.email }), ip)),
    );
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
  });

  it('A26: lets a class of 70 behind one address in, and stops a machine', async () => {
    const ip = newIp();
    for (let group = 0; group < 7; group += 1) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => tryRegister(person(), ip)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    }
    for (let left = 130; left > 0; left -= 1) await consume('register-new', `ip:${ip}`);
    expect((await tryRegister(person(), ip)).status).toBe(429);
  }, 120_000);
});

describe('asking for administrator access', () => {
  it.each(['admin', 'Admin', 'ADMIN'])('A16: as %j opens a request and grants nothing', async (role) => {
    const body = person({ role });
    const answer = await tryRegister(body);
    expect(answer.status).toBe(201);
    expect(answer.body.user.role).toBe('student');
    expect(answer.body.adminRequest).toBe('open');
    expect(answer.body.message).toBe(
      'Your account is a student account for now. An administrator will review your request for administrator access.',
    );
    const account = (await accountOf(body.email))!;
    expect(account.role).toBe('student');
    const requests = await db().select().from(adminRequests).where(eq(adminRequests.userId, account.id));
    expect(requests).toMatchObject([{ status: 'open', decidedBy: null }]);
  });

  it.each(['student', 'STUDENT', undefined])('as %j opens none', async (role) => {
    const body = person({ role });
    expect((await tryRegister(body)).body.adminRequest).toBeNull();
    expect(
      await db().$count(adminRequests, eq(adminRequests.userId, (await accountOf(body.email))!.id)),
    ).toBe(0);
  });

  it.each([
    [['admin']],
    [{ role: 'admin' }],
    ['owner'],
    ['admin '],
    ['ADM\u0130N'],
    [''],
    [null],
    [1],
    [true],
  ])('A16: the role %j is refused', async (role) => {
    const body = person({ role });
    const answer = await tryRegister(body);
    expect(answer.status).toBe(400);
    expect(answer.body.fields).toEqual({ role: 'Choose student or admin' });
    expect(await accountOf(body.email)).toBeUndefined();
  });

  it('A17: no other field of the body reaches the account', async () => {
    const body = person({
      id: 4_000_000,
      createdAt: '2001-01-01T00:00:00Z',
      emailVerified: true,
      emailVerifiedAt: '2001-01-01T00:00:00Z',
      passwordHash: 'x',
      isAdmin: true,
      user: { role: 'admin' },
      adminRequest: 'approved',
      learningMail: 'off',
    });
    expect((await tryRegister(body)).status).toBe(201);
    const account = (await accountOf(body.email))!;
    expect(account).toMatchObject({ role: 'student', emailVerifiedAt: null, learningMail: 'daily' });
    expect(account.id).toBeLessThan(4_000_000);
    expect(account.createdAt.getFullYear()).toBeGreaterThan(2020);
    expect(account.passwordHash).toMatch(/^\$argon2id/);
  });

  it('A17: a prototype in the body is refused', async () => {
    const source = JSON.stringify(person()).replace('{', '{"__proto__":{"role":"admin"},');
    const answer = await callRoute(register, {
      body: source,
      headers: { 'content-type': 'application/json' },
      ip: newIp(),
    });
    expect(answer.status).toBe(400);
  });
});
