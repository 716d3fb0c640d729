import { randomUUID } from 'node:crypto';
import { and, eq, gt, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Tx } from '#db/client.ts';
import { passwordResetTokens, users, type UserRow } from '#db/schema/account.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { type JobDefinition, sendJob } from '#src/server/jobs.ts';
import { tryConsume } from '#src/server/limits/rate-limit.ts';
import { AppError } from '#src/shared/errors.ts';
import { recordAudit } from '#src/features/account/audit.server.ts';
import { voidChanges } from '#src/features/account/email/email-change.server.ts';
import { mailPasswordChanged, mailResetLink } from '#src/features/account/mails.server.ts';
import { hashNewPassword, refuseCommonForAdmins } from './password.server.ts';
import { RESET_FAILED } from '#src/features/account/schema.ts';
import { forgetFactors } from '#src/features/account/second-factor/factors.server.ts';
import { closeAllSessions, hashSecret, newSecret } from '#src/features/account/session.server.ts';
import { holdAccount, markVerified } from '#src/features/account/email/verification.server.ts';

/** Decision 12. */
const RESET_TOKEN_MINUTES = 60;

/** A job does the work, so that answer and time reveal no account (fault A5). @param email normalised */
export async function requestPasswordReset(email: string): Promise<void> {
  if (!(await tryConsume('forgot-password-email', hashSecret(email)))) return;
  await sendJob(db(), issueResetLink, { email, requestId: randomUUID() });
}

/** Voids older tokens; does nothing for an unknown address. */
export const issueResetLink: JobDefinition<z.ZodObject<{ email: z.ZodString; requestId: z.ZodString }>> = {
  name: 'account.issue-reset-link',
  data: z.object({ email: z.string(), requestId: z.string() }),
  retries: 5,
  retryDelaySeconds: 5,
  leaseSeconds: 30,
  run: async ({ email, requestId }) => {
    const occasion = `password-reset:${requestId}`;
    await db().transaction(async (tx) => {
      const [user] = await tx.select().from(users).where(eq(users.email, email)).for('update');
      if (!user) return;
      // A repeated job must not void the link that it has mailed.
      const [mailed] = await tx
        .select({ id: mailOutbox.id })
        .from(mailOutbox)
        .where(eq(mailOutbox.dedupeKey, occasion));
      if (mailed) return;
      await tx
        .update(passwordResetTokens)
        .set({ used: true })
        .where(and(eq(passwordResetTokens.userId, user.id), eq(passwordResetTokens.used, false)));
      const secret = newSecret();
      await tx.insert(passwordResetTokens).values({
        userId: user.id,
        token: hashSecret(secret),
        expiresAt: new Date(Date.now() + RESET_TOKEN_MINUTES * 60_000),
      });
      await mailResetLink(tx, user, secret, RESET_TOKEN_MINUTES, occasion);
    });
  },
};

const usable = (token: string) =>
  and(
    eq(passwordResetTokens.token, hashSecret(token)),
    eq(passwordResetTokens.used, false),
    gt(passwordResetTokens.expiresAt, sql`now()`),
  );

/**
 * Ends every session and token (decision 12, fault A8), signs in nowhere, verifies the address (decision 13).
 * @throws {AppError} bad_request for every dead token (fault A12)
 */
export async function resetPasswordWithToken(
  input: { token: string; newPassword: string },
  alsoWhenVerified?: (tx: Tx, user: UserRow) => Promise<void>,
): Promise<void> {
  // Made-up tokens must cost no hashing.
  const [known] = await db()
    .select({ userId: passwordResetTokens.userId, role: users.role })
    .from(passwordResetTokens)
    .innerJoin(users, eq(users.id, passwordResetTokens.userId))
    .where(usable(input.token));
  if (!known) throw resetRefused();
  await refuseCommonForAdmins(known.role, input.newPassword, 'newPassword');
  const passwordHash = await hashNewPassword(input.newPassword);
  await db().transaction(async (tx) => {
    // User before token, the lock order of new links.
    const user = await holdAccount(tx, known.userId);
    // The second of two uses waits here and finds the token used.
    const [used] = await tx
      .update(passwordResetTokens)
      .set({ used: true })
      .where(usable(input.token))
      .returning({ id: passwordResetTokens.id });
    if (!user || !used) throw resetRefused();
    const renewed = await renewAccess(tx, user, passwordHash);
    if (!user.emailVerifiedAt) await alsoWhenVerified?.(tx, renewed);
    await mailPasswordChanged(tx, user);
  });
}

/**
 * A mailed secret sets the password, ends sessions and links, and verifies. An unverified account may be a stranger's
 * and loses its second factors; a verified one keeps them.
 * @param user locked by the caller (`holdAccount`)
 */
export async function renewAccess(tx: Tx, user: UserRow, passwordHash: string): Promise<UserRow> {
  await tx.update(users).set({ passwordHash }).where(eq(users.id, user.id));
  if (!user.emailVerifiedAt) await forgetFactors(tx, user.id);
  const renewed = user.emailVerifiedAt ? { ...user, passwordHash } : await markVerified(tx, user.id);
  await tx
    .update(passwordResetTokens)
    .set({ used: true })
    .where(and(eq(passwordResetTokens.userId, user.id), eq(passwordResetTokens.used, false)));
  await closeAllSessions(tx, user.id);
  await voidChanges(tx, user.id);
  await recordAudit(
    tx,
    { id: user.id, name: user.username },
    { action: 'password.reset', subjectType: 'user', subjectId: user.id },
  );
  return renewed;
}

function resetRefused(): AppError {
  return new AppError('bad_request', RESET_FAILED);
}
