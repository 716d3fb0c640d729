import { formatCents } from '#src/shared/money.ts';
import type { Totals as Amounts } from '#src/features/store/cart/cart.ts';

/** Spec 2 and 9. The coupon has its own line (decision 22); price reductions are not subtracted (decision 61). */
export function Totals({
  subtotalCents,
  discountCents,
  taxCents,
  totalCents,
  coupon = null,
}: Amounts & { coupon?: { code: string; discountCents: number } | null }) {
  return (
    <dl className="flex flex-col gap-2.5 tabular-nums [&>div]:flex [&>div]:justify-between [&>div]:gap-4">
      <div>
        <dt className="text-ink-soft">Subtotal</dt>
        <dd>{formatCents(subtotalCents)}</dd>
      </div>
      {discountCents > 0 && (
        <div className="text-success">
          <dt>
            Discount <span className="block text-sm text-ink-soft">already in the prices</span>
          </dt>
          <dd>{formatCents(discountCents)}</dd>
        </div>
      )}
      {coupon && (
        <div className="text-success">
          <dt className="min-w-0 [overflow-wrap:anywhere]">Coupon {coupon.code}</dt>
          <dd>-{formatCents(coupon.discountCents)}</dd>
        </div>
      )}
      <div>
        <dt className="text-ink-soft">Tax</dt>
        <dd>{formatCents(taxCents)}</dd>
      </div>
      <div className="mt-1.5 border-t border-line pt-4 text-lg font-semibold">
        <dt>Total</dt>
        <dd>{formatCents(totalCents)}</dd>
      </div>
    </dl>
  );
}
