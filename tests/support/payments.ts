import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { and, eq } from 'drizzle-orm';
import Stripe from 'stripe';
import { expect } from 'vitest';
import { db } from '#db/client.ts';
import { makeCourseForSale, makeUser } from './factories.ts';
import { enrollments } from '#db/schema/learn.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { cartItems, coupons, orderItems, orders, providerEvents, refunds } from '#db/schema/store.ts';
import { flagLine, flagOrder, openFlags } from '#src/features/store/orders/flags.server.ts';
import { reconcileOrders } from '#src/features/store/reconciliation/settle-orders.server.ts';
import { POST as confirmRoute } from '#src/pages/api/confirm-payment.ts';
import { POST as intentRoute } from '#src/pages/api/create-payment-intent.ts';
import { POST as webhookRoute } from '#src/pages/api/stripe/webhook.ts';
import { type PaymentSandbox, startPaymentSandbox } from '#src/payment-sandbox/server.ts';
import { setEnvironment } from '#src/server/start/env.ts';
import { type Answer, type CallOptions, callRoute, signIn } from './api.ts';
import { expectReconciliationCheck, expectOracle } from './oracle.ts';

export type Payments = {
  sandbox: PaymentSandbox;
  stripe: Stripe;
  webhookSecret: string;
  /** Answers that the webhook gave, in order. */
  webhookAnswers: Answer[];
  close: () => Promise<void>;
};

/**
 * Starts the payment sandbox for one test file and lets the site use it, webhooks over real HTTP included.
 *
 * @param around runs what answers an event; null where the process died over it and the connection just ends
 */
export async function startPayments(
  around: (work: () => Promise<Answer>) => Promise<Answer | null> = (work) => work(),
): Promise<Payments> {
  const secretKey = `sk_test_sandbox_${randomBytes(12).toString('hex')}`;
  const publishableKey = `pk_test_sandbox_${randomBytes(12).toString('hex')}`;
  const webhookSecret = `whsec_${randomBytes(16).toString('hex')}`;
  const webhookAnswers: Answer[] = [];
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const answer = await around(() =>
        callRoute(webhookRoute, {
          method: 'POST',
          body: Buffer.concat(chunks).toString(),
          headers: { 'stripe-signature': String(request.headers['stripe-signature'] ?? '') },
        }),
      );
      if (!answer) return void request.socket.destroy();
      webhookAnswers.push(answer);
      response.writeHead(answer.status).end(answer.text);
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const sandbox = await startPaymentSandbox({
    port: 0,
    secretKey,
    publishableKey,
    webhook: {
      url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
      secret: webhookSecret,
    },
    retry: { firstMs: 50, factor: 1.5, maxMs: 500 },
    settleMs: null,
  });
  setEnvironment({
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_PUBLISHABLE_KEY: publishableKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    PAYMENT_SANDBOX_PORT: String(sandbox.port),
  });
  return {
    sandbox,
    stripe: new Stripe(secretKey, { host: '127.0.0.1', port: sandbox.port, protocol: 'http' }),
    webhookSecret,
    webhookAnswers,
    close: async () => {
      await sandbox.close();
      receiver.closeAllConnections();
      await new Promise((resolve) => receiver.close(resolve));
    },
  };
}

export type Buyer = Awaited<ReturnType<typeof makeBuyer>>;

/** A signed-in buyer whose cart holds a course per price, in cents. */
export async function makeBuyer(...prices: number[]) {
  const user = await makeUser();
  const courses = [];
  for (const priceCents of prices) courses.push(await makeCourseForSale({ priceCents }));
  for (const course of courses) await db().insert(cartItems).values({ userId: user.id, courseId: course.id });
  return { user, courses, session: await signIn(user) };
}

/** `POST /api/create-payment-intent` as the page calls it. */
export function createIntent(buyer: Pick<Buyer, 'session'>, amount: unknown): Promise<Answer> {
  return callRoute(intentRoute, { as: buyer.session, body: { amount } });
}

/** `POST /api/confirm-payment` as the page calls it. */
export function confirm(
  buyer: Pick<Buyer, 'session'> | null,
  paymentIntentId: unknown,
  options: CallOptions = {},
): Promise<Answer> {
  return callRoute(confirmRoute, { as: buyer?.session ?? null, body: { paymentIntentId }, ...options });
}

/** Goes to checkout; gives the order's id and the intent's id and secret. */
export async function checkOut(buyer: Buyer): Promise<{ orderId: number; intentId: string; total: number }> {
  const total = buyer.courses.reduce((sum, course) => sum + course.priceCents, 0) / 100;
  const answer = await createIntent(buyer, total);
  expect(answer.status, answer.text).toBe(200);
  const secret: string = answer.body.clientSecret;
  return { orderId: answer.body.orderId, intentId: secret.split('_secret_')[0]!, total };
}

