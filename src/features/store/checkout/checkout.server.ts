import { createHash } from 'node:crypto';
import { givesAccess } from '#src/features/catalogue/access.server.ts';
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import { db, type Tx } from '#db/client.ts';
import { courses } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import type { Billing } from '#db/schema/organisations.ts';
import { cartItems, orderItems, orders } from '#db/schema/store.ts';
import { type CurrentUser, hashSecret } from '#src/features/account/session.server.ts';
import { isForeignKeyViolation, retryOnConflict } from '#src/server/database-errors.ts';
import { tryConsume } from '#src/server/limits/rate-limit.ts';
import { AppError } from '#src/shared/errors.ts';
import { centsOf, centsToDecimal, CURRENCY, formatCents, PRICE_MAX_CENTS } from '#src/shared/money.ts';
import { bundlesById, ownedInBundle, priceBundles } from '#src/features/store/bundles/bundles.server.ts';
import { type Totals, totalsOf, withCoupon } from '#src/features/store/cart/cart.ts';
import { alreadyOwned, listCart, lockBuyer } from '#src/features/store/cart/cart.server.ts';
import {
  type CouponBuyer,
  type CouponInOrder,
  quoteCoupon,
  takeCoupon,
} from '#src/features/store/coupons/coupons.server.ts';
import type { DiscountableLine } from '#src/features/store/coupons/coupons.ts';
import {
  abandonOrder,
  attachIntent,
  completeOrder,
  fulfil,
} from '#src/features/store/orders/fulfil.server.ts';
import { lockGuest } from '#src/features/store/guests/guests.server.ts';
import { isFulfilled } from '#src/features/store/orders/orders.ts';
import {
  itemsOf,
  lockOrder,
  type Order,
  orderReference,
  recordEvent,
} from '#src/features/store/orders/orders.server.ts';
import { askProvider, isStoredFailure } from '#src/features/store/stripe/provider.server.ts';
import type { AppliedCoupon, BuyerDetails, Checkout, Notice } from '#src/features/store/schema.ts';

/** Times that a checkout looks at the cart anew because an older order of it was settled meanwhile. */
const ATTEMPTS = 4;

export type Line = {
  courseId: number;
  title: string;
  priceCents: number;
  originalPriceCents: number | null;
  /** How many seats an organisation buys with it. */
  seats?: number;
  /** The bundle that it is bought with, of whose price this is its share. */
  bundle?: { id: number; title: string } | null;
};

export type PayingAccount = Pick<CurrentUser, 'id' | 'email' | 'username'>;

/** Who pays: an account, or a guest that is known by the hash of the secret in their claim cookie alone. */
export type Payer = { account: PayingAccount } | { guest: string; details?: BuyerDetails };

/** Whose seats are bought, and whom their invoice names. */
export type PayingOrganisation = { id: number; billing: Billing | null };

/** What there is to buy: lines, the order with which they were bought before, or why there is nothing. */
export type Offer =
  | { lines: Line[]; notices: Notice[]; organisation?: PayingOrganisation }
  | { bought: Order }
  | { refusal: AppError };

/** What the page believes to be bought: its total, and the coupon that was typed in. */
export type Expectation = { amountCents: number; couponCode?: string | undefined };

type Draft =
  | { order: Order; notices: Notice[]; replaced: Order[] }
  /** Forgotten orders of others that must be ended before the coupon can be had. */
  | { couponHolders: Order[]; notices: Notice[] }
  | { bought: Order }
  | { refusal: AppError };

/**
 * Begins (or takes up again) the payment of a user's cart. The amount comes from the database; what the page believes
 * it to be only serves to notice that the page is out of date (decision 15). The same cart leads to the same open order
 * and the same payment intent, however often and from however many tabs this is called (decision 16, fault P20).
 *
 * @param user the buyer
 * @param expected what the page shows
 * @throws {AppError} price_changed with the server's `total`, bad_request for an empty cart, already_owned, conflict
 *   where nothing in the cart can be bought any more, what `couponRefused` gives, provider_unavailable
 */
