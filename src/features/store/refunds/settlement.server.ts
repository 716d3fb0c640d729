import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { Tx } from '#db/client.ts';
import { disputes, orderItems, orders, refunds } from '#db/schema/store.ts';
import { enrollments } from '#db/schema/learn.ts';
import { lockBuyer } from '#src/features/store/cart/cart.server.ts';
import { settleFlags } from '#src/features/store/orders/flags.server.ts';
import { SETTLED_EVENTS, type Source } from '#src/features/store/orders/order-events.ts';
import { fulfilledStatus, linesEnded, mayMove } from '#src/features/store/orders/orders.ts';
import {
  changeAccess,
  drawNumber,
  isGoingBack,
  moveOrder,
  type Order,
  type OrderItem,
} from '#src/features/store/orders/orders.server.ts';
import { linesBySeats, settleSeats } from '#src/features/store/seats/seats.server.ts';
import { type Refund, isAtProvider, leftOfLine, sumOf } from './refund-state.server.ts';
import { refundsOf } from './refund-state.server.ts';

export async function settleOrder(
  tx: Tx,
  order: Order,
  items: readonly OrderItem[],
  source: Source,
): Promise<void> {
  if (order.userId !== null) await tx.execute(lockBuyer(order.userId));
  const refundRows = await refundsOf(tx, order);
  const disputeRows = await tx.select().from(disputes).where(eq(disputes.orderId, order.id));
  const live = refundRows.filter(isAtProvider);
  const lost = disputeRows.some((dispute) => dispute.status === 'lost');
  const disputed = disputeRows.some((dispute) => dispute.status === 'open');

  // Access ends with the promised refund, not only with its arrival.
  const endedIds = linesEnded(order.totalCents, items, live);
  const ended = items.filter((item) => lost || endedIds.has(item.id));
  const kept = items.filter((item) => !ended.includes(item));
  const restored = kept.filter((item) => item.refundedAt !== null);
  for (const item of items) {
    const isBack = ended.includes(item);
    if (isBack === (item.refundedAt !== null)) continue;
    await tx
      .update(orderItems)
      .set({ refundedAt: isBack ? sql`now()` : null })
      .where(eq(orderItems.id, item.id));
  }
  await changeAccess(tx, idsOf(ended), ['active', 'suspended'], 'revoked');
  // Only access that a refund revoked comes back.
  await changeAccess(tx, idsOf(restored), ['revoked'], 'active');
  for (const lines of linesBySeats(items)) {
    // A bundle's seat ends when all of it is refunded; free courses do not count.
    const paid = lines.filter(({ priceCents }) => priceCents > 0);
    const paidBack = (paid.length > 0 ? paid : lines).map((item) => {
      if (ended.includes(item)) return item.seats!;
      const back = live.filter((row) => row.orderItemId === item.id);
      return Math.min(
        item.seats!,
        back.reduce((sum, row) => sum + (row.seats ?? 0), 0),
      );
    });
    await settleSeats(tx, lines, Math.min(...paidBack));
  }
  if (disputed) await changeAccess(tx, idsOf(kept), ['active'], 'suspended');
  else await changeAccess(tx, idsOf(kept), ['suspended'], 'active');

  // A lost dispute counts like a refund; both may be about the same money.
  const refundedCents = Math.min(
    order.totalCents,
    sumOf(refundRows.filter((row) => row.status === 'succeeded')) +
      sumOf(disputeRows.filter((row) => row.status === 'lost')),
  );
  const status = fulfilledStatus({
    totalCents: order.totalCents,
    refundedCents,
    disputes: disputeRows.map((dispute) => dispute.status),
  });
  const isReversal = refundedCents < order.refundedCents;
  const blocked = order.status === 'refunded' && !isReversal;
  let current = order;
  if (order.status === 'refunded' && isReversal && status === 'disputed') {
    const { totalCents } = order;
    const between = fulfilledStatus({ totalCents, refundedCents, disputes: [] });
    current = await moveOrder(tx, order, between, reversal(order, refundedCents, source), { refundedCents });
  }
  if (status === current.status || blocked || !mayMove(current.status, status)) {
    if (refundedCents !== order.refundedCents) {
      await tx.update(orders).set({ refundedCents, updatedAt: sql`now()` }).where(eq(orders.id, order.id));
    }
  } else {
    const event =
      isReversal && status !== 'disputed'
        ? reversal(order, refundedCents, source)
        : { type: SETTLED_EVENTS[status], source, details: { refundedCents } };
    await moveOrder(tx, current, status, event, { refundedCents });
  }
  if (order.userId !== null) await takeOverAccess(tx, order.userId, items);
  await settleBoughtTwice(tx, order, items, refundRows, source);
  await numberCreditNotes(tx, order);
}

