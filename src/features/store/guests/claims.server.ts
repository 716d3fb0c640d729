import { eq, sql } from 'drizzle-orm';
import { db, type Tx } from '#db/client.ts';
import { type UserRow, users } from '#db/schema/account.ts';
import { orders } from '#db/schema/store.ts';
import { createAccount, toPublicUser, type Visit } from '#src/features/account/account.server.ts';
import { hashNewPassword, isCommonPassword } from '#src/features/account/password/password.server.ts';
import { USERNAME_MAX } from '#src/features/account/schema.ts';
import { renewAccess } from '#src/features/account/password/password-reset.server.ts';
import { closePresented, openSession } from '#src/features/account/session.server.ts';
import {
  type BoughtUnder,
  holdAccount,
  markVerified,
} from '#src/features/account/email/verification.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { AppError } from '#src/shared/errors.ts';
import { lockBuyer } from '#src/features/store/cart/cart.server.ts';
import { mailClaimed } from './claim-mails.server.ts';
import { isUsedTwice } from '#src/features/store/coupons/coupons.server.ts';
import { fulfil, grantLines, payBack, setOwner } from '#src/features/store/orders/fulfil.server.ts';
import { notPaid } from '#src/features/store/checkout/confirm.server.ts';
import { CLAIMABLE, findClaimToken, issueClaimLink, lockGuest, unclaimedOrders } from './guests.server.ts';
import {
  changeAccess,
  findOrder,
  itemsOf,
  lockOrder,
  type Order,
  type OrderItem,
} from '#src/features/store/orders/orders.server.ts';
import { flagOrder, settleFlags } from '#src/features/store/orders/flags.server.ts';
import type { Source } from '#src/features/store/orders/order-events.ts';
import { queueReceipt } from '#src/features/store/orders/receipt.server.ts';
import type { BuyerDetails } from '#src/features/store/checkout/schema.ts';
import { CLAIM_LINK_FAILED, type ClaimResult } from '#src/features/store/guests/schema.ts';
import { findAccount, isFree } from './purchase-page.server.ts';
import { requestClaimLink } from './claim-links.server.ts';
import { type Proof, type Visitor, findProven, openLines } from './proof.server.ts';

const SIGN_IN = 'An account exists for this purchase. Please sign in.';
const ELSEWHERE = 'This purchase is in another account than the one you are signed in to.';
const LINK_TO_UNPROVEN =
  'There is an account with this email address, and nobody has shown yet that the address is theirs. We have sent a link to it: open it, choose a password, and your course is there.';
const NAMELESS = { firstName: '', lastName: '' };

/**
 * With proof of payment the address gets an account with this password, signed in, and the purchase (decision 25). A
 * verified account gets the course; an unverified one only a mailed link, as it may be a stranger's. Without proof a
 * link is mailed.
 * @throws {AppError} forbidden, payment_required, conflict
 */
export async function createAccountAfterPurchase(
  input: BuyerDetails & { password: string },
  proof: Proof,
  visit: Visit,
): Promise<Claimed> {
  const order = await findProven(proof);
  if (order === 'forged') throw notYours();
  if (!order) return mailed(await requestClaimLink(input.email));
  const paid = await requirePaid(order);
  if (isFree(paid)) return mailed(await requestClaimLink(paid.buyerEmail));
  return claim(paid, { user: null, password: input.password, emailProven: false, buyer: input }, visit);
}

/**
 * The purchase goes to the caller's verified account, else to the account of its address. A mailed link proves the
 * address: all purchases under it follow, and a missing or unverified account becomes the reader's.
 * @throws {AppError} bad_request for a dead link, forbidden, invalid_input at `password`, payment_required, conflict
 */
