import { and, eq, gt, ne, sql } from 'drizzle-orm';
import { db, type Executor, type Tx } from '#db/client.ts';
import {
  emailChanges,
  emailVerificationTokens,
  passwordResetTokens,
  users,
  type UserRow,
} from '#db/schema/account.ts';
import { tryConsume } from '#src/server/limits/rate-limit.ts';
import { AppError } from '#src/shared/errors.ts';
import { recordAudit } from '#src/features/account/audit.server.ts';
import { takeStaffInvitations } from '#src/features/account/invitations.server.ts';
import { mailEmailChange, mailEmailChangeLink, mailEmailTaken } from '#src/features/account/mails.server.ts';
import { EMAIL_CHANGE_FAILED, VERIFICATION_NEEDS_SIGN_IN } from '#src/features/account/schema.ts';
import { hashSecret, newSecret, spendProof } from '#src/features/account/session.server.ts';
import { heldAccount } from './verification.server.ts';

const EMAIL_CHANGE_HOURS = 24;

/**
 * Mails a link, and a notice to the present address. A taken address gets a notice by the same work, so that the
 * asker learns nothing. Uses up the proof; older links stop working.
 * @throws {AppError} invalid_input for the present address, proof_required
 */
export async function requestEmailChange(
  userId: number,
  signInId: string | null,
  email: string,
): Promise<{ message: string }> {
  const isMailed = await tryConsume('change-email-address', hashSecret(email));
  await db().transaction(async (tx) => {
    const user = await heldAccount(tx, userId);
    if (email === user.email) {
      const message = 'This is your address already';
      throw new AppError('invalid_input', message, { fields: { email: message } });
    }
    await spendProof(tx, signInId);
    await voidChanges(tx, userId);
    const secret = newSecret();
    await tx.insert(emailChanges).values({
      userId,
      email,
      token: hashSecret(secret),
      expiresAt: new Date(Date.now() + EMAIL_CHANGE_HOURS * 3_600_000),
    });
    if (isMailed) {
      const [holder] = await tx.select().from(users).where(eq(users.email, email));
      if (holder) await mailEmailTaken(tx, holder);
      else await mailEmailChangeLink(tx, { email, username: user.username }, secret, EMAIL_CHANGE_HOURS);
    }
    await mailEmailChange(tx, user, { newEmail: email, done: false });
  });
  return {
    message: `We sent a link to ${email}. Your address changes when you open it.`,
  };
}

export async function voidChanges(tx: Executor, userId: number): Promise<void> {
  await tx
    .update(emailChanges)
    .set({ used: true })
    .where(and(eq(emailChanges.userId, userId), eq(emailChanges.used, false)));
}

const usable = (token: string) =>
  and(
    eq(emailChanges.token, hashSecret(token)),
    eq(emailChanges.used, false),
    gt(emailChanges.expiresAt, sql`now()`),
  );

export async function findEmailChange(token: string): Promise<{ email: string; userId: number } | null> {
  const [row] = await db()
    .select({ email: emailChanges.email, userId: emailChanges.userId })
    .from(emailChanges)
    .where(usable(token));
  return row ?? null;
}

/**
 * The new address counts as verified; links to the old one stop working, and it gets a notice.
 * @param signedInAs a stranger's request must not succeed by the owner's click
 * @throws {AppError} bad_request for a dead link, forbidden, conflict for a taken address
 */
export async function confirmEmailChange(
  token: string,
  signedInAs: number | null,
  alsoInTransaction?: (tx: Tx, user: UserRow) => Promise<void>,
): Promise<UserRow> {
  const [known] = await db().select().from(emailChanges).where(usable(token));
  if (!known) throw new AppError('bad_request', EMAIL_CHANGE_FAILED);
  if (known.userId !== signedInAs) throw new AppError('forbidden', VERIFICATION_NEEDS_SIGN_IN);
  return db().transaction(async (tx) => {
    const before = await heldAccount(tx, known.userId);
    // The second of two uses waits here and finds the link used.
    const [used] = await tx
      .update(emailChanges)
      .set({ used: true })
      .where(usable(token))
      .returning({ id: emailChanges.id });
    if (!used) throw new AppError('bad_request', EMAIL_CHANGE_FAILED);
    // Serialises requests for one address.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`email:${known.email}`}, 0))`);
    const [holder] = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.email, known.email), ne(users.id, known.userId)));
    if (holder) throw new AppError('conflict', 'This address belongs to another account by now.');
    const [user] = await tx
      .update(users)
      .set({ email: known.email, emailVerifiedAt: sql`now()` })
      .where(eq(users.id, known.userId))
      .returning();
    await tx
      .update(passwordResetTokens)
      .set({ used: true })
      .where(and(eq(passwordResetTokens.userId, known.userId), eq(passwordResetTokens.used, false)));
    await tx
      .update(emailVerificationTokens)
      .set({ used: true })
      .where(eq(emailVerificationTokens.userId, known.userId));
    await recordAudit(
      tx,
      { id: user!.id, name: user!.username },
      {
        action: 'email.changed',
        subjectType: 'user',
        subjectId: user!.id,
        details: { email: user!.email },
      },
    );
    await mailEmailChange(tx, before, { newEmail: known.email, done: true });
    await takeStaffInvitations(tx, user!);
    await alsoInTransaction?.(tx, user!);
    return user!;
  });
}
