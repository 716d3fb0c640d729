import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor, type Tx } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { refunds, withdrawals } from '#db/schema/store.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { hashSecret } from '#src/features/account/session.server.ts';
import { isFulfilled } from '#src/features/store/orders/orders.ts';
import {
  findOrder,
  itemsOf,
  lockOrder,
  type Order,
  type OrderItem,
  recordEvent,
} from '#src/features/store/orders/orders.server.ts';
import { refundLine } from '#src/features/store/refunds/refunds.server.ts';
import type { decideWithdrawalCall, lookUpWithdrawalCall, withdrawCall } from '#src/features/store/schema.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { type JobDefinition, sendJob } from '#src/server/jobs.ts';
import { consume } from '#src/server/limits/rate-limit.ts';
import { log } from '#src/server/log.ts';
import { AppError } from '#src/shared/errors.ts';
import { centsToDecimal } from '#src/shared/money.ts';
import { mailDeclined, mailWithdrawal } from './withdrawal-mails.server.ts';
import { doubtOf, withdrawalEnd } from './withdrawals.ts';

type Row = typeof withdrawals.$inferSelect;
type LineState = z.output<typeof lookUpWithdrawalCall.output>['lines'][number]['state'];

/** The same for a number that there is not, another's number and an order that was never paid. */
const noSuchOrder = () =>
  new AppError('not_found', 'We found no order with this number and email. Your receipt shows both.');

/** A completed order by its number and an address of its buyer: the one it was bought with, or the account's. */
async function findContract(orderId: number, email: string): Promise<Order> {
  await consume('withdrawal-email', hashSecret(email));
  const order = await findOrder(orderId);
  if (!order || !isFulfilled(order.status) || !order.completedAt) throw noSuchOrder();
  if (order.buyerEmail === email) return order;
  if (order.userId === null) throw noSuchOrder();
  const [owner] = await db().select({ email: users.email }).from(users).where(eq(users.id, order.userId));
  if (owner?.email !== email) throw noSuchOrder();
  return order;
}

const liveRefunds = (orderId: number, executor: Executor) =>
  executor
    .select({ itemId: refunds.orderItemId, cents: refunds.amountCents })
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), inArray(refunds.status, ['pending', 'succeeded'])));

const rowsOf = (orderId: number, executor: Executor): Promise<Row[]> =>
  executor.select().from(withdrawals).where(eq(withdrawals.orderId, orderId)).orderBy(asc(withdrawals.id));

/** Why a line cannot be withdrawn from any more; null where it can. */
function lineState(
  line: OrderItem,
  rows: readonly Row[],
  back: Awaited<ReturnType<typeof liveRefunds>>,
): LineState {
  const row = rows.find(({ orderItemId }) => orderItemId === line.id);
  if (row) return row.state;
  if (line.priceCents === 0) return 'free';
  const cents = back.filter(({ itemId }) => itemId === line.id).reduce((sum, one) => sum + one.cents, 0);
  return line.refundedAt !== null || cents >= line.priceCents ? 'paid_back' : null;
}

/**
 * The lines of an order, and which of them its buyer may withdraw from.
 *
 * @throws {AppError} not_found for every pair that is not an order's; too_many_requests
 */
export async function lookUpWithdrawal({
  orderId,
  email,
}: {
  orderId: number;
  email: string;
}): Promise<z.output<typeof lookUpWithdrawalCall.output>> {
  const order = await findContract(orderId, email);
  const [lines, rows, back] = await Promise.all([
    itemsOf(orderId),
    rowsOf(orderId, db()),
    liveRefunds(orderId, db()),
  ]);
  return {
    orderId,
    until: withdrawalEnd(order.completedAt!).toISOString(),
    lines: lines.map((line) => ({
      itemId: line.id,
      title: line.title,
      price: centsToDecimal(line.priceCents),
      state: lineState(line, rows, back),
    })),
  };
}

/**
 * Takes in a withdrawal (decision 99). What is clear is paid back by a background job; what is in doubt waits for an
 * administrator. The receipt is mailed in either case. A line that is withdrawn from again stays as it is.
 *
 * @throws {AppError} not_found for every pair that is not an order's, and for lines of another order; conflict where
 *   nothing can be withdrawn from; too_many_requests
 */
