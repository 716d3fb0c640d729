import { type AnyColumn, count, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { db } from '#db/client.ts';

/** Rows that a search counts, and with them its pages, at most: counting all of a hundred thousand is no use to anybody. */
export const FOUND_MAX = 1_000;
/** Characters of the shortest part of a word that the index of trigrams finds anywhere. */
const ANYWHERE_MIN = 3;

/**
 * Whether a text contains what was searched for, in any case, such that the index of trigrams can answer. One or two
 * characters are looked for at the beginning only.
 *
 * @param text lower case as the database has it
 */
export function containing(text: AnyColumn | SQL, search: string): SQL {
  const literal = search.toLowerCase().replace(/[\\%_]/g, '\\$&');
  const pattern = [...search].length < ANYWHERE_MIN ? `${literal}%` : `%${literal}%`;
  return sql`${text} like ${pattern}`;
}

/**
 * How many rows match. All of them where a list is only filtered, which indexes count quickly; up to `FOUND_MAX` for a
 * search.
 */
export async function countFound(
  table: PgTable,
  matching: SQL | undefined,
  isSearch: boolean,
): Promise<{ total: number; isMore: boolean }> {
  if (!isSearch) {
    const [found] = await db().select({ total: count() }).from(table).where(matching);
    return { total: found!.total, isMore: false };
  }
  const some = db()
    .select({ one: sql<number>`1`.as('one') })
    .from(table)
    .where(matching)
    .limit(FOUND_MAX + 1)
    .as('some');
  const [found] = await db().select({ total: count() }).from(some);
  const isMore = found!.total > FOUND_MAX;
  return { total: Math.min(found!.total, FOUND_MAX), isMore };
}
