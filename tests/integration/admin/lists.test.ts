import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlClient } from '#db/client.ts';
import { makeCategories } from '../../support/factories.ts';
import { figures, thingsToDo } from '#src/features/admin/insights/analytics.server.ts';
import { listChanges } from '#src/features/admin/operations/audit-log.server.ts';
import { FOUND_MAX } from '#src/features/admin/shell/list-search.server.ts';
import { listMails } from '#src/features/admin/operations/mail-outbox.server.ts';
import { listAdminOrders } from '#src/features/admin/orders/orders.server.ts';
import { findPerson } from '#src/features/admin/people/people.server.ts';
import { listUsers } from '#src/features/admin/people/users.server.ts';
import { makeManyRows } from '../../support/many-rows.ts';

// Enough that reading a whole table is never the cheapest way to a page of it.
const COUNT = 40_000;
const BIG = ['users', 'orders', 'order_items', 'enrollments'];

let own: postgres.Sql;
beforeAll(async () => {
  await makeCategories();
  own = postgres(process.env.DATABASE_URL!, { max: 1, onnotice: () => {} });
  await makeManyRows(own, COUNT);
}, 180_000);
afterAll(() => own.end());

type Plan = { 'Node Type': string; 'Relation Name'?: string; Plans?: Plan[] };

function scansIn(plan: Plan): string[] {
  const here = plan['Node Type'] === 'Seq Scan' && plan['Relation Name'] ? [plan['Relation Name']] : [];
  return [...here, ...(plan.Plans ?? []).flatMap(scansIn)];
}

/** The queries that some work makes, each with the big tables that it reads from end to end. */
async function tablesReadWhole(work: () => Promise<unknown>): Promise<string[]> {
  const asked: { query: string; values: unknown[] }[] = [];
  const client = sqlClient();
  const unsafe = client.unsafe;
  client.unsafe = ((query: string, values: unknown[] = [], options?: object) => {
    asked.push({ query, values });
    return unsafe(query, values as never[], options);
  }) as typeof client.unsafe;
  try {
    await work();
  } finally {
    client.unsafe = unsafe;
  }
  expect(asked.length).toBeGreaterThan(0);
  const found: string[] = [];
  for (const { query, values } of asked) {
    if (!/^\s*(select|with)\b/i.test(query)) continue;
    const rows = await own.unsafe(`explain (format json) ${query}`, values as never[]);
    const [{ Plan: plan }] = rows[0]!['QUERY PLAN'] as [{ Plan: Plan }];
    // The number of all accounts needs each of them, and the table may be as narrow as its indexes.
    if (/^select count\(\*\) from "users"$/.test(query)) continue;
    for (const table of scansIn(plan)) if (BIG.includes(table)) found.push(`${table}: ${query}`);
  }
  return found;
}

const users = (query: Partial<Parameters<typeof listUsers>[0]>) =>
  listUsers({ search: '', role: null, page: 1, ...query });
const orders = (query: Partial<Parameters<typeof listAdminOrders>[0]>) =>
  listAdminOrders({ search: '', filter: null, page: 1, ...query });

describe('lists of tens of thousands', () => {
  it.each([
    ['users, newest', () => users({})],
    ['users, oldest', () => users({ sort: 'oldest' })],
    ['users by name', () => users({ sort: 'name' })],
    ['users by email', () => users({ sort: 'email' })],
    ['administrators', () => users({ role: 'admin' })],
    ['administrators by name', () => users({ role: 'admin', sort: 'name' })],
    ['users by a part of a rare name', () => users({ search: 'lace1234' })],
    ['users by a full address', () => users({ search: 'ada.lovelace460@example.com' })],
    ['users by nothing that exists', () => users({ search: 'zzzzzz' })],
    ['users by the first letters', () => users({ search: 'zz' })],
    ['orders', () => orders({})],
    ['a page in the middle of the orders', () => orders({ page: 40 })],
    ['orders that wait', () => orders({ filter: 'waiting' })],
    ['orders with money back', () => orders({ filter: 'back' })],
    ['orders to look at', () => orders({ filter: 'look' })],
    ['orders by number', () => orders({ search: '#77' })],
    ['orders by invoice', () => orders({ search: 'INV-2020-000077' })],
    ['orders by a part of an invoice', () => orders({ search: 'INV-2020-0000' })],
    ['orders by a part of an address', () => orders({ search: 'lace1234' })],
    ['orders by nothing that exists', () => orders({ search: 'zzzzzz' })],
    ['orders by payment', () => orders({ search: 'pi_nothing' })],
    ['a person', () => findPerson(500)],
    ['things to do', () => thingsToDo()],
    ['the audit log', () => listChanges({ search: '', subject: null, page: 1 })],
    ['mails', () => listMails({ search: 'ada7@example.com', status: null, page: 1 })],
  ])('never read a big table whole: %s', async (_name, work) => {
    expect(await tablesReadWhole(work)).toEqual([]);
  });

  it('would notice a table that is read whole', async () => {
    const [found] = await tablesReadWhole(() =>
      sqlClient().unsafe(`select id from users where username || '' = 'Ada'`),
    );
    expect(found).toMatch(/^users:/);
    expect(sql).toBeDefined();
  });

  it('count exactly what is only filtered, and up to a bound what is searched', async () => {
    expect((await users({})).total).toBe(COUNT);
    const many = await users({ search: 'example' });
    expect([many.total, many.isMore, many.users.length]).toEqual([FOUND_MAX, true, 20]);
    expect((await users({ search: 'example', page: 999 })).page).toBe(FOUND_MAX / 20);
    const few = await users({ search: 'ada.lovelace460@' });
    expect([few.total, few.isMore]).toEqual([1, false]);
    expect((await orders({ search: 'inv-2020-' })).isMore).toBe(true);
    expect((await figures()).totalStudents).toBeGreaterThan(0);
  });
});
