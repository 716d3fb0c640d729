import { randomUUID } from 'node:crypto';
import { and, desc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse } from '../../support/factories.ts';
import { auditLog } from '#db/schema/account.ts';
import { enrollments } from '#db/schema/learn.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { claimTokens, orderEvents, orderFlags, orderItems, orders, refunds } from '#db/schema/store.ts';
import { ADMIN_ACTIONS, changeText } from '#src/features/admin/shell/admin.ts';
import { ADMIN_PAGE_SIZE } from '#src/shared/list-query.ts';
import { courseAnalytics, thingsToDo } from '#src/features/admin/insights/analytics.server.ts';
import { findAdminOrder, listAdminOrders } from '#src/features/admin/orders/orders.server.ts';
import { POST as claimLink } from '#src/pages/api/admin/orders/[id]/claim-link.ts';
import { POST as receipt } from '#src/pages/api/admin/orders/[id]/receipt.ts';
import { POST as reconcile } from '#src/pages/api/admin/orders/[id]/reconcile.ts';
import { POST as refund } from '#src/pages/api/admin/orders/[id]/refund.ts';
import { POST as resendRefund } from '#src/pages/api/admin/orders/[id]/resend-refund.ts';
import { POST as settleFlag } from '#src/pages/api/admin/orders/[id]/settle-flag.ts';
import { GET as reconciliation } from '#src/pages/api/admin/reconciliation.ts';
import { type CallOptions, callRoute, signIn } from '../../support/api.ts';
import { unenrollByHand } from '#src/features/admin/people/people.server.ts';
import { creditNotes } from '#src/features/store/invoices/invoice.ts';
import { readOrderView } from '#src/features/store/orders/order-view.server.ts';
import { buyAsGuest, makeGuest } from '../../support/guests.ts';
import {
  checkOut,
  confirm,
  expectReconciled,
  enrollmentsOf,
  itemsOfOrder,
  makeBuyer,
  markOrder,
  orderOf,
  type Payments,
  pay,
  refundsOf,
  startPayments,
} from '../../support/payments.ts';
import { moveBack } from '../../support/move-back.ts';

const KEY = '6d2cf24f-8f1c-4f0e-9d3a-6f0c9b1f7f10';

let payments: Payments;
let admin: Awaited<ReturnType<typeof makeAdmin>>;
beforeAll(async () => {
  payments = await startPayments();
  admin = await makeAdmin({ username: 'Grace Hopper' });
});
afterAll(() => payments.close());

const act = async (
  route: Parameters<typeof callRoute>[0],
  id: unknown,
  body?: unknown,
  more: CallOptions = {},
) =>
  callRoute(route, {
    method: 'POST',
    params: { id: String(id) },
    as: await signIn(admin),
    ...(body === undefined ? {} : { body }),
    ...more,
  });

const mailsTo = (email: string, template: string) =>
  db()
    .select()
    .from(mailOutbox)
    .where(and(eq(mailOutbox.recipient, email), eq(mailOutbox.template, template)))
    .orderBy(mailOutbox.id);

const auditOf = (orderId: number) =>
  db()
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.subjectType, 'order'), eq(auditLog.subjectId, String(orderId))))
    .orderBy(desc(auditLog.id));

/** Somebody buys courses at these prices, in cents; the provider's events complete the order. */
async function bought(...prices: number[]) {
  const buyer = await makeBuyer(...prices);
  const { orderId, intentId } = await checkOut(buyer);
  expect(await pay(payments, intentId)).toBe('succeeded');
  await payments.sandbox.control.settled();
  expect((await orderOf(orderId)).status).toBe('completed');
  return { buyer, orderId, intentId };
}

