import { $changesElsewhere, cartChanged } from './cart.store.ts';
import { ShoppingCart } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { Card } from '#src/components/Card.tsx';
import { EmptyState } from '#src/components/EmptyState.tsx';
import { toast } from '#src/components/toast.store.ts';
import { OPENS_LATER } from '#src/features/catalogue/catalogue.ts';
import { call } from '#src/shared/api.ts';
import { formatDecimal } from '#src/shared/money.ts';
import { cartRows, cartTotals, removeFromCart } from './cart.ts';
import { CartBundle } from '#src/features/store/bundles/CartBundle.tsx';
import { Thumbnail } from '#src/features/catalogue/Thumbnail.tsx';
import { RemoveFromCart } from './RemoveFromCart.tsx';
import { type CartLine, listCartCall, removeFromCartCall } from '#src/features/store/cart/schema.ts';
import { Totals } from '#src/features/store/checkout/Totals.tsx';
import { useStore } from '#src/components/use-store.ts';

const REASONS = {
  hidden: 'This course is no longer for sale. Please remove it.',
  owned: 'You own this course already. Please remove it.',
  later: OPENS_LATER,
};

export function Cart({ initialLines }: { initialLines: CartLine[] }) {
  const [lines, setLines] = useState<readonly CartLine[]>(initialLines);
  const list = useRef<HTMLUListElement>(null);
  const empty = useRef<HTMLDivElement>(null);

  const changes = useStore($changesElsewhere, 0);
  useEffect(() => {
    if (changes > 0) call(listCartCall, {}).then(setLines, () => {});
  }, [changes]);

  const remove = async (line: CartLine) => {
    const position = cartRows(lines).findIndex((row) => row.includes(line));
    const remaining = removeFromCart(lines, line.courseId);
    setLines((current) => removeFromCart(current, line.courseId));
    // The focused button is gone: the next line's takes the focus, or the text of the empty cart.
    requestAnimationFrame(() => {
      const buttons = list.current?.querySelectorAll('button');
      (buttons?.[Math.min(position, buttons.length - 1)] ?? empty.current)?.focus();
    });
    try {
      await call(removeFromCartCall, { params: { courseId: line.courseId } });
      toast({ title: line.bundle ? 'Bundle removed from cart' : 'Item removed from cart' });
      cartChanged();
    } catch {
      setLines((current) =>
        current.some((one) => one.courseId === line.courseId)
          ? current
          : lines.filter((one) => !remaining.includes(one) || current.includes(one)),
      );
      toast({ title: 'Failed to remove item from cart', variant: 'destructive' });
    }
  };

  if (lines.length === 0) {
    return (
      <div ref={empty} tabIndex={-1} className="outline-none">
        <EmptyState
          title="Your cart is empty"
          icon={<ShoppingCart />}
          actions={<Button href="/courses">Browse Courses</Button>}
        >
          Courses that you add wait for you here.
        </EmptyState>
      </div>
    );
  }

  const totals = cartTotals(lines);
  const buyable = lines.filter((line) => line.unavailable === null).length;
  return (
    <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-12">
      <ul ref={list} aria-label="Courses in your cart" className="flex flex-col">
        {cartRows(lines).map(([line, ...others]) =>
          line!.bundle ? (
            <CartBundle
              key={`bundle ${line!.bundle.id}`}
              lines={[line!, ...others]}
              onRemove={() => void remove(line!)}
            />
          ) : (
            <Line key={line!.courseId} line={line!} onRemove={() => void remove(line!)} />
          ),
        )}
      </ul>
      <Card className="lg:sticky lg:top-[calc(var(--spacing-header)+1.5rem)]">
        <h2 className="mb-5 text-subheading">Order Summary</h2>
        <Totals {...totals} />
        {buyable < lines.length && (
          <Alert tone="warning" className="mt-5">
            {buyable === 0
              ? 'Nothing in your cart can be bought any more.'
              : 'Courses that are not for sale are not part of this total.'}
          </Alert>
        )}
        {buyable > 0 && (
          <Button href="/checkout" size="lg" block className="mt-6">
            Proceed to Checkout
          </Button>
        )}
        <p className="mt-4 text-center text-sm text-ink-soft">One payment, lifetime access.</p>
      </Card>
    </div>
  );
}

function Line({ line, onRemove }: { line: CartLine; onRemove: () => void }) {
  const { course, unavailable } = line;
  return (
    <li className="flex gap-4 border-t border-line py-5 last:border-b sm:gap-6 sm:py-6">
      <Thumbnail course={course} className="w-24 self-start sm:w-40" />
      <div className="flex min-w-0 flex-1 flex-col gap-x-6 gap-y-2 sm:flex-row sm:justify-between">
        <div className="min-w-0">
          <h2 className="text-base leading-snug font-semibold sm:text-[1.0625rem]">
            {unavailable === 'hidden' ? (
              course.title
            ) : (
              <a href={`/courses/${course.id}`} className="quiet-link">
                {course.title}
              </a>
            )}
          </h2>
          <p className="mt-1 text-sm text-ink-soft">
            {[course.duration, course.level.charAt(0).toUpperCase() + course.level.slice(1)]
              .filter(Boolean)
              .join('\u00a0· ')}
          </p>
          {unavailable && (
            <p className="mt-2 flex flex-wrap items-center gap-2 text-sm text-ink-soft">
              <Badge tone="warning">Not available</Badge> {REASONS[unavailable]}
            </p>
          )}
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 sm:flex-col sm:items-end">
          <p className="tabular-nums sm:text-right">
            <span className="font-semibold sm:block">{formatDecimal(course.price)}</span>
            {course.originalPrice !== null && (
              <span className="ml-2 text-sm text-ink-soft sm:ml-0 sm:block">
                <span className="sr-only">Original price </span>
                <s>{formatDecimal(course.originalPrice)}</s>
              </span>
            )}
          </p>
          <RemoveFromCart courseId={course.id} title={course.title} onRemove={onRemove} />
        </div>
      </div>
    </li>
  );
}
