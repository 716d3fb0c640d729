import pLimit from 'p-limit';
import { hashPassword, verifyPassword } from '#db/passwords.ts';
import { AppError } from '#src/shared/errors.ts';
import { newSecret } from './session.server.ts';

/**
 * Hashes computed at once. Each takes 19 MiB and a thread of the pool that also serves files and name look-ups; two
 * leave the others free.
 */
const HASHES_AT_ONCE = 2;
/** Hashes that may wait; a flood beyond it is refused instead of queued for minutes. */
const HASHES_WAITING_MAX = 100;

const gate = pLimit(HASHES_AT_ONCE);

function gated<T>(work: () => Promise<T>): Promise<T> {
  if (gate.pendingCount >= HASHES_WAITING_MAX) {
    throw new AppError('unavailable', 'The service is busy. Please try again in a moment.', {
      retryAfterSeconds: 3,
    });
  }
  return gate(work);
}

let dummy: Promise<string> | undefined;

/** A hash that no password opens, as expensive as a real one. */
function dummyHash(): Promise<string> {
  dummy ??= hashPassword(newSecret());
  return dummy;
}

/** The argon2id hash of a new password; waits its turn. */
export async function hashNewPassword(password: string): Promise<string> {
  return gated(() => hashPassword(password));
}

/**
 * Whether `password` is the one hashed. Without a hash (unknown email, account without password) it computes one all
 * the same, so that the time tells nothing (fault A5).
 */
export async function checkPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const substitute = await dummyHash();
  const matches = await gated(() => verifyPassword(passwordHash ?? substitute, password));
  return matches && passwordHash !== null;
}
