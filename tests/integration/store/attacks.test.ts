import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { db } from '#db/client.ts';
import { makeCourseForSale, makeUser } from '../../support/factories.ts';
import { users } from '#db/schema/account.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { orders } from '#db/schema/store.ts';
import { findVisibleOrder } from '#src/features/store/orders/order-access.server.ts';
import { readOrderView } from '#src/features/store/orders/order-view.server.ts';
import { refundLine } from '#src/features/store/refunds/refunds.server.ts';
import { POST as applyRoute } from '#src/pages/api/apply-coupon.ts';
import { POST as directRoute } from '#src/pages/api/create-direct-payment.ts';
import { POST as intentRoute } from '#src/pages/api/create-payment-intent.ts';
import { type Answer, callRoute, signIn } from '../../support/api.ts';
import { buyAsGuest, claim, makeGuest, saveBuyer, startDirect } from '../../support/guests.ts';
import {
  type Buyer,
  checkOut,
  confirm,
  enrollmentsOf,
  expectReconciled,
  itemsOfOrder,
  makeBuyer,
  orderOf,
  type Payments,
  pay,
  refundsOf,
  startPayments,
  makeCoupon,
  intentOf,
} from '../../support/payments.ts';

let payments: Payments;
beforeAll(async () => {
  payments = await startPayments();
});
afterAll(() => payments.close());
beforeEach(() => payments.sandbox.control.settled());

type Signed = Pick<Buyer, 'session'>;
const direct = (buyer: Signed, courseId: number, amount: number, couponCode?: string): Promise<Answer> =>
  callRoute(directRoute, {
    as: buyer.session,
    body: { courseId, amount, ...(couponCode ? { couponCode } : {}) },
  });
const guestWith = (guest: ReturnType<typeof makeGuest>, courseId: number, amount: number, code: string) =>
  startDirect(guest, courseId, amount, { body: { courseId, amount, couponCode: code } });
const usesOf = (couponId: number) =>
  db()
    .select({ id: orders.id, status: orders.status })
    .from(orders)
    .where(sql`${orders.couponId} = ${couponId} and ${orders.status} not in ('failed', 'expired')`);

describe('the last use of a coupon', () => {
  it('buys one of two courses that it makes free, however slow the provider is over one', async () => {
    const coupon = await makeCoupon({ percentOff: 100, usageLimit: 1 });
    const buyer = await makeBuyer();
    const [slow, quick] = [
      await makeCourseForSale({ priceCents: 4900 }),
      await makeCourseForSale({ priceCents: 3900 }),
    ];
    expect((await direct(buyer, slow.id, 49)).status).toBe(200);
    // The free order replaces that one, and waits for its cancellation.
    payments.sandbox.control.clearCalls();
    payments.sandbox.control.failApi({ path: '/v1/payment_intents/*/cancel', delayMs: 1_500 });
    const waiting = direct(buyer, slow.id, 0, coupon.code);
    await vi.waitFor(() => {
      expect(payments.sandbox.control.calls().some(({ path }) => path.endsWith('/cancel'))).toBe(true);
    }, 20_000);
    expect((await direct(buyer, quick.id, 0, coupon.code)).body).toMatchObject({ free: true });
    expect((await waiting).body).toMatchObject({ coupon: 'used_before' });
    expect(await usesOf(coupon.id)).toHaveLength(1);
    expect(await enrollmentsOf(buyer as Buyer)).toMatchObject([{ courseId: quick.id }]);
    await expectReconciled(payments);
  });

  it('is guessed forty times in ten minutes, wherever the guesses are typed in', async () => {
    const course = await makeCourseForSale({ priceCents: 4900 });
    const buyer = await makeBuyer(4900);
    const guest = makeGuest();
    const guesses = [
      (code: string) => ({ route: applyRoute, body: { code, courseId: course.id } }),
      (code: string) => ({ route: directRoute, body: { courseId: course.id, amount: 49, couponCode: code } }),
      (code: string) => ({ route: intentRoute, body: { amount: 49, couponCode: code } }),
    ];
    for (const who of [{ as: buyer.session }, { ip: guest.ip, cookies: guest.cookies }]) {
      const ways = guesses.slice(0, 'as' in who ? 3 : 2);
      const statuses: number[] = [];
      for (let n = 0; n < 48; n += 1) {
        const { route, body } = ways[n % ways.length]!(`GUESS-${n}`);
        statuses.push((await callRoute(route, { ...who, body })).status);
      }
      expect(statuses).toEqual([...Array(40).fill(404), ...Array(8).fill(429)]);
    }
  });
});

