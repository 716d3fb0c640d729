import { eq, sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { orders } from '#db/schema/store.ts';
import { findOrderByIntent, lockOrder, type Order } from '#src/features/store/orders/orders.server.ts';
import type { ConsentsInput } from '#src/features/store/schema.ts';
import { consentsOf, consentWording } from '#src/features/store/withdrawals/consents.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { AppError } from '#src/shared/errors.ts';

/**
 * Changes an order that waits for its payment.
 *
 * @throws {AppError} conflict where it does not any more
 */
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

/**
 * Writes what was ticked on an account's order before it is paid; the last state counts.
 *
 * @throws {AppError} not_found for a payment of somebody else, and where the site asks for no consents; conflict where it
 *   is not waiting for its payment any more; invalid_input where the page showed another wording
 */
export async function saveConsents(
  ticked: ConsentsInput,
  intentId: string,
  account: { id: number },
): Promise<{ given: boolean }> {
  const order = consentWording() ? await findOrderByIntent(intentId) : null;
  if (order?.userId !== account.id) throw new AppError('not_found', 'There is no such payment.');
  const { consents } = await changeUnpaid(order.id, (locked) => ({ consents: consentsOf(ticked, locked) }));
  return { given: consents !== null };
}
