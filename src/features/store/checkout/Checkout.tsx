import { ShoppingCart } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { EmptyState } from '#src/components/EmptyState.tsx';
import { cartTotals, couponOf, withCoupon } from '#src/features/store/cart/cart.ts';
import { CouponField } from '#src/features/store/coupons/CouponField.tsx';
import { formatCents } from '#src/shared/money.ts';
import { type CartCheckout, cartPayment } from './cart-payment.ts';
import { OrderSummary } from './OrderSummary.tsx';
import { CheckoutHeading, FreeForm, Notices, PaymentPanel, PaymentStep, TermsLine } from './PaymentPanel.tsx';
import { couponFieldOf, usePayment } from './payment.ts';

const WAITING =
  'This page goes on by itself as soon as your bank has answered. You may also close it: we send your receipt by email, and the courses appear on your dashboard. Please do not pay again.';

/**
 * The cart's checkout (spec 2, 4, 8).
 * @param props.plain shown where no script runs
 * @param props.refund the refund promise
 */
export function Checkout({ plain, refund, ...props }: CartCheckout & { plain?: ReactNode; refund: string }) {
  const [payment, state] = usePayment(() => cartPayment(props));
  const { phase, bought: lines, notices, coupon } = state;
  const heading = <CheckoutHeading backTo="/cart">Back to Cart</CheckoutHeading>;

  if (lines.length === 0 && !['confirming', 'processing', 'unconfirmed', 'done'].includes(phase.name)) {
    return (
      <>
        {heading}
        <Notices notices={notices} />
        <EmptyState
          title="Your cart is empty"
          icon={<ShoppingCart />}
          actions={<Button href="/courses">Browse Courses</Button>}
        >
          Add a course to your cart before checking out.
        </EmptyState>
      </>
    );
  }

  const totals = withCoupon(cartTotals(lines), couponOf(coupon));
  const couponField = couponFieldOf(payment, state);
  return (
    <>
      {heading}
      <Notices notices={notices} />
      <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-12">
        {lines.length > 0 && (
          <OrderSummary lines={lines} totals={totals} coupon={couponOf(coupon)}>
            {couponField && (coupon || totals.totalCents > 0) && <CouponField {...couponField} />}
            <TermsLine refund={totals.totalCents > 0 && refund} />
          </OrderSummary>
        )}
        <div className="flex min-w-0 flex-col gap-6">
          {plain}
          <PaymentPanel
            title={phase.name === 'free' ? 'Nothing to pay' : 'Payment'}
            payment={props.payment}
            hint={phase.name === 'preparing' || phase.name === 'paying'}
            free={phase.name === 'free'}
          >
            <PaymentStep
              payment={payment}
              phase={phase}
              waiting={WAITING}
              free={<FreeCart isCovered={coupon !== null} onEnroll={payment.takeFree} />}
              card={{
                ...payment,
                label: `Pay ${formatCents(totals.totalCents)}`,
              }}
            />
          </PaymentPanel>
        </div>
      </div>
    </>
  );
}

function FreeCart({ isCovered, onEnroll }: { isCovered: boolean; onEnroll: () => Promise<void> }) {
  const [busy, setBusy] = useState(false);
  return (
    <FreeForm
      busy={busy}
      onSubmit={() => {
        setBusy(true);
        void onEnroll();
      }}
    >
      {isCovered
        ? 'Your coupon covers everything. No card is needed.'
        : 'Everything in your cart is free. No card is needed.'}
    </FreeForm>
  );
}
