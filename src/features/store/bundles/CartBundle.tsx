import { Badge } from '#src/components/Badge.tsx';
import { cartTotals } from '#src/features/store/cart/cart.ts';
import { Thumbnail } from '#src/features/catalogue/Thumbnail.tsx';
import { RemoveFromCart } from '#src/features/store/cart/RemoveFromCart.tsx';
import type { CartLine } from '#src/features/store/cart/schema.ts';
import { formatCents, formatDecimal } from '#src/shared/money.ts';
import { bundlePath } from './bundles.ts';

const REASONS = {
  hidden: 'This bundle is no longer offered as it was. Please remove it.',
  owned: 'You own one of its courses already. Please remove it: the others can be bought singly.',
};

export function CartBundle({ lines, onRemove }: { lines: readonly CartLine[]; onRemove: () => void }) {
  const [{ bundle, course, courseId, unavailable }] = lines as [CartLine];
  const { id, title, price } = bundle!;
  return (
    <li className="flex gap-4 border-t border-line py-5 last:border-b sm:gap-6 sm:py-6">
      <Thumbnail course={course} className="w-24 self-start sm:w-40" />
      <div className="flex min-w-0 flex-1 flex-col gap-x-6 gap-y-2 sm:flex-row sm:justify-between">
        <div className="min-w-0">
          <h2 className="text-base leading-snug font-semibold [overflow-wrap:anywhere] sm:text-[1.0625rem]">
            {unavailable === 'hidden' ? (
              title
            ) : (
              <a href={bundlePath(id)} className="quiet-link">
                {title}
              </a>
            )}
          </h2>
          <p className="mt-1 text-sm text-ink-soft">Bundle of {lines.length} courses</p>
          <Courses lines={lines} />
          {unavailable && (
            <p className="mt-2 flex flex-wrap items-center gap-2 text-sm text-ink-soft">
              <Badge tone="warning">Not available</Badge>{' '}
              {REASONS[unavailable === 'owned' ? 'owned' : 'hidden']}
            </p>
          )}
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 sm:flex-col sm:items-end">
          <div className="tabular-nums sm:text-right">
            <p className="font-semibold">{formatDecimal(price)}</p>
            <Saving lines={lines} />
          </div>
          <RemoveFromCart courseId={courseId} title={title} onRemove={onRemove} />
        </div>
      </div>
    </li>
  );
}

export function SummaryBundle({ lines }: { lines: readonly CartLine[] }) {
  const [{ bundle, course }] = lines as [CartLine];
  return (
    <li className="flex gap-4">
      <Thumbnail course={course} className="w-20 self-start" />
      <div className="min-w-0 flex-1">
        <p className="leading-snug font-medium [overflow-wrap:anywhere]">{bundle!.title}</p>
        <p className="mt-0.5 text-sm text-ink-soft">Bundle of {lines.length} courses</p>
        <Courses lines={lines} />
      </div>
      <p className="shrink-0 font-medium tabular-nums">{formatDecimal(bundle!.price)}</p>
    </li>
  );
}

function Courses({ lines }: { lines: readonly CartLine[] }) {
  return (
    <ul className="mt-1.5 list-disc pl-4 text-sm text-ink-soft">
      {lines.map(({ course }) => (
        <li key={course.id} className="[overflow-wrap:anywhere]">
          {course.title}
        </li>
      ))}
    </ul>
  );
}

function Saving({ lines }: { lines: readonly CartLine[] }) {
  const { discountCents } = cartTotals(lines);
  return discountCents > 0 && <p className="text-sm text-success">You save {formatCents(discountCents)}</p>;
}
