import { asc, eq, inArray } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { courses } from '#db/schema/catalogue.ts';
import { bankTransfers, disputes, orderEvents, orderItems, refunds } from '#db/schema/store.ts';
import { type BankMoney, bankState, outstandingCents } from '#src/features/store/bank/bank.ts';
import { seller } from '#src/features/store/invoices/seller.server.ts';
import { findRefundRequest, refundPromise } from '#src/features/store/refunds/refund-request.server.ts';
import { openFlags } from './flags.server.ts';
import { bankPaymentState, paymentState, storyOf } from './order-story.ts';
import type { OrderView } from './order-view.ts';
import type { Order } from './orders.server.ts';
import { isFulfilled } from './orders.ts';

export async function readOrderView(order: Order): Promise<OrderView> {
  const [lines, refundRows, disputeRows, banks, events, flags, refundRequest] = await Promise.all([
    db()
      .select({ item: orderItems, thumbnail: courses.thumbnail })
      .from(orderItems)
      .innerJoin(courses, eq(courses.id, orderItems.courseId))
      .where(eq(orderItems.orderId, order.id))
      .orderBy(asc(orderItems.id)),
    db().select().from(refunds).where(eq(refunds.orderId, order.id)).orderBy(asc(refunds.id)),
    db().select().from(disputes).where(eq(disputes.orderId, order.id)),
    readBanks([order]),
    db().select().from(orderEvents).where(eq(orderEvents.orderId, order.id)).orderBy(asc(orderEvents.id)),
    openFlags([order.id]),
    findRefundRequest(order.id),
  ]);
  const bank = banks.get(order.id) ?? null;
  const wholeLine = (refund: typeof refunds.$inferSelect) =>
    lines.find(({ item }) => item.id === refund.orderItemId && item.priceCents === refund.amountCents);
  const titles = new Map(lines.map(({ item }) => [item.id, item.title]));
  const isPaid = isFulfilled(order.status);
  const isUnclear = !isPaid && flags.size > 0;
  const { status, totalCents, refundedCents } = order;
  return {
    id: order.id,
    status,
    isPaid,
    isUnclear,
    createdAt: order.createdAt.toISOString(),
    completedAt: order.completedAt?.toISOString() ?? null,
    invoiceNumber: order.invoiceNumber,
    buyer: {
      name: `${order.buyerFirstName} ${order.buyerLastName}`.trim(),
      email: order.buyerEmail,
    },
    lines: lines.map(({ item, thumbnail }) => ({
      courseId: item.courseId,
      title: item.title,
      bundleTitle: item.bundleTitle,
      thumbnail,
      seats: item.seats,
      listPriceCents: item.listPriceCents,
      fullPriceCents: item.fullPriceCents,
      priceCents: item.priceCents,
      refundedCents: refundRows
        .filter((refund) => refund.orderItemId === item.id && refund.status === 'succeeded')
        .reduce((sum, refund) => sum + refund.amountCents, 0),
      isRefunded: item.refundedAt !== null,
    })),
    totals: {
      subtotalCents: lines.reduce((sum, { item }) => sum + item.listPriceCents, 0),
      coupon: order.couponCode ? { code: order.couponCode, discountCents: order.discountCents } : null,
      taxCents: order.taxCents,
      totalCents,
      refundedCents,
    },
    refunds: refundRows.map((refund) => ({
      creditNoteNumber: refund.creditNoteNumber,
      amountCents: refund.amountCents,
      status: refund.status === 'canceled' ? 'failed' : refund.status,
      title: refund.orderItemId === null ? null : (titles.get(refund.orderItemId) ?? null),
      seats: refund.seats ?? wholeLine(refund)?.item.seats ?? null,
      at: (refund.status === 'succeeded' ? refund.updatedAt : refund.createdAt).toISOString(),
    })),
    chargebacks: disputeRows
      .filter((dispute) => dispute.status === 'lost')
      .map(({ creditNoteNumber, amountCents, closedAt, openedAt }) => ({
        creditNoteNumber,
        amountCents,
        at: (closedAt ?? openedAt).toISOString(),
      })),
    payment: order.payment,
    billing: order.billing,
    correction: order.correction,
    organisationId: order.organisationId,
    seller: order.seller ?? seller(),
    prepaidCents: !bank
      ? totalCents
      : order.invoiceNumber
        ? order.prepaidCents
        : Math.min(totalCents, bank.receivedCents),
    bank,
    paymentState: bank
      ? bankPaymentState(bank, totalCents)
      : paymentState({ status, totalCents, refundedCents, isUnclear }),
    story: storyOf(events, titles),
    refundRequest,
    promise: refundPromise(order, refundRows),
  };
}

export async function readBanks(rows: readonly Order[]): Promise<Map<number, BankMoney>> {
  const byInvoice = rows.filter(({ payment }) => payment === 'bank');
  if (byInvoice.length === 0) return new Map();
  const ids = byInvoice.map(({ id }) => id);
  const transfers = await db()
    .select()
    .from(bankTransfers)
    .where(inArray(bankTransfers.orderId, ids))
    .orderBy(asc(bankTransfers.bookedOn), asc(bankTransfers.id));
  return new Map(
    byInvoice.map((order) => {
      const own = transfers.filter(({ orderId }) => orderId === order.id);
      const facts = {
        status: order.status,
        totalCents: order.totalCents,
        refundedCents: order.refundedCents,
        receivedCents: own.reduce((sum, { amountCents }) => sum + amountCents, 0),
        dueAt: order.dueAt?.toISOString() ?? null,
      };
      const money: BankMoney = {
        receivedCents: facts.receivedCents,
        outstandingCents: outstandingCents(facts),
        dueAt: facts.dueAt,
        state: bankState(facts, new Date()),
        transfers: own.map(({ amountCents, bookedOn, reference }) => ({ amountCents, bookedOn, reference })),
      };
      return [order.id, money];
    }),
  );
}