describe('the list of orders', () => {
  it('finds an order by its number, invoice, payment, and parts of the buyer', async () => {
    const { buyer, orderId, intentId } = await bought(4900);
    const order = await orderOf(orderId);
    const find = async (search: string) =>
      (await listAdminOrders({ search, filter: null, page: 1 })).orders.map(({ id }) => id);
    for (const search of [
      String(orderId),
      `#${orderId}`,
      order.invoiceNumber!,
      order.invoiceNumber!.toLowerCase(),
      intentId,
      buyer.user.email,
      buyer.user.email.slice(0, -4).toUpperCase(),
    ]) {
      expect(await find(search), search).toEqual([orderId]);
    }
    for (const search of ['9999999999', '#0', 'pi_nothing', 'INV-1999-000001', "%' or 1=1 --", '_@_']) {
      expect(await find(search), search).toEqual([]);
    }
  });

  it('narrows to a state, to paid ones and to those marked for attention, page by page', async () => {
    const course = await makeCourse();
    const made: number[] = [];
    for (let index = 0; index < ADMIN_PAGE_SIZE + 2; index += 1) {
      const [order] = await db()
        .insert(orders)
        .values({
          buyerEmail: 'many@example.com',
          buyerFirstName: 'Many',
          buyerLastName: 'Orders',
          totalCents: 4900,
          fingerprint: `many-${index}`,
          status: index === 0 ? 'failed' : 'expired',
        })
        .returning();
      await db().insert(orderItems).values({
        orderId: order!.id,
        courseId: course.id,
        title: course.title,
        priceCents: 4900,
        listPriceCents: 4900,
      });
      if (index === 1) await markOrder(order!.id, 'look here');
      made.push(order!.id);
    }
    const list = (filter: Parameters<typeof listAdminOrders>[0]['filter'], page = 1) =>
      listAdminOrders({ search: 'many ord', filter, page });
    const [first, second] = [await list(null), await list(null, 2)];
    expect(first.total).toBe(ADMIN_PAGE_SIZE + 2);
    expect([...first.orders, ...second.orders].map(({ id }) => id)).toEqual(made.toReversed());
    expect((await list(null, 99)).page).toBe(2);
    expect((await list('look')).orders).toMatchObject([{ id: made[1], flag: 'look here' }]);
    expect((await list('paid')).total).toBe(0);
    expect(first.orders[0]).toMatchObject({
      isGuest: true,
      buyerName: 'Many Orders',
      titles: [course.title],
    });
  });
});

describe('an order', () => {
  it('shows its lines, ledger and history in plain words', async () => {
    const { orderId, buyer } = await bought(4900, 1050);
    const order = (await findAdminOrder(orderId))!;
    expect(
      order.lines.map(({ priceCents, access, refundableCents }) => [priceCents, access, refundableCents]),
    ).toEqual([
      [4900, 'active', 4900],
      [1050, 'active', 1050],
    ]);
    expect(order.ledger).toMatchObject([
      { movement: 'Payment', from: 'Buyer, for courses', to: 'Payment provider', amountCents: 5950 },
    ]);
    expect(order.timeline.map(({ text, by }) => [text, by])).toEqual([
      ['The buyer came to checkout with an order of $59.50', 'The buyer'],
      [
        `$59.50 arrived, and the order was completed with invoice ${order.invoiceNumber}`,
        'A notice of the payment provider',
      ],
    ]);
    expect(order).toMatchObject({
      userId: buyer.user.id,
      can: { reconcile: true, resendReceipt: true, resendClaimLink: false },
    });
    expect(await findAdminOrder(2_147_483_647)).toBeNull();
  });
});