export async function claimPurchase(
  input: { token?: string | undefined; password?: string | undefined },
  proof: Proof,
  user: Visitor | null,
  visit: Visit,
): Promise<Claimed> {
  const password = input.password ?? null;
  if (input.token !== undefined) {
    const found = await findClaimToken(input.token);
    if (!found) throw linkFailed();
    if (found.order.userId !== null) return claimedBefore(found.order, user);
    if (!found.usable) throw linkFailed();
    const how = { user: takesByLink(found.order, user) ? user : null, password };
    return claim(found.order, { ...how, emailProven: true, token: input.token }, visit);
  }
  const how = { user: user?.emailVerified ? user : null, password };
  const order = await findProven(proof);
  if (!order || order === 'forged') throw notYours();
  const paid = await requirePaid(order);
  if (paid.userId !== null) return claimedBefore(paid, user);
  if (isFree(paid) && !how.user) return mailed(await requestClaimLink(paid.buyerEmail));
  return claim(paid, { ...how, emailProven: false }, visit);
}

const takesByLink = (order: Order, user: Visitor | null) =>
  user !== null && (user.emailVerified || user.email === order.buyerEmail);

function linkFailed(): AppError {
  return new AppError('bad_request', CLAIM_LINK_FAILED);
}

function notYours(): AppError {
  return new AppError('forbidden', 'This is not a purchase of yours.');
}

export function mailed({ message }: { message: string }): Claimed {
  return { answer: { status: 'mailed', message } };
}

async function requirePaid(order: Order): Promise<Order> {
  const outcome = await fulfil({ orderId: order.id }, 'confirm');
  if (outcome.kind === 'completed') return outcome.order;
  if (outcome.kind === 'unpaid') throw notPaid(outcome);
  throw new AppError(
    'conflict',
    'Payment succeeded but enrollment failed. Please contact support with your payment details.',
  );
}

async function claimedBefore(order: Order, user: Visitor | null): Promise<Claimed> {
  if (order.userId !== user?.id) throw claimed(user);
  return { answer: attachedAnswer(await itemsOf(order.id)) };
}

function claimed(user: Visitor | null): AppError {
  return new AppError('conflict', user ? ELSEWHERE : SIGN_IN);
}

function attachedAnswer(items: readonly OrderItem[], ownedBefore = false): ClaimResult {
  return {
    status: 'attached',
    message: ownedBefore
      ? 'The account had the course already, so we pay this payment back to your card.'
      : `The ${items.length === 1 ? 'course is' : 'courses are'} in your account, and your password has not changed.`,
    courseIds: items.map((item) => item.courseId),
  };
}

type Claimed = { answer: ClaimResult; cookieSecret?: string };

type Claim = {
  /** Verified, or proven by this link. */
  user: Visitor | null;
  password: string | null;
  emailProven: boolean;
  token?: string;
  buyer?: BuyerDetails;
};

export async function claim(order: Order, how: Claim, visit: Visit): Promise<Claimed> {
  for (;;) {
    const email = order.buyerEmail || (how.user?.email ?? how.buyer?.email ?? '');
    if (!email) throw new AppError('conflict', 'This purchase has no email address. Please contact support.');
    const before = how.user ? null : await findAccount(db(), email);
    const choosesPassword = !how.user && !before?.emailVerifiedAt && (how.emailProven || !before);
    if (choosesPassword && how.password === null) {
      const message = 'Choose a password for your account.';
      throw new AppError('invalid_input', message, { fields: { password: message } });
    }
    // Hashing is slow: it runs before the transaction, and only where needed.
    const chosen = choosesPassword
      ? {
          passwordHash: await hashNewPassword(how.password!),
          commonPassword: await isCommonPassword(how.password!),
        }
      : null;
    const outcome = await retryOnConflict(() =>
      db().transaction(async (tx): Promise<Claimed | 'changed' | 'unproven'> => {
        const provesOwn = how.user && how.emailProven && !how.user.emailVerified;
        if (before && chosen) await holdAccount(tx, before.id);
        if (provesOwn) await holdAccount(tx, how.user!.id);
        await tx.execute(lockGuest(email));
        const locked = await lockOrder(tx, order.id);
        if (locked.userId !== null) throw claimed(how.user);
        if (how.token && !(await findClaimToken(how.token, tx))?.usable) throw linkFailed();
        const account = how.user ? await findUser(tx, how.user.id) : await findAccount(tx, email);
        // The account's email changed in another tab: the link proves another address.
        if (provesOwn && !account?.emailVerifiedAt && account?.email !== locked.buyerEmail)
          throw linkFailed();
        const isSame =
          how.user || (account?.id === before?.id && !account?.emailVerifiedAt === !before?.emailVerifiedAt);
        if (!isSame || locked.buyerEmail !== order.buyerEmail) return 'changed';
        const named = locked.buyerEmail
          ? locked
          : await nameBuyer(
              tx,
              locked,
              { ...NAMELESS, ...how.buyer, email },
              account === null || Boolean(account.emailVerifiedAt),
            );
        if (account?.emailVerifiedAt) return attach(tx, named, account, how);
        if (provesOwn && account) return attach(tx, named, await markVerified(tx, account.id), how);
        if (!how.emailProven && (await claimableLines(named, tx)).length === 0) throw refunded();
        if (chosen === null) return 'unproven';
        return settleIn(tx, named, { account, ...chosen, emailProven: how.emailProven }, visit);
      }),
    ).catch((error: unknown) => {
      // Registration takes none of these locks.
      if (error instanceof AppError && error.fields?.email) return 'changed' as const;
      throw error;
    });
    if (outcome === 'unproven') {
      await requestClaimLink(email);
      return mailed({ message: LINK_TO_UNPROVEN });
    }
    if (outcome !== 'changed') return outcome;
    const now = await findOrder(order.id);
    if (!now) throw notYours();
    order = now;
  }
}

