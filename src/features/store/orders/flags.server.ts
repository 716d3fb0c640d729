import { and, asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { db, type Executor, type Tx } from '#db/client.ts';
import { orderFlags, orders } from '#db/schema/store.ts';
import type { Source } from './order-events.ts';
import { recordEvent } from './orders.server.ts';

type FlagKind = (typeof orderFlags.$inferSelect)['kind'];

const SENTENCES: Record<FlagKind, (subject: string) => string> = {
  payment_mismatch: (reason) => reason,
  paid_twice: (intent) => `was paid with ${intent} besides its own payment`,
  without_buyer: () => 'paid without a name and an email',
  coupon_used_by_address: () => 'its coupon was used with the same email address before',
  coupon_used_by_account: () => 'its coupon was used by the same account before',
  bought_twice: () => 'bought what the buyer owned already; refunded automatically',
  refunded_unfulfilled: () => 'refunded at the provider without having been completed',
  refund_failed: (refund) => `refund ${refund} failed and the buyer was not paid`,
  refund_unclear: (refund) => `refund ${refund} fits several lines; access was kept`,
  refund_returned: (refund) => `refund ${refund} came back; the buyer was not paid`,
  refund_refused: (refund) => `the provider refused refund ${refund} of this order`,
  overdue: () => 'its invoice is overdue, and three reminders were mailed',
  refund_asked: () => 'the buyer asks for the money back',
  other: (text) => text,
};

export const flagText = (kind: FlagKind, subject: string): string => SENTENCES[kind](subject);

export const isFlagged = (): SQL =>
  inArray(
    orders.id,
    db().select({ id: orderFlags.orderId }).from(orderFlags).where(isNull(orderFlags.settledAt)),
  );

export async function openFlags(
  orderIds: readonly number[],
  executor: Executor = db(),
): Promise<Map<number, string[]>> {
  if (orderIds.length === 0) return new Map();
  const rows = await executor
    .select()
    .from(orderFlags)
    .where(and(inArray(orderFlags.orderId, [...orderIds]), isNull(orderFlags.settledAt)))
    .orderBy(asc(orderFlags.id));
  const texts = new Map<number, string[]>();
  for (const { orderId, kind, subject } of rows) {
    texts.set(orderId, [...(texts.get(orderId) ?? []), flagText(kind, subject)]);
  }
  return texts;
}

export const flagLine = (texts: readonly string[] | undefined): string | null => texts?.join('; ') ?? null;

const touch = (tx: Tx, orderId: number) =>
  tx.update(orders).set({ updatedAt: sql`now()` }).where(eq(orders.id, orderId));

/** A repeat of an open mark writes nothing. @returns whether the mark is new */
export async function flagOrder(
  tx: Tx,
  orderId: number,
  { kind, subject = '' }: { kind: FlagKind; subject?: string },
  source: Source,
): Promise<boolean> {
  const [made] = await tx
    .insert(orderFlags)
    .values({ orderId, kind, subject })
    .onConflictDoNothing()
    .returning({ id: orderFlags.id });
  if (!made) return false;
  await touch(tx, orderId);
  await recordEvent(tx, orderId, { type: 'flagged', source, details: { flag: flagText(kind, subject) } });
  return true;
}

/**
 * @param kind all where absent
 * @param by what settled them, and which administrator
 * @returns the settled marks
 */
export async function settleFlags(
  tx: Tx,
  orderId: number,
  by: { note: string; source: Source; actorId?: number | null; kind?: FlagKind },
): Promise<string | null> {
  const settled = await tx
    .update(orderFlags)
    .set({ settledAt: sql`now()`, settledBy: by.actorId ?? null, note: by.note })
    .where(
      and(
        eq(orderFlags.orderId, orderId),
        isNull(orderFlags.settledAt),
        by.kind && eq(orderFlags.kind, by.kind),
      ),
    )
    .returning();
  if (settled.length === 0) return null;
  const flag = settled
    .toSorted((one, other) => one.id - other.id)
    .map(({ kind, subject }) => flagText(kind, subject))
    .join('; ');
  await touch(tx, orderId);
  await recordEvent(tx, orderId, {
    type: 'flag_cleared',
    source: by.source,
    actorId: by.actorId ?? null,
    details: { flag, note: by.note },
  });
  return flag;
}
