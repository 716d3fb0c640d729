import { randomUUID } from 'node:crypto';
import { and, asc, eq, gt, inArray, isNotNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor, type Tx } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { orders, refunds, withdrawals, withdrawalTokens } from '#db/schema/store.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { hashSecret, newSecret } from '#src/features/account/session.server.ts';
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
import {
  type decideWithdrawalCall,
  type lookUpWithdrawalCall,
  WITHDRAWAL_LINK_FAILED,
  type withdrawCall,
} from '#src/features/store/schema.ts';
import { sellsToEuConsumers } from '#src/server/eu-consumers.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { type JobDefinition, sendJob } from '#src/server/jobs.ts';
import { consume } from '#src/server/limits/rate-limit.ts';
import { log } from '#src/server/log.ts';
import { AppError } from '#src/shared/errors.ts';
import { centsToDecimal } from '#src/shared/money.ts';
import { begunLines, consentWording } from './consents.server.ts';
import { mailDeclined, mailWithdrawal, mailWithdrawalLink } from './withdrawal-mails.server.ts';
import { doubtOf, withdrawalEnd } from './withdrawals.ts';

type Row = typeof withdrawals.$inferSelect;
type Found = Extract<z.output<typeof lookUpWithdrawalCall.output>, { state: 'found' }>;
type LineState = Found['lines'][number]['state'];

/** Days that a mailed link to withdraw works. */
export const WITHDRAWAL_LINK_DAYS = 7;

/** Said whether or not there is such an order. */
const LINK_REQUESTED = `If an order with this number was made with this email, we have mailed a link to it. It works for ${WITHDRAWAL_LINK_DAYS} days; open it to go on.`;

type Proof = { reference?: string | undefined; token?: string | undefined; orderId?: number | undefined };
/** The account of whoever asks; null for a visitor. */
type Asker = { id: number } | null;
/** An order with the moment from which its withdrawal counts. */
type Contract = { order: Order; since: Date };

/** @throws {AppError} not_found where the firm does not sell to whom may withdraw */
function requireOffered(): void {
  if (!sellsToEuConsumers()) throw new AppError('not_found', 'Not found.');
}

/** The same for everything that proves nothing. */
const noSuchOrder = () =>
  new AppError(
    'not_found',
    'We found no such order. Copy the reference from your receipt, or ask for a link.',
  );

/** The right is one of consumers: what an organisation bought is refunded by agreement. */
function requireConsumer({ organisationId }: Order): void {
  if (organisationId === null) return;
  throw new AppError(
    'conflict',
    'An organisation bought this order, and the right of withdrawal is for consumers. Ask us for a refund instead: our contact page says how.',
  );
}

const isContract = (order: Order | null | undefined): order is Order =>
  Boolean(order && isFulfilled(order.status) && order.completedAt);

/**
 * The completed order that a caller has shown to be theirs. Number and email prove nothing: numbers are counted up, and
 * others know the email.
 */
async function findContract({ reference, token, orderId }: Proof, asker: Asker): Promise<Contract | null> {
  if (reference !== undefined) {
    const [order] = await db().select().from(orders).where(eq(orders.withdrawalReference, reference));
    return isContract(order) ? { order, since: new Date() } : null;
  }
  if (token !== undefined) {
    const [known] = await db()
      .select({ order: orders, since: withdrawalTokens.createdAt })
      .from(withdrawalTokens)
      .innerJoin(orders, eq(orders.id, withdrawalTokens.orderId))
      .where(usable(token));
    if (!known || !isContract(known.order)) throw new AppError('bad_request', WITHDRAWAL_LINK_FAILED);
    return known;
  }
  if (orderId === undefined || !asker) return null;
  const order = await findOrder(orderId);
  return isContract(order) && order.userId === asker.id ? { order, since: new Date() } : null;
}

const usable = (token: string) =>
  and(
    eq(withdrawalTokens.token, hashSecret(token)),
    eq(withdrawalTokens.used, false),
    gt(withdrawalTokens.expiresAt, sql`now()`),
  );

/** Mails the link to an order's address; does nothing where number and email do not belong together. */
export const mailWithdrawalLinkJob: JobDefinition<
  z.ZodObject<{ orderId: z.ZodNumber; email: z.ZodString; requestId: z.ZodString }>
> = {
  name: 'store.mail-withdrawal-link',
  data: z.object({ orderId: z.number().int(), email: z.string(), requestId: z.string() }),
  retries: 5,
  retryDelaySeconds: 5,
  leaseSeconds: 30,
  run: ({ orderId, email, requestId }) =>
    db().transaction(async (tx) => {
      const order = await findOrder(orderId, tx);
      if (!isContract(order) || !(await isAddressOf(tx, order, email))) return;
      const secret = newSecret();
      await tx.insert(withdrawalTokens).values({
        orderId,
        token: hashSecret(secret),
        expiresAt: new Date(Date.now() + WITHDRAWAL_LINK_DAYS * 86_400_000),
      });
      await mailWithdrawalLink(tx, order, email, secret, requestId);
    }),
};