describe('refunding a line', () => {
  it('pays it back, ends its access, and keeps who did it and why', async () => {
    const { orderId, buyer } = await bought(4900, 1050);
    const [line] = await itemsOfOrder(orderId);
    const answer = await act(refund, orderId, { itemId: line!.id, reason: 'Bought by mistake' });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.message).toBe(`$49.00 for “${line!.title}” is on its way to the buyer.`);
    expect(await refundsOf(orderId)).toMatchObject([
      { orderItemId: line!.id, amountCents: 4900, requestedBy: admin.id, reason: 'Bought by mistake' },
    ]);
    expect((await enrollmentsOf(buyer)).map(({ status }) => status)).toEqual(['revoked', 'active']);
    expect(await auditOf(orderId)).toMatchObject([
      {
        action: 'order.line_refunded',
        actorName: 'Grace Hopper',
        reason: 'Bought by mistake',
        details: { outcome: 'sent', amount: '$49.00' },
      },
    ]);
    expect((await findAdminOrder(orderId))!.lines[0]).toMatchObject({
      refundedCents: 4900,
      refundableCents: 0,
    });

    expect((await act(refund, orderId, { itemId: line!.id, reason: 'Twice' })).status).toBe(200);
    expect(await refundsOf(orderId)).toHaveLength(1);
  });

  it('is kept and sent again when the provider does not answer', async () => {
    const { orderId } = await bought(4900);
    const [line] = await itemsOfOrder(orderId);
    payments.sandbox.control.failApi({ method: 'POST', path: '/v1/refunds', outcome: 500, times: 99 });
    const answer = await act(refund, orderId, { itemId: line!.id, reason: 'Outage' });
    payments.sandbox.control.clearApiFaults();
    expect(answer.status).toBe(502);
    const [row] = await refundsOf(orderId);
    expect(row).toMatchObject({ status: 'pending', providerRefundId: null });
    const shown = (await findAdminOrder(orderId))!;
    expect(shown.lines[0]).toMatchObject({ refundableCents: 0, unsentRefund: { isUnsent: true } });

    const again = await act(resendRefund, orderId, { refundId: row!.id });
    expect(again.status, again.text).toBe(200);
    expect((await refundsOf(orderId))[0]!.providerRefundId).not.toBeNull();
    expect((await auditOf(orderId)).map(({ action, details }) => [action, details.outcome])).toEqual([
      ['order.refund_resent', undefined],
      ['order.line_refunded', 'kept'],
    ]);
    expect((await act(resendRefund, orderId, { refundId: row!.id })).status).toBe(409);
    const other = await bought(1050);
    expect((await act(resendRefund, other.orderId, { refundId: row!.id })).status).toBe(404);
  });

  it.each([
    [{}, ['itemId', 'reason']],
    [{ itemId: 1 }, ['reason']],
    [{ itemId: 1, reason: '   ' }, ['reason']],
    [{ itemId: 1, reason: 'a\nb' }, ['reason']],
    [{ itemId: 1, reason: 'x'.repeat(501) }, ['reason']],
    [{ itemId: '1', reason: 'x' }, ['itemId']],
    [{ itemId: 1.5, reason: 'x' }, ['itemId']],
    [{ itemId: -1, reason: 'x' }, ['itemId']],
    [{ itemId: 1, reason: 'x', amount: '0', requestKey: KEY }, ['amount']],
    [{ itemId: 1, reason: 'x', amount: '0.00', requestKey: KEY }, ['amount']],
    [{ itemId: 1, reason: 'x', amount: '-5', requestKey: KEY }, ['amount']],
    [{ itemId: 1, reason: 'x', amount: '1.005', requestKey: KEY }, ['amount']],
    [{ itemId: 1, reason: 'x', amount: '1e2', requestKey: KEY }, ['amount']],
    [{ itemId: 1, reason: 'x', amount: 5, requestKey: KEY }, ['amount']],
    [{ itemId: 1, reason: 'x', amount: '99999999.99', requestKey: KEY }, ['amount']],
    [{ itemId: 1, reason: 'x', amount: '5.00' }, ['requestKey']],
    [{ itemId: 1, reason: 'x', amount: '5.00', requestKey: 'again' }, ['requestKey']],
    [{ itemId: 1, reason: 'x', endsAccess: 'no' }, ['endsAccess']],
  ])('names what is wrong in %j', async (body, fields) => {
    const { orderId } = await bought(1050);
    const answer = await act(refund, orderId, body);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.fields)).toEqual(fields);
    expect(await refundsOf(orderId)).toEqual([]);
  });

  it('refuses lines of other orders, unpaid orders and free lines', async () => {
    const [mine, other] = [await bought(4900), await bought(1050)];
    const [line] = await itemsOfOrder(other.orderId);
    expect((await act(refund, mine.orderId, { itemId: line!.id, reason: 'x' })).status).toBe(404);
    const unpaid = await checkOut(await makeBuyer(4900));
    const [open] = await itemsOfOrder(unpaid.orderId);
    const refused = await act(refund, unpaid.orderId, { itemId: open!.id, reason: 'x' });
    expect(refused.status).toBe(409);
    expect(refused.body.message).toBe('This line was not paid and cannot be refunded.');
    expect(await refundsOf(other.orderId)).toEqual([]);
  });
});

