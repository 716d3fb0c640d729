import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { Turns } from '#db/turns.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { db, poolUse } from '#db/client.ts';
import { makeUser } from '../../support/factories.ts';
import { auditLog, passwordResetTokens, users } from '#db/schema/account.ts';
import { ACCOUNT_JOBS } from '#src/features/account/account-jobs.server.ts';
import { issueResetLink } from '#src/features/account/password/password-reset.server.ts';
import { hashSecret } from '#src/features/account/session.server.ts';
import { POST as login } from '#src/pages/api/auth/login.ts';
import { GET as me } from '#src/pages/api/auth/me.ts';
import { POST as forgot } from '#src/pages/api/forgot-password.ts';
import { POST as reset } from '#src/pages/api/reset-password.ts';
import { startJobs } from '#src/server/jobs.ts';
import { deliverMail } from '#src/server/mail/mail.ts';
import { jobsDone, mailedToken, mailsTo, sessionCount } from '../../support/account.ts';
import { callRoute, signIn } from '../../support/api.ts';

const OLD = 'old password';
const NEW = 'new password';
const ANSWER = "If an account exists with this email, you'll receive a password reset link.";
const REFUSAL = 'Failed to reset password. The link may be expired.';
let last = 0;
const newIp = () => {
  last += 1;
  return `198.51.${Math.floor(last / 250)}.${(last % 250) + 1}`;
};
const tryForgot = (email: unknown, headers: Record<string, string> = {}, ip = newIp()) =>
  callRoute(forgot, { body: { email }, ip, headers });
const tryReset = (token: unknown, newPassword: unknown = NEW) =>
  callRoute(reset, { body: { token, newPassword }, ip: newIp() });
const tryLogin = async (email: string, password: string) =>
  (await callRoute(login, { body: { email, password }, ip: newIp() })).status;

/** A fresh link's token for a user, without the mail's way. */
async function freshToken(email: string): Promise<string> {
  await issueResetLink.run({ email, requestId: randomUUID() }, { isLast: false });
  return mailedToken(email, 'password-reset');
}

// The worker of the running site, for the whole way from the request to the mail.
beforeAll(() => startJobs(ACCOUNT_JOBS.filter((job) => job.cron === undefined)));

describe('asking for a reset link', () => {
  it('mails a link that sets a new password', async () => {
    const user = await makeUser({ password: OLD });
    const answer = await tryForgot(` ${user.email.toUpperCase()} `);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ message: ANSWER });
    await jobsDone('account.issue-reset-link');
    const [mail] = await mailsTo(user.email);
    expect(mail!.text).toMatch(/^http:\/\/localhost:4321\/reset-password\?token=[\w-]{43}$/m);
    expect(mail!.text).toContain('60 minutes');
    const done = await tryReset(await mailedToken(user.email, 'password-reset'));
    expect(done.status).toBe(200);
    expect(done.cookies.size).toBe(0);
    expect(done.body).toEqual({ message: 'Your password has been changed. Sign in with the new one.' });
    expect(await tryLogin(user.email, OLD)).toBe(401);
    expect(await tryLogin(user.email, NEW)).toBe(200);
  });

  it('A4: answers the same and mails nothing for an unknown email', async () => {
    const answer = await tryForgot('nobody@example.com');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ message: ANSWER });
    await jobsDone('account.issue-reset-link');
    expect(await mailsTo('nobody@example.com')).toHaveLength(0);
  });

  it('A13: builds the link from the configured address alone', async () => {
    const user = await makeUser();
    await tryForgot(user.email, {
      host: 'evil.test',
      'x-forwarded-host': 'evil.test',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.test',
    });
    await jobsDone('account.issue-reset-link');
    const [mail] = await mailsTo(user.email);
    expect(mail!.text).toContain('http://localhost:4321/reset-password?token=');
    expect(`${mail!.text}${mail!.html}`).not.toContain('evil.test');
  });

  it('A14: takes one address only', async () => {
    const victim = await makeUser();
    const attempts: unknown[] = [
      [victim.email, 'attacker@evil.test'],
      { email: victim.email },
      null,
      undefined,
      7,
      true,
      '',
      `${victim.email},attacker@evil.test`,
      `${victim.email}\r\nBcc: attacker@evil.test`,
      `${victim.email}\0`,
      `"${victim.email}" <attacker@evil.test>`,
    ];
    for (const email of attempts) {
      const answer = await tryForgot(email);
      expect(answer.status).toBe(400);
      expect(answer.body.fields.email).toBe('Please enter a valid email address');
    }
    await jobsDone('account.issue-reset-link');
    expect(await mailsTo(victim.email)).toHaveLength(0);
    expect(await mailsTo('attacker@evil.test')).toHaveLength(0);
  });

  it('A15: 100 requests for one email become 3 mails an hour, without a word', async () => {
    const user = await makeUser();
    // As many at once as have a connection each: more would be told to come again where the machine is busy.
    const atOnce = new Turns(poolUse().max);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => atOnce.run(() => tryForgot(user.email))),
    );
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { message: ANSWER } });
    await jobsDone('account.issue-reset-link');
    expect(await mailsTo(user.email)).toHaveLength(3);
    const usable = await db()
      .select()
      .from(passwordResetTokens)
      .where(eq(passwordResetTokens.userId, user.id));
    expect(usable.filter((token) => !token.used)).toHaveLength(1);
  });

  it('is limited per address of the caller', async () => {
    const ip = newIp();
    for (let attempt = 0; attempt < 20; attempt += 1) {
      expect((await tryForgot(`flood-${attempt}@example.com`, {}, ip)).status).toBe(200);
    }
    const refused = await tryForgot('flood-21@example.com', {}, ip);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('voids the links mailed before', async () => {
    const user = await makeUser({ password: OLD });
    const [first, second] = [await freshToken(user.email), await freshToken(user.email)];
    expect((await tryReset(first)).status).toBe(400);
    expect((await tryReset(second)).status).toBe(200);
  });

  it('a job that is repeated after its end mails once and leaves the mailed link alone', async () => {
    const user = await makeUser({ password: OLD });
    const data = { email: user.email, requestId: randomUUID() };
    await issueResetLink.run(data, { isLast: false });
    await issueResetLink.run(data, { isLast: true });
    expect(await mailsTo(user.email)).toHaveLength(1);
    expect((await tryReset(await mailedToken(user.email, 'password-reset'))).status).toBe(200);
  });
});