/** Whether an order was bought with an address, or is in the account that has it. */
async function isAddressOf(tx: Tx, { buyerEmail, userId }: Order, email: string): Promise<boolean> {
  if (buyerEmail === email) return true;
  if (userId === null) return false;
  const [owner] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.email, email), isNotNull(users.emailVerifiedAt)));
  return owner !== undefined;
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
 * The lines of an order, and which of them its buyer may withdraw from. Where nothing but its number and email are given,
 * a background job looks whether to mail a link, so that the answer and its time tell nothing.
 *
 * @throws {AppError} not_found for a reference that is none, and where the site does not offer it; bad_request for a link
 *   that does not work; invalid_input; too_many_requests
 */
export async function lookUpWithdrawal(
  { email, ...proof }: z.output<NonNullable<typeof lookUpWithdrawalCall.input>>,
  asker: Asker,
): Promise<z.output<typeof lookUpWithdrawalCall.output>> {
  requireOffered();
  const contract = await findContract(proof, asker);
  if (!contract) {
    if (proof.reference !== undefined) throw noSuchOrder();
    const fields = {
      ...(proof.orderId === undefined ? { orderId: 'Order number is required' } : {}),
      ...(email === undefined ? { email: 'Please enter a valid email address' } : {}),
    };
    const [missing] = Object.values(fields);
    if (missing) throw new AppError('invalid_input', missing, { fields });
    await consume('withdrawal-email', hashSecret(email!));
    await sendJob(db(), mailWithdrawalLinkJob, {
      orderId: proof.orderId!,
      email: email!,
      requestId: randomUUID(),
    });
    return { state: 'mailed', message: LINK_REQUESTED };
  }
  const { order } = contract;
  requireConsumer(order);
  const orderId = order.id;
  const [lines, rows, back, begun] = await Promise.all([
    itemsOf(orderId),
    rowsOf(orderId, db()),
    liveRefunds(orderId, db()),
    begunLines(order, db()),
  ]);
  return {
    state: 'found',
    orderId,
    until: withdrawalEnd(order.completedAt!).toISOString(),
    lines: lines.map((line) => ({
      itemId: line.id,
      title: line.title,
      price: centsToDecimal(line.priceCents),
      state: lineState(line, rows, back),
      why: begun.has(line.id) ? consentWording()!.begun : null,
    })),
  };
}

/**
 * Takes in a withdrawal (decision 99). What is clear is paid back by a background job; what is in doubt waits for an
 * administrator. The receipt is mailed in either case. A line that is withdrawn from again stays as it is.
 *
 * @throws {AppError} not_found without proof, for lines of another order, and where the site does not offer it; bad_request
 *   for a link that does not work; conflict where nothing can be withdrawn from; too_many_requests
 */
export async function withdraw(
  { name, country, itemIds, ...proof }: z.output<NonNullable<typeof withdrawCall.input>>,
  asker: Asker,
): Promise<z.output<typeof withdrawCall.output>> {
  requireOffered();
  const contract = await findContract(proof, asker);
  if (!contract) throw noSuchOrder();
  requireConsumer(contract.order);
  const { since } = contract;
  const orderId = contract.order.id;
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      // Two at once come one after the other, and the second finds the first one's rows.
      const order = await lockOrder(tx, orderId);
      const lines = (await itemsOf(orderId, tx)).filter(({ id }) => itemIds.includes(id));
      if (lines.length < new Set(itemIds).size)
        throw new AppError('not_found', 'There is no such order line.');
      if (proof.token !== undefined) await spendLink(tx, proof.token);
      const email = order.buyerEmail || (await addressOf(tx, order.userId));
      const before = await rowsOf(orderId, tx);
      const back = await liveRefunds(orderId, tx);
      const open = lines.filter((line) => lineState(line, before, back) === null);
      if (open.length === 0) return answerAgain(lines, before);
      const begun = await begunLines(order, tx);
      const now = new Date();
      const made = await tx
        .insert(withdrawals)
        .values(
          open.map((line) => {
            const doubt = doubtOf({
              contractAt: order.completedAt!,
              // Whoever asked for the link in time is not late because of the mail.
              now: since,
              isDisputed: order.status === 'disputed',
              // Money without a line may have been meant for this one.
              isPartlyRefunded: back.some(({ itemId }) => itemId === line.id || itemId === null),
              isBegun: begun.has(line.id),
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

/** A link serves one withdrawal: of two uses at once the second finds it used. */
async function spendLink(tx: Tx, token: string): Promise<void> {
  const [used] = await tx
    .update(withdrawalTokens)
    .set({ used: true })
    .where(usable(token))
    .returning({ id: withdrawalTokens.id });
  if (!used) throw new AppError('bad_request', WITHDRAWAL_LINK_FAILED);
}

/** The account's address, for an order that was paid past our page. */
async function addressOf(tx: Tx, userId: number | null): Promise<string> {
  if (userId === null) return '';
  const [owner] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  return owner?.email ?? '';
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
