import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourseForSale, makeUser } from '../../support/factories.ts';
import { auditLog } from '#db/schema/account.ts';
import { courses } from '#db/schema/catalogue.ts';
import { coupons, ledgerEntries, orders } from '#db/schema/store.ts';
import { findCoupons, HOLD_MINUTES } from '#src/features/store/coupons/coupons.server.ts';
import { COUPON_REFUSALS, type CouponRefusal } from '#src/features/store/coupons/coupons.ts';
import { reconcileOrders } from '#src/features/store/reconciliation/settle-orders.server.ts';
import { refundLine } from '#src/features/store/refunds/refunds.server.ts';
import { PUT as couponRoute } from '#src/pages/api/admin/coupons/[id].ts';
import { POST as createRoute, GET as listRoute } from '#src/pages/api/admin/coupons.ts';
import { GET as csvRoute } from '#src/pages/admin/coupons/[prefix].csv.ts';
import { PUT as batchRoute } from '#src/pages/api/admin/coupon-batches/[prefix].ts';
import { POST as createBatchRoute } from '#src/pages/api/admin/coupon-batches.ts';
import { POST as applyRoute } from '#src/pages/api/apply-coupon.ts';
import { POST as intentRoute } from '#src/pages/api/create-payment-intent.ts';
import { type Answer, callRoute, signIn } from '../../support/api.ts';
import { makeGuest, openDirect, saveBuyer, startDirect } from '../../support/guests.ts';
import { moveBack } from '../../support/move-back.ts';
import {
  type Buyer,
  confirm,
  expectReconciled,
  itemsOfOrder,
  makeBuyer,
  orderOf,
  ordersOf,
  type Payments,
  pay,
  refundsOf,
  startPayments,
  makeCoupon,
  intentOf,
} from '../../support/payments.ts';

let payments: Payments;
let admin: { id: number; session: Awaited<ReturnType<typeof signIn>> };
beforeAll(async () => {
  payments = await startPayments();
  const user = await makeAdmin();
  admin = { id: user.id, session: await signIn(user) };
});
afterAll(() => payments.close());
beforeEach(() => payments.sandbox.control.settled());

const apply = (buyer: Pick<Buyer, 'session'>, code: unknown, courseId?: number) =>
  callRoute(applyRoute, {
    as: buyer.session,
    body: { code, ...(courseId === undefined ? {} : { courseId }) },
  });
const start = (buyer: Pick<Buyer, 'session'>, amountCents: number, couponCode?: string): Promise<Answer> =>
  callRoute(intentRoute, {
    as: buyer.session,
    body: { amount: amountCents / 100, ...(couponCode === undefined ? {} : { couponCode }) },
  });

function expectRefused(answer: Answer, reason: CouponRefusal): void {
  expect(answer.body, answer.text).toMatchObject({
    coupon: reason,
    message: COUPON_REFUSALS[reason],
    fields: { couponCode: COUPON_REFUSALS[reason] },
  });
  expect(answer.status).toBe(reason === 'unknown' ? 404 : 409);
}

