import { eq } from 'drizzle-orm';
import { db, type Executor, type Tx } from '#db/client.ts';
import { type UserRow, users } from '#db/schema/account.ts';
import { log } from '#src/server/log.ts';
import { consume, forgetUses } from '#src/server/limits/rate-limit.ts';
import { AppError } from '#src/shared/errors.ts';
import { toPublicUser, type Visit } from '../account.server.ts';
import { mailFactorGuessed, mailRecoveryCodeUsed } from '../mails.server.ts';
import { checkPassword } from '#src/features/account/password/password.server.ts';
import type { PublicUser } from '../schema.ts';
import {
  closePresented,
  noteProof,
  openSession,
  type SignIn,
  type SignInStrength,
} from '../session.server.ts';
import { beginAttempt, forgive, withdraw } from '#src/features/account/sign-in/sign-in-guard.server.ts';
import { attemptChallenge, type Challenge, closeChallenge, openChallenge } from './challenges.server.ts';
import { factorKinds, spendCode, spendRecoveryCode } from './factors.server.ts';
import { assertionOptions, checkAssertion, type PasskeyRequest } from './passkeys.server.ts';
import { type FactorAnswer, type PasskeyAnswer, WRONG_FACTOR } from './schema.ts';

/** @param challengeSecret from the cookie @throws {AppError} unauthenticated, too_many_requests for the account */
export async function completeSignIn(
  answer: FactorAnswer,
  challengeSecret: string | undefined,
  visit: Visit,
): Promise<{ signIn: SignIn; user: PublicUser }> {
  const challenge = await attemptChallenge(challengeSecret, 'second_factor');
  if (!challenge?.userId) throw ranOut();
  const { userId, commonPassword } = challenge;
  await countCodeTry(userId, answer);
  const done = await db().transaction(async (tx) => {
    // Must not slip past a parallel end of all sessions or a new password.
    const user = await lockShared(tx, userId);
    if (!user || !(await answers(tx, user, challenge, answer))) throw refused(userId, visit);
    if (!(await closeChallenge(tx, challenge))) throw ranOut();
    return signInWithFactor(tx, user, visit, { secondFactor: true, commonPassword });
  });
  if (answer.code !== undefined) await forgetUses('one-time-codes', `user:${userId}`);
  return done;
}

export async function requestPasskeySignIn(): Promise<{
  challengeSecret: string;
  options: PasskeyRequest;
}> {
  const options = await assertionOptions(db(), null);
  const challengeSecret = await openChallenge(db(), {
    purpose: 'passkey_sign_in',
    passkeyChallenge: options.challenge,
  });
  return { challengeSecret, options };
}

/**
 * Two factors in one: the device verifies its holder.
 * @throws {AppError} unauthenticated, the same for unknown and wrong
 */
export async function signInWithPasskey(
  response: PasskeyAnswer,
  challengeSecret: string | undefined,
  visit: Visit,
): Promise<{ signIn: SignIn; user: PublicUser }> {
  const challenge = await attemptChallenge(challengeSecret, 'passkey_sign_in');
  if (!challenge) throw ranOut();
  return db().transaction(async (tx) => {
    const owner = await checkAssertion(tx, challenge.passkeyChallenge, response, null);
    const user = owner && (await lockShared(tx, owner.userId));
    if (!user || !(await closeChallenge(tx, challenge))) throw refused(owner?.userId ?? null, visit);
    return signInWithFactor(tx, user, visit, { secondFactor: true, commonPassword: false });
  });
}

async function signInWithFactor(tx: Tx, user: UserRow, visit: Visit, strength: SignInStrength) {
  await closePresented(visit.presented, tx);
  const signIn = await openSession(user.id, visit.userAgent, tx, strength);
  log.info({ event: 'sign-in', userId: user.id, ip: visit.ip, secondFactor: true }, 'a person signed in');
  return { signIn, user: toPublicUser(user) };
}

async function lockShared(tx: Tx, userId: number): Promise<UserRow | undefined> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('share');
  return user;
}