export function startCheckout(user: PayingAccount, expected: Expectation): Promise<Checkout> {
  return openPayment({ account: user }, expected, async (tx) => {
    const { lines, notices } = await takeLines(tx, user.id);
    return lines.length === 0 ? { refusal: nothingToBuy(notices) } : { lines, notices };
  });
}

/**
 * Begins (or takes up again) the payment of an offer: one open order and one payment intent for the same lines of the
 * same payer (decision 16). An order is a fixed offer: changed lines or prices make a new order with a new intent and
 * cancel the old one, so that no page can be charged an amount that it does not show (faults P16, P18).
 *
 * @param payer who pays
 * @param expected what the page shows
 * @param readOffer reads what is offered, in the transaction and under the payer's lock
 * @throws {AppError} the offer's or the coupon's refusal, price_changed with the server's `total`, invalid_input for a
 *   guest's free order without their details, conflict, provider_unavailable
 */
export async function openPayment(
  payer: Payer,
  expected: Expectation,
  readOffer: (tx: Tx) => Promise<Offer>,
): Promise<Checkout> {
  const notices: Notice[] = [];
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const draft = await draftOrder(payer, expected, readOffer);
    if ('refusal' in draft) throw withNotices(draft.refusal, notices);
    if ('couponHolders' in draft) {
      notices.push(...draft.notices);
      // Whatever came of each: the next look counts the uses anew.
      for (const order of draft.couponHolders) {
        await abandonOrder(order, 'unpaid for long, and its coupon was asked for', 'system');
      }
      continue;
    }
    if ('bought' in draft) {
      const { id, totalCents } = draft.bought;
      return { clientSecret: null, orderId: id, status: 'completed', total: centsToDecimal(totalCents) };
    }
    notices.push(...draft.notices);
    const about = { orderId: draft.order.id, total: centsToDecimal(draft.order.totalCents) };
    const extra = notices.length > 0 ? { notices } : {};

    const older = await settleReplaced(draft.replaced);
    // What was to give way went through: this one must not hold a use of the coupon as well (decision 22).
    if (older && draft.order.couponId !== null && draft.order.stripePaymentIntentId === null) {
      await abandonOrder(draft.order, 'an earlier order with its coupon went through', 'system');
    }
    if (older === 'changed') continue;
    if (older) return older;
    if (draft.order.totalCents === 0) {
      if (!(await completeFree(draft.order))) continue;
      return { clientSecret: null, ...about, status: 'completed', free: true, ...extra };
    }
    const payment = await preparePayment(draft.order);
    if (payment !== 'closed') return { ...about, ...payment, ...extra };
  }
  throw new AppError('conflict', 'Your order is being changed in another window. Please reload the page.');
}

/** Reads the offer and finds or writes its order, in one transaction under the payer's lock. */
function draftOrder(
  payer: Payer,
  expected: Expectation,
  readOffer: (tx: Tx) => Promise<Offer>,
): Promise<Draft> {
  const write = async (tx: Tx): Promise<Draft> => {
    await tx.execute('account' in payer ? lockBuyer(payer.account.id) : lockGuest(payer.guest));
    const offer = await readOffer(tx);
    if (!('lines' in offer)) return offer;
    const { lines, notices, organisation = null } = offer;
    const organisationId = organisation?.id ?? null;
    const taken = expected.couponCode
      ? await takeCoupon(tx, expected.couponCode, couponBuyer(payer), lines)
      : { coupon: null, replaced: [] };
    // What left the cart in this transaction stays out of it, so it is told with the refusal too.
    if ('refusal' in taken) return { refusal: withNotices(taken.refusal, notices) };
    if ('holders' in taken) return { couponHolders: taken.holders, notices };
    const { coupon } = taken;
    const totals = withCoupon(totalsOf(lines), coupon);
    const { totalCents } = totals;
    if (totalCents !== expected.amountCents) return { refusal: priceChanged(totalCents, notices) };
    if (totalCents > PRICE_MAX_CENTS) {
      const limit = formatCents(PRICE_MAX_CENTS);
      return {
        refusal: new AppError('bad_request', `One payment can be ${limit} at most. Please buy in two steps.`),
      };
    }
    if (totalCents === 0 && 'guest' in payer) {
      if (!payer.details) return { refusal: detailsMissing() };
    }
    const fingerprint = fingerprintOf(nameOf(payer, organisationId), lines, coupon);
    const overlapping = await openOrdersWith(tx, payer, lines, organisationId);
    const known = overlapping.find((order) => order.fingerprint === fingerprint);
    const older = new Map([...overlapping, ...taken.replaced].map((order) => [order.id, order]));
    const replaced = [...older.values()].filter((order) => order.id !== known?.id);
    notices.push(
      ...(await changedPrices(
        tx,
        overlapping.filter((order) => order !== known),
        lines,
      )),
    );
    const order =
      known ?? (await writeOrder(tx, payer, lines, { totals, coupon, fingerprint, organisation }));
    return { order, notices, replaced };
  };
  const draft = () => retryOnConflict(() => db().transaction(write));
  return draft().catch((error: unknown) => {
    // A course or bundle was deleted after it was read; the next look does not find it.
    const gone = ['order_items_course_id_courses_id_fk', 'order_items_bundle_id_bundles_id_fk'];
    if (gone.some((constraint) => isForeignKeyViolation(error, constraint))) return draft();
    throw error;
  });
}

