import { and, asc, eq, exists, gt, inArray, isNull, ne, or, sql } from 'drizzle-orm';
import { db, type Executor, type Tx } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { claimTokens, orderItems, orders } from '#db/schema/store.ts';
import { cookieName, cookieOptions, hashSecret, newSecret } from '#src/features/account/session.server.ts';
import { env } from '#src/server/start/env.ts';
import type { Order } from '#src/features/store/orders/orders.server.ts';

/** The cookie's secret proves that this browser made a guest's order (decision 25). */
export const CLAIM_COOKIE = 'purchase';
/** As long as an order can stay unpaid. */
const CLAIM_COOKIE_HOURS = 24;
/** Decision 25. */
export const CLAIM_LINK_DAYS = 7;

/** Fulfilled states; parts may be left even after refunds. */
export const CLAIMABLE = ['completed', 'partially_refunded', 'refunded', 'disputed'] as const;

/** First half of the advisory lock of a guest's address or secret. */
const GUEST_LOCK = 727_106_011;

/**
 * Every transaction takes the store's locks in this order and may leave some out: account row (`holdAccount`), guest
 * (this one), order rows by id (`lockOrder`),
 * buyers by id (`lockBuyer`), coupon row, enrollments and courses by course, invoice counter. Deleting a person takes
 * the buyer before the row: a deletion waits for all references.
 * @param name the normalised email, or the hash of the claim secret
 */
export function lockGuest(name: string) {
  return sql`select pg_advisory_xact_lock(${GUEST_LOCK}, hashtext(${name}))`;
}

type CookieJar = {
  get: (name: string) => { value: string } | undefined;
  set: (name: string, value: string, options: Record<string, unknown>) => void;
};

export function readClaimCookie(cookies: Pick<CookieJar, 'get'>): string | null {
  const value = cookies.get(cookieName(CLAIM_COOKIE))?.value;
  return value && /^[\w-]{43}$/.test(value) ? value : null;
}

export function keepClaimCookie(cookies: CookieJar): string {
  const secret = readClaimCookie(cookies) ?? newSecret();
  cookies.set(cookieName(CLAIM_COOKIE), secret, { ...cookieOptions(), maxAge: CLAIM_COOKIE_HOURS * 3600 });
  return secret;
}

/** Fulfilled orders without an account that still give something, oldest first. */
export function unclaimedOrders(email: string, executor: Executor = db()): Promise<Order[]> {
  const keptLine = executor
    .select({ id: orderItems.id })
    .from(orderItems)
    .where(and(eq(orderItems.orderId, orders.id), isNull(orderItems.refundedAt)));
  return executor
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.buyerEmail, email),
        isNull(orders.userId),
        inArray(orders.status, [...CLAIMABLE]),
        or(ne(orders.status, 'refunded'), exists(keptLine)),
      ),
    )
    .orderBy(asc(orders.id));
}

/** Resumed instead of being paid twice (fault P21). */
export async function boughtHere(
  executor: Executor,
  secretHash: string,
  courseId: number,
): Promise<Order | null> {
  const [found] = await executor
    .select({ order: orders })
    .from(orders)
    .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
    .where(
      and(
        eq(orders.claimSecretHash, secretHash),
        isNull(orders.userId),
        inArray(orders.status, [...CLAIMABLE]),
        eq(orderItems.courseId, courseId),
        isNull(orderItems.refundedAt),
      ),
    )
    .limit(1);
  return found?.order ?? null;
}

/**
 * Courses bought under the signed-in account's address that wait for its proof; never asked for others (decision 56).
 */
export async function waitingCourses(email: string, courseIds: readonly number[]): Promise<Set<number>> {
  if (courseIds.length === 0) return new Set();
  const rows = await db()
    .selectDistinct({ id: orderItems.courseId })
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .where(
      and(
        eq(orders.buyerEmail, email),
        isNull(orders.userId),
        inArray(orders.status, [...CLAIMABLE]),
        inArray(orderItems.courseId, [...courseIds]),
        isNull(orderItems.refundedAt),
      ),
    );
  return new Set(rows.map(({ id }) => id));
}

export async function findVerifiedAccount(
  executor: Executor,
  email: string,
): Promise<typeof users.$inferSelect | null> {
  const [user] = await executor
    .select()
    .from(users)
    .where(and(eq(users.email, email), sql`${users.emailVerifiedAt} is not null`));
  return user ?? null;
}

/** Older links work until one is used; the database has only the hash. */
export async function issueClaimLink(tx: Tx, orderId: number): Promise<string> {
  const secret = newSecret();
  await tx.insert(claimTokens).values({
    orderId,
    token: hashSecret(secret),
    expiresAt: new Date(Date.now() + CLAIM_LINK_DAYS * 86_400_000),
  });
  // From the configured address alone (fault A13).
  const url = new URL('/claim', env().siteUrl);
  url.searchParams.set('token', secret);
  return url.href;
}

export async function findClaimToken(
  token: string,
  executor: Executor = db(),
): Promise<{ order: Order; usable: boolean } | null> {
  const [row] = await executor
    .select({
      order: orders,
      usable: sql<boolean>`${and(eq(claimTokens.used, false), gt(claimTokens.expiresAt, sql`now()`))}`,
    })
    .from(claimTokens)
    .innerJoin(orders, eq(orders.id, claimTokens.orderId))
    .where(eq(claimTokens.token, hashSecret(token)));
  return row ?? null;
}