describe('refunding a part of a line', () => {
  const part = (orderId: number, itemId: number, amount: string, more: object = {}) =>
    act(refund, orderId, { itemId, amount, reason: 'Goodwill', requestKey: randomUUID(), ...more });
  const accessOf = async (buyer: Awaited<ReturnType<typeof makeBuyer>>) =>
    (await enrollmentsOf(buyer)).map(({ status }) => status);

  it('keeps access until nothing is left, and parts add up to the price and never beyond', async () => {
    const { orderId, buyer } = await bought(4900, 1050);
    const [line, other] = await itemsOfOrder(orderId);
    const first = await part(orderId, line!.id, '10.01');
    expect(first.status, first.text).toBe(200);
    expect(first.body.message).toBe(
      `$10.01 for “${line!.title}” is on its way to the buyer, who keeps the course.`,
    );
    expect(await orderOf(orderId)).toMatchObject({ status: 'partially_refunded', refundedCents: 1001 });
    expect(await accessOf(buyer)).toEqual(['active', 'active']);
    expect((await findAdminOrder(orderId))!.lines).toMatchObject([
      { access: 'active', refundedCents: 1001, refundableCents: 3899 },
      { access: 'active', refundedCents: 0, refundableCents: 1050 },
    ]);
    const view = await readOrderView(await orderOf(orderId));
    expect(view.lines).toMatchObject([{ refundedCents: 1001, isRefunded: false }, { refundedCents: 0 }]);
    expect(creditNotes(view)).toMatchObject([
      { text: `Refund for “${line!.title}”`, seats: null, amountCents: 1001 },
    ]);
    expect(view.story.at(-1)!.text).toBe(
      `$10.01 for “${line!.title}” went back to the card. You keep the course.`,
    );
    const [notice] = await mailsTo(buyer.user.email, 'refund');
    expect(notice!.text).toContain(`${line!.title}: $10.01 USD`);
    expect(notice!.text).toContain('You keep the course');
    await act(receipt, orderId);
    expect((await mailsTo(buyer.user.email, 'receipt')).at(-1)!.text).toContain(
      `Paid back since, and yours to keep: $10.01 for ${line!.title}.`,
    );

    const tooMuch = await part(orderId, line!.id, '38.99', { amount: '39.00' });
    expect(tooMuch.status).toBe(400);
    expect(tooMuch.body.fields.amount).toBe('Amount must be at most $38.99: no more is left of this line');
    expect((await part(orderId, line!.id, '38.99')).status).toBe(200);
    expect(await orderOf(orderId)).toMatchObject({ status: 'partially_refunded', refundedCents: 4900 });
    expect(await accessOf(buyer)).toEqual(['revoked', 'active']);
    expect((await part(orderId, line!.id, '0.01')).status).toBe(409);
    expect((await part(orderId, other!.id, '10.50')).status).toBe(200);
    expect(await orderOf(orderId)).toMatchObject({ status: 'refunded', refundedCents: 5950 });
    expect(await accessOf(buyer)).toEqual(['revoked', 'revoked']);
    await expectReconciled(payments);
  });

  it('ends access with a part, or leaves it with the whole, where that is asked for', async () => {
    const { orderId, buyer } = await bought(4900, 1050);
    const [line, other] = await itemsOfOrder(orderId);
    expect((await part(orderId, line!.id, '20.00', { endsAccess: true })).status).toBe(200);
    expect((await part(orderId, other!.id, '10.50', { endsAccess: false })).status).toBe(200);
    expect(await accessOf(buyer)).toEqual(['revoked', 'active']);
    expect((await part(orderId, line!.id, '29.00')).status).toBe(200);
    expect(await orderOf(orderId)).toMatchObject({ status: 'refunded', refundedCents: 5950 });
    expect(await accessOf(buyer)).toEqual(['revoked', 'active']);
    await expectReconciled(payments);
    // What was left as a present can be taken back: there is nothing to refund any more.
    const taken = await unenrollByHand(
      { id: admin.id, name: admin.username },
      buyer.user.id,
      other!.courseId,
      'As agreed',
    );
    expect(taken.message).toContain('has no access');
  });

  it('is one refund however often the request comes, and two where two are asked for', async () => {
    const { orderId } = await bought(4900);
    const [line] = await itemsOfOrder(orderId);
    const requestKey = randomUUID();
    const again = await Promise.all(
      Array.from({ length: 6 }, () => part(orderId, line!.id, '10.00', { requestKey })),
    );
    expect(again.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await refundsOf(orderId)).toMatchObject([{ amountCents: 1000, status: 'succeeded' }]);
    expect((await part(orderId, line!.id, '11.00', { requestKey })).status).toBe(409);
    expect((await part(orderId, line!.id, '10.00')).status).toBe(200);
    expect(await orderOf(orderId)).toMatchObject({ status: 'partially_refunded', refundedCents: 2000 });
    await expectReconciled(payments);
  });

  it('two administrators at once take no more than there is', async () => {
    const { orderId } = await bought(4900);
    const [line] = await itemsOfOrder(orderId);
    const answers = await Promise.all([part(orderId, line!.id, '30.00'), part(orderId, line!.id, '30.00')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await orderOf(orderId)).toMatchObject({ status: 'partially_refunded', refundedCents: 3000 });
    await expectReconciled(payments);
  });

  it('is kept with its amount when the provider does not answer, and sent again once', async () => {
    const { orderId, buyer } = await bought(4900);
    const [line] = await itemsOfOrder(orderId);
    const requestKey = randomUUID();
    payments.sandbox.control.failApi({ method: 'POST', path: '/v1/refunds', outcome: 500, times: 99 });
    expect((await part(orderId, line!.id, '7.77', { requestKey })).status).toBe(502);
    payments.sandbox.control.clearApiFaults();
    expect((await findAdminOrder(orderId))!.lines[0]).toMatchObject({
      refundableCents: 0,
      unsentRefund: { amountCents: 777, endsAccess: false },
    });
    expect((await part(orderId, line!.id, '7.77', { requestKey })).status).toBe(200);
    expect(await orderOf(orderId)).toMatchObject({ status: 'partially_refunded', refundedCents: 777 });
    expect(await accessOf(buyer)).toEqual(['active']);
    await expectReconciled(payments);
  });

  it('takes a refund made at the provider for the rest of a line as its end', async () => {
    const { orderId, buyer, intentId } = await bought(4900, 1050);
    const [line] = await itemsOfOrder(orderId);
    await part(orderId, line!.id, '9.00');
    await payments.stripe.refunds.create({ payment_intent: intentId, amount: 4000 });
    await payments.sandbox.control.settled();
    expect(await accessOf(buyer)).toEqual(['revoked', 'active']);
    await payments.stripe.refunds.create({ payment_intent: intentId, amount: 50 });
    await payments.sandbox.control.settled();
    expect((await refundsOf(orderId)).map(({ orderItemId }) => orderItemId)).toEqual([
      line!.id,
      line!.id,
      null,
    ]);
    expect((await findAdminOrder(orderId))!.lines.map(({ refundableCents }) => refundableCents)).toEqual([
      0, 1000,
    ]);
    expect(await accessOf(buyer)).toEqual(['revoked', 'active']);
    await expectReconciled(payments);
  });

  it('counts what was kept of a line as its course’s revenue', async () => {
    const { orderId } = await bought(4900);
    const [line] = await itemsOfOrder(orderId);
    const revenue = async () => (await courseAnalytics()).find(({ courseId }) => courseId === line!.courseId);
    await part(orderId, line!.id, '9.00');
    expect(await revenue()).toMatchObject({ totalPurchases: 1, totalRevenue: '40.00' });
    await part(orderId, line!.id, '10.00', { endsAccess: true });
    expect(await revenue()).toMatchObject({ totalPurchases: 0, totalRevenue: '30.00' });
  });

  it('is for administrators, of orders that there are', async () => {
    const { orderId, buyer } = await bought(4900);
    const [line] = await itemsOfOrder(orderId);
    const body = { itemId: line!.id, amount: '1.00', reason: 'x', requestKey: randomUUID() };
    expect((await act(refund, orderId, body, { as: null })).status).toBe(401);
    expect((await act(refund, orderId, body, { as: buyer.session })).status).toBe(403);
    expect((await act(refund, 2_147_483_647, body)).status).toBe(404);
    expect(await refundsOf(orderId)).toEqual([]);
    // The database holds the same line, whoever writes.
    const row = { orderId, orderItemId: line!.id, amountCents: 3000 };
    await db().insert(refunds).values(row);
    await expect(db().insert(refunds).values(row)).rejects.toThrow();
    await db().delete(refunds).where(eq(refunds.orderId, orderId));
  });
});

describe('reconciling an order (decision 18)', () => {
  it('completes one that was paid without our knowing', async () => {
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    payments.sandbox.control.holdEvents();
    expect(await pay(payments, intentId)).toBe('succeeded');
    expect((await orderOf(orderId)).status).toBe('pending');
    const answer = await act(reconcile, orderId);
    payments.sandbox.control.releaseEvents();
    await payments.sandbox.control.settled();
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ settled: true, status: 'completed' });
    expect((await enrollmentsOf(buyer)).map(({ status }) => status)).toEqual(['active']);
    expect((await auditOf(orderId))[0]).toMatchObject({
      action: 'order.reconciled',
      details: { from: 'pending', to: 'completed' },
    });
  });

  it('gives a buyer back the access that is missing, and shows it among the things to do before', async () => {
    const { orderId, buyer } = await bought(4900);
    const before = (await thingsToDo()).paidWithoutAccess;
    await db().delete(enrollments).where(eq(enrollments.userId, buyer.user.id));
    expect((await thingsToDo()).paidWithoutAccess - before).toBe(1);
    const answer = await act(reconcile, orderId);
    expect(answer.body).toMatchObject({ settled: true, status: 'completed' });
    expect(answer.body.message).toContain('has access again');
    expect((await enrollmentsOf(buyer)).map(({ status }) => status)).toEqual(['active']);
    expect((await thingsToDo()).paidWithoutAccess).toBe(before);
    expect((await findAdminOrder(orderId))!.timeline.at(-1)).toMatchObject({
      text: 'Access to the courses of this order was given again',
      by: 'Grace Hopper',
    });
  });

  it('says so where there is no money', async () => {
    const { orderId } = await checkOut(await makeBuyer(4900));
    const answer = await act(reconcile, orderId);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      settled: false,
      status: 'pending',
      message: 'The payment provider does not have the money for this order.',
    });
    expect(await auditOf(orderId)).toHaveLength(1);
  });
});

