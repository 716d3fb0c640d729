import { cartChanged } from '#src/features/store/cart/cart.store.ts';
import type { Stripe } from '@stripe/stripe-js';
import { ArrowLeft, BookOpenCheck, SearchX, ShieldCheck } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { Card } from '#src/components/Card.tsx';
import { EmptyState } from '#src/components/EmptyState.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { Spinner } from '#src/components/Spinner.tsx';
import { toast } from '#src/components/toast.store.ts';
import { restoreSignInHere } from '#src/features/account/sign-in/restore-sign-in.ts';
import { getCourseCall } from '#src/features/catalogue/schema.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import type { FieldErrors } from '#src/shared/errors.ts';
import { centsOf, discountPercent, formatCents, formatDecimal } from '#src/shared/money.ts';
import { loginPath } from '#src/shared/paths.ts';
import { CouponField, type CouponFieldProps } from '#src/features/store/coupons/CouponField.tsx';
import {
  amountOf,
  couponOf,
  type Totals as Amounts,
  totalsOf,
  withCoupon,
} from '#src/features/store/cart/cart.ts';
import { keepCouponInAddress, withCouponInPath } from '#src/features/store/coupons/coupon-address.ts';
import { SUCCESS_PATH, successPath } from './direct-purchase.ts';
import { LineThumbnail } from '#src/features/store/cart/LineThumbnail.tsx';
import {
  CardForm,
  FORM_NOT_LOADED,
  Notices,
  PaymentPanel,
  Preparing,
  SetupFailed,
  TermsLine,
} from './PaymentPanel.tsx';
import {
  COUPON_FAILED,
  ENROLLMENT_FAILED,
  PAYMENT_ERROR,
  PAYMENT_SETUP_FAILED,
  PROCESSING,
} from './payment-messages.ts';
import { loadPaymentScript } from './payment-script.ts';
import type { PaymentSettings } from './payment-settings.ts';
import {
  type AppliedCoupon,
  applyCouponCall,
  type BuyerDetails,
  buyerDetails,
  createDirectPaymentCall,
  saveDirectBuyerCall,
} from '#src/features/store/schema.ts';

/** Milliseconds between two looks at a payment that is still being processed. */
const POLL_MS = 6_000;
/** Ties the buyer's fields to the form of the payment, which stands in another card. */
const FORM_ID = 'direct-payment';
/** In the address after the page was loaded anew because its sign-in turned out to be another one: once is enough. */
const RELOADED = '#reloaded';

/** Said beside the new total, before anything is charged. */
const COUPON_DROPPED =
  'The coupon cannot be used with this email address, so it was taken out. Please check the total and pay again.';

export type DirectCourse = {
  id: number;
  title: string;
  thumbnail: string;
  /** One line such as "Beginner, 12 hours". */
  facts: string;
  priceCents: number;
  originalPriceCents: number | null;
};

type Phase =
  | { name: 'preparing' }
  | { name: 'setup-failed'; message: string }
  | { name: 'paying'; clientSecret: string; stripe: Stripe }
  | { name: 'free' }
  | { name: 'processing' }
  | { name: 'owned' }
  | { name: 'gone' }
  | { name: 'leaving' };

/**
 * The checkout of one course, for guests and signed-in buyers (spec 2, direct checkout; decision 3).
 *
 * @param account the signed-in buyer, whose email cannot be changed here; null for a guest
 * @param wantedCoupon the coupon code that the address asks for
 */