describe('a coupon in the order', () => {
  it('is refused together with what left the cart, which would be told nowhere else', async () => {
    const buyer = await makeBuyer(1999, 4900);
    await db().update(courses).set({ isActive: false }).where(eq(courses.id, buyer.courses[0]!.id));
    const answer = await start(buyer, 4900, 'NO-SUCH-CODE');
    expectRefused(answer, 'unknown');
    expect(answer.body.notices).toMatchObject([{ courseId: buyer.courses[0]!.id }]);
    // It left the cart for good, so that the next look has nothing to tell.
    expect((await start(buyer, 4900)).body.notices).toBeUndefined();
  });

  it('takes its share off each line, and invoice, ledger and refunds agree to the cent', async () => {
    const coupon = await makeCoupon();
    const buyer = await makeBuyer(1999, 4900);
    const quote = await apply(buyer, ` ${coupon.code.toLowerCase()} `);
    expect(quote.body).toEqual({ code: coupon.code, discount: '6.90', total: '62.09', reduced: false });
    const answer = await start(buyer, 6209, coupon.code);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.total).toBe('62.09');
    const { orderId } = answer.body;
    expect((await payments.stripe.paymentIntents.retrieve(intentOf(answer))).amount).toBe(6209);
    expect(await pay(payments, intentOf(answer))).toBe('succeeded');
    expect((await confirm(buyer, intentOf(answer))).status).toBe(200);
    expect(await orderOf(orderId)).toMatchObject({
      status: 'completed',
      totalCents: 6209,
      discountCents: 690,
      couponId: coupon.id,
      couponCode: coupon.code,
    });
    const items = await itemsOfOrder(orderId);
    expect(items.map((item) => [item.listPriceCents, item.priceCents])).toEqual([
      [1999, 1799],
      [4900, 4410],
    ]);
    for (const item of items) await refundLine(orderId, item.id, { reason: 'test', source: 'admin' });
    expect((await refundsOf(orderId)).map((refund) => refund.amountCents).sort()).toEqual([1799, 4410]);
    expect(await orderOf(orderId)).toMatchObject({ status: 'refunded', refundedCents: 6209 });
    const [balance] = await db()
      .select({ cents: sql<number>`sum(${ledgerEntries.amountCents})::int` })
      .from(ledgerEntries)
      .where(sql`${ledgerEntries.orderId} = ${orderId} and ${ledgerEntries.account} = 'provider_clearing'`);
    expect(balance!.cents).toBe(0);
    await expectReconciled(payments);
  });

  it('applies to one course alone where it says so', async () => {
    const buyer = await makeBuyer(1999, 4900);
    const coupon = await makeCoupon({ percentOff: 50, courseId: buyer.courses[1]!.id });
    expect((await apply(buyer, coupon.code)).body).toMatchObject({ discount: '24.50', total: '44.49' });
    const { body } = await start(buyer, 4449, coupon.code);
    expect((await itemsOfOrder(body.orderId)).map((item) => item.priceCents)).toEqual([1999, 2450]);
    expectRefused(await apply(await makeBuyer(4900), coupon.code), 'other_course');
    expectRefused(await start(await makeBuyer(4900), 4900, coupon.code), 'other_course');
  });

  it('needs no card where it takes everything off', async () => {
    const coupon = await makeCoupon({ percentOff: 100 });
    const buyer = await makeBuyer(1999, 4900);
    expect((await apply(buyer, coupon.code)).body).toMatchObject({ discount: '68.99', total: '0.00' });
    const answer = await start(buyer, 0, coupon.code);
    expect(answer.body).toMatchObject({ clientSecret: null, free: true, status: 'completed', total: '0.00' });
    expect(await orderOf(answer.body.orderId)).toMatchObject({
      status: 'completed',
      totalCents: 0,
      stripePaymentIntentId: null,
    });
    expectRefused(await start(await again(buyer, 2500), 0, coupon.code), 'used_before');
    await expectReconciled(payments);
  });

  it('leaves at least what a card can be charged', async () => {
    const coupon = await makeCoupon({ kind: 'fixed', amountOffCents: 4870 });
    const buyer = await makeBuyer(4900);
    expect((await apply(buyer, coupon.code)).body).toEqual({
      code: coupon.code,
      discount: '48.50',
      total: '0.50',
      reduced: true,
    });
    const answer = await start(buyer, 50, coupon.code);
    expect(await pay(payments, intentOf(answer))).toBe('succeeded');
    const small = await makeCoupon({ kind: 'fixed', amountOffCents: 20 });
    expectRefused(await apply(await makeBuyer(50), small.code), 'too_small');
    expectRefused(await apply(await makeBuyer(0), small.code), 'nothing_to_pay');
  });

  it('does not soften the check of the amount: the page must show what the server charges', async () => {
    const coupon = await makeCoupon();
    const buyer = await makeBuyer(5000);
    for (const amount of [5000, 4499, 0]) {
      const answer = await start(buyer, amount, coupon.code);
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({ code: 'price_changed', total: '45.00' });
    }
    const without = await start(buyer, 4500);
    expect(without.body).toMatchObject({ code: 'price_changed', total: '50.00' });
    expect(await ordersOf(buyer)).toEqual([]);
    await db().update(courses).set({ priceCents: 6000 }).where(eq(courses.id, buyer.courses[0]!.id));
    expect((await start(buyer, 4500, coupon.code)).body).toMatchObject({ total: '54.00' });
  });

  it('is one open order per cart and coupon; without the coupon it is another, and the first is closed', async () => {
    const coupon = await makeCoupon({ usageLimit: 1 });
    const buyer = await makeBuyer(5000);
    const first = await start(buyer, 4500, coupon.code);
    const second = await start(buyer, 4500, coupon.code);
    expect(second.body).toEqual(first.body);
    const without = await start(buyer, 5000);
    expect(without.body.orderId).not.toBe(first.body.orderId);
    expect((await orderOf(first.body.orderId)).status).toBe('expired');
    expect((await payments.stripe.paymentIntents.retrieve(intentOf(first))).status).toBe('canceled');
    const third = await start(buyer, 4500, coupon.code);
    expect(third.status, third.text).toBe(200);
    expect((await orderOf(without.body.orderId)).status).toBe('expired');
    expect(await pay(payments, intentOf(third))).toBe('succeeded');
    expect((await confirm(buyer, intentOf(third))).status).toBe(200);
  });

  it('keeps its offer when the coupon is switched off between the order and the payment', async () => {
    const coupon = await makeCoupon();
    const buyer = await makeBuyer(5000);
    const answer = await start(buyer, 4500, coupon.code);
    await db().update(coupons).set({ isActive: false }).where(eq(coupons.id, coupon.id));
    expect(await pay(payments, intentOf(answer))).toBe('succeeded');
    expect((await confirm(buyer, intentOf(answer))).status).toBe(200);
    expect((await orderOf(answer.body.orderId)).status).toBe('completed');
  });
});

