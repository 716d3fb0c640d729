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

const ATTEMPTS = 4;

export type PayingAccount = Pick<CurrentUser, 'id' | 'email' | 'username'>;

export type Payer = { account: PayingAccount } | { guest: string; details?: BuyerDetails };

export type PayingOrganisation = { id: number; billing: Billing };

export type Offer =
  | { lines: Line[]; notices: Notice[]; organisation?: PayingOrganisation }
  | { bought: Order }
  | { refusal: AppError };

export type Expectation = { amountCents: number; couponCode?: string | undefined };

type Draft =
  | { order: Order; notices: Notice[]; replaced: Order[] }
  | { couponHolders: Order[]; notices: Notice[] }
  | { bought: Order }
  | { refusal: AppError };

/**
 * Begins or resumes the payment of a user's cart. The page's amount is only compared (decision 15); the same cart
 * leads to the same order and intent (decision 16, fault P20).
 * @throws {AppError} price_changed with the server's `total`, bad_request, already_owned, conflict,
 * provider_unavailable, what `couponRefused` gives
 */
export function startCheckout(user: PayingAccount, expected: Expectation): Promise<Checkout> {
  return openPayment({ account: user }, expected, async (tx) => {
    const { lines, notices } = await takeLines(tx, user.id);
    return lines.length === 0 ? { refusal: nothingToBuy(notices) } : { lines, notices };
  });
}

/**
 * Begins or resumes the payment of an offer: one open order and intent for the same lines and payer (decision 16).
 * Changed lines or prices make a new order and cancel the old one (faults P16, P18).
 * @param readOffer runs in the transaction, under the payer's lock
 * @throws {AppError} price_changed, invalid_input for a guest's free order without details, conflict,
 * provider_unavailable
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
    // The older order went through and holds the coupon: this one must not (decision 22).
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
    if ('refusal' in taken) return { refusal: withNotices(taken.refusal, notices) };
    if ('holders' in taken) return { couponHolders: taken.holders, notices };
    const { coupon } = taken;
    const totals = withCoupon(totalsOf(lines), coupon);
    const { totalCents, subtotalCents } = totals;
    if (totalCents !== expected.amountCents) return { refusal: priceChanged(totalCents, notices) };
    if (subtotalCents > PRICE_MAX_CENTS) {
      const limit = formatCents(PRICE_MAX_CENTS);
      return {
        refusal: new AppError(
          'bad_request',
          `One payment can be ${limit} at most. Please buy fewer courses at once, or contact us.`,
        ),
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
    const gone = ['order_items_course_id_courses_id_fk', 'order_items_bundle_id_bundles_id_fk'];
    if (gone.some((constraint) => isForeignKeyViolation(error, constraint))) return draft();
    throw error;
  });
}

function couponBuyer(payer: Payer): CouponBuyer {
  return 'account' in payer ? { userId: payer.account.id } : { secretHash: payer.guest };
}

/** Writes nothing. @throws {AppError} bad_request for an empty cart, unauthenticated, what `couponRefused` gives */
export async function quoteCartCoupon(user: PayingAccount | null, code: string): Promise<AppliedCoupon> {
  if (!user) throw new AppError('unauthenticated', 'Please sign in to continue.');
  const cart = await listCart(user.id);
  const lines = cart
    .filter((line) => line.unavailable === null)
    .map(({ courseId, course }) => ({ courseId, priceCents: centsOf(course.price) }));
  if (lines.length === 0) throw nothingToBuy([]);
  return quote({ account: user }, code, lines);
}

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

/** This call completes a guest's free order, so it needs their details. */
function detailsMissing(): AppError {
  const message = 'Please fill in your first name, last name and email.';
  return new AppError('invalid_input', message, { fields: { buyer: message } });
}

function nameOf(payer: Payer, organisationId: number | null): string {
  if (organisationId !== null) return `organisation:${organisationId}:${JSON.stringify(payer)}`;
  if ('account' in payer) return `user:${payer.account.id}`;
  return `guest:${payer.guest}${payer.details ? `:${payer.details.email}` : ''}`;
}

/** Identifies a buyer's lines, prices and coupon (decision 16). */
export function fingerprintOf(buyer: string, lines: readonly Line[], coupon: CouponInOrder | null): string {
  const content = lines
    .map(({ courseId, priceCents, seats, bundle }) => [
      courseId,
      priceCents,
      ...(seats ? [seats] : []),
      ...(bundle ? [-bundle.id] : []),
    ])
    .sort(([a = 0], [b = 0]) => a - b);
  return createHash('sha256')
    .update(JSON.stringify([buyer, content, ...(coupon ? [coupon.id, coupon.discountCents] : [])]))
    .digest('hex');
}

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
        eq(orders.payment, 'card'),
        inArray(orders.id, withCourse),
      ),
    )
    .orderBy(asc(orders.id));
}

/** Notices for prices that differ from the replaced order's (fault P16). */
async function changedPrices(tx: Tx, replaced: readonly Order[], lines: readonly Line[]): Promise<Notice[]> {
  const latest = replaced.at(-1);
  if (!latest) return [];
  const quoted = await itemsOf(latest.id, tx);
  return lines.flatMap(({ courseId, title, priceCents, bundle, seats = null }) => {
    const before = quoted.find(
      (item) => item.courseId === courseId && item.bundleId === (bundle?.id ?? null) && item.seats === seats,
    )?.listPriceCents;
    if (before === undefined || before === priceCents) return [];
    const message = `The price of “${title}” changed from ${formatCents(before)} to ${formatCents(priceCents)}.`;
    return { courseId, reason: 'price' as const, message };
  });
}

async function nameAnew(tx: Tx, order: Order, organisation: PayingOrganisation | null): Promise<Order> {
  if (organisation === null) return order;
  const { billing } = organisation;
  await tx
    .update(orders)
    .set({ billing })
    .where(and(eq(orders.id, order.id), inArray(orders.status, ['pending', 'processing'])));
  return { ...order, billing };
}

/** Empty for guests until they are saved before the payment (decision 25). */
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
