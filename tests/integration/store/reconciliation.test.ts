import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeEnrollment } from '../../support/factories.ts';
import { enrollments } from '#db/schema/learn.ts';
import { orderEvents, orders } from '#db/schema/store.ts';
import { checkReconciliation } from '#src/features/store/reconciliation/compare-records.server.ts';
import { repairOrder } from '#src/features/store/reconciliation/repair-order.server.ts';
import { orderReference } from '#src/features/store/orders/orders.server.ts';
import { reconcileOrders } from '#src/features/store/reconciliation/settle-orders.server.ts';
import { refundDuplicatesJob } from '#src/features/store/refunds/refunds.server.ts';
import { moveBack } from '../../support/move-back.ts';
import {
  checkOut,
  confirm,
  enrollmentsOf,
  expectReconciled,
  intentEvent,
  itemsOfOrder,
  makeBuyer,
  orderOf,
  type Payments,
  pay,
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
  payments.sandbox.control.faultEvents({ drop: true });
});

const check = () => checkReconciliation({ graceSeconds: 0 });

it('the books of a shop without sales agree', async () => {
  expect(await check()).toMatchObject({
    agrees: true,
    orderCount: 0,
    disagreements: [],
    paidNotEnrolled: [],
  });
});

it('sales, refunds and disputes add up to the cent in all three books', async () => {
  await bought(payments, [4900, 1999]);
  const back = await bought(payments, [2000]);
  await payments.stripe.refunds.create({ payment_intent: back.intentId, amount: 777 });
  const disputed = await bought(payments, [5000]);
  payments.sandbox.control.openDispute({ intent: disputed.intentId, amount: 1234 });
  // Their events got lost, and the reconciler takes them in.
  const before = await check();
  expect(before.agrees).toBe(false);
  expect(before.disagreements.map(({ kind, orderId }) => [kind, orderId]).sort()).toEqual([
    ['disputes', disputed.orderId],
    ['refunds', back.orderId],
  ]);
  expect(await reconcileOrders()).toMatchObject({ moneyBack: 2, failed: 0 });
  expect(await reconcileOrders()).toMatchObject({ moneyBack: 0, failed: 0 });
  const books = await check();
  expect(books).toMatchObject({ agrees: true, orderCount: 3, days: null, providerProblem: null });
  expect(books.totals).toEqual({
    received: { ordersCents: 13_899, ledgerCents: 13_899, providerCents: 13_899 },
    refunded: { ordersCents: 777, ledgerCents: 777, providerCents: 777 },
    disputed: { ordersCents: 1234, ledgerCents: 1234, providerCents: 1234 },
  });
  expect((await checkReconciliation({ days: 1, graceSeconds: 0 })).totals).toEqual(books.totals);
});

it('a payment that nobody took in is on the list of paid but not enrolled, and Fix completes it', async () => {
  const buyer = await makeBuyer(4900);
  const { orderId, intentId } = await checkOut(buyer);
  await pay(payments, intentId);
  // The event of a payment a moment ago may still be on its way.
  expect((await checkReconciliation()).agrees).toBe(true);
  const books = await check();
  expect(books.agrees).toBe(false);
  expect(books.disagreements).toMatchObject([
    { kind: 'paid_not_completed', orderId, paymentIntentId: intentId },
  ]);
  expect(books.paidNotEnrolled).toEqual([
    {
      orderId,
      userId: buyer.user.id,
      buyerEmail: buyer.user.email,
      courseId: buyer.courses[0]!.id,
      title: buyer.courses[0]!.title,
      reason: 'not_completed',
    },
  ]);
  const { id } = await makeAdmin();
  expect((await repairOrder(orderId, id)).message).toMatch(/complete now/);
  expect((await repairOrder(orderId, id)).message).toMatch(/nothing to mend/);
  expect((await check()).agrees).toBe(true);
});

it('access that is missing is found and given back, once and in the log', async () => {
  const { buyer, orderId } = await bought(payments, [4900, 1999]);
  await db().delete(enrollments).where(eq(enrollments.courseId, buyer.courses[0]!.id));
  expect((await check()).paidNotEnrolled).toMatchObject([{ orderId, reason: 'no_access' }]);
  const { id } = await makeAdmin();
  expect((await repairOrder(orderId, id)).message).toMatch(/one course/);
  expect((await enrollmentsOf(buyer)).map(({ status }) => status)).toEqual(['active', 'active']);
  const log = await db().select().from(orderEvents).where(eq(orderEvents.orderId, orderId));
  expect(log.filter(({ type }) => type === 'access_restored')).toMatchObject([
    { source: 'admin', actorId: id },
  ]);
  expect((await check()).agrees).toBe(true);
});

it('nothing can be fixed without money', async () => {
  const { id } = await makeAdmin();
  const { orderId } = await checkOut(await makeBuyer(4900));
  await expect(repairOrder(orderId, id)).rejects.toMatchObject({ code: 'conflict' });
  await expect(repairOrder(2_000_000_000, id)).rejects.toMatchObject({ code: 'not_found' });
});

