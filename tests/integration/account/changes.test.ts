import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeUser } from '../../support/factories.ts';
import { auditLog, emailChanges, passwordResetTokens, sessions, users } from '#db/schema/account.ts';
import { orderEvents, orders } from '#db/schema/store.ts';
import { confirmEmailChange } from '#src/features/account/email/email-change.server.ts';
import { attachGuestPurchases } from '#src/features/store/guests/claims.server.ts';
import { DELETE as deleteAccount } from '#src/pages/api/account.ts';
import { POST as changeEmail } from '#src/pages/api/account/email.ts';
import { PUT as changePassword } from '#src/pages/api/account/password.ts';
import { POST as giveProof } from '#src/pages/api/account/proof.ts';
import { GET as adminRequests } from '#src/pages/api/admin/users/admin-requests.ts';
import { POST as login } from '#src/pages/api/auth/login.ts';
import { GET as me } from '#src/pages/api/auth/me.ts';
import { POST as register } from '#src/pages/api/auth/register.ts';
import { POST as reset } from '#src/pages/api/reset-password.ts';
import { hashSecret } from '#src/features/account/session.server.ts';
import { mailedToken, mailsTo } from '../../support/account.ts';
import { callRoute, signIn } from '../../support/api.ts';
import { moveBack } from '../../support/move-back.ts';

const PASSWORD = 'correct horse';
type Session = Awaited<ReturnType<typeof signIn>>;
let last = 0;
const newIp = () => {
  last += 1;
  return `198.19.1.${last}`;
};
const newEmail = (name: string) => {
  last += 1;
  return `${name}-${last}@example.com`;
};
const prove = async (as: Session) => {
  const answer = await callRoute(giveProof, { body: { password: PASSWORD }, as, ip: newIp() });
  expect(answer.status, answer.text).toBe(200);
};
async function withSession(values: Parameters<typeof makeUser>[0] = {}) {
  const user = await makeUser({ password: PASSWORD, ...values });
  return { user, as: await signIn(user) };
}
const ask = async (as: Session, email: unknown) => {
  await prove(as);
  return callRoute(changeEmail, { body: { email }, as });
};
const emailOf = async (id: number) => (await db().select().from(users).where(eq(users.id, id)))[0]?.email;