describe('somebody else’s address', () => {
  it('typed in by a guest does not close the checkout of the account that has it', async () => {
    const coupon = await makeCoupon();
    const victim = await makeBuyer();
    const course = await makeCourseForSale({ priceCents: 5000 });
    const open = await direct(victim, course.id, 45, coupon.code);
    const other = await makeCourseForSale({ priceCents: 3000 });
    const attacker = makeGuest({ email: victim.user.email });
    const started = await guestWith(attacker, other.id, 27, coupon.code);
    expect((await saveBuyer(attacker, intentOf(started))).status).toBe(200);
    expect((await orderOf(open.body.orderId)).status).toBe('pending');
    expect(await pay(payments, intentOf(open))).toBe('succeeded');
    expect((await confirm(victim, intentOf(open))).status).toBe(200);
  });

  it('typed in after one’s own purchase closes nothing', async () => {
    const coupon = await makeCoupon();
    const course = await makeCourseForSale({ priceCents: 5000 });
    const attacker = makeGuest();
    const bought = await guestWith(attacker, course.id, 45, coupon.code);
    expect((await saveBuyer(attacker, intentOf(bought))).status).toBe(200);
    expect(await pay(payments, intentOf(bought))).toBe('succeeded');
    await payments.sandbox.control.settled();
    const victim = makeGuest();
    const open = await guestWith(victim, course.id, 45, coupon.code);
    expect((await saveBuyer(victim, intentOf(open))).status).toBe(200);
    expect((await saveBuyer(attacker, intentOf(bought), { email: victim.buyer.email })).status).toBe(409);
    expect((await orderOf(open.body.orderId)).status).toBe('pending');
    expect((await orderOf(bought.body.orderId)).buyerEmail).toBe(attacker.buyer.email);
  });

  it('typed in by a guest uses up no coupon of the account that has it', async () => {
    const coupon = await makeCoupon({ percentOff: 100 });
    const victim = await makeBuyer();
    const course = await makeCourseForSale({ priceCents: 5000 });
    const attacker = makeGuest({ email: victim.user.email });
    const body = { courseId: course.id, amount: 0, couponCode: coupon.code, buyer: attacker.buyer };
    expect((await startDirect(attacker, course.id, 0, { body })).body.status).toBe('completed');
    const mine = await direct(victim, course.id, 0, coupon.code);
    expect(mine.body, mine.text).toMatchObject({ status: 'completed', buyer: 'account' });
  });

  it('tells nobody which coupons it was used with', async () => {
    const coupon = await makeCoupon();
    const course = await makeCourseForSale({ priceCents: 5000 });
    const bought = makeGuest();
    const first = await guestWith(bought, course.id, 45, coupon.code);
    await saveBuyer(bought, intentOf(first));
    await pay(payments, intentOf(first));
    await payments.sandbox.control.settled();
    const registered = await signIn(await makeUser({ email: bought.buyer.email }));
    const quoted = await callRoute(applyRoute, {
      as: registered,
      body: { code: coupon.code, courseId: course.id },
    });
    expect(quoted.status, quoted.text).toBe(200);
    const other = makeGuest({ email: bought.buyer.email });
    const second = await guestWith(other, course.id, 45, coupon.code);
    expect((await saveBuyer(other, intentOf(second))).status).toBe(200);
    await pay(payments, intentOf(second));
    await payments.sandbox.control.settled();
    // An operator sees it.
    expect((await orderOf(second.body.orderId)).flag).toContain('same email address before');
  });
});

it('a coupon used as several guests is seen once one account takes the purchases', async () => {
  const coupon = await makeCoupon({ percentOff: 100 });
  const account = await makeBuyer();
  await db().update(users).set({ emailVerifiedAt: new Date() }).where(eq(users.id, account.user.id));
  const flags: (string | null)[] = [];
  for (let round = 0; round < 2; round += 1) {
    const course = await makeCourseForSale({ priceCents: 5000 });
    const guest = makeGuest();
    const body = { courseId: course.id, amount: 0, couponCode: coupon.code, buyer: guest.buyer };
    const { orderId } = (await startDirect(guest, course.id, 0, { body })).body;
    const claimed = await claim(guest, {}, { as: account.session });
    expect(claimed.body, claimed.text).toMatchObject({ status: 'attached' });
    flags.push((await orderOf(orderId)).flag);
  }
  expect(flags).toEqual([null, 'its coupon was used by the same account before']);
  // What was sold stays sold.
  expect((await enrollmentsOf(account)).map(({ status }) => status)).toEqual(['active', 'active']);
});

