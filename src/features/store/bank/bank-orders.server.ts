import { randomUUID } from 'node:crypto';
import { and, asc, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Tx } from '#db/client.ts';
import { bankTransfers, orders } from '#db/schema/store.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { totalsOf } from '#src/features/store/cart/cart.ts';
import {
  fingerprintOf,
  type PayingAccount,
  type PayingOrganisation,
  writeOrder,
} from '#src/features/store/checkout/checkout.server.ts';
import type { Line } from '#src/features/store/checkout/cart-lines.server.ts';
import { flagOrder } from '#src/features/store/orders/flags.server.ts';
import { completeOrder } from '#src/features/store/orders/fulfil.server.ts';
import { isFulfilled, mayMove } from '#src/features/store/orders/orders.ts';
import {
  bookMovement,
  findOrder,
  lockOrder,
  moveOrder,
  type Order,
  receivedCents,
  recordEvent,
} from '#src/features/store/orders/orders.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import type { JobDefinition } from '#src/server/jobs.ts';
import { AppError } from '#src/shared/errors.ts';
import { counted } from '#src/shared/counted.ts';
import { shownDate } from '#src/shared/dates.ts';
import { centsToDecimal, formatCents, PRICE_MAX_CENTS } from '#src/shared/money.ts';
import { outstandingCents, REMINDER_DAYS, WAITING_MAX } from './bank.ts';
import { mailOrderReceived, mailOverdue, mailPaymentReceived } from './bank-mails.server.ts';

const missing = () => new AppError('not_found', 'There is no such order by invoice.');

/**
 * Orders seats by bank transfer. The same seats at the same price again are the waiting order.
 * @throws {AppError} price_changed with the server's `total`, bad_request, conflict where too many orders wait
 */
export async function placeBankOrder(
  tx: Tx,
  account: PayingAccount,
  {
    lines,
    organisation,
    amountCents,
  }: { lines: readonly Line[]; organisation: PayingOrganisation; amountCents: number },
): Promise<Order> {
  const totals = totalsOf(lines);
  if (totals.totalCents !== amountCents) {
    throw new AppError('price_changed', 'The total has changed. Please check it before you order.', {
      extra: { total: centsToDecimal(totals.totalCents) },
    });
  }
  if (totals.totalCents > PRICE_MAX_CENTS) {
    const limit = formatCents(PRICE_MAX_CENTS);
    throw new AppError(
      'bad_request',
      `One order can be ${limit} at most. Please order less at once, or contact us.`,
    );
  }
  const fingerprint = fingerprintOf(`organisation:${organisation.id}:invoice`, lines, null);
  const waits = and(
    eq(orders.organisationId, organisation.id),
    eq(orders.payment, 'bank'),
    eq(orders.status, 'pending'),
  );
  const [known] = await tx
    .select()
    .from(orders)
    .where(and(waits, eq(orders.fingerprint, fingerprint)))
    .for('update');
  if (known) {
    const [same] = await tx
      .update(orders)
      .set({ billing: organisation.billing })
      .where(eq(orders.id, known.id))
      .returning();
    return same!;
  }
  if ((await tx.$count(orders, waits)) >= WAITING_MAX) {
    throw new AppError(
      'conflict',
      `${WAITING_MAX} orders of your organization wait already. Cancel one, or wait.`,
    );
  }
  const order = await writeOrder(tx, { account }, lines, {
    totals,
    fingerprint,
    organisation,
    payment: 'bank',
  });
  const titles = lines.map(({ title, bundle, seats = 0 }) =>
    bundle ? `${bundle.title} (${counted(seats, 'seat')})` : title,
  );
  await mailOrderReceived(tx, order, [...new Set(titles)].join(', '));
  return order;
}

async function lockBankOrder(tx: Tx, orderId: number): Promise<Order> {
  const known = await findOrder(orderId, tx);
  if (known?.payment !== 'bank') throw missing();
  return lockOrder(tx, orderId);
}

/**
 * Opens the order before its money arrives, and issues the invoice (decision 110). Audited.
 * @throws {AppError} not_found, conflict
 */
export async function releaseBankOrder(actor: Actor, orderId: number): Promise<{ message: string }> {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const order = await lockBankOrder(tx, orderId);
      if (order.status !== 'pending')
        throw new AppError('conflict', 'This order does not wait for a release.');
      const { invoiceNumber } = await completeOrder(tx, order, 'admin');
      await recordAudit(tx, actor, {
        action: 'order.released',
        subjectType: 'order',
        subjectId: orderId,
        details: { order: orderId, amount: formatCents(order.totalCents) },
      });
      return { message: `The seats are open, and invoice ${invoiceNumber} was mailed.` };
    }),
  );
}

