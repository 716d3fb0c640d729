import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourseForSale, makeEnrollment, makeUser } from '../../support/factories.ts';
import { users } from '#db/schema/account.ts';
import { courses } from '#db/schema/catalogue.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { claimTokens, orders } from '#db/schema/store.ts';
import { hashSecret } from '#src/features/account/session.server.ts';
import {
  mailVerification,
  resendVerificationLink,
  verifyEmail,
} from '#src/features/account/email/verification.server.ts';
import { attachGuestPurchases, boughtUnder } from '#src/features/store/guests/claims.server.ts';
import { mailClaimLinkJob, readClaim } from '#src/features/store/guests/claim-links.server.ts';
import { finishPurchase, readPurchase } from '#src/features/store/guests/purchase-page.server.ts';
import { CLAIM_COOKIE, waitingCourses } from '#src/features/store/guests/guests.server.ts';
import { findVisibleOrder } from '#src/features/store/orders/order-access.server.ts';
import { reconcileOrders } from '#src/features/store/reconciliation/settle-orders.server.ts';
import { refundDuplicatesJob } from '#src/features/store/refunds/refunds.server.ts';
import { POST as resendRoute } from '#src/pages/api/admin/orders/[id]/claim-link.ts';
import { POST as requestLinkRoute } from '#src/pages/api/request-claim-link.ts';
// Says who draws the papers that mails carry.
import '#src/jobs.ts';
import { deliverMail } from '#src/server/mail/mail.ts';
import { mailedToken, mailsTo } from '../../support/account.ts';
import { callRoute, signIn } from '../../support/api.ts';
import {
  buyAsGuest,
  claim,
  claimByMail,
  createAccount,
  enrollmentOf,
  type Guest,
  makeGuest,
  openDirect,
  saveBuyer,
  startDirect,
} from '../../support/guests.ts';
import { moveBack } from '../../support/move-back.ts';
import {
  confirm,
  expectReconciled,
  intentEvent,
  orderOf,
  type Payments,
  pay,
  refundsOf,
  sendEvent,
  startPayments,
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
const userOf = async (email: string) => (await db().select().from(users).where(eq(users.email, email)))[0];
const ordersWith = (email: string) => db().select().from(orders).where(eq(orders.buyerEmail, email));
const visitor = (user: { id: number; email: string; emailVerifiedAt: Date | null }) => ({
  ...user,
  emailVerified: user.emailVerifiedAt !== null,
});
const proofOf = (guest: Guest) => ({ claimSecret: guest.cookies.get(CLAIM_COOKIE) });
/** Does what a queued refund of doubly bought lines is for. */
const refundTwiceBought = async (orderId: number) => {
  const rows = await db().execute<{ data: { orderId: number; itemIds: number[] } }>(
    sql`select data from pgboss.job where name = ${refundDuplicatesJob.name} and (data->>'orderId')::int = ${orderId}`,
  );
  expect(rows).toHaveLength(1);
  await refundDuplicatesJob.run(rows[0]!.data, { isLast: false });
};
/** Does what queued requests for links are for. */
const mailLinks = async (email: string) => {
  const rows = await db().execute<{ data: { email: string; requestId: string } }>(
    sql`select data from pgboss.job where name = ${mailClaimLinkJob.name} and data->>'email' = ${email}`,
  );
  for (const { data } of rows) await mailClaimLinkJob.run(data, { isLast: false });
  return rows.length;
};

describe('the direct checkout', () => {
  it('gives a guest one order, one intent and a claim cookie, however often the page is loaded', async () => {
    const guest = makeGuest();
    const course = await makeCourseForSale({ priceCents: 4900 });
    const first = await startDirect(guest, course.id, 49);
    expect(first.status, first.text).toBe(200);
    expect(first.body).toMatchObject({ status: 'open', total: '49.00', buyer: 'guest' });
    expect(guest.cookies.get(CLAIM_COOKIE)).toMatch(/^[\w-]{43}$/);
    const order = await orderOf(first.body.orderId);
    expect(order).toMatchObject({ userId: null, buyerEmail: '', status: 'pending', totalCents: 4900 });
    expect(order.claimSecretHash).toMatch(/^[0-9a-f]{64}$/);
    expect(order.claimSecretHash).not.toBe(guest.cookies.get(CLAIM_COOKIE));

    const answers = await Promise.all([1, 2, 3].map(() => startDirect(guest, course.id, '49.00')));
    for (const answer of answers) expect(answer.body).toEqual(first.body);
    const other = await startDirect(makeGuest(), course.id, 49);
    expect(other.body.orderId).not.toBe(first.body.orderId);
  });

  it('P14, P15: the amount is a tripwire, and nonsense is refused', async () => {
    const guest = makeGuest();
    const course = await makeCourseForSale({ priceCents: 4900 });
    const answer = await startDirect(guest, course.id, 0.01);
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ code: 'price_changed', total: '49.00' });
    for (const amount of [-1, '1e3', 1e308, 10.999, 'NaN', [], {}, null, undefined, true]) {
      expect((await startDirect(guest, course.id, amount)).status, String(amount)).toBe(400);
    }
    for (const id of [0, -1, 1.5, '1', 2147483648, null, [], {}]) {
      expect((await startDirect(guest, id, 49)).status, String(id)).toBe(400);
    }
    const made = hashSecret(guest.cookies.get(CLAIM_COOKIE)!);
    expect(await db().$count(orders, eq(orders.claimSecretHash, made))).toBe(0);
  });

  it('refuses a hidden or missing course with 404', async () => {
    const hidden = await makeCourseForSale({ isActive: false });
    const admin = await makeAdmin();
    for (const [id, session] of [
      [hidden.id, null],
      [hidden.id, await signIn(admin)],
      [999_999, null],
    ] as const) {
      const answer = await startDirect(makeGuest(), id, 49, { as: session });
      expect(answer.status).toBe(404);
      expect(answer.body.message).toBe('Course not found');
    }
  });

  it('refuses a course that the signed-in buyer owns, without an intent', async () => {
    const user = await makeUser();
    const course = await makeCourseForSale();
    await makeEnrollment(user.id, course.id);
    const answer = await startDirect(makeGuest(), course.id, 49, { as: await signIn(user) });
    expect(answer.status).toBe(409);
    expect(answer.body.code).toBe('already_owned');
    expect(await db().$count(orders, eq(orders.userId, user.id))).toBe(0);
  });

  it('binds the order of a signed-in buyer to the account, whatever email is sent', async () => {
    const user = await makeUser();
    const session = await signIn(user);
    const course = await makeCourseForSale({ priceCents: 4900 });
    const guest = makeGuest({ email: 'somebody-else@example.com' });
    const answer = await startDirect(guest, course.id, 49, { as: session });
    expect(answer.body.buyer).toBe('account');
    expect(guest.cookies.has(CLAIM_COOKIE)).toBe(false);
    const intentId = answer.body.clientSecret.split('_secret_')[0];
    const saved = await saveBuyer(guest, intentId, {}, { as: session });
    expect(saved.body).toEqual({ firstName: 'Ada', lastName: 'Lovelace', email: user.email });
    expect((await saveBuyer(makeGuest(), intentId)).status).toBe(404);
    expect((await saveBuyer(guest, intentId, {}, { as: await signIn(await makeUser()) })).status).toBe(404);

    expect(await pay(payments, intentId)).toBe('succeeded');
    expect((await confirm({ session }, intentId)).status).toBe(200);
    expect((await enrollmentOf(user.id, course.id))?.status).toBe('active');
    const page = await finishPurchase(visitor(user), {}, course.id);
    expect(page).toMatchObject({ state: 'mine', courses: [{ id: course.id }] });
    await expectReconciled(payments);
  });

  it('P16: a new price makes a new offer, says so, and the old one can no longer be paid', async () => {
    const guest = makeGuest();
    const course = await makeCourseForSale({ priceCents: 4900 });
    const old = await openDirect(guest, course);
    await db().update(courses).set({ priceCents: 5900 }).where(eq(courses.id, course.id));
    expect((await startDirect(guest, course.id, 49)).body).toMatchObject({ total: '59.00' });
    const answer = await startDirect(guest, course.id, 59);
    expect(answer.body).toMatchObject({ status: 'open', total: '59.00' });
    expect(answer.body.notices[0].message).toContain('$49.00 to $59.00');
    expect((await orderOf(old.orderId)).status).toBe('expired');
    expect((await payments.stripe.paymentIntents.retrieve(old.intentId)).status).toBe('canceled');
  });

  it('saves the buyer only for who made the order, by cookie or by the payment’s own secret', async () => {
    const guest = makeGuest();
    const { orderId, intentId, clientSecret } = await openDirect(guest, await makeCourseForSale());
    const thief = makeGuest();
    expect((await saveBuyer(thief, intentId)).status).toBe(404);
    expect((await saveBuyer(thief, intentId, { clientSecret: `${intentId}_secret_guess` })).status).toBe(404);
    expect((await saveBuyer(thief, 'pi_unknown')).status).toBe(404);
    expect((await orderOf(orderId)).buyerEmail).toBe(guest.buyer.email);
    // A browser that keeps no cookies.
    const withoutCookies = makeGuest({ email: `kept-${Date.now()}@example.com` });
    expect((await saveBuyer(withoutCookies, intentId, { clientSecret })).status).toBe(200);
    expect((await orderOf(orderId)).buyerEmail).toBe(withoutCookies.buyer.email);
  });

  it.each([
    { firstName: '' },
    { lastName: '  ' },
    { email: '' },
    { email: 'not-an-address' },
    { email: ['a@example.com', 'b@example.com'] },
    { firstName: 'a'.repeat(81) },
    { firstName: 'line\nbreak' },
    { lastName: 'nul\0' },
  ])('refuses the buyer %j', async (wrong) => {
    const guest = makeGuest();
    const { intentId } = await openDirect(guest, await makeCourseForSale());
    const answer = await saveBuyer(guest, intentId, wrong);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.fields)).toEqual(Object.keys(wrong));
  });

  it('P29: an address in another case or with spaces is the same buyer', async () => {
    // What the form refuses as an address can be no duplicate.
    const accented = makeGuest({ email: 'jose\u0301@example.com' });
    expect((await saveBuyer(accented, (await openDirectWithoutCheck(accented)).intentId)).status).toBe(400);
    const plain = makeGuest({ email: ` Ada.${Date.now()}+Course@Example.COM ` });
    await buyAsGuest(payments, plain);
    const normal = plain.buyer.email.trim().toLowerCase();
    expect(await ordersWith(normal)).toHaveLength(1);
    expect((await createAccount(plain)).status).toBe(201);
    expect((await userOf(normal))?.email).toBe(normal);
  });

  it('sells a free course to a guest without the provider', async () => {
    const guest = makeGuest();
    const course = await makeCourseForSale({ priceCents: 0 });
    const without = await startDirect(guest, course.id, 0);
    expect(without.status).toBe(400);
    const answer = await startDirect(guest, course.id, 0, { buyer: guest.buyer });
    expect(answer.body).toMatchObject({ clientSecret: null, free: true, status: 'completed' });
    expect((await orderOf(answer.body.orderId)).stripePaymentIntentId).toBeNull();
    // Its mail is no receipt and brings no invoice.
    const [mail] = await db()
      .select()
      .from(mailOutbox)
      .where(eq(mailOutbox.recipient, guest.buyer.email.trim().toLowerCase()));
    expect(mail).toMatchObject({ subject: `Yours for free: “${course.title}”`, papers: null });
    expect(mail!.text).not.toMatch(/receipt|invoice/i);
    expect(await finishPurchase(null, proofOf(guest), course.id)).toMatchObject({
      state: 'guest',
      next: 'mail',
    });
    // Nothing was paid, so that only the mailbox proves anything.
    expect((await createAccount(guest)).status).toBe(202);
    expect((await claim(guest, {})).status).toBe(202);
    expect(await userOf(guest.buyer.email)).toBeUndefined();
    const made = await claimByMail(guest);
    expect(made.status, made.text).toBe(201);
    expect((await enrollmentOf(made.body.user.id, course.id))?.status).toBe('active');
  });

  it('a cart and a direct checkout of the same course cannot both be paid', async () => {
    const user = await makeUser();
    const session = await signIn(user);
    const course = await makeCourseForSale({ priceCents: 4900 });
    const [one, two] = await Promise.all([
      startDirect(makeGuest(), course.id, 49, { as: session }),
      startDirect(makeGuest(), course.id, 49, { as: session }),
    ]);
    expect(one.body.clientSecret).toBe(two.body.clientSecret);
  });
});

