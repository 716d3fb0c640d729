import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { and, eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeUser } from '../../support/factories.ts';
import { adminRequests, auditLog, authenticatorApps, users } from '#db/schema/account.ts';
import { administrators, setRole } from '#src/features/account/roles.server.ts';
import { GET as listRequests } from '#src/pages/api/admin/users/admin-requests.ts';
import { POST as decide } from '#src/pages/api/admin/users/[id]/admin-request.ts';
import { PUT as changeRole } from '#src/pages/api/admin/users/[id]/role.ts';
import { mailsTo } from '../../support/account.ts';
import { callRoute, signIn } from '../../support/api.ts';

const run = promisify(execFile);

async function applicant(values: Parameters<typeof makeUser>[0] = {}) {
  const user = await makeUser({ emailVerifiedAt: new Date(), ...values });
  await db().insert(adminRequests).values({ userId: user.id });
  return user;
}
const tryDecide = async (admin: { id: number }, userId: unknown, body: unknown) =>
  callRoute(decide, { body, params: { id: String(userId) }, as: await signIn(admin) });
const tryRole = async (admin: { id: number }, userId: unknown, body: unknown) =>
  callRoute(changeRole, { method: 'PUT', body, params: { id: String(userId) }, as: await signIn(admin) });
const roleOf = async (id: number) => (await db().select().from(users).where(eq(users.id, id)))[0]?.role;
const auditOf = (id: number) =>
  db()
    .select()
    .from(auditLog)
    .where(eq(auditLog.subjectId, String(id)));
const requestOf = async (id: number) =>
  (await db().select().from(adminRequests).where(eq(adminRequests.userId, id)))[0]!;

// Each test has the administrators that it makes and no others.
beforeEach(async () => {
  await db().update(users).set({ role: 'student' });
  await db().update(adminRequests).set({ status: 'declined' }).where(eq(adminRequests.status, 'open'));
});

describe('requests for administrator access', () => {
  it('are listed, oldest first, and hold no secrets', async () => {
    const admin = await makeAdmin();
    const [first, second] = [await applicant(), await applicant({ emailVerifiedAt: null })];
    const answer = await callRoute(listRequests, { as: await signIn(admin) });
    expect(answer.body).toEqual(
      [first, second].map((user) => ({
        id: expect.any(Number),
        userId: user.id,
        username: user.username,
        email: user.email,
        emailVerified: user.emailVerifiedAt !== null,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      })),
    );
  });

  it('are approved by an administrator; the user is told and the act is audited', async () => {
    const [admin, user] = [await makeAdmin(), await applicant()];
    const answer = await tryDecide(admin, user.id, { decision: 'approve', reason: 'Teaches the SQL course' });
    expect(answer.status).toBe(200);
    expect(answer.body.user).toMatchObject({ id: user.id, role: 'admin' });
    expect(await roleOf(user.id)).toBe('admin');
    expect(await requestOf(user.id)).toMatchObject({
      status: 'approved',
      decidedBy: admin.id,
      decidedAt: expect.any(Date),
    });
    expect(await auditOf(user.id)).toMatchObject([
      {
        action: 'admin_request.approved',
        actorId: admin.id,
        actorName: admin.username,
        subjectType: 'user',
        reason: 'Teaches the SQL course',
      },
    ]);
    const [mail] = await mailsTo(user.email);
    expect(mail!.subject).toContain('You are now an administrator');
    expect(mail!.text).toContain('Teaches the SQL course');
  });

  it('are declined without any change of role', async () => {
    const [admin, user] = [await makeAdmin(), await applicant({ emailVerifiedAt: null })];
    expect((await tryDecide(admin, user.id, { decision: 'decline' })).status).toBe(200);
    expect(await roleOf(user.id)).toBe('student');
    expect((await requestOf(user.id)).status).toBe('declined');
    expect(await auditOf(user.id)).toMatchObject([{ action: 'admin_request.declined', reason: null }]);
  });

  it('are not approved before the address is verified', async () => {
    const [admin, user] = [await makeAdmin(), await applicant({ emailVerifiedAt: null })];
    const answer = await tryDecide(admin, user.id, { decision: 'approve' });
    expect(answer.status).toBe(409);
    expect(answer.body.message).toContain('has not verified their email address yet');
    expect(await roleOf(user.id)).toBe('student');
    expect((await requestOf(user.id)).status).toBe('open');
    expect(await auditOf(user.id)).toHaveLength(0);
    expect(await mailsTo(user.email)).toHaveLength(0);
  });

  it('are decided once, by whoever comes first', async () => {
    const admins = [await makeAdmin(), await makeAdmin()];
    const user = await applicant();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        tryDecide(admins[index % 2]!, user.id, { decision: index % 3 ? 'approve' : 'decline' }),
      ),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(9);
    expect(await auditOf(user.id)).toHaveLength(1);
    expect(await mailsTo(user.email)).toHaveLength(1);
  });

  it('of nobody, or without a request, are not decided', async () => {
    const [admin, user] = [await makeAdmin(), await makeUser({ emailVerifiedAt: new Date() })];
    expect((await tryDecide(admin, user.id, { decision: 'approve' })).status).toBe(409);
    for (const id of [
      2_147_483_647,
      2_147_483_648,
      -1,
      0,
      '1.5',
      '1e3',
      'NaN',
      'abc',
      '',
      '9'.repeat(10_000),
    ]) {
      expect((await tryDecide(admin, id, { decision: 'approve' })).status).toBe(404);
    }
    expect(await roleOf(user.id)).toBe('student');
  });

  it.each([
    {},
    { decision: 'maybe' },
    { decision: ['approve'] },
    { decision: 'approve', reason: 'x'.repeat(501) },
  ])('are not decided by %j', async (body) => {
    const [admin, user] = [await makeAdmin(), await applicant()];
    expect((await tryDecide(admin, user.id, body)).status).toBe(400);
    expect((await requestOf(user.id)).status).toBe('open');
  });
});

