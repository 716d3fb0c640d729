import { eq } from 'drizzle-orm';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { db, sqlClient } from '#db/client.ts';
import { makeCourseForSale, makeEnrollment, makeUser } from '../../support/factories.ts';
import { courses } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { cartItems, orderItems, orders } from '#db/schema/store.ts';
import { deleteCourse } from '#src/features/authoring/courses/courses.server.ts';
import { createCourseCall } from '#src/features/authoring/courses/schema.ts';
import { orderReference } from '#src/features/store/orders/orders.server.ts';
import { reconcileJob, reconcileOrders } from '#src/features/store/reconciliation/settle-orders.server.ts';
import { refundDuplicatesJob } from '#src/features/store/refunds/refunds.server.ts';
import { GET as ordersRoute } from '#src/pages/api/orders.ts';
import { sendJob } from '#src/server/jobs.ts';
import { callRoute, signIn } from '../../support/api.ts';
import { moveBack } from '../../support/move-back.ts';
import {
  cartOf,
  checkOut,
  confirm,
  createIntent,
  enrollmentsOf,
  eventCount,
  expectReconciled,
  expectBoughtOnce,
  intentEvent,
  itemsOfOrder,
  makeBuyer,
  orderOf,
  ordersOf,
  type Payments,
  pay,
  receiptsOf,
  refundsOf,
  sendEvent,
  startPayments,
} from '../../support/payments.ts';

/** Rounds of fault P5; `npm run test:money` asks for the 200 of the fault list. */
const P5_ROUNDS = Number(process.env.MONEY_P5_ROUNDS ?? 20);

let payments: Payments;
beforeAll(async () => {
  payments = await startPayments();
});
afterAll(() => payments.close());
beforeEach(async () => {
  await payments.sandbox.control.settled();
  payments.sandbox.control.clearApiFaults();
  payments.sandbox.control.clearEventFaults();
  payments.webhookAnswers.length = 0;
});

/** Keeps the sandbox's own events back, so that a test sends them itself. */
const withoutEvents = () => payments.sandbox.control.faultEvents({ drop: true });
const settled = () => payments.sandbox.control.settled();
const jitter = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
const setCourse = (id: number, values: Partial<typeof courses.$inferInsert>) =>
  db().update(courses).set(values).where(eq(courses.id, id));

describe('one purchase, whoever reports it', () => {
  it('P1: the same event ten times in a row buys once', async () => {
    withoutEvents();
    const buyer = await makeBuyer(4900, 1999);
    const { intentId } = await checkOut(buyer);
    await pay(payments, intentId);
    const event = intentEvent('payment_intent.succeeded', intentId);
    for (let i = 0; i < 10; i += 1) expect((await sendEvent(payments, event)).status).toBe(200);
    await expectBoughtOnce(buyer);
    await expectReconciled(payments);
  });

  it('P2: the same event fifty times at once buys once', async () => {
    withoutEvents();
    const buyer = await makeBuyer(4900);
    const { intentId } = await checkOut(buyer);
    await pay(payments, intentId);
    const event = intentEvent('payment_intent.succeeded', intentId);
    const answers = await Promise.all(Array.from({ length: 50 }, () => sendEvent(payments, event)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    await expectBoughtOnce(buyer);
  });

  it('P3: an event before the page confirms', async () => {
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    await pay(payments, intentId);
    await settled();
    expect((await orderOf(orderId)).status).toBe('completed');
    const answer = await confirm(buyer, intentId);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ success: true, orderId, courseIds: [buyer.courses[0]!.id] });
    await expectBoughtOnce(buyer);
  });

  it('P4: the page confirms before the event', async () => {
    withoutEvents();
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    await pay(payments, intentId);
    const first = await confirm(buyer, intentId);
    expect(first.body).toMatchObject({ success: true, orderId });
    expect((await confirm(buyer, intentId)).body).toEqual(first.body);
    const answer = await sendEvent(payments, intentEvent('payment_intent.succeeded', intentId));
    expect(answer.body.outcome).toBe('completed before');
    await expectBoughtOnce(buyer);
  });

  it(`P5: 25 confirmations and 25 events at once, in ${P5_ROUNDS} rounds`, { timeout: 0 }, async () => {
    withoutEvents();
    for (let round = 0; round < P5_ROUNDS; round += 1) {
      const buyer = await makeBuyer(4900, 2500);
      const { intentId } = await checkOut(buyer);
      await pay(payments, intentId);
      const answers = await Promise.all(
        Array.from({ length: 50 }, async (_, i) => {
          await jitter();
          return i % 2
            ? confirm(buyer, intentId)
            : sendEvent(payments, intentEvent('payment_intent.succeeded', intentId));
        }),
      );
      expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
      await expectBoughtOnce(buyer);
    }
    await expectReconciled(payments);
  });

  it('P5: many buyers of one course at once each get it, with invoice numbers in a row', async () => {
    withoutEvents();
    const course = await makeCourseForSale({ priceCents: 1500 });
    const buyers = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const user = await makeUser();
        await db().insert(cartItems).values({ userId: user.id, courseId: course.id });
        return { user, courses: [course], session: await signIn(user) };
      }),
    );
    const checkouts = await Promise.all(buyers.map((buyer) => checkOut(buyer)));
    await Promise.all(checkouts.map(({ intentId }) => pay(payments, intentId)));
    const answers = await Promise.all(buyers.map((buyer, i) => confirm(buyer, checkouts[i]!.intentId)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    const numbers = answers
      .map((answer) => Number(answer.body.invoiceNumber.slice(-6)))
      .sort((a, b) => a - b);
    expect(numbers.at(-1)! - numbers[0]!).toBe(11);
    expect(new Set(numbers).size).toBe(12);
    const [counted] = await db().select().from(courses).where(eq(courses.id, course.id));
    expect(counted?.studentsCount).toBe(12);
  });

  it('P6: the browser was closed right after paying', async () => {
    const buyer = await makeBuyer(4900);
    const { intentId } = await checkOut(buyer);
    await pay(payments, intentId);
    await settled();
    await expectBoughtOnce(buyer);
  });

  it('P7: neither browser nor event comes, and the reconciler finds the payment', async () => {
    withoutEvents();
    const buyer = await makeBuyer(4900);
    const other = await makeBuyer(2000);
    const { intentId } = await checkOut(buyer);
    await checkOut(other);
    await pay(payments, intentId);
    expect((await reconcileOrders()).completed).toBe(1);
    expect((await reconcileOrders()).completed).toBe(0);
    await expectBoughtOnce(buyer);
    expect((await ordersOf(other))[0]?.status).toBe('pending');
  });
});

