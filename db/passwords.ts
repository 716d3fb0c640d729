import { hash, verify } from '@node-rs/argon2';

// OWASP's parameters for Argon2id: 19 MiB, 2 passes, 1 lane.
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A password's argon2id hash in PHC form (decision 11). */
export function hashPassword(password: string): Promise<string> {
  return hash(password, PARAMETERS);
}

/** False also for an unreadable hash. */
export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, password).catch(() => false);
}