describe('changing a role', () => {
  it('gives and takes administrator access, audited each time', async () => {
    const [admin, user] = [await makeAdmin(), await applicant()];
    expect((await tryRole(admin, user.id, { role: 'admin' })).body.user.role).toBe('admin');
    expect((await requestOf(user.id)).status).toBe('approved');
    expect((await tryRole(admin, user.id, { role: 'student', reason: 'Left the team' })).body.user.role).toBe(
      'student',
    );
    expect(await auditOf(user.id)).toMatchObject([
      { action: 'role.granted', details: { email: user.email, from: 'student', to: 'admin' } },
      { action: 'role.revoked', reason: 'Left the team' },
    ]);
  });

  it('repeated changes nothing', async () => {
    const [admin, user] = [await makeAdmin(), await makeUser()];
    expect((await tryRole(admin, user.id, { role: 'student' })).status).toBe(200);
    expect(await auditOf(user.id)).toHaveLength(0);
  });

  it('makes nobody administrator whose address is not verified', async () => {
    const [admin, user] = [await makeAdmin(), await makeUser()];
    expect((await tryRole(admin, user.id, { role: 'admin' })).status).toBe(409);
    expect(await roleOf(user.id)).toBe('student');
  });

  it('leaves the last administrator', async () => {
    const admin = await makeAdmin();
    const answer = await tryRole(admin, admin.id, { role: 'student' });
    expect(answer.status).toBe(409);
    expect(answer.body.message).toBe('The last administrator cannot be demoted.');
    expect(await roleOf(admin.id)).toBe('admin');
  });

  it('leaves one administrator when all demote each other at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      await db().update(users).set({ role: 'student' });
      const admins = await Promise.all(Array.from({ length: 6 }, () => makeAdmin()));
      const refusals = await Promise.all(
        admins.flatMap((actor) =>
          admins.map((target) =>
            setRole({ id: actor.id, name: actor.username }, target.id, 'student').then(
              () => 'done',
              (error: { code: string }) => error.code,
            ),
          ),
        ),
      );
      expect(new Set(refusals)).toEqual(new Set(['done', 'forbidden', 'conflict']));
      expect(await administrators()).toHaveLength(1);
    }
  });

  it('is refused to an administrator who was demoted meanwhile', async () => {
    const [former, target] = [await makeAdmin(), await makeAdmin()];
    await makeAdmin();
    await db().update(users).set({ role: 'student' }).where(eq(users.id, former.id));
    await expect(setRole({ id: former.id, name: 'former' }, target.id, 'student')).rejects.toMatchObject({
      code: 'forbidden',
    });
  });
});

