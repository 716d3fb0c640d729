import { eq, sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import { db } from '#db/client.ts';
import { orders } from '#db/schema/store.ts';
import { hashSecret } from '#src/features/account/session.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { tryConsume } from '#src/server/limits/rate-limit.ts';
import { AppError } from '#src/shared/errors.ts';
import { centsToDecimal } from '#src/shared/money.ts';
import {
  abandonOrder,
  attachIntent,
  completeOrder,
  fulfil,
} from '#src/features/store/orders/fulfil.server.ts';
import { isFulfilled } from '#src/features/store/orders/orders.ts';
import {
  itemsOf,
  lockOrder,
  type Order,
  orderReference,
  recordEvent,
} from '#src/features/store/orders/orders.server.ts';
import { askProvider, isStoredFailure } from '#src/features/store/stripe/provider.server.ts';
import type { Checkout } from '#src/features/store/checkout/schema.ts';

/**
 * Ends replaced orders, so that a course cannot be paid twice.
 * @returns 'changed' where one was paid; an answer while one is processing; null where all are closed
 */
export async function settleReplaced(replaced: readonly Order[]): Promise<Checkout | 'changed' | null> {
  let changed = false;
  for (const order of replaced) {
    const outcome = await abandonOrder(order, 'replaced by another cart or price', 'buyer');
    if (outcome.kind === 'completed') changed = true;
    if (outcome.kind === 'mismatch') {
      throw new AppError('conflict', 'A payment of yours needs a look by our staff. Please contact support.');
    }
    if (outcome.kind === 'unpaid' && outcome.intentStatus === 'processing') {
      return {
        clientSecret: null,
        orderId: order.id,
        status: 'processing',
        total: centsToDecimal(order.totalCents),
      };
    }
  }
  return changed ? 'changed' : null;
}

/**
 * Completes a free order without the provider (decision 23). Guests' receipts are limited: the address may be a
 * stranger's.
 * @returns false where it was ended meanwhile
 */
export async function completeFree({ id, userId, buyerEmail }: Order): Promise<boolean> {
  const isMailed = userId !== null || (await tryConsume('free-order-email', hashSecret(buyerEmail)));
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const order = await lockOrder(tx, id);
      if (order.status !== 'pending') return isFulfilled(order.status);
      await completeOrder(tx, order, 'buyer', { isMailed });
      return true;
    }),
  );
}

/** @returns 'closed' where the intent can no longer be paid */
export async function preparePayment(
  order: Order,
): Promise<Pick<Checkout, 'clientSecret' | 'status'> | 'closed'> {
  let current = order;
  let fresh: Stripe.PaymentIntent | null = null;
  if (!order.stripePaymentIntentId) {
    fresh = await createIntent(order);
    current = await attachIntent(order, fresh.id);
  }
  if (current.status !== 'pending' && current.status !== 'processing') {
    // Another window replaced the order meanwhile.
    await abandonOrder(current, 'replaced while it was being prepared', 'buyer');
    return 'closed';
  }
  // A new intent's secret is unknown to any other page: its state needs no request.
  if (fresh?.client_secret && current.stripePaymentIntentId === fresh.id) {
    return { clientSecret: fresh.client_secret, status: 'open' };
  }
  const outcome = await fulfil({ orderId: current.id }, 'buyer');
  if (outcome.kind === 'completed') return { clientSecret: null, status: 'completed' };
  if (outcome.kind !== 'unpaid') {
    throw new AppError('conflict', 'A payment of yours needs a look by our staff. Please contact support.');
  }
  const { intent, intentStatus } = outcome;
  if (intentStatus === 'processing') return { clientSecret: null, status: 'processing' };
  const fits = intent?.amount === current.totalCents && intent.currency === current.currency;
  if (!intent?.client_secret || intentStatus === 'canceled' || !fits) {
    await abandonOrder(current, 'the payment was closed', 'buyer');
    return 'closed';
  }
  return { clientSecret: intent.client_secret, status: 'open' };
}

/** One intent per order; a repeat after a lost answer gets the same one (fault P36). */
async function createIntent(order: Order): Promise<Stripe.PaymentIntent> {
  const reference = orderReference(order);
  const items = await itemsOf(order.id);
  try {
    return await askProvider('create intent', (stripe) =>
      stripe.paymentIntents.create(
        {
          amount: order.totalCents,
          currency: order.currency,
          // Cards and wallets only; no redirects.
          automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
          description:
            `Order ${order.id}: ${items.length === 1 ? items[0]!.title : `${items.length} courses`}`.slice(
              0,
              200,
            ),
          metadata: {
            order_id: String(order.id),
            order_reference: reference,
            ...(order.userId === null ? {} : { user_id: String(order.userId) }),
          },
        },
        { idempotencyKey: `intent:${reference}:${order.intentFailures}` },
      ),
    );
  } catch (error) {
    // The provider repeats a stored failure for a day; a new key gets past it.
    if (error instanceof AppError && isStoredFailure(error.cause)) {
      await db().transaction(async (tx) => {
        await tx
          .update(orders)
          .set({ intentFailures: sql`${orders.intentFailures} + 1` })
          .where(eq(orders.id, order.id));
        await recordEvent(tx, order.id, { type: 'intent_refused', source: 'system' });
      });
    }
    throw error;
  }
}
