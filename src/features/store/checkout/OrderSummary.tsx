import type { ReactNode } from 'react';
import { Card } from '#src/components/Card.tsx';
import { SummaryBundle } from '#src/features/store/bundles/CartBundle.tsx';
import { formatDecimal } from '#src/shared/money.ts';
import { cartRows, type Totals as Amounts } from '#src/features/store/cart/cart.ts';
import { Thumbnail } from '#src/features/catalogue/Thumbnail.tsx';
import type { CartLine } from '#src/features/store/cart/schema.ts';
import { Totals } from './Totals.tsx';

export function OrderSummary({
  lines,
  totals,
  coupon,
  children,
}: {
  lines: readonly CartLine[];
  totals: Amounts;
  coupon: { code: string; discountCents: number } | null;
  children?: ReactNode;
}) {
  return (
    <Card className="lg:sticky lg:order-2 lg:top-[calc(var(--spacing-header)+1.5rem)]">
      <h2 className="text-subheading">Order Summary</h2>
      <ul className="mt-5 flex flex-col gap-5 border-b border-line pb-6">
        {cartRows(lines).map((row) => {
          const [{ courseId, course, bundle }] = row as [CartLine];
          if (bundle) return <SummaryBundle key={`bundle ${bundle.id}`} lines={row} />;
          return (
            <li key={courseId} className="flex gap-4">
              <Thumbnail course={course} className="w-20 self-start" />
              <div className="min-w-0 flex-1">
                <p className="line-clamp-2 leading-snug font-medium" title={course.title}>
                  {course.title}
                </p>
                <p className="mt-0.5 text-sm text-ink-soft">Online Course</p>
              </div>
              <p className="text-right tabular-nums">
                <span className="block font-medium">{formatDecimal(course.price)}</span>
                {course.originalPrice !== null && (
                  <span className="block text-sm text-ink-soft">
                    <span className="sr-only">Original price </span>
                    <s>{formatDecimal(course.originalPrice)}</s>
                  </span>
                )}
              </p>
            </li>
          );
        })}
      </ul>
      <div className="mt-6">
        <Totals {...totals} coupon={coupon} />
      </div>
      {children}
    </Card>
  );
}
