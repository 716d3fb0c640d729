import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeUser } from '../../support/factories.ts';
import { auditLog, passwordResetTokens, sessions, users } from '#db/schema/account.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { listSignIns } from '#src/features/account/session.server.ts';
import { PUT as changeName } from '#src/pages/api/account/name.ts';
import { PUT as changePassword } from '#src/pages/api/account/password.ts';
import { DELETE as endOthers } from '#src/pages/api/account/sessions.ts';
import { DELETE as endOne } from '#src/pages/api/account/sessions/[id].ts';
import { POST as login } from '#src/pages/api/auth/login.ts';
import { GET as me } from '#src/pages/api/auth/me.ts';
import { callRoute, signIn } from '../../support/api.ts';

const put = (body: unknown) => ({ method: 'PUT', body });
const isSignedIn = async (as: Awaited<ReturnType<typeof signIn>>) =>
  (await callRoute(me, { as })).status === 200;

describe('one’s own name', () => {
  it('changes, and nothing else of the account does', async () => {
    const user = await makeUser({ username: 'Old' });
    const as = await signIn(user);
    const answer = await callRoute(changeName, {
      ...put({ username: '  New Name ', role: 'admin', email: 'evil@example.com', id: 1 }),
      as,
    });
    expect(answer.status).toBe(200);
    expect(answer.body.user).toMatchObject({ username: 'New Name', role: 'student', email: user.email });
    const [stored] = await db().select().from(users).where(eq(users.id, user.id));
    expect(stored).toEqual({ ...user, username: 'New Name' });
  });

  it('is refused with its field where it is empty, too long, or cannot be stored', async () => {
    const as = await signIn(await makeUser());
    for (const username of ['   ', 'x'.repeat(81), 'a\0b', 7, null]) {
      const answer = await callRoute(changeName, { ...put({ username }), as });
      expect(answer.status).toBe(400);
      expect(Object.keys(answer.body.fields)).toEqual(['username']);
    }
  });
});

describe('one’s own password', () => {
  it('changes with the current one; every other device and every mailed link ends', async () => {
    const user = await makeUser({ password: 'first-password' });
    const [here, there] = [await signIn(user), await signIn(user)];
    await db()
      .insert(passwordResetTokens)
      .values({ userId: user.id, token: `own-${user.id}`, expiresAt: new Date(Date.now() + 60_000) });
    const body = { currentPassword: 'first-password', newPassword: 'second-password' };
    const answer = await callRoute(changePassword, { ...put(body), as: here });
    expect(answer.status).toBe(200);
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false]);
    const [token] = await db()
      .select()
      .from(passwordResetTokens)
      .where(eq(passwordResetTokens.userId, user.id));
    expect(token!.used).toBe(true);
    const signInWith = (password: string) => callRoute(login, { body: { email: user.email, password } });
    expect((await signInWith('first-password')).status).toBe(401);
    expect((await signInWith('second-password')).status).toBe(200);
    const mails = await db().select().from(mailOutbox).where(eq(mailOutbox.recipient, user.email));
    expect(mails.map(({ template }) => template)).toEqual(['password-changed']);
    expect(mails[0]!.text).not.toContain('signed out everywhere');
    const [entry] = await db()
      .select()
      .from(auditLog)
      .where(eq(auditLog.subjectId, String(user.id)));
    expect(entry).toMatchObject({ action: 'password.changed', actorId: user.id });
  });

  it('stays with a wrong current one, which is said at its field, and counts as a failed sign-in', async () => {
    const user = await makeUser({ password: 'right-password' });
    const [as, other] = [await signIn(user), await signIn(user)];
    const ip = '203.0.113.200';
    const attempt = () =>
      callRoute(changePassword, {
        ...put({ currentPassword: 'wrong-password', newPassword: 'whatever' }),
        as,
        ip,
      });
    const first = await attempt();
    expect(first.status).toBe(400);
    expect(first.body.fields).toEqual({ currentPassword: 'This is not your current password' });
    expect(await isSignedIn(other)).toBe(true);
    for (let count = 1; count < 4; count += 1) await attempt();
    const [stored] = await db().select().from(users).where(eq(users.id, user.id));
    expect(stored!.passwordHash).toBe(user.passwordHash);
  });

  it('is chosen by a link where there is none yet, and not here', async () => {
    const as = await signIn(await makeUser());
    const answer = await callRoute(changePassword, {
      ...put({ currentPassword: 'anything', newPassword: 'whatever' }),
      as,
    });
    expect(answer.status).toBe(400);
  });

  it('changes once when two ask at once with the same current one', async () => {
    const user = await makeUser({ password: 'first-password' });
    const as = await signIn(user);
    const change = (newPassword: string) =>
      callRoute(changePassword, { ...put({ currentPassword: 'first-password', newPassword }), as });
    const answers = await Promise.all([change('one-password'), change('two-password')]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });
});

describe('one’s own devices', () => {
  it('end one by one, and never anybody else’s', async () => {
    const [user, stranger] = [await makeUser(), await makeUser()];
    const [here, there] = [await signIn(user), await signIn(user)];
    const theirs = await signIn(stranger);
    const [foreign] = await listSignIns(stranger.id);
    const call = (id: string) => callRoute(endOne, { method: 'DELETE', params: { id }, as: here });
    expect((await call(foreign!.id)).status).toBe(404);
    expect(await isSignedIn(theirs)).toBe(true);
    const own = await listSignIns(user.id);
    expect(own).toHaveLength(2);
    for (const { id } of own) await call(id);
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([false, false]);
  });

  it('end all at once but the one that asks, by cookie too', async () => {
    const user = await makeUser();
    const [here, there] = [await signIn(user), await signIn(user)];
    expect((await callRoute(endOthers, { method: 'DELETE', withCookie: here })).status).toBe(200);
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false]);
    expect(await db().$count(sessions, eq(sessions.userId, user.id))).toBe(2);
  });

  it('are nobody’s to end without a sign-in', async () => {
    for (const [route, method] of [
      [endOthers, 'DELETE'],
      [changeName, 'PUT'],
      [changePassword, 'PUT'],
    ] as const) {
      const answer = await callRoute(route, { method, ...(method === 'PUT' ? { body: {} } : {}) });
      expect(answer.status).toBe(401);
    }
  });
});
