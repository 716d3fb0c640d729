import { createHash } from 'node:crypto';
import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { db, type Executor, type Tx } from '#db/client.ts';
import { jsonArray, jsonFields, jsonPrice, jsonTime, preparedJson } from '#db/json.ts';
import { enrollments } from '#db/schema/learn.ts';
import {
  bankTransfers,
  invoiceCounters,
  ledgerEntries,
  orderEvents,
  orderItems,
  orders,
  refunds,
} from '#db/schema/store.ts';
import type { NewOrderEvent } from './order-events.ts';
import type { OrderStatus } from './orders.ts';
import type { OrderModel } from '#src/features/store/orders/schema.ts';

export type Order = typeof orders.$inferSelect;
export type OrderItem = typeof orderItems.$inferSelect;

/** The order with this id; null where there is none. */
export async function findOrder(id: number, executor: Executor = db()): Promise<Order | null> {
  const [order] = await executor.select().from(orders).where(eq(orders.id, id));
  return order ?? null;
}

/** The order that a payment intent was made for; null where there is none. */
export async function findOrderByIntent(intentId: string, executor: Executor = db()): Promise<Order | null> {
  const [order] = await executor.select().from(orders).where(eq(orders.stripePaymentIntentId, intentId));
  return order ?? null;
}

/** The order as it is now, held against every other writer until the transaction ends. */
export async function lockOrder(tx: Tx, id: number): Promise<Order> {
  const [order] = await tx.select().from(orders).where(eq(orders.id, id)).for('update');
  if (!order) throw new Error(`Order ${id} is gone.`);
  return order;
}

/** The lines of an order by course, the order in which every transaction takes its locks. */
export function itemsOf(orderId: number, executor: Executor = db()): Promise<OrderItem[]> {
  return executor
    .select()
    .from(orderItems)
    .where(eq(orderItems.orderId, orderId))
    .orderBy(asc(orderItems.courseId));
}

/**
 * A secret-free name of the order that no other order of any database has: it ties a payment intent to its order, and
 * idempotency keys to one purchase even where test databases share an account with the provider.
 */
export function orderReference(order: Pick<Order, 'id' | 'createdAt' | 'fingerprint'>): string {
  return createHash('sha256')
    .update(`${order.id}\n${order.createdAt.toISOString()}\n${order.fingerprint}`)
    .digest('hex')
    .slice(0, 32);
}

/** Appends to the order's log. */
export async function recordEvent(
  executor: Executor,
  orderId: number,
  { type, source, actorId = null, details }: NewOrderEvent,
  move: { from?: OrderStatus | null; to?: OrderStatus | null } = {},
): Promise<void> {
  await executor.insert(orderEvents).values({
    orderId,
    type,
    source,
    actorId,
    details: { ...details },
    fromStatus: move.from ?? null,
    toStatus: move.to ?? null,
  });
}

/** Moves an order to another state together with its log entry; `set` changes further columns in the same write. */
export async function moveOrder(
  tx: Tx,
  order: Order,
  to: OrderStatus,
  event: NewOrderEvent,
  set: Partial<typeof orders.$inferInsert> = {},
): Promise<Order> {
  const [moved] = await tx
    .update(orders)
    .set({ ...set, status: to, updatedAt: sql`now()` })
    .where(eq(orders.id, order.id))
    .returning();
  await recordEvent(tx, order.id, event, { from: order.status, to });
  return moved!;
}

/**
 * Draws the next number of a year's invoices (INV), credit notes (CN) or quotes (Q). The counter's row stays locked until the
 * transaction ends, so that a rolled back order gives its number back and none is ever missing (decision 20).
 */
export async function drawNumber(tx: Tx, series: 'INV' | 'CN' | 'Q', at: Date): Promise<string> {
  const year = at.getUTCFullYear();
  const [counter] = await tx
    .insert(invoiceCounters)
    .values({ series, year, lastNumber: 1 })
    .onConflictDoUpdate({
      target: [invoiceCounters.series, invoiceCounters.year],
      set: { lastNumber: sql`${invoiceCounters.lastNumber} + 1` },
    })
    .returning();
  return `${series}-${year}-${String(counter!.lastNumber).padStart(6, '0')}`;
}

type Account = typeof ledgerEntries.$inferInsert.account;

/** A movement of money; `subject` is the order, transfer, refund or dispute that it is about. */
interface Movement {
  kind: (typeof ledgerEntries.$inferSelect)['kind'];
  subject: string | number;
  /** What happened to the same subject later: a refund that came back, a dispute that was decided. */
  step?: string;
}

const nameOf = ({ kind, subject, step }: Movement) => [kind, subject, step].filter(Boolean).join(':');

