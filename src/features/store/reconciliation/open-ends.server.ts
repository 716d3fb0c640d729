import type { OrderStatus } from '#src/features/store/orders/orders.ts';
import { sql } from 'drizzle-orm';
import { hasAccess } from '#src/features/catalogue/access.server.ts';
import { db } from '#db/client.ts';
import { orders } from '#db/schema/store.ts';
import { isFlagged, openFlags } from '#src/features/store/orders/flags.server.ts';
import { isGoingBack } from '#src/features/store/orders/orders.server.ts';

export async function findUnfulfilled(orderIds: readonly number[]): Promise<PaidNotEnrolled[]> {
  if (orderIds.length === 0) return [];
  const rows = await db().execute<Omit<PaidNotEnrolled, 'reason'>>(sql`
    select o.id as "orderId", o.user_id as "userId", o.buyer_email as "buyerEmail", i.course_id as "courseId", i.title
    from orders o join order_items i on i.order_id = o.id
    where o.id in (select jsonb_array_elements_text(${JSON.stringify(orderIds)}::jsonb)::int)`);
  return rows.map((row) => ({ ...row, reason: 'not_completed' as const }));
}

/** Nothing was refunded and the access is missing. Guests get it when they claim; disputes suspend it. */
export async function findWithoutAccess(startedAt: Date): Promise<PaidNotEnrolled[]> {
  const rows = await db().execute<Omit<PaidNotEnrolled, 'reason'>>(sql`
    select o.id as "orderId", o.user_id as "userId", o.buyer_email as "buyerEmail", i.course_id as "courseId", i.title
    from orders o join order_items i on i.order_id = o.id
    where o.status in ('completed', 'partially_refunded') and o.user_id is not null and o.organisation_id is null
      and i.refunded_at is null
      -- What was free can be taken back by an administrator.
      and i.price_cents > 0
      and o.updated_at < ${startedAt.toISOString()}::timestamptz
      and not ${hasAccess(sql`o.user_id`, sql`i.course_id`)}
      -- Bought twice: on its way back to the buyer.
      and not ${isGoingBack(sql`i`)}`);
  return rows.map((row) => ({ ...row, reason: 'no_access' as const }));
}

export async function findFlagged(): Promise<FlaggedOrder[]> {
  const rows = await db()
    .select({
      orderId: orders.id,
      status: orders.status,
      buyerEmail: orders.buyerEmail,
      totalCents: orders.totalCents,
      paymentIntentId: orders.stripePaymentIntentId,
    })
    .from(orders)
    .where(isFlagged())
    .orderBy(sql`${orders.id} desc`)
    .limit(500);
  const flags = await openFlags(rows.map(({ orderId }) => orderId));
  return rows.map((row) => ({ ...row, flags: flags.get(row.orderId) ?? [] }));
}

/** Decision 18: this list must be empty. */
export type PaidNotEnrolled = {
  orderId: number;
  userId: number | null;
  buyerEmail: string;
  courseId: number;
  title: string;
  /** `not_completed`: only the provider has the money; `no_access`: complete, and the enrollment is not active. */
  reason: 'not_completed' | 'no_access';
};

export type FlaggedOrder = {
  orderId: number;
  status: OrderStatus;
  buyerEmail: string;
  totalCents: number;
  flags: string[];
  paymentIntentId: string | null;
};
