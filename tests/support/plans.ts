import type postgres from 'postgres';
import { sqlClient } from '#db/client.ts';

type Plan = { 'Node Type': string; 'Relation Name'?: string; Plans?: Plan[] };

function scansIn(plan: Plan): string[] {
  const here = plan['Node Type'] === 'Seq Scan' && plan['Relation Name'] ? [plan['Relation Name']] : [];
  return [...here, ...(plan.Plans ?? []).flatMap(scansIn)];
}

/**
 * The queries that some work makes, each with the tables of `big` that its plan reads from end to end.
 *
 * @param own a connection to explain on; the pool's own goes on with its work
 */
export async function wholeReads(
  own: postgres.Sql,
  big: readonly string[],
  work: () => Promise<unknown>,
): Promise<{ queries: number; found: string[] }> {
  const asked: { query: string; values: unknown[] }[] = [];
  const client = sqlClient();
  const { unsafe, begin } = client;
  const noting = (run: typeof unsafe) =>
    ((query: string, values: unknown[] = [], options?: object) => {
      asked.push({ query, values });
      return run(query, values as never[], options);
    }) as typeof unsafe;
  client.unsafe = noting(unsafe);
  client.begin = ((run: (tx: postgres.TransactionSql) => Promise<unknown>) =>
    begin((tx) => run(Object.assign(tx, { unsafe: noting(tx.unsafe) })))) as typeof begin;
  try {
    await work();
  } finally {
    Object.assign(client, { unsafe, begin });
  }
  const found: string[] = [];
  let queries = 0;
  for (const { query, values } of asked) {
    if (!/^\s*(select|with|insert|update|delete)\b/i.test(query)) continue;
    queries += 1;
    const rows = await own.unsafe(`explain (format json) ${query}`, values as never[]);
    const [{ Plan: plan }] = rows[0]!['QUERY PLAN'] as [{ Plan: Plan }];
    for (const table of scansIn(plan)) if (big.includes(table)) found.push(`${table}: ${query}`);
  }
  return { queries, found };
}
