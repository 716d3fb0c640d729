import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeUser } from '#db/factories.ts';
import { auditLog } from '#db/schema/account.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { orderEvents, orders, withdrawals } from '#db/schema/store.ts';
import { POST as decideRoute } from '#src/pages/api/admin/withdrawals/[id].ts';
import { POST as withdrawRoute } from '#src/pages/api/withdrawals.ts';
import { POST as lookUpRoute } from '#src/pages/api/withdrawals/look-up.ts';
import { refundLine } from '#src/features/store/refunds/refunds.server.ts';
import { refundWithdrawnJob } from '#src/features/store/withdrawals/withdrawals.server.ts';
import { callRoute, signIn } from '../support/api.ts';
import { buyAsGuest, claimByMail, enrollmentOf, makeGuest } from '../support/guests.ts';
import {
  checkOut,
  expectReconciled,
  enrollmentsOf,
  itemsOfOrder,
  makeBuyer,
  orderOf,
  type Payments,
  pay,
  refundsOf,
  startPayments,
} from '../support/payments.ts';

let payments: Payments;
let admin: Awaited<ReturnType<typeof makeAdmin>>;
beforeAll(async () => {
  payments = await startPayments();
  admin = await makeAdmin();
});
afterAll(() => payments.close());

let visitors = 0;
/** Everybody comes from an address of their own, so that no limit is met by chance. */
const post = (route: Parameters<typeof callRoute>[0], body: unknown) => {
  visitors += 1;
  return callRoute(route, { method: 'POST', body, ip: `203.0.113.${visitors}` });
};

async function bought(...prices: number[]) {
  const buyer = await makeBuyer(...prices);
  const { orderId, intentId } = await checkOut(buyer);
  expect(await pay(payments, intentId)).toBe('succeeded');
  await payments.sandbox.control.settled();
  const items = await itemsOfOrder(orderId);
  const { email } = buyer.user;
  return { buyer, orderId, intentId, items, email, itemIds: items.map(({ id }) => id) };
}

type Bought = Pick<Awaited<ReturnType<typeof bought>>, 'orderId' | 'email' | 'itemIds'>;
const withdraw = ({ orderId, email, itemIds }: Bought, more = {}) =>
  post(withdrawRoute, { orderId, email, name: 'Ada Lovelace', country: 'DE', itemIds, ...more });

const rowsOf = (orderId: number) =>
  db().select().from(withdrawals).where(eq(withdrawals.orderId, orderId)).orderBy(withdrawals.id);
const mailsOf = async (email: string, template: string) =>
  (await db().select().from(mailOutbox).where(eq(mailOutbox.recipient, email))).filter(
    (mail) => mail.template === template,
  );
/** Makes an order as old as that. */
const age = (orderId: number, days: number) =>
  db()
    .update(orders)
    .set({ completedAt: sql`now() - make_interval(days => ${days})` })
    .where(eq(orders.id, orderId));

/** Does what the queue holds for an order, as its worker would. */
async function work(orderId: number) {
  for (const { orderItemId, state } of await rowsOf(orderId)) {
    if (state !== 'granted' && state !== 'accepted') continue;
    await refundWithdrawnJob.run({ orderId, itemId: orderItemId }, { isLast: false });
  }
  await payments.sandbox.control.settled();
}

const decide = async (id: number, body: unknown, as = admin) =>
  callRoute(decideRoute, { method: 'POST', params: { id: String(id) }, body, as: await signIn(as) });

describe('looking up what one may withdraw from', () => {
  it('shows the lines to whoever knows number and address', async () => {
    const order = await bought(4900, 2500);
    const { status, body } = await post(lookUpRoute, {
      orderId: order.orderId,
      email: order.email.toUpperCase(),
    });
    expect(status).toBe(200);
    expect(body.lines.map(({ price, state }: { price: string; state: null }) => [price, state])).toEqual(
      order.items.map(({ priceCents }) => [(priceCents / 100).toFixed(2), null]),
    );
  });

  it('says the same of a wrong number, a wrong address and an unpaid order', async () => {
    const { orderId, email } = await bought(4900);
    const buyer = await makeBuyer(4900);
    const unpaid = await checkOut(buyer);
    const answers = [
      await post(lookUpRoute, { orderId: 2_000_000_000, email }),
      await post(lookUpRoute, { orderId, email: 'somebody@example.com' }),
      await post(lookUpRoute, { orderId: unpaid.orderId, email: buyer.user.email }),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(404);
      expect(body.message).toBe('We found no order with this number and email. Your receipt shows both.');
    }
  });

  it('stops whoever tries numbers for one address', async () => {
    const email = 'tried@example.com';
    for (let orderId = 1; orderId <= 20; orderId += 1) await post(lookUpRoute, { orderId, email });
    expect((await post(lookUpRoute, { orderId: 21, email })).status).toBe(429);
  });

  it('names the field that is wrong', async () => {
    const { status, body } = await post(lookUpRoute, { orderId: 'seven', email: 'nobody' });
    expect(status).toBe(400);
    expect(Object.keys(body.fields).sort()).toEqual(['email', 'orderId']);
  });
});

