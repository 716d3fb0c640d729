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

export async function findOrder(id: number, executor: Executor = db()): Promise<Order | null> {
  const [order] = await executor.select().from(orders).where(eq(orders.id, id));
  return order ?? null;
}

export async function findOrderByIntent(intentId: string, executor: Executor = db()): Promise<Order | null> {
  const [order] = await executor.select().from(orders).where(eq(orders.stripePaymentIntentId, intentId));
  return order ?? null;
}

/** Locked until the transaction ends. */
export async function lockOrder(tx: Tx, id: number): Promise<Order> {
  const [order] = await tx.select().from(orders).where(eq(orders.id, id)).for('update');
  if (!order) throw new Error(`Order ${id} is gone.`);
  return order;
}

/** By course, the lock order of every transaction. */
export function itemsOf(orderId: number, executor: Executor = db()): Promise<OrderItem[]> {
  return executor
    .select()
    .from(orderItems)
    .where(eq(orderItems.orderId, orderId))
    .orderBy(asc(orderItems.courseId));
}

/**
 * Ties intents and idempotency keys to one purchase, even where databases share a provider account. Unique across
 * databases, no secret.
 */
export function orderReference(order: Pick<Order, 'id' | 'createdAt' | 'fingerprint'>): string {
  return createHash('sha256')
    .update(`${order.id}\n${order.createdAt.toISOString()}\n${order.fingerprint}`)
    .digest('hex')
    .slice(0, 32);
}

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
 * Invoices (INV), credit notes (CN), quotes (Q). The counter's row stays locked, so that a rollback leaves no gap
 * (decision 20).
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

/** `subject` is the order, transfer, refund or dispute. */
interface Movement {
  kind: (typeof ledgerEntries.$inferSelect)['kind'];
  subject: string | number;
  step?: string;
}

const nameOf = ({ kind, subject, step }: Movement) => [kind, subject, step].filter(Boolean).join(':');

/** Books a pair of entries once. @param amountCents from `from` to `to`; 0 books nothing */
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

export async function receivedCents(tx: Tx, orderId: number): Promise<number> {
  const [sum] = await tx
    .select({ cents: sql<number>`coalesce(sum(${bankTransfers.amountCents}), 0)`.mapWith(Number) })
    .from(bankTransfers)
    .where(eq(bankTransfers.orderId, orderId));
  return sum?.cents ?? 0;
}

export async function isBooked(tx: Tx, movement: Movement): Promise<boolean> {
  const [entry] = await tx
    .select({ id: ledgerEntries.id })
    .from(ledgerEntries)
    .where(eq(ledgerEntries.movement, nameOf(movement)))
    .limit(1);
  return entry !== undefined;
}

/**
 * SQL: a duplicate on its way back gives no access; one whose refund failed does.
 * @param item the table or its alias
 */
export function isGoingBack(item: typeof orderItems | SQL): SQL {
  return sql`(${item}.bought_twice and not exists (
      select 1 from ${refunds} refused where refused.order_item_id = ${item}.id and refused.status = 'failed'))`;
}

/** SQL: a table of `item_id` and `cents`. */
export const paidBackByLine = (): SQL => sql`(
  select order_item_id as item_id, sum(amount_cents)::bigint as cents from ${refunds}
  where order_item_id is not null and provider_refund_id is not null and status in ('pending', 'succeeded')
  group by order_item_id) paid_back`;

/**
 * SQL: the retained part of a line's price. A line that ended without its own refund went back with the order.
 * @param item the table or its alias
 */
export const keptCents = (
  item: typeof orderItems | SQL,
): SQL => sql`coalesce(${item}.price_cents - paid_back.cents,
  case when ${item}.refunded_at is null then ${item}.price_cents else 0 end)`;

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
      and (${orders.status} <> 'pending' or ${orders.payment} = 'bank' or exists (
        select from order_flags f where f.order_id = ${orders.id} and f.settled_at is null))
      and (${orders.organisationId} is null or exists (
        select from organisation_members m
        where m.organisation_id = ${orders.organisationId} and m.user_id = ${orders.userId}))
    order by ${orders.createdAt} desc, ${orders.id} desc`,
);

/** Without pending orders whose payment was never started. */
export function listOrders(userId: number): Promise<OrderModel[]> {
  return ordersOfUser({ userId });
}
