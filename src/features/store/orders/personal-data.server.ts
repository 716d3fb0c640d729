import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { db, type Executor, type Tx } from '#db/client.ts';
import { auditLog, users } from '#db/schema/account.ts';
import { courses } from '#db/schema/catalogue.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import {
  cartItems,
  claimTokens,
  orderEvents,
  orderFlags,
  orderItems,
  orderKeys,
  orders,
  refunds,
} from '#db/schema/store.ts';
import { anonymiseAuditDetails, anonymiseMails } from '#src/features/account/personal-data.server.ts';
import type { Person, PersonalDataPart } from '#src/server/personal-data.ts';
import { AppError } from '#src/shared/errors.ts';
import { centsToDecimal } from '#src/shared/money.ts';
import { refundRequests } from '#src/features/store/refunds/refund-request.server.ts';
import { isStillTheirs } from './order-access.server.ts';
import { abandonOrder } from './fulfil.server.ts';
import { isFulfilled } from './orders.ts';
import { recordEvent } from './orders.server.ts';

const DELETED_BUYER = {
  buyerEmail: '',
  buyerFirstName: 'Deleted',
  buyerLastName: 'customer',
} as const;

async function rows(tx: Executor, person: Person) {
  const { id } = person;
  const cart = await tx
    .select({ course: courses.title, addedAt: cartItems.addedAt })
    .from(cartItems)
    .innerJoin(courses, eq(courses.id, cartItems.courseId))
    .where(eq(cartItems.userId, id))
    .orderBy(asc(cartItems.id));
  const bought = await tx
    .select()
    .from(orders)
    .where(and(theirs(person), isStillTheirs(orders.userId)))
    .orderBy(asc(orders.id));
  const ids = bought.map((order) => order.id);
  const items = await tx
    .select()
    .from(orderItems)
    .where(inArray(orderItems.orderId, ids))
    .orderBy(asc(orderItems.id));
  const back = await tx.select().from(refunds).where(inArray(refunds.orderId, ids)).orderBy(asc(refunds.id));
  const events = await tx
    .select()
    .from(orderEvents)
    .where(inArray(orderEvents.orderId, ids))
    .orderBy(asc(orderEvents.id));
  const asked = await refundRequests(ids, tx);
  return {
    cart,
    orders: bought.map((order) => ({
      id: order.id,
      invoiceNumber: order.invoiceNumber,
      status: order.status,
      buyerEmail: order.buyerEmail,
      buyerFirstName: order.buyerFirstName,
      buyerLastName: order.buyerLastName,
      total: centsToDecimal(order.totalCents),
      discount: centsToDecimal(order.discountCents),
      tax: centsToDecimal(order.taxCents),
      refunded: centsToDecimal(order.refundedCents),
      couponCode: order.couponCode,
      payment: order.stripePaymentIntentId,
      paidBy: order.payment,
      billing: order.billing,
      correctedInvoice: order.correction,
      createdAt: order.createdAt,
      completedAt: order.completedAt,
      lines: items
        .filter(({ orderId }) => orderId === order.id)
        .map(({ title, bundleTitle, priceCents, refundedAt }) => ({
          title,
          bundle: bundleTitle,
          price: centsToDecimal(priceCents),
          refundedAt,
        })),
      refunds: back
        .filter(({ orderId }) => orderId === order.id)
        .map(({ amountCents, orderItemId, endsAccess, status, createdAt }) => ({
          line: items.find(({ id }) => id === orderItemId)?.title ?? null,
          endsAccess,
          amount: centsToDecimal(amountCents),
          status,
          createdAt,
        })),
      refundRequest: asked.get(order.id) ?? null,
      events: events
        .filter(({ orderId }) => orderId === order.id)
        .map(({ type, toStatus, source, at }) => ({ type, toStatus, source, at })),
    })),
  };
}

/**
 * A deleted person's payments must not be payable.
 * @throws {AppError} conflict while a payment is under way, provider_unavailable
 */
export async function endOpenOrders(person: Person, source: 'admin' | 'buyer'): Promise<void> {
  for (const order of await openOrdersOf(person)) {
    if (order.status === 'processing') throw paymentUnderWay();
    await abandonOrder(order, 'the buyer is deleted', source);
  }
}