describe('changing one’s email address', () => {
  it('needs a proof, tells both addresses, and happens when the mailed link is opened', async () => {
    const { user, as } = await withSession();
    const email = newEmail('new-home');
    const unproven = await callRoute(changeEmail, { body: { email }, as });
    expect([unproven.status, unproven.body.code]).toEqual([403, 'proof_required']);
    expect((await ask(as, email.toUpperCase())).status).toBe(200);
    expect(await emailOf(user.id)).toBe(user.email);
    expect((await mailsTo(user.email))[0]).toMatchObject({ template: 'email-change-notice' });
    expect((await mailsTo(user.email))[0]!.text).toContain(email);
    const token = await mailedToken(email, 'email-change');
    expect(JSON.stringify(await db().select().from(emailChanges))).not.toContain(token);
    await db()
      .insert(passwordResetTokens)
      .values({ userId: user.id, token: `old-${user.id}`, expiresAt: new Date(Date.now() + 60_000) });
    const changed = await confirmEmailChange(token, user.id);
    expect(changed).toMatchObject({ id: user.id, email });
    expect(changed.emailVerifiedAt).not.toBeNull();
    expect((await mailsTo(user.email))[0]!.subject).toContain('was changed');
    const [old] = await db()
      .select()
      .from(passwordResetTokens)
      .where(eq(passwordResetTokens.userId, user.id));
    expect(old!.used).toBe(true);
    const entry = await db()
      .select()
      .from(auditLog)
      .where(eq(auditLog.subjectId, String(user.id)));
    expect(entry.map(({ action }) => action)).toContain('email.changed');
    const answer = await callRoute(login, { body: { email, password: PASSWORD }, ip: newIp() });
    expect(answer.status).toBe(200);
  });

  it.each([['no-address'], [''], [null], [['a@b.co', 'c@d.co']], [{}]])('refuses %j', async (email) => {
    const { as } = await withSession();
    const answer = await ask(as, email);
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, ['email']]);
  });

  it('refuses the present address', async () => {
    const { user, as } = await withSession();
    expect((await ask(as, ` ${user.email.toUpperCase()}`)).body.fields.email).toBe(
      'This is your address already',
    );
  });

  it('says the same of a taken address, and tells its owner instead', async () => {
    const { user, as } = await withSession();
    const { as: other } = await withSession();
    const taken = await makeUser();
    const free = newEmail('free');
    const [one, two] = [await ask(as, taken.email), await ask(other, free)];
    expect(one.status).toBe(two.status);
    expect(one.body.message.replace(taken.email, 'X')).toBe(two.body.message.replace(free, 'X'));
    expect((await mailsTo(taken.email)).map(({ template }) => template)).toEqual(['email-change-taken']);
    expect(JSON.stringify(await mailsTo(taken.email))).not.toContain('token=');
    expect(await emailOf(user.id)).toBe(user.email);
  });

  it('mails an address no more than a few times an hour, however many accounts ask for it', async () => {
    const victim = newEmail('bombed');
    for (let asker = 0; asker < 4; asker += 1) {
      const { as } = await withSession();
      for (let time = 0; time < 2; time += 1) expect((await ask(as, victim)).status).toBe(200);
    }
    expect(await mailsTo(victim)).toHaveLength(5);
  });

  it('is not completed by a stranger who reads the mailbox, signed out or in another account', async () => {
    const attacker = await withSession();
    const victim = newEmail('victim');
    await ask(attacker.as, victim);
    const token = await mailedToken(victim, 'email-change');
    const { user: stranger } = await withSession();
    for (const signedInAs of [null, stranger.id]) {
      await expect(confirmEmailChange(token, signedInAs)).rejects.toMatchObject({ code: 'forbidden' });
    }
    expect(await emailOf(attacker.user.id)).toBe(attacker.user.email);
  });

  it('takes a link once, also of two uses at once, not when it is old, replaced or cut short', async () => {
    const { user, as } = await withSession();
    const first = newEmail('first');
    await ask(as, first);
    const replaced = await mailedToken(first, 'email-change');
    const second = newEmail('second');
    await ask(as, second);
    const token = await mailedToken(second, 'email-change');
    for (const bad of [replaced, token.slice(0, -1), '', "' or 1=1"]) {
      await expect(confirmEmailChange(bad, user.id)).rejects.toMatchObject({ code: 'bad_request' });
    }
    const uses = await Promise.allSettled([
      confirmEmailChange(token, user.id),
      confirmEmailChange(token, user.id),
    ]);
    expect(uses.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const third = newEmail('third');
    await ask(as, third);
    const late = await mailedToken(third, 'email-change');
    await moveBack(emailChanges, eq(emailChanges.token, hashSecret(late)), { expiresAt: { seconds: 1 } });
    await expect(confirmEmailChange(late, user.id)).rejects.toMatchObject({ code: 'bad_request' });
  });

  it('gives an address that two accounts asked for, or somebody registered meanwhile, to one of them', async () => {
    const email = newEmail('wanted');
    const [one, two] = [await withSession(), await withSession()];
    const tokens: string[] = [];
    for (const { as } of [one, two]) {
      await ask(as, email);
      tokens.push(await mailedToken(email, 'email-change'));
    }
    const uses = await Promise.allSettled([
      confirmEmailChange(tokens[0]!, one.user.id),
      confirmEmailChange(tokens[1]!, two.user.id),
    ]);
    expect(uses.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const refused = uses.find((use) => use.status === 'rejected') as PromiseRejectedResult;
    expect(refused.reason).toMatchObject({ code: 'conflict' });
    const late = await withSession();
    const quick = newEmail('registered');
    await ask(late.as, quick);
    const token = await mailedToken(quick, 'email-change');
    await callRoute(register, {
      body: { username: 'Quick', email: quick, password: PASSWORD, confirmPassword: PASSWORD },
      ip: newIp(),
    });
    await expect(confirmEmailChange(token, late.user.id)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('ends with a new password: a link that a thief asked for brings nothing any more', async () => {
    const { user, as } = await withSession();
    const email = newEmail('thief');
    await ask(as, email);
    const token = await mailedToken(email, 'email-change');
    await callRoute(changePassword, {
      method: 'PUT',
      body: { currentPassword: PASSWORD, newPassword: 'another horse' },
      as,
      ip: newIp(),
    });
    await expect(confirmEmailChange(token, user.id)).rejects.toMatchObject({ code: 'bad_request' });
  });

  it('brings purchases made as guest under the new address, once it is proven', async () => {
    const { user, as } = await withSession();
    const email = newEmail('guest');
    const attached: string[] = [];
    await ask(as, email);
    expect(attached).toEqual([]);
    await confirmEmailChange(await mailedToken(email, 'email-change'), user.id, async (tx, changed) => {
      attached.push(changed.email);
      await attachGuestPurchases(tx, changed);
    });
    expect(attached).toEqual([email]);
  });
});

describe('deleting one’s own account', () => {
  const remove = (as: Session) => callRoute(deleteAccount, { method: 'DELETE', as });

  it('asks for a proof, signs out everywhere, and keeps the books without the name', async () => {
    const { user, as } = await withSession({ emailVerifiedAt: new Date(), username: 'Mary Jackson' });
    const elsewhere = await signIn(user);
    const course = await makeCourse();
    const [order] = await db()
      .insert(orders)
      .values({
        userId: user.id,
        buyerEmail: user.email,
        buyerFirstName: 'Mary',
        buyerLastName: 'Jackson',
        totalCents: 4900,
        fingerprint: `own-deletion-${course.id}`,
        status: 'completed',
        invoiceNumber: `INV-2002-${String(course.id).padStart(6, '0')}`,
        completedAt: new Date(),
      })
      .returning();
    const unproven = await remove(as);
    expect([unproven.status, unproven.body.code]).toEqual([403, 'proof_required']);
    await prove(as);
    const answer = await remove(as);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.cookies.get('session')).toBe('');
    for (const session of [as, elsewhere]) expect((await callRoute(me, { as: session })).status).toBe(401);
    expect(await emailOf(user.id)).toBeUndefined();
    expect(await db().$count(sessions, eq(sessions.userId, user.id))).toBe(0);
    const [kept] = await db().select().from(orders).where(eq(orders.id, order!.id));
    expect(kept).toMatchObject({ buyerEmail: '', buyerFirstName: 'Deleted', totalCents: 4900, userId: null });
    const [event] = await db().select().from(orderEvents).where(eq(orderEvents.orderId, order!.id));
    expect(event).toMatchObject({ type: 'anonymised', source: 'buyer' });
    const log = JSON.stringify(
      await db()
        .select()
        .from(auditLog)
        .where(sql`${auditLog.subjectId} = ${String(user.id)}`),
    );
    expect(log).toContain('user.deleted');
    expect(log).not.toContain('Mary');
    expect(log).not.toContain(user.email);
  });

  it('is refused to the last administrator, before anything of theirs is ended', async () => {
    const admin = await makeAdmin({ password: PASSWORD });
    const as = await signIn(admin);
    const others = await db()
      .update(users)
      .set({ role: 'student' })
      .where(sql`${users.role} = 'admin' and ${users.id} <> ${admin.id}`)
      .returning({ id: users.id });
    const [open] = await db()
      .insert(orders)
      .values({
        userId: admin.id,
        buyerEmail: admin.email,
        totalCents: 4900,
        fingerprint: `last-admin-${admin.id}`,
        status: 'pending',
      })
      .returning();
    await prove(as);
    const refused = await remove(as);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'You are the last administrator. Make somebody else one first.',
    ]);
    const [untouched] = await db().select().from(orders).where(eq(orders.id, open!.id));
    expect(untouched!.status).toBe('pending');
    await makeAdmin();
    await prove(as);
    expect((await remove(as)).status).toBe(200);
    expect(others.length).toBeGreaterThanOrEqual(0);
  });

  it('happens once where it is asked for twice at once', async () => {
    const { as } = await withSession();
    await prove(as);
    const answers = await Promise.all([remove(as), remove(as)]);
    // The later one is signed out already, or finds its proof used.
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, expect.toBeOneOf([401, 403])]);
  });
});

