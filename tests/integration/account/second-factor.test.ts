import { eq } from 'drizzle-orm';
import { generate } from 'otplib/functional';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeUser } from '../../support/factories.ts';
import { auditLog, authChallenges, passkeys, recoveryCodes, sessions, users } from '#db/schema/account.ts';
import { issueResetLink } from '#src/features/account/password/password-reset.server.ts';
import { forgetFactors } from '#src/features/account/second-factor/factors.server.ts';
import { resetSecondFactor } from '#src/features/account/second-factor/manage.server.ts';
import { POST as addPasskey } from '#src/pages/api/account/passkeys.ts';
import { DELETE as removePasskey } from '#src/pages/api/account/passkeys/[id].ts';
import { POST as passkeyCreation } from '#src/pages/api/account/passkeys/options.ts';
import {
  DELETE as removeApp,
  POST as beginApp,
  PUT as confirmApp,
} from '#src/pages/api/account/authenticator.ts';
import { POST as giveProof } from '#src/pages/api/account/proof.ts';
import { POST as proofOptions } from '#src/pages/api/account/proof/options.ts';
import { POST as renewCodes } from '#src/pages/api/account/recovery-codes.ts';
import { GET as adminRequests } from '#src/pages/api/admin/users/admin-requests.ts';
import { POST as login } from '#src/pages/api/auth/login.ts';
import { POST as logout } from '#src/pages/api/auth/logout.ts';
import { GET as me } from '#src/pages/api/auth/me.ts';
import { POST as passkeyLogin } from '#src/pages/api/auth/passkey.ts';
import { POST as passkeyOptions } from '#src/pages/api/auth/passkey/options.ts';
import { POST as restore } from '#src/pages/api/auth/restore.ts';
import { POST as secondStep } from '#src/pages/api/auth/second-factor.ts';
import { POST as reset } from '#src/pages/api/reset-password.ts';
import { GET as exportOwn } from '#src/pages/api/account/export.ts';
import { setEnvironment } from '#src/server/start/env.ts';
import { mailedToken, mailsTo, sessionCount } from '../../support/account.ts';
import { type Answer, callRoute, signIn } from '../../support/api.ts';
import { TestAuthenticator } from '../../support/authenticator.ts';
import { moveBack } from '../../support/move-back.ts';

const PASSWORD = 'correct horse';
const post = (body: unknown = {}) => ({ method: 'POST', body });
let lastIp = 0;
const newIp = () => {
  lastIp += 1;
  return `198.18.${Math.floor(lastIp / 250)}.${(lastIp % 250) + 1}`;
};

type Session = Awaited<ReturnType<typeof signIn>>;
/** A code of `steps` half minutes from now: those around the present one count, and each step works once. */
const codeOf = (secret: string, steps = 0) =>
  generate({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 });

const proveBy = async (as: Session, body: unknown, cookies?: Map<string, string>) => {
  const answer = await callRoute(giveProof, {
    ...post(body),
    as,
    ip: newIp(),
    ...(cookies ? { cookies } : {}),
  });
  expect(answer.status, answer.text).toBe(200);
};

async function addApp(as: Session, proof: unknown = { password: PASSWORD }) {
  await proveBy(as, proof);
  const begun = await callRoute(beginApp, { ...post(), as });
  expect(begun.status, begun.text).toBe(200);
  const { secret, uri } = begun.body as { secret: string; uri: string };
  expect([new URL(uri).protocol, new URL(uri).searchParams.get('secret')]).toEqual(['otpauth:', secret]);
  // An earlier step than the present one, so that the present one is free for the tests.
  const answer = await callRoute(confirmApp, { method: 'PUT', body: { code: await codeOf(secret, -1) }, as });
  expect(answer.status, answer.text).toBe(200);
  return { secret, recoveryCodes: answer.body.recoveryCodes as string[] | null };
}

