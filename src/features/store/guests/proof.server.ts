import { timingSafeEqual } from 'node:crypto';
import { and, asc, desc, eq, exists, isNotNull, isNull, ne, not, sql } from 'drizzle-orm';
import { db, type Tx } from '#db/client.ts';
import { orderItems, orders } from '#db/schema/store.ts';
import { type CurrentUser, hashSecret } from '#src/features/account/session.server.ts';
import { findIntent } from '#src/features/store/orders/fulfil.server.ts';
import {
  findOrderByIntent,
  isGoingBack,
  type Order,
  type OrderItem,
} from '#src/features/store/orders/orders.server.ts';

export const LINK_REQUESTED =
  'If there is a purchase with this email address that is not in an account yet, we have sent a link to it.';

export type Proof = {
  intentId?: string | undefined;
  clientSecret?: string | undefined;
  claimSecret?: string | null | undefined;
};

export async function proves(proof: Proof, order: Order): Promise<boolean> {
  if (proof.claimSecret && order.claimSecretHash === hashSecret(proof.claimSecret)) return true;
  const { stripePaymentIntentId: intentId } = order;
  if (!proof.clientSecret || !intentId || proof.intentId !== intentId) return false;
  const intent = await findIntent(intentId);
  const [given, known] = [proof.clientSecret, intent?.client_secret ?? ''].map((text) => Buffer.from(text));
  return known!.length > 0 && given!.length === known!.length && timingSafeEqual(given!, known!);
}

/** @returns 'forged' where a payment is named and not proven */
export async function findProven(proof: Proof): Promise<Order | 'forged' | null> {
  if (proof.intentId) {
    const order = await findOrderByIntent(proof.intentId);
    return order && (await proves(proof, order)) ? order : 'forged';
  }
  return proof.claimSecret ? lastOrder(eq(orders.claimSecretHash, hashSecret(proof.claimSecret))) : null;
}

export async function lastOrder(which: ReturnType<typeof eq>, courseId?: number): Promise<Order | null> {
  const withCourse = (id: number) =>
    exists(
      db()
        .select({ one: sql`1` })
        .from(orderItems)
        .where(and(eq(orderItems.orderId, orders.id), eq(orderItems.courseId, id))),
    );
  const [order] = await db()
    .select()
    .from(orders)
    .where(
      and(which, ne(orders.status, 'expired'), courseId === undefined ? undefined : withCourse(courseId)),
    )
    .orderBy(desc(isNotNull(orders.completedAt)), desc(orders.id))
    .limit(1);
  return order ?? null;
}

export function openLines(order: Order, executor: Tx | ReturnType<typeof db> = db()): Promise<OrderItem[]> {
  return executor
    .select()
    .from(orderItems)
    .where(and(eq(orderItems.orderId, order.id), isNull(orderItems.refundedAt), not(isGoingBack(orderItems))))
    .orderBy(asc(orderItems.courseId));
}

export type Visitor = Pick<CurrentUser, 'id' | 'email' | 'emailVerified'>;
