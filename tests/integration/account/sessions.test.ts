import { and, eq, sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { db, sqlClient } from '#db/client.ts';
import { makeAdmin, makeUser } from '../../support/factories.ts';
import { sessions, users } from '#db/schema/account.ts';
import { sweepAccounts } from '#src/features/account/account-jobs.server.ts';
import { PUT as changePassword } from '#src/pages/api/account/password.ts';
import { DELETE as endOthers } from '#src/pages/api/account/sessions.ts';
import { POST as logout } from '#src/pages/api/auth/logout.ts';
import { GET as me } from '#src/pages/api/auth/me.ts';
import { POST as restore } from '#src/pages/api/auth/restore.ts';
import { GET as adminRequests } from '#src/pages/api/admin/users/admin-requests.ts';
import { sessionCount } from '../../support/account.ts';
import { callRoute, signIn } from '../../support/api.ts';
import { moveBack } from '../../support/move-back.ts';

vi.unmock('@node-rs/argon2');

const status = async (options: Parameters<typeof callRoute>[1]) => (await callRoute(me, options)).status;

describe('who am I', () => {
  it('answers the user and nothing secret', async () => {
    const user = await makeUser({ password: 'correct horse' });
    const answer = await callRoute(me, { as: await signIn(user) });
    expect(answer.body).toEqual({
      user: {
        id: user.id,
        username: user.username,
        email: user.email,
        role: 'student',
        emailVerified: false,
      },
    });
  });

  it('refuses visitors', async () => {
    const answer = await callRoute(me);
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ code: 'unauthenticated', message: 'Please sign in to continue.' });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it.each([
    'Bearer null',
    'Bearer undefined',
    'Bearer ',
    'Bearer',
    'null',
    '',
    'Basic dXNlcjpwYXNz',
    `Bearer ${'a'.repeat(43)}`,
    `Bearer ${'a'.repeat(8000)}`,
    'Bearer a b c',
    "Bearer ' or 1=1 --",
    'Bearer %00%00%00%00%00%00%00%00%00%00%00%00',
  ])('A21: answers 401 to the header %j, even beside a good cookie', async (authorization) => {
    const answer = await callRoute(me, { headers: { authorization } });
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ code: 'unauthenticated', requestId: expect.any(String) });
    const withCookie = await signIn(await makeUser());
    expect((await callRoute(me, { withCookie, headers: { authorization } })).status).toBe(401);
  });

  it('A21: answers 401 to two headers, as a server joins them', async () => {
    const { token } = await signIn(await makeUser());
    expect(await status({ headers: { authorization: `Bearer ${token}, Bearer ${token}` } })).toBe(401);
  });

  it('takes the scheme in any case', async () => {
    const { token } = await signIn(await makeUser());
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      expect(await status({ headers: { authorization: `${scheme} ${token}` } })).toBe(200);
    }
  });

  it('A21: refuses a session that has ended, by idleness or by age', async () => {
    const user = await makeUser();
    for (const change of [
      { expiresAt: new Date(Date.now() - 1000) },
      { absoluteExpiresAt: new Date(Date.now() - 1000) },
    ]) {
      const session = await signIn(user);
      expect(await status({ as: session })).toBe(200);
      await db().update(sessions).set(change).where(eq(sessions.userId, user.id));
      expect(await status({ as: session })).toBe(401);
      expect(await status({ withCookie: session })).toBe(401);
    }
  });

  it('is prolonged by use, never past its absolute end', async () => {
    const user = await makeUser();
    const session = await signIn(user);
    const day = 86_400_000;
    const end = new Date(Date.now() + 20 * day);
    await db()
      .update(sessions)
      .set({ expiresAt: new Date(Date.now() + 3 * day), absoluteExpiresAt: end })
      .where(eq(sessions.userId, user.id));
    expect(await status({ as: session })).toBe(200);
    const rows = await db().select().from(sessions).where(eq(sessions.userId, user.id));
    expect(rows.find((row) => row.kind === 'bearer')!.expiresAt).toEqual(end);
  });

  it('is not written again for less than an hour more', async () => {
    const user = await makeUser();
    const session = await signIn(user);
    const hour = 3_600_000;
    const end = new Date(Date.now() + 10 * 24 * hour);
    const bearer = and(eq(sessions.userId, user.id), eq(sessions.kind, 'bearer'));
    const afterUseOf = async (expiresAt: Date) => {
      const version = { at: sql<string>`${sessions}.xmin::text`, expiresAt: sessions.expiresAt };
      await db().update(sessions).set({ expiresAt, absoluteExpiresAt: end }).where(bearer);
      const [before] = await db().select(version).from(sessions).where(bearer);
      expect(await status({ as: session })).toBe(200);
      const [after] = await db().select(version).from(sessions).where(bearer);
      return { written: before!.at !== after!.at, expiresAt: after!.expiresAt };
    };
    expect(await afterUseOf(end)).toEqual({ written: false, expiresAt: end });
    const near = new Date(end.getTime() - hour / 2);
    expect(await afterUseOf(near)).toEqual({ written: false, expiresAt: near });
    expect(await afterUseOf(new Date(end.getTime() - 2 * hour))).toEqual({ written: true, expiresAt: end });
  });

  it('A22: sees a demotion and a deletion at the next request', async () => {
    const admin = await makeAdmin();
    const session = await signIn(admin);
    expect((await callRoute(adminRequests, { as: session })).status).toBe(200);
    await db().update(users).set({ role: 'student' }).where(eq(users.id, admin.id));
    expect((await callRoute(adminRequests, { as: session })).status).toBe(403);
    expect((await callRoute(me, { as: session })).body.user.role).toBe('student');
    await db().delete(users).where(eq(users.id, admin.id));
    expect(await status({ as: session })).toBe(401);
    expect(await status({ withCookie: session })).toBe(401);
    expect(await sessionCount(admin.id)).toBe(0);
  });

  it('A23: the bearer token alone counts beside the cookie of someone else', async () => {
    const [ada, eve] = [await makeUser(), await makeUser()];
    const [adas, eves] = [await signIn(ada), await signIn(eve)];
    expect((await callRoute(me, { as: adas, withCookie: eves })).body.user.id).toBe(ada.id);
    expect((await callRoute(me, { as: eves, withCookie: adas })).body.user.id).toBe(eve.id);
  });

  it('A23: an administrator cookie lends nothing to a student token', async () => {
    const [student, admin] = [await signIn(await makeUser()), await signIn(await makeAdmin())];
    expect((await callRoute(adminRequests, { as: student, withCookie: admin })).status).toBe(403);
  });

  it('A9: the database holds neither tokens nor passwords', async () => {
    const password = 'a very secret phrase';
    const user = await makeUser({ password });
    const session = await signIn(user);
    const dump = await db().execute<{ line: string }>(sql`
      select to_jsonb(u)::text as line from users u union all select to_jsonb(s)::text from sessions s`);
    const text = dump.map((row) => row.line).join('\n');
    expect(text).toContain(user.email);
    expect(text).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
    for (const secret of [password, session.token, session.cookieSecret]) expect(text).not.toContain(secret);
    // What is stored cannot be presented either.
    const [row] = await db().select().from(sessions).where(eq(sessions.userId, user.id));
    expect(await status({ as: { token: row!.id, cookieSecret: '' } })).toBe(401);
  });
});

