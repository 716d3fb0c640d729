import { and, asc, gt, gte, inArray, or, type SQL, sql } from 'drizzle-orm';
import Stripe from 'stripe';
import { db } from '#db/client.ts';
import { orders } from '#db/schema/store.ts';
import { log } from '#src/server/log.ts';
import { AppError } from '#src/shared/errors.ts';
import { formatCents } from '#src/shared/money.ts';
import { misfit } from '#src/features/store/orders/fulfil.server.ts';
import { fulfilledStatus, isFulfilled } from '#src/features/store/orders/orders.ts';
import { orderReference } from '#src/features/store/orders/orders.server.ts';
import { findFlagged, findUnfulfilled, findWithoutAccess } from './open-ends.server.ts';
import {
  OWN_REFERENCE,
  type ProviderPayment,
  type ProviderPayments,
  readProviderPayments,
} from './provider-payments.server.ts';
import type { FlaggedOrder, PaidNotEnrolled } from './open-ends.server.ts';

type Disagreement = {
  kind: /** The provider has the money and the order is not complete: the buyer paid and got nothing. */
    | 'paid_not_completed'
    | 'not_paid_at_provider'
    | 'payment_does_not_fit'
    | 'second_payment'
    | 'payment_without_order'
    | 'lines'
    | 'ledger'
    | 'refunds'
    | 'disputes'
    | 'status'
    | 'receipt'
    | 'invoices';
  orderId: number | null;
  paymentIntentId: string | null;
  message: string;
};

export type ReconciledTotal = { ordersCents: number; ledgerCents: number; providerCents: number | null };

export type ReconciliationCheck = {
  checkedAt: string;
  days: number | null;
  agrees: boolean;
  orderCount: number;
  totals: {
    received: ReconciledTotal;
    refunded: ReconciledTotal;
    disputed: ReconciledTotal;
  };
  disagreements: Disagreement[];
  paidNotEnrolled: PaidNotEnrolled[];
  flagged: FlaggedOrder[];
  providerProblem: string | null;
};

type CheckOptions = {
  days?: number;
  /** A payment may be on its way this long before it counts as lost. */
  graceSeconds?: number;
  asksProvider?: boolean;
};

/**
 * Compares orders, ledger and provider to the cent. Reads only; orders in change are left to the next check. One call
 * per hundred rows at the provider: pages should give `days` (30), the command need not.
 */
export async function checkReconciliation({
  days,
  graceSeconds = 60,
  asksProvider = true,
}: CheckOptions = {}): Promise<ReconciliationCheck> {
  const [clock] = await db().execute<{ now: string; since: string | null }>(
    sql`select clock_timestamp()::text as now, (clock_timestamp() - make_interval(days => ${days ?? null}::int))::text as since`,
  );
  const startedAt = new Date(clock!.now);
  const since = clock!.since ? new Date(clock!.since) : null;
  // The provider first: later changes are newer here, and skipped by their time.
  let provider: ProviderPayments | null = null;
  let providerProblem: string | null = null;
  try {
    if (asksProvider) provider = await readProviderPayments(since);
  } catch (error) {
    if (!(error instanceof AppError) && !(error instanceof Stripe.errors.StripeError)) throw error;
    log.warn({ err: error }, 'reconciliation was checked without the provider');
    providerProblem = error.message;
  }

  const disagreements: Disagreement[] = [];
  const unfulfilled: number[] = [];
  const zero = (): ReconciledTotal => ({ ordersCents: 0, ledgerCents: 0, providerCents: provider && 0 });
  const totals = { received: zero(), refunded: zero(), disputed: zero() };
  const known = new Set<string | null>();
  let orderCount = 0;
  for await (const row of readOrders(since, provider)) {
    known.add(row.order.stripePaymentIntentId);
    if (row.order.updatedAt >= startedAt) continue;
    if (isFulfilled(row.order.status)) orderCount += 1;
    const payment = provider?.get(row.order.stripePaymentIntentId ?? '');
    disagreements.push(...compareOwn(row));
    if (!provider) {
      addTotals(totals, row, null);
      continue;
    }
    const found = compareWithProvider(row, payment, startedAt, graceSeconds);
    disagreements.push(...found);
    if (found.some(({ kind }) => kind === 'paid_not_completed')) unfulfilled.push(row.order.id);
    // Money without an order that went back whole is in neither orders nor ledger.
    const isOutside =
      !isFulfilled(row.order.status) && payment && payment.refundedCents >= payment.receivedCents;
    addTotals(
      totals,
      row,
      isOutside || isOnItsWay(row, payment, startedAt, graceSeconds) ? undefined : payment,
    );
  }
  const strays = await findStrays(
    [...(provider?.values() ?? [])].filter(({ intent }) => !known.has(intent.id)),
  );
  disagreements.push(...strays.disagreements);
  if (totals.received.providerCents !== null) totals.received.providerCents += strays.receivedCents;
  if (totals.refunded.providerCents !== null) totals.refunded.providerCents += strays.refundedCents;
  disagreements.push(...(await checkInvoices()), ...(await checkReceipts(startedAt)));

  const paidNotEnrolled = [
    ...(await findUnfulfilled(unfulfilled)),
    ...(await findWithoutAccess(startedAt)),
  ].sort((a, b) => b.orderId - a.orderId);
  return {
    checkedAt: startedAt.toISOString(),
    days: days ?? null,
    agrees: disagreements.length === 0 && paidNotEnrolled.length === 0 && providerProblem === null,
    orderCount,
    totals,
    disagreements,
    paidNotEnrolled,
    flagged: await findFlagged(),
    providerProblem,
  };
}