/** The same buyer with another course in the cart. */
async function again(buyer: Buyer, priceCents: number): Promise<Buyer> {
  const other = await makeBuyer(priceCents);
  await db().execute(sql`update cart_items set user_id = ${buyer.user.id} where user_id = ${other.user.id}`);
  return { ...buyer, courses: other.courses };
}

describe('who may use a coupon', () => {
  it.each<[CouponRefusal, Partial<typeof coupons.$inferInsert> | null]>([
    ['unknown', null],
    ['disabled', { isActive: false }],
    ['expired', { expiresAt: new Date(Date.now() - 1000) }],
  ])('nobody: %s', async (reason, values) => {
    const buyer = await makeBuyer(5000);
    const name = values ? (await makeCoupon(values)).code : 'NO-SUCH-CODE';
    expectRefused(await apply(buyer, name), reason);
    expectRefused(await start(buyer, 4500, name), reason);
    expect(await ordersOf(buyer)).toEqual([]);
  });

  it('each buyer once, whatever became of the order', async () => {
    const coupon = await makeCoupon();
    const buyer = await makeBuyer(5000);
    const first = await start(buyer, 4500, coupon.code);
    await pay(payments, intentOf(first));
    await confirm(buyer, intentOf(first));
    const next = await again(buyer, 2000);
    expectRefused(await apply(next, coupon.code), 'used_before');
    expectRefused(await start(next, 1800, coupon.code), 'used_before');
    const [item] = await itemsOfOrder(first.body.orderId);
    await refundLine(first.body.orderId, item!.id, { reason: 'test', source: 'admin' });
    expectRefused(await start(next, 1800, coupon.code), 'used_before');
  });

  it('gives way to the buyer’s own newer order', async () => {
    const coupon = await makeCoupon({ usageLimit: 1 });
    const buyer = await makeBuyer(5000);
    const direct = await callRoute(intentRoute, {
      as: buyer.session,
      body: { amount: 45, couponCode: coupon.code },
    });
    await db().execute(sql`delete from cart_items where user_id = ${buyer.user.id}`);
    const next = await again(buyer, 2000);
    const answer = await start(next, 1800, coupon.code);
    expect(answer.status, answer.text).toBe(200);
    expect((await orderOf(direct.body.orderId)).status).toBe('expired');
  });

  it('not while another payment with it is under way', async () => {
    const coupon = await makeCoupon();
    const buyer = await makeBuyer(5000);
    const first = await start(buyer, 4500, coupon.code);
    await db().update(orders).set({ status: 'processing' }).where(eq(orders.id, first.body.orderId));
    expectRefused(await start(await again(buyer, 2000), 6300, coupon.code), 'in_use');
    await db().update(orders).set({ status: 'failed' }).where(eq(orders.id, first.body.orderId));
  });
});

