import { and, eq, sql } from 'drizzle-orm';
import { db, type Tx } from '#db/client.ts';
import { courses } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import { orders } from '#db/schema/store.ts';
import { type CurrentUser, hashSecret } from '#src/features/account/session.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { AppError } from '#src/shared/errors.ts';
import { alreadyOwned } from './cart.server.ts';
import {
  boughtAlready,
  type Expectation,
  type Offer,
  openPayment,
  type Payer,
  quote,
} from './checkout.server.ts';
import { type Proof, proves } from './claims.server.ts';
import { couponRefused, lockCoupon, otherUsesOf } from './coupons.server.ts';
import { abandonOrder } from './fulfil.server.ts';
import { boughtBefore, boughtHere, lockGuest } from './guests.server.ts';
import { findOrderByIntent, itemsOf, lockOrder } from './orders.server.ts';
import type { AppliedCoupon, BuyerDetails, Checkout } from './schema.ts';

type Account = Pick<CurrentUser, 'id' | 'email' | 'username'>;

/**
 * Begins (or takes up again) the payment of one course, for an account or for a guest (decision 3). The rules of the
 * cart's checkout hold: the amount is a tripwire, one open order and one intent for the same course at the same price.
 *
 * @param account the signed-in buyer; null for a guest
 * @param claimSecret the secret of the guest's claim cookie
 * @param details the guest's name and email; needed for a free course alone, which is bought by this call
 * @throws {AppError} not_found for a hidden or missing course, already_owned, price_changed with the server's `total`,
 *   what `couponRefused` gives, invalid_input for a free order without the guest's details, provider_unavailable
 */
export async function startDirectCheckout(
  { courseId, ...expected }: Expectation & { courseId: number },
  account: Account | null,
  claimSecret: string,
  details?: BuyerDetails,
): Promise<Checkout & { buyer: 'account' | 'guest' }> {
  const payer = payerOf(account, claimSecret, details);
  const checkout = await openPayment(payer, expected, (tx) => readOffer(tx, courseId, payer));
  return { ...checkout, buyer: account ? 'account' : 'guest' };
}

function payerOf(account: Account | null, claimSecret: string, details?: BuyerDetails): Payer {
  return account ? { account } : { guest: hashSecret(claimSecret), ...(details ? { details } : {}) };
}

/**
 * What a coupon would do to the price of one course. Nothing is taken or written.
 *
 * @param claimSecret the secret of the guest's claim cookie, empty without one
 * @throws {AppError} not_found for a hidden or missing course, what `couponRefused` gives
 */
export async function quoteCourseCoupon(
  courseId: number,
  code: string,
  account: Account | null,
  claimSecret: string,
): Promise<AppliedCoupon> {
  const [line] = await db()
    .select({ courseId: courses.id, priceCents: courses.priceCents })
    .from(courses)
    .where(and(eq(courses.id, courseId), courses.isActive));
  if (!line) throw new AppError('not_found', 'Course not found');
  return quote(payerOf(account, claimSecret), code, [line]);
}

async function readOffer(tx: Tx, courseId: number, payer: Payer): Promise<Offer> {
  const [row] = await tx
    .select({
      courseId: courses.id,
      title: courses.title,
      priceCents: courses.priceCents,
      originalPriceCents: courses.originalPriceCents,
      isActive: courses.isActive,
      enrollmentId: enrollments.id,
    })
    .from(courses)
    .leftJoin(
      enrollments,
      and(
        eq(enrollments.courseId, courses.id),
        // No account has id 0, so that a guest is enrolled nowhere.
        eq(enrollments.userId, 'account' in payer ? payer.account.id : 0),
        eq(enrollments.status, 'active'),
      ),
    )
    .where(eq(courses.id, courseId));
  if (row?.enrollmentId) return { refusal: alreadyOwned() };
  if ('guest' in payer) {
    const bought = await boughtHere(tx, payer.guest, courseId);
    if (bought) return { bought };
  }
  if (!row?.isActive) return { refusal: new AppError('not_found', 'Course not found') };
  const { isActive: _, enrollmentId: __, ...line } = row;
  return { lines: [line], notices: [] };
}

/**
 * Writes the buyer's name and email on an order before it is paid (decision 25). The email of an account's order stays
 * the account's.
 *
 * @param proof that the caller made the order: the payment's secret or the claim cookie
 * @returns the buyer as the order has it now
 * @throws {AppError} not_found for an order of somebody else, conflict where it is not waiting for its payment any more,
 *   already_owned where the address has the course (fault P27), what `couponRefused` gives where it used the coupon
 */
export async function saveBuyer(
  { firstName, lastName, email }: BuyerDetails,
  proof: Proof & { intentId: string },
  account: Account | null,
): Promise<BuyerDetails> {
  const order = await findOrderByIntent(proof.intentId);
  const isOurs =
    order !== null && (order.userId === null ? await proves(proof, order) : order.userId === account?.id);
  if (!isOurs) throw new AppError('not_found', 'There is no such payment.');
  if (order.userId === null && order.status === 'pending') {
    // The same address in another browser: the coupon goes with the checkout that is used last. An account's order stays,
    // because whoever types an address in need not be its owner.
    const others = await otherUsesOf(db(), order, email);
    for (const other of others.filter(({ status, userId }) => status === 'pending' && userId === null)) {
      await abandonOrder(other, 'its coupon is used in another checkout of the same buyer', 'buyer');
    }
  }
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const locked = await lockOrder(tx, order.id);
      if (locked.status !== 'pending') {
        throw new AppError('conflict', 'This payment is closed or under way. Please reload the page.');
      }
      const buyer = { firstName, lastName, email: locked.userId === null ? email : locked.buyerEmail };
      if (locked.userId === null) {
        const courseIds = (await itemsOf(locked.id, tx)).map((item) => item.courseId);
        const before = await boughtBefore(tx, email, courseIds, locked.id);
        if (before.size > 0) throw boughtAlready();
        await tx.execute(lockGuest(email));
        await lockCoupon(tx, locked);
        const others = await otherUsesOf(tx, locked, email);
        if (others.length > 0) {
          const isOpen = others.every(({ status }) => status === 'pending' || status === 'processing');
          throw couponRefused(isOpen ? 'in_use' : 'used_before');
        }
      }
      await tx
        .update(orders)
        .set({
          buyerEmail: buyer.email,
          buyerFirstName: firstName,
          buyerLastName: lastName,
          updatedAt: sql`now()`,
        })
        .where(eq(orders.id, locked.id));
      return buyer;
    }),
  );
}
