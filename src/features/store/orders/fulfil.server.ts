import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import { db, type Tx } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { courses } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import { cartItems, claimTokens, orderItems, orders } from '#db/schema/store.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { sendJob } from '#src/server/jobs.ts';
import { log } from '#src/server/log.ts';
import { lockBuyer } from '#src/features/store/cart/cart.server.ts';
import { isUsedUnder } from '#src/features/store/coupons/coupons.server.ts';
import { findVerifiedAccount, issueClaimLink, lockGuest } from '#src/features/store/guests/guests.server.ts';
import { seller } from '#src/features/store/invoices/seller.server.ts';
import { flagOrder, openFlags } from './flags.server.ts';
import type { ExpiryCause, PaymentFailure, Source } from './order-events.ts';
import { isFulfilled, mayMove } from './orders.ts';
import {
  bookMovement,
  drawNumber,
  findOrder,
  findOrderByIntent,
  itemsOf,
  lockOrder,
  moveOrder,
  type Order,
  type OrderItem,
  orderReference,
  receivedCents,
  recordEvent,
} from './orders.server.ts';
import { askProvider, isLive, isMissing } from '#src/features/store/stripe/provider.server.ts';
import { queueReceipt } from './receipt.server.ts';
import { refundDuplicatesJob } from '#src/features/store/refunds/refunds.server.ts';
import { recordOrder } from '#src/server/webhooks/events.ts';
import { openSeats } from '#src/features/store/seats/seats.server.ts';

const INVOICE_DAYS = 30;
const DAY_MS = 86_400_000;

type IntentStatus = Stripe.PaymentIntent.Status;

export type Fulfilment =
  | { kind: 'completed'; order: Order; repeat: boolean }
  /** `intent` is null for an order without a payment. */
  | { kind: 'unpaid'; order: Order; intentStatus: IntentStatus; intent: Stripe.PaymentIntent | null }
  /** Money that does not fit waits for an operator (faults P22, P23). */
  | { kind: 'mismatch'; order: Order; reason: string }
  | { kind: 'unknown' };

export const wasTried = ({ intent, intentStatus }: Extract<Fulfilment, { kind: 'unpaid' }>): boolean =>
  intentStatus !== 'requires_payment_method' || Boolean(intent?.last_payment_error);

/** `buyerId` hides the orders of others (fault P24). */
type OrderName = { orderId: number } | { intentId: string; buyerId?: number };

const NO_PAYMENT: IntentStatus = 'requires_payment_method';

/**
 * Brings an order into the state of its payment at the provider (decision 17). Idempotent and safe in parallel.
 * @throws {AppError} provider_unavailable, with nothing changed
 */
export async function fulfil(name: OrderName, source: Source): Promise<Fulfilment> {
  const order = 'orderId' in name ? await findOrder(name.orderId) : await findByIntent(name.intentId, source);
  if (!order) return { kind: 'unknown' };
  if ('buyerId' in name && order.userId !== name.buyerId) return { kind: 'unknown' };
  if (isFulfilled(order.status)) return { kind: 'completed', order, repeat: true };
  const intentId = order.stripePaymentIntentId;
  if (!intentId) return { kind: 'unpaid', order, intentStatus: NO_PAYMENT, intent: null };

  const intent = await findIntent(intentId);
  // A reset sandbox forgets payments; such a payment can never be paid.
  if (!intent) return { kind: 'unpaid', order, intentStatus: 'canceled', intent: null };
  if (intent.status === 'succeeded') return completePaid(order, intent, source);
  const moved = await followUnpaid(order, intent, source);
  if (isFulfilled(moved.status)) return { kind: 'completed', order: moved, repeat: true };
  return { kind: 'unpaid', order: moved, intentStatus: intent.status, intent };
}

/** Changes nothing; 'paid' where only the completion is missing. @throws {AppError} provider_unavailable */
export async function lookAtPayment(order: Order): Promise<Fulfilment | { kind: 'paid' }> {
  if (isFulfilled(order.status)) return { kind: 'completed', order, repeat: true };
  const [reason] = (await openFlags([order.id])).get(order.id) ?? [];
  if (reason !== undefined) return { kind: 'mismatch', order, reason };
  const intentId = order.stripePaymentIntentId;
  if (!intentId) return { kind: 'unpaid', order, intentStatus: NO_PAYMENT, intent: null };
  const intent = await findIntent(intentId);
  if (intent?.status === 'succeeded') return { kind: 'paid' };
  return { kind: 'unpaid', order, intentStatus: intent?.status ?? 'canceled', intent };
}

