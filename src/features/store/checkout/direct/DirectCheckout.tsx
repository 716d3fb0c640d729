import { BookOpenCheck, SearchX } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { Card } from '#src/components/Card.tsx';
import { EmptyState } from '#src/components/EmptyState.tsx';
import { bundlePath, buyBundlePath } from '#src/features/store/bundles/bundles.ts';
import { couponOf, type Totals as Amounts, totalsOf, withCoupon } from '#src/features/store/cart/cart.ts';
import { Thumbnail } from '#src/features/catalogue/Thumbnail.tsx';
import { withCouponInPath } from '#src/features/store/coupons/coupon-address.ts';
import { CouponField, type CouponFieldProps } from '#src/features/store/coupons/CouponField.tsx';
import { discountPercent, formatCents, formatDecimal } from '#src/shared/money.ts';
import { loginPath } from '#src/shared/paths.ts';
import { BuyerFields, useBuyerForm } from '../BuyerFields.tsx';
import { type DirectCourse, directPayment, type DirectPurchase } from './direct-payment.ts';
import {
  CheckoutHeading,
  FreeForm,
  Notices,
  PaymentPanel,
  PaymentStep,
  TermsLine,
} from '../PaymentPanel.tsx';
import { couponFieldOf, usePayment } from '../payment.ts';

const FORM_ID = 'direct-payment';

/**
 * Spec 2, direct checkout; decision 3.
 * @param props.plain shown where no script runs
 * @param props.refund the refund promise
 */
export function DirectCheckout({
  plain,
  refund,
  ...props
}: DirectPurchase & { plain?: ReactNode; refund: string }) {
  const { account } = props;
  const [payment, state] = usePayment(() => directPayment(props));
  const { phase, bought: course, coupon } = state;
  const buyer = useBuyerForm();
  const totals = withCoupon(totalsOf([course]), couponOf(coupon));
  const isFree = totals.totalCents === 0;
  const total = formatCents(totals.totalCents);

  useEffect(() => {
    // The Back button restores the page; the payment's state is unknown.
    const revive = (event: PageTransitionEvent) => event.persisted && location.reload();
    window.addEventListener('pageshow', revive);
    return () => window.removeEventListener('pageshow', revive);
  }, []);

  if (phase.name === 'owned') {
    return course.courses ? (
      <PartlyOwned course={course} notices={state.notices} />
    ) : (
      <AlreadyOwned course={course} />
    );
  }
  if (phase.name === 'gone') {
    return (
      <EmptyState
        title={course.courses ? 'Bundle not found' : 'Course not found'}
        level={1}
        icon={<SearchX />}
        actions={<Button href="/courses">Back to courses</Button>}
      >
        It has been withdrawn from sale.
      </EmptyState>
    );
  }

  const clientSecret = phase.name === 'paying' ? phase.clientSecret : '';
  const beforePaying = async () => {
    const details = buyer.read();
    return details && payment.saveBuyer(details, clientSecret, buyer.showErrors);
  };
  const takeFree = () => {
    const details = account ? undefined : buyer.read();
    if (details !== null) void payment.takeFree(details, buyer.showErrors);
  };

  return (
    <>
      <CheckoutHeading backTo={course.courses ? bundlePath(course.id) : `/courses/${course.id}`}>
        {course.courses ? 'Back to the bundle' : 'Back to the course'}
      </CheckoutHeading>
      <Notices notices={state.notices} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-12">
        <CourseSummary
          course={course}
          totals={totals}
          couponField={course.priceCents > 0 ? couponFieldOf(payment, state) : null}
        />
        <div className="flex min-w-0 flex-col gap-6">
          {plain}
          {!(isFree && account) && (
            <BuyerFields
              form={buyer}
              // A field may only name a form that exists.
              formId={phase.name === 'paying' || phase.name === 'free' ? FORM_ID : undefined}
              account={account}
            >
              {account ? (
                `The ${course.courses ? 'courses go' : 'course goes'} to the account you are signed in to.`
              ) : (
                <>
                  No account needed: you can make one after the purchase. Have one already?{' '}
                  <a
                    className="text-link"
                    href={loginPath(
                      withCouponInPath(
                        course.courses ? buyBundlePath(course.id) : `/buy/${course.id}`,
                        coupon?.code ?? props.wantedCoupon,
                      ),
                    )}
                  >
                    Sign in
                  </a>
                </>
              )}
            </BuyerFields>
          )}
          <PaymentPanel
            title={isFree ? 'Nothing to pay' : 'Payment'}
            payment={props.payment}
            hint={phase.name === 'preparing' || phase.name === 'paying'}
            free={isFree}
          >
            <PaymentStep
              payment={payment}
              phase={phase}
              waiting={`Your payment of ${total} is with your bank. This page goes on by itself as soon as it has answered. You may also close it: we send your receipt by email. Please do not pay again.`}
              free={
                <FreeForm id={FORM_ID} onSubmit={takeFree}>
                  {coupon
                    ? 'Your coupon covers the whole price. No card is needed.'
                    : 'This course is free. No card is needed.'}
                </FreeForm>
              }
              card={{
                id: FORM_ID,
                label: `Pay ${total}`,
                beforePaying,
                onPaid: (intentId) => payment.finish(intentId, clientSecret, 'succeeded'),
                onProcessing: (intentId) => payment.finish(intentId, clientSecret, 'pending'),
                onClosed: () =>
                  payment.restart('This payment was closed. Please check the price and pay again.'),
              }}
            />
            <TermsLine refund={!isFree && refund} />
          </PaymentPanel>
        </div>
      </div>
    </>
  );
}