describe('logging out', () => {
  it.each(['bearer', 'cookie'] as const)('A7: by %s ends both halves, for good', async (proof) => {
    const user = await makeUser();
    const [session, other] = [await signIn(user), await signIn(user)];
    const answer = await callRoute(logout, {
      method: 'POST',
      ...(proof === 'bearer' ? { as: session } : { withCookie: session }),
    });
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    expect(answer.cookies.get('session')).toBe('');
    for (const attempt of [{ as: session }, { withCookie: session }]) {
      expect(await status(attempt)).toBe(401);
      expect(await status(attempt)).toBe(401);
    }
    expect(await status({ as: other })).toBe(200);
    expect(await sessionCount(user.id)).toBe(2);
  });

  it('A7: leaves nothing signed in where a browser holds two sign-ins', async () => {
    const [ada, eve] = [await signIn(await makeUser()), await signIn(await makeUser())];
    expect((await callRoute(logout, { method: 'POST', as: ada, withCookie: eve })).status).toBe(204);
    expect(await status({ as: ada })).toBe(401);
    expect(await status({ withCookie: eve })).toBe(401);
  });

  it('is no error when repeated, signed out, or with a worthless token', async () => {
    const session = await signIn(await makeUser());
    for (let repeat = 0; repeat < 2; repeat += 1) {
      expect((await callRoute(logout, { method: 'POST', as: session })).status).toBe(204);
    }
    expect((await callRoute(logout, { method: 'POST' })).status).toBe(204);
    expect(
      (await callRoute(logout, { method: 'POST', headers: { authorization: 'Bearer null' } })).status,
    ).toBe(204);
  });

  it('20 times at once ends one sign-in', async () => {
    const user = await makeUser();
    const [session, other] = [await signIn(user), await signIn(user)];
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => callRoute(logout, { method: 'POST', as: session })),
    );
    expect(answers.every((answer) => answer.status === 204)).toBe(true);
    expect(await status({ as: other })).toBe(200);
  });
});

