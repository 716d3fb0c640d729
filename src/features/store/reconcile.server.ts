import { and, asc, eq, gt, inArray, isNotNull, lt, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '#db/client.ts';
import { orders } from '#db/schema/store.ts';
import type { JobDefinition } from '#src/server/jobs.ts';
import { log } from '#src/server/log.ts';
import { abandonOrder, fulfil } from './fulfil.server.ts';
import type { Order } from './orders.server.ts';
import { askProvider } from './provider.server.ts';

/** Hours after which an unpaid order ends (decision 19). */
export const ORDER_OPEN_HOURS = 24;
/** Days for which a failed or expired order is still watched for a late success. */
const LATE_SUCCESS_DAYS = 3;
/** Orders of one run at most; the next run goes on. */
const BATCH = 500;

export type Reconciliation = {
  /** Orders that were looked at. */
  checked: number;
  /** Orders whose money was there and that are complete now. */
  completed: number;
  /** Orders that ended unpaid. */
  expired: number;
  /** Orders whose money does not fit them. */
  flagged: number;
  /** Orders that could not be looked at. */
  failed: number;
};

const openAfter = () => sql`now() - make_interval(hours => ${ORDER_OPEN_HOURS})`;

/** Orders that may be paid without our knowing: with a payment, and not complete. */
function unsettledOrders(): Promise<Order[]> {
  return db()
    .select()
    .from(orders)
    .where(
      and(
        isNotNull(orders.stripePaymentIntentId),
        or(
          inArray(orders.status, ['pending', 'processing']),
          and(
            inArray(orders.status, ['failed', 'expired']),
            gt(orders.updatedAt, sql`now() - make_interval(days => ${LATE_SUCCESS_DAYS})`),
          ),
        ),
      ),
    )
    .orderBy(asc(orders.createdAt))
    .limit(BATCH);
}

/**
 * Which of these orders' payments have come to something, read page by page from the provider's list: one call for a
 * hundred payments, where most carts were only looked at.
 */
async function intentsThatMoved(open: readonly Order[]): Promise<Set<string>> {
  const wanted = new Set(open.map((order) => order.stripePaymentIntentId!));
  const moved = new Set<string>();
  // An intent is made after its order; the minute is for clocks that differ.
  const since = Math.floor(Math.min(...open.map((order) => order.createdAt.getTime())) / 1000) - 60;
  let startingAfter: string | undefined;
  while (wanted.size > 0) {
    const page = await askProvider('list intents', (stripe) =>
      stripe.paymentIntents.list({
        created: { gte: since },
        limit: 100,
        ...(startingAfter ? { starting_after: startingAfter } : {}),
      }),
    );
    for (const intent of page.data) {
      if (!wanted.delete(intent.id)) continue;
      if (['succeeded', 'processing', 'canceled'].includes(intent.status) || intent.last_payment_error) {
        moved.add(intent.id);
      }
    }
    startingAfter = page.data.at(-1)?.id;
    if (!page.has_more || !startingAfter) break;
  }
  return moved;
}

/**
 * Settles every order that the provider knows more about than we do (decision 18, fault P7), and ends those that stayed
 * unpaid for a day. One order that fails does not keep the others from being settled.
 */
export async function reconcileOrders(): Promise<Reconciliation> {
  const result: Reconciliation = { checked: 0, completed: 0, expired: 0, flagged: 0, failed: 0 };
  const open = await unsettledOrders();
  if (open.length > 0) {
    const moved = await intentsThatMoved(open);
    for (const order of open) {
      if (!moved.has(order.stripePaymentIntentId!)) continue;
      await settle(order, result, () => fulfil({ orderId: order.id }, 'reconciler'));
    }
  }
  const overdue = await db()
    .select()
    .from(orders)
    .where(and(eq(orders.status, 'pending'), lt(orders.createdAt, openAfter())))
    .orderBy(asc(orders.createdAt))
    .limit(BATCH);
  for (const order of overdue) {
    await settle(order, result, () =>
      abandonOrder(order, `unpaid for ${ORDER_OPEN_HOURS} hours`, 'reconciler'),
    );
  }
  if (result.completed + result.flagged + result.failed > 0) log.warn(result, 'orders were reconciled');
  return result;
}

async function settle(
  order: Order,
  result: Reconciliation,
  work: () => ReturnType<typeof fulfil>,
): Promise<void> {
  result.checked += 1;
  try {
    const outcome = await work();
    if (outcome.kind === 'completed' && !outcome.repeat) result.completed += 1;
    if (outcome.kind === 'mismatch') result.flagged += 1;
    if (outcome.kind === 'unpaid' && outcome.order.status === 'expired' && order.status !== 'expired') {
      result.expired += 1;
    }
  } catch (error) {
    result.failed += 1;
    log.error({ err: error, orderId: order.id }, 'an order could not be reconciled');
  }
}

/** Every five minutes, and once at the start of the site (decision 18). */
export const reconcileJob: JobDefinition<z.ZodUndefined> = {
  name: 'store.reconcile',
  data: z.undefined(),
  retries: 2,
  retryDelaySeconds: 20,
  leaseSeconds: 240,
  cron: '*/5 * * * *',
  atStart: true,
  run: async () => {
    await reconcileOrders();
  },
};
