import { and, eq, gt, sql } from 'drizzle-orm';
import { db, type Executor, type Tx } from '#db/client.ts';
import { emailVerificationTokens, users, type UserRow } from '#db/schema/account.ts';
import { AppError } from '#src/shared/errors.ts';
import { takeStaffInvitations } from '#src/features/account/invitations.server.ts';
import { mailVerificationLink } from '#src/features/account/mails.server.ts';
import { VERIFICATION_FAILED, VERIFICATION_NEEDS_SIGN_IN } from '#src/features/account/schema.ts';
import { hashSecret, newSecret } from '#src/features/account/session.server.ts';

/** Decision 13. */
export const VERIFICATION_HOURS = 24;

/** Titles of courses bought under an address that are in no account yet. */
export type BoughtUnder = (tx: Tx, email: string) => Promise<string[]>;

/** Older links stop working. @param bought titles that come with the proof */
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

/** @throws {AppError} conflict when verified already */
export async function resendVerificationLink(userId: number, boughtUnder: BoughtUnder): Promise<void> {
  await db().transaction(async (tx) => {
    // Two requests at once must not leave two working links.
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update');
    if (!user || user.emailVerifiedAt) {
      throw new AppError('conflict', 'Your email address is verified already.');
    }
    await mailVerification(tx, user, await boughtUnder(tx, user.email));
  });
}

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
 * Needs mailbox and account: a stranger may have registered the address. A repeat answers the same.
 * @param alsoInTransaction once per verified account, such as attaching guest purchases (decision 13)
 * @throws {AppError} bad_request for a dead link, forbidden for others
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
    // User before token, the lock order of new links.
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

/** Locks the row without blocking foreign keys: purchases and enrollments take their own locks first. */
export async function holdAccount(tx: Tx, userId: number): Promise<UserRow | null> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('no key update');
  return user ?? null;
}

export async function heldAccount(tx: Tx, userId: number): Promise<UserRow> {
  const user = await holdAccount(tx, userId);
  if (!user) throw new AppError('not_found', 'There is no such account.');
  return user;
}

/** Also ends the verification links, and takes invitations; the caller has locked the row. */
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
  await takeStaffInvitations(tx, verified!);
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
