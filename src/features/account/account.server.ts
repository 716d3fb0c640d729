import { and, eq, sql } from 'drizzle-orm';
import { db, type Tx } from '#db/client.ts';
import { adminRequests, type UserRow, users } from '#db/schema/account.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { log } from '#src/server/log.ts';
import { consume, requireLeft } from '#src/server/limits/rate-limit.ts';
import { AppError } from '#src/shared/errors.ts';
import { takeStaffInvitations } from './invitations.server.ts';
import { checkPassword, hashNewPassword, isCommonPassword } from './password/password.server.ts';
import { type PublicUser, SIGN_IN_FAILED } from './schema.ts';
import { askForFactor, type PendingSignIn } from './second-factor/challenges.server.ts';
import { closePresented, openSession, type Presented, type SignIn } from './session.server.ts';
import { beginAttempt, forgive, withdraw } from './sign-in/sign-in-guard.server.ts';
import { mailVerification } from './email/verification.server.ts';

export type Visit = { ip: string; userAgent: string | null; presented: Presented };

export function toPublicUser(
  row: Pick<UserRow, 'id' | 'username' | 'email' | 'role' | 'emailVerifiedAt'>,
): PublicUser {
  const { id, username, email, role, emailVerifiedAt } = row;
  return { id, username, email, role, emailVerified: emailVerifiedAt !== null };
}

type PasswordAccepted =
  | { kind: 'signed-in'; signIn: SignIn; user: PublicUser }
  | ({ kind: 'second-factor' } & PendingSignIn);

/**
 * All failures get the same answer after the same work (faults A4, A5); older sign-ins of the request end (fault A6).
 * @throws {AppError} unauthenticated, too_many_requests for the account + address pair or the address
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
    // A password reset may have committed since the check above and ended all sessions.
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
 * Part of the caller's transaction; mails the verification link.
 * @param values `emailProven` where the caller has a mailed secret, `bought` the titles that come along
 * @throws {AppError} conflict at `email`
 */
export async function createAccount(
  tx: Tx,
  values: { username: string; email: string; passwordHash: string; emailProven?: boolean; bought?: string[] },
): Promise<UserRow> {
  // A caught violation would end the caller's transaction.
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
  if (user.emailVerifiedAt) await takeStaffInvitations(tx, user);
  else await mailVerification(tx, user, values.bought);
  return user;
}

function emailTaken(): AppError {
  const message = 'An account with this email already exists. Sign in, or reset your password.';
  return new AppError('conflict', message, { fields: { email: message } });
}

/**
 * Decision 13; asking for `admin` only opens a request (decision 10).
 * @param onProof runs in the transaction where an invitation proves the address
 * @throws {AppError} conflict at `email`
 */
export async function registerAccount(
  input: { username: string; email: string; password: string; role: 'student' | 'admin' },
  visit: Visit,
  onProof?: (tx: Tx, user: UserRow) => Promise<void>,
): Promise<{ signIn: SignIn; user: PublicUser; adminRequest: 'open' | null }> {
  const address = `ip:${visit.ip}`;
  // For free emails too, or the limit would reveal taken ones.
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