export async function findIntent(intentId: string): Promise<Stripe.PaymentIntent | null> {
  try {
    return await askProvider('retrieve intent', (stripe) => stripe.paymentIntents.retrieve(intentId));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** After a crash before the id was stored, the intent's metadata leads to the order (fault P36). */
async function findByIntent(intentId: string, source: Source): Promise<Order | null> {
  const known = await findOrderByIntent(intentId);
  if (known || source === 'confirm') return known;
  const intent = await findIntent(intentId);
  if (!intent) return null;
  const orderId = Number(intent.metadata.order_id);
  if (!Number.isInteger(orderId)) return null;
  const order = await findOrder(orderId);
  if (order?.stripePaymentIntentId !== null || intent.metadata.order_reference !== orderReference(order)) {
    return null;
  }
  return attachIntent(order, intent.id);
}

export async function attachIntent(order: Order, intentId: string): Promise<Order> {
  const [attached] = await db()
    .update(orders)
    .set({ stripePaymentIntentId: intentId, updatedAt: sql`now()` })
    .where(and(eq(orders.id, order.id), isNull(orders.stripePaymentIntentId)))
    .returning();
  return attached ?? (await findOrder(order.id)) ?? order;
}

/** Null where the money fits; amounts in cents. */
export function misfit(order: Order, intent: Stripe.PaymentIntent): string | null {
  if (
    intent.metadata.order_id !== String(order.id) ||
    intent.metadata.order_reference !== orderReference(order)
  )
    return 'the payment names another order';
  if (intent.metadata.user_id !== String(order.userId ?? '') && order.userId !== null)
    return 'the payment names another buyer';
  if (intent.livemode !== isLive()) return 'the payment is of another mode (test or live)';
  if (intent.currency !== order.currency) return `paid in ${intent.currency} instead of ${order.currency}`;
  if (intent.amount_received !== order.totalCents)
    return `received ${intent.amount_received} instead of ${order.totalCents}`;
  return null;
}

async function completePaid(order: Order, intent: Stripe.PaymentIntent, source: Source): Promise<Fulfilment> {
  const complete = async (tx: Tx): Promise<Fulfilment | 'renamed'> => {
    const known = (await findOrder(order.id, tx)) ?? order;
    const isGuests = known.userId === null && known.organisationId === null && known.buyerEmail !== '';
    // Before the order: see `lockGuest`.
    if (isGuests) await tx.execute(lockGuest(known.buyerEmail));
    const locked = await lockOrder(tx, order.id);
    if (isFulfilled(locked.status)) return { kind: 'completed', order: locked, repeat: true };
    if (locked.buyerEmail !== known.buyerEmail) return 'renamed';
    const reason = misfit(locked, intent);
    if (reason) {
      if (await flagOrder(tx, order.id, { kind: 'payment_mismatch', subject: reason }, source)) {
        log.error({ orderId: order.id, intentId: intent.id, reason }, 'a payment does not fit its order');
        await recordEvent(tx, order.id, { type: 'payment_mismatch', source, details: { reason } });
      }
      return { kind: 'mismatch', order: locked, reason };
    }
    return { kind: 'completed', order: await completeOrder(tx, locked, source), repeat: false };
  };
  for (;;) {
    const outcome = await retryOnConflict(() => db().transaction(complete));
    // The buyer's address changed meanwhile, and the lock is of the old one.
    if (outcome !== 'renamed') return outcome;
  }
}

/**
 * Completes a locked order that is paid, released or free, in the caller's transaction, which holds the guest's lock.
 * A guest's paid order goes to the verified account of its address; a free one waits for the mailed link, as anybody
 * can order it.
 * @param isMailed whether its receipt is
 */
export async function completeOrder(
  tx: Tx,
  locked: Order,
  source: Source,
  { isMailed = true }: { isMailed?: boolean } = {},
): Promise<Order> {
  // An organisation's order is never a guest's, even without its buyer's account.
  const { organisationId } = locked;
  const isGuests = locked.userId === null && organisationId === null;
  const order = isGuests ? await withOwner(tx, locked, source) : locked;
  // A concurrent checkout must see all of this or nothing, or it would sell the same again.
  if (order.userId !== null) await tx.execute(lockBuyer(order.userId));
  const items = await itemsOf(order.id, tx);
  if (organisationId !== null) await openSeats(tx, organisationId, items);
  const isPersons = order.userId !== null && organisationId === null;
  const duplicates = isPersons
    ? await grantLines(tx, order.userId!, items)
    : isGuests
      ? await ownedUnproven(tx, order, items)
      : [];
  const isLeft = duplicates.length < items.length;
  // Against an invoice the organisation owes the money; a card has paid it.
  const isOwed = order.payment === 'bank';
  const movement = { kind: isOwed ? 'invoice' : 'payment', subject: order.id } as const;
  await bookMovement(tx, order, movement, order.totalCents, {
    from: 'course_revenue',
    to: isOwed ? 'receivables' : 'provider_clearing',
  });
  await payBack(tx, order, duplicates, source);
  // Paid past our page; settled once the buyer is named.
  if (!order.buyerEmail) await flagOrder(tx, order.id, { kind: 'without_buyer' }, source);
  // Buyers learn this only now, or a coupon would reveal purchases of an address. The sale stays.
  if (isGuests && (await isUsedUnder(tx, order))) {
    await flagOrder(tx, order.id, { kind: 'coupon_used_by_address' }, source);
  }
  // Last: from here on every other completion waits for this commit.
  const completedAt = new Date();
  const invoiceNumber = await drawNumber(tx, 'INV', completedAt);
  const dueAt = isOwed ? new Date(completedAt.getTime() + INVOICE_DAYS * DAY_MS) : null;
  const prepaidCents = isOwed ? Math.min(order.totalCents, await receivedCents(tx, order.id)) : 0;
  const completed = await moveOrder(
    tx,
    order,
    'completed',
    {
      type: 'completed',
      source,
      details: { invoiceNumber, totalCents: order.totalCents, ...(isOwed ? { byInvoice: true } : {}) },
    },
    { invoiceNumber, completedAt, dueAt, prepaidCents, seller: seller() },
  );
  if (organisationId !== null) {
    await recordOrder(tx, {
      organisationId,
      kind: 'order',
      occasion: String(order.id),
      data: {
        orderId: order.id,
        invoiceNumber,
        totalCents: order.totalCents,
        currency: order.currency,
        lines: items.map(({ title, priceCents, seats }) => ({ title, priceCents, seats })),
      },
    });
  }
  if (!isMailed) return completed;
  await queueReceipt(tx, completed, items, {
    duplicates,
    attached: isGuests && order.userId !== null,
    claimLink:
      isGuests && order.userId === null && order.buyerEmail && isLeft
        ? await issueClaimLink(tx, order.id)
        : null,
  });
  return completed;
}

async function withOwner(tx: Tx, order: Order, source: Source): Promise<Order> {
  if (!order.buyerEmail || order.totalCents === 0) return order;
  const account = await findVerifiedAccount(tx, order.buyerEmail);
  return account ? setOwner(tx, order, account.id, 'address verified before', source) : order;
}

export async function setOwner(
  tx: Tx,
  order: Order,
  userId: number,
  how: string,
  source: Source,
): Promise<Order> {
  const [owned] = await tx
    .update(orders)
    .set({ userId, updatedAt: sql`now()` })
    .where(eq(orders.id, order.id))
    .returning();
  await tx.update(claimTokens).set({ used: true }).where(eq(claimTokens.orderId, order.id));
  await recordEvent(tx, order.id, { type: 'claimed', source, actorId: userId, details: { how } });
  return owned!;
}

/** @returns paid lines that the unverified account of the address has, though it gets nothing (decision 56) */
async function ownedUnproven(tx: Tx, order: Order, items: readonly OrderItem[]): Promise<OrderItem[]> {
  const owned = await tx
    .select({ courseId: enrollments.courseId })
    .from(enrollments)
    .innerJoin(users, eq(users.id, enrollments.userId))
    .where(and(eq(users.email, order.buyerEmail), eq(enrollments.status, 'active')));
  return items.filter((item) => canGoBack(item) && owned.some(({ courseId }) => courseId === item.courseId));
}

/** A free duplicate stays the buyer's and takes effect when other access ends. */
const canGoBack = (item: OrderItem) => item.priceCents > 0;

export async function grantLines(tx: Tx, userId: number, items: readonly OrderItem[]): Promise<OrderItem[]> {
  if (items.length === 0) return [];
  const duplicates = await enrol(tx, userId, items);
  const courseIds = items.map((item) => item.courseId);
  await tx.delete(cartItems).where(and(eq(cartItems.userId, userId), inArray(cartItems.courseId, courseIds)));
  return duplicates;
}

/** Flags and refunds duplicates (faults P19, P27). */
export async function payBack(
  tx: Tx,
  order: Order,
  duplicates: readonly OrderItem[],
  source: Source,
): Promise<void> {
  if (duplicates.length === 0) return;
  const itemIds = duplicates.map((item) => item.id);
  await flagOrder(tx, order.id, { kind: 'bought_twice' }, source);
  await tx.update(orderItems).set({ boughtTwice: true }).where(inArray(orderItems.id, itemIds));
  await recordEvent(tx, order.id, { type: 'duplicate_lines', source, details: { itemIds } });
  await sendJob(tx, refundDuplicatesJob, { orderId: order.id, itemIds });
}

/**
 * One enrollment per user and course for ever, resumed with its progress (decision 21).
 * @param items by course, for one lock order
 * @returns paid lines whose course the buyer has already (fault P19)
 */
async function enrol(tx: Tx, userId: number, items: readonly OrderItem[]): Promise<OrderItem[]> {
  if (items.length === 0) return [];
  const granted = await tx
    .insert(enrollments)
    .values(items.map((item) => ({ userId, courseId: item.courseId, orderItemId: item.id })))
    .onConflictDoUpdate({
      target: [enrollments.userId, enrollments.courseId],
      set: { status: 'active', orderItemId: sql`excluded.order_item_id` },
      setWhere: sql`${enrollments.status} <> 'active'`,
    })
    .returning({ courseId: enrollments.courseId, isNew: sql<boolean>`(xmax = 0)` });
  const newCourses = granted.filter((row) => row.isNew).map((row) => row.courseId);
  if (newCourses.length > 0) {
    const inOrder = tx
      .select({ id: courses.id })
      .from(courses)
      .where(inArray(courses.id, newCourses))
      .orderBy(asc(courses.id))
      .for('no key update');
    await tx
      .update(courses)
      .set({ studentsCount: sql`${courses.studentsCount} + 1` })
      .where(inArray(courses.id, inOrder));
  }
  const grantedCourses = new Set(granted.map((row) => row.courseId));
  return items.filter((item) => !grantedCourses.has(item.courseId) && canGoBack(item));
}

async function followUnpaid(order: Order, intent: Stripe.PaymentIntent, source: Source): Promise<Order> {
  if (intent.status === 'processing') {
    return moveUnlessDone(order, 'processing', { type: 'processing', source });
  }
  if (intent.status === 'canceled') {
    // Our own cancellations say 'abandoned'; others count as failed.
    const to = intent.cancellation_reason === 'abandoned' ? 'expired' : 'failed';
    return moveUnlessDone(
      order,
      to,
      { type: 'payment_canceled', source, details: { reason: intent.cancellation_reason } },
      { paymentCanceledAt: new Date() },
    );
  }
  if (order.status === 'processing' && intent.status === 'requires_payment_method') {
    // A payment that came back is closed at the provider first, so that no old page can pay it.
    const closed = await cancelIntent(intent.id, 'requested_by_customer');
    if (closed !== 'canceled') return (await findOrder(order.id)) ?? order;
    return moveUnlessDone(order, 'failed', {
      type: 'payment_failed',
      source,
      details: failureOf(intent),
    });
  }
  return order;
}

export function failureOf(intent: Stripe.PaymentIntent): PaymentFailure {
  const { code, decline_code: declineCode, message } = intent.last_payment_error ?? {};
  return { code: code ?? null, declineCode: declineCode ?? null, message: message ?? null };
}

async function moveUnlessDone(
  order: Order,
  to: Order['status'],
  event: Parameters<typeof moveOrder>[3],
  set?: Parameters<typeof moveOrder>[4],
): Promise<Order> {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const locked = await lockOrder(tx, order.id);
      return mayMove(locked.status, to) ? moveOrder(tx, locked, to, event, set) : locked;
    }),
  );
}

