import { and, eq } from 'drizzle-orm';
import { givesAccess, opensLater } from '#src/features/catalogue/access.server.ts';
import { db, type Tx } from '#db/client.ts';
import { courses } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import { bundles } from '#db/schema/store.ts';
import {
  bundleOwned,
  linesOf,
  offeredBundle,
  ownedCourses,
  readBundles,
} from '#src/features/store/bundles/bundles.server.ts';
import { hashSecret } from '#src/features/account/session.server.ts';
import { AppError } from '#src/shared/errors.ts';
import { alreadyOwned, notYetSold } from '#src/features/store/cart/cart.server.ts';
import {
  type Expectation,
  type Offer,
  openPayment,
  type Payer,
  type PayingAccount,
  quote,
} from '#src/features/store/checkout/checkout.server.ts';
import { changeUnpaid } from '#src/features/store/orders/unpaid-order.server.ts';
import { type Proof, proves } from '#src/features/store/guests/proof.server.ts';
import { boughtHere } from '#src/features/store/guests/guests.server.ts';
import { findOrderByIntent, itemsOf } from '#src/features/store/orders/orders.server.ts';
import type { AppliedCoupon } from '#src/features/store/coupons/schema.ts';
import type { BuyerDetails, Checkout } from '#src/features/store/checkout/schema.ts';
import { omit } from '#src/shared/pick.ts';

type Thing = { courseId?: number | undefined; bundleId?: number | undefined };

/**
 * Begins or resumes the payment of one course or bundle, for an account or a guest (decision 3), by the cart's rules.
 * @param details a guest's, needed for a free course
 * @throws {AppError} not_found, already_owned, conflict without lessons, price_changed, invalid_input, provider_unavailable, what
 * `couponRefused` gives
 */
export async function startDirectCheckout(
  { courseId, bundleId, ...expected }: Expectation & Thing,
  account: PayingAccount | null,
  claimSecret: string,
  details?: BuyerDetails,
): Promise<Checkout & { buyer: 'account' | 'guest' }> {
  const payer = payerOf(account, claimSecret, details);
  const checkout = await openPayment(payer, expected, (tx) =>
    bundleId === undefined ? readOffer(tx, courseId!, payer) : readBundleOffer(tx, bundleId, payer),
  );
  return { ...checkout, buyer: account ? 'account' : 'guest' };
}

function payerOf(account: PayingAccount | null, claimSecret: string, details?: BuyerDetails): Payer {
  return account ? { account } : { guest: hashSecret(claimSecret), ...(details ? { details } : {}) };
}

/** Writes nothing. @throws {AppError} not_found, what `couponRefused` gives */
export async function quoteDirectCoupon(
  { courseId, bundleId }: Thing,
  code: string,
  account: PayingAccount | null,
  claimSecret: string,
): Promise<AppliedCoupon> {
  const payer = payerOf(account, claimSecret);
  if (bundleId !== undefined) return quote(payer, code, (await offeredBundle(bundleId)).lines);
  const [line] = await db()
    .select({ courseId: courses.id, priceCents: courses.priceCents, opensLater })
    .from(courses)
    .where(and(eq(courses.id, courseId!), courses.isActive));
  if (!line) throw new AppError('not_found', 'Course not found');
  if (line.opensLater) throw notYetSold();
  return quote(payer, code, [line]);
}

async function readBundleOffer(tx: Tx, bundleId: number, payer: Payer): Promise<Offer> {
  const [bundle] = await readBundles(eq(bundles.id, bundleId), tx);
  const lines = bundle && linesOf(bundle);
  const inIt = (bundle?.courses ?? []).flatMap(({ id }) => id ?? []);
  if ('guest' in payer) {
    const had: number[] = [];
    for (const id of inIt) {
      const bought = await boughtHere(tx, payer.guest, id);
      if (!bought) continue;
      if ((await itemsOf(bought.id, tx)).some((item) => item.bundleId === bundleId)) return { bought };
      had.push(id);
    }
    if (bundle && lines && had.length > 0) return { refusal: bundleOwned(bundle, had) };
  }
  if (!lines) return { refusal: new AppError('not_found', 'Bundle not found') };
  const owned = 'account' in payer ? await ownedCourses(payer.account.id, bundle, tx) : [];
  return owned.length > 0 ? { refusal: bundleOwned(bundle, owned) } : { lines, notices: [] };
}

async function readOffer(tx: Tx, courseId: number, payer: Payer): Promise<Offer> {
  const [row] = await tx
    .select({
      courseId: courses.id,
      title: courses.title,
      priceCents: courses.priceCents,
      originalPriceCents: courses.originalPriceCents,
      listed: courses.isActive,
      opensLater,
      enrollmentId: enrollments.id,
    })
    .from(courses)
    .leftJoin(
      enrollments,
      // No account has id 0: a guest owns nothing.
      givesAccess('account' in payer ? payer.account.id : 0, courses.id),
    )
    .where(eq(courses.id, courseId));
  if (row?.enrollmentId) return { refusal: alreadyOwned() };
  if ('guest' in payer) {
    const bought = await boughtHere(tx, payer.guest, courseId);
    if (bought) return { bought };
  }
  if (!row?.listed) return { refusal: new AppError('not_found', 'Course not found') };
  if (row.opensLater) return { refusal: notYetSold() };
  return { lines: [omit(row, ['listed', 'opensLater', 'enrollmentId'])], notices: [] };
}

/**
 * Saves name and email before the payment; an account keeps its email. Looks nothing up by the email, so that the
 * answer reveals no account, course or coupon.
 * @param proof the payment's secret or the claim cookie
 * @throws {AppError} not_found, conflict
 */
export async function saveBuyer(
  { firstName, lastName, email }: BuyerDetails,
  proof: Proof & { intentId: string },
  account: PayingAccount | null,
): Promise<BuyerDetails> {
  const order = await findOrderByIntent(proof.intentId);
  const isOurs =
    order !== null && (order.userId === null ? await proves(proof, order) : order.userId === account?.id);
  if (!isOurs) throw new AppError('not_found', 'There is no such payment.');
  const saved = await changeUnpaid(order.id, (locked) => ({
    buyerEmail: locked.userId === null ? email : locked.buyerEmail,
    buyerFirstName: firstName,
    buyerLastName: lastName,
  }));
  return { firstName, lastName, email: saved.buyerEmail };
}