describe('events', () => {
  it('P8: an event for a payment nobody knows comes again until its order is there', async () => {
    withoutEvents();
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    await pay(payments, intentId);
    const early = await payments.stripe.paymentIntents.create({
      amount: 4900,
      currency: 'usd',
      metadata: { order_id: '2000000000', order_reference: 'f'.repeat(32) },
    });
    const unknown = intentEvent('payment_intent.succeeded', early.id);
    expect((await sendEvent(payments, unknown)).status).toBe(409);
    expect((await sendEvent(payments, unknown)).status).toBe(409);
    expect((await sendEvent(payments, intentEvent('payment_intent.succeeded', 'pi_nobody'))).status).toBe(
      409,
    );

    // The process died before it wrote the intent down: the intent's own metadata leads to the order.
    await db().update(orders).set({ stripePaymentIntentId: null }).where(eq(orders.id, orderId));
    expect((await sendEvent(payments, intentEvent('payment_intent.succeeded', intentId))).status).toBe(200);
    await expectBoughtOnce(buyer);
  });

  it('P9: a refund that is reported before the payment ends as refunded, without access', async () => {
    withoutEvents();
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    await pay(payments, intentId);
    await payments.stripe.refunds.create({ payment_intent: intentId });
    const refunded = intentEvent('charge.refunded', intentId);
    refunded.data.object = { id: 'ch_1', object: 'charge', payment_intent: intentId } as never;
    expect((await sendEvent(payments, refunded)).status).toBe(200);
    expect((await sendEvent(payments, intentEvent('payment_intent.succeeded', intentId))).status).toBe(200);
    expect((await orderOf(orderId)).status).toBe('refunded');
    expect((await enrollmentsOf(buyer)).map((row) => row.status)).toEqual(['revoked']);
    await expectReconciled(payments);
  });

  it('P10: other events complete nothing', async () => {
    withoutEvents();
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    for (const type of ['payment_intent.created', 'payment_intent.succeeded', 'customer.created']) {
      expect((await sendEvent(payments, intentEvent(type, intentId))).status).toBe(200);
    }
    expect(await pay(payments, intentId, 'pm_card_chargeDeclined')).toBe('requires_payment_method');
    expect((await sendEvent(payments, intentEvent('payment_intent.payment_failed', intentId))).status).toBe(
      200,
    );
    expect((await orderOf(orderId)).status).toBe('pending');
    expect(await enrollmentsOf(buyer)).toEqual([]);
    expect(await receiptsOf(buyer)).toEqual([]);
    // The same payment may be tried again.
    expect(await pay(payments, intentId)).toBe('succeeded');
    expect((await confirm(buyer, intentId)).status).toBe(200);
    await expectBoughtOnce(buyer);
  });

  it('P10: a cancelled payment ends its order, and the next checkout starts anew', async () => {
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    await payments.stripe.paymentIntents.cancel(intentId);
    await settled();
    expect((await orderOf(orderId)).status).toBe('failed');
    const again = await checkOut(buyer);
    expect(again.orderId).not.toBe(orderId);
    expect(await pay(payments, again.intentId)).toBe('succeeded');
    await settled();
    await expectBoughtOnce(buyer);
  });

  it('P11: forged events are refused and leave nothing', async () => {
    withoutEvents();
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    await pay(payments, intentId);
    const before = await eventCount();
    const event = intentEvent('payment_intent.succeeded', intentId);
    const payload = JSON.stringify(event);
    const v1 = (secret: string) => ({ secret });
    const signed = Stripe.webhooks.generateTestHeaderString({
      payload,
      secret: payments.webhookSecret,
    });
    const forgeries = [
      { header: '' },
      { header: 'nonsense' },
      v1('whsec_other'),
      { header: signed.replace('v1=', 'v0=') },
      { header: signed, body: JSON.stringify(event, null, 2) },
      { header: signed, body: payload.replace(intentId, 'pi_other') },
      { header: signed, body: '' },
    ];
    for (const forgery of forgeries) {
      const answer = await sendEvent(payments, event, forgery);
      expect(answer.status, JSON.stringify(forgery)).toBe(400);
      expect(answer.text).not.toContain('whsec');
    }
    expect(await eventCount()).toBe(before);
    expect((await orderOf(orderId)).status).toBe('pending');
  });

  it('U7: what is signed and makes no sense is refused, and never fails', async () => {
    const event = intentEvent('payment_intent.succeeded', 'pi_nobodys_payment_at_all');
    const deep = (open: string, close: string) => `${open.repeat(40_000)}1${close.repeat(40_000)}`;
    const senseless: unknown[] = [
      null,
      [],
      [event],
      true,
      7,
      'event',
      {},
      ...[1e300, -1e15, 1e15, -1, 0.5, '0', null, [], {}].map((created) => ({ ...event, created })),
      ...[null, 7, [], {}, '', 'x'.repeat(300_000), 'a\0b', '\ud800'].flatMap((odd) => [
        { ...event, id: odd },
        { ...event, type: odd },
      ]),
      { ...event, livemode: 'no' },
    ];
    const signed = (payload: string) => ({
      body: payload,
      header: Stripe.webhooks.generateTestHeaderString({ payload, secret: payments.webhookSecret }),
    });
    const before = await eventCount();
    for (const body of senseless) {
      const answer = await sendEvent(payments, event, signed(JSON.stringify(body)));
      expect(answer.status, JSON.stringify(body)?.slice(0, 80)).toBe(400);
    }
    for (const body of ['', '{', deep('[', ']'), deep('{"a":', '}')]) {
      expect((await sendEvent(payments, event, signed(body))).status, body.slice(0, 20)).toBe(400);
    }
    expect(await eventCount()).toBe(before);
    // Whole in itself, and about nothing: taken in, so that it does not come again.
    const objects = [null, 7, 'x', [], {}, { id: 7 }, { id: 'x'.repeat(300_000) }, { payment_intent: {} }];
    const odd = ['../refunds', 'pi_', 'x'.repeat(300_000), 'pi_a\0b'].flatMap((id) => [
      { id, object: 'payment_intent' },
      { object: 'charge', payment_intent: id },
      { object: 'charge', payment_intent: { id } },
    ]);
    for (const object of [...objects, ...odd]) {
      for (const type of ['payment_intent.succeeded', 'charge.refunded', 'something.else']) {
        const answer = await sendEvent(payments, { ...intentEvent(type, 'pi_x'), data: { object } });
        expect(answer.status, JSON.stringify(object)?.slice(0, 80)).toBe(200);
      }
    }
    for (const [name, value] of [
      ['data', null],
      ['data', []],
      ['account', []],
    ] as const) {
      const answer = await sendEvent(payments, { ...intentEvent('charge.refunded', 'pi_x'), [name]: value });
      expect(answer.status, name).toBe(200);
    }
    const nested = JSON.stringify({ ...intentEvent('charge.refunded', 'pi_x'), data: 0, account: 1 });
    for (const place of ['"data":0', '"account":1']) {
      const name = place.split(':')[0];
      for (const value of [deep('[', ']'), deep('{"object":', '}')]) {
        const answer = await sendEvent(payments, event, signed(nested.replace(place, `${name}:${value}`)));
        expect(answer.status, place).toBe(200);
      }
    }
  });

  it('P12: signatures from too far in the past or future are refused, a recent repeat is a no-op', async () => {
    withoutEvents();
    const buyer = await makeBuyer(4900);
    const { intentId } = await checkOut(buyer);
    await pay(payments, intentId);
    const event = intentEvent('payment_intent.succeeded', intentId);
    const now = Math.floor(Date.now() / 1000);
    expect((await sendEvent(payments, event, { timestamp: now - 302 })).status).toBe(400);
    expect((await sendEvent(payments, event, { timestamp: now + 3600 })).status).toBe(400);
    expect((await sendEvent(payments, event, { timestamp: now - 290 })).status).toBe(200);
    expect((await sendEvent(payments, event, { timestamp: now + 200 })).body.outcome).toMatch(/^repeat/);
    await expectBoughtOnce(buyer);
  });

  it('P13: events of the other mode or of another account are ignored', async () => {
    withoutEvents();
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    await pay(payments, intentId);
    for (const more of [{ livemode: true }, { account: 'acct_other' }]) {
      const answer = await sendEvent(payments, intentEvent('payment_intent.succeeded', intentId, more));
      expect(answer.status).toBe(200);
      expect(answer.body.outcome).toMatch(/^ignored/);
    }
    expect((await orderOf(orderId)).status).toBe('pending');
  });
});

