import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq, lt, sql } from 'drizzle-orm';
import { db, type Executor } from '#db/client.ts';
import { signInFailures } from '#db/schema/account.ts';
import { AppError } from '#src/shared/errors.ts';

/** Fault A1. */
export const FAILURES_MAX = 10;
const FAILURES_MINUTES = 10;
/** Decision 11. */
const FREE_FAILURES = 5;
const DELAY_MINUTES = 15;
const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 4000;

/** A hash: the table has no emails and addresses. */
export function pairKey(email: string, ip: string): string {
  return createHash('sha256').update(`${email}\n${ip}`).digest('hex');
}

export function delayAfter(failures: number): number {
  if (failures < FREE_FAILURES) return 0;
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - FREE_FAILURES));
}

export type Attempt = { id: number; key: string };

/**
 * Counts first, so that a burst tries no more passwords than a sequence; `forgive` undoes it.
 * @throws {AppError} too_many_requests for this pair
 */
export async function beginAttempt(email: string, ip: string): Promise<Attempt> {
  const key = pairKey(email, ip);
  const { id, recent } = await db().transaction(async (tx) => {
    // Serialises the attempts of one pair.
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

export async function withdraw(attempt: Attempt): Promise<void> {
  await db().delete(signInFailures).where(eq(signInFailures.id, attempt.id));
}

export async function forgive(attempt: Attempt, executor: Executor): Promise<void> {
  await executor.delete(signInFailures).where(eq(signInFailures.key, attempt.key));
}

export async function sweepFailures(): Promise<void> {
  await db()
    .delete(signInFailures)
    .where(lt(signInFailures.at, sql`now() - make_interval(mins => ${DELAY_MINUTES})`));
}