const openDirectWithoutCheck = async (guest: Guest) => {
  const course = await makeCourseForSale();
  const answer = await startDirect(guest, course.id, course.priceCents / 100);
  return { intentId: answer.body.clientSecret.split('_secret_')[0] as string, course };
};

describe('a guest’s purchase', () => {
  it('P6: completes when the browser was closed, and the receipt has a claim link', async () => {
    const guest = makeGuest();
    const { orderId, courseId } = await buyAsGuest(payments, guest);
    const order = await orderOf(orderId);
    expect(order).toMatchObject({ status: 'completed', userId: null, buyerEmail: guest.buyer.email });
    const token = await mailedToken(guest.buyer.email, 'receipt');
    const [row] = await db().select().from(claimTokens).where(eq(claimTokens.orderId, orderId));
    expect(row?.token).not.toBe(token);
    expect((row!.expiresAt.getTime() - Date.now()) / 86_400_000).toBeCloseTo(7, 1);
    expect(await readClaim(token, null)).toMatchObject({ state: 'open', courses: [{ id: courseId }] });
    await expectReconciled(payments);
  });

  it('P2, P6: fifty events at once complete it once', async () => {
    withoutEvents();
    const guest = makeGuest();
    const { orderId, intentId } = await openDirect(guest, await makeCourseForSale());
    await pay(payments, intentId);
    const event = intentEvent('payment_intent.succeeded', intentId);
    const answers = await Promise.all(Array.from({ length: 50 }, () => sendEvent(payments, event)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect((await orderOf(orderId)).status).toBe('completed');
    expect((await mailsTo(guest.buyer.email)).length).toBe(1);
    expect(await db().$count(claimTokens, eq(claimTokens.orderId, orderId))).toBe(1);
  });

  it('P7: is found by the reconciler where neither browser nor event comes', async () => {
    withoutEvents();
    const guest = makeGuest();
    const { orderId, intentId } = await openDirect(guest, await makeCourseForSale());
    await pay(payments, intentId);
    await reconcileOrders();
    expect((await orderOf(orderId)).status).toBe('completed');
  });

  it('is completed by the success page too, which shows the order’s data and not the address’s', async () => {
    withoutEvents();
    const guest = makeGuest();
    const { orderId, intentId, clientSecret, courseId } = await openDirect(guest, await makeCourseForSale());
    const proof = { intentId, clientSecret };
    expect(await readPurchase(null, proof, courseId)).toEqual({ state: 'unpaid' });
    const early = await createAccount(guest);
    expect(early.status).toBe(402);
    expect(early.body.message).toBe('Nothing has been paid yet, and nothing was charged.');
    await pay(payments, intentId);
    // Looking changes nothing, however often.
    for (const _ of [1, 2]) expect(await readPurchase(null, proof, courseId)).toEqual({ state: 'paid' });
    expect((await orderOf(orderId)).status).toBe('pending');
    const page = await finishPurchase(null, proof, courseId);
    expect(page).toMatchObject({ state: 'guest', next: 'create', ...guest.buyer });
    expect(await readPurchase(null, proof, courseId)).toEqual(page);
    expect(await finishPurchase(null, proofOf(guest), courseId)).toEqual(page);
    expect(await finishPurchase(null, proofOf(guest), null)).toEqual(page);
  });

  it('says declined, processing and unreachable for what they are', async () => {
    const guest = makeGuest();
    const { intentId, clientSecret, orderId } = await openDirect(guest, await makeCourseForSale());
    expect(await pay(payments, intentId, 'pm_card_chargeDeclined')).toBe('requires_payment_method');
    expect(await readPurchase(null, { intentId, clientSecret }, null)).toEqual({
      state: 'failed',
      message: 'Your payment method was declined. Please try a different card.',
    });
    expect((await createAccount(guest)).status).toBe(402);
    payments.sandbox.control.failApi({ outcome: 500, times: 50 });
    expect(await finishPurchase(null, proofOf(guest), null)).toEqual({ state: 'unclear', orderId });
    expect(await finishPurchase(null, { intentId, clientSecret }, null)).toEqual({
      state: 'unclear',
      orderId: null,
    });
    payments.sandbox.control.clearApiFaults();
    // The same card form takes another card: one order, one payment.
    expect(await pay(payments, intentId)).toBe('succeeded');
    expect(await finishPurchase(null, { intentId, clientSecret }, null)).toMatchObject({ state: 'guest' });
  }, 60_000);

  it('P21: is taken up again by a reload instead of being paid twice', async () => {
    const guest = makeGuest();
    const course = await makeCourseForSale({ priceCents: 4900 });
    const { orderId } = await buyAsGuest(payments, guest, course);
    const answer = await startDirect(guest, course.id, 49);
    expect(answer.body).toMatchObject({ clientSecret: null, status: 'completed', orderId });
    expect(await ordersWith(guest.buyer.email)).toHaveLength(1);
  });

  it('P17: a course that was hidden after the checkout opened is still the buyer’s', async () => {
    const guest = makeGuest();
    const course = await makeCourseForSale();
    const { intentId } = await openDirect(guest, course);
    await db().update(courses).set({ isActive: false }).where(eq(courses.id, course.id));
    await pay(payments, intentId);
    const made = await createAccount(guest);
    expect(made.status).toBe(201);
    expect((await enrollmentOf(made.body.user.id, course.id))?.status).toBe('active');
  });
});

describe('P27: the same address and course twice', () => {
  it('is not told before the payment, whoever owns what: every address gets the same answers', async () => {
    const course = await makeCourseForSale({ priceCents: 4900 });
    const bought = makeGuest();
    await buyAsGuest(payments, bought, course);
    const owner = await makeUser({ emailVerifiedAt: new Date() });
    await makeEnrollment(owner.id, course.id);
    const answers = [];
    for (const email of [bought.buyer.email, owner.email, 'nobody-owns-this@example.com']) {
      const guest = makeGuest({ email });
      const started = await startDirect(guest, course.id, 49);
      const saved = await saveBuyer(guest, started.body.clientSecret.split('_secret_')[0]);
      answers.push([started.status, Object.keys(started.body), saved.status, { ...saved.body, email: '' }]);
    }
    expect(answers[0]![2]).toBe(200);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it('nor of a course that costs nothing', async () => {
    const course = await makeCourseForSale({ priceCents: 0 });
    const owner = await makeUser({ emailVerifiedAt: new Date() });
    await makeEnrollment(owner.id, course.id);
    const registered = await makeUser();
    const answers = [];
    for (const email of [owner.email, registered.email, 'nobody-here-either@example.com']) {
      const guest = makeGuest({ email });
      const { orderId, ...free } = (await startDirect(guest, course.id, 0, { buyer: guest.buyer })).body;
      const page = await finishPurchase(null, proofOf(guest), course.id);
      const account = await createAccount(guest);
      const claimed = await claim(guest, {});
      const visible = await findVisibleOrder(String(orderId), {
        user: null,
        key: null,
        claimSecret: guest.cookies.get(CLAIM_COOKIE)!,
      });
      const facts = { ...page, email: '', orderId: 0, invoiceNumber: '' };
      answers.push([
        free,
        facts,
        account.status,
        account.body,
        claimed.status,
        claimed.body,
        visible !== null,
      ]);
    }
    expect(answers[0]![1]).toMatchObject({ state: 'guest', next: 'mail' });
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it('is found when both are claimed, flagged and paid back', async () => {
    const course = await makeCourseForSale({ priceCents: 4900 });
    const first = makeGuest();
    const second = makeGuest({ email: first.buyer.email });
    const [one, two] = [await openDirect(first, course), await openDirect(second, course)];
    await Promise.all([pay(payments, one.intentId), pay(payments, two.intentId)]);
    await payments.sandbox.control.settled();
    expect((await orderOf(one.orderId)).flag).toBeNull();
    expect((await orderOf(two.orderId)).flag).toBeNull();
    const made = await claimByMail(first);
    expect(made.status, made.text).toBe(201);
    const both = [await orderOf(one.orderId), await orderOf(two.orderId)];
    expect(both.map((order) => order.userId)).toEqual([made.body.user.id, made.body.user.id]);
    const flagged = both.filter((order) => order.flag?.includes('refunded automatically'));
    expect(flagged).toHaveLength(1);
    await refundTwiceBought(flagged[0]!.id);
    // Nobody has to look at it any more.
    expect(await orderOf(flagged[0]!.id)).toMatchObject({ status: 'refunded', flag: null });
    expect(await refundsOf(flagged[0]!.id)).toMatchObject([{ amountCents: 4900, status: 'succeeded' }]);
    expect((await enrollmentOf(made.body.user.id, course.id))?.status).toBe('active');
    await expectReconciled(payments);
  });

  it('is paid back at once where the verified account of the address owns the course', async () => {
    const course = await makeCourseForSale({ priceCents: 4900 });
    const owner = await makeUser({ emailVerifiedAt: new Date() });
    await makeEnrollment(owner.id, course.id);
    const guest = makeGuest({ email: owner.email });
    const { orderId } = await buyAsGuest(payments, guest, course);
    expect((await orderOf(orderId)).flag).toContain('refunded automatically');
    // What the account owns is told to its owner alone: the page is as for any account.
    expect(await finishPurchase(null, proofOf(guest), course.id)).toEqual({
      state: 'claimed',
      email: owner.email,
    });
    await refundTwiceBought(orderId);
    const [notice] = (await mailsTo(owner.email)).filter(({ subject }) => subject.startsWith('Your refund'));
    expect(notice!.text).toContain('You keep the course: you had it already.');
    expect(await orderOf(orderId)).toMatchObject({ status: 'refunded', userId: owner.id, flag: null });
    expect((await enrollmentOf(owner.id, course.id))?.status).toBe('active');
  });

  it('is paid back where an unverified account of the address owns the course, and the page tells no more', async () => {
    const [course, other] = [
      await makeCourseForSale({ priceCents: 4900 }),
      await makeCourseForSale({ priceCents: 4900 }),
    ];
    const owner = await makeUser({ emailVerifiedAt: null });
    await makeEnrollment(owner.id, course.id);
    const guest = makeGuest({ email: owner.email });
    const { orderId } = await buyAsGuest(payments, guest, course);
    expect((await orderOf(orderId)).flag).toContain('refunded automatically');
    expect(await finishPurchase(null, proofOf(guest), course.id)).toEqual({
      state: 'claimed',
      email: owner.email,
    });
    await refundTwiceBought(orderId);
    expect(await orderOf(orderId)).toMatchObject({ status: 'refunded', userId: null, flag: null });
    const mails = await mailsTo(owner.email);
    const receipt = mails.find(({ text }) => text.includes('You owned the following already'));
    expect(receipt?.text).not.toContain('/claim?token=');
    const notice = mails.find(({ subject }) => subject.startsWith('Your refund'));
    expect(notice?.text).toContain('You keep the course: you had it already.');
    expect((await enrollmentOf(owner.id, course.id))?.status).toBe('active');
    // What the account does not own waits for its mailed link, as before.
    const another = await buyAsGuest(payments, makeGuest({ email: owner.email }), other);
    expect(await orderOf(another.orderId)).toMatchObject({ status: 'completed', flag: null });
    await expectReconciled(payments);
  });

  it('a stranger who bought it under the address first takes nothing from its owner', async () => {
    const course = await makeCourseForSale({ priceCents: 4900 });
    const stranger = await makeUser({ emailVerifiedAt: new Date() });
    const victim = makeGuest();
    const first = makeGuest({ email: victim.buyer.email });
    await buyAsGuest(payments, first, course);
    expect((await claim(first, {}, { as: await signIn(stranger) })).status).toBe(200);
    const { orderId } = await buyAsGuest(payments, victim, course);
    expect((await orderOf(orderId)).flag).toBeNull();
    const token = (await mailsTo(victim.buyer.email))
      .map((mail) => /claim\?token=([\w-]+)/.exec(mail.text)?.[1])
      .find((found) => found);
    const made = await claim(victim, { token, password: 'analytical' });
    expect(made.status, made.text).toBe(201);
    expect(made.body.courseIds).toEqual([course.id]);
  });
});

describe('the account after a purchase', () => {
  it('is made with the order’s own name and email and signed in, and has the course at once', async () => {
    const guest = makeGuest({ firstName: 'Grace', lastName: 'Hopper' });
    const { courseId, orderId } = await buyAsGuest(payments, guest);
    const forged = { email: 'attacker@example.com', firstName: 'Mallory', lastName: '' };
    const answer = await createAccount(guest, forged);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toMatchObject({
      user: { email: guest.buyer.email, username: 'Grace Hopper', role: 'student', emailVerified: false },
      courseIds: [courseId],
    });
    expect(answer.body.message).toContain('your purchase is in it');
    expect(answer.body.token).toMatch(/^[\w-]{20,}$/);
    expect(answer.cookies.get('session')).toBeTruthy();
    expect(await userOf('attacker@example.com')).toBeUndefined();
    const user = (await userOf(guest.buyer.email))!;
    expect((await enrollmentOf(user.id, courseId))?.status).toBe('active');
    // What somebody bought under the address in another browser waits for the proof of the mailbox.
    const elsewhere = await buyAsGuest(payments, makeGuest({ email: user.email }));
    expect(await waitingCourses(user.email, [courseId, elsewhere.courseId])).toEqual(
      new Set([elsewhere.courseId]),
    );
    await resendVerificationLink(user.id, boughtUnder);
    const [waiting] = await db().select().from(courses).where(eq(courses.id, elsewhere.courseId));
    const verifications = (await mailsTo(user.email)).filter(
      ({ template }) => template === 'email-verification',
    );
    const withCourse = verifications.filter(({ text }) => text.includes('Get to my course:'));
    expect([verifications.length, withCourse.length]).toEqual([2, 1]);
    expect(withCourse[0]!.text).toContain(waiting!.title);
    expect(await enrollmentOf(user.id, elsewhere.courseId)).toBeNull();
    await verifyEmail(await mailedToken(user.email, 'email-verification'), user.id, attachGuestPurchases);
    expect((await enrollmentOf(user.id, elsewhere.courseId))?.status).toBe('active');
    expect((await orderOf(orderId)).userId).toBe(user.id);
    expect(await finishPurchase(visitor(user), proofOf(guest), courseId)).toMatchObject({ state: 'mine' });
    expect(await readClaim(await mailedToken(guest.buyer.email, 'receipt'), null)).toEqual({
      state: 'used',
      mine: false,
    });
    const [counted] = await db().select().from(courses).where(eq(courses.id, courseId));
    expect(counted?.studentsCount).toBe(1);
    await expectReconciled(payments);
  });

  it('comes from the documented calls alone: the order takes the payload’s name and email', async () => {
    const guest = makeGuest({ firstName: 'Mary', lastName: 'Jackson' });
    const course = await makeCourseForSale({ priceCents: 4900 });
    const { body } = await startDirect(guest, course.id, 49);
    const intentId = body.clientSecret.split('_secret_')[0];
    expect(await pay(payments, intentId)).toBe('succeeded');
    await payments.sandbox.control.settled();
    expect(await orderOf(body.orderId)).toMatchObject({ status: 'completed', buyerEmail: '' });
    expect((await orderOf(body.orderId)).flag).toContain('without a name');
    expect(await finishPurchase(null, proofOf(guest), course.id)).toMatchObject({
      next: 'create',
      email: '',
    });
    const answers = await Promise.all([1, 2, 3].map(() => createAccount(guest)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await orderOf(body.orderId)).toMatchObject({
      buyerEmail: guest.buyer.email,
      buyerFirstName: 'Mary',
      buyerLastName: 'Jackson',
      userId: (await userOf(guest.buyer.email))!.id,
      flag: null,
    });
    const receipts = (await mailsTo(guest.buyer.email)).filter((mail) => mail.template === 'receipt');
    expect(receipts).toHaveLength(1);
    expect(receipts[0]!.text).not.toContain('/claim?token=');
    const made = answers.find(({ status }) => status === 201)!;
    expect(made.body).toMatchObject({ status: 'created', courseIds: [course.id] });
    await expectReconciled(payments);
  });

  it('an order paid without an address goes into a verified account: the signed-in one, or the payload’s', async () => {
    const owner = await makeUser({ emailVerifiedAt: new Date() });
    for (const how of ['signed in', 'named'] as const) {
      const guest = makeGuest({ email: owner.email });
      const course = await makeCourseForSale({ priceCents: 4900 });
      const { body } = await startDirect(guest, course.id, 49);
      await pay(payments, body.clientSecret.split('_secret_')[0]);
      await payments.sandbox.control.settled();
      const answer =
        how === 'named' ? await createAccount(guest) : await claim(guest, {}, { as: await signIn(owner) });
      expect(answer.body).toMatchObject({ status: 'attached', courseIds: [course.id] });
      expect((await enrollmentOf(owner.id, course.id))?.status).toBe('active');
      expect(await orderOf(body.orderId)).toMatchObject({ buyerEmail: owner.email, flag: null });
    }
    expect((await mailsTo(owner.email)).map((mail) => mail.text).join()).not.toContain('/claim?token=');
    await expectReconciled(payments);
  });

  it('takes the payment’s secret as proof where cookies are off', async () => {
    const guest = makeGuest();
    const { intentId, clientSecret } = await buyAsGuest(payments, guest);
    const browser = { ...makeGuest(), buyer: guest.buyer };
    const wrong = await createAccount(browser, {
      paymentIntentId: intentId,
      clientSecret: `${intentId}_secret_x`,
    });
    expect(wrong.status).toBe(403);
    const answer = await createAccount(browser, { paymentIntentId: intentId, clientSecret });
    expect(answer.status).toBe(201);
  });

  it('P28, P6: a verified account gets the course at once, even with the browser closed', async () => {
    const owner = await makeUser({ emailVerifiedAt: new Date(), password: 'original-password' });
    const guest = makeGuest({ email: owner.email });
    const { courseId, orderId } = await buyAsGuest(payments, guest);
    expect((await enrollmentOf(owner.id, courseId))?.status).toBe('active');
    expect((await orderOf(orderId)).userId).toBe(owner.id);
    const [receipt] = await mailsTo(owner.email);
    expect(receipt?.text).toContain('There is an account with this email address');
    expect(receipt?.text).not.toContain('/claim?token=');
    expect(await finishPurchase(null, proofOf(guest), courseId)).toEqual({
      state: 'claimed',
      email: owner.email,
    });
    const again = await createAccount(guest, { password: 'attackers-choice' });
    expect(again.status).toBe(409);
    expect(again.body.message).toBe('An account exists for this purchase. Please sign in.');
    expect((await userOf(owner.email))?.passwordHash).toBe(owner.passwordHash);
    await expectReconciled(payments);
  });

  it('P30: a made-up return address gives nothing and says nothing', async () => {
    const victim = makeGuest();
    const { intentId, courseId, orderId } = await buyAsGuest(payments, victim);
    const thief = { ...makeGuest(), buyer: victim.buyer };
    expect(await readPurchase(null, {}, courseId)).toEqual({ state: 'nothing' });
    expect(await finishPurchase(null, { intentId }, courseId)).toEqual({ state: 'nothing' });
    expect(await finishPurchase(null, { intentId, clientSecret: `${intentId}_secret_x` }, courseId)).toEqual({
      state: 'nothing',
    });
    expect(
      await finishPurchase(null, { intentId: 'pi_made_up', clientSecret: 'pi_made_up_secret_x' }, 1),
    ).toEqual({ state: 'nothing' });
    expect((await createAccount(thief, { paymentIntentId: intentId })).status).toBe(403);
    expect(
      (await createAccount(thief, { paymentIntentId: 'pi_made_up', clientSecret: 'pi_made_up_secret_x' }))
        .status,
    ).toBe(403);
    expect((await claim(thief, { paymentIntentId: intentId })).status).toBe(403);
    expect((await claim(thief, {})).status).toBe(403);
    expect((await claim(thief, {}, { as: await signIn(await makeUser()) })).status).toBe(403);
    expect(await userOf(victim.buyer.email)).toBeUndefined();
    expect((await orderOf(orderId)).userId).toBeNull();
  });

  it('without proof the answer is the same for every address, and only a mail leads on', async () => {
    const buyer = makeGuest();
    const { courseId } = await buyAsGuest(payments, buyer);
    const member = await makeUser();
    const answers = [];
    for (const email of [buyer.buyer.email, member.email, 'nobody-at-all@example.com']) {
      const stranger = makeGuest({ email });
      const answer = await createAccount(stranger, { password: 'strangers-choice' });
      answers.push({ status: answer.status, body: answer.body, cookies: [...answer.cookies] });
      await mailLinks(email);
    }
    expect(answers[0]!.status).toBe(202);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect(await userOf(buyer.buyer.email)).toBeUndefined();
    expect((await mailsTo(buyer.buyer.email)).map((mail) => mail.template).sort()).toEqual([
      'claim-link',
      'receipt',
    ]);
    expect(await mailsTo(member.email)).toEqual([]);
    expect(await mailsTo('nobody-at-all@example.com')).toEqual([]);
    const token = await mailedToken(buyer.buyer.email, 'claim-link');
    const made = await claim(makeGuest(), { token, password: 'my-own-choice' });
    expect(made.status, made.text).toBe(201);
    expect((await enrollmentOf(made.body.user.id, courseId))?.status).toBe('active');
    // The mailed link has proven the address.
    expect(made.body.user.emailVerified).toBe(true);
    expect(
      (await mailsTo(buyer.buyer.email)).filter((mail) => mail.template === 'email-verification'),
    ).toEqual([]);
  });

  it('mails at most three links an hour to one address', async () => {
    const guest = makeGuest();
    await buyAsGuest(payments, guest);
    for (let i = 0; i < 6; i += 1) {
      const answer = await callRoute(requestLinkRoute, { body: { email: guest.buyer.email }, ip: guest.ip });
      expect(answer.status).toBe(202);
    }
    expect(await mailLinks(guest.buyer.email)).toBe(3);
  });

  it('goes into the signed-in account of its address by the mailed link, without a password, and into no other', async () => {
    // Registered before, and never verified.
    const owner = await makeUser({ password: 'original-password' });
    const guest = makeGuest({ email: owner.email });
    const { courseId } = await buyAsGuest(payments, guest);
    const refused = await createAccount(guest);
    expect([refused.status, refused.body.status]).toEqual([202, 'mailed']);
    expect(refused.body.message).toContain('nobody has shown yet that the address is theirs');
    expect(await enrollmentOf(owner.id, courseId)).toBeNull();
    const token = await mailedToken(owner.email, 'receipt');
    // Another unverified account is no owner: its holder is asked for a password of the account that the link proves.
    const other = await claim(guest, { token }, { as: await signIn(await makeUser()) });
    expect([other.status, other.body.fields]).toEqual([
      400,
      { password: 'Choose a password for your account.' },
    ]);
    const answer = await claim(guest, { token }, { as: await signIn(owner) });
    expect(answer.body).toMatchObject({ status: 'attached', courseIds: [courseId] });
    expect((await enrollmentOf(owner.id, courseId))?.status).toBe('active');
    const now = (await userOf(owner.email))!;
    expect(now.emailVerifiedAt).not.toBeNull();
    expect(now.passwordHash).toBe(owner.passwordHash);
    await expectReconciled(payments);
  });

  it('P31: repeated it leads to the sign-in of the account that has it', async () => {
    const guest = makeGuest();
    const { intentId, clientSecret, courseId } = await buyAsGuest(payments, guest);
    expect((await createAccount(guest)).status).toBe(201);
    const before = await userOf(guest.buyer.email);
    const browsers = [guest, { ...makeGuest(), buyer: guest.buyer }];
    const again = (browser: Guest) =>
      createAccount(browser, { password: 'another-one', paymentIntentId: intentId, clientSecret });
    for (const browser of browsers) {
      const answer = await again(browser);
      expect(answer.status).toBe(409);
      expect(answer.body.message).toBe('An account exists for this purchase. Please sign in.');
    }
    expect(await userOf(guest.buyer.email)).toEqual(before);
    expect(await finishPurchase(null, { intentId, clientSecret }, courseId)).toEqual({
      state: 'claimed',
      email: guest.buyer.email,
    });
  });

  it('P32: twenty calls at once make one account', async () => {
    const guest = makeGuest();
    const { courseId } = await buyAsGuest(payments, guest);
    const answers = await Promise.all(Array.from({ length: 20 }, () => createAccount(guest)));
    const statuses = answers.map((answer) => answer.status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    expect(await db().$count(users, eq(users.email, guest.buyer.email))).toBe(1);
    const user = (await userOf(guest.buyer.email))!;
    expect((await enrollmentOf(user.id, courseId))?.status).toBe('active');
    const verifications = (await mailsTo(guest.buyer.email)).filter(
      (mail) => mail.template === 'email-verification',
    );
    expect(verifications).toHaveLength(1);
  }, 60_000);

  it('takes the other purchases of the same browser and address along', async () => {
    const guest = makeGuest();
    const one = await buyAsGuest(payments, guest);
    const two = await buyAsGuest(payments, guest);
    const elsewhere = await buyAsGuest(payments, makeGuest({ email: guest.buyer.email }));
    const taker = await makeUser({ emailVerifiedAt: new Date() });
    const answer = await claim(guest, {}, { as: await signIn(taker) });
    expect(answer.body.courseIds.sort()).toEqual([one.courseId, two.courseId].sort());
    // Bought in another browser: for that the address has to be proven first.
    expect(await enrollmentOf(taker.id, elsewhere.courseId)).toBeNull();
    expect((await orderOf(elsewhere.orderId)).userId).toBeNull();
  });

  it('refuses short and long passwords', async () => {
    const guest = makeGuest();
    await buyAsGuest(payments, guest);
    for (const password of ['12345', 'x'.repeat(129), '', null]) {
      const answer = await createAccount(guest, { password });
      expect(answer.status).toBe(400);
      expect(answer.body.fields.password).toBeTruthy();
    }
    expect(await userOf(guest.buyer.email)).toBeUndefined();
  });
});

describe('P33: a guest who makes no account', () => {
  it('claims later by the mailed link, once', async () => {
    const guest = makeGuest();
    const { courseId } = await buyAsGuest(payments, guest);
    const token = await mailedToken(guest.buyer.email, 'receipt');
    const later = makeGuest();
    expect((await claim(later, { token })).body.fields.password).toBeTruthy();
    const answers = await Promise.all([1, 2, 3].map(() => claim(later, { token, password: 'chosen-later' })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409]);
    const user = (await userOf(guest.buyer.email))!;
    expect((await enrollmentOf(user.id, courseId))?.status).toBe('active');
    expect((await claim(makeGuest(), { token, password: 'and-again' })).status).toBe(409);
    // Signed in to the account that has it, there is nothing to refuse.
    expect((await claim(later, { token })).body.status).toBe('attached');
    expect(await readClaim(token, user)).toEqual({ state: 'used', mine: true });
  });

  it('gets nothing with a link that is too old, unknown or broken', async () => {
    const guest = makeGuest();
    const { orderId } = await buyAsGuest(payments, guest);
    const token = await mailedToken(guest.buyer.email, 'receipt');
    await moveBack(claimTokens, eq(claimTokens.orderId, orderId), { expiresAt: { seconds: 1 } });
    expect(await readClaim(token, null)).toEqual({ state: 'invalid' });
    for (const wrong of [token, token.slice(0, -1), 'x'.repeat(43), '', "' or 1=1", ['x']]) {
      const answer = await claim(makeGuest(), { token: wrong, password: 'long-enough' });
      expect(answer.status, String(wrong)).toBe(400);
    }
    expect((await orderOf(orderId)).userId).toBeNull();
  });

  it('may take it into the account that is signed in, and the purchase’s address is told', async () => {
    const guest = makeGuest();
    const { courseId } = await buyAsGuest(payments, guest);
    const token = await mailedToken(guest.buyer.email, 'receipt');
    const user = await makeUser({ emailVerifiedAt: new Date() });
    const answer = await claim(makeGuest(), { token }, { as: await signIn(user) });
    expect(answer.body).toMatchObject({ status: 'attached', courseIds: [courseId] });
    expect((await enrollmentOf(user.id, courseId))?.status).toBe('active');
    expect(await userOf(guest.buyer.email)).toBeUndefined();
    const mail = (await mailsTo(guest.buyer.email)).find((one) => one.template === 'purchase-attached');
    expect(mail?.text).toContain('account with another address');
    expect(mail?.text).not.toContain(user.email);
  });

  it('gets it when an account of the address is verified', async () => {
    const guest = makeGuest();
    const { courseId } = await buyAsGuest(payments, guest);
    const user = await makeUser({ email: guest.buyer.email });
    await db().transaction((tx) => mailVerification(tx, user));
    expect(await enrollmentOf(user.id, courseId)).toBeNull();
    await verifyEmail(await mailedToken(user.email, 'email-verification'), user.id, attachGuestPurchases);
    expect((await enrollmentOf(user.id, courseId))?.status).toBe('active');
  });

  it('an owner who claims the same course again is paid back', async () => {
    const user = await makeUser({ emailVerifiedAt: new Date() });
    const guest = makeGuest();
    const course = await makeCourseForSale();
    await makeEnrollment(user.id, course.id);
    const { orderId } = await buyAsGuest(payments, guest, course);
    const answer = await claim(guest, {}, { as: await signIn(user) });
    expect(answer.body.message).toContain('pay this payment back');
    await refundTwiceBought(orderId);
    expect((await orderOf(orderId)).status).toBe('refunded');
    expect((await enrollmentOf(user.id, course.id))?.status).toBe('active');
  });

  it('cannot claim what was refunded', async () => {
    const guest = makeGuest();
    const { intentId } = await buyAsGuest(payments, guest);
    await payments.stripe.refunds.create({ payment_intent: intentId });
    await payments.sandbox.control.settled();
    expect((await createAccount(guest)).status).toBe(409);
    expect(await userOf(guest.buyer.email)).toBeUndefined();
    expect(await finishPurchase(null, proofOf(guest), null)).toEqual({ state: 'returned' });
    expect(await readClaim(await mailedToken(guest.buyer.email, 'receipt'), null)).toEqual({
      state: 'invalid',
    });
  });

  it('gets no access while the purchase is disputed, and gets it when the dispute is won', async () => {
    const guest = makeGuest();
    const { orderId, intentId, courseId } = await openDirect(guest, await makeCourseForSale());
    await pay(payments, intentId, 'pm_card_createDispute');
    await payments.sandbox.control.settled();
    expect((await orderOf(orderId)).status).toBe('disputed');
    const { user } = (await claimByMail(guest)).body;
    expect((await enrollmentOf(user.id, courseId))?.status).toBe('suspended');
    const [dispute] = (await payments.stripe.disputes.list({ payment_intent: intentId })).data;
    payments.sandbox.control.closeDispute(dispute!.id, 'won');
    await payments.sandbox.control.settled();
    expect((await enrollmentOf(user.id, courseId))?.status).toBe('active');
    await expectReconciled(payments);
  });

  it('an administrator can have the link mailed again, and nobody else', async () => {
    const guest = makeGuest();
    const { orderId } = await buyAsGuest(payments, guest);
    const options = { method: 'POST', params: { id: String(orderId) } };
    expect((await callRoute(resendRoute, options)).status).toBe(401);
    expect((await callRoute(resendRoute, { ...options, as: await signIn(await makeUser()) })).status).toBe(
      403,
    );
    const admin = await signIn(await makeAdmin());
    expect((await callRoute(resendRoute, { ...options, as: admin })).status).toBe(200);
    const token = await mailedToken(guest.buyer.email, 'claim-link');
    expect((await claim(makeGuest(), { token, password: 'long-enough' })).status).toBe(201);
    expect((await callRoute(resendRoute, { ...options, as: admin })).status).toBe(409);
    expect((await callRoute(resendRoute, { ...options, params: { id: '999999' }, as: admin })).status).toBe(
      404,
    );
  });

  it('sent mails keep no working link', async () => {
    const guest = makeGuest();
    await buyAsGuest(payments, guest);
    const [queued] = await mailsTo(guest.buyer.email);
    expect(queued!.text).toMatch(/\/claim\?token=(?!removed)/);
    await deliverMail.run({ outboxId: queued!.id }, { isLast: false });
    const [mail] = await mailsTo(guest.buyer.email);
    expect(mail?.text).toContain('/claim?token=removed');
  });
});
