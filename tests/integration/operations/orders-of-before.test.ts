import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { closeDatabase, connectDatabase, db } from '#db/client.ts';
import { MIGRATIONS_FOLDER, migrateDatabase, readJournal } from '#db/migrate.ts';
import { organisations } from '#db/schema/organisations.ts';
import { findAdminOrder } from '#src/features/admin/orders/orders.server.ts';
import { eventText } from '#src/features/admin/orders/orders.ts';
import { billedTo, correctedInvoice, paperNotes } from '#src/features/store/invoices/invoice.ts';
import { readOrderView } from '#src/features/store/orders/order-view.server.ts';
import { findOrder } from '#src/features/store/orders/orders.server.ts';
import { databaseOn } from '../../support/database-url.ts';

const { url: server } = inject('postgres');
const name = `of_before_${randomUUID().replaceAll('-', '')}`;
const admin = postgres(server, { max: 1, onnotice: () => {} });
let folder: string;

const billing = (country: string, vatNumber: string) =>
  JSON.stringify({
    company: 'Muster',
    address: 'Weg 1',
    country,
    vatNumber,
    purchaseOrder: '',
    costCentre: '',
  });

/**
 * From orders 1 to 4 somebody withdrew: 1 was paid back, 2 waits for a decision, 3 for its money, 4 was declined. The others
 * name a VAT number: on the invoice of 5, on the corrected one of 6, on 7, which has no invoice yet, and on 8, outside the Union.
 */
const ROWS = `
  insert into categories (id, name) values (1, 'Programming');
  insert into courses (title, description, price_cents, level, category_id, is_active)
    values ('Joins', 'Tables that meet.', 4900, 'advanced', 1, true);
  insert into users (username, email, password_hash, role) values ('Ada', 'ada@example.com', 'x', 'student');
  insert into orders (user_id, buyer_email, total_cents, refunded_cents, fingerprint, status, invoice_number, completed_at, consents)
    select 1, 'ada@example.com', 4900, case n when 1 then 4900 else 0 end, 'order ' || n,
      case n when 1 then 'refunded' else 'completed' end, 'INV-2026-00000' || n, now(), '{"at": "2026-05-01", "begin": "b", "loss": "l"}'
    from generate_series(1, 4) n;
  insert into order_items (order_id, course_id, price_cents, list_price_cents, title, refunded_at)
    select n, 1, 4900, 4900, 'Joins', case n when 1 then now() end from generate_series(1, 4) n;
  insert into refunds (order_id, order_item_id, amount_cents, status, reason, provider_refund_id, credit_note_number)
    values (1, 1, 4900, 'succeeded', 'withdrawal', 're_1', 'CN-2026-000001');
  insert into order_events (order_id, type, source, details) values
    (1, 'withdrawn', 'buyer', '{"itemIds": [1], "granted": true}'),
    (1, 'refund', 'buyer', '{"refundId": "re_1", "amountCents": 4900, "status": "succeeded", "itemId": 1}'),
    (2, 'withdrawn', 'buyer', '{"itemIds": [2], "granted": false}'),
    (3, 'withdrawal_accepted', 'admin', '{"itemId": 3}'),
    (4, 'withdrawal_declined', 'admin', '{"itemId": 4, "reason": "Too late."}');
  insert into withdrawals (order_id, order_item_id, name, email, country, state, doubt, made_at) values
    (1, 1, 'Ada', 'ada@example.com', 'DE', 'granted', null, '2026-05-02'),
    (2, 2, 'Ada', 'ada@example.com', 'DE', 'open', 'late', '2026-05-03'),
    (3, 3, 'Ada', 'ada@example.com', 'DE', 'accepted', 'begun', '2026-05-04'),
    (4, 4, 'Ada', 'ada@example.com', 'DE', 'declined', 'late', '2026-05-05');
  insert into withdrawal_tokens (order_id, token, expires_at) values (2, 'x', now());
  insert into organisations (name, billing) values ('Muster', '${billing('DE', 'DE123456789')}');
  insert into orders (user_id, organisation_id, buyer_email, total_cents, fingerprint, payment, status, invoice_number, completed_at,
      billing, correction)
    values
    (1, 1, 'ada@example.com', 4900, 'order 5', 'bank', 'completed', 'INV-2026-000005', now(), '${billing('DE', 'DE123456789')}', null),
    (1, 1, 'ada@example.com', 4900, 'order 6', 'bank', 'completed', 'INV-2026-000006', now(), null,
      '{"number": "INV-2026-000007", "at": "2026-05-01T00:00:00.000Z", "billing": ${billing('GR', 'EL123456789')}}'),
    (1, 1, 'ada@example.com', 4900, 'order 7', 'bank', 'pending', null, null, '${billing('DE', 'DE123456789')}', null),
    (1, 1, 'ada@example.com', 4900, 'order 8', 'bank', 'completed', 'INV-2026-000008', now(), '${billing('US', '12-3')}', null),
    (1, 1, 'ada@example.com', 4900, 'order 9', 'bank', 'completed', 'INV-2026-000009', now(), '${billing('DE', '')}', null)`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'academy-of-before-'));
  await cp(MIGRATIONS_FOLDER, folder, { recursive: true });
  const journal = readJournal();
  const before = journal.entries.slice(
    0,
    journal.entries.findIndex(({ tag }) => tag === '0059_no_withdrawals'),
  );
  await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries: before }));
  await admin.unsafe(`create database ${name}`);
  const url = databaseOn(server, name);
  await migrateDatabase(url, folder);
  const old = postgres(url, { max: 1, onnotice: () => {} });
  await old.unsafe(ROWS);
  await old.end();
  await migrateDatabase(url);
  await closeDatabase(1);
  connectDatabase(url, { max: 4 });
});