export function DirectCheckout({
  course: initialCourse,
  account,
  payment,
  wantedCoupon,
}: {
  course: DirectCourse;
  account: BuyerDetails | null;
  payment: PaymentSettings | null;
  wantedCoupon: string | null;
}) {
  const [course, setCourse] = useState(initialCourse);
  const [phase, setPhase] = useState<Phase>({ name: 'preparing' });
  const [notices, setNotices] = useState<string[]>([]);
  const [errors, setErrors] = useState<FieldErrors>({});
  const fields = useRef<HTMLDivElement>(null);
  const started = useRef(false);
  const missingToast = useRef<{ dismiss: () => void } | null>(null);
  const returnPath = useRef('');
  const { id: courseId } = initialCourse;
  const [coupon, setCoupon] = useState<AppliedCoupon | null>(null);
  const [couponProblem, setCouponProblem] = useState('');
  const couponCode = useRef(wantedCoupon);
  const totals = withCoupon(totalsOf([course]), couponOf(coupon));
  const isFree = totals.totalCents === 0;

  const keepCoupon = useCallback((applied: AppliedCoupon | null, problem = ''): void => {
    couponCode.current = applied?.code ?? null;
    setCoupon(applied);
    setCouponProblem(problem);
    keepCouponInAddress(applied?.code ?? null);
  }, []);

  const goOn = useCallback((path: string) => {
    setPhase({ name: 'leaving' });
    cartChanged();
    location.assign(path);
  }, []);

  /** The course as it is sold now, after its price changed. */
  const reread = useCallback(async (): Promise<DirectCourse> => {
    const fresh = await call(getCourseCall, { params: { id: courseId } });
    const now = {
      ...initialCourse,
      title: fresh.title,
      priceCents: centsOf(fresh.price),
      originalPriceCents: fresh.originalPrice === null ? null : centsOf(fresh.originalPrice),
    };
    setCourse(now);
    return now;
  }, [courseId, initialCourse]);

  /** True where the server takes the visitor for somebody else than this page does: the page is loaded anew. */
  const isSomebodyElse = useCallback(
    async (buyer: 'account' | 'guest'): Promise<boolean> => {
      if ((buyer === 'account') === (account !== null)) return false;
      // One half of the sign-in is missing in this browser, or has ended.
      if (location.hash === RELOADED) {
        const message = 'Your sign-in in this browser is incomplete. Please sign in again.';
        setPhase({ name: 'setup-failed', message });
        return true;
      }
      location.hash = RELOADED;
      await restoreSignInHere();
      location.reload();
      return true;
    },
    [account],
  );

  /** Puts a refusal on the page; false where it says nothing about the course. */
  const showRefusal = useCallback(
    (error: unknown): boolean => {
      if (!(error instanceof ApiError)) return false;
      if (error.code === 'already_owned' && account) setPhase({ name: 'owned' });
      else if (error.status === 404) setPhase({ name: 'gone' });
      else return false;
      return true;
    },
    [account],
  );

  /** Takes the coupon out where a refusal is about it, and says why; false for every other refusal. */
  const refuseCoupon = useCallback(
    (error: unknown): boolean => {
      const problem = error instanceof ApiError ? error.fields.couponCode : undefined;
      if (!problem || !couponCode.current) return false;
      keepCoupon(null, problem);
      return true;
    },
    [keepCoupon],
  );

  /** What the wanted coupon does to the course now; null without one. */
  const lookAtCoupon = useCallback(async (): Promise<AppliedCoupon | null> => {
    const code = couponCode.current;
    if (!code) return null;
    try {
      const applied = await call(applyCouponCall, { input: { code, courseId } });
      keepCoupon(applied);
      return applied;
    } catch (error) {
      if (refuseCoupon(error)) return null;
      throw error;
    }
  }, [courseId, keepCoupon, refuseCoupon]);

  /** Applies a coupon that was typed; the payment form stays as it is until there is one to apply. */
  const applyCoupon = async (code: string): Promise<void> => {
    try {
      keepCoupon(await call(applyCouponCall, { input: { code, courseId } }));
      void prepare(course);
    } catch (error) {
      const problem = error instanceof ApiError ? error.fields.couponCode : undefined;
      setCouponProblem(problem ?? messageOf(error, COUPON_FAILED));
    }
  };

  /** Gets a payment for the course as it is, once more where its price turned out to be another one. */
  const prepare = useCallback(
    async (current: DirectCourse, quiet = false): Promise<void> => {
      if (!quiet) setPhase({ name: 'preparing' });
      let shown = current;
      try {
        for (let attempt = 1; ; attempt += 1) {
          const applied = await lookAtCoupon();
          const totals = withCoupon(totalsOf([shown]), couponOf(applied));
          if (totals.totalCents === 0) {
            setPhase({ name: 'free' });
            return;
          }
          if (!payment) throw new Error('Payments are not set up.');
          const stripe = loadPaymentScript(payment);
          // Looked at below, together with the payment; a failure before that is not lost.
          stripe.catch(() => {});
          try {
            const input = {
              courseId,
              amount: amountOf(totals),
              ...(applied ? { couponCode: applied.code } : {}),
            };
            const checkout = await call(createDirectPaymentCall, { input });
            if (await isSomebodyElse(checkout.buyer)) return;
            setNotices((known) => [
              ...new Set([...known, ...(checkout.notices ?? []).map((notice) => notice.message)]),
            ]);
            if (checkout.status === 'completed') goOn(`${SUCCESS_PATH}?course=${courseId}`);
            else if (checkout.status === 'processing') setPhase({ name: 'processing' });
            else if (checkout.clientSecret)
              setPhase({ name: 'paying', clientSecret: checkout.clientSecret, stripe: await stripe });
            return;
          } catch (error) {
            if (refuseCoupon(error)) continue;
            const changed = error instanceof ApiError && error.code === 'price_changed';
            if (!changed || attempt >= 3) throw error;
            const before = shown.priceCents;
            shown = await reread();
            if (shown.priceCents !== before) {
              setNotices([
                `The price of this course has changed: it is ${formatCents(shown.priceCents)} now. Please check it before you pay.`,
              ]);
            }
          }
        }
      } catch (error) {
        if (showRefusal(error)) return;
        toast(PAYMENT_SETUP_FAILED);
        const message =
          error instanceof ApiError
            ? messageOf(error, PAYMENT_SETUP_FAILED.description ?? '')
            : FORM_NOT_LOADED;
        setPhase({ name: 'setup-failed', message });
      }
    },
    [courseId, payment, goOn, reread, isSomebodyElse, showRefusal, lookAtCoupon, refuseCoupon],
  );

  useEffect(() => {
    if (started.current) return;
    started.current = true;
    void prepare(initialCourse);
  }, [initialCourse, prepare]);

  useEffect(() => {
    if (phase.name !== 'processing') return;
    const timer = setTimeout(() => void prepare(course, true), POLL_MS);
    return () => clearTimeout(timer);
  }, [phase, course, prepare]);

  useEffect(() => {
    // Brought back by the browser's Back button as it was left: what has become of the payment is not known here.
    const revive = (event: PageTransitionEvent) => event.persisted && location.reload();
    window.addEventListener('pageshow', revive);
    return () => window.removeEventListener('pageshow', revive);
  }, []);

  const showErrors = (messages: FieldErrors) => {
    setErrors(messages);
    const first = Object.keys(messages)[0];
    fields.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };

  /** The buyer's details; null where something is missing, which is said at the fields. */
  const readBuyer = (): BuyerDetails | null => {
    const inputs = [...(fields.current?.querySelectorAll('input') ?? [])];
    const values = Object.fromEntries(inputs.map((input) => [input.name, input.value]));
    const parsed = buyerDetails.safeParse(values);
    missingToast.current?.dismiss();
    if (parsed.success) {
      setErrors({});
      return parsed.data;
    }
    const messages: FieldErrors = {};
    for (const issue of parsed.error.issues) messages[String(issue.path[0])] ??= issue.message;
    if (inputs.some((input) => input.value.trim() === '')) {
      missingToast.current = toast({
        title: 'Missing Information',
        description: 'Please fill in your first name, last name and email.',
        variant: 'destructive',
      });
    }
    showErrors(messages);
    return null;
  };

  /** Saves the buyer on the order, before anything is charged (decision 25); gives the return address. */
  const saveBuyer = async (clientSecret: string): Promise<string | null> => {
    const buyer = readBuyer();
    if (!buyer) return null;
    try {
      const paymentIntentId = clientSecret.split('_secret_')[0]!;
      const saved = await call(saveDirectBuyerCall, { input: { ...buyer, paymentIntentId, clientSecret } });
      returnPath.current = successPath(courseId, saved);
      return new URL(returnPath.current, location.origin).href;
    } catch (error) {
      if (refuseCoupon(error)) {
        setNotices([COUPON_DROPPED]);
        void prepare(course);
      } else if (error instanceof ApiError && Object.keys(error.fields).length > 0) showErrors(error.fields);
      else if (error instanceof ApiError && (error.status === 404 || error.status === 409)) {
        // The payment behind this form is closed, or somebody else's since a sign-in in another window.
        setNotices([error.serverMessage]);
        void prepare(course);
      } else toast({ ...PAYMENT_ERROR, description: messageOf(error, PAYMENT_ERROR.description ?? '') });
      return null;
    }
  };

  /** Leads to the success page as the provider does after a bank's page. */
  const finish = (paymentIntentId: string, clientSecret: string, status: string) => {
    const address = new URL(returnPath.current, location.origin);
    address.searchParams.set('payment_intent', paymentIntentId);
    address.searchParams.set('payment_intent_client_secret', clientSecret);
    address.searchParams.set('redirect_status', status);
    goOn(address.pathname + address.search);
  };

  const takeFree = async (): Promise<void> => {
    const buyer = account ? undefined : readBuyer();
    if (buyer === null) return;
    setPhase({ name: 'leaving' });
    try {
      const input = {
        courseId,
        amount: 0,
        ...(coupon ? { couponCode: coupon.code } : {}),
        ...(buyer ? { buyer } : {}),
      };
      const checkout = await call(createDirectPaymentCall, { input });
      if (await isSomebodyElse(checkout.buyer)) return;
      goOn(buyer ? successPath(courseId, buyer) : `${SUCCESS_PATH}?course=${courseId}`);
    } catch (error) {
      if (refuseCoupon(error)) {
        setNotices([COUPON_DROPPED]);
        void prepare(course);
        return;
      }
      if (showRefusal(error)) return;
      if (error instanceof ApiError && error.code === 'price_changed') {
        await reread().then(prepare, () => setPhase({ name: 'free' }));
        return;
      }
      setPhase({ name: 'free' });
      if (error instanceof ApiError && error.fields.email) showErrors(error.fields);
      else toast({ title: messageOf(error, ENROLLMENT_FAILED), variant: 'destructive' });
    }
  };

  // Fields may only name a form that is there.
  const formId = phase.name === 'paying' || phase.name === 'free' ? FORM_ID : undefined;
  if (phase.name === 'owned') return <AlreadyOwned course={course} />;
  if (phase.name === 'gone') {
    return (
      <EmptyState
        title="Course not found"
        level={1}
        icon={<SearchX />}
        actions={<Button href="/courses">Back to courses</Button>}
      >
        It has been withdrawn from sale.
      </EmptyState>
    );
  }

  return (
    <>
      <div className="mb-8 sm:mb-10">
        <a
          href={`/courses/${courseId}`}
          className="text-link inline-flex min-h-11 items-center gap-2 text-sm font-medium"
        >
          <ArrowLeft aria-hidden="true" className="size-4" /> Back to the course
        </a>
        <h1 className="mt-2 text-title">Checkout</h1>
      </div>
      <Notices notices={notices} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-12">
        <CourseSummary
          course={course}
          totals={totals}
          couponField={
            course.priceCents > 0 && ['preparing', 'setup-failed', 'paying', 'free'].includes(phase.name)
              ? {
                  applied: coupon,
                  error: couponProblem,
                  disabled: phase.name === 'preparing',
                  onApply: applyCoupon,
                  onRemove: () => {
                    keepCoupon(null);
                    void prepare(course);
                  },
                }
              : null
          }
        />
        <div className="flex min-w-0 flex-col gap-6">
          {!(isFree && account) && (
            <Card>
              <h2 className="text-subheading">Your details</h2>
              <p className="mt-1 mb-5 text-sm text-ink-soft">
                {account ? (
                  'The course goes to the account you are signed in to.'
                ) : (
                  <>
                    No account needed: you can make one after the purchase. Have one already?{' '}
                    <a
                      className="text-link"
                      href={loginPath(withCouponInPath(`/buy/${courseId}`, coupon?.code ?? wantedCoupon))}
                    >
                      Sign in
                    </a>
                  </>
                )}
              </p>
              <div
                ref={fields}
                className="grid gap-5 sm:grid-cols-2"
                onInput={({ target }) => {
                  const { name } = target as HTMLInputElement;
                  missingToast.current?.dismiss();
                  setErrors(({ [name]: _mended, ...others }) => others);
                }}
              >
                <Field label="First name" error={errors.firstName} required>
                  <Input
                    form={formId}
                    name="firstName"
                    autoComplete="given-name"
                    defaultValue={account?.firstName ?? ''}
                  />
                </Field>
                <Field label="Last name" error={errors.lastName} required>
                  <Input
                    form={formId}
                    name="lastName"
                    autoComplete="family-name"
                    defaultValue={account?.lastName ?? ''}
                  />
                </Field>
                <Field
                  label="Email"
                  hint={
                    account
                      ? 'Your receipt goes to the address of your account.'
                      : 'We send your receipt, and the way to your course, to this address.'
                  }
                  error={errors.email}
                  required
                  className="sm:col-span-2"
                >
                  <Input
                    form={formId}
                    type="email"
                    name="email"
                    autoComplete="email"
                    autoCapitalize="none"
                    spellCheck={false}
                    readOnly={account !== null}
                    className={account ? 'bg-sunken text-ink-soft' : ''}
                    defaultValue={account?.email ?? ''}
                  />
                </Field>
              </div>
            </Card>
          )}
          <PaymentPanel
            title={isFree ? 'Nothing to pay' : 'Payment'}
            payment={payment}
            hint={phase.name === 'preparing' || phase.name === 'paying'}
            free={isFree}
          >
            <Step
              phase={phase}
              total={formatCents(totals.totalCents)}
              withCoupon={coupon !== null}
              onRetry={() => void prepare(course)}
              onFree={() => void takeFree()}
            >
              {phase.name === 'paying' && (
                <CardForm
                  id={FORM_ID}
                  stripe={phase.stripe}
                  clientSecret={phase.clientSecret}
                  label={`Pay ${formatCents(totals.totalCents)}`}
                  beforePaying={() => saveBuyer(phase.clientSecret)}
                  onPaid={(intentId) => finish(intentId, phase.clientSecret, 'succeeded')}
                  onProcessing={(intentId) => finish(intentId, phase.clientSecret, 'pending')}
                  onClosed={() => {
                    setNotices(['This payment was closed. Please check the price and pay again.']);
                    void prepare(course);
                  }}
                  onLoadFailed={(message) => setPhase({ name: 'setup-failed', message })}
                />
              )}
            </Step>
            <TermsLine />
          </PaymentPanel>
        </div>
      </div>
    </>
  );
}

