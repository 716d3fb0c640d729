import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { db, type Executor } from '#db/client.ts';
import { authChallenges } from '#db/schema/account.ts';
import { cookieName, cookieOptions, hashSecret, newSecret } from '../session.server.ts';
import { type FactorKind, factorKinds } from './factors.server.ts';
import { assertionOptions, CHALLENGE_MINUTES, type PasskeyRequest } from './passkeys.server.ts';

const CHALLENGE_ATTEMPTS = 5;

export type Challenge = typeof authChallenges.$inferSelect;
type Purpose = Challenge['purpose'];

/** @returns the secret for that browser's cookie alone */
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
 * Counts the attempt first, so that parallel answers are limited too.
 * @returns null where it ended, was answered, has no attempts left, or has another purpose
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

/** False where another answer came first, or it was withdrawn. */
export async function closeChallenge(executor: Executor, { id }: Challenge): Promise<boolean> {
  const gone = await executor
    .delete(authChallenges)
    .where(eq(authChallenges.id, id))
    .returning({ id: authChallenges.id });
  return gone.length > 0;
}

export type PendingSignIn = {
  challengeSecret: string;
  methods: FactorKind[];
  passkeyOptions: PasskeyRequest | null;
};

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

export async function sweepChallenges(): Promise<void> {
  await db().delete(authChallenges).where(lt(authChallenges.expiresAt, sql`now()`));
}

type CookieJar = {
  get: (name: string) => { value: string } | undefined;
  set: (name: string, value: string, options: Record<string, unknown>) => void;
  delete: (name: string, options: Record<string, unknown>) => void;
};

// One cookie per purpose: tabs do not end each other's challenges.
const nameOf = (purpose: Purpose) => cookieName(`challenge_${purpose}`);

export function setChallengeCookie(cookies: CookieJar, purpose: Purpose, secret: string): void {
  cookies.set(nameOf(purpose), secret, { ...cookieOptions(), maxAge: CHALLENGE_MINUTES * 60 });
}

export const challengeSecret = (cookies: Pick<CookieJar, 'get'>, purpose: Purpose): string | undefined =>
  cookies.get(nameOf(purpose))?.value;

export function clearChallengeCookie(cookies: Pick<CookieJar, 'delete'>, purpose: Purpose): void {
  cookies.delete(nameOf(purpose), cookieOptions());
}