afterAll(async () => {
  await closeDatabase(1);
  await admin.unsafe(`drop database if exists ${name} with (force)`);
  await admin.end();
  await rm(folder, { recursive: true, force: true });
});

const storyOf = async (id: number) =>
  (await readOrderView((await findOrder(id))!)).story.map(({ text }) => text);

it('an order that was paid back after a withdrawal still says so, to its buyer and to administrators', async () => {
  expect(await storyOf(1)).toEqual([
    'You withdrew from “Joins”. The price goes back the way it was paid.',
    '$49.00 for “Joins” went back to the card.',
  ]);
  const view = await readOrderView((await findOrder(1))!);
  expect(view.refunds).toMatchObject([{ amountCents: 4900, creditNoteNumber: 'CN-2026-000001' }]);
  const order = (await findAdminOrder(1))!;
  expect(order.refunds).toMatchObject([{ amountCents: 4900, status: 'succeeded', reason: 'withdrawal' }]);
  expect(order.timeline.map(({ text }) => text).join()).toContain('The buyer withdrew from a course');
  expect(order.flag).toBeNull();
});

it.each([
  [2, 'the buyer withdrew from “Joins” on 2026-05-03, and nobody has decided it: it came after 14 days'],
  [3, 'the buyer withdrew from “Joins” on 2026-05-04, which was granted and is not paid back yet'],
])('order %i, whose withdrawal was not at its end, is marked for an administrator', async (id, flag) => {
  const order = (await findAdminOrder(id))!;
  expect(order.flag).toBe(flag);
  expect(order.timeline.map(({ text }) => text)).toContain(
    eventText({ type: 'flagged', source: 'system', toStatus: null, actorName: null, details: { flag } }),
  );
});

it('a withdrawal that was declined is in the order’s story with its reason, and marks nothing', async () => {
  expect(await storyOf(4)).toEqual(['We declined the withdrawal from “Joins”. Too late.']);
  expect((await findAdminOrder(4))!.flag).toBeNull();
});

const REVERSE =
  'Reverse charge: the tax is to be paid by the recipient (article 196 of directive 2006/112/EC).';

it.each([
  [5, 'Germany', 'VAT number DE123456789', REVERSE],
  [6, 'Greece', 'VAT number EL123456789', REVERSE],
  [7, 'Germany', null, null],
  [8, 'United States', 'VAT number 12-3', null],
  [9, 'Germany', null, null],
])('the paper of order %i says of VAT what it said when it was issued', async (id, country, number, note) => {
  const order = await readOrderView((await findOrder(id))!);
  const view = correctedInvoice(order) ?? order;
  expect(billedTo(view)).toEqual([
    'Muster',
    'Weg 1',
    country,
    ...(number ? [number] : []),
    'ada@example.com',
  ]);
  expect(paperNotes(view, view.seller.bank, 0)).toEqual(note ? [note] : []);
});

it('an organisation that gave a VAT number is asked and has none any more', async () => {
  const [row] = await db().select({ billing: organisations.billing }).from(organisations);
  expect(row!.billing).toEqual({
    company: 'Muster',
    address: 'Weg 1',
    country: 'DE',
    purchaseOrder: '',
    costCentre: '',
  });
});
