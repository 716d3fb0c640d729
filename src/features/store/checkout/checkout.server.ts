import { createHash } from 'node:crypto';
import { and, asc, eq, inArray, isNull } from 'drizzle-orm';
import { db, type Tx } from '#db/client.ts';
import type { Billing } from '#db/schema/organisations.ts';
import { orderItems, orders } from '#db/schema/store.ts';
import type { CurrentUser } from '#src/features/account/session.server.ts';
import { isForeignKeyViolation, retryOnConflict } from '#src/server/database-errors.ts';
import { AppError } from '#src/shared/errors.ts';
import { centsOf, centsToDecimal, CURRENCY, formatCents, PRICE_MAX_CENTS } from '#src/shared/money.ts';
import { type Totals, totalsOf, withCoupon } from '#src/features/store/cart/cart.ts';
import { listCart, lockBuyer } from '#src/features/store/cart/cart.server.ts';
import {
  type CouponBuyer,
  type CouponInOrder,
  quoteCoupon,
  takeCoupon,
} from '#src/features/store/coupons/coupons.server.ts';
import type { DiscountableLine } from '#src/features/store/coupons/coupons.ts';
import { abandonOrder } from '#src/features/store/orders/fulfil.server.ts';
import { lockGuest } from '#src/features/store/guests/guests.server.ts';
import { itemsOf, type Order, recordEvent } from '#src/features/store/orders/orders.server.ts';
import type { AppliedCoupon } from '#src/features/store/coupons/schema.ts';
import type { BuyerDetails, Checkout, Notice } from '#src/features/store/checkout/schema.ts';
import { nothingToBuy, priceChanged, takeLines, withNotices } from './cart-lines.server.ts';
import { completeFree, preparePayment, settleReplaced } from './open-payment.server.ts';
import type { Line } from './cart-lines.server.ts';

/** Times that a checkout looks at the cart anew because an older order of it was settled meanwhile. */
const ATTEMPTS = 4;

export type PayingAccount = Pick<CurrentUser, 'id' | 'email' | 'username'>;

/** Who pays: an account, or a guest that is known by the hash of the secret in their claim cookie alone. */
export type Payer = { account: PayingAccount } | { guest: string; details?: BuyerDetails };

/** Whose seats are bought, and whom their invoice names. */
export type PayingOrganisation = { id: number; billing: Billing };

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
    const order = known
      ? await nameAnew(tx, known, organisation)
      : await writeOrder(tx, payer, lines, { totals, coupon, fingerprint, organisation });
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
  return lines.flatMap(({ courseId, title, priceCents, bundle, seats = null }) => {
    // Another price because of a bundle, or of another number of seats, is what the buyer chose.
    const before = quoted.find(
      (item) => item.courseId === courseId && item.bundleId === (bundle?.id ?? null) && item.seats === seats,
    )?.listPriceCents;
    if (before === undefined || before === priceCents) return [];
    const message = `The price of “${title}” changed from ${formatCents(before)} to ${formatCents(priceCents)}.`;
    return { courseId, reason: 'price' as const, message };
  });
}

/** Has an open order name whom its invoice is for as it was said last; one that is paid meanwhile stays as it was issued. */
async function nameAnew(tx: Tx, order: Order, organisation: PayingOrganisation | null): Promise<Order> {
  if (organisation === null) return order;
  const { billing } = organisation;
  await tx
    .update(orders)
    .set({ billing })
    .where(and(eq(orders.id, order.id), inArray(orders.status, ['pending', 'processing'])));
  return { ...order, billing };
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
    lines.map(({ courseId, title, priceCents, fullPriceCents = null, bundle, seats = null }, index) => ({
      orderId: order!.id,
      courseId,
      title,
      bundleId: bundle?.id ?? null,
      bundleTitle: bundle?.title ?? null,
      priceCents: priceCents - (coupon?.shares[index] ?? 0),
      listPriceCents: priceCents,
      fullPriceCents,
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
