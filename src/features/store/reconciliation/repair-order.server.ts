import { sql } from 'drizzle-orm';
import { hasAccess } from '#src/features/catalogue/access.server.ts';
import { db } from '#db/client.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { AppError } from '#src/shared/errors.ts';
import { lockBuyer } from '#src/features/store/cart/cart.server.ts';
import { fulfil, grantLines } from '#src/features/store/orders/fulfil.server.ts';
import { isGoingBack, itemsOf, lockOrder, recordEvent } from '#src/features/store/orders/orders.server.ts';
import { syncMoneyBack } from '#src/features/store/refunds/provider-sync.server.ts';

/**
 * Completes what is paid, takes in refunds and disputes, restores access (decision 18). Idempotent.
 * @returns a sentence
 * @throws {AppError} not_found, conflict, provider_unavailable
 */
export async function repairOrder(orderId: number, actorId: number): Promise<{ message: string }> {
  const outcome = await fulfil({ orderId }, 'admin');
  if (outcome.kind === 'unknown') throw new AppError('not_found', 'There is no such order.');
  if (outcome.kind === 'mismatch') {
    throw new AppError('conflict', `The payment does not fit the order: ${outcome.reason}.`);
  }
  if (outcome.kind === 'unpaid') {
    throw new AppError('conflict', 'The payment provider does not have the money for this order.');
  }
  await syncMoneyBack(orderId, 'admin');
  const restored = await restoreAccess(orderId, actorId);
  if (!outcome.repeat) return { message: 'The order is complete now, and the buyer has what was paid for.' };
  return {
    message:
      restored > 0
        ? `The buyer has access again to ${restored === 1 ? 'one course' : `${restored} courses`}.`
        : 'There was nothing to mend: the order is as it should be.',
  };
}

function restoreAccess(orderId: number, actorId: number): Promise<number> {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const order = await lockOrder(tx, orderId);
      if (order.userId === null || order.organisationId !== null) return 0;
      if (!['completed', 'partially_refunded', 'refunded'].includes(order.status)) return 0;
      await tx.execute(lockBuyer(order.userId));
      const missing = await tx.execute<{ id: number }>(sql`
        select i.id from order_items i
        where i.order_id = ${orderId} and i.refunded_at is null and not ${isGoingBack(sql`i`)}
          and not ${hasAccess(order.userId, sql`i.course_id`)}`);
      const ids = new Set(missing.map(({ id }) => id));
      const items = (await itemsOf(orderId, tx)).filter((item) => ids.has(item.id));
      if (items.length === 0) return 0;
      await grantLines(tx, order.userId, items);
      await recordEvent(tx, orderId, {
        type: 'access_restored',
        source: 'admin',
        actorId,
        details: { itemIds: [...ids] },
      });
      return items.length;
    }),
  );
}
