import { eq } from 'drizzle-orm';
import type { db, Tx } from '#db/client.ts';
import { type UserRow, users } from '#db/schema/account.ts';
import { orders } from '#db/schema/store.ts';
import { hashSecret } from '#src/features/account/session.server.ts';
import type { Bought, Purchase } from './purchase.ts';
import { AppError } from '#src/shared/errors.ts';
import { centsToDecimal } from '#src/shared/money.ts';
import { fulfil, lookAtPayment, wasTried } from '#src/features/store/orders/fulfil.server.ts';
import { isFulfilled } from '#src/features/store/orders/orders.ts';
import {
  findOrder,
  findOrderByIntent,
  itemsOf,
  type Order,
} from '#src/features/store/orders/orders.server.ts';
import { unpaidMessage } from '#src/features/store/checkout/payment-messages.ts';
import {
  type Proof,
  type Visitor,
  lastOrder,
  openLines,
  proves,
} from '#src/features/store/guests/proof.server.ts';

/**
 * Changes nothing, and never reveals whether the address has an account.
 * @param proof from the address and the cookies
 */
export function readPurchase(user: Visitor | null, proof: Proof, courseId: number | null): Promise<Purchase> {
  return seePurchase(user, proof, courseId, lookAtPayment);
}

export function finishPurchase(
  user: Visitor | null,
  proof: Proof,
  courseId: number | null,
): Promise<Purchase> {
  return seePurchase(user, proof, courseId, ({ id }) => fulfil({ orderId: id }, 'confirm'));
}

async function seePurchase(
  user: Visitor | null,
  proof: Proof,
  courseId: number | null,
  ask: typeof lookAtPayment,
): Promise<Purchase> {
  let order: Order | null = null;
  try {
    order = await findForPage(user, proof, courseId);
    if (!order) return { state: 'nothing' };
    const outcome = await ask(order);
    if (outcome.kind === 'paid') return { state: 'paid' };
    if (outcome.kind === 'unpaid') {
      if (outcome.intentStatus === 'processing') return { state: 'processing' };
      if (!wasTried(outcome)) return { state: 'unpaid' };
      return { state: 'failed', message: unpaidMessage(outcome.intentStatus, true) };
    }
    if (outcome.kind !== 'completed') return { state: 'unclear', orderId: order.id };
    order = outcome.order;
  } catch (error) {
    if (!(error instanceof AppError) || error.status < 500) throw error;
    return { state: 'unclear', orderId: order?.id ?? null };
  }
  if (order.userId !== null && order.userId !== user?.id) {
    return { state: 'claimed', email: order.buyerEmail };
  }
  const bought = await boughtOf(order);
  if (!bought) {
    // What an account owns is private: the page is as for any account.
    const isTwice = order.userId === null && (await itemsOf(order.id)).some((item) => item.boughtTwice);
    return isTwice ? { state: 'claimed', email: order.buyerEmail } : { state: 'returned' };
  }
  if (order.userId !== null) return { state: 'mine', ...bought };
  return {
    state: 'guest',
    ...bought,
    next: nextStep(order, user),
    email: order.buyerEmail,
    firstName: order.buyerFirstName,
    lastName: order.buyerLastName,
  };
}

async function boughtOf(order: Order): Promise<Bought | null> {
  const lines = await openLines(order);
  if (lines.length === 0) return null;
  return {
    orderId: order.id,
    courses: lines.map((item) => ({ id: item.courseId, title: item.title })),
    total: centsToDecimal(order.totalCents),
    invoiceNumber: order.invoiceNumber,
  };
}

/** Null for an order that is unpaid, paid back or not their own. */
export async function findBought(userId: number, orderId: number | null): Promise<Bought | null> {
  const order = orderId === null ? null : await findOrder(orderId);
  const isOwn = order?.userId === userId && order.organisationId === null && isFulfilled(order.status);
  return isOwn ? boughtOf(order) : null;
}

function nextStep(order: Order, user: Visitor | null): 'add' | 'create' | 'mail' {
  if (user?.emailVerified) return 'add';
  return isFree(order) || user?.email === order.buyerEmail ? 'mail' : 'create';
}

/** Without a payment only the mailbox proves the buyer; no answer may reveal an account. */
export const isFree = (order: Order) => order.totalCents === 0;

async function findForPage(
  user: Visitor | null,
  proof: Proof,
  courseId: number | null,
): Promise<Order | null> {
  if (proof.intentId) {
    const order = await findOrderByIntent(proof.intentId);
    if (!order) return null;
    const isTheirs = user !== null && order.userId === user.id;
    return isTheirs || (await proves(proof, order)) ? order : null;
  }
  const own = user && courseId !== null ? await lastOrder(eq(orders.userId, user.id), courseId) : null;
  if (own?.completedAt || !proof.claimSecret) return own;
  const made = eq(orders.claimSecretHash, hashSecret(proof.claimSecret));
  return (await lastOrder(made, courseId ?? undefined)) ?? own;
}

export async function findAccount(
  executor: Tx | ReturnType<typeof db>,
  email: string,
): Promise<UserRow | null> {
  const [user] = await executor.select().from(users).where(eq(users.email, email));
  return user ?? null;
}
