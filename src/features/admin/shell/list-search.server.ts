import { type AnyColumn, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { db } from '#db/client.ts';

/** Counted rows of a search: an exact hundred thousand has no use. */
export const FOUND_MAX = 1_000;
/** Characters that a trigram index needs. */
const ANYWHERE_MIN = 3;

/**
 * Case-insensitive contains, for the trigram index; one or two characters match beginnings only.
 * @param text lower case
 */
export function containing(text: AnyColumn | SQL, search: string): SQL {
  const literal = search.toLowerCase().replace(/[\\%_]/g, '\\$&');
  const pattern = [...search].length < ANYWHERE_MIN ? `${literal}%` : `%${literal}%`;
  return sql`${text} like ${pattern}`;
}

/** All rows of a filtered list, which indexes count fast; up to `FOUND_MAX` of a search. */
export async function countFound(
  table: PgTable,
  matching: SQL | undefined,
  isSearch: boolean,
): Promise<{ total: number; isMore: boolean }> {
  if (!isSearch) return { total: await db().$count(table, matching), isMore: false };
  const some = db()
    .select({ one: sql<number>`1`.as('one') })
    .from(table)
    .where(matching)
    .limit(FOUND_MAX + 1)
    .as('some');
  const total = await db().$count(some);
  return { total: Math.min(total, FOUND_MAX), isMore: total > FOUND_MAX };
}
