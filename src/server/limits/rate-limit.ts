import { RateLimiterDrizzle, RateLimiterRes } from 'rate-limiter-flexible';
import { db } from '#db/client.ts';
import { rateLimits } from '#db/schema/machinery.ts';
import { AppError } from '#src/shared/errors.ts';
import { type Limit, type LimitName, LIMITS } from './limits.ts';

const limiters = new Map<LimitName, { store: unknown; limiter: RateLimiterDrizzle }>();

function limiterOf(name: LimitName): RateLimiterDrizzle {
  const store = db();
  const known = limiters.get(name);
  if (known?.store === store) return known.limiter;
  const limit: Limit = LIMITS[name];
  const limiter = new RateLimiterDrizzle({
    storeClient: store,
    schema: rateLimits,
    keyPrefix: name,
    points: limit.points,
    duration: limit.seconds,
    // The library's sweep is a timer in every process; housekeeping.ts sweeps.
    clearExpiredByTimeout: false,
    // A key that is over its limit is refused from memory, so that a flood costs no queries.
    inMemoryBlockOnConsumed: limit.points + 1,
  });
  limiters.set(name, { store, limiter });
  return limiter;
}

/** Counts one use of `key` for all instances. @throws {AppError} too_many_requests with `Retry-After` */
export async function consume(limit: LimitName, key: string): Promise<void> {
  try {
    await limiterOf(limit).consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    throw passed(refusal);
  }
}

function passed({ msBeforeNext }: RateLimiterRes): AppError {
  return new AppError('too_many_requests', 'Too many requests. Please wait a moment and try again.', {
    retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  });
}

/**
 * Requires that `key` has uses left, without counting one.
 * @throws {AppError} too_many_requests with `Retry-After`
 */
export async function requireLeft(limit: LimitName, key: string): Promise<void> {
  const used = await limiterOf(limit).get(key);
  if (used && used.consumedPoints >= LIMITS[limit].points) throw passed(used);
}

export async function forgetUses(limit: LimitName, key: string): Promise<void> {
  await limiterOf(limit).delete(key);
}

/** Whether `key` may be used once more, counting the use; for limits that are kept silently (fault A15). */
export async function tryConsume(limit: LimitName, key: string): Promise<boolean> {
  try {
    await consume(limit, key);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_many_requests') return false;
    throw error;
  }
}