export interface Transfer {
  direction: 'in' | 'out';
  amountCents: number;
  bookedOn: string;
  reference: string;
  requestKey: string;
}

/**
 * Books money that came in or went back by bank; an order that is paid in full opens by itself. A repeat books
 * nothing.
 * @throws {AppError} not_found, conflict for a used key, invalid_input
 */
export async function recordTransfer(
  actor: Actor,
  orderId: number,
  { direction, amountCents, bookedOn, reference, requestKey }: Transfer,
): Promise<{ message: string }> {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const order = await lockBankOrder(tx, orderId);
      const signed = direction === 'in' ? amountCents : -amountCents;
      const [same] = await tx
        .select()
        .from(bankTransfers)
        .where(and(eq(bankTransfers.orderId, orderId), eq(bankTransfers.requestKey, requestKey)));
      if (same) {
        if (same.amountCents === signed && same.bookedOn === bookedOn && same.reference === reference) {
          return { message: 'This transfer is written down already.' };
        }
        throw new AppError(
          'conflict',
          'This request was made for another transfer already. Reload the page.',
        );
      }
      const before = await receivedCents(tx, orderId);
      if (before + signed < 0) {
        const message = `Amount must be at most ${formatCents(before)}: no more came in for this order`;
        throw new AppError('invalid_input', message, { fields: { amount: message } });
      }
      const entry = { amountCents: signed, bookedOn, reference, requestKey };
      const id = await writeTransfer(tx, actor, order, entry);
      const received = before + signed;
      if (!isFulfilled(order.status) && received >= order.totalCents && mayMove(order.status, 'completed')) {
        const completed = await completeOrder(tx, order, 'admin');
        await tellOfMoney(tx, completed, { id, ...entry }, received);
        const { invoiceNumber } = completed;
        return { message: `All is paid: the seats are open, and invoice ${invoiceNumber} was mailed.` };
      }
      await tellOfMoney(tx, order, { id, ...entry }, received);
      return { message: await told(tx, order, received) };
    }),
  );
}

async function writeTransfer(
  tx: Tx,
  actor: Actor,
  order: Order,
  entry: Omit<Transfer, 'direction'>,
): Promise<number> {
  const { amountCents, bookedOn, reference } = entry;
  const orderId = order.id;
  const [row] = await tx
    .insert(bankTransfers)
    .values({ ...entry, orderId, recordedBy: actor.id })
    .returning();
  const [from, to] =
    amountCents > 0 ? (['receivables', 'bank'] as const) : (['bank', 'receivables'] as const);
  const movement = { kind: 'transfer', subject: row!.id } as const;
  await bookMovement(tx, order, movement, Math.abs(amountCents), { from, to });
  await recordEvent(tx, orderId, {
    type: 'transfer',
    source: 'admin',
    actorId: actor.id,
    details: { amountCents, bookedOn, reference },
  });
  await recordAudit(tx, actor, {
    action: 'order.transfer_recorded',
    subjectType: 'order',
    subjectId: orderId,
    details: { order: orderId, amount: formatCents(amountCents), reference },
  });
  return row!.id;
}

/** Money sent back needs no mail: its credit note has announced it. */
async function tellOfMoney(
  tx: Tx,
  order: Order,
  transfer: { id: number; amountCents: number; bookedOn: string },
  received: number,
): Promise<void> {
  if (transfer.amountCents > 0)
    await mailPaymentReceived(tx, order, transfer, outstandingCents({ ...order, receivedCents: received }));
}

/**
 * Records that the overpaid amount was sent back (decision 110). Audited.
 * @param amountCents what the page showed
 * @throws {AppError} not_found, conflict
 */
export async function recordSentBack(
  actor: Actor,
  orderId: number,
  { amountCents, bookedOn, reference }: Pick<Transfer, 'amountCents' | 'bookedOn' | 'reference'>,
): Promise<{ message: string }> {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const order = await lockBankOrder(tx, orderId);
      const received = await receivedCents(tx, orderId);
      const toSend = isFulfilled(order.status) ? -outstandingCents({ ...order, receivedCents: received }) : 0;
      if (toSend <= 0) throw new AppError('conflict', await nothingToSend(tx, orderId));
      if (toSend !== amountCents) {
        const message = `${formatCents(toSend)} has to be sent back by now. Look at the order again.`;
        throw new AppError('conflict', message);
      }
      await writeTransfer(tx, actor, order, {
        amountCents: -toSend,
        bookedOn,
        reference,
        requestKey: randomUUID(),
      });
      return { message: `It is written down that ${formatCents(toSend)} was sent back.` };
    }),
  );
}