describe('mailing again', () => {
  it('sends the receipt once more, and writes it down', async () => {
    const { orderId, buyer } = await bought(4900);
    const answer = await act(receipt, orderId);
    expect(answer.body).toEqual({ message: `The receipt is on its way to ${buyer.user.email}.` });
    const mails = await mailsTo(buyer.user.email, 'receipt');
    expect(mails).toHaveLength(2);
    expect(mails[1]!.subject).toBe(mails[0]!.subject);
    expect(await auditOf(orderId)).toMatchObject([{ action: 'order.receipt_resent' }]);
    expect((await findAdminOrder(orderId))!.timeline.at(-1)).toMatchObject({
      text: 'The receipt was mailed again',
      by: 'Grace Hopper',
    });
    const open = await checkOut(await makeBuyer(4900));
    expect((await act(receipt, open.orderId)).status).toBe(409);
  });

  it('says in a receipt that comes after a refund what went back', async () => {
    const { orderId, buyer } = await bought(4900, 1050);
    const [first, second] = await itemsOfOrder(orderId);
    const last = async () => (await mailsTo(buyer.user.email, 'receipt')).at(-1)!.text;
    await act(refund, orderId, { itemId: first!.id, reason: 'Bought by mistake' });
    await act(receipt, orderId);
    expect(await last()).toContain(`Refunded since: ${first!.title}.`);
    expect(await last()).toMatch(/Paid back:?\s+-\$49\.00 USD/);
    expect(await last()).toContain(`You own “${second!.title}”, with lifetime access.`);
    expect(await last()).toContain(`/learn/${second!.courseId}`);
    await act(refund, orderId, { itemId: second!.id, reason: 'Bought by mistake' });
    await act(receipt, orderId);
    expect(await last()).toContain(first!.title);
    expect(await last()).toMatch(/Paid back:?\s+-\$59\.50 USD/);
    expect(await last()).not.toContain('You own');
  });

  it('sends a guest a claim link that works, and none for an order in an account', async () => {
    const guest = makeGuest();
    const purchase = await buyAsGuest(payments, guest);
    expect((await findAdminOrder(purchase.orderId))!.can.resendClaimLink).toBe(true);
    const before = await db().$count(claimTokens, eq(claimTokens.orderId, purchase.orderId));
    const answer = await act(claimLink, purchase.orderId);
    expect(answer.body).toEqual({ message: `We sent a new link to ${guest.buyer.email}.` });
    expect(await db().$count(claimTokens, eq(claimTokens.orderId, purchase.orderId))).toBe(before + 1);
    expect(await auditOf(purchase.orderId)).toMatchObject([{ action: 'order.claim_link_resent' }]);
    const again = await act(receipt, purchase.orderId);
    expect(again.status).toBe(200);
    expect(await db().$count(claimTokens, eq(claimTokens.orderId, purchase.orderId))).toBe(before + 2);

    const { orderId } = await bought(4900);
    expect((await act(claimLink, orderId)).status).toBe(409);
  });
});