function paymentUnderWay(): AppError {
  return new AppError(
    'conflict',
    'A payment of this person is under way. Try again when it has ended, in a few minutes.',
  );
}

/** The account's, and unclaimed ones under the person's verified address. */
function theirs({ id, email, ownsEmail }: Person): SQL {
  return sql`(${orders.userId} = ${id} or (${ownsEmail} and ${orders.userId} is null and ${orders.buyerEmail} = ${email}))`;
}

function openOrdersOf(person: Person, executor: Executor = db()) {
  return executor
    .select()
    .from(orders)
    .where(
      and(
        theirs(person),
        inArray(orders.status, ['pending', 'processing']),
        // An organisation's order by invoice stays with it.
        eq(orders.payment, 'card'),
      ),
    )
    .orderBy(asc(orders.id));
}

async function erase(
  tx: Tx,
  person: Person,
  by: { actorId: number; source: 'admin' | 'buyer' },
): Promise<void> {
  if ((await openOrdersOf(person, tx)).length > 0) throw paymentUnderWay();
  if (!person.ownsEmail) {
    await anonymiseMails(
      tx,
      sql`${mailOutbox.recipient} = ${person.email} and (
        ${mailOutbox.dedupeKey} in (
          select kind || o.id from orders o,
            unnest(array['receipt:', 'refund-declined:', 'bank-order:', 'corrected-invoice:']) kind
          where o.user_id = ${person.id})
        or ${mailOutbox.dedupeKey} in (
          select 'payment-received:' || t.id from bank_transfers t join orders o on o.id = t.order_id
          where o.user_id = ${person.id})
        or ${mailOutbox.dedupeKey} like any (
          select 'invoice-overdue:' || o.id || ':%' from orders o where o.user_id = ${person.id})
        or ${mailOutbox.dedupeKey} in (
          select 'refund:' || r.id from refunds r join orders o on o.id = r.order_id where o.user_id = ${person.id}))`,
    );
  }
  const others = await tx
    .select({ id: orders.id, email: orders.buyerEmail })
    .from(orders)
    .where(and(theirs(person), sql`${orders.buyerEmail} not in ('', ${person.email})`));
  const kept = await tx
    .update(orders)
    .set({ ...DELETED_BUYER, anonymisedAt: sql`now()`, claimSecretHash: null, updatedAt: sql`now()` })
    .where(theirs(person))
    .returning({ id: orders.id, status: orders.status });
  if (kept.length > 0) {
    const ids = kept.map((order) => order.id);
    // Links in old mails must open neither.
    await tx.delete(claimTokens).where(inArray(claimTokens.orderId, ids));
    await tx.delete(orderKeys).where(inArray(orderKeys.orderId, ids));
    await tx
      .update(orderFlags)
      .set({ subject: '' })
      .where(and(inArray(orderFlags.orderId, ids), eq(orderFlags.kind, 'refund_asked')));
  }
  for (const { id, status } of kept) {
    if (!isFulfilled(status)) continue;
    await recordEvent(tx, id, { type: 'anonymised', ...by });
  }
  for (const [email, bought] of Map.groupBy(others, (order) => order.email)) {
    const isSomebodyElses =
      (await tx.$count(users, eq(users.email, email))) +
        (await tx.$count(orders, eq(orders.buyerEmail, email))) >
      0;
    const ids = bought.map((order) => order.id);
    const keys = ids.flatMap((id) => [`receipt:${id}`, `claimed:${id}`, `refund-declined:${id}`]);
    await anonymiseMails(
      tx,
      sql`(${mailOutbox.recipient} = ${email} and ${isSomebodyElses ? inArray(mailOutbox.dedupeKey, keys) : sql`true`})`,
    );
    await anonymiseAuditDetails(
      tx,
      person,
      sql`${auditLog.details} ->> 'email' = ${email}
        and ${isSomebodyElses ? inArray(sql`${auditLog.details} ->> 'order'`, ids.map(String)) : sql`true`}`,
    );
  }
}

/** Orders stay without name and address. */
export const storeData: PersonalDataPart = { rows, erase };