type OrderRow = Awaited<ReturnType<typeof readOrderBatch>>[number];

/** All orders at once would fill the memory and exceed the query timeout. */
const ORDER_BATCH = 2_000;
const NEVER_PAID = sql`('pending', 'processing', 'failed', 'expired')`;

async function* readOrders(since: Date | null, provider: ProviderPayments | null): AsyncGenerator<OrderRow> {
  const paid = [...(provider?.values() ?? [])]
    .filter((payment) => payment.succeeded)
    .map(({ intent }) => intent.id);
  const paidAfterAll = await db()
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        sql`orders.status in ${NEVER_PAID}`,
        sql`orders.stripe_payment_intent_id in (select jsonb_array_elements_text(${JSON.stringify(paid)}::jsonb))`,
      ),
    );
  const also = paidAfterAll.map(({ id }) => id);
  for (let last = 0; ; ) {
    const batch = await readOrderBatch(since, also, last);
    yield* batch;
    if (batch.length < ORDER_BATCH) return;
    last = batch.at(-1)!.order.id;
  }
}

function readOrderBatch(since: Date | null, also: number[], after: number) {
  // Raw names: drizzle drops the table's name from columns of a single table.
  const cents = (query: SQL) => sql<number>`coalesce((${query}), 0)`.mapWith(Number);
  const entries = (filter: SQL) =>
    cents(sql`select sum(amount_cents) from ledger_entries l where l.order_id = orders.id and (${filter})`);
  return db()
    .select({
      order: orders,
      itemsCents: cents(sql`select sum(price_cents) from order_items i where i.order_id = orders.id`),
      bookedCents: entries(sql`(l.kind = 'payment' and l.account = 'provider_clearing')
        or (l.kind = 'invoice' and l.account = 'receivables')`),
      bookedTransfersCents: entries(sql`l.kind = 'transfer' and l.account = 'bank'`),
      transferRowsCents: cents(
        sql`select sum(amount_cents) from bank_transfers t where t.order_id = orders.id`,
      ),
      bookedRefundsCents: entries(sql`l.kind = 'refund' and l.account = 'refunds_paid'`),
      bookedDisputesCents: entries(
        sql`l.kind = 'dispute' and l.account in ('disputes_held', 'refunds_paid')`,
      ),
      unbalancedCents: entries(sql`true`),
      refundRowsCents: cents(
        sql`select sum(amount_cents) from refunds r where r.order_id = orders.id and r.status = 'succeeded'`,
      ),
      disputeRows: sql<
        { status: 'open' | 'won' | 'lost'; cents: number }[]
      >`coalesce((select jsonb_agg(jsonb_build_object('status', d.status, 'cents', d.amount_cents)) from disputes d where d.order_id = orders.id), '[]')`,
    })
    .from(orders)
    .where(
      and(
        gt(orders.id, after),
        or(
          sql`orders.status not in ${NEVER_PAID}`,
          inArray(orders.id, also),
          sql`exists (select 1 from ledger_entries l where l.order_id = orders.id)`,
        ),
        since ? gte(orders.createdAt, since) : undefined,
      ),
    )
    .orderBy(asc(orders.id))
    .limit(ORDER_BATCH);
}

const withheldHere = (row: OrderRow) =>
  row.disputeRows.filter(({ status }) => status !== 'won').reduce((sum, { cents }) => sum + cents, 0);