describe('money back', () => {
  it('twelve clicks on Refund pay a discounted line back once; a line that cost nothing has nothing to pay back', async () => {
    const buyer = await makeBuyer(4900, 2000);
    const coupon = await makeCoupon({ percentOff: 100, courseId: buyer.courses[1]!.id });
    const answer = await callRoute(intentRoute, {
      as: buyer.session,
      body: { amount: 49, couponCode: coupon.code },
    });
    expect(await pay(payments, intentOf(answer))).toBe('succeeded');
    expect((await confirm(buyer, intentOf(answer))).status).toBe(200);
    const [paid, free] = await itemsOfOrder(answer.body.orderId);
    const click = (itemId: number) =>
      refundLine(answer.body.orderId, itemId, { reason: 'x', source: 'admin' });
    await expect(click(free!.id)).rejects.toMatchObject({ code: 'conflict' });
    await Promise.all(Array.from({ length: 12 }, () => click(paid!.id)));
    await payments.sandbox.control.settled();
    expect(await refundsOf(answer.body.orderId)).toMatchObject([{ amountCents: 4900, status: 'succeeded' }]);
    // Everything that was paid is back, and with it what came free.
    expect((await enrollmentsOf(buyer)).map(({ status }) => status)).toEqual(['revoked', 'revoked']);
    await expectReconciled(payments);
  });

  it('a line is not paid back beyond what is left of the payment', async () => {
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    await pay(payments, intentId);
    await confirm(buyer, intentId);
    await payments.stripe.refunds.create({ payment_intent: intentId, amount: 3000 });
    await payments.sandbox.control.settled();
    const [line] = await itemsOfOrder(orderId);
    await expect(refundLine(orderId, line!.id, { reason: 'x', source: 'admin' })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await orderOf(orderId)).toMatchObject({ status: 'partially_refunded', refundedCents: 3000 });
    expect((await enrollmentsOf(buyer)).map(({ status }) => status)).toEqual(['active']);
    await expectReconciled(payments);
  });

  it('a refund and a lost dispute over the rest are the whole payment, not more', async () => {
    const buyer = await makeBuyer(4900, 2000);
    const { orderId, intentId } = await checkOut(buyer);
    await pay(payments, intentId);
    await confirm(buyer, intentId);
    const [first] = await itemsOfOrder(orderId);
    await refundLine(orderId, first!.id, { reason: 'x', source: 'admin' });
    const dispute = payments.sandbox.control.openDispute({ intent: intentId, amount: 1500 });
    await payments.sandbox.control.settled();
    expect((await orderOf(orderId)).status).toBe('disputed');
    payments.sandbox.control.closeDispute(dispute.id, 'lost');
    await payments.sandbox.control.settled();
    const view = await readOrderView(await orderOf(orderId));
    expect(view).toMatchObject({
      chargebacks: [{ amountCents: 1500 }],
      totals: { totalCents: 6900, refundedCents: 6400 },
    });
    expect(view.paymentState).toBe('$69.00 paid by card, and $64.00 returned to it.');
    await expectReconciled(payments);
  });
});

it('a receipt shows names and titles as text', async () => {
  const guest = makeGuest({ firstName: '<b>Ada', lastName: '"&</td>' });
  const course = await makeCourseForSale({ title: '<img src=x onerror=alert(1)> & "more"' });
  await buyAsGuest(payments, guest, course);
  const [mail] = await db().select().from(mailOutbox).where(eq(mailOutbox.recipient, guest.buyer.email));
  expect(mail!.html).not.toMatch(/<img|<b>|\u202e/);
  expect(mail!.html).toContain('&#60;img src=x onerror=alert(1)&#62; &#38; &#34;more&#34;');
  expect(mail!.subject).toMatch(/^Your receipt INV-\d{4}-\d{6}$/);
});

it('an order in an account that was deleted opens for nobody else', async () => {
  const buyer = await makeBuyer(4900);
  const { orderId, intentId } = await checkOut(buyer);
  await pay(payments, intentId);
  await confirm(buyer, intentId);
  await db().update(orders).set({ userId: null }).where(eq(orders.id, orderId));
  const other = await makeUser();
  for (const user of [null, { id: other.id, role: 'student' as const }]) {
    for (const claimSecret of [null, 'z'.repeat(43)]) {
      expect(await findVisibleOrder(String(orderId), { user, key: null, claimSecret })).toBeNull();
    }
  }
});