async function numberCreditNotes(tx: Tx, order: Order): Promise<void> {
  const now = new Date();
  const back = await tx
    .select({ id: refunds.id })
    .from(refunds)
    .where(
      and(eq(refunds.orderId, order.id), eq(refunds.status, 'succeeded'), isNull(refunds.creditNoteNumber)),
    )
    .orderBy(asc(refunds.id));
  for (const { id } of back) {
    const creditNoteNumber = await drawNumber(tx, 'CN', now);
    await tx.update(refunds).set({ creditNoteNumber }).where(eq(refunds.id, id));
  }
  const lost = await tx
    .select({ id: disputes.id })
    .from(disputes)
    .where(
      and(eq(disputes.orderId, order.id), eq(disputes.status, 'lost'), isNull(disputes.creditNoteNumber)),
    )
    .orderBy(asc(disputes.id));
  for (const { id } of lost) {
    const creditNoteNumber = await drawNumber(tx, 'CN', now);
    await tx.update(disputes).set({ creditNoteNumber }).where(eq(disputes.id, id));
  }
}

async function settleBoughtTwice(
  tx: Tx,
  order: Order,
  items: readonly OrderItem[],
  refundRows: readonly Refund[],
  source: Source,
): Promise<void> {
  const arrived = refundRows.filter(({ status }) => status === 'succeeded');
  const twice = items.filter((item) => item.boughtTwice);
  if (twice.length === 0 || !twice.every((item) => leftOfLine(item, arrived) === 0)) return;
  await settleFlags(tx, order.id, { kind: 'bought_twice', note: 'it is paid back', source });
}

/** Another paid purchase of the course takes over the access that this refund ended. */
async function takeOverAccess(tx: Tx, userId: number, items: readonly OrderItem[]): Promise<void> {
  const courseIds = JSON.stringify(items.map((item) => item.courseId));
  await tx.execute(sql`
    update ${enrollments} access set status = 'active', order_item_id = paid.id
    from (
      select distinct on (i.course_id) i.id, i.course_id
      from ${orderItems} i join ${orders} o on o.id = i.order_id
      where o.user_id = ${userId} and o.organisation_id is null and o.status in ('completed', 'partially_refunded', 'refunded')
        and i.refunded_at is null
        and i.course_id in (select jsonb_array_elements_text(${courseIds}::jsonb)::int)
        and not ${isGoingBack(sql`i`)}
      order by i.course_id, i.id
    ) paid
    where access.user_id = ${userId} and access.course_id = paid.course_id and access.status <> 'active'
      and exists (
        select 1 from ${orderItems} holder join ${orders} held on held.id = holder.order_id
        where holder.id = access.order_item_id and holder.id <> paid.id
          and (holder.refunded_at is not null or held.status = 'disputed'))`);
}

const reversal = (order: Order, refundedCents: number, source: Source) => ({
  type: 'refund_reversed' as const,
  source,
  details: { refundedCents, refundedCentsBefore: order.refundedCents },
});

const idsOf = (items: readonly OrderItem[]) => items.map((item) => item.id);