async function cancelIntent(
  intentId: string,
  reason: Stripe.PaymentIntentCancelParams['cancellation_reason'],
): Promise<IntentStatus> {
  try {
    const canceled = await askProvider('cancel intent', (stripe) =>
      stripe.paymentIntents.cancel(intentId, reason ? { cancellation_reason: reason } : {}, {
        // A key must not be reused with another reason.
        idempotencyKey: `cancel:${intentId}:${reason ?? 'none'}:${Math.floor(Date.now() / 60_000)}`,
      }),
    );
    return canceled.status;
  } catch (error) {
    if (isMissing(error)) return 'canceled';
    const { status } = await askProvider('retrieve intent', (stripe) =>
      stripe.paymentIntents.retrieve(intentId),
    );
    if (status !== 'canceled' && status !== 'succeeded' && status !== 'processing') throw error;
    return status;
  }
}

/**
 * Cancels the intent first (decision 19); completes the order where the money arrived meanwhile.
 * @param why goes into the order's log
 */
export async function abandonOrder(order: Order, why: ExpiryCause, source: Source): Promise<Fulfilment> {
  if (order.stripePaymentIntentId) {
    const status = await cancelIntent(order.stripePaymentIntentId, 'abandoned');
    if (status !== 'canceled') return fulfil({ orderId: order.id }, source);
  }
  const moved = await moveUnlessDone(order, 'expired', { type: 'expired', source, details: { why } });
  if (isFulfilled(moved.status)) return { kind: 'completed', order: moved, repeat: true };
  return { kind: 'unpaid', order: moved, intentStatus: 'canceled', intent: null };
}