describe('settling what an order is marked for', () => {
  it('takes the mark off with a note, unless it has changed since it was read', async () => {
    const { orderId } = await bought(4900);
    await markOrder(orderId, 'paid twice');
    expect((await act(settleFlag, orderId, { flag: 'something else', note: 'x' })).status).toBe(409);
    const missing = await act(settleFlag, orderId, { flag: 'paid twice' });
    expect(missing.body.fields).toHaveProperty('note');
    const answer = await act(settleFlag, orderId, { flag: 'paid twice', note: 'Refunded by hand' });
    expect(answer.status, answer.text).toBe(200);
    expect((await orderOf(orderId)).flag).toBeNull();
    const [kept] = await db().select().from(orderFlags).where(eq(orderFlags.orderId, orderId));
    expect(kept).toMatchObject({ subject: 'paid twice', settledBy: admin.id, note: 'Refunded by hand' });
    expect(kept!.settledAt).toBeInstanceOf(Date);
    expect(await auditOf(orderId)).toMatchObject([
      { action: 'order.flag_settled', reason: 'Refunded by hand', details: { flag: 'paid twice' } },
    ]);
    expect((await findAdminOrder(orderId))!.timeline.at(-1)!.text).toBe(
      'Looked at and settled: Refunded by hand',
    );
    expect((await act(settleFlag, orderId, { flag: 'paid twice', note: 'x' })).body.message).toBe(
      'This order was settled already.',
    );
    expect(await auditOf(orderId)).toHaveLength(1);
  });
});