it('money that does not fit is asked about once, shown until it went back, and ends its order then', async () => {
  const buyer = await makeBuyer(4900);
  const { orderId, intentId } = await checkOut(buyer);
  await pay(payments, intentId);
  payments.sandbox.control.forceIntent(intentId, { amountReceived: 4000 });
  expect(await reconcileOrders()).toMatchObject({ flagged: 1 });
  payments.sandbox.control.clearCalls();
  await moveBack(orders, eq(orders.id, orderId), { updatedAt: { days: 2 } });
  expect(await reconcileOrders()).toMatchObject({ checked: 0, flagged: 0, failed: 0 });
  const asked = payments.sandbox.control.calls().filter(({ path }) => path.includes(intentId));
  expect(asked).toEqual([]);
  const books = await check();
  expect(books.disagreements).toMatchObject([{ kind: 'payment_does_not_fit', orderId }]);
  expect(books.flagged[0]).toMatchObject({
    orderId,
    flags: ['received 4000 instead of 4900'],
    status: 'pending',
  });

  payments.sandbox.control.forceIntent(intentId, { amountReceived: 4900 });
  payments.sandbox.control.forceIntent(intentId, { amountReceived: 4000 });
  await payments.stripe.refunds.create({ payment_intent: intentId, amount: 4000 });
  const event = intentEvent('charge.refunded', intentId);
  expect((await sendEvent(payments, event)).status).toBe(200);
  expect((await orderOf(orderId)).status).toBe('failed');
  expect((await check()).disagreements).toEqual([]);
  // The buyer is where they were: the same cart can be bought.
  const again = await checkOut(buyer);
  expect(again.orderId).not.toBe(orderId);
  await pay(payments, again.intentId);
  expect((await confirm(buyer, again.intentId)).status).toBe(200);
  await expectReconciled(payments);
});

it('a second payment of one order and one without its order are told', async () => {
  const { orderId } = await bought(payments, [4900]);
  const onPage = {
    currency: 'usd',
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' as const },
  };
  const second = await payments.stripe.paymentIntents.create({
    ...onPage,
    amount: 4900,
    metadata: { order_id: String(orderId), order_reference: orderReference(await orderOf(orderId)) },
  });
  const stray = await payments.stripe.paymentIntents.create({
    ...onPage,
    amount: 1500,
    metadata: { order_id: '2000000000', order_reference: 'a'.repeat(32) },
  });
  const foreign = await payments.stripe.paymentIntents.create({ ...onPage, amount: 900 });
  for (const { id } of [second, stray, foreign]) {
    await pay(payments, id);
  }
  const books = await check();
  expect(books.disagreements.map(({ kind, paymentIntentId }) => [kind, paymentIntentId]).sort()).toEqual([
    ['payment_without_order', stray.id],
    ['second_payment', second.id],
  ]);
  expect(books.totals.received.providerCents! - books.totals.received.ordersCents).toBe(6400);
  for (const { id } of [second, stray]) await payments.stripe.refunds.create({ payment_intent: id });
  expect(await check()).toMatchObject({ agrees: true });
});

it('books without the provider say so and do not agree', async () => {
  payments.sandbox.control.failApi({ outcome: 503, times: 3 });
  const books = await check();
  expect(books).toMatchObject({ agrees: false, providerProblem: expect.stringMatching(/cannot be reached/) });
  expect(books.totals.received.providerCents).toBeNull();
  expect(books.disagreements).toEqual([]);
});

it('a course that was bought twice stays open by the second purchase when the first goes back', async () => {
  const { buyer, intentId, orderId } = await bought(payments, [4900]);
  // Somebody else's window had the same course under way; the provider refuses to pay it back.
  const [course] = buyer.courses;
  await db().delete(enrollments).where(eq(enrollments.userId, buyer.user.id));
  const other = { ...buyer, courses: [course!] };
  await db().execute(
    sql`insert into cart_items (user_id, course_id) values (${buyer.user.id}, ${course!.id})`,
  );
  const second = await checkOut(other);
  const [item] = await itemsOfOrder(orderId);
  await makeEnrollment(buyer.user.id, course!.id, { orderItemId: item!.id });
  await pay(payments, second.intentId);
  await confirm(buyer, second.intentId);
  const itemIds = (await itemsOfOrder(second.orderId)).map(({ id }) => id);
  payments.sandbox.control.failApi({ method: 'POST', path: '/v1/refunds', outcome: 400, times: 1 });
  await refundDuplicatesJob.run({ orderId: second.orderId, itemIds }, { isLast: false });
  expect((await orderOf(second.orderId)).flag).toMatch(/refused/);
  await payments.stripe.refunds.create({ payment_intent: intentId });
  await reconcileOrders();
  expect((await orderOf(orderId)).status).toBe('refunded');
  expect(await enrollmentsOf(buyer)).toMatchObject([{ status: 'active', orderItemId: itemIds[0] }]);
  await expectReconciled(payments);
});