function addTotals(
  totals: ReconciliationCheck['totals'],
  row: OrderRow,
  payment: ProviderPayment | null | undefined,
): void {
  if (row.order.payment === 'bank') return;
  const { received, refunded, disputed } = totals;
  received.ordersCents += isFulfilled(row.order.status) ? row.order.totalCents : 0;
  received.ledgerCents += row.bookedCents;
  refunded.ordersCents += row.refundRowsCents;
  refunded.ledgerCents += row.bookedRefundsCents;
  disputed.ordersCents += withheldHere(row);
  disputed.ledgerCents += row.bookedDisputesCents;
  if (!payment) return;
  received.providerCents! += payment.receivedCents;
  refunded.providerCents! += payment.refundedCents;
  disputed.providerCents! += payment.withheldCents;
}

function compareOwn(row: OrderRow): Disagreement[] {
  const found: Disagreement[] = [];
  const note = (kind: Disagreement['kind'], message: string) =>
    found.push({ kind, orderId: row.order.id, paymentIntentId: row.order.stripePaymentIntentId, message });
  const differ = (kind: Disagreement['kind'], what: string, a: number, b: number) => {
    if (a !== b) note(kind, `${what}: ${formatCents(a)} against ${formatCents(b)}.`);
  };
  differ(
    'lines',
    'The order’s total and the sum of its lines',
    row.order.totalCents,
    row.itemsCents + row.order.taxCents,
  );
  const due = isFulfilled(row.order.status) ? row.order.totalCents : 0;
  differ('ledger', 'What was received, by the order and by the ledger', due, row.bookedCents);
  differ(
    'ledger',
    'Bank transfers, by their rows and by the ledger',
    row.transferRowsCents,
    row.bookedTransfersCents,
  );
  differ('ledger', 'Refunds, by their rows and by the ledger', row.refundRowsCents, row.bookedRefundsCents);
  differ('ledger', 'Disputes, by their rows and by the ledger', withheldHere(row), row.bookedDisputesCents);
  differ('ledger', 'The sum of the order’s ledger entries and nothing', row.unbalancedCents, 0);
  if (!isFulfilled(row.order.status)) return found;
  const back = moneyBackOf(row);
  differ('refunds', 'The order’s refunded amount and its refunds', row.order.refundedCents, back);
  const status = fulfilledStatus({
    totalCents: row.order.totalCents,
    refundedCents: back,
    disputes: row.disputeRows.map((dispute) => dispute.status),
  });
  if (status !== row.order.status)
    note('status', `The order is ${row.order.status}, and its money says ${status}.`);
  return found;
}

/** At most the total: a dispute and a refund may be about the same money. */
function moneyBackOf(row: OrderRow): number {
  const lost = row.disputeRows.filter(({ status }) => status === 'lost');
  return Math.min(
    row.order.totalCents,
    row.refundRowsCents + lost.reduce((sum, { cents }) => sum + cents, 0),
  );
}

function isOnItsWay(
  row: OrderRow,
  payment: ProviderPayment | undefined,
  startedAt: Date,
  graceSeconds: number,
): boolean {
  if (!payment?.succeeded || isFulfilled(row.order.status)) return false;
  return payment.chargedAt * 1000 > startedAt.getTime() - graceSeconds * 1000;
}

function compareWithProvider(
  row: OrderRow,
  payment: ProviderPayment | undefined,
  startedAt: Date,
  graceSeconds: number,
): Disagreement[] {
  const about = { orderId: row.order.id, paymentIntentId: row.order.stripePaymentIntentId };
  if (!isFulfilled(row.order.status)) {
    if (!payment?.succeeded || isOnItsWay(row, payment, startedAt, graceSeconds)) return [];
    if (payment.refundedCents >= payment.receivedCents) return [];
    const reason = misfit(row.order, payment.intent);
    return [
      reason
        ? { ...about, kind: 'payment_does_not_fit', message: `Received ${amount(payment)}: ${reason}.` }
        : {
            ...about,
            kind: 'paid_not_completed',
            message: `Received ${amount(payment)}, and the order is ${row.order.status}.`,
          },
    ];
  }
  if (row.order.totalCents === 0 || row.order.payment === 'bank') return [];
  if (!payment?.succeeded) {
    const message = payment ? 'The provider did not receive the money.' : 'The provider has no such payment.';
    return [{ ...about, kind: 'not_paid_at_provider', message }];
  }
  const found: Disagreement[] = [];
  if (payment.receivedCents !== row.order.totalCents || payment.intent.currency !== row.order.currency) {
    const message = `Received ${amount(payment)} for an order of ${formatCents(row.order.totalCents)}.`;
    found.push({ ...about, kind: 'payment_does_not_fit', message });
  }
  if (payment.refundedCents !== row.refundRowsCents) {
    const message = `The provider paid back ${formatCents(payment.refundedCents)}, and ${formatCents(row.refundRowsCents)} is known here.`;
    found.push({ ...about, kind: 'refunds', message });
  }
  if (payment.withheldCents !== withheldHere(row)) {
    const message = `The provider withholds ${formatCents(payment.withheldCents)}, and ${formatCents(withheldHere(row))} is known here.`;
    found.push({ ...about, kind: 'disputes', message });
  }
  return found;
}

