import { and, eq, sql } from 'drizzle-orm';
import { db, type Tx } from '#db/client.ts';
import { adminRequests, type UserRow, users } from '#db/schema/account.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { log } from '#src/server/log.ts';
import { consume, requireLeft } from '#src/server/limits/rate-limit.ts';
import { AppError } from '#src/shared/errors.ts';
import { checkPassword, hashNewPassword, isCommonPassword } from './password/password.server.ts';
import { type PublicUser, SIGN_IN_FAILED } from './schema.ts';
import { askForFactor, type PendingSignIn } from './second-factor/challenges.server.ts';
import { closePresented, openSession, type Presented, type SignIn } from './session.server.ts';
import { beginAttempt, forgive, withdraw } from './sign-in/sign-in-guard.server.ts';
import { mailVerification } from './email/verification.server.ts';

/** Where a sign-in or registration comes from. */
export type Visit = { ip: string; userAgent: string | null; presented: Presented };

/** The part of a user's row that its owner and administrators may see. */
export function toPublicUser(
  row: Pick<UserRow, 'id' | 'username' | 'email' | 'role' | 'emailVerifiedAt'>,
): PublicUser {
  const { id, username, email, role, emailVerifiedAt } = row;
  return { id, username, email, role, emailVerified: emailVerifiedAt !== null };
}

/** What a right password leads to: a session, or the second step where the account has a second factor. */
export type PasswordAccepted =
  | { kind: 'signed-in'; signIn: SignIn; user: PublicUser }
  | ({ kind: 'second-factor' } & PendingSignIn);

/**
 * Signs a person in, or asks for their second factor. An unknown email, a wrong password and an account without password
 * get the same answer after the same work (faults A4, A5). Sign-ins that the request brought along end with a new one
 * (fault A6).
 *
 * @throws {AppError} unauthenticated, or too_many_requests after too many failures of this account + address pair, or of
 *   the address
 */
export async function signInWithPassword(
  input: { email: string; password: string },
  visit: Visit,
): Promise<PasswordAccepted> {
  await requireLeft('login-failures', `ip:${visit.ip}`);
  const attempt = await beginAttempt(input.email, visit.ip);
  const [found] = await db()
    .select({ id: users.id, passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.email, input.email));
  let matches: boolean;
  try {
    matches = await checkPassword(found?.passwordHash ?? null, input.password, async (check) => {
      await requireLeft('login-failures', `ip:${visit.ip}`);
      const isRight = await check();
      if (!isRight) await consume('login-failures', `ip:${visit.ip}`);
      return isRight;
    });
  } catch (error) {
    await withdraw(attempt);
    throw error;
  }
  if (!matches || !found?.passwordHash) {
    log.info({ event: 'sign-in refused', userId: found?.id ?? null, ip: visit.ip }, 'a sign-in failed');
    throw signInRefused();
  }
  const { id, passwordHash } = found;
  const commonPassword = await isCommonPassword(input.password);
  return db().transaction(async (tx) => {
    // A password reset that committed since the check above has ended all sessions; this one must not slip past it.
    const [user] = await tx
      .select()
      .from(users)
      .where(and(eq(users.id, id), eq(users.passwordHash, passwordHash)))
      .for('share');
    if (!user) throw signInRefused();
    await forgive(attempt, tx);
    const pending = await askForFactor(tx, id, commonPassword);
    if (pending) return { kind: 'second-factor', ...pending };
    await closePresented(visit.presented, tx);
    const signIn = await openSession(id, visit.userAgent, tx, { secondFactor: false, commonPassword });
    log.info({ event: 'sign-in', userId: id, ip: visit.ip }, 'a person signed in');
    return { kind: 'signed-in', signIn, user: toPublicUser(user) };
  });
}

function signInRefused(): AppError {
  return new AppError('unauthenticated', SIGN_IN_FAILED);
}

/**
 * Makes a student's account and mails the link that verifies its address. Part of the caller's transaction.
 *
 * @param values `email` normalised, `passwordHash` from `hashNewPassword`; `emailProven` where the caller holds a secret
 *   that was mailed to the address, so that no other proof is needed, `bought` the titles of courses that come with it
 * @throws {AppError} conflict at `email` when the address has an account
 */
export async function createAccount(
  tx: Tx,
  values: { username: string; email: string; passwordHash: string; emailProven?: boolean; bought?: string[] },
): Promise<UserRow> {
  // Not a caught violation: that would end the caller's transaction.
  const [user] = await tx
    .insert(users)
    .values({
      username: values.username,
      email: values.email,
      passwordHash: values.passwordHash,
      emailVerifiedAt: values.emailProven ? sql`now()` : null,
    })
    .onConflictDoNothing({ target: users.email })
    .returning();
  if (!user) throw emailTaken();
  if (!user.emailVerifiedAt) await mailVerification(tx, user, values.bought);
  return user;
}

function emailTaken(): AppError {
  const message = 'An account with this email already exists. Sign in, or reset your password.';
  return new AppError('conflict', message, { fields: { email: message } });
}

/**
 * Registers an account and signs it in (decision 13). Asking for `admin` opens a request that an administrator decides;
 * the account is a student's (decision 10).
 *
 * @param onProof what becomes true together with the proof of an address that an invitation was mailed to, in the same
 *   transaction; left out where nothing proves it
 * @throws {AppError} conflict at `email` when the address has an account
 */
export async function registerAccount(
  input: { username: string; email: string; password: string; role: 'student' | 'admin' },
  visit: Visit,
  onProof?: (tx: Tx, user: UserRow) => Promise<void>,
): Promise<{ signIn: SignIn; user: PublicUser; adminRequest: 'open' | null }> {
  const address = `ip:${visit.ip}`;
  // Also for free emails, or the difference would go on telling which ones are taken.
  await requireLeft('register-taken', address);
  const [taken] = await db().select({ id: users.id }).from(users).where(eq(users.email, input.email));
  if (taken) {
    await consume('register-taken', address);
    throw emailTaken();
  }
  await consume('register-new', address);
  const commonPassword = await isCommonPassword(input.password);
  const passwordHash = await hashNewPassword(input.password);
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const user = await createAccount(tx, {
        username: input.username,
        email: input.email,
        passwordHash,
        emailProven: onProof !== undefined,
      });
      await onProof?.(tx, user);
      const asksForAdmin = input.role === 'admin';
      if (asksForAdmin) await tx.insert(adminRequests).values({ userId: user.id });
      await closePresented(visit.presented, tx);
      return {
        signIn: await openSession(user.id, visit.userAgent, tx, { secondFactor: false, commonPassword }),
        user: toPublicUser(user),
        adminRequest: asksForAdmin ? 'open' : null,
      };
    }),
  );
}
