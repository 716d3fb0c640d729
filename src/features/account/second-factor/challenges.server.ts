import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { db, type Executor } from '#db/client.ts';
import { authChallenges } from '#db/schema/account.ts';
import { cookieName, cookieOptions, hashSecret, newSecret } from '../session.server.ts';
import { type FactorKind, factorKinds } from './factors.server.ts';
import { assertionOptions, CHALLENGE_MINUTES, type PasskeyRequest } from './passkeys.server.ts';

/** Wrong answers that a browser may give. */
export const CHALLENGE_ATTEMPTS = 5;

export type Challenge = typeof authChallenges.$inferSelect;
export type Purpose = Challenge['purpose'];

/**
 * Opens a challenge for one browser.
 *
 * @returns the secret that goes into that browser's cookie, and nowhere else
 */
export async function openChallenge(
  executor: Executor,
  values: Pick<Challenge, 'purpose'> &
    Partial<Pick<Challenge, 'userId' | 'signInId' | 'passkeyChallenge' | 'commonPassword'>>,
): Promise<string> {
  const secret = newSecret();
  await executor.insert(authChallenges).values({
    id: hashSecret(secret),
    expiresAt: new Date(Date.now() + CHALLENGE_MINUTES * 60_000),
    ...values,
  });
  return secret;
}

/**
 * The challenge that a browser's cookie names, with one attempt counted before it is made: answers sent at once are no
 * more than answers sent one after the other.
 *
 * @returns null where it has ended, was answered, has no attempts left, or is for something else
 */
export async function attemptChallenge(
  secret: string | undefined,
  purpose: Purpose,
): Promise<Challenge | null> {
  if (!secret) return null;
  const [row] = await db()
    .update(authChallenges)
    .set({ attempts: sql`${authChallenges.attempts} + 1` })
    .where(
      and(
        eq(authChallenges.id, hashSecret(secret)),
        eq(authChallenges.purpose, purpose),
        gt(authChallenges.expiresAt, sql`now()`),
        lt(authChallenges.attempts, CHALLENGE_ATTEMPTS),
      ),
    )
    .returning();
  return row ?? null;
}

/** Uses a challenge up; false where another answer was quicker, or it was withdrawn meanwhile. */
export async function closeChallenge(executor: Executor, { id }: Challenge): Promise<boolean> {
  const gone = await executor
    .delete(authChallenges)
    .where(eq(authChallenges.id, id))
    .returning({ id: authChallenges.id });
  return gone.length > 0;
}

/** A sign-in whose password was right and that waits for the second factor. */
export type PendingSignIn = {
  challengeSecret: string;
  methods: FactorKind[];
  passkeyOptions: PasskeyRequest | null;
};

/** Asks for the second factor of an account, if it has one; part of the transaction that checked the password. */
export async function askForFactor(
  executor: Executor,
  userId: number,
  commonPassword: boolean,
): Promise<PendingSignIn | null> {
  const methods = await factorKinds(userId, executor);
  if (methods.length === 0) return null;
  const passkeyOptions = methods.includes('passkey') ? await assertionOptions(executor, userId) : null;
  const challengeSecret = await openChallenge(executor, {
    purpose: 'second_factor',
    userId,
    passkeyChallenge: passkeyOptions?.challenge ?? null,
    commonPassword,
  });
  return { challengeSecret, methods, passkeyOptions };
}

/** Deletes challenges that have ended. */
export async function sweepChallenges(): Promise<void> {
  await db().delete(authChallenges).where(lt(authChallenges.expiresAt, sql`now()`));
}

type CookieJar = {
  get: (name: string) => { value: string } | undefined;
  set: (name: string, value: string, options: Record<string, unknown>) => void;
  delete: (name: string, options: Record<string, unknown>) => void;
};

// One for each purpose, so that a proof asked for in one tab does not end what another tab has begun.
const nameOf = (purpose: Purpose) => cookieName(`challenge_${purpose}`);

/** Binds a challenge to the browser that asked for it. */
export function setChallengeCookie(cookies: CookieJar, purpose: Purpose, secret: string): void {
  cookies.set(nameOf(purpose), secret, { ...cookieOptions(), maxAge: CHALLENGE_MINUTES * 60 });
}

/** The secret of the challenge that a browser was given. */
export const challengeSecret = (cookies: Pick<CookieJar, 'get'>, purpose: Purpose): string | undefined =>
  cookies.get(nameOf(purpose))?.value;

export function clearChallengeCookie(cookies: Pick<CookieJar, 'delete'>, purpose: Purpose): void {
  cookies.delete(nameOf(purpose), cookieOptions());
}
