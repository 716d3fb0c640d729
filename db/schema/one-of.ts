import { getTableColumns, sql } from 'drizzle-orm';
import { type AnyPgColumn, check } from 'drizzle-orm/pg-core';

export const listed = (values: readonly string[]) => sql.raw(values.map((value) => `'${value}'`).join(', '));

export const oneOf = (name: string, column: AnyPgColumn) => {
  // The column of a table's last argument has no list; the one of the table itself does.
  const { enumValues } = getTableColumns(column.table)[column.name]!;
  return check(name, sql`${column} in (${listed(enumValues!)})`);
};
