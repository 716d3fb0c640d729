/** SQLSTATE classes and driver codes that mean "not now", as against "never". */
const PASSING =
  /^(08...|53...|57P0[1-5]|57014|40001|40P01|55P03|25P03|(CONNECT|ANSWER)_TIMEOUT|CONNECTION_(CLOSED|ENDED|DESTROYED)|POOL_EXHAUSTED)$/;
const PASSING_OF_A_SOCKET = /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOENT)$/;

type Found = { code: string; constraint: string | undefined; isOfQuery: boolean };

function databaseCode(error: unknown): Found | null {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1) {
    const { code, constraint_name: constraint } = cause as { code?: unknown; constraint_name?: string };
    // The driver notes on an error which query it ended.
    if (typeof code === 'string')
      return { code, constraint, isOfQuery: 'query' in cause && 'parameters' in cause };
  }
  return null;
}

export function isPassingDatabaseError(error: unknown): boolean {
  const found = databaseCode(error);
  if (!found) return false;
  return PASSING.test(found.code) || (found.isOfQuery && PASSING_OF_A_SOCKET.test(found.code));
}

/** Fault F9. */
export function isDiskFull(error: unknown): boolean {
  return /^(ENOSPC|EDQUOT)$/.test(databaseCode(error)?.code ?? '');
}

/** Fault N2: PostgreSQL cannot store it. */
export function isUnstorableText(error: unknown): boolean {
  const code = databaseCode(error)?.code;
  return code === '22021' || code === '22P05' || code === '22003';
}

/** Of any name, or of `constraint`. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const found = databaseCode(error);
  return found?.code === '23505' && (constraint === undefined || found.constraint === constraint);
}

/** By any reference, or by `constraint`. */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  const found = databaseCode(error);
  return found?.code === '23503' && (constraint === undefined || found.constraint === constraint);
}

/** The transaction may be tried again as it was (fault F3). */
function isSerializationFailure(error: unknown): boolean {
  const code = databaseCode(error)?.code;
  return code === '40001' || code === '40P01';
}

/**
 * Runs `work` up to three times on a deadlock or serialization conflict (fault F3). `work` must be one whole
 * transaction.
 */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= 3 || !isSerializationFailure(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10 * 2 ** attempt * Math.random()));
    }
  }
}