async function attach(tx: Tx, order: Order, account: UserRow, how: Claim): Promise<Claimed> {
  const { lines, duplicates } = await giveAll(tx, order, account, how.emailProven, 'added to an account');
  await mailClaimed(tx, order, lines, account.email === order.buyerEmail ? 'same-address' : 'other-address');
  return { answer: attachedAnswer(lines, duplicates === lines.length) };
}

/**
 * Makes or hands over the account and signs the caller in. The caller's purchase comes along; with a proven mailbox,
 * all under the address.
 */
async function settleIn(
  tx: Tx,
  order: Order,
  {
    account,
    passwordHash,
    commonPassword,
    emailProven,
  }: { account: UserRow | null; passwordHash: string; commonPassword: boolean; emailProven: boolean },
  visit: Visit,
): Promise<Claimed> {
  const owner = account
    ? await renewAccess(tx, account, passwordHash)
    : await makeAccount(tx, order, passwordHash, emailProven);
  const why = account ? 'address proven by the mailed link' : 'account made for it';
  const { lines } = await giveAll(tx, order, owner, emailProven, why);
  if (account) await mailClaimed(tx, order, lines, 'taken-over');
  await closePresented(visit.presented, tx);
  const { token, cookieSecret } = await openSession(owner.id, visit.userAgent, tx, {
    secondFactor: false,
    commonPassword,
  });
  const message = emailProven
    ? 'Your account is ready.'
    : `Your account is ready, and your purchase is in it. We have sent a link to ${order.buyerEmail} to confirm that it is yours.`;
  return {
    answer: {
      status: 'created',
      message,
      token,
      user: toPublicUser(owner),
      courseIds: lines.map((item) => item.courseId),
    },
    cookieSecret,
  };
}

export const refunded = () => new AppError('conflict', 'This purchase was refunded.');

async function giveAll(
  tx: Tx,
  order: Order,
  owner: UserRow,
  emailProven: boolean,
  how: string,
): Promise<{ lines: OrderItem[]; duplicates: number }> {
  const lines: OrderItem[] = [];
  let duplicates = 0;
  for (const one of [order, ...(await alsoClaimed(tx, order, emailProven))]) {
    const given = await giveToAccount(tx, one, owner, how, 'buyer');
    lines.push(...given.lines);
    duplicates += given.duplicates.length;
  }
  if (lines.length === 0) throw refunded();
  return { lines, duplicates };
}

/** For an order that was paid past our page; sends its delayed receipt. */
async function nameBuyer(
  tx: Tx,
  order: Order,
  { email, firstName, lastName }: BuyerDetails,
  isGivenNow: boolean,
): Promise<Order> {
  const [named] = await tx
    .update(orders)
    .set({ buyerEmail: email, buyerFirstName: firstName, buyerLastName: lastName, updatedAt: sql`now()` })
    .where(eq(orders.id, order.id))
    .returning();
  await settleFlags(tx, order.id, {
    kind: 'without_buyer',
    note: 'the buyer gave their name and email afterwards',
    source: 'buyer',
  });
  await queueReceipt(tx, named!, await itemsOf(order.id, tx), {
    duplicates: [],
    attached: false,
    claimLink: isGivenNow ? null : await issueClaimLink(tx, order.id),
  });
  return named!;
}

