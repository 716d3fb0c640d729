import { and, eq, gt, sql } from 'drizzle-orm';
import { db, type Executor, type Tx } from '#db/client.ts';
import { emailVerificationTokens, users, type UserRow } from '#db/schema/account.ts';
import { AppError } from '#src/shared/errors.ts';
import { mailVerificationLink } from '#src/features/account/mails.server.ts';
import { VERIFICATION_FAILED, VERIFICATION_NEEDS_SIGN_IN } from '#src/features/account/schema.ts';
import { hashSecret, newSecret } from '#src/features/account/session.server.ts';

/** Hours that a mailed verification link works (decision 13). */
export const VERIFICATION_HOURS = 24;

/** Gives the titles of courses that were bought under an address and are in no account yet. */
export type BoughtUnder = (tx: Tx, email: string) => Promise<string[]>;

/**
 * Mails a link that verifies the user's address; links mailed before it stop working.
 *
 * @param bought titles of what comes into the account with the proof
 */
export async function mailVerification(
  tx: Tx,
  user: { id: number; email: string; username: string },
  bought: readonly string[] = [],
): Promise<void> {
  await tx
    .update(emailVerificationTokens)
    .set({ used: true })
    .where(and(eq(emailVerificationTokens.userId, user.id), eq(emailVerificationTokens.used, false)));
  const secret = newSecret();
  await tx.insert(emailVerificationTokens).values({
    userId: user.id,
    email: user.email,
    token: hashSecret(secret),
    expiresAt: new Date(Date.now() + VERIFICATION_HOURS * 3_600_000),
  });
  await mailVerificationLink(tx, user, secret, VERIFICATION_HOURS, bought);
}

/**
 * Mails a new verification link to a signed-in user.
 *
 * @throws {AppError} conflict when the address is verified already
 */
export async function resendVerificationLink(userId: number, boughtUnder: BoughtUnder): Promise<void> {
  await db().transaction(async (tx) => {
    // The lock keeps two requests at once from leaving two working links.
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update');
    if (!user || user.emailVerifiedAt) {
      throw new AppError('conflict', 'Your email address is verified already.');
    }
    await mailVerification(tx, user, await boughtUnder(tx, user.email));
  });
}

/** The account and address that an unused link would verify, or null; looking does not use the link up. */
export async function findVerification(token: string): Promise<{ userId: number; email: string } | null> {
  const [row] = await db()
    .select({ userId: emailVerificationTokens.userId, email: emailVerificationTokens.email })
    .from(emailVerificationTokens)
    .innerJoin(
      users,
      and(eq(users.id, emailVerificationTokens.userId), eq(users.email, emailVerificationTokens.email)),
    )
    .where(
      and(
        eq(emailVerificationTokens.token, hashSecret(token)),
        eq(emailVerificationTokens.used, false),
        gt(emailVerificationTokens.expiresAt, sql`now()`),
      ),
    );
  return row ?? null;
}

/**
 * Uses a mailed link: from now on the account's address counts as verified. Opening the same link again changes
 * nothing and answers the same. It takes both, the mailbox and the account: anybody can register with a stranger's
 * address, and the stranger who opens the link must not make that account theirs.
 *
 * @param token the secret from the link
 * @param signedInAs the account that the caller is signed in to; null for a visitor
 * @param alsoInTransaction what becomes true together with the verification, such as attaching purchases made as guest
 *   under this address (decision 13); called once per verified account
 * @throws {AppError} bad_request when the link is unknown, expired, replaced by a newer one, or for an address that the
 *   account no longer has, forbidden for anybody who is not signed in to the account
 */
export async function verifyEmail(
  token: string,
  signedInAs: number | null,
  alsoInTransaction?: (tx: Tx, user: UserRow) => Promise<void>,
): Promise<UserRow> {
  const known = await findToken(db(), token);
  if (!known) throw refused();
  if (known.userId !== signedInAs) throw new AppError('forbidden', VERIFICATION_NEEDS_SIGN_IN);
  return db().transaction(async (tx) => {
    // The user before the token, in the order in which a new link is made: two orders could wait for each other.
    const user = await holdAccount(tx, known.userId);
    const link = await findToken(tx, token);
    if (!user || !link || link.email !== user.email) throw refused();
    if (user.emailVerifiedAt) return user;
    if (link.used || link.expiresAt.getTime() <= Date.now()) throw refused();
    const verified = await markVerified(tx, user.id);
    await alsoInTransaction?.(tx, verified);
    return verified;
  });
}

/**
 * The account's row, held against every change of it until the transaction ends, but not against purchases and
 * enrollments that refer to it: they take their own locks first and would wait for it the other way round.
 */
export async function holdAccount(tx: Tx, userId: number): Promise<UserRow | null> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('no key update');
  return user ?? null;
}

/** As `holdAccount`, for accounts that are there. */
export async function heldAccount(tx: Tx, userId: number): Promise<UserRow> {
  const user = await holdAccount(tx, userId);
  if (!user) throw new AppError('not_found', 'There is no such account.');
  return user;
}

/** Notes that an account's address is its owner's, and ends the links that would show it; the caller has locked the row. */
export async function markVerified(tx: Tx, userId: number): Promise<UserRow> {
  await tx
    .update(emailVerificationTokens)
    .set({ used: true })
    .where(eq(emailVerificationTokens.userId, userId));
  const [verified] = await tx
    .update(users)
    .set({ emailVerifiedAt: sql`now()` })
    .where(eq(users.id, userId))
    .returning();
  return verified!;
}

async function findToken(executor: Executor, token: string) {
  const [row] = await executor
    .select()
    .from(emailVerificationTokens)
    .where(eq(emailVerificationTokens.token, hashSecret(token)));
  return row;
}

function refused(): AppError {
  return new AppError('bad_request', VERIFICATION_FAILED);
}