/** Pays an intent as the page's card form would. */
export async function pay(
  { stripe }: Payments,
  intentId: string,
  paymentMethod = 'pm_card_visa',
): Promise<string> {
  try {
    const intent = await stripe.paymentIntents.confirm(intentId, {
      payment_method: paymentMethod,
    });
    return intent.status;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError) return 'requires_payment_method';
    throw error;
  }
}

/** Sends an event of this kind to the webhook, signed, without the sandbox's own delivery. */
export function sendEvent(
  { webhookSecret }: Payments,
  event: Record<string, unknown>,
  options: { secret?: string; timestamp?: number; header?: string; body?: string } = {},
): Promise<Answer> {
  const payload = JSON.stringify(event);
  const header =
    options.header ??
    Stripe.webhooks.generateTestHeaderString({
      payload,
      secret: options.secret ?? webhookSecret,
      ...(options.timestamp === undefined ? {} : { timestamp: options.timestamp }),
    });
  return callRoute(webhookRoute, {
    method: 'POST',
    body: options.body ?? payload,
    headers: { 'stripe-signature': header },
  });
}

let eventNumber = 0;

/** An event about a payment intent as the provider writes it. */
export function intentEvent(type: string, intentId: string, more: Record<string, unknown> = {}) {
  eventNumber += 1;
  return {
    id: `evt_test_${eventNumber}_${randomBytes(6).toString('hex')}`,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: Math.floor(Date.now() / 1000),
    livemode: false,
    type,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    data: { object: { id: intentId, object: 'payment_intent' } },
    ...more,
  };
}

/** The order, with what it is marked for. */
export const orderOf = async (id: number) => ({
  ...(await db().select().from(orders).where(eq(orders.id, id)))[0]!,
  flag: flagLine((await openFlags([id])).get(id)),
});

/** Marks an order with a text of one's own. */
export const markOrder = (id: number, subject: string) =>
  db().transaction((tx) => flagOrder(tx, id, { kind: 'other', subject }, 'system'));
export const ordersOf = (buyer: Buyer) =>
  db().select().from(orders).where(eq(orders.userId, buyer.user.id)).orderBy(orders.id);
export const enrollmentsOf = (buyer: Buyer) =>
  db().select().from(enrollments).where(eq(enrollments.userId, buyer.user.id)).orderBy(enrollments.courseId);
export const cartOf = (buyer: Buyer) =>
  db().select().from(cartItems).where(eq(cartItems.userId, buyer.user.id));
export const receiptsOf = (buyer: Buyer) =>
  db()
    .select()
    .from(mailOutbox)
    .where(and(eq(mailOutbox.recipient, buyer.user.email), eq(mailOutbox.template, 'receipt')));
export const eventCount = () => db().$count(providerEvents);
export const refundsOf = (orderId: number) => db().select().from(refunds).where(eq(refunds.orderId, orderId));

/** One purchase went through exactly once: order, access, cart, receipt. */
export async function expectBoughtOnce(buyer: Buyer): Promise<void> {
  const done = (await ordersOf(buyer)).filter((order) => order.status === 'completed');
  expect(done).toHaveLength(1);
  expect((await enrollmentsOf(buyer)).map((row) => [row.courseId, row.status])).toEqual(
    buyer.courses.map((course) => [course.id, 'active']),
  );
  expect(await cartOf(buyer)).toEqual([]);
  expect(await receiptsOf(buyer)).toHaveLength(1);
}

/** The oracle of the fault list once the reconciler has run, and the books check of the site with it. */
export async function expectReconciled({ stripe }: Payments): Promise<void> {
  await reconcileOrders();
  await expectOracle(stripe);
  await expectReconciliationCheck();
}

/** The lines of an order by course. */
export const itemsOfOrder = (orderId: number) =>
  db().select().from(orderItems).where(eq(orderItems.orderId, orderId)).orderBy(orderItems.courseId);

/** A paid and completed order of a new buyer. */
export async function bought(payments: Payments, prices: number[], paymentMethod?: string) {
  const buyer = await makeBuyer(...prices);
  const checkout = await checkOut(buyer);
  await pay(payments, checkout.intentId, paymentMethod);
  const confirmed = await confirm(buyer, checkout.intentId);
  expect(confirmed.status, confirmed.text).toBe(200);
  return { buyer, ...checkout, items: await itemsOfOrder(checkout.orderId) };
}

/** The payment that a checkout's answer is for. */
export const intentOf = (answer: Answer): string => answer.body.clientSecret.split('_secret_')[0];

let codes = 0;
/** A coupon made straight in the database: ten percent off everything unless told. */
export async function makeCoupon(values: Partial<typeof coupons.$inferInsert> = {}) {
  codes += 1;
  const isFixed = values.kind === 'fixed';
  const [coupon] = await db()
    .insert(coupons)
    .values({ code: `TEST-${codes}`, kind: 'percent', percentOff: isFixed ? null : 10, ...values })
    .returning();
  return coupon!;
}