describe('visitors and students', () => {
  const calls = [
    ['GET', listRequests, undefined],
    ['POST', decide, { decision: 'approve' }],
    ['PUT', changeRole, { role: 'admin' }],
  ] as const;

  it.each(calls)('A16: cannot use %s', async (method, route, body) => {
    await makeAdmin();
    const user = await applicant();
    const options = { method, params: { id: String(user.id) }, ...(body ? { body } : {}) };
    expect((await callRoute(route, options)).status).toBe(401);
    const session = await signIn(user);
    expect((await callRoute(route, { ...options, as: session })).status).toBe(403);
    expect((await callRoute(route, { ...options, withCookie: session })).status).toBe(403);
    expect(await roleOf(user.id)).toBe('student');
  });

  it('A10: no other site can use the cookie of an administrator', async () => {
    const [admin, user] = [await makeAdmin(), await applicant()];
    const answer = await callRoute(decide, {
      params: { id: String(user.id) },
      body: { decision: 'approve' },
      withCookie: await signIn(admin),
      headers: { origin: 'https://evil.test' },
    });
    expect(answer.status).toBe(403);
    expect(await roleOf(user.id)).toBe('student');
  });
});

// Each command starts a process of its own, which a busy machine takes its time for.
describe('npm run admin', { timeout: 240_000 }, () => {
  const script = fileURLToPath(new URL('../../../scripts/admin.ts', import.meta.url));
  async function admin(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    const { code, out, err } = await ranAdmin(...args);
    // It says first which database that is.
    expect(err).toMatch(/^Database: .+, \d+ accounts?\n/);
    return { code, out, err: err.slice(err.indexOf('\n') + 1) };
  }

  async function ranAdmin(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    try {
      const { stdout, stderr } = await run(process.execPath, [script, ...args], { env: process.env });
      return { code: 0, out: stdout, err: stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, out: stdout, err: stderr };
    }
  }

  it('grants, lists and revokes, and leaves the last administrator', async () => {
    const [first, second] = [await applicant({ emailVerifiedAt: null }), await makeAdmin()];
    await db().update(users).set({ role: 'student' }).where(eq(users.id, second.id));

    expect((await admin('list')).out).toContain('There is no administrator yet.');
    expect((await admin('grant', ` ${first.email.toUpperCase()}`)).out).toBe(
      `${first.email} is now an administrator.\n`,
    );
    expect(await roleOf(first.id)).toBe('admin');
    expect((await requestOf(first.id)).status).toBe('approved');
    expect(await auditOf(first.id)).toMatchObject([
      { action: 'role.granted', actorId: null, actorName: expect.stringMatching(/^command line/) },
    ]);
    expect((await admin('grant', first.email)).out).toContain('is an administrator already');

    const last = await admin('revoke', first.email);
    expect(last).toMatchObject({ code: 1, err: 'The last administrator cannot be demoted.\n' });

    await admin('grant', second.email);
    const listed = (await admin('list')).out;
    expect(listed).toContain(`${first.email} (${first.username}, address not verified)`);
    expect(listed).toContain(`${second.email} (${second.username})`);
    expect((await admin('revoke', first.email)).out).toBe(`${first.email} is no longer an administrator.\n`);
    expect(await roleOf(first.id)).toBe('student');
    expect(await db().$count(auditLog, and(eq(auditLog.subjectId, String(first.id))))).toBe(2);
  });

  it('resets a second factor and ends, though it has queued a mail', async () => {
    const user = await makeUser();
    await db()
      .insert(authenticatorApps)
      .values({ userId: user.id, secret: 'A'.repeat(32), confirmedAt: new Date() });
    expect(await admin('reset-second-factor', user.email)).toEqual({
      code: 0,
      out: `${user.email} has no second factor any more, is signed out everywhere and has been told by mail.\n`,
      err: '',
    });
    expect(await db().$count(authenticatorApps, eq(authenticatorApps.userId, user.id))).toBe(0);
    expect(await auditOf(user.id)).toMatchObject([
      { action: 'second_factor.reset', actorId: null, actorName: expect.stringMatching(/^command line/) },
    ]);
    expect(await admin('reset-second-factor', user.email)).toMatchObject({
      code: 1,
      err: 'This account has no second factor.\n',
    });
  });

  it('says in one line what is wrong', async () => {
    expect(await admin('grant', 'nobody@example.com')).toMatchObject({
      code: 1,
      err: 'There is no account with the email nobody@example.com. Register it on the site first.\n',
    });
    // A mistake in what is typed is found before any database is asked.
    expect(await ranAdmin('grant', 'nonsense')).toMatchObject({
      code: 1,
      err: '"nonsense" is not an email address.\n',
    });
    for (const args of [['promote', 'a@b.co'], ['grant']]) {
      const { code, err } = await ranAdmin(...args);
      expect(code).toBe(1);
      expect(err).toMatch(/^Usage: npm run admin -- grant <email>/);
    }
  });
});