describe('the commonest passwords', () => {
  const COMMON = 'Password1';

  it('stay anybody’s who is no administrator', async () => {
    const body = { username: 'Sam', email: newEmail('sam'), password: COMMON, confirmPassword: COMMON };
    expect((await callRoute(register, { body, ip: newIp() })).status).toBe(201);
  });

  it('are refused where an administrator chooses one, on the account page and by a mailed link', async () => {
    const admin = await makeAdmin({ password: PASSWORD });
    const answer = await callRoute(changePassword, {
      method: 'PUT',
      body: { currentPassword: PASSWORD, newPassword: COMMON },
      as: await signIn(admin),
      ip: newIp(),
    });
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, ['newPassword']]);
    const secret = 's'.repeat(43);
    await db()
      .insert(passwordResetTokens)
      .values({ userId: admin.id, token: hashSecret(secret), expiresAt: new Date(Date.now() + 60_000) });
    const byLink = await callRoute(reset, { body: { token: secret, newPassword: COMMON }, ip: newIp() });
    expect([byLink.status, Object.keys(byLink.body.fields)]).toEqual([400, ['newPassword']]);
    // The link is not used up by it.
    const better = await callRoute(reset, {
      body: { token: secret, newPassword: 'tin roof rust 7' },
      ip: newIp(),
    });
    expect(better.status).toBe(200);
  });

  it('keep an administrator who has one from the administration until it is replaced', async () => {
    const admin = await makeAdmin({ password: COMMON });
    const signedIn = await callRoute(login, { body: { email: admin.email, password: COMMON }, ip: newIp() });
    expect(signedIn.status).toBe(200);
    const as = { token: signedIn.body.token, cookieSecret: signedIn.cookies.get('session')! };
    const held = await callRoute(adminRequests, { as });
    expect([held.status, held.body.message]).toEqual([403, expect.stringContaining('one of the commonest')]);
    const changed = await callRoute(changePassword, {
      method: 'PUT',
      body: { currentPassword: COMMON, newPassword: 'tin roof rust 7' },
      as,
      ip: newIp(),
    });
    expect(changed.status).toBe(200);
    expect((await callRoute(adminRequests, { as })).status).toBe(200);
  });

  it('count also for whoever is made an administrator while signed in', async () => {
    const body = { username: 'Kim', email: newEmail('kim'), password: COMMON, confirmPassword: COMMON };
    const made = await callRoute(register, { body, ip: newIp() });
    await db().update(users).set({ role: 'admin' }).where(eq(users.id, made.body.user.id));
    const as = { token: made.body.token, cookieSecret: '' };
    expect((await callRoute(adminRequests, { as })).status).toBe(403);
  });
});
