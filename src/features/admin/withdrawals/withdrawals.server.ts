import { count, desc, eq, sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { orderItems, orders, withdrawals } from '#db/schema/store.ts';
import { hasToSendBack } from '#src/features/store/bank/bank-orders.server.ts';
import { DOUBTS } from '#src/features/store/withdrawals/withdrawals.ts';
import { ADMIN_PAGE_SIZE, pageCount } from '#src/shared/list-query.ts';
import type { ListedWithdrawal } from './withdrawals.ts';

/** One page of all withdrawals: those that wait for a decision first, then the newest. */
export async function listWithdrawals(asked: number): Promise<{
  withdrawals: ListedWithdrawal[];
  total: number;
  page: number;
}> {
  const [found] = await db().select({ total: count() }).from(withdrawals);
  const total = found!.total;
  const page = Math.min(asked, pageCount(total));
  const rows = await db()
    .select({
      row: withdrawals,
      title: orderItems.title,
      priceCents: orderItems.priceCents,
      bought: orderItems.seats,
      payment: orders.payment,
      isToSend: sql<boolean>`${hasToSendBack()}`,
      leftCents: sql<number>`greatest(0, ${orderItems.priceCents} - coalesce((select sum(r.amount_cents) from refunds r
        where r.order_item_id = ${orderItems.id} and r.status in ('pending', 'succeeded')), 0))::int`,
      open: sql<number>`(select count(*)::int from seats s where s.order_item_id = ${orderItems.id} and s.ended_at is null)`,
      held: sql<number>`(select count(*)::int from seats s
        where s.order_item_id = ${orderItems.id} and s.ended_at is null and s.user_id is not null)`,
    })
    .from(withdrawals)
    .innerJoin(orderItems, eq(orderItems.id, withdrawals.orderItemId))
    .innerJoin(orders, eq(orders.id, withdrawals.orderId))
    .orderBy(sql`${withdrawals.state} = 'open' desc`, desc(withdrawals.id))
    .limit(ADMIN_PAGE_SIZE)
    .offset((page - 1) * ADMIN_PAGE_SIZE);
  return {
    total,
    page,
    withdrawals: rows.map(({ row, title, priceCents, bought, leftCents, payment, isToSend, open, held }) => ({
      id: row.id,
      orderId: row.orderId,
      title,
      priceCents,
      name: row.name,
      email: row.email,
      country: row.country,
      state: row.state,
      doubt: row.doubt && DOUBTS[row.doubt],
      madeAt: row.madeAt.toISOString(),
      reason: row.reason,
      leftCents,
      payment,
      isToSend,
      seats: bought === null ? null : { open, held },
    })),
  };
}