/**
 * Books a movement of money as a pair of entries, once: a movement that is booked already stays as it is.
 *
 * @param amountCents what leaves `from` for `to`; nothing is booked for 0
 */
export async function bookMovement(
  tx: Tx,
  order: Pick<Order, 'id' | 'currency'>,
  movement: Movement,
  amountCents: number,
  { from, to }: { from: Account; to: Account },
): Promise<void> {
  if (amountCents === 0) return;
  await tx
    .insert(ledgerEntries)
    .values(
      [
        { account: to, amountCents },
        { account: from, amountCents: -amountCents },
      ].map((entry) => ({
        ...entry,
        movement: nameOf(movement),
        orderId: order.id,
        currency: order.currency,
      })),
    )
    .onConflictDoNothing({ target: [ledgerEntries.movement, ledgerEntries.account] });
}

/** What came in by bank for an order, less what was sent back, in cents. */
export async function receivedCents(tx: Tx, orderId: number): Promise<number> {
  const [sum] = await tx
    .select({ cents: sql<number>`coalesce(sum(${bankTransfers.amountCents}), 0)`.mapWith(Number) })
    .from(bankTransfers)
    .where(eq(bankTransfers.orderId, orderId));
  return sum?.cents ?? 0;
}

/** Whether a movement is in the ledger. */
export async function isBooked(tx: Tx, movement: Movement): Promise<boolean> {
  const [entry] = await tx
    .select({ id: ledgerEntries.id })
    .from(ledgerEntries)
    .where(eq(ledgerEntries.movement, nameOf(movement)))
    .limit(1);
  return entry !== undefined;
}

/**
 * SQL: whether a line was bought twice and goes back to its buyer, so that it gives no access of its own. One whose
 * refund failed stays the buyer's.
 *
 * @param item the line's table or its alias
 */
export function isGoingBack(item: typeof orderItems | SQL): SQL {
  return sql`(${item}.bought_twice and not exists (
      select 1 from ${refunds} refused where refused.order_item_id = ${item}.id and refused.status = 'failed'))`;
}

/** SQL: a table of what went or goes back of each line that anything does of, as `item_id` and `cents`. */
export const paidBackByLine = (): SQL => sql`(
  select order_item_id as item_id, sum(amount_cents)::bigint as cents from ${refunds}
  where order_item_id is not null and provider_refund_id is not null and status in ('pending', 'succeeded')
  group by order_item_id) paid_back`;

/**
 * SQL: what is kept of a line's price beside `paidBackByLine`. A line that ended without a refund of its own went back
 * with its whole order.
 *
 * @param item the line's table or its alias
 */
export const keptCents = (
  item: typeof orderItems | SQL,
): SQL => sql`coalesce(${item}.price_cents - paid_back.cents,
  case when ${item}.refunded_at is null then ${item}.price_cents else 0 end)`;

/** Changes the access that lines of an order gave; access that comes from another purchase is left alone. */
export async function changeAccess(
  tx: Tx,
  itemIds: readonly number[],
  from: readonly ('active' | 'suspended' | 'revoked')[],
  to: 'active' | 'suspended' | 'revoked',
): Promise<void> {
  if (itemIds.length === 0) return;
  await tx
    .update(enrollments)
    .set({ status: to })
    .where(and(inArray(enrollments.orderItemId, [...itemIds]), inArray(enrollments.status, [...from])));
}

const ordersOfUser = preparedJson<OrderModel>(
  'orders_of_user',
  sql`
    select ${jsonFields({
      id: orders.id,
      createdAt: jsonTime(orders.createdAt),
      completedAt: jsonTime(orders.completedAt),
      total: jsonPrice(orders.totalCents),
      refunded: jsonPrice(orders.refundedCents),
      status: orders.status,
      invoiceNumber: orders.invoiceNumber,
      items: jsonArray(sql`
        select ${jsonFields({
          courseId: orderItems.courseId,
          title: orderItems.title,
          bundle: orderItems.bundleTitle,
          price: jsonPrice(orderItems.priceCents),
          refundedAt: jsonTime(orderItems.refundedAt),
        })}
        from ${orderItems} where ${orderItems.orderId} = ${orders.id} order by ${orderItems.id}`),
    })}
    from ${orders}
    where ${orders.userId} = ${sql.placeholder('userId')} and ${orders.status} <> 'expired'
      and (${orders.organisationId} is null or exists (
        select from organisation_members m
        where m.organisation_id = ${orders.organisationId} and m.user_id = ${orders.userId}))
    order by ${orders.createdAt} desc, ${orders.id} desc`,
);

/** A user's orders, newest first. Carts that were only looked at in checkout and never paid are not purchases. */
export function listOrders(userId: number): Promise<OrderModel[]> {
  return ordersOfUser({ userId });
}
