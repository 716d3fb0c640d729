import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeUser } from '../../support/factories.ts';
import { auditLog, emailVerificationTokens, users } from '#db/schema/account.ts';
import { recordAudit } from '#src/features/account/audit.server.ts';
import { hashSecret } from '#src/features/account/session.server.ts';
import {
  findVerification,
  mailVerification,
  verifyEmail,
} from '#src/features/account/email/verification.server.ts';
import { POST as resend } from '#src/pages/api/auth/resend-verification.ts';
import { mailedToken, mailsTo } from '../../support/account.ts';
import { callRoute, signIn } from '../../support/api.ts';

const REFUSAL = 'This verification link is invalid or has expired.';

async function unverified() {
  const user = await makeUser();
  await db().transaction((tx) => mailVerification(tx, user));
  return { user, token: await mailedToken(user.email, 'email-verification') };
}
const isVerified = async (id: number) =>
  (await db().select().from(users).where(eq(users.id, id)))[0]?.emailVerifiedAt != null;

describe('a verification link', () => {
  it('verifies the address when it is used, not when it is looked at', async () => {
    const { user, token } = await unverified();
    for (let look = 0; look < 3; look += 1)
      expect(await findVerification(token)).toEqual({ userId: user.id, email: user.email });
    expect(await isVerified(user.id)).toBe(false);
    expect((await verifyEmail(token, user.id)).id).toBe(user.id);
    expect(await isVerified(user.id)).toBe(true);
    expect(await findVerification(token)).toBeNull();
  });

  it('opened again says the same and does nothing again', async () => {
    const { user, token } = await unverified();
    let calls = 0;
    const also = async () => {
      calls += 1;
    };
    const [first, second] = [
      await verifyEmail(token, user.id, also),
      await verifyEmail(token, user.id, also),
    ];
    expect(second.emailVerifiedAt).toEqual(first.emailVerifiedAt);
    expect(calls).toBe(1);
  });

  it('used 8 times at once does once what belongs to it', async () => {
    const { user, token } = await unverified();
    let calls = 0;
    await Promise.all(
      Array.from({ length: 8 }, () =>
        verifyEmail(token, user.id, async () => {
          calls += 1;
        }),
      ),
    );
    expect(calls).toBe(1);
  });

  it('verifies nothing when what belongs to it fails', async () => {
    const { user, token } = await unverified();
    const failing = verifyEmail(token, user.id, async (tx, verified) => {
      await recordAudit(
        tx,
        { id: null, name: 'test' },
        { action: 'password.reset', subjectType: 'user', subjectId: verified.id },
      );
      throw new Error('store is down');
    });
    await expect(failing).rejects.toThrow('store is down');
    expect(await isVerified(user.id)).toBe(false);
    expect(await db().$count(auditLog, eq(auditLog.subjectId, String(user.id)))).toBe(0);
    expect((await verifyEmail(token, user.id)).id).toBe(user.id);
  });

  it('needs the account beside the mailbox: whoever registered with a stranger’s address gains nothing by their click', async () => {
    const { user, token } = await unverified();
    for (const reader of [null, (await makeUser({ emailVerifiedAt: new Date() })).id]) {
      await expect(verifyEmail(token, reader)).rejects.toMatchObject({ code: 'forbidden' });
    }
    expect(await isVerified(user.id)).toBe(false);
    expect((await verifyEmail(token, user.id)).id).toBe(user.id);
  });

  it('works for 24 hours', async () => {
    for (const [hours, works] of [
      [25, false],
      [23, true],
    ] as const) {
      const { user, token } = await unverified();
      await db()
        .update(emailVerificationTokens)
        .set({ expiresAt: sql`${emailVerificationTokens.expiresAt} - make_interval(hours => ${hours})` })
        .where(eq(emailVerificationTokens.userId, user.id));
      expect((await findVerification(token)) !== null).toBe(works);
      if (works) await verifyEmail(token, user.id);
      else
        await expect(verifyEmail(token, user.id)).rejects.toMatchObject({
          code: 'bad_request',
          message: REFUSAL,
        });
      expect(await isVerified(user.id)).toBe(works);
    }
  });

  it('is refused when it is made up, in part, or its own hash', async () => {
    const { user, token } = await unverified();
    for (const wrong of [
      '',
      'x',
      token.slice(1),
      `${token}x`,
      hashSecret(token),
      "' or 1=1 --",
      'x'.repeat(10_000),
    ]) {
      await expect(verifyEmail(wrong, user.id)).rejects.toMatchObject({ message: REFUSAL });
      expect(await findVerification(wrong)).toBeNull();
    }
  });

  it('proves the address it was sent to and no later one', async () => {
    const { user, token } = await unverified();
    await db()
      .update(users)
      .set({ email: `moved-${user.email}` })
      .where(eq(users.id, user.id));
    await expect(verifyEmail(token, user.id)).rejects.toMatchObject({ message: REFUSAL });
    expect(await findVerification(token)).toBeNull();
    expect(await isVerified(user.id)).toBe(false);
  });

  it('A9: is stored as a hash only', async () => {
    const { user, token } = await unverified();
    const rows = await db()
      .select()
      .from(emailVerificationTokens)
      .where(eq(emailVerificationTokens.userId, user.id));
    expect(rows.map((row) => row.token)).toEqual([hashSecret(token)]);
  });
});

describe('a new verification link', () => {
  it('replaces the one before it', async () => {
    const { user, token } = await unverified();
    const answer = await callRoute(resend, { method: 'POST', as: await signIn(user) });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ message: `We sent a new verification link to ${user.email}.` });
    await expect(verifyEmail(token, user.id)).rejects.toMatchObject({ message: REFUSAL });
    expect((await verifyEmail(await mailedToken(user.email, 'email-verification'), user.id)).id).toBe(
      user.id,
    );
  });

  it('is not sent to a verified address, nor to visitors', async () => {
    const user = await makeUser({ emailVerifiedAt: new Date() });
    const answer = await callRoute(resend, { method: 'POST', as: await signIn(user) });
    expect(answer.status).toBe(409);
    expect(answer.body.message).toBe('Your email address is verified already.');
    expect(await mailsTo(user.email)).toHaveLength(0);
    expect((await callRoute(resend, { method: 'POST' })).status).toBe(401);
  });

  it('is sent 3 times an hour, however many requests come at once', async () => {
    const user = await makeUser();
    const session = await signIn(user);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => callRoute(resend, { method: 'POST', as: session })),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(3);
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(7);
    expect(await mailsTo(user.email)).toHaveLength(3);
    const open = await db()
      .select()
      .from(emailVerificationTokens)
      .where(eq(emailVerificationTokens.userId, user.id));
    expect(open.filter((token) => !token.used)).toHaveLength(1);
  });
});
