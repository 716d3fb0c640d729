import { and, eq, like, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { ledgerEntries, orderEvents, orders, refunds } from '#db/schema/store.ts';
import { orderReference } from '#src/features/store/orders/orders.server.ts';
import { reconcileOrders } from '#src/features/store/reconciliation/settle-orders.server.ts';
import { refundLine } from '#src/features/store/refunds/refunds.server.ts';
import {
  checkOut,
  enrollmentsOf,
  expectReconciled,
  expectBoughtOnce,
  intentEvent,
  makeBuyer,
  orderOf,
  type Payments,
  pay,
  refundsOf,
  sendEvent,
  startPayments,
  bought,
} from '../../support/payments.ts';

let payments: Payments;
beforeAll(async () => {
  payments = await startPayments();
});
afterAll(() => payments.close());
beforeEach(async () => {
  await payments.sandbox.control.settled();
  payments.sandbox.control.clearApiFaults();
  payments.sandbox.control.clearEventFaults();
});

const withoutEvents = () => payments.sandbox.control.faultEvents({ drop: true });
const settled = () => payments.sandbox.control.settled();
const callsTo = (method: string, path: RegExp) =>
  payments.sandbox.control.calls().filter((call) => call.method === method && path.test(call.path));
const eventsOf = (orderId: number) =>
  db().select().from(orderEvents).where(eq(orderEvents.orderId, orderId)).orderBy(orderEvents.id);
const refundsAtProvider = async (intentId: string) =>
  (await payments.stripe.refunds.list({ payment_intent: intentId })).data;
const statuses = async (buyer: Awaited<ReturnType<typeof makeBuyer>>) =>
  (await enrollmentsOf(buyer)).map((row) => row.status);

/** A paid and completed order whose events the test sends itself. */
function boughtQuietly(prices: number[], paymentMethod?: string) {
  withoutEvents();
  return bought(payments, prices, paymentMethod);
}

describe('many orders that ended unpaid', () => {
  it('keep no paid order waiting, and are not asked for again', { timeout: 60_000 }, async () => {
    withoutEvents();
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    const ended = 520;
    for (let from = 0; from < ended; from += 40) {
      const intents = await Promise.all(
        Array.from({ length: 40 }, () =>
          payments.stripe.paymentIntents.create({ amount: 4900, currency: 'usd' }),
        ),
      );
      await Promise.all(intents.map((intent) => payments.stripe.paymentIntents.cancel(intent.id)));
      await db()
        .insert(orders)
        .values(
          intents.map((intent, i) => ({
            buyerEmail: `guest-${from + i}@example.com`,
            totalCents: 4900,
            status: i % 2 ? ('expired' as const) : ('failed' as const),
            fingerprint: crypto.randomUUID(),
            stripePaymentIntentId: intent.id,
            // Every fourth is older than what the provider's list is read for.
            createdAt: hoursAgo(i % 4 ? 60 : 120),
            updatedAt: hoursAgo(36),
          })),
        );
    }
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    await pay(payments, intentId);

    const first = await reconcileOrders();
    expect(first).toMatchObject({ completed: 1, failed: 0 });
    expect((await orderOf(orderId)).status).toBe('completed');
    await expectBoughtOnce(buyer);

    payments.sandbox.control.clearCalls();
    expect(await reconcileOrders()).toMatchObject({ completed: 0, failed: 0 });
    // One page of each list, and no payment by itself.
    expect(callsTo('GET', /payment_intents/).length).toBeLessThanOrEqual(1);
    expect(payments.sandbox.control.calls().length).toBeLessThanOrEqual(3);
    // The orders themselves have no lines: they are not part of the books.
    await db().delete(orders).where(like(orders.buyerEmail, 'guest-%@example.com'));
    await expectReconciled(payments);
  });

  it('are settled all the same when their payment goes through late', async () => {
    withoutEvents();
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    await db().update(orders).set({ status: 'expired' }).where(eq(orders.id, orderId));
    await reconcileOrders();
    await pay(payments, intentId);
    expect((await reconcileOrders()).completed).toBe(1);
    await expectBoughtOnce(buyer);
  });
});

describe('events of payments without an order', () => {
  const eventOf = async (metadata: Record<string, string>) => {
    const intent = await payments.stripe.paymentIntents.create({ amount: 900, currency: 'usd', metadata });
    return intentEvent('payment_intent.succeeded', intent.id);
  };

  it('of another product on the account are ignored, and stay so', async () => {
    withoutEvents();
    const { orderId } = await boughtQuietly([4900]);
    for (const metadata of [{}, { order_id: String(orderId) }, { order_id: 'SHOP-12', shop: 'other' }]) {
      const event = await eventOf(metadata as Record<string, string>);
      const answer = await sendEvent(payments, event);
      expect(answer.status).toBe(200);
      expect(answer.body.outcome).toBe('ignored: not a payment of this site');
      expect((await sendEvent(payments, event)).body.outcome).toMatch(/^repeat: ignored/);
    }
    const refund = intentEvent('charge.refunded', 'unused');
    const { id } = (await eventOf({})).data.object;
    refund.data.object = { id: 'ch_other', object: 'charge', payment_intent: id } as never;
    expect((await sendEvent(payments, refund)).body.outcome).toMatch(/^ignored/);
    expect(await orderOf(orderId)).toMatchObject({ status: 'completed', flag: null });
  });

  it('P8: of an order that is not visible yet come again until it is', async () => {
    withoutEvents();
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    await pay(payments, intentId);
    const order = await orderOf(orderId);
    const hidden = await eventOf({ order_id: '2000000001', order_reference: orderReference(order) });
    expect((await sendEvent(payments, hidden)).status).toBe(409);
    expect((await sendEvent(payments, hidden)).status).toBe(409);
    // Written by another database for an order of the same number.
    const other = await eventOf({ order_id: String(orderId), order_reference: '0'.repeat(32) });
    expect((await sendEvent(payments, other)).body.outcome).toBe('ignored: an order of another database');
    expect((await sendEvent(payments, intentEvent('payment_intent.succeeded', intentId))).status).toBe(200);
    await expectBoughtOnce(buyer);
  });

  it('a second payment of one order is shown to an operator', async () => {
    const { orderId } = await boughtQuietly([4900]);
    const order = await orderOf(orderId);
    const second = await payments.stripe.paymentIntents.create({
      amount: 4900,
      currency: 'usd',
      metadata: { order_id: String(orderId), order_reference: orderReference(order) },
    });
    const unpaid = await sendEvent(payments, intentEvent('payment_intent.payment_failed', second.id));
    expect(unpaid.body.outcome).toMatch(/^ignored/);
    payments.sandbox.control.forceIntent(second.id, { status: 'succeeded' });
    const paid = await sendEvent(payments, intentEvent('payment_intent.succeeded', second.id));
    expect(paid.status).toBe(200);
    expect((await orderOf(orderId)).flag).toContain(second.id);
    payments.sandbox.control.forceIntent(second.id, { status: 'canceled' });
  });
});

describe('a refund that does not get through', () => {
  const outage = { method: 'POST' as const, path: '/v1/refunds', outcome: 503, times: 3 };
  const ask = (orderId: number, itemId: number) =>
    refundLine(orderId, itemId, { reason: 'asked for it', source: 'admin' });

  it('takes no access, and the reconciler sends it again', async () => {
    const { buyer, orderId, intentId, items } = await boughtQuietly([4900, 2000]);
    payments.sandbox.control.failApi(outage);
    await expect(ask(orderId, items[0]!.id)).rejects.toMatchObject({ code: 'provider_unavailable' });
    const event = intentEvent('charge.refunded', intentId);
    expect((await sendEvent(payments, event)).status).toBe(200);
    expect(await statuses(buyer)).toEqual(['active', 'active']);
    expect(await orderOf(orderId)).toMatchObject({ status: 'completed', refundedCents: 0 });
    expect(await refundsOf(orderId)).toMatchObject([{ status: 'pending', providerRefundId: null }]);

    payments.sandbox.control.failApi(outage);
    expect(await reconcileOrders()).toMatchObject({ resent: 0, failed: 1 });
    expect(await statuses(buyer)).toEqual(['active', 'active']);
    expect(await reconcileOrders()).toMatchObject({ resent: 1, failed: 0 });
    expect(await reconcileOrders()).toMatchObject({ resent: 0, failed: 0 });
    expect(await statuses(buyer)).toEqual(['revoked', 'active']);
    expect(await orderOf(orderId)).toMatchObject({ status: 'partially_refunded', refundedCents: 4900 });
    expect((await refundsAtProvider(intentId)).map((refund) => refund.amount)).toEqual([4900]);
    await expectReconciled(payments);
    await sendEvent(payments, event);
    const notices = await db().select().from(mailOutbox).where(eq(mailOutbox.recipient, buyer.user.email));
    const told = notices.filter((mail) => mail.template === 'refund');
    expect(told).toHaveLength(1);
    expect(told[0]!.text).toContain(`${buyer.courses[0]!.title}: $49.00 USD`);
  });

  it('is not made twice where only its answer was lost, whatever key it is sent with', async () => {
    const { buyer, orderId, intentId, items } = await boughtQuietly([4900, 4900]);
    payments.sandbox.control.failApi({ ...outage, stage: 'after', outcome: 502, times: 1 });
    payments.sandbox.control.failApi({ ...outage, times: 2 });
    await expect(ask(orderId, items[0]!.id)).rejects.toMatchObject({ code: 'provider_unavailable' });
    payments.sandbox.control.clearApiFaults();
    payments.sandbox.control.clearCalls();
    await reconcileOrders();
    expect(callsTo('POST', /^\/v1\/refunds$/)).toEqual([]);
    expect(await refundsAtProvider(intentId)).toHaveLength(1);
    expect(await statuses(buyer)).toEqual(['revoked', 'active']);
    await expectReconciled(payments);
  });

  it('gets past a failure that the provider keeps for its key', async () => {
    const { orderId, intentId, items } = await boughtQuietly([4900]);
    payments.sandbox.control.failApi({ ...outage, outcome: 500, stored: true, times: 1 });
    await expect(ask(orderId, items[0]!.id)).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(await reconcileOrders()).toMatchObject({ resent: 1 });
    expect(await refundsAtProvider(intentId)).toHaveLength(1);
    expect((await orderOf(orderId)).status).toBe('refunded');
    await expectReconciled(payments);
  });

  it('is not sent again after somebody paid the line back by hand', async () => {
    const { buyer, orderId, intentId, items } = await boughtQuietly([4900, 2000]);
    payments.sandbox.control.failApi(outage);
    await expect(ask(orderId, items[1]!.id)).rejects.toThrow();
    await payments.stripe.refunds.create({ payment_intent: intentId, amount: 2000 });
    await reconcileOrders();
    expect(await refundsAtProvider(intentId)).toHaveLength(1);
    expect(await refundsOf(orderId)).toMatchObject([{ status: 'succeeded', orderItemId: items[1]!.id }]);
    expect(await statuses(buyer)).toEqual(['active', 'revoked']);
    await expectReconciled(payments);
  });

  it('ends where the provider refuses it, with access kept and an administrator told', async () => {
    const { buyer, orderId, intentId, items } = await boughtQuietly([4900, 2000]);
    payments.sandbox.control.failApi(outage);
    await expect(ask(orderId, items[0]!.id)).rejects.toThrow();
    // Too little is left for this line.
    await payments.stripe.refunds.create({ payment_intent: intentId, amount: 3000 });
    await reconcileOrders();
    const own = (await refundsOf(orderId)).find((row) => row.orderItemId === items[0]!.id);
    expect(own).toMatchObject({ status: 'failed', providerRefundId: null });
    expect((await orderOf(orderId)).flag).toBe(`the provider refused refund ${own!.id} of this order`);
    expect((await eventsOf(orderId)).map((event) => event.details)).toContainEqual(
      expect.objectContaining({ refundRow: own!.id, status: 'failed', why: expect.stringMatching(/\$/) }),
    );
    expect(await statuses(buyer)).toEqual(['active', 'active']);
    payments.sandbox.control.clearCalls();
    await reconcileOrders();
    expect(callsTo('POST', /^\/v1\/refunds$/)).toEqual([]);
    await expectReconciled(payments);
  });
});

describe('a refund that comes back', () => {
  const paidWith = 'pm_card_refundFail';

  it('gives a refunded order its state back, once and in the log', async () => {
    const { buyer, orderId, intentId } = await boughtQuietly([4900, 2000], paidWith);
    payments.sandbox.control.clearEventFaults();
    const refund = await payments.stripe.refunds.create({ payment_intent: intentId });
    await settled();
    expect((await orderOf(orderId)).status).toBe('refunded');
    payments.sandbox.control.settleRefund(refund.id, 'fails');
    await settled();
    expect(await orderOf(orderId)).toMatchObject({
      status: 'completed',
      refundedCents: 0,
      flag: `refund ${refund.id} came back; the buyer was not paid`,
    });
    expect(await statuses(buyer)).toEqual(['active', 'active']);
    const reversals = (await eventsOf(orderId)).filter((event) => event.type === 'refund_reversed');
    expect(reversals).toMatchObject([{ fromStatus: 'refunded', toStatus: 'completed', source: 'webhook' }]);
    const [net] = await db()
      .select({ cents: sql<number>`sum(${ledgerEntries.amountCents})::int` })
      .from(ledgerEntries)
      .where(and(eq(ledgerEntries.orderId, orderId), eq(ledgerEntries.account, 'refunds_paid')));
    expect(net?.cents).toBe(0);
    await expectReconciled(payments);
  });

  it('one of two lines leaves the order refunded in part, and both leave it completed', async () => {
    const { buyer, orderId, items } = await boughtQuietly([4900, 2000], paidWith);
    for (const item of items) await refundLine(orderId, item.id, { reason: '', source: 'admin' });
    expect(await orderOf(orderId)).toMatchObject({ status: 'refunded', refundedCents: 6900 });
    payments.sandbox.control.clearEventFaults();
    const rows = await db().select().from(refunds).where(eq(refunds.orderId, orderId)).orderBy(refunds.id);
    payments.sandbox.control.settleRefund(rows[0]!.providerRefundId!, 'fails');
    await settled();
    expect(await orderOf(orderId)).toMatchObject({ status: 'partially_refunded', refundedCents: 2000 });
    expect(await statuses(buyer)).toEqual(['active', 'revoked']);
    await expectReconciled(payments);
    payments.sandbox.control.settleRefund(rows[1]!.providerRefundId!, 'fails');
    await settled();
    expect(await orderOf(orderId)).toMatchObject({ status: 'completed', refundedCents: 0 });
    expect(await statuses(buyer)).toEqual(['active', 'active']);
    await expectReconciled(payments);
  });
});
