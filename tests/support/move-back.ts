import { type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { db } from '#db/client.ts';

/** A stretch of time. Of at least a second, since PostgreSQL rounds moments to milliseconds. */
export type Stretch = { days?: number; hours?: number; minutes?: number; seconds?: number };

/** The columns of a table that hold moments. */
type Moments<T extends PgTable> = {
  [K in keyof T['$inferSelect'] as Extract<T['$inferSelect'][K], Date> extends never ? never : K]?: Stretch;
};

/**
 * Lets what rows say about moments be so long ago, by the clock of the database, which is the one that the product asks:
 * `await moveBack(sessions, eq(sessions.id, id), { expiresAt: { seconds: 1 } })`.
 *
 * @param where which rows; every one of the table where it is undefined
 */
export async function moveBack<T extends PgTable>(
  table: T,
  where: SQL | undefined,
  moments: Moments<T>,
): Promise<void> {
  const set = Object.entries<Stretch | undefined>(moments).map(([column, stretch]) => {
    const { days = 0, hours = 0, minutes = 0, seconds = 0 } = stretch ?? {};
    return [
      column,
      sql`now() - make_interval(days => ${days}, hours => ${hours}, mins => ${minutes}, secs => ${seconds})`,
    ];
  });
  await db().update(table).set(Object.fromEntries(set)).where(where);
}
