import { eq, sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { orders } from '#db/schema/store.ts';
import { lockOrder, type Order } from '#src/features/store/orders/orders.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { AppError } from '#src/shared/errors.ts';

/** @throws {AppError} conflict where the order is not unpaid */
export function changeUnpaid(id: number, change: (order: Order) => Partial<Order>): Promise<Order> {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const locked = await lockOrder(tx, id);
      if (locked.status !== 'pending') {
        throw new AppError('conflict', 'This payment is closed or under way. Please reload the page.');
      }
      const [changed] = await tx
        .update(orders)
        .set({ ...change(locked), updatedAt: sql`now()` })
        .where(eq(orders.id, id))
        .returning();
      return changed!;
    }),
  );
}