function CourseSummary({
  course,
  totals,
  couponField,
}: {
  course: DirectCourse;
  totals: Amounts;
  couponField: CouponFieldProps | null;
}) {
  const discount = discountPercent(course.priceCents, course.originalPriceCents);
  return (
    <Card className="lg:sticky lg:top-[calc(var(--spacing-header)+1.5rem)] lg:order-2">
      <h2 className="text-subheading">Order Summary</h2>
      <div className="mt-5 flex gap-4 border-b border-line pb-5">
        <Thumbnail course={course} className="w-28 self-start" />
        <div className="min-w-0 flex-1">
          <p className="line-clamp-3 leading-snug font-medium [overflow-wrap:anywhere]">{course.title}</p>
          <p className="mt-1 text-sm text-ink-soft">{course.facts}</p>
          {course.courses && (
            <ul className="mt-1 list-disc pl-4 text-sm text-ink-soft">
              {course.courses.map(({ id, title }) => (
                <li key={id}>{title}</li>
              ))}
            </ul>
          )}
        </div>
      </div>
      <p className="my-5 flex flex-wrap items-center gap-x-2.5 gap-y-1 tabular-nums">
        <span className="text-heading">
          {course.priceCents === 0 ? 'Free' : formatCents(course.priceCents)}
        </span>
        {discount !== null && course.originalPriceCents !== null && (
          <>
            <span className="text-ink-soft">
              <span className="sr-only">Original price </span>
              <s>{formatCents(course.originalPriceCents)}</s>
            </span>
            <Badge tone="success">{discount}% off</Badge>
          </>
        )}
      </p>
      <dl className="flex flex-col gap-2.5 border-t border-line pt-4 tabular-nums [&>div]:flex [&>div]:justify-between [&>div]:gap-4">
        {couponField?.applied && (
          <div className="text-success">
            <dt className="min-w-0 [overflow-wrap:anywhere]">Coupon {couponField.applied.code}</dt>
            <dd>-{formatDecimal(couponField.applied.discount)}</dd>
          </div>
        )}
        <div className="text-lg font-semibold">
          <dt>Total</dt>
          <dd>{formatCents(totals.totalCents)}</dd>
        </div>
      </dl>
      {couponField && <CouponField {...couponField} />}
    </Card>
  );
}

function PartlyOwned({ course, notices }: { course: DirectCourse; notices: readonly string[] }) {
  return (
    <EmptyState
      title="You own a part of this bundle"
      level={1}
      icon={<BookOpenCheck />}
      actions={<Button href={bundlePath(course.id)}>See its courses</Button>}
    >
      {notices.join(' ')}
    </EmptyState>
  );
}

export function AlreadyOwned({ course }: { course: Pick<DirectCourse, 'id' | 'title'> }) {
  return (
    <EmptyState
      title="You already own this course"
      level={1}
      icon={<BookOpenCheck />}
      actions={
        <>
          <Button href={`/learn/${course.id}`}>Continue learning</Button>
          <Button href="/dashboard" variant="secondary">
            Go to your dashboard
          </Button>
        </>
      }
    >
      “{course.title}” is in your account. There is nothing to pay.
    </EmptyState>
  );
}
