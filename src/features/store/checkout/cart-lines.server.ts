import { givesAccess, opensLater } from '#src/features/catalogue/access.server.ts';
import { asc, eq, inArray, sql } from 'drizzle-orm';
import type { Tx } from '#db/client.ts';
import { courses } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import { cartItems } from '#db/schema/store.ts';
import { AppError } from '#src/shared/errors.ts';
import { centsToDecimal } from '#src/shared/money.ts';
import { bundlesById, ownedInBundle, priceBundles } from '#src/features/store/bundles/bundles.server.ts';
import { alreadyOwned, notYetSold } from '#src/features/store/cart/cart.server.ts';
import type { CartLine } from '#src/features/store/cart/schema.ts';
import type { Notice } from '#src/features/store/checkout/schema.ts';

/** Lines that cannot be bought leave the cart with a notice, a bundle whole (decision 24). */
export async function takeLines(tx: Tx, userId: number): Promise<{ lines: Line[]; notices: Notice[] }> {
  const rows = await tx
    .select({
      id: cartItems.id,
      bundleId: cartItems.bundleId,
      courseId: courses.id,
      title: courses.title,
      priceCents: courses.priceCents,
      originalPriceCents: courses.originalPriceCents,
      unavailable: sql<CartLine['unavailable']>`case when ${enrollments.id} is not null then 'owned'
        when not ${courses.isActive} then 'hidden' when ${opensLater} then 'later' end`,
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
        : unavailable === 'later'
          ? `“${line.title}” was taken out of your cart. ${notYetSold().message}`
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

export function nothingToBuy(notices: Notice[]): AppError {
  if (notices.length === 0) return new AppError('bad_request', 'Your cart is empty.');
  const are = (reason: string) => notices.every((notice) => notice.reason === reason);
  if (are('owned')) return withNotices(alreadyOwned(), notices);
  if (are('later')) return withNotices(notYetSold(), notices);
  return new AppError('conflict', 'Nothing in your cart can be bought any more.', { extra: { notices } });
}

export function withNotices(refusal: AppError, notices: readonly Notice[]): AppError {
  if (notices.length === 0) return refusal;
  const told = (refusal.extra?.notices ?? []) as readonly Notice[];
  return new AppError(refusal.code, refusal.message, {
    ...(refusal.fields ? { fields: refusal.fields } : {}),
    ...(refusal.retryAfterSeconds ? { retryAfterSeconds: refusal.retryAfterSeconds } : {}),
    extra: { ...refusal.extra, notices: [...notices, ...told] },
  });
}

export function priceChanged(totalCents: number, notices: Notice[]): AppError {
  return new AppError('price_changed', 'The total has changed. Please check it before you pay.', {
    extra: { total: centsToDecimal(totalCents), ...(notices.length > 0 ? { notices } : {}) },
  });
}

export type Line = {
  courseId: number;
  title: string;
  priceCents: number;
  originalPriceCents: number | null;
  seats?: number;
  fullPriceCents?: number | null;
  /** The line's price is its share of this bundle's price. */
  bundle?: { id: number; title: string } | null;
};