it('has a sentence for everything that happened here', async () => {
  const written = await db().select().from(auditLog).where(eq(auditLog.subjectType, 'order'));
  expect(written.length).toBeGreaterThan(0);
  for (const entry of written) {
    expect(ADMIN_ACTIONS).toContain(entry.action);
    expect(changeText(entry)).not.toContain('(unknown)');
  }
  const events = await db().selectDistinct({ type: orderEvents.type }).from(orderEvents);
  expect(events.length).toBeGreaterThan(5);
  const shown = await findAdminOrder(
    (
      await db()
        .select({ id: sql<number>`min(${orders.id})`.mapWith(Number) })
        .from(orders)
    )[0]!.id,
  );
  expect(shown!.timeline.every(({ text }) => !/^[a-z_]+$/.test(text))).toBe(true);
});

describe('the comparison of the books', () => {
  const compare = async (query = '') =>
    callRoute(reconciliation, {
      path: `/api/admin/reconciliation${query}`,
      as: await signIn(admin),
    });

  it('names an order once that is paid and without access, and compares the time that is asked for', async () => {
    const buyer = await makeBuyer(4900, 1999);
    const { orderId, intentId } = await checkOut(buyer);
    await pay(payments, intentId);
    await confirm(buyer, intentId);
    await db().delete(enrollments).where(eq(enrollments.userId, buyer.user.id));
    // Orders of this moment are left to the next check.
    await moveBack(orders, eq(orders.id, orderId), { updatedAt: { minutes: 2 } });
    const { status, body } = await compare('?days=all');
    expect(status).toBe(200);
    const named = body.paidNotEnrolled.filter((one: { orderId: number }) => one.orderId === orderId);
    expect(named).toEqual([
      {
        orderId,
        buyerEmail: buyer.user.email,
        reason: 'no_access',
        titles: expect.arrayContaining(buyer.courses.map(({ title }) => title)),
      },
    ]);
    expect(body.agrees).toBe(false);
    await moveBack(orders, eq(orders.id, orderId), { createdAt: { days: 40 } });
    expect((await compare()).body.orderCount).toBeLessThan((await compare('?days=90')).body.orderCount);
  });

  it('refuses a time that is not offered, by name', async () => {
    const { status, body } = await compare('?days=31');
    expect([status, body.fields]).toEqual([400, { days: 'days must be 30, 90, 365 or all' }]);
  });

  it('answers without the provider too, and says so', async () => {
    payments.sandbox.control.failApi({ outcome: 503, times: 3 });
    const { status, body } = await compare();
    expect([status, body.agrees, body.totals.received.providerCents]).toEqual([200, false, null]);
    expect(body.providerProblem).toMatch(/cannot be reached/);
  });
});