/** By what a payer is known where a coupon may be used once. */
function couponBuyer(payer: Payer): CouponBuyer {
  return 'account' in payer ? { userId: payer.account.id } : { secretHash: payer.guest };
}

/**
 * What a coupon would do to a user's cart as it is now. Nothing is taken or written.
 *
 * @param user the buyer; a visitor without an account has no cart
 * @throws {AppError} what `couponRefused` gives, bad_request for an empty cart, unauthenticated
 */
export async function quoteCartCoupon(user: PayingAccount | null, code: string): Promise<AppliedCoupon> {
  if (!user) throw new AppError('unauthenticated', 'Please sign in to continue.');
  const cart = await listCart(user.id);
  const lines = cart
    .filter((line) => line.unavailable === null)
    .map(({ courseId, course }) => ({ courseId, priceCents: centsOf(course.price) }));
  if (lines.length === 0) throw nothingToBuy([]);
  return quote({ account: user }, code, lines);
}

/** What a coupon would do to these lines for a payer; see `quoteCartCoupon`. */
export async function quote(
  payer: Payer,
  code: string,
  lines: readonly DiscountableLine[],
): Promise<AppliedCoupon> {
  const coupon = await quoteCoupon(code, couponBuyer(payer), lines);
  const subtotalCents = lines.reduce((total, line) => total + line.priceCents, 0);
  return {
    code: coupon.code,
    discount: centsToDecimal(coupon.discountCents),
    total: centsToDecimal(subtotalCents - coupon.discountCents),
    reduced: coupon.reduced,
  };
}

/** A guest's free order is bought by this very call, so their details come with it. */
function detailsMissing(): AppError {
  const message = 'Please fill in your first name, last name and email.';
  return new AppError('invalid_input', message, { fields: { buyer: message } });
}

/** The lines that can be bought; the others leave the cart with a notice, a bundle whole (decision 24). */
async function takeLines(tx: Tx, userId: number): Promise<{ lines: Line[]; notices: Notice[] }> {
  const rows = await tx
    .select({
      id: cartItems.id,
      bundleId: cartItems.bundleId,
      courseId: courses.id,
      title: courses.title,
      priceCents: courses.priceCents,
      originalPriceCents: courses.originalPriceCents,
      unavailable: sql<'owned' | 'hidden' | null>`case when ${enrollments.id} is not null then 'owned'
        when not ${courses.isActive} then 'hidden' end`,
    })
    .from(cartItems)
    .innerJoin(courses, eq(courses.id, cartItems.courseId))
    .leftJoin(enrollments, givesAccess(userId, courses.id))
    .where(eq(cartItems.userId, userId))
    .orderBy(asc(cartItems.addedAt), asc(cartItems.id));
  const known = await bundlesById(
    rows.map(({ bundleId }) => bundleId),
    tx,
  );
  const lines: Line[] = [];
  const notices = new Map<string, Notice>();
  const dropped: number[] = [];
  for (const { line, bundle, inBundle, unavailable } of priceBundles(rows, known)) {
    if (unavailable === null) {
      const { courseId, title, priceCents, originalPriceCents } = line;
      lines.push(inBundle ?? { courseId, title, priceCents, originalPriceCents });
      continue;
    }
    dropped.push(line.id);
    const mates = rows.filter((row) => row.bundleId !== null && row.bundleId === line.bundleId);
    const message = bundle
      ? unavailable === 'owned'
        ? `${ownedInBundle(
            bundle,
            mates.filter((mate) => mate.unavailable === 'owned').map((mate) => mate.courseId),
          )} The bundle was taken out of your cart.`
        : `The bundle “${bundle.title}” is no longer offered as it was and was taken out of your cart.`
      : unavailable === 'owned'
        ? `You own “${line.title}” already, so it was taken out of your cart.`
        : `“${line.title}” is no longer for sale and was taken out of your cart.`;
    notices.set(bundle ? `bundle ${bundle.id}` : String(line.id), {
      courseId: line.courseId,
      reason: unavailable,
      message,
    });
  }
  if (dropped.length > 0) await tx.delete(cartItems).where(inArray(cartItems.id, dropped));
  return { lines, notices: [...notices.values()] };
}

