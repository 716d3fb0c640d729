import { and, eq, sql } from 'drizzle-orm';
import { db, type Tx } from '#db/client.ts';
import { courses } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import { orders } from '#db/schema/store.ts';
import { type CurrentUser, hashSecret } from '#src/features/account/session.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { AppError } from '#src/shared/errors.ts';
import { alreadyOwned } from './cart.server.ts';
import { type Offer, openPayment, type Payer } from './checkout.server.ts';
import { type Proof, proves } from './claims.server.ts';
import { boughtBefore, boughtHere } from './guests.server.ts';
import { findOrderByIntent, itemsOf, lockOrder } from './orders.server.ts';
import type { BuyerDetails, Checkout } from './schema.ts';

type Account = Pick<CurrentUser, 'id' | 'email' | 'username'>;

/**
 * Begins (or takes up again) the payment of one course, for an account or for a guest (decision 3). The rules of the
 * cart's checkout hold: the amount is a tripwire, one open order and one intent for the same course at the same price.
 *
 * @param account the signed-in buyer; null for a guest
 * @param claimSecret the secret of the guest's claim cookie
 * @param details the guest's name and email; needed for a free course alone, which is bought by this call
 * @throws {AppError} not_found for a hidden or missing course, already_owned, price_changed with the server's `total`,
 *   invalid_input for a free course without the guest's details, provider_unavailable
 */
export async function startDirectCheckout(
  { courseId, amountCents }: { courseId: number; amountCents: number },
  account: Account | null,
  claimSecret: string,
  details?: BuyerDetails,
): Promise<Checkout & { buyer: 'account' | 'guest' }> {
  const payer: Payer = account
    ? { account }
    : { guest: hashSecret(claimSecret), ...(details ? { details } : {}) };
  const checkout = await openPayment(payer, amountCents, (tx) => readOffer(tx, courseId, payer));
  return { ...checkout, buyer: account ? 'account' : 'guest' };
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
  if (line.priceCents === 0 && 'guest' in payer) {
    if (!payer.details) return { refusal: missingDetails() };
    const before = await boughtBefore(tx, payer.details.email, [courseId], 0);
    if (before.size > 0) return { refusal: boughtAlready() };
  }
  return { lines: [line], notices: [] };
}

function missingDetails(): AppError {
  const message = 'Please fill in your first name, last name and email.';
  return new AppError('invalid_input', message, { fields: { buyer: message } });
}

/** Said before a second payment for the same address (fault P27). */
function boughtAlready(): AppError {
  const message =
    'This email address has the course already. Sign in, or open the link in your receipt, to get to it.';
  return new AppError('already_owned', message, { fields: { email: message } });
}

/**
 * Writes the buyer's name and email on an order before it is paid (decision 25). The email of an account's order stays
 * the account's.
 *
 * @param proof that the caller made the order: the payment's secret or the claim cookie
 * @returns the buyer as the order has it now
 * @throws {AppError} not_found for an order of somebody else, conflict where it is not waiting for its payment any more,
 *   already_owned where the address has the course (fault P27)
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
