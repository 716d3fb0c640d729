import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq, lt, sql } from 'drizzle-orm';
import { db, type Executor } from '#db/client.ts';
import { signInFailures } from '#db/schema/account.ts';
import { AppError } from '#src/shared/errors.ts';

/** Failures of one account + address pair after which it is refused, and over how many minutes (fault A1). */
export const FAILURES_MAX = 10;
export const FAILURES_MINUTES = 10;
/** Failures that cost no time, and over how many minutes they are counted (decision 11). */
export const FREE_FAILURES = 5;
export const DELAY_MINUTES = 15;
const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 4000;

/** The pair, as the table keeps it: without the email and the address themselves. */
export function pairKey(email: string, ip: string): string {
  return createHash('sha256').update(`${email}\n${ip}`).digest('hex');
}

/** Milliseconds to wait before the check that follows `failures` failed ones. */
export function delayAfter(failures: number): number {
  if (failures < FREE_FAILURES) return 0;
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - FREE_FAILURES));
}

export type Attempt = { id: number; key: string };

/**
 * Counts a sign-in as failed before it is tried, so that a burst cannot try more passwords than a sequence, and waits
 * the pair's delay. A success takes the count back with `forgive`.
 *
 * @throws {AppError} too_many_requests when the pair has used up its failures; other addresses are not affected
 */
export async function beginAttempt(email: string, ip: string): Promise<Attempt> {
  const key = pairKey(email, ip);
  const { id, recent } = await db().transaction(async (tx) => {
    // Attempts of one pair are counted one after the other; the lock ends with this transaction.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
    const [counts] = await tx
      .select({
        recent: sql<number>`count(*)::int`,
        blocking: sql<number>`(count(*) filter (where ${signInFailures.at} > now() - make_interval(mins => ${FAILURES_MINUTES})))::int`,
        secondsLeft: sql<number>`coalesce(ceil(extract(epoch from
          (array_agg(${signInFailures.at} order by ${signInFailures.at} desc))[${FAILURES_MAX}]
          + make_interval(mins => ${FAILURES_MINUTES}) - now())), 1)::int`,
      })
      .from(signInFailures)
      .where(
        sql`${signInFailures.key} = ${key} and ${signInFailures.at} > now() - make_interval(mins => ${DELAY_MINUTES})`,
      );
    if (counts!.blocking >= FAILURES_MAX) {
      const retryAfterSeconds = Math.max(1, counts!.secondsLeft);
      const minutes = Math.ceil(retryAfterSeconds / 60);
      throw new AppError(
        'too_many_requests',
        `Too many failed sign-ins. Please try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, or reset your password.`,
        { retryAfterSeconds },
      );
    }
    const [row] = await tx.insert(signInFailures).values({ key }).returning({ id: signInFailures.id });
    return { id: row!.id, recent: counts!.recent };
  });
  const delay = delayAfter(recent);
  if (delay > 0) await sleep(delay);
  return { id, key };
}

/** Takes back one attempt that ended without an answer, such as on an overloaded server. */
export async function withdraw(attempt: Attempt): Promise<void> {
  await db().delete(signInFailures).where(eq(signInFailures.id, attempt.id));
}

/** Forgets the pair's failures after a success. */
export async function forgive(attempt: Attempt, executor: Executor): Promise<void> {
  await executor.delete(signInFailures).where(eq(signInFailures.key, attempt.key));
}

/** Deletes failures that count for nothing any more. */
export async function sweepFailures(): Promise<void> {
  await db()
    .delete(signInFailures)
    .where(lt(signInFailures.at, sql`now() - make_interval(mins => ${DELAY_MINUTES})`));
}
