import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db, prepared } from '#db/client.ts';
import { makeCourse, makeUser } from '../../support/factories.ts';
import { users } from '#db/schema/account.ts';
import { courses } from '#db/schema/catalogue.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { ledgerEntries, orderEvents, orderItems, orders } from '#db/schema/store.ts';
import { isUniqueViolation, isUnstorableText } from '#src/server/database-errors.ts';
import { queueMail } from '#src/server/mail/mail.ts';

async function makeOrder(status: 'pending' | 'completed' = 'pending') {
  const [order] = await db()
    .insert(orders)
    .values({
      buyerEmail: 'buyer@example.com',
      totalCents: 4900,
      fingerprint: crypto.randomUUID(),
      status,
      invoiceNumber: status === 'completed' ? crypto.randomUUID() : null,
    })
    .returning();
  return order!;
}

const moved = (id: number, status: typeof orders.$inferInsert.status) =>
  db()
    .update(orders)
    .set({ status, invoiceNumber: `INV-${id}` })
    .where(eq(orders.id, id));

describe('the schema', () => {
  it('keeps one account per address whatever its case', async () => {
    await makeUser({ email: 'ada@example.com' });
    await expect(makeUser({ email: 'ada@example.com' })).rejects.toSatisfy((error) =>
      isUniqueViolation(error),
    );
    await expect(makeUser({ email: 'Ada@example.com' })).rejects.toThrow();
  });

  it('refuses prices between free and the provider minimum, and negative ones', async () => {
    for (const priceCents of [-1, 1, 49, 10_000_000_000])
      await expect(makeCourse({ priceCents })).rejects.toThrow();
    expect((await makeCourse({ priceCents: 0 })).priceCents).toBe(0);
    expect((await makeCourse({ priceCents: 50 })).priceCents).toBe(50);
  });

  it('refuses a rating above 5', async () => {
    await expect(makeCourse({ rating: '5.01' })).rejects.toThrow();
  });

  it('tells text that cannot be stored from other failures', async () => {
    await expect(makeUser({ username: 'a\0b' })).rejects.toSatisfy(isUnstorableText);
  });

  it('refuses to delete a course that somebody bought', async () => {
    const course = await makeCourse();
    const order = await makeOrder();
    await db()
      .insert(orderItems)
      .values({ orderId: order.id, courseId: course.id, priceCents: 4900, listPriceCents: 4900, title: 'x' });
    await expect(db().delete(courses).where(eq(courses.id, course.id))).rejects.toThrow();
  });
});

describe('orders', () => {
  it('move along the allowed states only', async () => {
    const order = await makeOrder();
    await moved(order.id, 'expired');
    await expect(moved(order.id, 'pending')).rejects.toThrow();
    await moved(order.id, 'completed');
    await expect(moved(order.id, 'failed')).rejects.toThrow();
    await moved(order.id, 'disputed');
    await moved(order.id, 'refunded');
    await expect(moved(order.id, 'completed')).rejects.toThrow();
  });

  it('are not completed without an invoice number', async () => {
    const order = await makeOrder();
    await expect(
      db().update(orders).set({ status: 'completed' }).where(eq(orders.id, order.id)),
    ).rejects.toThrow();
  });

  it('keep their event log', async () => {
    const order = await makeOrder();
    await db().insert(orderEvents).values({ orderId: order.id, type: 'created', source: 'buyer' });
    await expect(db().update(orderEvents).set({ type: 'other' })).rejects.toThrow();
  });
});

describe('the ledger', () => {
  it('takes only movements that add up to zero, and keeps them', async () => {
    const order = await makeOrder();
    const entry = (
      movement: string,
      account: 'provider_clearing' | 'course_revenue',
      amountCents: number,
    ) => ({
      movement,
      orderId: order.id,
      account,
      amountCents,
    });
    await expect(
      db()
        .insert(ledgerEntries)
        .values(entry('payment:1', 'provider_clearing', 4900)),
    ).rejects.toThrow();
    await db()
      .insert(ledgerEntries)
      .values([entry('payment:2', 'provider_clearing', 4900), entry('payment:2', 'course_revenue', -4900)]);
    const told = await db()
      .select({ kind: ledgerEntries.kind, subject: ledgerEntries.subject })
      .from(ledgerEntries);
    expect(told).toEqual([
      { kind: 'payment', subject: '2' },
      { kind: 'payment', subject: '2' },
    ]);
    await expect(
      db()
        .insert(ledgerEntries)
        .values([entry('gift:3', 'provider_clearing', 4900), entry('gift:3', 'course_revenue', -4900)]),
    ).rejects.toMatchObject({ cause: { message: expect.stringContaining('ledger_entries_kind') } });
    await expect(db().update(ledgerEntries).set({ amountCents: 1 })).rejects.toThrow();
    await expect(db().delete(ledgerEntries)).rejects.toThrow();
  });
});

describe('a prepared statement', () => {
  const nameOf = prepared((database) =>
    database
      .select({ username: users.username })
      .from(users)
      .where(eq(users.id, sql.placeholder('id')))
      .prepare('name_of_user'),
  );

  it('gives what is there when it is asked', async () => {
    const { id, username } = await makeUser();
    expect(await nameOf().execute({ id })).toEqual([{ username }]);
    await db().update(users).set({ username: 'renamed_since' }).where(eq(users.id, id));
    expect(await nameOf().execute({ id })).toEqual([{ username: 'renamed_since' }]);
  });

  it('refuses the pool inside a transaction', async () => {
    await expect(db().transaction(async () => nameOf())).rejects.toThrow('must use the transaction');
  });
});

describe('the mail outbox', () => {
  const mail = { template: 'receipt' as const, to: 'a@example.com', subject: 'Hello', text: 'Hello.' };
  const queued = () => db().select().from(mailOutbox).where(eq(mailOutbox.template, 'receipt'));

  it('holds a mail exactly if its transaction commits', async () => {
    await db()
      .transaction(async (tx) => {
        await queueMail(tx, mail);
        tx.rollback();
      })
      .catch(() => {});
    expect(await queued()).toHaveLength(0);
    await db().transaction((tx) => queueMail(tx, mail));
    expect(await queued()).toHaveLength(1);
    const jobs = await db().execute(
      sql`select count(*)::int as count from pgboss.job where name = 'mail.deliver'`,
    );
    expect(jobs[0]?.count).toBe(1);
  });

  it('takes one mail per occasion', async () => {
    await Promise.all(
      [1, 2, 3].map(() => queueMail(db(), { ...mail, template: 'refund', dedupeKey: 'receipt:1' })),
    );
    expect(await db().select().from(mailOutbox).where(eq(mailOutbox.template, 'refund'))).toHaveLength(1);
  });

  it('strips line breaks from addresses and subjects', async () => {
    await queueMail(db(), {
      ...mail,
      template: 'organisation-invitation',
      subject: 'Hi\r\nBcc: x@example.com',
    });
    const [row] = await db()
      .select()
      .from(mailOutbox)
      .where(eq(mailOutbox.template, 'organisation-invitation'));
    expect(row?.subject).toBe('Hi Bcc: x@example.com');
  });
});
