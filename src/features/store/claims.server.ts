import { randomUUID, timingSafeEqual } from 'node:crypto';
import { and, asc, desc, eq, exists, isNotNull, isNull, lt, ne, not, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Tx } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { claimTokens, orderEvents, orderItems, orders } from '#db/schema/store.ts';
import {
  createAccount,
  toPublicUser,
  type UserRow,
  type Visit,
} from '#src/features/account/account.server.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { hashNewPassword } from '#src/features/account/password.server.ts';
import { USERNAME_MAX } from '#src/features/account/schema.ts';
import { closePresented, hashSecret, openSession } from '#src/features/account/session.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { type JobDefinition, sendJob } from '#src/server/jobs.ts';
import { tryConsume } from '#src/server/rate-limit.ts';
import { AppError } from '#src/shared/errors.ts';
import { centsToDecimal } from '#src/shared/money.ts';
import { lockBuyer } from './cart.server.ts';
import { mailClaimed, mailClaimLink } from './claim-mails.server.ts';
import { isUsedTwice } from './coupons.server.ts';
import { findIntent, fulfil, grantLines, payBack, setOwner } from './fulfil.server.ts';
import { CLAIMABLE, findClaimToken, issueClaimLink, lockGuest, unclaimedOrders } from './guests.server.ts';
import { sweepOrderLinks } from './order-access.server.ts';
import {
  changeAccess,
  findOrder,
  findOrderByIntent,
  flagOrder,
  isGoingBack,
  itemsOf,
  lockOrder,
  type Order,
  type OrderItem,
  recordEvent,
  type Source,
} from './orders.server.ts';
import { isFulfilled } from './orders.ts';
import { unpaidMessage } from './payment-messages.ts';
import { CLAIM_LINK_FAILED, type ClaimResult } from './schema.ts';

/** Days that a link is kept after its end, for whoever looks into a complaint. */
const TOKEN_KEEP_DAYS = 30;

const LINK_REQUESTED =
  'If there is a purchase with this email address that is not in an account yet, we have sent a link to it.';
const SIGN_IN = 'An account exists for this purchase. Please sign in.';

/** What shows that a caller made a guest's order; every part may be missing (decision 25). */
export type Proof = {
  intentId?: string | undefined;
  clientSecret?: string | undefined;
  claimSecret?: string | null | undefined;
};

/** Whether the caller made this order: by the claim cookie, or by the payment's own secret. */
export async function proves(proof: Proof, order: Order): Promise<boolean> {
  if (proof.claimSecret && order.claimSecretHash === hashSecret(proof.claimSecret)) return true;
  const { stripePaymentIntentId: intentId } = order;
  if (!proof.clientSecret || !intentId || proof.intentId !== intentId) return false;
  const intent = await findIntent(intentId);
  const [given, known] = [proof.clientSecret, intent?.client_secret ?? ''].map((text) => Buffer.from(text));
  return known!.length > 0 && given!.length === known!.length && timingSafeEqual(given!, known!);
}

/**
 * The order that a proof is about: the one of the named payment, otherwise the last purchase of this browser.
 *
 * @returns 'forged' where a payment is named and not proven
 */
async function findProven(proof: Proof): Promise<Order | 'forged' | null> {
  if (proof.intentId) {
    const order = await findOrderByIntent(proof.intentId);
    return order && (await proves(proof, order)) ? order : 'forged';
  }
  return proof.claimSecret ? lastOrder(eq(orders.claimSecretHash, hashSecret(proof.claimSecret))) : null;
}