describe('a browser that lost one half of its sign-in', () => {
  it('gets a token for its cookie; the token before it ends', async () => {
    const user = await makeUser();
    const session = await signIn(user);
    const answer = await callRoute(restore, { method: 'POST', withCookie: session });
    expect(answer.status).toBe(200);
    expect(answer.body.user.id).toBe(user.id);
    expect(await status({ as: { ...session, token: answer.body.token } })).toBe(200);
    expect(await status({ as: session })).toBe(401);
    expect(await sessionCount(user.id)).toBe(2);
  });

  it('gets a cookie for its token', async () => {
    const session = await signIn(await makeUser());
    const answer = await callRoute(restore, { method: 'POST', as: session });
    expect(answer.body.token).toBe(session.token);
    const restored = { ...session, cookieSecret: answer.cookies.get('session')! };
    expect(await status({ withCookie: restored })).toBe(200);
    await callRoute(logout, { method: 'POST', withCookie: restored });
    expect(await status({ as: session })).toBe(401);
  });

  it('keeps what is complete as it is', async () => {
    const session = await signIn(await makeUser());
    const answer = await callRoute(restore, { method: 'POST', as: session, withCookie: session });
    expect(answer.body.token).toBe(session.token);
    expect(answer.cookies.size).toBe(0);
  });

  it('does not live longer for it', async () => {
    const user = await makeUser();
    const session = await signIn(user);
    const end = new Date(Date.now() + 3_600_000);
    await db()
      .update(sessions)
      .set({ expiresAt: end, absoluteExpiresAt: end })
      .where(eq(sessions.userId, user.id));
    await callRoute(restore, { method: 'POST', withCookie: session });
    for (const row of await db().select().from(sessions).where(eq(sessions.userId, user.id))) {
      expect(row.expiresAt.getTime()).toBeLessThanOrEqual(end.getTime());
      expect(row.absoluteExpiresAt).toEqual(end);
    }
  });

  it.each([
    ['the password changes', changePassword, { currentPassword: 'correct horse', newPassword: 'tin roof 7' }],
    ['every other sign-in is ended', endOthers, undefined],
  ])('makes nothing that outlives the sign-in: %s at the same moment', async (_, route, body) => {
    const user = await makeUser({ password: 'correct horse' });
    const [owner, stolen] = [await signIn(user), await signIn(user)];
    const waiting = async (count: number) => {
      await expect
        .poll(async () => {
          const rows = await db().execute(
            sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          );
          return rows.length;
        })
        .toBe(count);
    };
    // Both stand still before their first write, the restoring one in front.
    const running = await sqlClient().begin(async (other) => {
      await other`lock table sessions in share mode`;
      const restoring = callRoute(restore, { method: 'POST', withCookie: stolen });
      await waiting(1);
      const method = body ? 'PUT' : 'DELETE';
      const ending = callRoute(route, { method, ...(body ? { body } : {}), as: owner });
      await waiting(2);
      return { restoring, ending };
    });
    const restored = await running.restoring;
    expect((await running.ending).status).toBe(200);
    expect(restored.status).toBe(200);
    expect(await status({ as: { ...stolen, token: restored.body.token } })).toBe(401);
    expect(await status({ withCookie: stolen })).toBe(401);
    expect(await status({ as: owner })).toBe(200);
  });

  it('gets nothing when signed out, or from another site', async () => {
    expect((await callRoute(restore, { method: 'POST' })).status).toBe(401);
    const session = await signIn(await makeUser());
    const headers = { origin: 'https://evil.test' };
    expect((await callRoute(restore, { method: 'POST', withCookie: session, headers })).status).toBe(403);
  });
});

describe('the sweep', () => {
  it('deletes sessions that have ended and keeps the others', async () => {
    const [gone, kept] = [await makeUser(), await makeUser()];
    await signIn(gone);
    await signIn(kept);
    await moveBack(sessions, eq(sessions.userId, gone.id), { expiresAt: { seconds: 1 } });
    await sweepAccounts.run(undefined, { isLast: false });
    expect(await sessionCount(gone.id)).toBe(0);
    expect(await sessionCount(kept.id)).toBe(2);
  });
});
