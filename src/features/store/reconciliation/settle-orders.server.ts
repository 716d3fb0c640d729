import {
  and,
  asc,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  min,
  ne,
  not,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type Stripe from 'stripe';
import { z } from 'zod';
import { db } from '#db/client.ts';
import { orderFlags, orders, refunds } from '#db/schema/store.ts';
import type { JobDefinition } from '#src/server/jobs.ts';
import { log } from '#src/server/log.ts';
import { abandonOrder, fulfil, misfit } from '#src/features/store/orders/fulfil.server.ts';
import { flagText, isFlagged, openFlags } from '#src/features/store/orders/flags.server.ts';
import { isFulfilled } from '#src/features/store/orders/orders.ts';
import { type Order, recordEvent } from '#src/features/store/orders/orders.server.ts';
import { askProvider, disputeState, readProviderList } from '#src/features/store/stripe/provider.server.ts';
import { refundState } from '#src/features/store/refunds/refund-state.server.ts';
import { resendRefund } from '#src/features/store/refunds/refunds.server.ts';
import { syncMoneyBack } from '#src/features/store/refunds/provider-sync.server.ts';

const ORDER_OPEN_HOURS = 24;
const LATE_SUCCESS_DAYS = 3;
/** Payments of older orders are asked for one by one. */
const LIST_DAYS = LATE_SUCCESS_DAYS + 1;
const PAGE = 200;
/** Milliseconds per part; with the last call of each they end before the job's lease. */
const BUDGET_MS = { list: 70_000, older: 20_000, moneyBack: 25_000, refunds: 40_000, overdue: 45_000 };
const REFUND_DAYS = 35;
const DISPUTE_DAYS = 150;

export type Reconciliation = {
  checked: number;
  completed: number;
  expired: number;
  flagged: number;
  failed: number;
  resent: number;
  moneyBack: number;
};

/** The next run resumes where time ran out, so that every row gets its turn. */
const stoppedAt: { list?: string; older?: number; refunds?: number; overdue?: number } = {};

const hoursAgo = (hours: number) => sql`now() - make_interval(hours => ${hours})`;
const daysAgo = (days: number) => sql`now() - make_interval(days => ${days})`;

/** Open orders, and recently ended ones whose payment is not cancelled for good. */
const isWatched = () =>
  and(
    isNotNull(orders.stripePaymentIntentId),
    or(
      inArray(orders.status, ['pending', 'processing']),
      and(
        inArray(orders.status, ['failed', 'expired']),
        gt(orders.updatedAt, daysAgo(LATE_SUCCESS_DAYS)),
        isNull(orders.paymentCanceledAt),
      ),
    ),
  );

const isMisfit = () =>
  exists(
    db()
      .select({ one: sql`1` })
      .from(orderFlags)
      .where(and(eq(orderFlags.orderId, orders.id), eq(orderFlags.kind, 'payment_mismatch'))),
  );

const isOpen = (order: Order) => order.status === 'pending' || order.status === 'processing';

function hasMoved(order: Order, intent: Stripe.PaymentIntent): boolean {
  if (intent.status === 'succeeded') return true;
  if (intent.status === 'canceled') return isOpen(order);
  if (intent.status === 'processing') return order.status === 'pending';
  return order.status === 'processing';
}

async function settleFromList(result: Reconciliation): Promise<void> {
  const [oldest] = await db()
    .select({ createdAt: min(orders.createdAt) })
    .from(orders)
    .where(and(isWatched(), gte(orders.createdAt, daysAgo(LIST_DAYS))));
  const begin = stoppedAt.list;
  let startingAfter = begin;
  // Reset before use: a forgotten payment must not stop every later run.
  stoppedAt.list = undefined;
  if (!oldest?.createdAt) return;
  // An intent is made after its order; one minute covers clock skew.
  const since = Math.floor(oldest.createdAt.getTime() / 1000) - 60;
  const endsAt = Date.now() + BUDGET_MS.list;
  let isResumed = begin !== undefined;
  for (;;) {
    const page = await askProvider('list intents', (stripe) =>
      stripe.paymentIntents.list({
        created: { gte: since },
        limit: 100,
        ...(startingAfter ? { starting_after: startingAfter } : {}),
      }),
    );
    await settlePage(page.data, result);
    const passedBegin = !isResumed && begin !== undefined && page.data.some((intent) => intent.id === begin);
    if (passedBegin) return;
    startingAfter = page.data.at(-1)?.id;
    if (!page.has_more || !startingAfter) {
      if (!isResumed) return;
      isResumed = false;
      startingAfter = undefined;
    }
    if (Date.now() > endsAt) {
      stoppedAt.list = startingAfter;
      return;
    }
  }
}

async function settlePage(intents: readonly Stripe.PaymentIntent[], result: Reconciliation): Promise<void> {
  if (intents.length === 0) return;
  const byId = new Map(intents.map((intent) => [intent.id, intent]));
  const found = await db()
    .select()
    .from(orders)
    .where(and(isWatched(), inArray(orders.stripePaymentIntentId, [...byId.keys()])));
  const flags = await openFlags(found.map(({ id }) => id));
  const openFirst = [...found.filter(isOpen), ...found.filter((order) => !isOpen(order))];
  for (const order of openFirst) {
    const intent = byId.get(order.stripePaymentIntentId!)!;
    const reason = intent.status === 'succeeded' ? misfit(order, intent) : null;
    if (reason && flags.get(order.id)?.includes(flagText('payment_mismatch', reason))) continue;
    if (hasMoved(order, intent)) {
      await settle(order, result, () => fulfil({ orderId: order.id }, 'reconciler'));
    } else if (intent.status === 'canceled') {
      await noteCanceled(order, intent.cancellation_reason);
    }
  }
}

/** A cancelled payment never moves again. */
function noteCanceled(order: Order, reason: string | null): Promise<void> {
  return db().transaction(async (tx) => {
    await tx.update(orders).set({ paymentCanceledAt: sql`now()` }).where(eq(orders.id, order.id));
    await recordEvent(tx, order.id, { type: 'payment_canceled', source: 'reconciler', details: { reason } });
  });
}

/**
 * Pages by id from where the last run stopped, around to the same place.
 * @param page up to `PAGE` rows above the id
 */
async function goThrough<T extends { id: number }>(
  part: 'older' | 'refunds' | 'overdue',
  page: (after: number) => Promise<T[]>,
  work: (row: T) => Promise<void>,
): Promise<void> {
  const endsAt = Date.now() + BUDGET_MS[part];
  const begin = stoppedAt[part] ?? 0;
  stoppedAt[part] = undefined;
  const rounds =
    begin === 0
      ? [{ after: 0, upTo: Infinity }]
      : [
          { after: begin, upTo: Infinity },
          { after: 0, upTo: begin },
        ];
  for (const { after, upTo } of rounds) {
    let last = after;
    for (;;) {
      const rows = (await page(last)).filter((row) => row.id <= upTo);
      for (const row of rows) {
        await work(row);
        last = row.id;
        if (Date.now() > endsAt) {
          stoppedAt[part] = last;
          return;
        }
      }
      if (rows.length < PAGE) break;
    }
  }
}

const ordersAfter = (id: number, ...conditions: (SQL | undefined)[]) =>
  db()
    .select()
    .from(orders)
    .where(and(...conditions, not(isMisfit()), gt(orders.id, id)))
    .orderBy(asc(orders.id))
    .limit(PAGE);

function settleOlder(result: Reconciliation): Promise<void> {
  return goThrough(
    'older',
    (after) =>
      ordersAfter(after, isWatched(), ne(orders.status, 'pending'), lt(orders.createdAt, daysAgo(LIST_DAYS))),
    (order) =>
      settle(order, result, async () => {
        const outcome = await fulfil({ orderId: order.id }, 'reconciler');
        if (!isOpen(order) && outcome.kind === 'unpaid' && outcome.intentStatus === 'canceled') {
          await noteCanceled(order, outcome.intent?.cancellation_reason ?? null);
        }
        return outcome;
      }),
  );
}

const takenIn = new Set<string>();

async function takeInMoneyBack(result: Reconciliation): Promise<void> {
  const endsAt = Date.now() + BUDGET_MS.moneyBack;
  const since = (days: number) => ({ created: { gte: Math.floor(Date.now() / 1000) - days * 86_400 } });
  const found = [
    ...(await readChanges('list refunds', (stripe, page) =>
      stripe.refunds.list({ ...page, ...since(REFUND_DAYS) }),
    )),
    ...(await readChanges('list disputes', (stripe, page) =>
      stripe.disputes.list({ ...page, ...since(DISPUTE_DAYS) }),
    )),
  ];
  const stale = new Map<number, string[]>();
  for (let from = 0; from < found.length; from += PAGE) {
    for (const { orderId, key } of await findStale(found.slice(from, from + PAGE))) {
      stale.set(orderId, [...(stale.get(orderId) ?? []), key]);
    }
  }
  for (const [orderId, keys] of stale) {
    if (Date.now() > endsAt) return;
    try {
      await syncMoneyBack(orderId, 'reconciler');
      for (const key of keys) takenIn.add(key);
      result.moneyBack += 1;
    } catch (error) {
      result.failed += 1;
      log.error({ err: error, orderId }, 'refunds and disputes of an order could not be taken in');
    }
  }
}

type Change = { id: string; intentId: string; status: string };

async function readChanges<T extends Stripe.Refund | Stripe.Dispute>(
  what: string,
  list: Parameters<typeof readProviderList<T>>[1],
): Promise<Change[]> {
  const changes: Change[] = [];
  for await (const one of readProviderList(what, list)) {
    const status = one.object === 'dispute' ? disputeState(one) : refundState(one);
    const intent = one.payment_intent;
    const intentId = typeof intent === 'string' ? intent : intent?.id;
    if (status && intentId) changes.push({ id: one.id, intentId, status });
  }
  return changes;
}

async function findStale(changes: readonly Change[]): Promise<{ orderId: number; key: string }[]> {
  const intentIds = changes.map((change) => change.intentId);
  const rows = await db()
    .select({
      order: orders,
      flagged: sql<boolean>`${isFlagged()}`,
      known: sql<string[]>`array(
        select provider_refund_id || ':' || status from refunds where order_id = orders.id and provider_refund_id is not null
        union all select provider_dispute_id || ':' || status from disputes where order_id = orders.id)`,
    })
    .from(orders)
    .where(inArray(orders.stripePaymentIntentId, intentIds));
  return changes.flatMap((change) => {
    const row = rows.find(({ order }) => order.stripePaymentIntentId === change.intentId);
    const key = `${change.id}:${change.status}`;
    if (!row || row.known.includes(key)) return [];
    // An open order is completed first; the next run takes in its refunds.
    if (!isFulfilled(row.order.status) && (!row.flagged || takenIn.has(key))) return [];
    return { orderId: row.order.id, key };
  });
}

function resendRefunds(result: Reconciliation): Promise<void> {
  return goThrough(
    'refunds',
    (after) =>
      db()
        .select({ id: refunds.id, orderId: refunds.orderId })
        .from(refunds)
        .where(and(eq(refunds.status, 'pending'), isNull(refunds.providerRefundId), gt(refunds.id, after)))
        .orderBy(asc(refunds.id))
        .limit(PAGE),
    async ({ id, orderId }) => {
      try {
        await resendRefund(id, 'reconciler');
        result.resent += 1;
      } catch (error) {
        result.failed += 1;
        log.error({ err: error, orderId, refundId: id }, 'a refund could not be sent again');
      }
    },
  );
}

function expireOverdue(result: Reconciliation): Promise<void> {
  return goThrough(
    'overdue',
    (after) =>
      ordersAfter(
        after,
        eq(orders.status, 'pending'),
        // An administrator ends unpaid bank orders.
        eq(orders.payment, 'card'),
        lt(orders.createdAt, hoursAgo(ORDER_OPEN_HOURS)),
      ),
    (order) =>
      settle(order, result, () => abandonOrder(order, `unpaid for ${ORDER_OPEN_HOURS} hours`, 'reconciler')),
  );
}

/**
 * Follows the provider (decision 18, fault P7), resends refunds and expires unpaid orders. A failed order does not
 * stop the others.
 */
export async function reconcileOrders(): Promise<Reconciliation> {
  const result: Reconciliation = {
    checked: 0,
    completed: 0,
    expired: 0,
    flagged: 0,
    failed: 0,
    resent: 0,
    moneyBack: 0,
  };
  await settleFromList(result);
  await settleOlder(result);
  await takeInMoneyBack(result);
  await resendRefunds(result);
  await expireOverdue(result);
  if (result.completed + result.flagged + result.failed + result.resent + result.moneyBack > 0) {
    log.warn(result, 'orders were reconciled');
  }
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