describe('a limited coupon', () => {
  it('goes to one of twenty who ask at once', async () => {
    const coupon = await makeCoupon({ usageLimit: 1 });
    const buyers = await Promise.all(Array.from({ length: 20 }, () => makeBuyer(5000)));
    const answers = await Promise.all(buyers.map((buyer) => start(buyer, 4500, coupon.code)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(19).fill(409)]);
    for (const answer of answers.filter(({ status }) => status === 409)) expectRefused(answer, 'used_up');
    const winner = answers.findIndex((answer) => answer.status === 200);
    await pay(payments, intentOf(answers[winner]!));
    expect((await confirm(buyers[winner]!, intentOf(answers[winner]!))).status).toBe(200);
    expectRefused(await apply(buyers[(winner + 1) % 20]!, coupon.code), 'used_up');
    await expectReconciled(payments);
  });

  it('goes to as many as it has uses, and every one of them is paid', async () => {
    const coupon = await makeCoupon({ usageLimit: 3 });
    const buyers = await Promise.all(Array.from({ length: 10 }, () => makeBuyer(5000)));
    const answers = await Promise.all(buyers.map((buyer) => start(buyer, 4500, coupon.code)));
    const taken = answers.flatMap((answer, index) => (answer.status === 200 ? [{ answer, index }] : []));
    expect(taken).toHaveLength(3);
    await Promise.all(
      taken.map(async ({ answer, index }) => {
        await pay(payments, intentOf(answer));
        expect((await confirm(buyers[index]!, intentOf(answer))).status).toBe(200);
      }),
    );
    const held = await db().$count(orders, eq(orders.couponId, coupon.id));
    expect(held).toBe(3);
  });

  it('is not used up by twenty tries of one buyer', async () => {
    const coupon = await makeCoupon({ usageLimit: 2 });
    const buyer = await makeBuyer(5000);
    const answers = await Promise.all(Array.from({ length: 20 }, () => start(buyer, 4500, coupon.code)));
    expect(new Set(answers.map((answer) => answer.body.orderId)).size).toBe(1);
    expect((await start(await makeBuyer(5000), 4500, coupon.code)).status).toBe(200);
  });

  it('comes back when its order expires, fails, or drops it', async () => {
    const coupon = await makeCoupon({ usageLimit: 1 });
    const first = await makeBuyer(5000);
    const held = await start(first, 4500, coupon.code);
    const second = await makeBuyer(5000);
    expectRefused(await start(second, 4500, coupon.code), 'used_up');
    // The buyer takes it out of the checkout.
    await start(first, 5000);
    const next = await start(second, 4500, coupon.code);
    expect(next.status, next.text).toBe(200);
    // A day passes.
    await moveBack(orders, eq(orders.id, next.body.orderId), { createdAt: { hours: 25 } });
    await reconcileOrders();
    expect((await orderOf(next.body.orderId)).status).toBe('expired');
    const third = await start(await makeBuyer(5000), 4500, coupon.code);
    expect(third.status, third.text).toBe(200);
    // The payment is called off at the provider.
    await payments.stripe.paymentIntents.cancel(intentOf(third));
    await payments.sandbox.control.settled();
    expect((await orderOf(third.body.orderId)).status).toBe('failed');
    expect((await start(await makeBuyer(5000), 4500, coupon.code)).status).toBe(200);
    expect((await orderOf(held.body.orderId)).status).toBe('expired');
  });

  it('is taken from an order that was left unpaid for an hour, never from a paid one', async () => {
    const coupon = await makeCoupon({ usageLimit: 1 });
    const leaver = await makeBuyer(5000);
    const left = await start(leaver, 4500, coupon.code);
    const buyer = await makeBuyer(5000);
    const age = (minutes: number) =>
      db()
        .update(orders)
        .set({ createdAt: sql`now() - make_interval(mins => ${minutes})` })
        .where(eq(orders.id, left.body.orderId));
    await age(HOLD_MINUTES - 5);
    expectRefused(await start(buyer, 4500, coupon.code), 'used_up');
    await age(HOLD_MINUTES + 5);
    expect((await apply(buyer, coupon.code)).body.total).toBe('45.00');
    const answer = await start(buyer, 4500, coupon.code);
    expect(answer.status, answer.text).toBe(200);
    expect((await orderOf(left.body.orderId)).status).toBe('expired');
    expect((await payments.stripe.paymentIntents.retrieve(intentOf(left))).status).toBe('canceled');
    await pay(payments, intentOf(answer));
    await confirm(buyer, intentOf(answer));
    await moveBack(orders, eq(orders.id, answer.body.orderId), { createdAt: { hours: 3 } });
    expectRefused(await start(leaver, 4500, coupon.code), 'used_up');
  });
});