async function addKey(
  as: Session,
  proof: unknown = { password: PASSWORD },
  device = new TestAuthenticator(),
) {
  await proveBy(as, proof);
  const asked = await callRoute(passkeyCreation, { ...post(), as });
  expect(asked.status, asked.text).toBe(200);
  const answer = await callRoute(addPasskey, {
    ...post({ name: 'Laptop', passkey: device.create(asked.body) }),
    as,
    cookies: asked.cookies,
  });
  expect(answer.status, answer.text).toBe(200);
  return { device, recoveryCodes: answer.body.recoveryCodes as string[] | null };
}

const giveCredentials = (email: string, ip = newIp()) =>
  callRoute(login, { ...post({ email, password: PASSWORD }), ip });
const takeStep = (asked: Answer, body: unknown, cookies = asked.cookies) =>
  callRoute(secondStep, { ...post(body), cookies, ip: newIp() });

async function withApp(values: Parameters<typeof makeUser>[0] = {}) {
  const user = await makeUser({ password: PASSWORD, ...values });
  const here = await signIn(user);
  return { user, here, ...(await addApp(here)) };
}

afterEach(() => {
  vi.useRealTimers();
  setEnvironment({ ADMIN_SECOND_FACTOR: undefined });
});

describe('setting an authenticator app up', () => {
  it('takes few wrong codes: whoever has a session only must not guess the app in', async () => {
    const as = await signIn(await makeUser({ password: PASSWORD }));
    await proveBy(as, { password: PASSWORD });
    const { secret } = (await callRoute(beginApp, { ...post(), as })).body as { secret: string };
    const right = await codeOf(secret);
    const wrong = right.slice(0, 5) + ((Number(right[5]) + 5) % 10);
    const guess = (code: string) => callRoute(confirmApp, { method: 'PUT', body: { code }, as });
    const guesses = await Promise.all(Array.from({ length: 12 }, () => guess(wrong)));
    expect(guesses.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(400), 429, 429]);
    expect((await guess(right)).status).toBe(429);
  });

  it('forgets wrong codes with the right one', async () => {
    const as = await signIn(await makeUser({ password: PASSWORD }));
    await proveBy(as, { password: PASSWORD });
    const { secret } = (await callRoute(beginApp, { ...post(), as })).body as { secret: string };
    const right = await codeOf(secret, -1);
    const wrong = right.slice(0, 5) + ((Number(right[5]) + 5) % 10);
    for (let time = 0; time < 9; time += 1) {
      expect((await callRoute(confirmApp, { method: 'PUT', body: { code: wrong }, as })).status).toBe(400);
    }
    expect((await callRoute(confirmApp, { method: 'PUT', body: { code: right }, as })).status).toBe(200);
    await proveBy(as, { code: await codeOf(secret) });
  });
});

