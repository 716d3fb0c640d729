import pLimit from 'p-limit';
import { hashPassword, verifyPassword } from '#db/passwords.ts';
import { AppError } from '#src/shared/errors.ts';
import { newSecret } from '#src/features/account/session.server.ts';

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

/** How many of the commonest passwords an administrator may not have. */
const COMMON_PASSWORDS = 10_000;

let commonPasswords: Promise<Set<string>> | undefined;

/** Whether a password is one of the commonest, whatever its case. The list is read at its first use. */
export async function isCommonPassword(password: string): Promise<boolean> {
  commonPasswords ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const byRank = dictionary['passwords-common'] as string[];
    return new Set(byRank.slice(0, COMMON_PASSWORDS));
  });
  return (await commonPasswords).has(password.toLowerCase());
}

/**
 * Keeps administrators from the commonest passwords.
 *
 * @param field of the form that the message belongs to
 * @throws {AppError} invalid_input
 */
export async function refuseCommonForAdmins(
  role: 'student' | 'admin',
  password: string,
  field: string,
): Promise<void> {
  if (role !== 'admin' || !(await isCommonPassword(password))) return;
  const message = 'This password is one of the commonest. Administrators need one that is harder to guess.';
  throw new AppError('invalid_input', message, { fields: { [field]: message } });
}

/** The argon2id hash of a new password; waits its turn. */
export async function hashNewPassword(password: string): Promise<string> {
  return gated(() => hashPassword(password));
}

/**
 * Whether `password` is the one hashed. Without a hash (unknown email, account without password) it computes one all
 * the same, so that the time tells nothing (fault A5).
 *
 * @param ownTurn around the work once its turn has come: what a limit counts is then decided one after the other, and not
 *   for a whole burst at once
 */
export async function checkPassword(
  passwordHash: string | null,
  password: string,
  ownTurn: (check: () => Promise<boolean>) => Promise<boolean> = (check) => check(),
): Promise<boolean> {
  const substitute = await dummyHash();
  return gated(() =>
    ownTurn(async () => {
      const matches = await verifyPassword(passwordHash ?? substitute, password);
      return matches && passwordHash !== null;
    }),
  );
}