function amount({ receivedCents, intent: { currency } }: ProviderPayment): string {
  return currency === 'usd' ? formatCents(receivedCents) : `${receivedCents} (smallest unit) ${currency}`;
}

/** Paid payments of ours without an order; other products on the account are left out. */
async function findStrays(payments: readonly ProviderPayment[]) {
  const result = { disagreements: [] as Disagreement[], receivedCents: 0, refundedCents: 0 };
  const own = payments.filter(
    ({ intent, succeeded, receivedCents, refundedCents }) =>
      succeeded && refundedCents < receivedCents && OWN_REFERENCE.test(intent.metadata.order_reference ?? ''),
  );
  if (own.length === 0) return result;
  const known = await db()
    .select()
    .from(orders)
    .where(
      or(
        inArray(
          orders.id,
          own.map(({ intent }) => Number(intent.metadata.order_id)).filter((id) => id > 0 && id < 2 ** 31),
        ),
        inArray(
          orders.stripePaymentIntentId,
          own.map(({ intent }) => intent.id),
        ),
      ),
    );
  for (const payment of own) {
    const { id, metadata } = payment.intent;
    if (known.some((order) => order.stripePaymentIntentId === id)) continue;
    const order = known.find((one) => orderReference(one) === metadata.order_reference);
    result.receivedCents += payment.receivedCents;
    result.refundedCents += payment.refundedCents;
    result.disagreements.push(
      order
        ? {
            kind: 'second_payment',
            orderId: order.id,
            paymentIntentId: id,
            message: `Received ${amount(payment)} besides the order’s own payment.`,
          }
        : {
            kind: 'payment_without_order',
            orderId: null,
            paymentIntentId: id,
            message: `Received ${amount(payment)} for order ${metadata.order_id} of another state of the database.`,
          },
    );
  }
  return result;
}

const NUMBERED = { INV: 'invoices', CN: 'credit notes', Q: 'quotes' } as const;

/** Gapless per year (decision 20). */
async function checkInvoices(): Promise<Disagreement[]> {
  const rows = await db().execute<{
    series: keyof typeof NUMBERED;
    year: number;
    last: number;
    drawn: number;
  }>(sql`
    select c.series, c.year, c.last_number as last, count(p.number)::int as drawn
    from invoice_counters c left join (
      select invoice_number as number from orders union all select correction->>'number' from orders
      union all select credit_note_number from refunds
      union all select credit_note_number from disputes union all select number from quotes) p on p.number like c.series || '-' || c.year || '-%'
    group by c.series, c.year, c.last_number
    having count(p.number) <> c.last_number or coalesce(max(right(p.number, 6)::int), 0) <> c.last_number`);
  return rows.map(({ series, year, last, drawn }) => ({
    kind: 'invoices' as const,
    orderId: null,
    paymentIntentId: null,
    message: `${drawn} ${NUMBERED[series]} of ${year} exist, and ${last} numbers were drawn.`,
  }));
}

async function checkReceipts(startedAt: Date): Promise<Disagreement[]> {
  const rows = await db().execute<{ id: number; intent: string | null }>(sql`
    select o.id, o.stripe_payment_intent_id as intent from orders o
    where o.completed_at is not null and o.buyer_email <> '' and o.updated_at < ${startedAt.toISOString()}::timestamptz
      and not exists (select 1 from mail_outbox m where m.dedupe_key = 'receipt:' || o.id)
      -- Sent mails are kept for a time only.
      and o.completed_at > now() - interval '14 days'`);
  return rows.map(({ id, intent }) => ({
    kind: 'receipt' as const,
    orderId: id,
    paymentIntentId: intent,
    message: 'The order is complete, and no receipt was queued for it.',
  }));
}