describe('withdrawing in time', () => {
  it('pays one line back, ends its access, mails the receipt, and leaves the others', async () => {
    const order = await bought(4900, 2500);
    const [first, second] = order.items as [(typeof order.items)[0], (typeof order.items)[0]];
    const { status, body } = await withdraw({ ...order, itemIds: [first.id] });
    expect([status, body.state]).toEqual([200, 'granted']);
    const [mail] = await mailsOf(order.email, 'withdrawal');
    expect(JSON.stringify(mail)).toContain('UTC');
    await work(order.orderId);
    expect((await orderOf(order.orderId)).status).toBe('partially_refunded');
    expect((await refundsOf(order.orderId)).map((row) => [row.orderItemId, row.amountCents])).toEqual([
      [first.id, first.priceCents],
    ]);
    const access = new Map((await enrollmentsOf(order.buyer)).map((row) => [row.orderItemId, row.status]));
    expect([access.get(first.id), access.get(second.id)]).toEqual(['revoked', 'active']);
    await expectReconciled(payments);
  });

  it('twice is once, and says so', async () => {
    const order = await bought(4900);
    await withdraw(order);
    await work(order.orderId);
    const again = await withdraw(order);
    expect([again.status, again.body.state]).toEqual([200, 'granted']);
    await work(order.orderId);
    expect(await rowsOf(order.orderId)).toHaveLength(1);
    expect(await refundsOf(order.orderId)).toHaveLength(1);
    expect(await mailsOf(order.email, 'withdrawal')).toHaveLength(1);
  });

  it('five at once are one', async () => {
    const order = await bought(4900);
    const answers = await Promise.all(Array.from({ length: 5 }, () => withdraw(order)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await Promise.all([work(order.orderId), work(order.orderId), work(order.orderId)]);
    expect(await rowsOf(order.orderId)).toHaveLength(1);
    expect(await refundsOf(order.orderId)).toHaveLength(1);
    const events = await db().select().from(orderEvents).where(eq(orderEvents.orderId, order.orderId));
    expect(events.filter(({ type }) => type === 'withdrawn')).toHaveLength(1);
    expect((await orderOf(order.orderId)).status).toBe('refunded');
    await expectReconciled(payments);
  });

  it('is kept while the provider is down', async () => {
    const order = await bought(4900);
    await withdraw(order);
    payments.sandbox.control.failApi({ method: 'POST', path: '/v1/refunds', outcome: 502, times: 20 });
    await expect(work(order.orderId)).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect((await orderOf(order.orderId)).status).toBe('completed');
    payments.sandbox.control.clearApiFaults();
    await work(order.orderId);
    expect((await orderOf(order.orderId)).status).toBe('refunded');
    expect(await refundsOf(order.orderId)).toHaveLength(1);
  });

  it('works for a guest, and after the purchase is in an account', async () => {
    const guest = makeGuest();
    const purchase = await buyAsGuest(payments, guest);
    await claimByMail(guest);
    const [item] = await itemsOfOrder(purchase.orderId);
    const { email } = guest.buyer;
    const { status } = await withdraw({ orderId: purchase.orderId, email, itemIds: [item!.id] });
    expect(status).toBe(200);
    await work(purchase.orderId);
    const { userId } = await orderOf(purchase.orderId);
    expect(userId).not.toBeNull();
    expect((await enrollmentOf(userId!, purchase.courseId))?.status).toBe('revoked');

    const other = makeGuest();
    const second = await buyAsGuest(payments, other);
    const [line] = await itemsOfOrder(second.orderId);
    await withdraw({ orderId: second.orderId, email: other.buyer.email, itemIds: [line!.id] });
    await work(second.orderId);
    expect((await orderOf(second.orderId)).status).toBe('refunded');
    await expectReconciled(payments);
  });

  it('refuses the line of another order, and what is paid back already', async () => {
    const order = await bought(4900);
    const other = await bought(4900);
    expect((await withdraw({ ...order, itemIds: other.itemIds })).status).toBe(404);
    await refundLine(order.orderId, order.itemIds[0]!, { reason: 'test', source: 'admin' });
    expect((await withdraw(order)).status).toBe(409);
    expect(await rowsOf(order.orderId)).toEqual([]);
  });

  it('refuses nothing to choose and no name, at the field', async () => {
    const order = await bought(4900);
    const { status, body } = await withdraw(order, { itemIds: [], name: ' ' });
    expect(status).toBe(400);
    expect(Object.keys(body.fields).sort()).toEqual(['itemIds', 'name']);
  });
});

describe('a withdrawal in doubt', () => {
  it('waits for an administrator after the 14 days, a dispute and a part paid back', async () => {
    const late = await bought(4900);
    await age(late.orderId, 20);
    const disputed = await bought(4900);
    payments.sandbox.control.openDispute({ intent: disputed.intentId });
    await payments.sandbox.control.settled();
    const partly = await bought(4900);
    await refundLine(partly.orderId, partly.itemIds[0]!, {
      reason: 'test',
      amountCents: 900,
      source: 'admin',
    });
    for (const [order, doubt] of [
      [late, 'late'],
      [disputed, 'disputed'],
      [partly, 'partly_refunded'],
    ] as const) {
      expect((await withdraw(order)).body.state, doubt).toBe('open');
      expect(await rowsOf(order.orderId)).toMatchObject([{ state: 'open', doubt }]);
      const again = await withdraw(order);
      expect(again.body.state).toBe('open');
      expect(await rowsOf(order.orderId)).toHaveLength(1);
    }
    expect(await refundsOf(late.orderId)).toEqual([]);
  });

  it('is accepted once, with the refund of what is left', async () => {
    const order = await bought(4900);
    await refundLine(order.orderId, order.itemIds[0]!, {
      reason: 'test',
      amountCents: 900,
      source: 'admin',
    });
    await withdraw(order);
    const [row] = await rowsOf(order.orderId);
    const both = await Promise.all([
      decide(row!.id, { decision: 'accept' }),
      decide(row!.id, { decision: 'decline', reason: 'Too late.' }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    await work(order.orderId);
    const [decided] = await rowsOf(order.orderId);
    const back = (await refundsOf(order.orderId)).reduce((sum, { amountCents }) => sum + amountCents, 0);
    expect(back).toBe(decided!.state === 'accepted' ? 4900 : 900);
    await expectReconciled(payments);
  });

  it('is paid back and loses its access once it is accepted', async () => {
    const order = await bought(4900);
    await age(order.orderId, 30);
    await withdraw(order);
    const [row] = await rowsOf(order.orderId);
    expect((await decide(row!.id, { decision: 'accept' })).status).toBe(200);
    expect((await decide(row!.id, { decision: 'accept' })).status).toBe(409);
    await work(order.orderId);
    expect((await orderOf(order.orderId)).status).toBe('refunded');
    expect((await enrollmentsOf(order.buyer)).map(({ status }) => status)).toEqual(['revoked']);
    const audited = await db()
      .select()
      .from(auditLog)
      .where(eq(auditLog.subjectId, String(order.orderId)));
    expect(audited.map(({ action }) => action)).toContain('order.withdrawal_accepted');
    await expectReconciled(payments);
  });

  it('is declined with a reason, which is mailed and audited', async () => {
    const order = await bought(4900);
    await age(order.orderId, 30);
    await withdraw(order);
    const [row] = await rowsOf(order.orderId);
    expect((await decide(row!.id, { decision: 'decline', reason: '' })).status).toBe(400);
    expect((await decide(row!.id, { decision: 'decline', reason: 'The 14 days were over.' })).status).toBe(
      200,
    );
    expect(await mailsOf(order.email, 'withdrawal-declined')).toHaveLength(1);
    const audited = await db()
      .select()
      .from(auditLog)
      .where(eq(auditLog.subjectId, String(order.orderId)));
    expect(audited.map(({ action }) => action)).toContain('order.withdrawal_declined');
    await work(order.orderId);
    expect(await refundsOf(order.orderId)).toEqual([]);
    expect((await orderOf(order.orderId)).status).toBe('completed');
  });

  it('is no learner’s to decide', async () => {
    const learner = await makeUser();
    expect((await decide(1, { decision: 'accept' }, learner)).status).toBe(403);
    expect((await decide(2_000_000_000, { decision: 'accept' })).status).toBe(404);
  });
});

describe('what cost nothing', () => {
  it('has nothing to pay back', async () => {
    const guest = makeGuest();
    const purchase = await buyAsGuest(payments, guest, await makeCourse());
    await db().execute(sql`update order_items set price_cents = 0 where order_id = ${purchase.orderId}`);
    const [line] = await itemsOfOrder(purchase.orderId);
    const { email } = guest.buyer;
    const order = { orderId: purchase.orderId, email, itemIds: [line!.id] };
    expect((await post(lookUpRoute, order)).body.lines[0].state).toBe('free');
    expect((await withdraw(order)).status).toBe(409);
  });
});