/** All under a proven address; otherwise those of the same browser. */
async function alsoClaimed(tx: Tx, order: Order, emailProven: boolean): Promise<Order[]> {
  if (!order.buyerEmail) return [];
  const others = (await unclaimedOrders(order.buyerEmail, tx)).filter(
    (other) => other.id !== order.id && (emailProven || (isOfSameBrowser(other, order) && !isFree(other))),
  );
  return lockOrders(tx, others);
}

async function lockOrders(tx: Tx, found: readonly Order[]): Promise<Order[]> {
  const locked: Order[] = [];
  for (const { id } of found) locked.push(await lockOrder(tx, id));
  return locked;
}

async function findUser(tx: Tx, id: number): Promise<UserRow> {
  const [user] = await tx.select().from(users).where(eq(users.id, id));
  if (!user) throw new AppError('unauthenticated', 'Your session has ended. Please sign in again.');
  return user;
}

async function makeAccount(
  tx: Tx,
  order: Order,
  passwordHash: string,
  emailProven: boolean,
): Promise<UserRow> {
  const { buyerEmail: email, buyerFirstName, buyerLastName } = order;
  const username = [...`${buyerFirstName} ${buyerLastName}`.trim()].slice(0, USERNAME_MAX).join('').trim();
  return createAccount(tx, {
    username: username || email.split('@')[0]!.slice(0, USERNAME_MAX),
    email,
    passwordHash,
    emailProven,
    bought: await waitingUnder(tx, email, emailProven ? null : order),
  });
}

export const boughtUnder: BoughtUnder = (tx, email) => waitingUnder(tx, email, null);

async function waitingUnder(tx: Tx, email: string, claimed: Order | null): Promise<string[]> {
  const titles = new Set<string>();
  for (const order of await unclaimedOrders(email, tx)) {
    if (claimed && (order.id === claimed.id || (isOfSameBrowser(order, claimed) && !isFree(order)))) continue;
    for (const { title } of await openLines(order, tx)) titles.add(title);
  }
  return [...titles];
}

const isOfSameBrowser = (one: Order, other: Order) =>
  one.claimSecretHash !== null && one.claimSecretHash === other.claimSecretHash;

async function claimableLines(order: Order, tx: Tx): Promise<OrderItem[]> {
  return CLAIMABLE.some((status) => status === order.status) ? openLines(order, tx) : [];
}

/** Gives access to the lines; courses that the account has already are refunded. */
async function giveToAccount(
  tx: Tx,
  order: Order,
  owner: { id: number },
  how: string,
  source: Source,
): Promise<{ lines: OrderItem[]; duplicates: OrderItem[] }> {
  const lines = await claimableLines(order, tx);
  if (lines.length === 0) return { lines: [], duplicates: [] };
  await tx.execute(lockBuyer(owner.id));
  const owned = await setOwner(tx, order, owner.id, how, source);
  const duplicates = await grantLines(tx, owner.id, lines);
  if (order.status === 'disputed') {
    await changeAccess(
      tx,
      lines.map((item) => item.id),
      ['active'],
      'suspended',
    );
  }
  await payBack(tx, owned, duplicates, source);
  // Only the account shows a guest's identity. The sale stays.
  if (await isUsedTwice(tx, owned, owner.id)) {
    await flagOrder(tx, order.id, { kind: 'coupon_used_by_account' }, source);
  }
  return { lines, duplicates };
}

/** Decisions 13, 26. Runs in the verification's transaction. */
export async function attachGuestPurchases(tx: Tx, user: { id: number; email: string }): Promise<void> {
  // A purchase that completes now is seen here, or waits and sees the verified account.
  await tx.execute(lockGuest(user.email));
  const waiting = await lockOrders(tx, await unclaimedOrders(user.email, tx));
  for (const order of waiting) await giveToAccount(tx, order, user, 'address verified', 'system');
}