/** What stands in the payment card, but for the provider's form, which is given as children. */
function Step({
  phase,
  total,
  withCoupon: isCovered,
  onRetry,
  onFree,
  children,
}: {
  phase: Phase;
  total: string;
  withCoupon: boolean;
  onRetry: () => void;
  onFree: () => void;
  children: ReactNode;
}) {
  switch (phase.name) {
    case 'setup-failed':
      return <SetupFailed message={phase.message} onRetry={onRetry} />;
    case 'free':
      return (
        <form
          id={FORM_ID}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            onFree();
          }}
        >
          <p className="flex gap-3 text-ink-soft">
            <ShieldCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-success" />
            {isCovered
              ? 'Your coupon covers the whole price. No card is needed.'
              : 'This course is free. No card is needed.'}
          </p>
          <Button type="submit" size="lg" block className="mt-6">
            Enroll for free
          </Button>
        </form>
      );
    case 'processing':
      return (
        <div className="py-6">
          <Spinner label={PROCESSING} showLabel className="font-medium" />
          <p className="mt-4 text-ink-soft">
            Your payment of {total} is with your bank. This page goes on by itself as soon as it has answered.
            You may also close it: we send your receipt by email. Please do not pay again.
          </p>
        </div>
      );
    case 'leaving':
      return <Preparing label="Completing your order..." />;
    case 'paying':
      return children;
    default:
      return <Preparing />;
  }
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
        <LineThumbnail thumbnail={course.thumbnail} className="w-28 self-start" />
        <div className="min-w-0 flex-1">
          <p className="line-clamp-3 leading-snug font-medium [overflow-wrap:anywhere]">{course.title}</p>
          <p className="mt-1 text-sm text-ink-soft">{course.facts}</p>
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

/** Stands in place of the checkout for an owner (decision 3). */
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