async function nothingToSend(tx: Tx, orderId: number): Promise<string> {
  const [sent] = await tx
    .select()
    .from(bankTransfers)
    .where(and(eq(bankTransfers.orderId, orderId), lt(bankTransfers.amountCents, 0)))
    .orderBy(desc(bankTransfers.id))
    .limit(1);
  if (!sent) return 'Nothing has to be sent back for this order.';
  return `This is written down already: ${formatCents(-sent.amountCents)} was sent back on ${shownDate(sent.bookedOn)} (${sent.reference}).`;
}

async function told(tx: Tx, order: Order, received: number): Promise<string> {
  const { totalCents, refundedCents } = (await findOrder(order.id, tx)) ?? order;
  const left = outstandingCents({ totalCents, refundedCents, receivedCents: received });
  if (left === 0) return 'The transfer is written down. The order is paid.';
  if (left < 0)
    return `The transfer is written down. ${formatCents(-left)} too much is with us, to send back by hand.`;
  return `The transfer is written down. ${formatCents(left)} is still to be paid.`;
}

/**
 * Closes an unreleased order; money that came in must be sent back before.
 * @param organisationId absent for administrators
 * @throws {AppError} not_found, conflict
 */
export async function cancelBankOrder(
  by: { source: 'buyer' | 'admin'; organisationId?: number },
  orderId: number,
  why: string,
): Promise<{ message: string }> {
  return db().transaction(async (tx) => {
    const order = await lockBankOrder(tx, orderId);
    if (by.organisationId !== undefined && order.organisationId !== by.organisationId) throw missing();
    if (order.status === 'expired') return { message: 'The order is closed.' };
    if (order.status !== 'pending') {
      throw new AppError(
        'conflict',
        'The seats of this order are open already, so it cannot be canceled here.',
      );
    }
    const received = await receivedCents(tx, orderId);
    if (received > 0) {
      const message = `${formatCents(received)} came in for this order. It has to be sent back before the order is closed.`;
      throw new AppError('conflict', message);
    }
    const details = { why: `not wanted any more: ${why}` as const };
    await moveOrder(tx, order, 'expired', { type: 'expired', source: by.source, details });
    return { message: 'The order is closed.' };
  });
}

export const outstandingSql = sql`(orders.total_cents - orders.refunded_cents
  - coalesce((select sum(t.amount_cents) from bank_transfers t where t.order_id = orders.id), 0))`;

export const waitsForRelease = (): SQL => sql`(orders.payment = 'bank' and orders.status = 'pending')`;

export const isOutstanding = (): SQL =>
  sql`(orders.payment = 'bank' and orders.status in ('completed', 'partially_refunded')
    and ${outstandingSql} > 0)`;

/** SQL: orders with money to send back by hand. */
export const hasToSendBack = (): SQL =>
  sql`(orders.payment = 'bank' and orders.status in ('completed', 'partially_refunded', 'refunded')
    and ${outstandingSql} < 0)`;

const REMINDED_AT_ONCE = 200;

/** Reminds three times at most; then an administrator looks. @returns how many mails were queued */
export async function remindOverdue(): Promise<number> {
  const due = sql.join(
    REMINDER_DAYS.map((days, sent) => sql`when ${sent} then make_interval(days => ${days})`),
    sql` `,
  );
  const rows = await db()
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        isOutstanding(),
        lt(orders.remindersSent, REMINDER_DAYS.length),
        sql`orders.due_at + (case orders.reminders_sent ${due} end) <= now()`,
      ),
    )
    .orderBy(asc(orders.id))
    .limit(REMINDED_AT_ONCE);
  let sent = 0;
  for (const { id } of rows) {
    await db().transaction(async (tx) => {
      const order = await lockOrder(tx, id);
      const left = outstandingCents({ ...order, receivedCents: await receivedCents(tx, id) });
      const [still] = await tx
        .select({ id: orders.id })
        .from(orders)
        .where(and(inArray(orders.id, [id]), isOutstanding()));
      const dueAgain =
        order.dueAt!.getTime() + REMINDER_DAYS[order.remindersSent]! * 86_400_000 <= Date.now();
      if (!still || !dueAgain) return;
      const number = order.remindersSent + 1;
      await tx.update(orders).set({ remindersSent: number }).where(eq(orders.id, id));
      await mailOverdue(tx, order, left, number);
      await recordEvent(tx, id, {
        type: 'reminded',
        source: 'system',
        details: { number, outstandingCents: left },
      });
      if (number === REMINDER_DAYS.length) await flagOrder(tx, id, { kind: 'overdue' }, 'system');
      sent += 1;
    });
  }
  return sent;
}

export const remindOverdueJob: JobDefinition<z.ZodUndefined> = {
  name: 'store.remind-overdue',
  data: z.undefined(),
  retries: 3,
  retryDelaySeconds: 300,
  leaseSeconds: 300,
  cron: '40 6 * * *',
  run: async () => {
    await remindOverdue();
  },
};
