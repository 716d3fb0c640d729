import { count, desc, eq, sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { orderItems, withdrawals } from '#db/schema/store.ts';
import { DOUBTS } from '#src/features/store/withdrawals/withdrawals.ts';
import { ADMIN_PAGE_SIZE, pageCount } from '#src/shared/list-query.ts';

/** A withdrawal as administrators see it. */
export interface ListedWithdrawal {
  id: number;
  orderId: number;
  title: string;
  priceCents: number;
  name: string;
  email: string;
  country: string;
  state: 'granted' | 'open' | 'accepted' | 'declined';
  /** Why it waits for a decision, or did; null where it was granted at once. */
  doubt: string | null;
  madeAt: string;
  reason: string;
}

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
    .select({ row: withdrawals, title: orderItems.title, priceCents: orderItems.priceCents })
    .from(withdrawals)
    .innerJoin(orderItems, eq(orderItems.id, withdrawals.orderItemId))
    .orderBy(sql`${withdrawals.state} = 'open' desc`, desc(withdrawals.id))
    .limit(ADMIN_PAGE_SIZE)
    .offset((page - 1) * ADMIN_PAGE_SIZE);
  return {
    total,
    page,
    withdrawals: rows.map(({ row, title, priceCents }) => ({
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
    })),
  };
}