describe('the amount', () => {
  it('P14: is the server’s, and a page that believes another one is told', async () => {
    const buyer = await makeBuyer(4900, 1999);
    const answer = await createIntent(buyer, 0.01);
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ code: 'price_changed', total: '68.99' });
    expect(await ordersOf(buyer)).toEqual([]);
    const right = await createIntent(buyer, '68.99');
    expect(right.status).toBe(200);
    expect(right.body).toMatchObject({ status: 'open', total: '68.99' });
    const intent = await payments.stripe.paymentIntents.retrieve(
      right.body.clientSecret.split('_secret_')[0],
    );
    expect(intent).toMatchObject({ amount: 6899, currency: 'usd' });
  });

  it.each([[-1], ['abc'], ['1e3'], [1e308], [10.999], [[49]], [{}], [null], [undefined], [true], ['NaN']])(
    'P15: %j is refused',
    async (amount) => {
      const buyer = await makeBuyer(4900);
      expect((await createIntent(buyer, amount)).status).toBe(400);
      expect(await ordersOf(buyer)).toEqual([]);
    },
  );

  it('P16: an offer keeps its price; the next visit gets the new one and is told', async () => {
    const buyer = await makeBuyer(4900);
    const [course] = buyer.courses;
    const first = await checkOut(buyer);
    await setCourse(course!.id, { priceCents: 5900 });
    expect((await createIntent(buyer, 49)).status).toBe(409);
    const next = await createIntent(buyer, 59);
    expect(next.body.notices).toEqual([
      {
        courseId: course!.id,
        reason: 'price',
        message: `The price of “${course!.title}” changed from $49.00 to $59.00.`,
      },
    ]);
    expect((await orderOf(first.orderId)).totalCents).toBe(4900);
    // Nobody can be charged the amount of the old page any more.
    await expect(pay(payments, first.intentId)).rejects.toThrow();
    expect(await pay(payments, next.body.clientSecret.split('_secret_')[0])).toBe('succeeded');
    await settled();
    await expectBoughtOnce(buyer);
    await expectReconciled(payments);
  });

  it('P16: an offer that is paid before the next visit is honoured', async () => {
    const buyer = await makeBuyer(4900);
    const { intentId, orderId } = await checkOut(buyer);
    await setCourse(buyer.courses[0]!.id, { priceCents: 5900 });
    await pay(payments, intentId);
    expect((await confirm(buyer, intentId)).body).toMatchObject({ success: true, orderId });
    await expectReconciled(payments);
  });

  it('P17: a course hidden between offer and payment is still the buyer’s', async () => {
    const buyer = await makeBuyer(4900);
    const { intentId } = await checkOut(buyer);
    await setCourse(buyer.courses[0]!.id, { isActive: false });
    await pay(payments, intentId);
    await settled();
    await expectBoughtOnce(buyer);
  });

  it('P17: a course deleted between offer and payment stays for its buyer, hidden from everybody else', async () => {
    const buyer = await makeBuyer(4900);
    const [course] = buyer.courses;
    const { intentId } = await checkOut(buyer);
    expect(await deleteCourse({ id: null, name: 'test' }, course!.id)).toEqual({ outcome: 'hidden' });
    await pay(payments, intentId);
    await settled();
    await expectBoughtOnce(buyer);
    expect((await createIntent(await makeBuyer(), 49)).status).toBe(400);
    await expectReconciled(payments);
  });

  it('P17: a course that is deleted while its order is written is not sold', async () => {
    const buyer = await makeBuyer(4900);
    const administrator = await sqlClient().reserve();
    await administrator`begin`;
    // As for a course that nobody bought: its cart lines go with it.
    await administrator`delete from courses where id = ${buyer.courses[0]!.id}`;
    const asking = createIntent(buyer, 49);
    await vi.waitFor(async () => {
      const waiting =
        await administrator`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      expect(waiting).toHaveLength(1);
    }, 20_000);
    await administrator`commit`;
    administrator.release();
    expect(await asking).toMatchObject({ status: 400, body: { message: 'Your cart is empty.' } });
    expect(await ordersOf(buyer)).toEqual([]);
  });

  it('P22: money in another currency completes nothing and is flagged', async () => {
    withoutEvents();
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    await pay(payments, intentId);
    payments.sandbox.control.forceIntent(intentId, { currency: 'eur' });
    expect((await sendEvent(payments, intentEvent('payment_intent.succeeded', intentId))).status).toBe(200);
    const answer = await confirm(buyer, intentId);
    expect(answer.status).toBe(409);
    expect(answer.body.message).toBe(
      'Payment succeeded but enrollment failed. Please contact support with your payment details.',
    );
    expect(await orderOf(orderId)).toMatchObject({ status: 'pending', flag: 'paid in eur instead of usd' });
    expect(await enrollmentsOf(buyer)).toEqual([]);
  });

  it('P23: less money than the order costs completes nothing and is flagged', async () => {
    withoutEvents();
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    await pay(payments, intentId);
    payments.sandbox.control.forceIntent(intentId, { amountReceived: 4000 });
    expect((await confirm(buyer, intentId)).status).toBe(409);
    expect((await orderOf(orderId)).flag).toBe('received 4000 instead of 4900');
    expect(await enrollmentsOf(buyer)).toEqual([]);
  });
});

describe('the cart of a checkout', () => {
  it('P18: enrolls what was paid and leaves what came later in the cart', async () => {
    const buyer = await makeBuyer(4900, 2500);
    const { intentId } = await checkOut(buyer);
    const later = await makeCourseForSale();
    await db().insert(cartItems).values({ userId: buyer.user.id, courseId: later.id });
    await db().delete(cartItems).where(eq(cartItems.courseId, buyer.courses[0]!.id));
    await pay(payments, intentId);
    await settled();
    expect((await enrollmentsOf(buyer)).map((row) => row.courseId)).toEqual(
      buyer.courses.map((course) => course.id),
    );
    expect((await cartOf(buyer)).map((line) => line.courseId)).toEqual([later.id]);
  });

  it('P18: a second window that checks out a larger cart closes the smaller offer', async () => {
    const buyer = await makeBuyer(4900);
    const first = await checkOut(buyer);
    const later = await makeCourseForSale({ priceCents: 1000 });
    await db().insert(cartItems).values({ userId: buyer.user.id, courseId: later.id });
    buyer.courses.push(later);
    const second = await checkOut(buyer);
    expect((await orderOf(first.orderId)).status).toBe('expired');
    await expect(pay(payments, first.intentId)).rejects.toThrow();
    await pay(payments, second.intentId);
    await settled();
    await expectBoughtOnce(buyer);
  });

  it('P18: a smaller offer that was paid meanwhile counts, and only the rest is offered', async () => {
    withoutEvents();
    const buyer = await makeBuyer(4900);
    const first = await checkOut(buyer);
    await pay(payments, first.intentId);
    const later = await makeCourseForSale({ priceCents: 1000 });
    await db().insert(cartItems).values({ userId: buyer.user.id, courseId: later.id });
    const answer = await createIntent(buyer, 59);
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ code: 'price_changed', total: '10.00' });
    expect((await orderOf(first.orderId)).status).toBe('completed');
    expect((await createIntent(buyer, 10)).status).toBe(200);
  });

  it('P19: only owned courses in the cart is a 409, and the line leaves', async () => {
    const buyer = await makeBuyer(4900);
    await makeEnrollment(buyer.user.id, buyer.courses[0]!.id);
    const answer = await createIntent(buyer, 49);
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({
      code: 'already_owned',
      message: 'You are already enrolled in this course',
    });
    expect(await cartOf(buyer)).toEqual([]);
  });

  it('P19: owned and hidden lines are dropped with a notice', async () => {
    const buyer = await makeBuyer(4900, 1000, 2000);
    await makeEnrollment(buyer.user.id, buyer.courses[0]!.id);
    await setCourse(buyer.courses[1]!.id, { isActive: false });
    const answer = await createIntent(buyer, 20);
    expect(answer.status).toBe(200);
    expect(answer.body.notices.map((notice: { reason: string }) => notice.reason)).toEqual([
      'owned',
      'hidden',
    ]);
    expect(await cartOf(buyer)).toHaveLength(1);
  });

  it('P19: money that arrives twice for one course goes back, with access kept', async () => {
    withoutEvents();
    const buyer = await makeBuyer(4900, 1000);
    const first = await checkOut(buyer);
    await pay(payments, first.intentId);
    // Between offer and payment the first course came into the account by another way.
    await makeEnrollment(buyer.user.id, buyer.courses[0]!.id);
    expect((await confirm(buyer, first.intentId)).status).toBe(200);
    const order = await orderOf(first.orderId);
    expect(order.flag).toMatch(/owned already/);
    const items = await itemsOfOrder(order.id);
    const job = { orderId: order.id, itemIds: [items[0]!.id] };
    await refundDuplicatesJob.run(job, { isLast: false });
    await refundDuplicatesJob.run(job, { isLast: false });
    expect(await orderOf(order.id)).toMatchObject({
      status: 'partially_refunded',
      refundedCents: 4900,
      flag: null,
    });
    expect((await enrollmentsOf(buyer)).map((row) => row.status)).toEqual(['active', 'active']);
    const list = await payments.stripe.refunds.list({ payment_intent: first.intentId });
    expect(list.data.map((refund) => refund.amount)).toEqual([4900]);
    const [receipt] = await receiptsOf(buyer);
    expect(receipt?.text).toContain('pay it back');
    await expectReconciled(payments);
  });

  it('P20: a double click and two windows share one order and one payment', async () => {
    const buyer = await makeBuyer(4900);
    payments.sandbox.control.clearCalls();
    const answers = await Promise.all(Array.from({ length: 12 }, () => createIntent(buyer, 49)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.body.clientSecret)).size).toBe(1);
    expect(await ordersOf(buyer)).toHaveLength(1);
    const made = payments.sandbox.control
      .calls()
      .filter((call) => call.path === '/v1/payment_intents' && call.status === 200 && !call.replayed);
    expect(made).toHaveLength(1);
    await pay(payments, answers[0]!.body.clientSecret.split('_secret_')[0]);
    await settled();
    await expectBoughtOnce(buyer);
  });

  it('P21: a reload takes up the same order, paid or not', async () => {
    withoutEvents();
    const buyer = await makeBuyer(4900);
    const first = await checkOut(buyer);
    const second = await checkOut(buyer);
    expect(second).toEqual(first);
    await pay(payments, first.intentId);
    const third = await createIntent(buyer, 49);
    expect(third.body).toMatchObject({ clientSecret: null, status: 'completed', orderId: first.orderId });
    await expectBoughtOnce(buyer);
    expect(await ordersOf(buyer)).toHaveLength(1);
  });

  it('P45: an empty cart has nothing to pay', async () => {
    const answer = await createIntent(await makeBuyer(), 0);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toBe('Your cart is empty.');
  });

  it('P45: a cart above the limit of one payment is refused', async () => {
    const buyer = await makeBuyer(99_999_999, 99_999_999);
    expect((await createIntent(buyer, 1_999_999.98)).status).toBe(400);
    expect(await ordersOf(buyer)).toEqual([]);
    const dear = await makeBuyer(9_999_999_999);
    const answer = await createIntent(dear, 99_999_999.99);
    expect([answer.status, answer.body.message]).toEqual([
      400,
      'One payment can be $999,999.99 at most. Please buy fewer courses at once, or contact us.',
    ]);
  });

  it.each([
    ['19.999'],
    [19.999],
    ['-1'],
    [-1],
    ['0.49'],
    ['100000000.00'],
    [99_999_999.991],
    ['NaN'],
    [null],
  ])('P46: the course form refuses the price %j, and 0 makes a course free', (price) => {
    const form = {
      title: 'A course',
      description: 'What it is about.',
      thumbnail: '/favicon.svg',
      duration: '12 hours',
      level: 'beginner',
      categoryId: 1,
    };
    const input = createCourseCall.input!;
    const refused = input.safeParse({ ...form, price });
    expect(refused.error?.issues.map((issue) => issue.path[0])).toEqual(['price']);
    expect(input.parse({ ...form, price: '0' }).price).toBe(0);
  });

  it('P46: a free course is completed at once, without the provider', async () => {
    const buyer = await makeBuyer(0);
    payments.sandbox.control.clearCalls();
    const answer = await createIntent(buyer, 0);
    expect(answer.body).toMatchObject({ clientSecret: null, free: true, status: 'completed', total: '0.00' });
    expect(payments.sandbox.control.calls()).toEqual([]);
    await expectBoughtOnce(buyer);
    await expectReconciled(payments);
  });

  it('P46: a free course asked for twelve times at once is one order', async () => {
    const buyer = await makeBuyer(0, 0);
    const answers = await Promise.all(Array.from({ length: 12 }, () => createIntent(buyer, 0)));
    expect(answers.some((answer) => answer.status === 200)).toBe(true);
    expect(answers.every((answer) => [200, 400, 409].includes(answer.status))).toBe(true);
    await expectBoughtOnce(buyer);
  });
});

describe('confirming', () => {
  it('P24: somebody else’s payment does not exist', async () => {
    withoutEvents();
    const buyer = await makeBuyer(4900);
    const thief = await makeBuyer(2000);
    const { orderId, intentId } = await checkOut(buyer);
    await pay(payments, intentId);
    expect((await confirm(thief, intentId)).status).toBe(404);
    expect((await orderOf(orderId)).status).toBe('pending');
    expect(await enrollmentsOf(thief)).toEqual([]);
  });

  it('P25: an unpaid, made-up or oversized payment is refused with the specified words', async () => {
    withoutEvents();
    const buyer = await makeBuyer(4900);
    const { intentId } = await checkOut(buyer);
    const unpaid = await confirm(buyer, intentId);
    expect(unpaid.status).toBe(402);
    expect(unpaid.body).toMatchObject({
      message: 'Nothing has been paid yet, and nothing was charged.',
      status: 'requires_payment_method',
      tried: false,
    });
    await pay(payments, intentId, 'pm_card_chargeDeclined');
    const declined = await confirm(buyer, intentId);
    expect(declined.status).toBe(402);
    expect(declined.body.message).toBe('Your payment method was declined. Please try a different card.');
    expect((await confirm(buyer, 'pi_made_up')).status).toBe(404);
    for (const id of ['x'.repeat(10_240), `pi_${'x'.repeat(10_240)}`, '', 7, null, ['pi_1'], 'pi_1\0']) {
      expect((await confirm(buyer, id)).status).toBe(400);
    }
    expect(await enrollmentsOf(buyer)).toEqual([]);
  });

  it('P26: without a session is a 401, and the event completes the order all the same', async () => {
    const buyer = await makeBuyer(4900);
    const { intentId } = await checkOut(buyer);
    await pay(payments, intentId);
    expect((await confirm(null, intentId)).status).toBe(401);
    await settled();
    await expectBoughtOnce(buyer);
  });

  it('works with the session cookie too', async () => {
    withoutEvents();
    const buyer = await makeBuyer(4900);
    const { intentId } = await checkOut(buyer);
    await pay(payments, intentId);
    expect((await confirm(null, intentId, { withCookie: buyer.session })).status).toBe(200);
  });

  it('says that a payment is still processing, and completes it when it is through', async () => {
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    expect(await pay(payments, intentId, 'pm_card_processing')).toBe('processing');
    await settled();
    expect((await orderOf(orderId)).status).toBe('processing');
    const answer = await confirm(buyer, intentId);
    expect(answer.status).toBe(402);
    expect(answer.body.message).toBe('Your payment is being processed. Please wait...');
    expect((await createIntent(buyer, 49)).body).toMatchObject({
      clientSecret: null,
      status: 'processing',
      orderId,
    });
    payments.sandbox.control.settle(intentId, 'succeeds');
    await settled();
    await expectBoughtOnce(buyer);
  });

  it('ends an order whose processing failed, so that no page can pay it any more', async () => {
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    await pay(payments, intentId, 'pm_card_processingFails');
    await settled();
    payments.sandbox.control.settle(intentId, 'fails');
    await settled();
    expect((await orderOf(orderId)).status).toBe('failed');
    await expect(pay(payments, intentId)).rejects.toThrow();
    const again = await checkOut(buyer);
    await pay(payments, again.intentId);
    await settled();
    await expectBoughtOnce(buyer);
  });

  it('P43: an abandoned authentication leaves the order open for the next try', async () => {
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    expect(await pay(payments, intentId, 'pm_card_threeDSecureRequired')).toBe('requires_action');
    const answer = await confirm(buyer, intentId);
    expect(answer.status).toBe(402);
    expect(answer.body.message).toContain('requires_action');
    expect((await checkOut(buyer)).intentId).toBe(intentId);
    expect((await orderOf(orderId)).status).toBe('pending');
    expect(await pay(payments, intentId)).toBe('succeeded');
    await settled();
    await expectBoughtOnce(buyer);
  });
});

describe('refunds and disputes', () => {
  async function bought(...prices: number[]) {
    const buyer = await makeBuyer(...prices);
    const checkout = await checkOut(buyer);
    await pay(payments, checkout.intentId);
    await settled();
    await expectBoughtOnce(buyer);
    return { buyer, ...checkout };
  }
  const statuses = async (buyer: Awaited<ReturnType<typeof makeBuyer>>) =>
    (await enrollmentsOf(buyer)).map((row) => row.status);

  it('P34: a full refund ends the access, and buying again restores it', async () => {
    const { buyer, orderId, intentId } = await bought(4900, 2000);
    await payments.stripe.refunds.create({ payment_intent: intentId });
    await settled();
    expect(await orderOf(orderId)).toMatchObject({ status: 'refunded', refundedCents: 6900 });
    expect(await statuses(buyer)).toEqual(['revoked', 'revoked']);
    await expectReconciled(payments);

    for (const course of buyer.courses)
      await db().insert(cartItems).values({ userId: buyer.user.id, courseId: course.id });
    const again = await checkOut(buyer);
    await pay(payments, again.intentId);
    await settled();
    expect(await statuses(buyer)).toEqual(['active', 'active']);
    const [course] = await db().select().from(courses).where(eq(courses.id, buyer.courses[0]!.id));
    expect(course?.studentsCount).toBe(1);
  });

  it('P34: a refund of one line ends that line alone', async () => {
    const { buyer, orderId, intentId } = await bought(4900, 2000);
    await payments.stripe.refunds.create({ payment_intent: intentId, amount: 2000 });
    await settled();
    expect(await orderOf(orderId)).toMatchObject({ status: 'partially_refunded', refundedCents: 2000 });
    expect(await statuses(buyer)).toEqual(['active', 'revoked']);
    expect((await itemsOfOrder(orderId)).map((item) => item.refundedAt !== null)).toEqual([false, true]);
    await expectReconciled(payments);
  });

  it('P34: an amount that matches no line is recorded and takes no access', async () => {
    const { buyer, orderId, intentId } = await bought(4900, 2000);
    await payments.stripe.refunds.create({ payment_intent: intentId, amount: 777 });
    await settled();
    expect(await orderOf(orderId)).toMatchObject({ status: 'partially_refunded', refundedCents: 777 });
    expect(await statuses(buyer)).toEqual(['active', 'active']);
    expect(await refundsOf(orderId)).toMatchObject([{ amountCents: 777, orderItemId: null }]);
  });

  it('P34: an amount that fits two lines is left to an operator', async () => {
    const { buyer, orderId, intentId } = await bought(2000, 2000);
    await payments.stripe.refunds.create({ payment_intent: intentId, amount: 2000 });
    await settled();
    expect((await orderOf(orderId)).flag).toMatch(/several lines/);
    expect(await statuses(buyer)).toEqual(['active', 'active']);
    await payments.stripe.refunds.create({ payment_intent: intentId, amount: 2000 });
    await settled();
    expect(await statuses(buyer)).toEqual(['revoked', 'revoked']);
    expect((await orderOf(orderId)).status).toBe('refunded');
  });

  it('P35: a dispute suspends, a won one restores', async () => {
    const { buyer, orderId, intentId } = await bought(4900);
    const dispute = payments.sandbox.control.openDispute({ intent: intentId });
    await settled();
    expect((await orderOf(orderId)).status).toBe('disputed');
    expect(await statuses(buyer)).toEqual(['suspended']);
    payments.sandbox.control.closeDispute(dispute.id, 'won');
    await settled();
    expect((await orderOf(orderId)).status).toBe('completed');
    expect(await statuses(buyer)).toEqual(['active']);
    await expectReconciled(payments);
  });

  it('a refund that comes back restores the access and is left to an operator', async () => {
    withoutEvents();
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    await pay(payments, intentId, 'pm_card_refundFail');
    await confirm(buyer, intentId);
    payments.sandbox.control.clearEventFaults();
    const refund = await payments.stripe.refunds.create({ payment_intent: intentId });
    await settled();
    expect(await statuses(buyer)).toEqual(['revoked']);
    payments.sandbox.control.settleRefund(refund.id, 'fails');
    await settled();
    expect(await statuses(buyer)).toEqual(['active']);
    expect(await orderOf(orderId)).toMatchObject({
      status: 'completed',
      refundedCents: 0,
      flag: expect.stringMatching(/came back/),
    });
    await expectReconciled(payments);
  });

  it('P35: a lost dispute counts as paid back, and gives the order back when the bank reverses it', async () => {
    const { buyer, orderId, intentId } = await bought(4900, 2000);
    const dispute = payments.sandbox.control.openDispute({ intent: intentId });
    payments.sandbox.control.closeDispute(dispute.id, 'lost');
    await settled();
    expect(await orderOf(orderId)).toMatchObject({ status: 'refunded', refundedCents: 6900 });
    expect(await statuses(buyer)).toEqual(['revoked', 'revoked']);
    await expectReconciled(payments);
    payments.sandbox.control.closeDispute(dispute.id, 'won');
    await settled();
    expect(await orderOf(orderId)).toMatchObject({ status: 'completed', refundedCents: 0 });
    expect(await statuses(buyer)).toEqual(['active', 'active']);
    expect((await itemsOfOrder(orderId)).every((item) => item.refundedAt === null)).toBe(true);
    await expectReconciled(payments);
  });

  it('P35: a lost dispute revokes', async () => {
    const { buyer, orderId, intentId } = await bought(4900);
    const dispute = payments.sandbox.control.openDispute({ intent: intentId });
    payments.sandbox.control.closeDispute(dispute.id, 'lost');
    await settled();
    expect((await orderOf(orderId)).status).toBe('refunded');
    expect(await statuses(buyer)).toEqual(['revoked']);
    await expectReconciled(payments);
  });
});

describe('a provider that stumbles', () => {
  it('P36: an intent whose answer was lost is the one that is used', async () => {
    const buyer = await makeBuyer(4900);
    payments.sandbox.control.clearCalls();
    payments.sandbox.control.failApi({
      method: 'POST',
      path: '/v1/payment_intents',
      stage: 'after',
      outcome: 'reset',
    });
    const { intentId } = await checkOut(buyer);
    const calls = payments.sandbox.control
      .calls()
      .filter((call) => call.method === 'POST' && call.path === '/v1/payment_intents');
    expect(calls.length).toBeGreaterThan(1);
    expect(new Set(calls.map((call) => call.idempotencyKey)).size).toBe(1);
    expect(calls.at(-1)).toMatchObject({ status: 200, replayed: true });
    await pay(payments, intentId);
    await settled();
    await expectBoughtOnce(buyer);
  });

  it.each([[429], [500], [502], ['reset' as const]])(
    'P37: %s twice is survived, for ever is an honest failure',
    async (outcome) => {
      const buyer = await makeBuyer(4900);
      const fault = { method: 'POST' as const, path: '/v1/payment_intents', outcome };
      payments.sandbox.control.failApi({ ...fault, times: 2 });
      expect((await createIntent(buyer, 49)).status).toBe(200);
      const other = await makeBuyer(4900);
      payments.sandbox.control.failApi({ ...fault, times: 20 });
      const answer = await createIntent(other, 49);
      expect(answer.status).toBe(502);
      expect(answer.body.code).toBe('provider_unavailable');
      expect((await ordersOf(other)).map((order) => order.status)).toEqual(['pending']);
      payments.sandbox.control.clearApiFaults();
      expect((await createIntent(other, 49)).status).toBe(200);
    },
  );

  it('P37: a provider that hangs is given up', async () => {
    const buyer = await makeBuyer(4900);
    payments.sandbox.control.failApi({ path: '/v1/payment_intents', delayMs: 600_000, times: 9 });
    expect((await createIntent(buyer, 49)).status).toBe(502);
  });

  it('P37: a failure that the provider keeps for its key is got past at the next try', async () => {
    const buyer = await makeBuyer(4900);
    payments.sandbox.control.failApi({
      method: 'POST',
      path: '/v1/payment_intents',
      outcome: 500,
      stored: true,
    });
    expect((await createIntent(buyer, 49)).status).toBe(502);
    expect((await createIntent(buyer, 49)).status).toBe(200);
  });
});

describe('orders that did not come from a cart', () => {
  /** An order with a paid intent, written as a direct checkout would. */
  async function paidOrder(courseIds: number[], user: { id: number; email: string } | null) {
    const [order] = await db()
      .insert(orders)
      .values({
        userId: user?.id ?? null,
        buyerEmail: user?.email ?? 'guest@example.com',
        totalCents: 4900 * courseIds.length,
        fingerprint: crypto.randomUUID(),
      })
      .returning();
    await db()
      .insert(orderItems)
      .values(
        courseIds.map((courseId) => ({
          orderId: order!.id,
          courseId,
          title: 'Course',
          priceCents: 4900,
          listPriceCents: 4900,
        })),
      );
    const intent = await payments.stripe.paymentIntents.create({
      amount: order!.totalCents,
      currency: 'usd',
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      metadata: {
        order_id: String(order!.id),
        order_reference: orderReference(order!),
        user_id: String(user?.id ?? ''),
      },
    });
    await db().update(orders).set({ stripePaymentIntentId: intent.id }).where(eq(orders.id, order!.id));
    await pay(payments, intent.id);
    return { orderId: order!.id, intentId: intent.id };
  }

  it('a guest’s order is completed without an enrollment', async () => {
    const course = await makeCourseForSale();
    const { orderId } = await paidOrder([course.id], null);
    await settled();
    expect(await orderOf(orderId)).toMatchObject({ status: 'completed', userId: null });
    expect(await db().$count(enrollments, eq(enrollments.courseId, course.id))).toBe(0);
    await expectReconciled(payments);
  });

  it('P19: two orders of one course that complete at once give access once and flag the second', async () => {
    withoutEvents();
    for (let round = 0; round < 3; round += 1) {
      const user = await makeUser();
      const [a, b] = [await makeCourseForSale(), await makeCourseForSale()];
      const first = await paidOrder([a.id, b.id], user);
      const second = await paidOrder([b.id, a.id], user);
      await Promise.all(
        [first, second, first, second].map(({ intentId }) =>
          sendEvent(payments, intentEvent('payment_intent.succeeded', intentId)),
        ),
      );
      const done = [await orderOf(first.orderId), await orderOf(second.orderId)];
      expect(done.map((order) => order.status)).toEqual(['completed', 'completed']);
      expect(done.filter((order) => order.flag !== null)).toHaveLength(1);
      expect(await db().$count(enrollments, eq(enrollments.userId, user.id))).toBe(2);
      const doubled = done.find((order) => order.flag !== null)!;
      const itemIds = (await itemsOfOrder(doubled.id)).map((item) => item.id);
      await refundDuplicatesJob.run({ orderId: doubled.id, itemIds }, { isLast: false });
      expect((await orderOf(doubled.id)).status).toBe('refunded');
      const rows = await db().select().from(enrollments).where(eq(enrollments.userId, user.id));
      expect(rows.map((row) => row.status)).toEqual(['active', 'active']);
      const [counted] = await db().select().from(courses).where(eq(courses.id, a.id));
      expect(counted?.studentsCount).toBe(1);
    }
    await expectReconciled(payments);
  });

  it('a payment that names another order completes nothing', async () => {
    withoutEvents();
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    payments.sandbox.control.forceIntent(intentId, { metadata: { order_id: '1' } });
    await pay(payments, intentId);
    expect((await confirm(buyer, intentId)).status).toBe(409);
    expect((await orderOf(orderId)).flag).toBe('the payment names another order');
  });
});

describe('time', () => {
  it('an order unpaid for a day expires, its payment cancelled first', async () => {
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    await moveBack(orders, eq(orders.id, orderId), { createdAt: { hours: 25 } });
    await reconcileOrders();
    expect((await orderOf(orderId)).status).toBe('expired');
    expect((await payments.stripe.paymentIntents.retrieve(intentId)).status).toBe('canceled');
  });

  it('the reconciler can be queued at the start of the site', async () => {
    await sendJob(db(), reconcileJob, undefined);
    await expect(reconcileJob.run(undefined, { isLast: false })).resolves.toBeUndefined();
  });

  it('money that is there wins over the day', async () => {
    withoutEvents();
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    await pay(payments, intentId);
    await db().update(orders).set({ status: 'expired' }).where(eq(orders.id, orderId));
    await reconcileOrders();
    await expectBoughtOnce(buyer);
  });
});

describe('the list of orders', () => {
  it('shows the caller’s own with their lines', async () => {
    const buyer = await makeBuyer(4900, 1999);
    const { orderId, intentId } = await checkOut(buyer);
    await pay(payments, intentId);
    await settled();
    await checkOut(await makeBuyer(1000));
    const answer = await callRoute(ordersRoute, { as: buyer.session });
    expect(answer.body).toMatchObject([
      {
        id: orderId,
        total: '68.99',
        status: 'completed',
        invoiceNumber: expect.stringMatching(/^INV-\d{4}-\d{6}$/),
        items: [{ price: '49.00' }, { price: '19.99' }],
      },
    ]);
    expect((await callRoute(ordersRoute)).status).toBe(401);
  });

  it('a receipt names what was bought, the total and the invoice', async () => {
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    await pay(payments, intentId);
    await settled();
    const [mail] = await db()
      .select()
      .from(mailOutbox)
      .where(eq(mailOutbox.dedupeKey, `receipt:${orderId}`));
    const order = await orderOf(orderId);
    expect(mail?.subject).toContain(order.invoiceNumber);
    expect(mail?.text).toContain(`${buyer.courses[0]!.title}: $49.00`);
    expect(mail?.text).toContain('Total paid: $49.00 USD');
  });
});