describe('a coupon in a guest’s purchase', () => {
  const quoteAs = (guest: ReturnType<typeof makeGuest>, code: string, courseId: number) =>
    callRoute(applyRoute, { body: { code, courseId }, cookies: guest.cookies, ip: guest.ip });
  const startWith = (guest: ReturnType<typeof makeGuest>, courseId: number, amount: number, code: string) =>
    startDirect(guest, courseId, amount, { body: { courseId, amount, couponCode: code } });

  it('is applied to the one course', async () => {
    const course = await makeCourseForSale({ priceCents: 5000 });
    const coupon = await makeCoupon();
    const guest = makeGuest();
    expect((await quoteAs(guest, coupon.code, course.id)).body.total).toBe('45.00');
    const answer = await startWith(guest, course.id, 45, coupon.code);
    expect(answer.status, answer.text).toBe(200);
    expect((await saveBuyer(guest, intentOf(answer))).status).toBe(200);
    expect(await pay(payments, intentOf(answer))).toBe('succeeded');
    await payments.sandbox.control.settled();
    expect(await orderOf(answer.body.orderId)).toMatchObject({ status: 'completed', totalCents: 4500 });
    // The same browser. What the buyer types in tells nobody anything before the payment.
    const other = await makeCourseForSale({ priceCents: 2000 });
    expectRefused(await startWith(guest, other.id, 18, coupon.code), 'used_before');
  });

  it('that takes everything off asks for the buyer first', async () => {
    const course = await makeCourseForSale({ priceCents: 5000 });
    const coupon = await makeCoupon({ percentOff: 100 });
    const guest = makeGuest();
    const bare = await startWith(guest, course.id, 0, coupon.code);
    expect(bare.status).toBe(400);
    expect(bare.body.fields.buyer).toContain('first name');
    const body = { courseId: course.id, amount: 0, couponCode: coupon.code, buyer: guest.buyer };
    const answer = await startDirect(guest, course.id, 0, { body });
    expect(answer.body).toMatchObject({ free: true, status: 'completed' });
    await expectReconciled(payments);
  });

  it('leaves a purchase without a coupon as it is', async () => {
    const guest = makeGuest();
    const purchase = await openDirect(guest, await makeCourseForSale({ priceCents: 5000 }));
    expect(await orderOf(purchase.orderId)).toMatchObject({ discountCents: 0, couponId: null });
  });
});

