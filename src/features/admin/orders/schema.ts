import { z } from 'zod';
import { ORDER_STATUSES } from '#src/features/store/orders/schema.ts';
import { contract } from '#src/shared/contract.ts';
import { PRICE_MAX_CENTS } from '#src/shared/money.ts';
import { RECONCILED_DAYS } from './reconciliation.ts';
import { anyOf, dollars, MAX_ID, REASON_MAX, id, idInPath, line, text } from '#src/shared/fields.ts';

const told = z.object({ message: z.string() });

const orderParams = z.object({ id: idInPath('Order') });
const WRONG_AMOUNT = 'Amount must be dollars and cents, such as 12.50, and at least 0.01';

const typedAmount = dollars(WRONG_AMOUNT, WRONG_AMOUNT, 1, PRICE_MAX_CENTS);

const WRONG_SEATS = 'Seats must be a whole number, 1 at least';
const seatsBack = z
  .number({ error: WRONG_SEATS })
  .int(WRONG_SEATS)
  .min(1, WRONG_SEATS)
  .max(MAX_ID, WRONG_SEATS);

/**
 * Refunds a line (decision 21), all of it without `amount`. Access ends once nothing is left, or by `endsAccess`. A part needs a
 * `requestKey`: two equal parts differ from a repeat.
 */
export const refundLineCall = contract({
  method: 'POST',
  path: '/api/admin/orders/{id}/refund',
  params: orderParams,
  input: z
    .object({
      itemId: id('itemId'),
      reason: line('Reason', { max: REASON_MAX }),
      amount: typedAmount.optional(),
      /** Seats to refund and remove; their price is the amount. */
      seats: seatsBack.optional(),
      endsAccess: z.boolean({ error: 'endsAccess must be true or false' }).optional(),
      requestKey: z.uuid('requestKey must be a UUID').optional(),
    })
    .refine(
      ({ amount, seats, requestKey }) =>
        (amount === undefined && seats === undefined) || requestKey !== undefined,
      { path: ['requestKey'], error: 'requestKey is required with an amount or seats' },
    )
    .refine(({ amount, seats }) => amount === undefined || seats === undefined, {
      path: ['seats'],
      error: 'Seats and an amount cannot be given together',
    }),
  output: told,
});

/** One that the provider does not know. */
export const resendRefundCall = contract({
  method: 'POST',
  path: '/api/admin/orders/{id}/resend-refund',
  params: orderParams,
  input: z.object({ refundId: id('refundId') }),
  output: told,
});

export const resendReceiptCall = contract({
  method: 'POST',
  path: '/api/admin/orders/{id}/receipt',
  params: orderParams,
  output: told,
});

/** Decision 18. */
export const reconcileOrderCall = contract({
  method: 'POST',
  path: '/api/admin/orders/{id}/reconcile',
  params: orderParams,
  output: told.extend({
    /** False without the right money. */
    settled: z.boolean(),
    status: z.enum(ORDER_STATUSES),
  }),
});

/** `flag` as read. It declines a request for a refund: the buyer reads the note. */
export const settleFlagCall = contract({
  method: 'POST',
  path: '/api/admin/orders/{id}/settle-flag',
  params: orderParams,
  input: z.object({
    flag: text('Flag', { max: 10_000 }),
    note: line('Note', { max: REASON_MAX }),
  }),
  output: told,
});

const WRONG_DAY = 'Day must be a day such as 2026-11-24, and not in the future';
/** A day of slack for places ahead of UTC. */
const isNotFuture = (day: string) => Date.parse(day) <= Date.now() + 86_400_000;

/** Before its money is there. */
export const releaseOrderCall = contract({
  method: 'POST',
  path: '/api/admin/orders/{id}/release',
  params: orderParams,
  output: told,
});

const statementEntry = {
  amount: typedAmount,
  day: z.iso.date(WRONG_DAY).refine((day) => day >= '2000-01-01' && isNotFuture(day), WRONG_DAY),
  reference: line('Reference', { max: 140 }),
};

/** In or out, by bank. */
export const recordTransferCall = contract({
  method: 'POST',
  path: '/api/admin/orders/{id}/transfer',
  params: orderParams,
  input: z.object({
    direction: z.enum(['in', 'out'], { error: 'direction must be in or out' }),
    ...statementEntry,
    requestKey: z.uuid('requestKey must be a UUID'),
  }),
  output: told,
});

/** `amount` as read. */
export const recordSentBackCall = contract({
  method: 'POST',
  path: '/api/admin/orders/{id}/sent-back',
  params: orderParams,
  input: z.object(statementEntry),
  output: told,
});

/** Before its release. */
export const cancelBankOrderCall = contract({
  method: 'POST',
  path: '/api/admin/orders/{id}/cancel',
  params: orderParams,
  input: z.object({ reason: line('Reason', { max: REASON_MAX }) }),
  output: told,
});

const bookTotal = z.object({
  ordersCents: z.number(),
  ledgerCents: z.number(),
  /** Null where the provider did not answer. */
  providerCents: z.number().nullable(),
});

/** Decision 18; changes nothing. */
export const reconciliationReportCall = contract({
  method: 'GET',
  path: '/api/admin/reconciliation',
  query: z.object({
    /** Days back. */
    days: z.enum(RECONCILED_DAYS, { error: `days must be ${anyOf(RECONCILED_DAYS)}` }).default('30'),
  }),
  output: z.object({
    /** ISO 8601. */
    checkedAt: z.string(),
    agrees: z.boolean(),
    /** Compared ones. */
    orderCount: z.number(),
    totals: z.object({ received: bookTotal, refunded: bookTotal, disputed: bookTotal }),
    /** Null where it answered. */
    providerProblem: z.string().nullable(),
    /** All; the lists have at most `LISTED_MAX`. */
    counts: z.object({ disagreements: z.number(), paidNotEnrolled: z.number(), flagged: z.number() }),
    disagreements: z.array(
      z.object({
        kind: z.string(),
        orderId: z.number().nullable(),
        paymentIntentId: z.string().nullable(),
        message: z.string(),
      }),
    ),
    /** One row for each order. */
    paidNotEnrolled: z.array(
      z.object({
        orderId: z.number(),
        buyerEmail: z.string(),
        titles: z.array(z.string()),
        reason: z.enum(['not_completed', 'no_access']),
      }),
    ),
    flagged: z.array(
      z.object({
        orderId: z.number(),
        status: z.enum(ORDER_STATUSES),
        buyerEmail: z.string(),
        totalCents: z.number(),
        flags: z.array(z.string()),
      }),
    ),
  }),
});
export type ReconciliationReport = z.output<typeof reconciliationReportCall.output>;
