import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { prepared } from './client.ts';

// One value of nested rows is parsed once; a row for each lesson costs several times as much.

export function jsonFields(fields: Record<string, SQLWrapper>): SQL {
  const named = Object.entries(fields).map(([name, value]) => sql`${value} as ${sql.identifier(name)}`);
  return sql.join(named, sql`, `);
}

export function jsonObject(fields: Record<string, SQLWrapper>): SQL {
  return sql`(select one from (select ${jsonFields(fields)}) one)`;
}

export function jsonArray(rows: SQL): SQL {
  return sql`(select coalesce(json_agg(one), '[]') from (${rows}) one)`;
}

/** A moment as `Date.prototype.toISOString` writes it. */
export function jsonTime(moment: SQLWrapper): SQL {
  return sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** The decimal string that travels (decision 14). */
export function jsonPrice(cents: SQLWrapper): SQL {
  return sql`to_char(${cents} / 100.0, 'FM999999990.00')`;
}

export function preparedJson<T>(name: string, rows: SQL): (values: Record<string, unknown>) => Promise<T[]> {
  const statement = prepared((database) =>
    database.select({ rows: sql<T[]>`coalesce(json_agg(one), '[]')` }).from(sql`(${rows}) one`).prepare(name),
  );
  return async (values) => (await statement().execute(values))[0]!.rows;
}