export async function withdraw({
  orderId,
  email,
  name,
  country,
  itemIds,
}: z.output<NonNullable<typeof withdrawCall.input>>): Promise<z.output<typeof withdrawCall.output>> {
  await findContract(orderId, email);
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      // Two at once come one after the other, and the second finds the first one's rows.
      const order = await lockOrder(tx, orderId);
      const lines = (await itemsOf(orderId, tx)).filter(({ id }) => itemIds.includes(id));
      if (lines.length < new Set(itemIds).size)
        throw new AppError('not_found', 'There is no such order line.');
      const before = await rowsOf(orderId, tx);
      const back = await liveRefunds(orderId, tx);
      const open = lines.filter((line) => lineState(line, before, back) === null);
      if (open.length === 0) return answerAgain(lines, before);
      const now = new Date();
      const made = await tx
        .insert(withdrawals)
        .values(
          open.map((line) => {
            const doubt = doubtOf({
              contractAt: order.completedAt!,
              now,
              isOrganisation: order.organisationId !== null,
              isDisputed: order.status === 'disputed',
              // Money without a line may have been meant for this one.
              isPartlyRefunded: back.some(({ itemId }) => itemId === line.id || itemId === null),
            });
            return {
              orderId,
              orderItemId: line.id,
              name,
              email,
              country,
              doubt,
              state: doubt ? ('open' as const) : ('granted' as const),
              madeAt: now,
            };
          }),
        )
        .returning();
      for (const granted of [true, false]) {
        const ids = made.filter(({ doubt }) => (doubt === null) === granted).map((row) => row.orderItemId);
        if (ids.length === 0) continue;
        await recordEvent(tx, orderId, {
          type: 'withdrawn',
          source: 'buyer',
          details: { itemIds: ids, granted },
        });
        if (!granted) continue;
        for (const itemId of ids) await sendJob(tx, refundWithdrawnJob, { orderId, itemId });
      }
      await mailWithdrawal(tx, order, open, made);
      const isOpen = made.some(({ state }) => state === 'open');
      return {
        state: isOpen ? ('open' as const) : ('granted' as const),
        madeAt: now.toISOString(),
        message: isOpen
          ? 'We have your withdrawal. One of us looks at it and writes to you.'
          : 'You have withdrawn. The price goes back to the card you paid with, and the access ends.',
      };
    }),
  );
}

/** What is said where every line was withdrawn from already; a line that cannot be is said to be so. */
function answerAgain(
  lines: readonly OrderItem[],
  rows: readonly Row[],
): z.output<typeof withdrawCall.output> {
  const theirs = rows.filter(({ orderItemId }) => lines.some(({ id }) => id === orderItemId));
  const [first] = theirs;
  if (!first) {
    throw new AppError(
      'conflict',
      'There is nothing to pay back: this cost nothing, or its price has gone back already.',
    );
  }
  const isOpen = theirs.some(({ state }) => state === 'open');
  const isGranted = theirs.every(({ state }) => state === 'granted');
  return {
    state: isOpen ? 'open' : isGranted ? 'granted' : 'decided',
    madeAt: first.madeAt.toISOString(),
    message: 'You have withdrawn from this already. We mailed you the receipt then.',
  };
}

/** Pays back one line whose buyer withdrew, with the end of its access. */
export const refundWithdrawnJob: JobDefinition<z.ZodObject<{ orderId: z.ZodNumber; itemId: z.ZodNumber }>> = {
  name: 'store.refund-withdrawn',
  data: z.object({ orderId: z.number().int(), itemId: z.number().int() }),
  retries: 10,
  retryDelaySeconds: 30,
  leaseSeconds: 120,
  run: async ({ orderId, itemId }) => {
    try {
      await refundLine(orderId, itemId, { reason: 'withdrawal', endsAccess: true, source: 'buyer' });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
      // The provider's refusal is flagged for the administrators; asking on would only repeat it.
      log.warn({ err: error, orderId, itemId }, 'a line that was withdrawn from was not paid back');
    }
  },
};

async function takeOpen(tx: Tx, id: number): Promise<{ row: Row; order: Order; line: OrderItem }> {
  const [known] = await tx.select().from(withdrawals).where(eq(withdrawals.id, id));
  if (!known) throw new AppError('not_found', 'There is no such withdrawal.');
  const order = await lockOrder(tx, known.orderId);
  const [row] = await tx.select().from(withdrawals).where(eq(withdrawals.id, id));
  if (row?.state !== 'open') throw new AppError('conflict', 'This withdrawal is decided already.');
  const line = (await itemsOf(order.id, tx)).find((item) => item.id === row.orderItemId)!;
  return { row, order, line };
}

/**
 * Decides a withdrawal in doubt, audited: what is accepted is paid back with the end of the access, what is declined is
 * mailed with the reason.
 *
 * @throws {AppError} not_found; conflict where it is decided already
 */
export function decideWithdrawal(
  id: number,
  input: z.output<NonNullable<typeof decideWithdrawalCall.input>>,
  actor: Actor,
): Promise<{ message: string }> {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const { row, order, line } = await takeOpen(tx, id);
      const accepts = input.decision === 'accept';
      const reason = accepts ? '' : input.reason;
      await tx
        .update(withdrawals)
        .set({
          state: accepts ? 'accepted' : 'declined',
          decidedAt: sql`now()`,
          decidedBy: actor.id,
          reason,
        })
        .where(eq(withdrawals.id, id));
      const by = { source: 'admin', actorId: actor.id } as const;
      if (accepts) {
        await recordEvent(tx, order.id, {
          type: 'withdrawal_accepted',
          ...by,
          details: { itemId: line.id },
        });
        await sendJob(tx, refundWithdrawnJob, { orderId: order.id, itemId: line.id });
      } else {
        await recordEvent(tx, order.id, {
          type: 'withdrawal_declined',
          ...by,
          details: { itemId: line.id, reason },
        });
        await mailDeclined(tx, order, line, { ...row, reason });
      }
      await recordAudit(tx, actor, {
        action: accepts ? 'order.withdrawal_accepted' : 'order.withdrawal_declined',
        subjectType: 'order',
        subjectId: order.id,
        ...(reason ? { reason } : {}),
        details: { order: order.id, title: line.title },
      });
      return {
        message: accepts
          ? `“${line.title}” is paid back, and its access ends.`
          : 'The withdrawal is declined, and its buyer gets your reason by mail.',
      };
    }),
  );
}
