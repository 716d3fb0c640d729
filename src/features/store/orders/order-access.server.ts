import { and, asc, eq, gt, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { db, type Executor } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { organisationMembers } from '#db/schema/organisations.ts';
import { orderKeys, orders } from '#db/schema/store.ts';
import { greeting } from '#src/shared/names.ts';
import { orderGreeting } from './order-greeting.server.ts';
import { type CurrentUser, hashSecret, newSecret } from '#src/features/account/session.server.ts';
import { env } from '#src/server/start/env.ts';
import { MAX_ID } from '#src/shared/fields.ts';
import { readClaimCookie } from '#src/features/store/guests/guests.server.ts';
import { orderPath } from './order-paths.ts';
import { findOrder, type Order } from './orders.server.ts';

/** Longer than the year in which receipts are asked for; claiming has no end (decision 26). */
export const ORDER_LINK_DAYS = 400;
const linksEnd = sql`now() - make_interval(days => ${ORDER_LINK_DAYS})`;

export type OrderVisitor = {
  user: Pick<CurrentUser, 'id' | 'role'> | null;
  key: string | null;
  claimSecret: string | null;
};

export function orderVisitor(context: {
  url: URL;
  locals: { user: OrderVisitor['user'] };
  cookies: Parameters<typeof readClaimCookie>[0];
}): OrderVisitor {
  const key = context.url.searchParams.get('token');
  return {
    user: context.locals.user,
    key: key && /^[\w-]{43}$/.test(key) ? key : null,
    claimSecret: readClaimCookie(context.cookies),
  };
}

/**
 * Visible to administrators, the owner, readers of the mailed link, and the guest's browser until it is claimed; an
 * organisation's to those who run it. Null for others.
 */
export async function findVisibleOrder(id: string | undefined, visitor: OrderVisitor): Promise<Order | null> {
  if (!id || !/^[1-9]\d{0,9}$/.test(id) || Number(id) > MAX_ID) return null;
  const order = await findOrder(Number(id));
  if (!order) return null;
  const { user, key, claimSecret } = visitor;
  if (user?.role === 'admin') return order;
  if (order.organisationId !== null) {
    return user && (await runs(db(), user.id, order.organisationId)) ? order : null;
  }
  if (user && order.userId === user.id) return order;
  if (order.userId === null && claimSecret && order.claimSecretHash === hashSecret(claimSecret)) return order;
  if (!key) return null;
  const [known] = await db()
    .select({ orderId: orderKeys.orderId })
    .from(orderKeys)
    .where(
      and(
        eq(orderKeys.keyHash, hashSecret(key)),
        eq(orderKeys.orderId, order.id),
        gt(orderKeys.createdAt, linksEnd),
      ),
    );
  return known ? order : null;
}

async function runs(executor: Executor, userId: number, organisationId: number): Promise<boolean> {
  const [member] = await executor
    .select({ userId: organisationMembers.userId })
    .from(organisationMembers)
    .where(
      and(eq(organisationMembers.organisationId, organisationId), eq(organisationMembers.userId, userId)),
    );
  return member !== undefined;
}

export const isStillTheirs = (userId: SQLWrapper): SQL =>
  sql`(${orders.organisationId} is null or exists (
    select from organisation_members m
    where m.organisation_id = ${orders.organisationId} and m.user_id = ${userId}))`;

/**
 * The buyer; of an organisation's order only while they run it, then its owners.
 * @returns `key` distinguishes the mails of one occasion
 */
export async function readersOf(
  executor: Executor,
  order: Pick<Order, 'id' | 'userId' | 'organisationId' | 'buyerEmail' | 'buyerFirstName'>,
): Promise<{ to: string; hello: string; key: string }[]> {
  const { userId, organisationId, buyerEmail } = order;
  if (
    organisationId === null ||
    (userId !== null && buyerEmail && (await runs(executor, userId, organisationId)))
  ) {
    return buyerEmail ? [{ to: buyerEmail, hello: await orderGreeting(executor, order), key: '' }] : [];
  }
  const owners = await executor
    .select({ email: users.email })
    .from(organisationMembers)
    .innerJoin(users, eq(users.id, organisationMembers.userId))
    .where(and(eq(organisationMembers.organisationId, organisationId), eq(organisationMembers.role, 'owner')))
    .orderBy(asc(users.id));
  const hello = greeting(null, false);
  return owners.map(({ email }, index) => ({ to: email, hello, key: index === 0 ? '' : `:${email}` }));
}

export async function sweepOrderLinks(): Promise<void> {
  await db().delete(orderKeys).where(lt(orderKeys.createdAt, linksEnd));
}

/** A guest's link holds a secret of which the database has the hash; an account's asks for the sign-in. */
export async function issueOrderLink(
  executor: Executor,
  order: Order,
): Promise<{ page: string; invoice: string }> {
  let key: string | null = null;
  // A link would still open the order to members who have left.
  if (order.userId === null && order.organisationId === null) {
    key = newSecret();
    await executor.insert(orderKeys).values({ keyHash: hashSecret(key), orderId: order.id });
  }
  const { siteUrl } = env();
  return {
    page: siteUrl + orderPath(order.id, key),
    invoice: siteUrl + orderPath(order.id, key, '/invoice'),
  };
}