describe('administration of coupons', () => {
  const create = (body: unknown, as = admin.session) => callRoute(createRoute, { as, body });

  it('makes, lists and switches coupons, and tells what became of them', async () => {
    const course = await makeCourseForSale();
    const made = await create({
      kind: 'fixed',
      code: 'summer-15',
      amountOff: '15.00',
      courseId: course.id,
      usageLimit: 5,
      expiresAt: '2099-01-01T00:00:00Z',
    });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({
      code: 'SUMMER-15',
      kind: 'fixed',
      percentOff: null,
      amountOff: '15.00',
      course: { id: course.id, title: course.title },
      usageLimit: 5,
      used: 0,
      reserved: 0,
      state: 'active',
      expiresAt: '2099-01-01T00:00:00.000Z',
    });
    const user = await makeUser();
    const buyer = { session: await signIn(user) };
    await db().execute(sql`insert into cart_items (user_id, course_id) values (${user.id}, ${course.id})`);
    const open = await start(buyer, 3400, 'SUMMER-15');
    const find = async () => {
      const list = await callRoute(listRoute, { as: admin.session });
      return list.body.find((coupon: { id: number }) => coupon.id === made.body.id);
    };
    expect(await find()).toMatchObject({ used: 0, reserved: 1, discountGiven: '0.00' });
    await pay(payments, intentOf(open));
    await payments.sandbox.control.settled();
    expect(await find()).toMatchObject({ used: 1, reserved: 0, discountGiven: '15.00' });
    const off = await callRoute(couponRoute, {
      method: 'PUT',
      as: admin.session,
      params: { id: String(made.body.id) },
      body: { isActive: false },
    });
    expect(off.body).toMatchObject({ isActive: false, state: 'disabled' });
    const log = await db().select().from(auditLog).where(eq(auditLog.subjectType, 'coupon'));
    expect(log.map((entry) => entry.action)).toEqual(['coupon.created', 'coupon.disabled']);
  });

  it('finds coupons by a part of the code and by their state, a page at a time', async () => {
    const find = async (query: Partial<Parameters<typeof findCoupons>[0]>) => {
      const { coupons: found, ...rest } = await findCoupons({
        search: '',
        state: null,
        batch: null,
        page: 1,
        ...query,
      });
      return { ...rest, codes: found.map(({ code }) => code) };
    };
    for (let at = 1; at <= 21; at += 1) await makeCoupon({ code: `PAGED-${at}` });
    await makeCoupon({ code: 'PAGED-OFF', isActive: false, expiresAt: new Date('2001-01-01') });
    await makeCoupon({ code: 'PAGED-OLD', expiresAt: new Date('2001-01-01') });
    const { id } = await makeCoupon({ code: 'PAGED-FULL', usageLimit: 1 });
    const course = await makeCourseForSale();
    const user = await makeUser();
    await db().execute(sql`insert into cart_items (user_id, course_id) values (${user.id}, ${course.id})`);
    const open = await start({ session: await signIn(user) }, 4410, 'PAGED-FULL');
    expect(open.status, open.text).toBe(200);
    await pay(payments, intentOf(open));
    await payments.sandbox.control.settled();
    expect((await find({ search: 'paged' })).codes[0]).toBe('PAGED-FULL');
    expect(await find({ search: 'paged', page: 2 })).toMatchObject({
      total: 24,
      page: 2,
      codes: { length: 4 },
    });
    expect(await find({ search: 'paged', page: 99 })).toMatchObject({ page: 2, codes: { length: 4 } });
    expect(await find({ search: 'paged', state: 'active' })).toMatchObject({
      total: 21,
      codes: { length: 20 },
    });
    expect((await find({ search: 'paged', state: 'disabled' })).codes).toEqual(['PAGED-OFF']);
    expect((await find({ search: 'paged', state: 'expired' })).codes).toEqual(['PAGED-OLD']);
    expect((await find({ search: 'paged', state: 'used_up' })).codes).toEqual(['PAGED-FULL']);
    expect(await find({ search: '%' })).toEqual({ total: 0, page: 1, codes: [] });
    expect(
      (await findCoupons({ search: 'PAGED-FULL', state: null, batch: null, page: 1 })).coupons[0],
    ).toMatchObject({
      id,
      used: 1,
    });
  });

  it('refuses what cannot be, by the name of the field', async () => {
    await create({ kind: 'percent', code: 'TWICE', percentOff: 5 });
    const base = { kind: 'percent', code: 'OK-CODE', percentOff: 5 };
    for (const [body, field, status] of [
      [{ ...base, code: 'twi\u00adce' }, 'code', 409],
      [{ ...base, code: 'a' }, 'code', 400],
      [{ ...base, code: 'no spaces' }, 'code', 400],
      [{ ...base, percentOff: 0 }, 'percentOff', 400],
      [{ ...base, percentOff: 101 }, 'percentOff', 400],
      [{ ...base, percentOff: 1.5 }, 'percentOff', 400],
      [{ ...base, usageLimit: 0 }, 'usageLimit', 400],
      [{ ...base, expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt', 400],
      [{ ...base, expiresAt: 'tomorrow' }, 'expiresAt', 400],
      [{ ...base, courseId: 2_000_000_000 }, 'courseId', 400],
      [{ kind: 'fixed', code: 'OK-CODE', amountOff: '0.001' }, 'amountOff', 400],
      [{ kind: 'fixed', code: 'OK-CODE', amountOff: '-5' }, 'amountOff', 400],
      [{ kind: 'gift', code: 'OK-CODE' }, 'kind', 400],
    ] as const) {
      const answer = await create(body);
      expect(answer.status, answer.text).toBe(status);
      expect(Object.keys(answer.body.fields)).toContain(field);
    }
  });

  it('is for administrators alone', async () => {
    const student = await signIn(await makeUser());
    const put = (as: typeof student | null) =>
      callRoute(couponRoute, { method: 'PUT', as, params: { id: '1' }, body: { isActive: true } });
    for (const [as, status] of [
      [null, 401],
      [student, 403],
    ] as const) {
      expect((await callRoute(listRoute, { as })).status).toBe(status);
      expect((await callRoute(createRoute, { as, body: {} })).status).toBe(status);
      expect((await put(as)).status).toBe(status);
    }
    const gone = await callRoute(couponRoute, {
      method: 'PUT',
      as: admin.session,
      params: { id: '2000000000' },
      body: { isActive: true },
    });
    expect(gone.status).toBe(404);
  });
});

describe('bad input', () => {
  it.each([[5], [null], [['A']], [{}], ['\0'], ['x'.repeat(200)], ['']])('%j is no code', async (code) => {
    const answer = await apply(await makeBuyer(5000), code);
    expect(answer.status, answer.text).toBe(400);
  });

  it('asks a visitor without an account to sign in', async () => {
    expect((await callRoute(applyRoute, { body: { code: 'ABC' } })).status).toBe(401);
    const gone = await callRoute(applyRoute, { body: { code: 'ABC', courseId: 2_000_000_000 } });
    expect(gone.body.message).toBe('Course not found');
  });
});

describe('coupons in bulk', () => {
  const rule = { kind: 'percent', percentOff: 10, usageLimit: 1 };
  const make = (body: object, as: typeof admin.session | null = admin.session) =>
    callRoute(createBatchRoute, { as, body });
  const switchTo = (prefix: string, isActive: unknown, as: typeof admin.session | null = admin.session) =>
    callRoute(batchRoute, { method: 'PUT', params: { prefix }, as, body: { isActive } });
  const codesOf = (prefix: string) =>
    db().select().from(coupons).where(eq(coupons.batch, prefix)).orderBy(coupons.id);

  it('makes a thousand codes of one rule that nobody can guess, and writes it down once', async () => {
    const answer = await make({ prefix: 'thousand', number: 1000, ...rule });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toEqual({ prefix: 'THOUSAND', codes: 1000, switchedOn: 1000 });
    const rows = await codesOf('THOUSAND');
    expect(rows).toHaveLength(1000);
    expect(rows.every(({ code }) => /^THOUSAND-[2-9A-HJKMNP-TV-Z]{10}$/.test(code))).toBe(true);
    expect(rows.every((row) => row.percentOff === 10 && row.usageLimit === 1 && row.isActive)).toBe(true);
    const written = await db().select().from(auditLog).where(eq(auditLog.action, 'coupon.batch_created'));
    expect(written.filter(({ details }) => details.prefix === 'THOUSAND')).toMatchObject([
      { subjectId: String(rows[0]!.id), details: { number: 1000 } },
    ]);
    const query = { search: '', state: null, page: 1 };
    expect((await findCoupons({ ...query, batch: 'THOUSAND' })).total).toBe(1000);
    expect((await findCoupons({ ...query, search: rows[7]!.code, batch: 'THOUSAND' })).total).toBe(1);
  });

  it('lets each code be used once where the call says nothing, and without end where it says so', async () => {
    const { usageLimit: _, ...open } = rule;
    expect((await make({ prefix: 'SINGLE', number: 2, ...open })).status).toBe(201);
    expect((await codesOf('SINGLE')).map((row) => row.usageLimit)).toEqual([1, 1]);
    expect((await make({ prefix: 'FIXED', number: 1, kind: 'fixed', amountOff: '5.00' })).status).toBe(201);
    expect((await codesOf('FIXED')).map((row) => row.usageLimit)).toEqual([1]);
    expect((await make({ prefix: 'ENDLESS', number: 1, ...open, usageLimit: null })).status).toBe(201);
    expect((await codesOf('ENDLESS')).map((row) => row.usageLimit)).toEqual([null]);
  });

  it('gives each code its own uses, and switches all of them off and on', async () => {
    await make({ prefix: 'EACH', number: 2, ...rule });
    const [first, second] = await codesOf('EACH');
    const buyer = await makeBuyer(4900);
    expect((await apply(buyer, first!.code)).body).toMatchObject({ discount: '4.90' });
    const off = await switchTo('each', false);
    expect(off.body).toEqual({ prefix: 'EACH', codes: 2, switchedOn: 0 });
    expect((await apply(buyer, second!.code)).body.coupon).toBe('disabled');
    expect((await switchTo('EACH', false)).status).toBe(200);
    expect((await switchTo('EACH', true)).body.switchedOn).toBe(2);
    const written = await db()
      .select()
      .from(auditLog)
      .where(eq(auditLog.subjectId, String(first!.id)));
    expect(written.map(({ action }) => action).filter((action) => action.startsWith('coupon.batch'))).toEqual(
      expect.arrayContaining(['coupon.batch_created', 'coupon.batch_disabled', 'coupon.batch_enabled']),
    );
    expect((await apply(buyer, second!.code)).status).toBe(200);
  });

  it('is made once, even twice at once; the other is told that there is one', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => make({ prefix: 'ONCE', number: 20, ...rule })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const refused = answers.find(({ status }) => status === 409)!;
    expect(refused.body.fields).toEqual({ prefix: 'There are coupons with this prefix already.' });
    expect(await codesOf('ONCE')).toHaveLength(20);
  });

  it('comes as a file in which no cell is a formula', async () => {
    const course = await makeCourseForSale({ title: '=HYPERLINK("x")', priceCents: 4900 });
    await make({ prefix: 'FILE', number: 3, kind: 'fixed', amountOff: '5.00', courseId: course.id });
    const file = await callRoute(csvRoute, {
      method: 'GET',
      params: { prefix: 'FILE' },
      withCookie: admin.session,
    });
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="FILE.csv"');
    const [heading, ...rows] = file.text.trim().split('\r\n');
    expect(heading).toContain('Code,Takes off,Course');
    expect(rows).toHaveLength(3);
    for (const row of rows) expect(row).toMatch(/^FILE-\w{10},5\.00 USD,"'=HYPERLINK/);
    const missing = await callRoute(csvRoute, {
      method: 'GET',
      params: { prefix: 'NOTHING' },
      withCookie: admin.session,
    });
    expect(missing.status).toBe(404);
  });

  it.each([
    [{}, 'prefix'],
    [{ prefix: 'A', number: 5 }, 'prefix'],
    [{ prefix: 'WITH SPACE', number: 5 }, 'prefix'],
    [{ prefix: '=SUM', number: 5 }, 'prefix'],
    [{ prefix: 'X'.repeat(21), number: 5 }, 'prefix'],
    [{ prefix: 'WRONG' }, 'number'],
    [{ prefix: 'WRONG', number: 0 }, 'number'],
    [{ prefix: 'WRONG', number: -1 }, 'number'],
    [{ prefix: 'WRONG', number: 1.5 }, 'number'],
    [{ prefix: 'WRONG', number: 1001 }, 'number'],
    [{ prefix: 'WRONG', number: '5' }, 'number'],
    [{ prefix: 'WRONG', number: 5, percentOff: 101 }, 'percentOff'],
    [{ prefix: 'WRONG', number: 5, usageLimit: 0 }, 'usageLimit'],
    [{ prefix: 'WRONG', number: 5, courseId: 2_147_483_647 }, 'courseId'],
  ])('names what is wrong in %j and makes nothing', async (body, field) => {
    const answer = await make({ ...rule, ...body });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.fields)).toContain(field);
    expect(await codesOf('WRONG')).toEqual([]);
  });

  it('is for administrators, of batches that there are', async () => {
    const buyer = await makeBuyer(4900);
    const body = { prefix: 'CLOSED', number: 2, ...rule };
    expect((await make(body, null)).status).toBe(401);
    expect((await make(body, buyer.session)).status).toBe(403);
    expect(await codesOf('CLOSED')).toEqual([]);
    expect((await switchTo('CLOSED', false)).status).toBe(404);
    await make(body);
    expect((await switchTo('CLOSED', false, null)).status).toBe(401);
    expect((await switchTo('CLOSED', false, buyer.session)).status).toBe(403);
    expect((await switchTo('CLOSED', 'no')).status).toBe(400);
    expect((await codesOf('CLOSED')).every(({ isActive }) => isActive)).toBe(true);
  });
});
