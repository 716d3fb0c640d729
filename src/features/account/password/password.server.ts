import { Turns } from '#db/turns.ts';
import { hashPassword, verifyPassword } from '#db/passwords.ts';
import { AppError } from '#src/shared/errors.ts';
import { newSecret } from '#src/features/account/session.server.ts';

/** 19 MiB each, on the thread pool of files and DNS. */
const HASHES_AT_ONCE = 2;
/** Beyond it a flood is refused. */
const HASHES_WAITING_MAX = 100;

const gate = new Turns(HASHES_AT_ONCE);

function gated<T>(work: () => Promise<T>): Promise<T> {
  if (gate.waiting >= HASHES_WAITING_MAX) {
    throw new AppError('unavailable', 'The service is busy. Please try again in a moment.', {
      retryAfterSeconds: 3,
    });
  }
  return gate.run(work);
}

let dummy: Promise<string> | undefined;

/** As expensive as a real hash; no password matches. */
function dummyHash(): Promise<string> {
  dummy ??= hashPassword(newSecret());
  return dummy;
}

const COMMON_PASSWORDS = 10_000;

let commonPasswords: Promise<Set<string>> | undefined;

export async function isCommonPassword(password: string): Promise<boolean> {
  commonPasswords ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const byRank = dictionary['passwords-common'] as string[];
    return new Set(byRank.slice(0, COMMON_PASSWORDS));
  });
  return (await commonPasswords).has(password.toLowerCase());
}

/** @param field of the form @throws {AppError} invalid_input */
export async function refuseCommonForAdmins(
  role: 'student' | 'admin',
  password: string,
  field: string,
): Promise<void> {
  if (role !== 'admin' || !(await isCommonPassword(password))) return;
  const message = 'This password is one of the commonest. Administrators need one that is harder to guess.';
  throw new AppError('invalid_input', message, { fields: { [field]: message } });
}

export async function hashNewPassword(password: string): Promise<string> {
  return gated(() => hashPassword(password));
}

/**
 * Hashes even without a stored hash, so that time reveals nothing (fault A5).
 * @param ownTurn wraps the work, so that a burst is counted one by one
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
