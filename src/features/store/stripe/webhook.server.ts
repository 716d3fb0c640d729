import { eq, sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import { z } from 'zod';
import { db } from '#db/client.ts';
import { providerEvents } from '#db/schema/store.ts';
import { bodyBytes, errorResponse } from '#src/server/endpoint.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { log } from '#src/server/log.ts';
import { flagOrder } from '#src/features/store/orders/flags.server.ts';
import { AppError } from '#src/shared/errors.ts';
import { failureOf, findIntent, fulfil } from '#src/features/store/orders/fulfil.server.ts';
import {
  findOrder,
  lockOrder,
  orderReference,
  recordEvent,
} from '#src/features/store/orders/orders.server.ts';
import { isLive, provider, webhookSecret } from './provider.server.ts';
import { syncMoneyBack } from '#src/features/store/refunds/provider-sync.server.ts';

/** Fault P12. */
const TOLERANCE_SECONDS = 300;
const EVENT_MAX_BYTES = 1_048_576;

/** In seconds; certain to be a valid date. */
const MOMENT_MAX = Date.UTC(9999, 0) / 1000;

const eventShape = z.object({
  id: z.string().regex(/^\w{1,255}$/),
  type: z.string().regex(/^[\w.]{1,255}$/),
  created: z.number().int().min(0).max(MOMENT_MAX),
  livemode: z.boolean(),
});

const INTENT_ID = /^pi_\w{1,200}$/;

const PAYMENT_EVENTS = new Set([
  'payment_intent.succeeded',
  'payment_intent.processing',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
]);
const MONEY_BACK_EVENTS = /^(charge\.refunded|charge\.refund\.updated|refund\.\w+|charge\.dispute\.\w+)$/;

/**
 * The signature covers the raw body. An event only says where to look: the state is read from the provider, so order
 * and content decide nothing (fault P9). Errors make the provider resend.
 */
export async function receiveProviderEvent(request: Request, requestId: string): Promise<Response> {
  try {
    const event = await readEvent(request, requestId);
    const outcome = await takeIn(event);
    return Response.json({ received: true, outcome }, { headers: { 'cache-control': 'no-store' } });
  } catch (error) {
    return errorResponse(error, requestId);
  }
}

async function readEvent(request: Request, requestId: string): Promise<Stripe.Event> {
  const body = new Uint8Array(await bodyBytes(request, requestId));
  if (body.byteLength > EVENT_MAX_BYTES) throw new AppError('too_large', 'The event is too large.');
  const header = request.headers.get('stripe-signature') ?? '';
  let event: Stripe.Event;
  try {
    event = provider().webhooks.constructEvent(Buffer.from(body), header, webhookSecret(), TOLERANCE_SECONDS);
  } catch (error) {
    if (error instanceof AppError) throw error;
    log.warn({ reason: error instanceof Error ? error.message.split('\n')[0] : '' }, 'a webhook was refused');
    throw new AppError('bad_request', 'The signature is not valid.');
  }
  // The SDK refuses only old signatures.
  const signedAt = Number(/(?:^|,)t=(\d+)/.exec(header)?.[1]);
  if (!(signedAt - Date.now() / 1000 <= TOLERANCE_SECONDS)) {
    throw new AppError('bad_request', 'The signature is not valid.');
  }
  // A valid signature does not prove a valid shape.
  if (!eventShape.safeParse(event).success) throw new AppError('bad_request', 'The event is not valid.');
  return event;
}

async function takeIn(event: Stripe.Event): Promise<string> {
  const intentId = intentOf(event);
  const [known] = await db()
    .insert(providerEvents)
    .values({
      id: event.id,
      type: event.type,
      objectId: intentId ?? objectIdOf(event),
      createdAt: new Date(event.created * 1000),
    })
    // DO UPDATE, because DO NOTHING returns no row.
    .onConflictDoUpdate({ target: providerEvents.id, set: { type: sql`excluded.type` } })
    .returning({ handledAt: providerEvents.handledAt, outcome: providerEvents.outcome });
  if (known?.handledAt) return `repeat: ${known.outcome ?? ''}`;
  try {
    const outcome = await handle(event, intentId);
    await db()
      .update(providerEvents)
      .set({ handledAt: sql`now()`, outcome })
      .where(eq(providerEvents.id, event.id));
    return outcome;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await db()
      .update(providerEvents)
      .set({ outcome: `failed: ${reason.slice(0, 300)}` })
      .where(eq(providerEvents.id, event.id))
      .catch(() => {});
    throw error;
  }
}

async function handle(event: Stripe.Event, intentId: string | null): Promise<string> {
  if (event.livemode !== isLive() || event.account) {
    log.warn(
      { eventId: event.id, livemode: event.livemode, ofAccount: Boolean(event.account) },
      'an event of another mode or account was ignored',
    );
    return 'ignored: another mode or account';
  }
  const isPayment = PAYMENT_EVENTS.has(event.type);
  if (!isPayment && !MONEY_BACK_EVENTS.test(event.type)) return 'ignored: type';
  if (!intentId) return 'ignored: no payment intent';

  const result = await fulfil({ intentId }, 'webhook');
  if (result.kind === 'unknown') {
    return passOver(intentId);
  }
  if (!isPayment) {
    await syncMoneyBack(result.order.id, 'webhook');
    return 'refunds and disputes brought up to date';
  }
  if (result.kind === 'mismatch') return `flagged: ${result.reason}`;
  if (result.kind === 'completed') return result.repeat ? 'completed before' : 'completed';
  if (event.type === 'payment_intent.payment_failed' && result.intent && result.order.status === 'pending') {
    await recordEvent(db(), result.order.id, {
      type: 'payment_declined',
      source: 'webhook',
      details: failureOf(result.intent),
    });
  }
  return `order ${result.order.status}, payment ${result.intentStatus}`;
}

/** Other products on the account may use `order_id` too. */
const OWN_REFERENCE = /^[0-9a-f]{32}$/;

/**
 * Foreign payments are ignored, because repeated refusals disable the endpoint. One whose order may appear shortly
 * must come again (fault P8).
 * @throws {AppError} conflict, so that the provider resends
 */
async function passOver(intentId: string): Promise<string> {
  const later = new AppError('conflict', 'There is no order for this payment yet.');
  const intent = await findIntent(intentId);
  if (!intent) throw later;
  const { order_id: id, order_reference: reference } = intent.metadata;
  const orderId = Number(id);
  if (!id || !Number.isInteger(orderId) || !OWN_REFERENCE.test(reference ?? '')) {
    log.info({ intentId }, 'an event of a payment that this site did not make was ignored');
    return 'ignored: not a payment of this site';
  }
  const order = await findOrder(orderId);
  if (!order) throw later;
  if (orderReference(order) !== reference) {
    log.warn({ intentId, orderId }, 'an event of a payment for an order of another database was ignored');
    return 'ignored: an order of another database';
  }
  if (!order.stripePaymentIntentId || order.stripePaymentIntentId === intentId) throw later;
  if (intent.status !== 'succeeded') return 'ignored: the order has another payment';
  log.error({ intentId, orderId }, 'an order was paid twice');
  await retryOnConflict(() =>
    db().transaction(async (tx) => {
      await lockOrder(tx, orderId);
      await flagOrder(tx, orderId, { kind: 'paid_twice', subject: intentId }, 'webhook');
    }),
  );
  return `flagged: paid with ${intentId} besides its own payment`;
}

function intentOf(event: Stripe.Event): string | null {
  const object = event.data?.object as { object?: unknown; id?: unknown; payment_intent?: unknown } | null;
  if (typeof object !== 'object' || object === null) return null;
  const intent = object.object === 'payment_intent' ? object : object.payment_intent;
  const id = typeof intent === 'object' ? (intent as { id?: unknown } | null)?.id : intent;
  return typeof id === 'string' && INTENT_ID.test(id) ? id : null;
}

function objectIdOf(event: Stripe.Event): string | null {
  const id = (event.data?.object as { id?: unknown } | null | undefined)?.id;
  return typeof id === 'string' && /^\w{1,255}$/.test(id) ? id : null;
}
