import { RateLimiterDrizzle, RateLimiterRes } from 'rate-limiter-flexible';
import { db } from '#db/client.ts';
import { rateLimits } from '#db/schema/machinery.ts';
import { AppError } from '#src/shared/errors.ts';

/** At most `points` in `seconds`; `name` keeps one limit's counters apart from another's. */
export type Limit = { name: string; points: number; seconds: number };

const limiters = new Map<string, { store: unknown; limiter: RateLimiterDrizzle }>();

function limiterOf(limit: Limit): RateLimiterDrizzle {
  const store = db();
  const known = limiters.get(limit.name);
  if (known?.store === store) return known.limiter;
  const limiter = new RateLimiterDrizzle({
    storeClient: store,
    schema: rateLimits,
    keyPrefix: limit.name,
    points: limit.points,
    duration: limit.seconds,
    // Expired rows are swept by a job (see housekeeping.ts): the library's sweep is a timer in every process.
    clearExpiredByTimeout: false,
    // A key that is over its limit is refused from memory, so that a flood costs no queries.
    inMemoryBlockOnConsumed: limit.points + 1,
  });
  limiters.set(limit.name, { store, limiter });
  return limiter;
}

/**
 * Counts one use of `key` against a limit shared by all instances.
 *
 * @throws {AppError} too_many_requests with `Retry-After` when the limit is passed
 */
export async function consume(limit: Limit, key: string): Promise<void> {
  try {
    await limiterOf(limit).consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const retryAfterSeconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    throw new AppError('too_many_requests', 'Too many requests. Please wait a moment and try again.', {
      retryAfterSeconds,
    });
  }
}

/** Whether `key` may be used once more, counting the use; for limits that are kept silently (fault A15). */
export async function tryConsume(limit: Limit, key: string): Promise<boolean> {
  try {
    await consume(limit, key);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_many_requests') return false;
    throw error;
  }
}