function nothingToBuy(notices: Notice[]): AppError {
  if (notices.length === 0) return new AppError('bad_request', 'Your cart is empty.');
  if (notices.every((notice) => notice.reason === 'owned')) {
    const refusal = alreadyOwned();
    return new AppError(refusal.code, refusal.message, { extra: { notices } });
  }
  return new AppError('conflict', 'Nothing in your cart can be bought any more.', { extra: { notices } });
}

/** A refusal that also says what left the cart before it. */
function withNotices(refusal: AppError, notices: readonly Notice[]): AppError {
  if (notices.length === 0) return refusal;
  const told = (refusal.extra?.notices ?? []) as readonly Notice[];
  return new AppError(refusal.code, refusal.message, {
    ...(refusal.fields ? { fields: refusal.fields } : {}),
    ...(refusal.retryAfterSeconds ? { retryAfterSeconds: refusal.retryAfterSeconds } : {}),
    extra: { ...refusal.extra, notices: [...notices, ...told] },
  });
}

function priceChanged(totalCents: number, notices: Notice[]): AppError {
  return new AppError('price_changed', 'The total has changed. Please check it before you pay.', {
    extra: { total: centsToDecimal(totalCents), ...(notices.length > 0 ? { notices } : {}) },
  });
}

/** A guest who gives another address buys something else: the order carries it. */
function nameOf(payer: Payer, organisationId: number | null): string {
  if (organisationId !== null) return `organisation:${organisationId}:${JSON.stringify(payer)}`;
  if ('account' in payer) return `user:${payer.account.id}`;
  return `guest:${payer.guest}${payer.details ? `:${payer.details.email}` : ''}`;
}

/** Names a buyer's set of lines at their prices, with what a coupon takes off them (decision 16). */
export function fingerprintOf(buyer: string, lines: readonly Line[], coupon: CouponInOrder | null): string {
  const content = lines
    .map(({ courseId, priceCents, seats, bundle }) => [
      courseId,
      priceCents,
      ...(seats ? [seats] : []),
      // Never to be taken for a number of seats.
      ...(bundle ? [-bundle.id] : []),
    ])
    .sort(([a = 0], [b = 0]) => a - b);
  return createHash('sha256')
    .update(JSON.stringify([buyer, content, ...(coupon ? [coupon.id, coupon.discountCents] : [])]))
    .digest('hex');
}

/** The payer's unpaid orders that hold at least one of these courses, oldest first. */
async function openOrdersWith(
  tx: Tx,
  payer: Payer,
  lines: readonly Line[],
  organisationId: number | null,
): Promise<Order[]> {
  const withCourse = tx
    .select({ id: orderItems.orderId })
    .from(orderItems)
    .where(
      inArray(
        orderItems.courseId,
        lines.map((line) => line.courseId),
      ),
    );
  return tx
    .select()
    .from(orders)
    .where(
      and(
        'account' in payer
          ? eq(orders.userId, payer.account.id)
          : and(isNull(orders.userId), eq(orders.claimSecretHash, payer.guest)),
        organisationId === null ? isNull(orders.organisationId) : eq(orders.organisationId, organisationId),
        inArray(orders.status, ['pending', 'processing']),
        // What waits for a bank transfer has its own life.
        eq(orders.payment, 'card'),
        inArray(orders.id, withCourse),
      ),
    )
    .orderBy(asc(orders.id));
}

