import { and, asc, desc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { enrollments } from '#db/schema/learn.ts';
import { disputes, ledgerEntries, orderEvents, orderItems, orders, refunds } from '#db/schema/store.ts';
import type { Order } from '#src/features/store/orders/orders.server.ts';
import {
  hasToSendBack,
  isOutstanding,
  waitsForRelease,
} from '#src/features/store/bank/bank-orders.server.ts';
import type { BankMoney } from '#src/features/store/bank/bank.ts';
import { readBanks } from '#src/features/store/orders/order-view.server.ts';
import { flagLine, isFlagged, openFlags } from '#src/features/store/orders/flags.server.ts';
import { isFulfilled, type OrderStatus } from '#src/features/store/orders/orders.ts';
import { findRefundRequest } from '#src/features/store/refunds/refund-request.server.ts';
import { isRefundable } from '#src/features/store/refunds/refunds.server.ts';
import { leftOfLine, leftOfOrder } from '#src/features/store/refunds/refund-state.server.ts';
import { ADMIN_PAGE_SIZE, type ListQuery, pageCount } from '#src/shared/list-query.ts';
import { containing, countFound } from '#src/features/admin/shell/list-search.server.ts';
import {
  accountLabel,
  eventBy,
  eventText,
  type LedgerMovement,
  type LineAccess,
  type ListedOrder,
  movementLabel,
  sourceLabel,
  type OrderDetail,
  type OrderFilter,
  type OrderLine,
  type RefundRow,
  readOrderSearch,
} from './orders.ts';
import { seatsBackOf } from './order-actions.server.ts';

const PAID = ['completed', 'partially_refunded', 'refunded', 'disputed'] as const satisfies OrderStatus[];

function searched(search: string): SQL | undefined {
  const asked = readOrderSearch(search);
  switch (asked.kind) {
    case 'all':
      return undefined;
    case 'id':
      return eq(orders.id, asked.id);
    case 'payment':
      return eq(orders.stripePaymentIntentId, asked.intentId);
    case 'invoice':
      return /^INV-\d{4}-\d{6,}$/.test(asked.number)
        ? eq(orders.invoiceNumber, asked.number)
        : sql`${orders.invoiceNumber} like ${`%${asked.number.replace(/[\\%_]/g, '\\$&')}%`}`;
    case 'buyer':
      return sql`(${containing(orders.buyerEmail, asked.text)}
        or ${containing(sql`lower(${orders.buyerFirstName} || ' ' || ${orders.buyerLastName})`, asked.text)})`;
  }
}

function filtered(filter: OrderFilter): SQL | undefined {
  switch (filter) {
    case null:
      return undefined;
    case 'paid':
      return inArray(orders.status, [...PAID]);
    case 'waiting':
      return or(inArray(orders.status, ['pending', 'processing']), isOutstanding());
    case 'back':
      return or(inArray(orders.status, ['partially_refunded', 'refunded']), hasToSendBack());
    case 'look':
      // A union, because no index answers an OR with a subquery.
      return sql`${orders.id} in (select id from orders where ${isFlagged()} union
        select id from orders where orders.status = 'disputed' or ${waitsForRelease()} or ${hasToSendBack()})`;
  }
}

/**
 * Newest first; a page past the end is the last.
 * @param query `search`: number of order or invoice, payment id, or part of the buyer's email or name
 * @returns the page and the matches, `isMore` past the count's limit
 */
export async function listAdminOrders({
  search,
  filter,
  page: asked,
}: ListQuery & { filter: OrderFilter }): Promise<{
  orders: ListedOrder[];
  total: number;
  isMore: boolean;
  page: number;
}> {
  const matching = and(filtered(filter), searched(search));
  const { total, isMore } = await countFound(orders, matching, search !== '');
  const page = Math.min(asked, pageCount(total));
  // Ids first: a far page then skips index entries, not whole orders.
  const ids = db()
    .select({ id: orders.id })
    .from(orders)
    .where(matching)
    .orderBy(desc(orders.id))
    .limit(ADMIN_PAGE_SIZE)
    .offset((page - 1) * ADMIN_PAGE_SIZE)
    .as('page');
  const rows = await db()
    .select({ order: orders, username: users.username })
    .from(orders)
    .innerJoin(ids, eq(ids.id, orders.id))
    .leftJoin(users, eq(users.id, orders.userId))
    .orderBy(desc(orders.id));
  const shown = rows.map(({ order }) => order.id);
  const [items, flags, banks] = await Promise.all([
    itemsOfOrders(shown),
    openFlags(shown),
    readBanks(rows.map(({ order }) => order)),
  ]);
  return {
    total,
    isMore,
    page,
    orders: rows.map(({ order, username }) =>
      listed(
        order,
        username,
        (items.get(order.id) ?? []).map(({ title }) => title),
        { flags: flags.get(order.id), bank: banks.get(order.id) },
      ),
    ),
  };
}

async function itemsOfOrders(ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, { orderId: number; title: string }[]>();
  const rows = await db()
    .select({ orderId: orderItems.orderId, title: orderItems.title })
    .from(orderItems)
    .where(inArray(orderItems.orderId, [...ids]))
    .orderBy(asc(orderItems.id));
  return Map.groupBy(rows, ({ orderId }) => orderId);
}

function listed(
  order: Order,
  username: string | null,
  titles: string[],
  { flags, bank }: { flags: string[] | undefined; bank: BankMoney | undefined },
): ListedOrder {
  const isAnonymised = order.anonymisedAt !== null;
  return {
    id: order.id,
    createdAt: order.createdAt.toISOString(),
    buyerName: `${order.buyerFirstName} ${order.buyerLastName}`.trim() || username || '',
    buyerEmail: order.buyerEmail,
    isGuest: order.userId === null && !isAnonymised,
    isAnonymised,
    titles,
    totalCents: order.totalCents,
    refundedCents: order.refundedCents,
    toSendCents: bank?.state === 'overpaid' ? -bank.outstandingCents : 0,
    status: order.status,
    invoiceNumber: order.invoiceNumber,
    flag: flagLine(flags),
  };
}

/** With its log in words; null for none. */
export async function findAdminOrder(id: number): Promise<OrderDetail | null> {
  const [row] = await db()
    .select({ order: orders, username: users.username })
    .from(orders)
    .leftJoin(users, eq(users.id, orders.userId))
    .where(eq(orders.id, id));
  if (!row) return null;
  const { order, username } = row;
  const [items, refundRows, disputeRows, entries, events, flags, banks, refundRequest] = await Promise.all([
    db()
      .select({ item: orderItems, access: enrollments.status })
      .from(orderItems)
      // One line of seats may give access to many people.
      .leftJoin(enrollments, and(eq(enrollments.orderItemId, orderItems.id), isNull(orderItems.seats)))
      .where(eq(orderItems.orderId, id))
      .orderBy(asc(orderItems.id)),
    db()
      .select({ refund: refunds, requestedBy: users.username })
      .from(refunds)
      .leftJoin(users, eq(users.id, refunds.requestedBy))
      .where(eq(refunds.orderId, id))
      .orderBy(asc(refunds.id)),
    db().select().from(disputes).where(eq(disputes.orderId, id)).orderBy(asc(disputes.id)),
    db().select().from(ledgerEntries).where(eq(ledgerEntries.orderId, id)).orderBy(asc(ledgerEntries.id)),
    db()
      .select({ event: orderEvents, actorName: users.username })
      .from(orderEvents)
      .leftJoin(users, eq(users.id, orderEvents.actorId))
      .where(eq(orderEvents.orderId, id))
      .orderBy(asc(orderEvents.id)),
    openFlags([id]),
    readBanks([order]),
    findRefundRequest(id),
  ]);
  const refundsShown = refundRows.map(
    ({ refund, requestedBy }): RefundRow => ({
      id: refund.id,
      itemId: refund.orderItemId,
      amountCents: refund.amountCents,
      endsAccess: refund.endsAccess,
      status: refund.status,
      isUnsent: refund.status === 'pending' && refund.providerRefundId === null,
      reason: refund.reason,
      requestedBy,
      at: refund.createdAt.toISOString(),
    }),
  );
  const rows = refundRows.map(({ refund }) => refund);
  const lines = items.map(({ item, access }): OrderLine => {
    const left = Math.min(leftOfLine(item, rows), leftOfOrder(order, rows));
    const unsentRefund = refundsShown.find(({ itemId, isUnsent }) => itemId === item.id && isUnsent) ?? null;
    const mayRefund =
      (order.status === 'completed' || order.status === 'partially_refunded') &&
      isRefundable(order) &&
      unsentRefund === null;
    return {
      id: item.id,
      courseId: item.courseId,
      title: item.title,
      bundleTitle: item.bundleTitle,
      priceCents: item.priceCents,
      listPriceCents: item.listPriceCents,
      refundedAt: item.refundedAt?.toISOString() ?? null,
      access: (access ?? 'none') as LineAccess,
      refundedCents: item.priceCents - leftOfLine(item, rows),
      refundableCents: mayRefund ? Math.max(0, left) : 0,
      unsentRefund,
      seats:
        item.seats === null
          ? null
          : { unitCents: item.priceCents / item.seats, left: item.seats - seatsBackOf(item.id, rows) },
    };
  });
  const isPaid = isFulfilled(order.status);
  return {
    ...listed(
      order,
      username,
      lines.map(({ title }) => title),
      { flags: flags.get(id), bank: banks.get(id) },
    ),
    userId: order.userId,
    username,
    completedAt: order.completedAt?.toISOString() ?? null,
    discountCents: order.discountCents,
    taxCents: order.taxCents,
    couponCode: order.couponCode,
    paymentIntentId: order.stripePaymentIntentId,
    payment: order.payment,
    bank: banks.get(id) ?? null,
    billing: order.billing,
    refundRequest,
    lines,
    refunds: refundsShown,
    disputes: disputeRows.map((dispute) => ({
      id: dispute.providerDisputeId,
      amountCents: dispute.amountCents,
      status: dispute.status,
      reason: dispute.reason,
      at: dispute.openedAt.toISOString(),
    })),
    ledger: movementsOf(entries),
    timeline: events.map(({ event, actorName }) => {
      const facts = { ...event, actorName };
      return { id: event.id, at: event.at.toISOString(), text: eventText(facts), by: eventBy(facts) };
    }),
    can: {
      reconcile: order.stripePaymentIntentId !== null || (isPaid && order.payment === 'card'),
      resendReceipt: isPaid && order.buyerEmail !== '',
      resendClaimLink:
        isPaid &&
        order.userId === null &&
        order.buyerEmail !== '' &&
        lines.some(({ refundedAt }) => refundedAt === null),
    },
  };
}

function movementsOf(entries: readonly (typeof ledgerEntries.$inferSelect)[]): LedgerMovement[] {
  return [...Map.groupBy(entries, ({ movement }) => movement).values()].map((pair) => {
    const to = pair.find(({ amountCents }) => amountCents > 0);
    const from = pair.find(({ amountCents }) => amountCents < 0);
    return {
      movement: movementLabel(pair[0]!),
      from: from ? sourceLabel(from.account) : '',
      to: to ? accountLabel(to.account) : '',
      amountCents: to?.amountCents ?? -(from?.amountCents ?? 0),
      at: pair[0]!.at.toISOString(),
    };
  });
}