/** The last order with these properties: a fulfilled one before an unpaid one. */
async function lastOrder(which: ReturnType<typeof eq>, courseId?: number): Promise<Order | null> {
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

/** Lines that still are the buyer's: not paid back, and not about to be because they were bought twice. */
function openLines(order: Order, executor: Tx | ReturnType<typeof db> = db()): Promise<OrderItem[]> {
  return executor
    .select()
    .from(orderItems)
    .where(
      and(
        eq(orderItems.orderId, order.id),
        isNull(orderItems.refundedAt),
        not(isGoingBack(sql`${orderItems.orderId}`, sql`${orderItems.id}`)),
      ),
    )
    .orderBy(asc(orderItems.courseId));
}

/** What a visitor of the purchase success page may know; nothing personal without proof (fault P30). */
export type Purchase =
  /** No proof of any purchase. */
  | { state: 'nothing' }
  | { state: 'processing' }
  | { state: 'failed'; message: string }
  /** The provider could not be asked, or the money does not fit the order; `orderId` is null without proof so far. */
  | { state: 'unclear'; orderId: number | null }
  /** Bought and waiting for an account; `hasAccount` where the address has one. */
  | ({ state: 'guest'; hasAccount: boolean; email: string; firstName: string; lastName: string } & Bought)
  /** In the account of the visitor. */
  | ({ state: 'mine' } & Bought)
  /** In an account, and the visitor is not signed in to it. */
  | { state: 'claimed' }
  /** Nothing is left of it: bought twice or refunded. */
  | { state: 'returned' };

export type Bought = {
  orderId: number;
  courses: { id: number; title: string }[];
  /** Decimal string of US dollars. */
  total: string;
  invoiceNumber: string | null;
};

/**
 * What came of a direct purchase, for the page that the provider leads back to. Completes the order where its payment
 * has succeeded (decision 17).
 *
 * @param user the visitor's account; null when signed out
 * @param proof what the address and the cookies of the visitor hold
 * @param courseId which course the address speaks of
 */
export async function readPurchase(
  user: { id: number } | null,
  proof: Proof,
  courseId: number | null,
): Promise<Purchase> {
  let order: Order | null = null;
  try {
    order = await findForPage(user, proof, courseId);
    if (!order) return { state: 'nothing' };
    const outcome = await fulfil({ orderId: order.id }, 'confirm');
    if (outcome.kind === 'unpaid') {
      if (outcome.intentStatus === 'processing') return { state: 'processing' };
      return { state: 'failed', message: unpaidMessage(outcome.intentStatus) };
    }
    if (outcome.kind !== 'completed') return { state: 'unclear', orderId: order.id };
    order = outcome.order;
  } catch (error) {
    if (!(error instanceof AppError) || error.status < 500) throw error;
    return { state: 'unclear', orderId: order?.id ?? null };
  }
  if (order.userId !== null && order.userId !== user?.id) return { state: 'claimed' };
  const lines = await openLines(order);
  if (lines.length === 0) return { state: 'returned' };
  const bought = {
    orderId: order.id,
    courses: lines.map((item) => ({ id: item.courseId, title: item.title })),
    total: centsToDecimal(order.totalCents),
    invoiceNumber: order.invoiceNumber,
  };
  if (order.userId !== null) return { state: 'mine', ...bought };
  if (!order.buyerEmail) return { state: 'unclear', orderId: order.id };
  return {
    state: 'guest',
    ...bought,
    hasAccount: (await findAccount(db(), order.buyerEmail)) !== null,
    email: order.buyerEmail,
    firstName: order.buyerFirstName,
    lastName: order.buyerLastName,
  };
}

async function findForPage(
  user: { id: number } | null,
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

async function findAccount(executor: Tx | ReturnType<typeof db>, email: string): Promise<UserRow | null> {
  const [user] = await executor.select().from(users).where(eq(users.email, email));
  return user ?? null;
}

/**
 * `POST /api/create-account-after-purchase` (decision 25). With proof of a purchase its own address gets an account with
 * this password, which has the course and is signed in; where the address has an account, that one gets the course and
 * its password stays. Without proof nothing happens but that a link is mailed to the address, if there is anything to
 * claim under it.
 *
 * @throws {AppError} forbidden for a payment that is named and not proven (fault P30), payment_required while there is no
 *   money, conflict where the purchase has its account already (fault P31)
 */
export async function createAccountAfterPurchase(
  input: { email: string; password: string },
  proof: Proof,
  visit: Visit,
): Promise<Claimed> {
  const order = await findProven(proof);
  if (order === 'forged') throw new AppError('forbidden', 'This is not a purchase of yours.');
  if (!order) return { answer: { status: 'mailed', ...(await requestClaimLink(input.email)) } };
  const paid = await requirePaid(order);
  const before = await claimedBefore(paid);
  if (before) return { answer: before };
  return claim(paid, { user: null, password: input.password, emailProven: false }, visit);
}

/**
 * `POST /api/claim-purchase`: a guest's purchase goes into the account of the signed-in caller, otherwise into the account
 * of its address. A mailed link proves the address, so every purchase under it comes along, and an address without an
 * account gets one, signed in, with the given password.
 *
 * @throws {AppError} bad_request for a link that does not work, forbidden without proof, invalid_input at `password`
 *   where an account has to be made, payment_required, conflict where an account has the purchase already
 */
export async function claimPurchase(
  input: { token?: string | undefined; password?: string | undefined },
  proof: Proof,
  user: { id: number } | null,
  visit: Visit,
): Promise<Claimed> {
  const how = { user, password: input.password ?? null };
  if (input.token !== undefined) {
    const found = await findClaimToken(input.token);
    if (!found) throw linkFailed();
    if (found.order.userId !== null && found.order.userId === user?.id) {
      return { answer: attachedAnswer(await itemsOf(found.order.id)) };
    }
    if (found.order.userId !== null) throw new AppError('conflict', SIGN_IN);
    if (!found.usable) throw linkFailed();
    return claim(found.order, { ...how, emailProven: true, token: input.token }, visit);
  }
  const order = await findProven(proof);
  if (!order || order === 'forged') throw new AppError('forbidden', 'This is not a purchase of yours.');
  const paid = await requirePaid(order);
  if (paid.userId !== null && paid.userId === user?.id) {
    return { answer: attachedAnswer(await itemsOf(paid.id)) };
  }
  const before = await claimedBefore(paid);
  if (before) return { answer: before };
  return claim(paid, { ...how, emailProven: false }, visit);
}

function linkFailed(): AppError {
  return new AppError('bad_request', CLAIM_LINK_FAILED);
}

async function requirePaid(order: Order): Promise<Order> {
  const outcome = await fulfil({ orderId: order.id }, 'confirm');
  if (outcome.kind === 'completed') return outcome.order;
  if (outcome.kind === 'unpaid') {
    throw new AppError('payment_required', unpaidMessage(outcome.intentStatus), {
      extra: { status: outcome.intentStatus },
    });
  }
  throw new AppError(
    'conflict',
    'Payment succeeded but enrollment failed. Please contact support with your payment details.',
  );
}

/**
 * The answer for a purchase that has its account: the same as before where an existing account got it, a conflict where
 * one was made for it (fault P31). Null where nobody has it yet.
 */
async function claimedBefore(order: Order): Promise<ClaimResult | null> {
  if (order.userId === null) return null;
  const [event] = await db()
    .select({ details: orderEvents.details })
    .from(orderEvents)
    .where(and(eq(orderEvents.orderId, order.id), eq(orderEvents.type, 'claimed')))
    .orderBy(desc(orderEvents.id))
    .limit(1);
  if (!event || event.details.how === CREATED) throw new AppError('conflict', SIGN_IN);
  return attachedAnswer(await itemsOf(order.id));
}

function attachedAnswer(items: readonly OrderItem[], ownedBefore = false): ClaimResult {
  return {
    status: 'attached',
    message: ownedBefore
      ? 'The account had the course already, so we pay this payment back to your card.'
      : 'The course is in your account, and your password has not changed.',
    courseIds: items.map((item) => item.courseId),
  };
}

/** The answer of a claim, and the cookie's secret where it signed the caller in. */
export type Claimed = { answer: ClaimResult; cookieSecret?: string };

const CREATED = 'account made for it';
const ATTACHED = 'added to an account';

type Claim = {
  user: { id: number } | null;
  password: string | null;
  /** The caller reads the mail of the purchase's address. */
  emailProven: boolean;
  token?: string;
};

async function claim(order: Order, how: Claim, visit: Visit): Promise<Claimed> {
  const email = order.buyerEmail;
  if (!email && !how.user) {
    throw new AppError('conflict', 'This purchase has no email address. Please contact support.');
  }
  // Hashed before the transaction, and only where an account is going to be made.
  const makesAccount = !how.user && !(await findAccount(db(), email));
  if (makesAccount && how.password === null) {
    const message = 'Choose a password for your account.';
    throw new AppError('invalid_input', message, { fields: { password: message } });
  }
  const passwordHash = makesAccount ? await hashNewPassword(how.password!) : null;
  return retryOnConflict(() =>
    db().transaction(async (tx): Promise<Claimed> => {
      // Before any order, like everybody who takes both: see `attachGuestPurchases`.
      await tx.execute(lockGuest(email));
      const locked = await lockOrder(tx, order.id);
      if (locked.userId !== null) throw new AppError('conflict', SIGN_IN);
      if (how.token && !(await findClaimToken(how.token, tx))?.usable) throw linkFailed();
      const known = how.user ? await findUser(tx, how.user.id) : await findAccount(tx, email);
      const owner = known ?? (await makeAccount(tx, locked, passwordHash, how.emailProven));
      const lines: OrderItem[] = [];
      let duplicates = 0;
      for (const one of [locked, ...(await alsoClaimed(tx, locked, how.emailProven))]) {
        const given = await giveToAccount(tx, one, owner, known ? ATTACHED : CREATED, 'buyer');
        lines.push(...given.lines);
        duplicates += given.duplicates.length;
      }
      if (lines.length === 0) throw new AppError('conflict', 'This purchase was refunded.');
      if (known) {
        await mailClaimed(tx, locked, lines, owner.email === email);
        return { answer: attachedAnswer(lines, duplicates === lines.length) };
      }
      await closePresented(visit.presented, tx);
      const { token, cookieSecret } = await openSession(owner.id, visit.userAgent, tx);
      const courseIds = lines.map((item) => item.courseId);
      const message = 'Your account is ready.';
      return {
        answer: { status: 'created', message, token, user: toPublicUser(owner), courseIds },
        cookieSecret,
      };
    }),
  );
}

/**
 * Purchases that go along with a claimed one: all under the same address where the caller reads its mail, otherwise those
 * that the same browser made.
 */
async function alsoClaimed(tx: Tx, order: Order, emailProven: boolean): Promise<Order[]> {
  if (!order.buyerEmail) return [];
  const sameBrowser = (other: Order) =>
    other.claimSecretHash !== null && other.claimSecretHash === order.claimSecretHash;
  return (await unclaimedOrders(order.buyerEmail, tx)).filter(
    (other) => other.id !== order.id && (emailProven || sameBrowser(other)),
  );
}

async function findUser(tx: Tx, id: number): Promise<UserRow> {
  const [user] = await tx.select().from(users).where(eq(users.id, id));
  if (!user) throw new AppError('unauthenticated', 'Your session has ended. Please sign in again.');
  return user;
}

function makeAccount(
  tx: Tx,
  order: Order,
  passwordHash: string | null,
  emailProven: boolean,
): Promise<UserRow> {
  // The account that was there a moment ago is gone.
  if (passwordHash === null) throw new AppError('conflict', 'Please try again.');
  const { buyerEmail: email, buyerFirstName, buyerLastName } = order;
  const username = [...`${buyerFirstName} ${buyerLastName}`.trim()].slice(0, USERNAME_MAX).join('').trim();
  return createAccount(tx, {
    username: username || email.split('@')[0]!.slice(0, USERNAME_MAX),
    email,
    passwordHash,
    emailProven,
  });
}

/**
 * Makes an account the owner of a guest's fulfilled order, with access to its lines. What the account owns already is
 * paid back.
 */
async function giveToAccount(
  tx: Tx,
  order: Order,
  owner: { id: number },
  how: string,
  source: Source,
): Promise<{ lines: OrderItem[]; duplicates: OrderItem[] }> {
  const isClaimable = CLAIMABLE.some((status) => status === order.status);
  const lines = isClaimable ? await openLines(order, tx) : [];
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
  // A guest may name any address, so that only the account shows who it was. What was sold stays sold.
  if (await isUsedTwice(tx, owned, owner.id)) {
    await flagOrder(tx, owned, 'its coupon was used by the same account before', source);
  }
  return { lines, duplicates };
}

/**
 * Gives a newly verified account what was bought as guest under its address (decisions 13, 26). Part of the
 * verification's transaction.
 */
export async function attachGuestPurchases(tx: Tx, user: { id: number; email: string }): Promise<void> {
  // A purchase that completes right now either is seen here, or waits and then sees the verified account.
  await tx.execute(lockGuest(user.email));
  for (const { id } of await unclaimedOrders(user.email, tx)) {
    const order = await lockOrder(tx, id);
    await giveToAccount(tx, order, user, 'address verified', 'system');
  }
}

/**
 * Has a claim link mailed to an address, if anything bought under it is not in an account yet. Looking that up is a
 * background job's work, so that the answer and its time tell nothing (decision 25).
 *
 * @param email normalised
 */
export async function requestClaimLink(email: string): Promise<{ message: string }> {
  if (await tryConsume('claim-link-email', hashSecret(email))) {
    await sendJob(db(), mailClaimLinkJob, { email, requestId: randomUUID() });
  }
  return { message: LINK_REQUESTED };
}

/** Mails the link that `requestClaimLink` speaks of; does nothing where there is nothing to claim. */
export const mailClaimLinkJob: JobDefinition<z.ZodObject<{ email: z.ZodString; requestId: z.ZodString }>> = {
  name: 'store.mail-claim-link',
  data: z.object({ email: z.string(), requestId: z.string() }),
  retries: 5,
  retryDelaySeconds: 5,
  leaseSeconds: 30,
  run: async ({ email, requestId }) => {
    await db().transaction(async (tx) => {
      for (const order of (await unclaimedOrders(email, tx)).toReversed()) {
        const lines = await openLines(order, tx);
        if (lines.length === 0) continue;
        // One link is enough: it proves the address, and with it every purchase under it.
        const link = await issueClaimLink(tx, order.id);
        await mailClaimLink(tx, order, lines, link, `claim-link:${requestId}`);
        return;
      }
    });
  },
};

/**
 * Has the claim link of a guest's order mailed again (decision 26), audited.
 *
 * @param actor the administrator
 * @throws {AppError} not_found, conflict where there is nothing to claim
 */
export async function resendClaimLink(orderId: number, actor: Actor): Promise<{ message: string }> {
  return db().transaction(async (tx) => {
    const order = await findOrder(orderId, tx);
    if (!order) throw new AppError('not_found', 'There is no such order.');
    const lines = isFulfilled(order.status) ? await openLines(order, tx) : [];
    if (order.userId !== null || !order.buyerEmail || lines.length === 0) {
      throw new AppError('conflict', 'There is nothing to claim in this order.');
    }
    await mailClaimLink(tx, order, lines, await issueClaimLink(tx, order.id));
    await recordEvent(tx, order.id, { type: 'claim_link_sent', source: 'admin', actorId: actor.id });
    await recordAudit(tx, actor, {
      action: 'order.claim_link_resent',
      subjectType: 'order',
      subjectId: order.id,
      details: { order: order.id, email: order.buyerEmail },
    });
    return { message: `We sent a new link to ${order.buyerEmail}.` };
  });
}

/** What a visitor with a mailed link sees; looking does not use it up. */
export type ClaimView =
  | { state: 'invalid' }
  /** Used; `mine` where the visitor is signed in to the account that has it. */
  | { state: 'used'; mine: boolean }
  | {
      state: 'open';
      email: string;
      firstName: string;
      lastName: string;
      courses: { id: number; title: string }[];
      hasAccount: boolean;
    };

/** Looks at a mailed claim link. */
export async function readClaim(token: string, user: { id: number } | null): Promise<ClaimView> {
  const found = await findClaimToken(token);
  if (!found) return { state: 'invalid' };
  const { order, usable } = found;
  if (order.userId !== null) return { state: 'used', mine: order.userId === user?.id };
  const lines = await openLines(order);
  if (!usable || lines.length === 0) return { state: 'invalid' };
  return {
    state: 'open',
    email: order.buyerEmail,
    firstName: order.buyerFirstName,
    lastName: order.buyerLastName,
    courses: lines.map((item) => ({ id: item.courseId, title: item.title })),
    hasAccount: (await findAccount(db(), order.buyerEmail)) !== null,
  };
}

/** Removes claim links and links to orders that have ended, and the secrets of those in mails that were sent. */
export const sweepClaimsJob: JobDefinition<z.ZodOptional<z.ZodUnknown>> = {
  name: 'store.sweep-claims',
  data: z.unknown().optional(),
  retries: 2,
  retryDelaySeconds: 60,
  leaseSeconds: 120,
  cron: '*/10 * * * *',
  run: async () => {
    await db()
      .delete(claimTokens)
      .where(lt(claimTokens.expiresAt, sql`now() - make_interval(days => ${TOKEN_KEEP_DAYS})`));
    await sweepOrderLinks();
  },
};