/** Tells the buyer where a price differs from the one that an older offer quoted (fault P16). */
async function changedPrices(tx: Tx, replaced: readonly Order[], lines: readonly Line[]): Promise<Notice[]> {
  const latest = replaced.at(-1);
  if (!latest) return [];
  const quoted = await itemsOf(latest.id, tx);
  return lines.flatMap(({ courseId, title, priceCents, bundle }) => {
    // Another price because of a bundle is what the buyer chose.
    const before = quoted.find(
      (item) => item.courseId === courseId && item.bundleId === (bundle?.id ?? null),
    )?.listPriceCents;
    if (before === undefined || before === priceCents) return [];
    const message = `The price of “${title}” changed from ${formatCents(before)} to ${formatCents(priceCents)}.`;
    return { courseId, reason: 'price' as const, message };
  });
}

/** The buyer's columns; a guest's are empty until they are saved, before the payment (decision 25). */
function buyerOf(payer: Payer) {
  if ('account' in payer) {
    const { id, email, username } = payer.account;
    return { userId: id, buyerEmail: email, buyerFirstName: username };
  }
  const { email = '', firstName = '', lastName = '' } = payer.details ?? {};
  return {
    claimSecretHash: payer.guest,
    buyerEmail: email,
    buyerFirstName: firstName,
    buyerLastName: lastName,
  };
}

/** Writes an unpaid order with its lines. */
export async function writeOrder(
  tx: Tx,
  payer: Payer,
  lines: readonly Line[],
  {
    totals: { totalCents, taxCents },
    coupon = null,
    fingerprint,
    organisation,
    payment = 'card',
  }: {
    totals: Totals;
    coupon?: CouponInOrder | null;
    fingerprint: string;
    organisation: PayingOrganisation | null;
    payment?: Order['payment'];
  },
): Promise<Order> {
  const [order] = await tx
    .insert(orders)
    .values({
      ...buyerOf(payer),
      totalCents,
      taxCents,
      discountCents: coupon?.discountCents ?? 0,
      couponId: coupon?.id ?? null,
      couponCode: coupon?.code ?? null,
      currency: CURRENCY,
      fingerprint,
      organisationId: organisation?.id ?? null,
      billing: organisation?.billing ?? null,
      payment,
    })
    .returning();
  await tx.insert(orderItems).values(
    lines.map(({ courseId, title, priceCents, bundle, seats = null }, index) => ({
      orderId: order!.id,
      courseId,
      title,
      bundleId: bundle?.id ?? null,
      bundleTitle: bundle?.title ?? null,
      priceCents: priceCents - (coupon?.shares[index] ?? 0),
      listPriceCents: priceCents,
      seats,
    })),
  );
  await recordEvent(
    tx,
    order!.id,
    {
      type: 'created',
      source: 'buyer',
      details: {
        totalCents,
        courseIds: lines.map((line) => line.courseId),
        ...(coupon ? { coupon: coupon.code, discountCents: coupon.discountCents } : {}),
      },
    },
    { to: 'pending' },
  );
  return order!;
}

/**
 * Ends the older orders that a new one replaces, so that the same course cannot be paid twice.
 *
 * @returns 'changed' where one of them turned out to be paid, and the cart with it; the answer for the buyer where one
 *   is still being processed; null where all are closed
 */
async function settleReplaced(replaced: readonly Order[]): Promise<Checkout | 'changed' | null> {
  let changed = false;
  for (const order of replaced) {
    const outcome = await abandonOrder(order, 'replaced by another cart or price', 'buyer');
    if (outcome.kind === 'completed') changed = true;
    if (outcome.kind === 'mismatch') {
      throw new AppError('conflict', 'A payment of yours needs a look by our staff. Please contact support.');
    }
    if (outcome.kind === 'unpaid' && outcome.intentStatus === 'processing') {
      return {
        clientSecret: null,
        orderId: order.id,
        status: 'processing',
        total: centsToDecimal(order.totalCents),
      };
    }
  }
  return changed ? 'changed' : null;
}