describe('signing in to an account with a second factor', () => {
  it('gives no session for the password alone, and both secrets after the second step', async () => {
    const { user, secret } = await withApp();
    const before = await sessionCount(user.id);
    const asked = await giveCredentials(user.email);
    expect(asked.status).toBe(401);
    expect(asked.body).toMatchObject({
      code: 'second_factor_required',
      methods: ['code', 'recovery_code'],
      passkeyOptions: null,
    });
    expect(asked.body.token).toBeUndefined();
    expect([...asked.cookies.keys()]).toEqual(['challenge_second_factor']);
    expect(await sessionCount(user.id)).toBe(before);
    const done = await takeStep(asked, { code: await codeOf(secret) });
    expect(done.status, done.text).toBe(200);
    expect(Object.keys(done.body).toSorted()).toEqual(['token', 'user']);
    const both = { token: done.body.token, cookieSecret: done.cookies.get('session')! };
    expect((await callRoute(me, { as: both })).status).toBe(200);
    expect((await callRoute(me, { withCookie: both })).status).toBe(200);
  });

  it('keeps the answer of an account without one as it is', async () => {
    const user = await makeUser({ password: PASSWORD });
    const answer = await giveCredentials(user.email);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).toSorted()).toEqual(['token', 'user']);
  });

  it('does not tell whether an account has one before the password is right', async () => {
    const { user } = await withApp();
    const plain = await makeUser({ password: PASSWORD });
    const refusals = await Promise.all(
      [user.email, plain.email, 'nobody-here@example.com'].map((email) =>
        callRoute(login, { ...post({ email, password: 'wrong one' }), ip: newIp() }),
      ),
    );
    for (const { status, body, cookies } of refusals) {
      expect([status, body.code, body.message, cookies.size]).toEqual([
        401,
        'unauthenticated',
        'Invalid email or password.',
        0,
      ]);
    }
  });

  it('refuses a wrong code, a missing cookie and another browser’s cookie', async () => {
    const [mine, other] = [await withApp(), await withApp()];
    const asked = await giveCredentials(mine.user.email);
    const askedOther = await giveCredentials(other.user.email);
    const code = await codeOf(mine.secret);
    const wrong = code === '000000' ? '000001' : '000000';
    expect((await takeStep(asked, { code: wrong })).status).toBe(401);
    expect((await takeStep(asked, { code }, new Map())).status).toBe(401);
    expect((await takeStep(asked, { code }, askedOther.cookies)).status).toBe(401);
    expect(
      (await takeStep(asked, { code }, new Map([['challenge_second_factor', 'x'.repeat(43)]]))).status,
    ).toBe(401);
    const crossed = new Map([['challenge_passkey_sign_in', asked.cookies.get('challenge_second_factor')!]]);
    expect((await takeStep(asked, { code }, crossed)).status).toBe(401);
    expect((await takeStep(asked, { code })).status).toBe(200);
  });

  it.each([
    {},
    { code: '12345' },
    { code: '1234567' },
    { code: 123456 },
    { code: null },
    { recoveryCode: '' },
    { recoveryCode: 'x'.repeat(61) },
    { passkey: {} },
    { passkey: 'x' },
    { code: '123456', recoveryCode: 'AAAA' },
  ])('refuses %j by its form', async (body) => {
    expect((await callRoute(secondStep, { ...post(body), ip: newIp() })).status).toBe(400);
  });

  it('takes a code once, also of two sent at once', async () => {
    const { user, secret } = await withApp();
    const [one, two, three] = [
      await giveCredentials(user.email),
      await giveCredentials(user.email),
      await giveCredentials(user.email),
    ];
    const code = await codeOf(secret);
    const answers = await Promise.all([takeStep(one, { code }), takeStep(two, { code })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect((await takeStep(three, { code })).status).toBe(401);
    // The step before the one that was used is over too.
    expect((await takeStep(three, { code: await codeOf(secret, -1) })).status).toBe(401);
  });

  it('takes the codes before and after the present one, and none further off', async () => {
    for (const [steps, status] of [
      [-2, 401],
      [1, 200],
      [2, 401],
    ] as const) {
      const { user, secret } = await withApp();
      expect(
        (await takeStep(await giveCredentials(user.email), { code: await codeOf(secret, steps) })).status,
      ).toBe(status);
    }
  });

  it('lets a challenge be answered once, five times wrongly, and for five minutes', async () => {
    const { user, secret } = await withApp();
    const used = await giveCredentials(user.email);
    expect((await takeStep(used, { code: await codeOf(secret) })).status).toBe(200);
    const again = await takeStep(used, { code: await codeOf(secret, 1) });
    expect([again.status, again.body.startAgain]).toEqual([401, true]);
    const worn = await giveCredentials(user.email);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect((await takeStep(worn, { recoveryCode: 'AAAA' })).status).toBe(401);
    }
    expect((await takeStep(worn, { code: await codeOf(secret, 1) })).body.startAgain).toBe(true);
    const late = await giveCredentials(user.email);
    await moveBack(authChallenges, undefined, { expiresAt: { seconds: 1 } });
    expect((await takeStep(late, { code: await codeOf(secret, 1) })).body.startAgain).toBe(true);
  });

  it('keeps only a digest of what the browser holds', async () => {
    const { user } = await withApp();
    const asked = await giveCredentials(user.email);
    const rows = JSON.stringify(await db().select().from(authChallenges));
    expect(rows).not.toContain(asked.cookies.get('challenge_second_factor'));
  });

  it('refuses codes after ten wrong ones for the account, from wherever, and mails its owner once', async () => {
    const { user, secret, recoveryCodes: codes } = await withApp();
    const tries: Promise<Answer>[] = [];
    for (let round = 0; round < 4; round += 1) {
      const asked = await giveCredentials(user.email);
      for (let attempt = 0; attempt < 4; attempt += 1) tries.push(takeStep(asked, { code: '000000' }));
    }
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(6);
    const asked = await giveCredentials(user.email);
    expect((await takeStep(asked, { code: await codeOf(secret) })).status).toBe(429);
    const mails = (await mailsTo(user.email)).filter(({ template }) => template === 'second-factor-guessed');
    expect(mails).toHaveLength(1);
    // Recovery codes cannot be guessed and stay a way in.
    expect((await takeStep(asked, { recoveryCode: codes![0] })).status).toBe(200);
  });

  it('takes each recovery code once, also of two sent at once, as people type it', async () => {
    const { user, recoveryCodes: codes } = await withApp();
    expect(codes).toHaveLength(10);
    for (const code of codes!) expect(code).toMatch(/^([A-HJ-NP-Z2-9]{4}-){5}[A-HJ-NP-Z2-9]{4}$/);
    const stored = JSON.stringify(
      await db().select().from(recoveryCodes).where(eq(recoveryCodes.userId, user.id)),
    );
    for (const code of codes!) expect(stored).not.toContain(code.replaceAll('-', ''));
    const typed = ` ${codes![0]!.toLowerCase().replaceAll('-', ' ')} `;
    const asked = [await giveCredentials(user.email), await giveCredentials(user.email)];
    const answers = await Promise.all(asked.map((one) => takeStep(one, { recoveryCode: typed })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    const mails = (await mailsTo(user.email)).filter(({ template }) => template === 'recovery-code-used');
    expect(mails).toHaveLength(1);
  });

  it('does not take another account’s codes or passkeys', async () => {
    const [mine, other] = [await withApp(), await withApp()];
    const asked = await giveCredentials(mine.user.email);
    expect((await takeStep(asked, { code: await codeOf(other.secret) })).status).toBe(401);
    expect((await takeStep(asked, { recoveryCode: other.recoveryCodes![1] })).status).toBe(401);
    const stranger = await makeUser({ password: PASSWORD });
    const { device } = await addKey(await signIn(stranger));
    const keyed = await makeUser({ password: PASSWORD });
    await addKey(await signIn(keyed));
    const waiting = await giveCredentials(keyed.email);
    const foreign = await takeStep(waiting, { passkey: device.get(waiting.body.passkeyOptions) });
    expect(foreign.status).toBe(401);
  });

  it('ends what waits for its second step when the password is replaced', async () => {
    const { user, secret } = await withApp({ emailVerifiedAt: new Date() });
    const asked = await giveCredentials(user.email);
    await issueResetLink.run({ email: user.email, requestId: crypto.randomUUID() }, { isLast: false });
    const token = await mailedToken(user.email, 'password-reset');
    const changed = await callRoute(reset, { ...post({ token, newPassword: 'another horse' }), ip: newIp() });
    expect(changed.status).toBe(200);
    expect((await takeStep(asked, { code: await codeOf(secret) })).body.startAgain).toBe(true);
    // The reset is no way around the second factor either.
    const after = await callRoute(login, {
      ...post({ email: user.email, password: 'another horse' }),
      ip: newIp(),
    });
    expect([after.status, after.body.code]).toEqual([401, 'second_factor_required']);
  });

  it('ends older sign-ins of the browser, and takes nothing from them', async () => {
    const { user, secret } = await withApp();
    const attacker = await signIn(await makeUser());
    const asked = await giveCredentials(user.email);
    const done = await callRoute(secondStep, {
      ...post({ code: await codeOf(secret) }),
      cookies: asked.cookies,
      withCookie: attacker,
      ip: newIp(),
    });
    expect(done.status).toBe(200);
    expect(done.body.token).not.toBe(attacker.token);
    expect((await callRoute(me, { as: attacker })).status).toBe(401);
  });

  it('is refused from other sites', async () => {
    const { user, secret } = await withApp();
    const asked = await giveCredentials(user.email);
    for (const route of [secondStep, passkeyLogin, passkeyOptions]) {
      const answer = await callRoute(route, {
        ...post({ code: await codeOf(secret) }),
        cookies: asked.cookies,
        headers: { origin: 'https://evil.test' },
        ip: newIp(),
      });
      expect(answer.status).toBe(403);
    }
  });
});

describe('passkeys', () => {
  async function withKey() {
    const user = await makeUser({ password: PASSWORD });
    const here = await signIn(user);
    return { user, here, ...(await addKey(here)) };
  }
  const askAnybody = () => callRoute(passkeyOptions, { ...post(), ip: newIp() });
  const answerWith = (asked: Answer, passkey: unknown) =>
    callRoute(passkeyLogin, { ...post({ passkey }), cookies: asked.cookies, ip: newIp() });

  it('sign in alone, without an email', async () => {
    const { user, device } = await withKey();
    const asked = await askAnybody();
    expect(asked.body).toMatchObject({ userVerification: 'required', rpId: 'localhost' });
    expect(asked.body.allowCredentials ?? []).toEqual([]);
    const done = await answerWith(asked, device.get(asked.body));
    expect(done.status, done.text).toBe(200);
    expect(done.body.user.id).toBe(user.id);
    expect((await callRoute(me, { as: { token: done.body.token, cookieSecret: '' } })).status).toBe(200);
  });

  it('take the second step', async () => {
    const { user, device } = await withKey();
    const asked = await giveCredentials(user.email);
    expect(asked.body.methods).toEqual(['passkey', 'recovery_code']);
    const done = await takeStep(asked, { passkey: device.get(asked.body.passkeyOptions) });
    expect(done.status, done.text).toBe(200);
  });

  it('answer a challenge once, also of two sent at once', async () => {
    const { device } = await withKey();
    const asked = await askAnybody();
    const passkey = device.get(asked.body);
    const answers = await Promise.all([answerWith(asked, passkey), answerWith(asked, passkey)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect((await answerWith(asked, device.get(asked.body))).status).toBe(401);
  });

  it('are refused with another origin, another host, another browser’s challenge, or unverified', async () => {
    const { device } = await withKey();
    for (const options of [
      { origin: 'https://localhost.evil.test' },
      { rpId: 'evil.test' },
      { verified: false },
    ]) {
      const asked = await askAnybody();
      expect((await answerWith(asked, device.get(asked.body, options))).status).toBe(401);
    }
    const [asked, other] = [await askAnybody(), await askAnybody()];
    expect((await answerWith(other, device.get(asked.body))).status).toBe(401);
    expect((await answerWith(asked, new TestAuthenticator().get(asked.body))).status).toBe(401);
    await moveBack(authChallenges, undefined, { expiresAt: { seconds: 1 } });
    expect((await answerWith(asked, device.get(asked.body))).status).toBe(401);
  });

  it('are refused when their count goes back, as a copy’s does', async () => {
    const { device } = await withKey();
    const first = await askAnybody();
    device.counter = 5;
    expect((await answerWith(first, device.get(first.body))).status).toBe(200);
    const second = await askAnybody();
    device.counter = 3;
    expect((await answerWith(second, device.get(second.body))).status).toBe(401);
  });

  it('of one account are not added to another, nor with another’s or another sign-in’s challenge', async () => {
    const { here, user, device } = await withKey();
    const stranger = await signIn(await makeUser({ password: PASSWORD }));
    await proveBy(stranger, { password: PASSWORD });
    const asked = await callRoute(passkeyCreation, { ...post(), as: stranger });
    const body = { name: 'Mine', passkey: new TestAuthenticator().create(asked.body) };
    const elsewhere = await signIn(user);
    for (const as of [here, elsewhere]) {
      const answer = await callRoute(addPasskey, { ...post(body), as, cookies: asked.cookies });
      expect(answer.status).toBe(400);
    }
    const known = { name: 'Copy', passkey: device.create(asked.body) };
    const copied = await callRoute(addPasskey, { ...post(known), as: stranger, cookies: asked.cookies });
    expect(copied.status).toBe(409);
    const [{ count } = { count: -1 }] = await db()
      .select({ count: db().$count(passkeys, eq(passkeys.userId, user.id)) })
      .from(users)
      .limit(1);
    expect(count).toBe(1);
  });

  it('are removed by their owner only, with a proof', async () => {
    const { user, here, device } = await withKey();
    const [row] = await db().select().from(passkeys).where(eq(passkeys.userId, user.id));
    const params = { id: String(row!.id) };
    const stranger = await signIn(await makeUser({ password: PASSWORD }));
    await proveBy(stranger, { password: PASSWORD });
    expect((await callRoute(removePasskey, { method: 'DELETE', params, as: stranger })).status).toBe(404);
    const unproven = await callRoute(removePasskey, { method: 'DELETE', params, as: here });
    expect([unproven.status, unproven.body.code]).toEqual([403, 'proof_required']);
    const asked = await callRoute(proofOptions, { ...post(), as: here });
    await proveBy(here, { passkey: device.get(asked.body) }, asked.cookies);
    expect((await callRoute(removePasskey, { method: 'DELETE', params, as: here })).status).toBe(200);
    // The recovery codes stood in for it and end with it.
    expect(await db().$count(recoveryCodes, eq(recoveryCodes.userId, user.id))).toBe(0);
    expect((await giveCredentials(user.email)).status).toBe(200);
    const templates = (await mailsTo(user.email)).map(({ subject }) => subject.split(' |')[0]);
    expect(templates).toEqual(['A passkey was removed', 'A passkey was added']);
  });
});

describe('changing second factors', () => {
  it('asks for a fresh proof each time, and only for one change', async () => {
    const user = await makeUser({ password: PASSWORD });
    const here = await signIn(user);
    const begin = () => callRoute(beginApp, { ...post(), as: here });
    expect((await begin()).body.code).toBe('proof_required');
    await proveBy(here, { password: PASSWORD });
    const both = await Promise.all([begin(), begin()]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 403]);
    await proveBy(here, { password: PASSWORD });
    await moveBack(sessions, eq(sessions.userId, user.id), { provenAt: { minutes: 6 } });
    expect((await begin()).status).toBe(403);
    // A proof is of the sign-in that gave it.
    await proveBy(await signIn(user), { password: PASSWORD });
    expect((await begin()).status).toBe(403);
  });

  it('takes no password as proof where there is a factor, so that whoever has it cannot take that away', async () => {
    const { here } = await withApp();
    const answer = await callRoute(giveProof, { ...post({ password: PASSWORD }), as: here, ip: newIp() });
    expect(answer.status).toBe(400);
    expect(answer.body.fields.password).toBe('Use your second factor here.');
    expect((await callRoute(removeApp, { method: 'DELETE', as: here })).status).toBe(403);
  });

  it('counts wrong passwords of a proof like failed sign-ins', async () => {
    const user = await makeUser({ password: PASSWORD });
    const here = await signIn(user);
    const ip = newIp();
    const statuses = [];
    for (let attempt = 0; attempt < 11; attempt += 1) {
      statuses.push(
        (await callRoute(giveProof, { ...post({ password: `wrong ${attempt}` }), as: here, ip })).status,
      );
    }
    expect(statuses).toEqual([...Array(10).fill(400), 429]);
  }, 60_000);

  it('ends every other sign-in with the first factor and gives recovery codes then only', async () => {
    const user = await makeUser({ password: PASSWORD });
    const [here, there] = [await signIn(user), await signIn(user)];
    const { recoveryCodes: codes } = await addApp(here);
    expect(codes).toHaveLength(10);
    expect((await callRoute(me, { as: here })).status).toBe(200);
    expect((await callRoute(me, { as: there })).status).toBe(401);
    const second = await addKey(here, { recoveryCode: codes![0] });
    expect(second.recoveryCodes).toBeNull();
  });

  it('replaces the recovery codes; the earlier ones stop working', async () => {
    const { user, here, recoveryCodes: old } = await withApp();
    await proveBy(here, { recoveryCode: old![0] });
    const renewed = await callRoute(renewCodes, { ...post(), as: here });
    expect(renewed.body.recoveryCodes).toHaveLength(10);
    const asked = await giveCredentials(user.email);
    expect((await takeStep(asked, { recoveryCode: old![1] })).status).toBe(401);
    expect((await takeStep(asked, { recoveryCode: renewed.body.recoveryCodes[1] })).status).toBe(200);
    const plain = await signIn(await makeUser({ password: PASSWORD }));
    await proveBy(plain, { password: PASSWORD });
    expect((await callRoute(renewCodes, { ...post(), as: plain })).status).toBe(409);
  });

  it('confirms an app with a right code only, and one app at a time', async () => {
    const user = await makeUser({ password: PASSWORD });
    const here = await signIn(user);
    const confirm = (code: string) => callRoute(confirmApp, { method: 'PUT', body: { code }, as: here });
    expect((await confirm('123456')).status).toBe(400);
    await proveBy(here, { password: PASSWORD });
    const { secret, qr } = (await callRoute(beginApp, { ...post(), as: here })).body;
    expect(qr).toMatch(/^data:image\/svg\+xml;base64,/);
    expect((await confirm('000000')).body.fields.code).toContain('not right');
    // Not confirmed: it asks for nothing at a sign-in.
    expect((await giveCredentials(user.email)).status).toBe(200);
    expect((await confirm(await codeOf(secret))).status).toBe(200);
    expect((await callRoute(beginApp, { ...post(), as: here })).status).toBe(409);
  });

  it('shows up in the owner’s export without its secrets', async () => {
    const { here, secret } = await withApp();
    const { device } = await addKey(here, { code: await codeOf(secret) });
    const exported = await callRoute(exportOwn, { as: here });
    expect(exported.body.secondFactors).toMatchObject({
      appSince: expect.any(String),
      recoveryCodesLeft: 10,
      passkeys: [{ name: 'Laptop' }],
    });
    expect(exported.text).not.toContain(secret);
    expect(exported.text).not.toContain(device.id.toString('base64url'));
  });
});

describe('an account taken over by its mailbox’s owner', () => {
  it('loses the factors of whoever made it without ever verifying the address', async () => {
    const { user, here } = await withApp();
    await issueResetLink.run({ email: user.email, requestId: crypto.randomUUID() }, { isLast: false });
    const token = await mailedToken(user.email, 'password-reset');
    await callRoute(reset, { ...post({ token, newPassword: 'the owner chose' }), ip: newIp() });
    expect((await callRoute(me, { as: here })).status).toBe(401);
    const owner = await callRoute(login, {
      ...post({ email: user.email, password: 'the owner chose' }),
      ip: newIp(),
    });
    expect(owner.status).toBe(200);
  });

  it('is rid of everything that could take its second step', async () => {
    const { user } = await withApp();
    const asked = await giveCredentials(user.email);
    await db().transaction((tx) => forgetFactors(tx, user.id));
    expect((await takeStep(asked, { recoveryCode: 'AAAA' })).body.startAgain).toBe(true);
    expect(await db().$count(recoveryCodes, eq(recoveryCodes.userId, user.id))).toBe(0);
  });
});

describe('the operator’s reset', () => {
  it('takes the factors, ends every sign-in, is audited and mailed', async () => {
    const { user, here } = await withApp();
    await resetSecondFactor({ id: null, name: 'command line (ops)' }, user.id);
    expect((await callRoute(me, { as: here })).status).toBe(401);
    expect((await giveCredentials(user.email)).status).toBe(200);
    const entries = await db()
      .select()
      .from(auditLog)
      .where(eq(auditLog.subjectId, String(user.id)));
    expect(entries.at(-1)).toMatchObject({
      action: 'second_factor.reset',
      actorName: 'command line (ops)',
      details: { email: user.email },
    });
    expect((await mailsTo(user.email))[0]!.template).toBe('second-factor-reset');
    await expect(resetSecondFactor({ id: null, name: 'x' }, user.id)).rejects.toMatchObject({
      code: 'conflict',
    });
  });
});

describe('administrators where a second factor is required', () => {
  const required = () => setEnvironment({ ADMIN_SECOND_FACTOR: 'required' });
  const reach = (as: Session) => callRoute(adminRequests, { as });

  it('reach nothing of the administration without one, and all of it once it is set up', async () => {
    const admin = await makeAdmin({ password: PASSWORD });
    const here = await signIn(admin);
    expect((await reach(here)).status).toBe(200);
    required();
    for (const how of [{ as: here }, { withCookie: here }]) {
      const refused = await callRoute(adminRequests, how);
      expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
      expect(refused.body.message).toContain('second factor');
    }
    const page = await callRoute(async () => new Response('the admin page'), {
      path: '/admin/users/7',
      withCookie: here,
    });
    expect([page.status, page.headers.get('location')]).toEqual([302, '/account#sign-in-methods']);
    expect((await callRoute(me, { as: here })).body.user.role).toBe('student');
    await addApp(here);
    expect((await reach(here)).status).toBe(200);
    expect((await callRoute(me, { as: here })).body.user.role).toBe('admin');
  });

  it('get there by either way to sign in with one, also after a lost half came back', async () => {
    required();
    const admin = await makeAdmin({ password: PASSWORD });
    const { device } = await addKey(await signIn(admin));
    const asked = await callRoute(passkeyOptions, { ...post(), ip: newIp() });
    const done = await callRoute(passkeyLogin, {
      ...post({ passkey: device.get(asked.body) }),
      cookies: asked.cookies,
      ip: newIp(),
    });
    const session = { token: done.body.token, cookieSecret: done.cookies.get('session')! };
    expect((await reach(session)).status).toBe(200);
    const restored = await callRoute(restore, { ...post(), withCookie: session });
    expect((await reach({ ...session, token: restored.body.token })).status).toBe(200);
  });

  it('keep their last one', async () => {
    required();
    const admin = await makeAdmin({ password: PASSWORD });
    const here = await signIn(admin);
    const { secret } = await addApp(here);
    await proveBy(here, { code: await codeOf(secret) });
    const kept = await callRoute(removeApp, { method: 'DELETE', as: here });
    expect([kept.status, kept.body.message]).toEqual([
      409,
      'Administrators keep a second factor here. Add another one first.',
    ]);
    setEnvironment({ ADMIN_SECOND_FACTOR: undefined });
    expect((await callRoute(removeApp, { method: 'DELETE', as: here })).status).toBe(200);
    // Switched on again, a sign-in that has lost its factor is no administrator's.
    required();
    expect((await reach(here)).status).toBe(403);
  });

  it('are no different from others once they are demoted, and log out as ever', async () => {
    required();
    const admin = await makeAdmin({ password: PASSWORD });
    const here = await signIn(admin);
    await db().update(users).set({ role: 'student' }).where(eq(users.id, admin.id));
    expect((await reach(here)).body.message).toBe('Only administrators may do this.');
    expect((await callRoute(logout, { method: 'POST', as: here })).status).toBe(204);
  });
});
