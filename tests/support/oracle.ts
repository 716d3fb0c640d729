import { sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import { expect } from 'vitest';
import { db } from '#db/client.ts';
import { checkReconciliation } from '#src/features/store/reconciliation/compare-records.server.ts';
import { isFulfilled } from '#src/features/store/orders/orders.ts';
import { orderReference } from '#src/features/store/orders/orders.server.ts';
import { misfit } from '#src/features/store/orders/fulfil.server.ts';
import { orders } from '#db/schema/store.ts';
import { openFlags } from '#src/features/store/orders/flags.server.ts';
import type { Answer } from './api.ts';

// What the fault list says must hold after every case, read from the database with statements of its own and from the
// provider's own lists. It shares no query with the books check of the site, which it also holds against itself.

/** The order `o` was paid, and the account `u` was made for it. */
const MADE_BY_PAYER = sql`o.total_cents > 0 and exists (select 1 from order_events ev where ev.order_id = o.id
  and ev.type = 'claimed' and ev.actor_id = u.id and ev.details ->> 'how' = 'account made for it')`;
/** Seats hang on the first line of a bundle. */
const HAS_SEATS = sql`not exists (
  select 1 from order_items first where first.order_id = i.order_id and first.bundle_id = i.bundle_id and first.id < i.id)`;
const DONE = sql`('completed', 'partially_refunded', 'refunded', 'disputed')`;

/** Each query gives the rows that break a rule; the rule is the key. */
const RULES = {
  'one order per payment intent': sql`
    select stripe_payment_intent_id as row from orders where stripe_payment_intent_id is not null group by 1 having count(*) > 1`,
  'one active enrollment per user and course': sql`
    select user_id || '/' || course_id as row from enrollments where status = 'active' group by user_id, course_id having count(*) > 1`,
  'an order’s total is the sum of its lines': sql`
    select o.id || ': ' || o.total_cents as row from orders o
    where o.total_cents <> (select coalesce(sum(i.price_cents), 0) from order_items i where i.order_id = o.id) + o.tax_cents`,
  'the discount is what the lines are below their list price': sql`
    select o.id || ': ' || o.discount_cents as row from orders o
    where o.discount_cents <> (select coalesce(sum(i.list_price_cents - i.price_cents), 0) from order_items i where i.order_id = o.id)`,
  'a completed order is in the ledger with its total': sql`
    select o.id as row from orders o where o.status in ${DONE} and o.total_cents <> coalesce((
      select sum(l.amount_cents) from ledger_entries l where (l.movement = 'payment:' || o.id and l.account = 'provider_clearing' and o.payment = 'card')
        or (l.movement = 'invoice:' || o.id and l.account = 'receivables' and o.payment = 'bank')), 0)`,
  'bank transfers are in the ledger': sql`
    select o.id as row from orders o
    where coalesce((select sum(t.amount_cents) from bank_transfers t where t.order_id = o.id), 0)
      <> coalesce((select sum(l.amount_cents) from ledger_entries l where l.order_id = o.id and l.account = 'bank'), 0)`,
  'what an organisation owes is its invoice less credit notes and transfers': sql`
    select o.id as row from orders o where o.payment = 'bank' and coalesce((
      select sum(l.amount_cents) from ledger_entries l where l.order_id = o.id and l.account = 'receivables'), 0)
      <> case when o.status in ${DONE} then o.total_cents - o.refunded_cents else 0 end
        - coalesce((select sum(t.amount_cents) from bank_transfers t where t.order_id = o.id), 0)`,
  'an order whose money is all there by bank is open': sql`
    select o.id as row from orders o where o.payment = 'bank' and o.status not in ${DONE}
      and o.total_cents <= coalesce((select sum(t.amount_cents) from bank_transfers t where t.order_id = o.id), 0)`,
  'an order by invoice has no payment at the provider, and none of a person': sql`
    select o.id as row from orders o where o.payment = 'bank'
      and (o.stripe_payment_intent_id is not null or o.organisation_id is null)`,
  'what went back for good has a credit note’s number': sql`
    select o.id as row from orders o join refunds r on r.order_id = o.id
    where o.status in ${DONE} and r.status = 'succeeded' and r.credit_note_number is null
    union all
    select o.id from orders o join disputes d on d.order_id = o.id
    where o.status in ${DONE} and d.status = 'lost' and d.credit_note_number is null`,
  'the ledger has no payment of an order that is not complete': sql`
    select o.id as row from orders o join ledger_entries l on l.order_id = o.id and l.kind in ('payment', 'invoice') where o.status not in ${DONE}`,
  'ledger movements add up to zero': sql`
    select movement as row from ledger_entries group by movement having sum(amount_cents) <> 0`,
  'refunds in the ledger are the refunds that succeeded': sql`
    select o.id as row from orders o
    where coalesce((select sum(amount_cents) from refunds r where r.order_id = o.id and r.status = 'succeeded'), 0)
      <> coalesce((select sum(amount_cents) from ledger_entries l where l.order_id = o.id and l.kind = 'refund' and l.account = 'refunds_paid'), 0)`,
  'disputes in the ledger are those that are open or lost': sql`
    select o.id as row from orders o
    where coalesce((select sum(amount_cents) from disputes d where d.order_id = o.id and d.status <> 'won'), 0)
      <> coalesce((select sum(amount_cents) from ledger_entries l where l.order_id = o.id and l.kind = 'dispute' and l.account <> 'provider_clearing'), 0)`,
  'the refunded amount is what the buyer has back': sql`
    select o.id || ': ' || o.refunded_cents as row from orders o where o.status in ${DONE} and o.refunded_cents <> least(o.total_cents,
      coalesce((select sum(amount_cents) from refunds r where r.order_id = o.id and r.status = 'succeeded'), 0)
      + coalesce((select sum(amount_cents) from disputes d where d.order_id = o.id and d.status = 'lost'), 0))`,
  'no line is paid back beyond its price': sql`
    select i.id as row from order_items i join refunds r on r.order_item_id = i.id
    where r.status in ('pending', 'succeeded') group by i.id having sum(r.amount_cents) > i.price_cents`,
  'a refund that ends access has ended it': sql`
    select r.id as row from refunds r join order_items i on i.id = r.order_item_id join orders o on o.id = r.order_id
    where r.status in ('pending', 'succeeded') and r.provider_refund_id is not null and r.ends_access
      and i.refunded_at is null and o.status in ${DONE}`,
  'access ends only where a refund was to end it, or all is paid back': sql`
    select i.id as row from order_items i join orders o on o.id = i.order_id
    where i.refunded_at is not null and o.total_cents > 0
      and not exists (select 1 from disputes d where d.order_id = o.id and d.status = 'lost')
      and not exists (select 1 from refunds r where r.order_item_id = i.id and r.ends_access and r.status in ('pending', 'succeeded'))
      and o.total_cents > (select coalesce(sum(r.amount_cents), 0) from refunds r where r.order_id = o.id and r.status in ('pending', 'succeeded'))`,
  'one confirmation mail per completed order': sql`
    select o.id as row from orders o where o.status in ${DONE} and o.buyer_email <> ''
      and (select count(*) from mail_outbox m where m.dedupe_key = 'receipt:' || o.id) <> 1`,
  'no confirmation mail for an order that is not complete': sql`
    select o.id as row from orders o join mail_outbox m on m.dedupe_key = 'receipt:' || o.id where o.status not in ${DONE}`,
  'what is paid and not paid back is open to its buyer': sql`
    select o.id || ', course ' || i.course_id as row from orders o join order_items i on i.order_id = o.id
    where o.status in ('completed', 'partially_refunded') and o.user_id is not null and o.organisation_id is null
      and i.refunded_at is null
      and not exists (select 1 from enrollments e where e.user_id = o.user_id and e.course_id = i.course_id and e.status = 'active')`,
  'what was paid back is closed, unless it was bought again': sql`
    select o.id || ', course ' || i.course_id as row from orders o join order_items i on i.order_id = o.id
    join enrollments e on e.user_id = o.user_id and e.course_id = i.course_id and e.order_item_id = i.id
    where i.refunded_at is not null and e.status <> 'revoked'`,
  'a completed line of an organisation has opened its seats, and another one none': sql`
    select i.id || ': ' || coalesce(i.seats, 0) as row from order_items i join orders o on o.id = i.order_id
    where (select count(*) from seats s where s.order_item_id = i.id)
      <> case when o.status in ${DONE} and ${HAS_SEATS} then coalesce(i.seats, 0) else 0 end`,
  'seats are of an organisation’s order': sql`
    select i.id as row from order_items i join orders o on o.id = i.order_id
    where (o.organisation_id is null) <> (i.seats is null)`,
  'as many seats have ended as are paid back': sql`
    select i.id as row from order_items i join orders o on o.id = i.order_id
    where o.status in ${DONE} and i.seats is not null and ${HAS_SEATS}
      and (select count(*) from seats s where s.order_item_id = i.id and s.ended_at is not null)
      <> (select min(case when line.refunded_at is not null then line.seats else (
          select coalesce(sum(r.seats), 0) from refunds r where r.order_item_id = line.id and r.provider_refund_id is not null
            and r.status in ('pending', 'succeeded')) end)
        from order_items line
        where line.order_id = i.order_id and (line.id = i.id or line.bundle_id = i.bundle_id) and line.price_cents > 0)`,
  'a seat gives its course to nobody but who took it': sql`
    select e.id as row from enrollments e join order_items i on i.id = e.order_item_id
    where i.seats is not null and e.status = 'active'
      and not exists (
        select 1 from seats s join order_items head on head.id = s.order_item_id
        where head.order_id = i.order_id and (head.id = i.id or head.bundle_id = i.bundle_id)
          and s.user_id = e.user_id and s.ended_at is null)`,
  'access by an order that is in dispute is suspended': sql`
    select o.id || ', course ' || i.course_id as row from orders o join order_items i on i.order_id = o.id
    join enrollments e on e.order_item_id = i.id
    where o.status = 'disputed' and e.status = 'active'`,
  'nobody has a course from an order that was not completed': sql`
    select o.id || ', course ' || i.course_id as row from orders o join order_items i on i.order_id = o.id
    join enrollments e on e.order_item_id = i.id
    where o.status not in ${DONE}`,
  'a guest’s order is in an account whose email is unverified only where its payer made that account': sql`
    select o.id || ', account ' || u.id as row from orders o join users u on u.id = o.user_id
    where o.claim_secret_hash is not null and u.email_verified_at is null and not (${MADE_BY_PAYER})
    union all
    select o.id || ', enrolled ' || u.id from orders o join order_items i on i.order_id = o.id
    join enrollments e on e.order_item_id = i.id join users u on u.id = e.user_id
    where o.claim_secret_hash is not null and u.email_verified_at is null and not (${MADE_BY_PAYER})`,
  'an order that is refunded whole keeps no line but those that were left to its buyer': sql`
    select o.id as row from orders o join order_items i on i.order_id = o.id
    where o.status = 'refunded' and o.total_cents > 0 and i.refunded_at is null and i.price_cents > 0
      and not exists (select 1 from refunds r where r.order_item_id = i.id and not r.ends_access and r.status in ('pending', 'succeeded'))`,
  'invoices, credit notes and quotes are numbered without gaps': sql`
    select c.series || ' ' || c.year || ': ' || c.last_number as row from invoice_counters c
    left join (select invoice_number as number from orders union all select correction->>'number' from orders
      union all select credit_note_number from refunds
      union all select credit_note_number from disputes union all select number from quotes) p on p.number like c.series || '-' || c.year || '-%'
    group by c.series, c.year, c.last_number
    having c.last_number <> count(p.number) or c.last_number <> coalesce(max(right(p.number, 6)::int), 0)`,
  'only completed orders have an invoice number': sql`
    select id as row from orders where (invoice_number is not null) <> (status in ${DONE}) or (completed_at is not null) <> (status in ${DONE})`,
  // A price that was changed since says nothing about the order.
  'a bundle is sold whole, and its lines add up to its price': sql`
    select i.order_id || ', bundle ' || i.bundle_id as row from order_items i join bundles b on b.id = i.bundle_id
    join orders o on o.id = i.order_id
    group by i.order_id, i.bundle_id, b.id, b.price_cents
    having (min(o.created_at) > b.updated_at and (sum(i.list_price_cents) > b.price_cents * max(coalesce(i.seats, 1))
        or (max(i.seats) is null and sum(i.list_price_cents) <> b.price_cents)))
      or min(coalesce(i.seats, 0)) <> max(coalesce(i.seats, 0))
      or sum(i.list_price_cents) % max(coalesce(i.seats, 1)) <> 0
      or count(*) <> (select count(*) from bundle_courses c where c.bundle_id = b.id)`,
  'a corrected invoice is of an order whose first one named nobody, and not older than that': sql`
    select o.id as row from orders o where o.correction is not null and (o.billing is not null or o.status not in ${DONE}
      or (o.correction->>'at')::timestamptz < o.completed_at or o.correction->>'number' = o.invoice_number)`,
  'a coupon is used no more often than it may be': sql`
    select c.code as row from coupons c where c.usage_limit is not null
      and (select count(*) from orders o where o.coupon_id = c.id and o.status not in ('failed', 'expired')) > c.usage_limit`,
} as const;

/** Rules of orders whose whole life went through the services; a test that writes orders by hand breaks them itself. */
const LIFE_RULES = {
  'the log of an order leads to its state': sql`
    select o.id || ': ' || o.status as row from orders o
    where o.status::text is distinct from (
      select e.to_status::text from order_events e where e.order_id = o.id and e.to_status is not null order by e.id desc limit 1)`,
  'the moves in the log of an order join on': sql`
    select order_id as row from (
      select e.order_id, e.from_status, lag(e.to_status) over (partition by e.order_id order by e.id) as before
      from order_events e where e.to_status is not null) moves
    where from_status is distinct from before`,
  'an invoice is corrected once, and its buyer gets it by mail once': sql`
    select o.id as row from orders o
    where (select count(*) from order_events e where e.order_id = o.id and e.type = 'invoice_corrected')
        <> case when o.correction is null then 0 else 1 end
      or (select count(*) from mail_outbox m where m.dedupe_key like 'corrected-invoice:' || o.id || '%')
        <> case when o.correction is null then 0 else 1 end`,
  'an order is completed once': sql`
    select order_id as row from order_events where type = 'completed' and from_status in ('pending', 'processing', 'failed', 'expired') group by 1 having count(*) > 1`,
} as const;

/** The provider's own account of every payment that succeeded. */
async function faultsOfPayments(stripe: Stripe): Promise<string[]> {
  const faults: string[] = [];
  const all = await db().select().from(orders);
  const flags = await openFlags(all.map(({ id }) => id));
  const byIntent = new Map(all.map((order) => [order.stripePaymentIntentId, order]));
  const sums = async (list: AsyncIterable<Stripe.Refund | Stripe.Dispute>) => {
    const cents = new Map<string, number>();
    for await (const one of list) {
      const isGone =
        one.object === 'refund' ? one.status === 'succeeded' : !['won', 'prevented'].includes(one.status);
      if (isGone)
        cents.set(String(one.payment_intent), (cents.get(String(one.payment_intent)) ?? 0) + one.amount);
    }
    return cents;
  };
  const refunded = await sums(stripe.refunds.list({ limit: 100 }));
  const withheld = await sums(stripe.disputes.list({ limit: 100 }));
  const here = await db().execute<{ id: number; refunded: number; withheld: number }>(sql`
    select o.id, coalesce((select sum(amount_cents) from refunds r where r.order_id = o.id and r.status = 'succeeded'), 0)::int as refunded,
      coalesce((select sum(amount_cents) from disputes d where d.order_id = o.id and d.status <> 'won'), 0)::int as withheld
    from orders o`);
  const booked = new Map(here.map((row) => [row.id, row]));
  const paid = new Set<string>();
  for await (const intent of stripe.paymentIntents.list({ limit: 100 })) {
    if (intent.status !== 'succeeded') continue;
    paid.add(intent.id);
    const back = refunded.get(intent.id) ?? 0;
    const order = byIntent.get(intent.id);
    if (!order) {
      // Of another product on the account, or for an order that is gone: only what we made concerns us.
      const own = all.find((one) => orderReference(one) === intent.metadata.order_reference);
      if (
        own &&
        back < intent.amount_received &&
        !flags.get(own.id)?.some((flag) => flag.includes(intent.id))
      )
        faults.push(
          `payment ${intent.id} of order ${own.id} was taken and is neither its payment nor flagged`,
        );
      continue;
    }
    if (!isFulfilled(order.status)) {
      const reason = misfit(order, intent);
      if (!reason) faults.push(`payment ${intent.id} succeeded and order ${order.id} is ${order.status}`);
      else if (!flags.get(order.id)?.includes(reason))
        faults.push(`order ${order.id} is not flagged: ${reason}`);
      continue;
    }
    if (intent.amount_received !== order.totalCents || intent.currency !== order.currency)
      faults.push(
        `order ${order.id} costs ${order.totalCents}, and ${intent.amount_received} ${intent.currency} was received`,
      );
    const books = booked.get(order.id)!;
    if (books.refunded !== back)
      faults.push(`of order ${order.id} the provider refunded ${back}, here ${books.refunded}`);
    const held = withheld.get(intent.id) ?? 0;
    if (books.withheld !== held)
      faults.push(`of order ${order.id} the provider withholds ${held}, here ${books.withheld}`);
  }
  for (const order of all) {
    if (order.payment === 'bank') continue;
    if (isFulfilled(order.status) && order.totalCents > 0 && !paid.has(order.stripePaymentIntentId ?? ''))
      faults.push(`order ${order.id} is ${order.status} without a payment`);
  }
  return faults;
}

/**
 * Everything that is wrong with the whole database and the provider's account, in sentences; empty where all is well.
 *
 * @param wholeLife also checks the log of each order, for databases whose orders were all made by the services
 */
export async function findFaults(stripe: Stripe, { wholeLife = false } = {}): Promise<string[]> {
  const rules = { ...RULES, ...(wholeLife ? LIFE_RULES : {}) };
  const broken = await Promise.all(
    Object.entries(rules).map(async ([rule, query]) => {
      const rows = await db().execute<{ row: unknown }>(query);
      return rows.length === 0
        ? []
        : [
            `${rule}: ${rows
              .map(({ row }) => row)
              .slice(0, 5)
              .join('; ')}`,
          ];
    }),
  );
  return [...broken.flat(), ...(await faultsOfPayments(stripe))];
}

/**
 * The oracle of the fault list: what must hold after every case once everything has recovered, over the whole database
 * and the provider.
 */
export async function expectOracle(stripe: Stripe, options: { wholeLife?: boolean } = {}): Promise<void> {
  expect(await findFaults(stripe, options)).toEqual([]);
}

/** The books check of the site finds nothing either, apart from money that a test made not to fit. */
export async function expectReconciliationCheck(): Promise<void> {
  const books = await checkReconciliation({ graceSeconds: 0 });
  const onPurpose = new Set(['payment_does_not_fit', 'second_payment']);
  expect(books.disagreements.filter(({ kind }) => !onPurpose.has(kind))).toEqual([]);
  expect(books.paidNotEnrolled).toEqual([]);
  expect(books.providerProblem).toBeNull();
  if (books.disagreements.length === 0) {
    for (const total of Object.values(books.totals)) {
      expect(new Set([total.ordersCents, total.ledgerCents, total.providerCents]).size).toBe(1);
    }
  }
}

/** What no answer may tell, whatever went wrong behind it. */
const INSIDES =
  /(\n\s+at .+:\d+:\d+)|\b(select|insert into|update|delete from)\b.+\b(from|values|set|where)\b|node_modules|postgres|drizzle|whsec_|sk_test_/i;

/** Why an answer may not be given to anybody; null where it may. `mayFail`: a fault is under way, and 5xx is honest. */
export function faultOfAnswer(answer: Answer, mayFail: boolean): string | null {
  if (INSIDES.test(answer.text))
    return `an answer ${answer.status} tells of the inside: ${answer.text.slice(0, 200)}`;
  // 502 and 503 say that the provider or the database is out of reach; 500 is a bug, whatever happens.
  if (answer.status === 500) return `an answer 500: ${answer.text.slice(0, 200)}`;
  if (answer.status > 500 && !mayFail)
    return `an answer ${answer.status} without a fault: ${answer.text.slice(0, 200)}`;
  return null;
}