/** Counts first; past the limit the owner gets a mail. */
async function countCodeTry(userId: number, answer: { code?: string | undefined }): Promise<void> {
  if (answer.code === undefined) return;
  try {
    await consume('one-time-codes', `user:${userId}`);
  } catch (error) {
    const [user] = await db().select().from(users).where(eq(users.id, userId));
    if (user) await mailFactorGuessed(db(), user);
    throw error;
  }
}

async function answers(
  tx: Executor,
  user: UserRow,
  challenge: Pick<Challenge, 'passkeyChallenge'>,
  answer: FactorAnswer,
): Promise<boolean> {
  if (answer.passkey) {
    return (await checkAssertion(tx, challenge.passkeyChallenge, answer.passkey, user.id)) !== null;
  }
  if (answer.code !== undefined) return spendCode(tx, user.id, answer.code);
  if (!(await spendRecoveryCode(tx, user.id, answer.recoveryCode!))) return false;
  await mailRecoveryCodeUsed(tx, user);
  return true;
}

function refused(userId: number | null, visit: Pick<Visit, 'ip'>): AppError {
  log.info(
    { event: 'sign-in refused', userId, ip: visit.ip, secondFactor: true },
    'a second factor was wrong',
  );
  return new AppError('unauthenticated', WRONG_FACTOR);
}

function ranOut(): AppError {
  return new AppError('unauthenticated', 'This sign-in has run out. Please start again.', {
    extra: { startAgain: true },
  });
}

export async function requestPasskeyProof(
  userId: number,
  signInId: string,
): Promise<{ challengeSecret: string; options: PasskeyRequest } | null> {
  if (!(await factorKinds(userId)).includes('passkey')) return null;
  const options = await assertionOptions(db(), userId);
  const challengeSecret = await openChallenge(db(), {
    purpose: 'proof',
    userId,
    signInId,
    passkeyChallenge: options.challenge,
  });
  return { challengeSecret, options };
}

/**
 * Takes the password only without a second factor, or it could remove that factor.
 * @throws {AppError} invalid_input, too_many_requests
 */
export async function prove(
  userId: number,
  signInId: string,
  given: FactorAnswer & { password?: string | undefined },
  challengeSecret: string | undefined,
  ip: string,
): Promise<void> {
  const [user] = await db().select().from(users).where(eq(users.id, userId));
  if (!user) throw new AppError('not_found', 'There is no such account.');
  if (given.password !== undefined) {
    if ((await factorKinds(userId)).length > 0) throw wrong('password', 'Use your second factor here.');
    return provePassword(user, signInId, given.password, ip);
  }
  const challenge = given.passkey ? await attemptChallenge(challengeSecret, 'proof') : null;
  const isTheirs = challenge?.userId === userId && challenge.signInId === signInId;
  await countCodeTry(userId, given);
  await db().transaction(async (tx) => {
    const passkeyChallenge = isTheirs ? challenge.passkeyChallenge : null;
    if (!(await answers(tx, user, { passkeyChallenge }, given))) {
      throw wrong(
        given.code !== undefined ? 'code' : given.passkey ? 'passkey' : 'recoveryCode',
        WRONG_FACTOR,
      );
    }
    if (challenge && !(await closeChallenge(tx, challenge))) throw wrong('passkey', WRONG_FACTOR);
    await noteProof(tx, signInId);
  });
  if (given.code !== undefined) await forgetUses('one-time-codes', `user:${userId}`);
}

async function provePassword(user: UserRow, signInId: string, password: string, ip: string): Promise<void> {
  const attempt = await beginAttempt(user.email, ip);
  let isRight: boolean;
  try {
    isRight = await checkPassword(user.passwordHash, password);
  } catch (error) {
    await withdraw(attempt);
    throw error;
  }
  if (!isRight) throw wrong('password', 'This is not your password');
  await forgive(attempt, db());
  await noteProof(db(), signInId);
}

function wrong(field: string, message: string): AppError {
  return new AppError('invalid_input', message, { fields: { [field]: message } });
}