describe('a reset link', () => {
  it('shows that the address is its reader’s: it counts as verified, and no older link is needed', async () => {
    const user = await makeUser({ password: 'old password' });
    expect(user.emailVerifiedAt).toBeNull();
    const token = 'v'.repeat(43);
    await db()
      .insert(passwordResetTokens)
      .values({ userId: user.id, token: hashSecret(token), expiresAt: new Date(Date.now() + 60_000) });
    expect((await callRoute(reset, { body: { token, newPassword: 'new password' } })).status).toBe(200);
    const [after] = await db().select().from(users).where(eq(users.id, user.id));
    expect(after!.emailVerifiedAt).not.toBeNull();
  });

  it('A12: works once', async () => {
    const user = await makeUser({ password: OLD });
    const token = await freshToken(user.email);
    expect((await tryReset(token)).status).toBe(200);
    const replay = await tryReset(token, 'third password');
    expect(replay.status).toBe(400);
    expect(replay.body).toMatchObject({ message: REFUSAL, code: 'bad_request' });
    expect(await tryLogin(user.email, NEW)).toBe(200);
  });

  it('A12: of 8 uses at once one wins', async () => {
    const user = await makeUser({ password: OLD });
    const token = await freshToken(user.email);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => tryReset(token, `new password ${index}`)),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400, 400, 400, 400, 400, 400, 400]);
    const winner = answers.findIndex((answer) => answer.status === 200);
    expect(await tryLogin(user.email, `new password ${winner}`)).toBe(200);
    expect(await db().$count(auditLog, eq(auditLog.subjectId, String(user.id)))).toBe(1);
  });

  it('A12: works for 60 minutes', async () => {
    const user = await makeUser({ password: OLD });
    for (const [minutes, status] of [
      [61, 400],
      [59, 200],
    ] as const) {
      const token = await freshToken(user.email);
      await db()
        .update(passwordResetTokens)
        .set({ expiresAt: sql`${passwordResetTokens.expiresAt} - make_interval(mins => ${minutes})` })
        .where(eq(passwordResetTokens.token, hashSecret(token)));
      expect((await tryReset(token)).status).toBe(status);
    }
  });

  it('A12: opens no other account, and not in part', async () => {
    const [ada, eve] = [await makeUser({ password: OLD }), await makeUser({ password: OLD })];
    const token = await freshToken(ada.email);
    const wrong: unknown[] = [
      token.slice(0, -1),
      `${token}x`,
      token.toLowerCase() === token ? token.toUpperCase() : token.toLowerCase(),
      hashSecret(token),
      'x'.repeat(43),
      "' or '1'='1",
      "x' union select token from password_reset_tokens --",
      '%',
      '',
      'a'.repeat(10_000),
      `${token}\0`,
      [token],
      { token },
      null,
      undefined,
    ];
    for (const attempt of wrong) {
      const answer = await tryReset(attempt);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toBe(REFUSAL);
    }
    expect((await tryReset(token)).status).toBe(200);
    expect(await tryLogin(eve.email, OLD)).toBe(200);
    expect(await tryLogin(eve.email, NEW)).toBe(401);
  });

  it('is not used up by a password that is refused', async () => {
    const user = await makeUser({ password: OLD });
    const token = await freshToken(user.email);
    const short = await tryReset(token, '12345');
    expect(short.status).toBe(400);
    expect(short.body.fields).toEqual({ newPassword: 'Password must be at least 6 characters' });
    expect((await tryReset(token, 'x'.repeat(129))).status).toBe(400);
    expect((await tryReset(token, 'x'.repeat(1_048_576))).status).toBe(413);
    expect((await tryReset(token)).status).toBe(200);
  });

  it('A8: ends every session, kills other open links and tells the owner', async () => {
    const user = await makeUser({ password: OLD });
    const sessions = [await signIn(user), await signIn(user)];
    const stranger = await signIn(await makeUser());
    const token = await freshToken(user.email);
    // A second open token, as a race could leave one.
    const other = 'y'.repeat(43);
    await db()
      .insert(passwordResetTokens)
      .values({
        userId: user.id,
        token: hashSecret(other),
        expiresAt: new Date(Date.now() + 60_000),
      });
    expect((await tryReset(token)).status).toBe(200);
    for (const session of sessions) {
      expect((await callRoute(me, { as: session })).status).toBe(401);
      expect((await callRoute(me, { withCookie: session })).status).toBe(401);
    }
    expect(await sessionCount(user.id)).toBe(0);
    expect((await callRoute(me, { as: stranger })).status).toBe(200);
    expect((await tryReset(other, 'third password')).status).toBe(400);
    expect((await mailsTo(user.email))[0]!.template).toBe('password-changed');
    const [entry] = await db()
      .select()
      .from(auditLog)
      .where(eq(auditLog.subjectId, String(user.id)));
    expect(entry).toMatchObject({ action: 'password.reset', actorId: user.id, subjectType: 'user' });
  });

  it('gives an account without password its first one', async () => {
    const user = await makeUser();
    expect((await tryReset(await freshToken(user.email))).status).toBe(200);
    expect(await tryLogin(user.email, NEW)).toBe(200);
  });

  it('dies with the account', async () => {
    const user = await makeUser();
    const token = await freshToken(user.email);
    await db().execute(sql`delete from users where id = ${user.id}`);
    expect((await tryReset(token)).status).toBe(400);
  });

  it('A9: is stored as a hash only, and leaves the outbox once it is sent', async () => {
    const user = await makeUser();
    const token = await freshToken(user.email);
    const rows = await db().select().from(passwordResetTokens).where(eq(passwordResetTokens.userId, user.id));
    expect(rows.map((row) => row.token)).toEqual([hashSecret(token)]);
    const [queued] = await mailsTo(user.email);
    await deliverMail.run({ outboxId: queued!.id }, { isLast: false });
    const [mail] = await mailsTo(user.email);
    expect(mail!.status).toBe('sent');
    expect(`${mail!.text}${mail!.html}`).not.toContain(token);
    const jobs = await db().execute(sql`select data::text as data from pgboss.job`);
    expect(JSON.stringify(jobs)).not.toContain(token);
  });
});

describe('the work before an answer', () => {
  it('A5: is the same for an unknown email as for a known one: one job each', async () => {
    const user = await makeUser();
    const unknown = `nobody-${randomUUID()}@example.com`;
    const answers = [await tryForgot(user.email), await tryForgot(unknown)];
    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual([
      { status: answers[1]!.status, body: answers[1]!.body },
      { status: answers[0]!.status, body: answers[0]!.body },
    ]);
    for (const email of [user.email, unknown]) {
      const jobs = await db().execute(
        sql`select count(*)::int as count from pgboss.job where name = 'account.issue-reset-link' and data->>'email' = ${email}`,
      );
      expect(jobs[0]?.count).toBe(1);
    }
  });
});
