import { readFile } from 'node:fs/promises';
import { asc, eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeCourse, makeUser } from '#db/factories.ts';
import { orderFlags, orderItems, orders, refunds } from '#db/schema/store.ts';

class RollBack extends Error {}

it('carries what orders were marked for, and what their log decided, into columns', async () => {
  const file = await readFile(new URL('../../db/migrations/0028_order_flags.sql', import.meta.url), 'utf8');
  const [course, admin] = [await makeCourse(), await makeUser()];
  const work = db().transaction(async (tx) => {
    // The tables as they were before.
    await tx.execute(sql`drop table order_flags`);
    await tx.execute(
      sql`alter table orders drop payment_canceled_at, drop intent_failures, drop anonymised_at, add flag text`,
    );
    await tx.execute(sql`alter table order_items drop bought_twice`);
    await tx.execute(sql`alter table refunds drop failures`);
    await tx.execute(sql`create index orders_flag_idx on orders (id) where flag is not null`);
    const order = async (flag: string | null, name = 'Ada') => {
      const [row] = await tx.execute<{ id: number }>(sql`
        insert into orders (buyer_email, buyer_first_name, buyer_last_name, total_cents, fingerprint, flag)
        values ('', ${name}, 'customer', 4900, ${crypto.randomUUID()}, ${flag}) returning id`);
      return row!.id;
    };
    const event = (id: number, type: string, details: object, actor: number | null = null) =>
      tx.execute(sql`insert into order_events (order_id, type, source, actor_id, details)
        values (${id}, ${type}, 'system', ${actor}, ${JSON.stringify(details)}::jsonb)`);

    const TWICE = 'bought what the buyer owned already; refunded automatically';
    const open = await order(`${TWICE}; refund re_1 failed and the buyer was not paid; by hand`);
    await event(open, 'flagged', { flag: TWICE });
    await event(open, 'flagged', { flag: 'refund re_1 failed and the buyer was not paid' });
    await event(open, 'intent_refused', {});
    await event(open, 'intent_refused', {});
    const [item] = await tx.execute<{ id: number }>(sql`
      insert into order_items (order_id, course_id, price_cents, list_price_cents, title)
      values (${open}, ${course.id}, 4900, 4900, 'SQL') returning id`);
    await event(open, 'duplicate_lines', { itemIds: [item!.id] });
    const [refund] = await tx.execute<{ id: number }>(sql`
      insert into refunds (order_id, amount_cents) values (${open}, 4900) returning id`);
    await event(open, 'refund_unanswered', { refundRow: refund!.id });

    const settled = await order(null);
    await event(settled, 'payment_mismatch', { reason: 'paid in eur instead of usd' });
    await event(settled, 'flagged', { flag: 'paid in eur instead of usd' });
    await event(settled, 'flagged', { flag: 'paid without a name and an email' });
    await event(
      settled,
      'flag_cleared',
      {
        flag: 'paid in eur instead of usd; paid without a name and an email',
        note: 'Called them',
      },
      admin.id,
    );
    await event(settled, 'payment_canceled', { reason: null });
    const gone = await order(null, 'Deleted');

    for (const statement of file.split('--> statement-breakpoint')) await tx.execute(sql.raw(statement));

    const flagsOf = (id: number) =>
      tx.select().from(orderFlags).where(eq(orderFlags.orderId, id)).orderBy(asc(orderFlags.id));
    expect(await flagsOf(open)).toMatchObject([
      { kind: 'bought_twice', subject: '', settledAt: null },
      { kind: 'refund_failed', subject: 're_1', settledAt: null },
      { kind: 'other', subject: 'by hand', settledAt: null },
    ]);
    const byAdmin = { settledAt: expect.any(Date), settledBy: admin.id, note: 'Called them' };
    expect(await flagsOf(settled)).toMatchObject([
      { kind: 'payment_mismatch', subject: 'paid in eur instead of usd', ...byAdmin },
      { kind: 'without_buyer', subject: '', ...byAdmin },
    ]);
    const rows = await tx.select().from(orders).orderBy(asc(orders.id));
    expect(rows).toMatchObject([
      { id: open, intentFailures: 2, paymentCanceledAt: null, anonymisedAt: null },
      { id: settled, intentFailures: 0, paymentCanceledAt: expect.any(Date), anonymisedAt: null },
      { id: gone, anonymisedAt: expect.any(Date) },
    ]);
    expect(await tx.select().from(orderItems)).toMatchObject([{ boughtTwice: true }]);
    expect(await tx.select().from(refunds)).toMatchObject([{ failures: 1 }]);
    throw new RollBack();
  });
  await expect(work).rejects.toBeInstanceOf(RollBack);
});