/**
 * Completes an order that costs nothing; no provider is asked (decision 23). A guest's receipt is mailed so often an hour:
 * the address may be a stranger's, and no payment slows the sender down.
 *
 * @returns false where it was ended meanwhile: without money there is no late success, and its coupon may be another
 *   order's by now
 */
async function completeFree({ id, userId, buyerEmail }: Order): Promise<boolean> {
  const isMailed = userId !== null || (await tryConsume('free-order-email', hashSecret(buyerEmail)));
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const order = await lockOrder(tx, id);
      if (order.status !== 'pending') return isFulfilled(order.status);
      await completeOrder(tx, order, 'buyer', { isMailed });
      return true;
    }),
  );
}

/**
 * The payment of an open order as the page needs it: its intent is created, or looked up where there is one.
 *
 * @returns 'closed' where the intent can no longer be paid, and the order with it
 */
async function preparePayment(order: Order): Promise<Pick<Checkout, 'clientSecret' | 'status'> | 'closed'> {
  let current = order;
  let fresh: Stripe.PaymentIntent | null = null;
  if (!order.stripePaymentIntentId) {
    fresh = await createIntent(order);
    current = await attachIntent(order, fresh.id);
  }
  if (current.status !== 'pending' && current.status !== 'processing') {
    // Another window replaced the order while its intent was being made: nobody may pay that any more.
    await abandonOrder(current, 'replaced while it was being prepared', 'buyer');
    return 'closed';
  }
  // Nobody but this page can have seen the secret of an intent made a moment ago: there is nothing to look up.
  if (fresh?.client_secret && current.stripePaymentIntentId === fresh.id) {
    return { clientSecret: fresh.client_secret, status: 'open' };
  }
  const outcome = await fulfil({ orderId: current.id }, 'buyer');
  if (outcome.kind === 'completed') return { clientSecret: null, status: 'completed' };
  if (outcome.kind !== 'unpaid') {
    throw new AppError('conflict', 'A payment of yours needs a look by our staff. Please contact support.');
  }
  const { intent, intentStatus } = outcome;
  if (intentStatus === 'processing') return { clientSecret: null, status: 'processing' };
  const fits = intent?.amount === current.totalCents && intent.currency === current.currency;
  if (!intent?.client_secret || intentStatus === 'canceled' || !fits) {
    await abandonOrder(current, 'the payment was closed', 'buyer');
    return 'closed';
  }
  return { clientSecret: intent.client_secret, status: 'open' };
}

/** Creates the one intent of an order; a repeat after a lost answer gets the same one (fault P36). */
async function createIntent(order: Order): Promise<Stripe.PaymentIntent> {
  const reference = orderReference(order);
  const items = await itemsOf(order.id);
  try {
    return await askProvider('create intent', (stripe) =>
      stripe.paymentIntents.create(
        {
          amount: order.totalCents,
          currency: order.currency,
          // Cards and wallets on the page itself; nothing that leads the buyer away.
          automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
          description:
            `Order ${order.id}: ${items.length === 1 ? items[0]!.title : `${items.length} courses`}`.slice(
              0,
              200,
            ),
          metadata: {
            order_id: String(order.id),
            order_reference: reference,
            ...(order.userId === null ? {} : { user_id: String(order.userId) }),
          },
        },
        { idempotencyKey: `intent:${reference}:${order.intentFailures}` },
      ),
    );
  } catch (error) {
    // The provider repeats a stored failure for a day; only a new key gets past it.
    if (error instanceof AppError && isStoredFailure(error.cause)) {
      await db().transaction(async (tx) => {
        await tx
          .update(orders)
          .set({ intentFailures: sql`${orders.intentFailures} + 1` })
          .where(eq(orders.id, order.id));
        await recordEvent(tx, order.id, { type: 'intent_refused', source: 'system' });
      });
    }
    throw error;
  }
}
