import { cartChanged } from '#src/features/store/cart/cart.store.ts';
import type { Stripe } from '@stripe/stripe-js';
import { ArrowLeft, CircleCheck, ShieldCheck, ShoppingCart } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { EmptyState } from '#src/components/EmptyState.tsx';
import { Spinner } from '#src/components/Spinner.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { logout, me } from '#src/features/account/schema.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import { readAuth } from '#src/shared/auth-storage.ts';
import { formatCents } from '#src/shared/money.ts';
import { loginPath } from '#src/shared/paths.ts';
import { CouponField } from '#src/features/store/coupons/CouponField.tsx';
import { amountOf, cartTotals, couponOf, withCoupon } from '#src/features/store/cart/cart.ts';
import { keepCouponInAddress, withCouponInPath } from '#src/features/store/coupons/coupon-address.ts';
import { OrderSummary } from './OrderSummary.tsx';
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
  LOGIN_AGAIN,
  PAID_NOT_ENROLLED,
  PAYMENT_SETUP_FAILED,
  PAYMENT_SUCCESS,
  PROCESSING,
  unpaidToast,
} from './payment-messages.ts';
import { loadPaymentScript } from './payment-script.ts';
import type { PaymentSettings } from './payment-settings.ts';
import {
  type AppliedCoupon,
  applyCouponCall,
  type CartLine,
  confirmPaymentCall,
  createPaymentIntentCall,
  listCartCall,
} from '#src/features/store/schema.ts';

/** Milliseconds between two looks at a payment that is still being processed. */
const POLL_MS = 4_000;

type Phase =
  | { name: 'preparing' }
  | { name: 'setup-failed'; message: string }
  | { name: 'paying'; clientSecret: string; stripe: Stripe }
  | { name: 'free' }
  | { name: 'processing'; intentId: string | null }
  | { name: 'confirming' }
  | { name: 'unconfirmed'; intentId: string; message: string }
  | { name: 'done' };

function goToLogin(returnPath = location.pathname + location.search): void {
  toastOnNextPage(LOGIN_AGAIN);
  location.assign(loginPath(returnPath));
}

/** Where the checkout completes the order of a payment, as when a bank's page leads back. */
const pathToConfirm = (intentId: string) => `/checkout?${new URLSearchParams({ payment_intent: intentId })}`;

/**
 * The sign-in for a payment that went through in a browser without a stored token, which counts as signed out: what is
 * left of the sign-in ends. The address behind it completes the order, if the provider's event has not by then.
 */
async function signInToConfirm(intentId: string): Promise<void> {
  // Ended already, or out of reach: either way the next page asks.
  await call(logout, {}).catch(() => {});
  goToLogin(pathToConfirm(intentId));
}

/** Whether the server knows this browser by its cookie. */
const isSignedIn = (): Promise<boolean> =>
  call(me, {}).then(
    () => true,
    () => false,
  );

function goToDashboard(): void {
  cartChanged();
  toastOnNextPage(PAYMENT_SUCCESS);
  location.assign('/dashboard');
}

/** What a refusal says about the coupon; empty where it is about something else. */
const couponError = (error: unknown): string => (error instanceof ApiError && error.fields.couponCode) || '';

/** What left the cart, as a refusal tells it; null where it tells nothing. */
const noticesOf = (error: unknown): { message: string }[] | undefined =>
  error instanceof ApiError && Array.isArray(error.body.notices) ? error.body.notices : undefined;

/** Lines that are bought: what is no longer for sale is dropped when the payment is prepared. */
const buyable = (lines: readonly CartLine[]) => lines.filter((line) => line.unavailable === null);

/**
 * The checkout of the cart: prepares the payment, shows the provider's form and reports what came of it (spec 2, 4, 8).
 *
 * @param returnedIntent the intent that a bank's page led back with, null otherwise
 * @param wantedCoupon the coupon code that the address asks for
 */
export function Checkout({
  initialLines,
  payment,
  returnedIntent,
  wantedCoupon,
}: {
  initialLines: CartLine[];
  payment: PaymentSettings | null;
  returnedIntent: string | null;
  wantedCoupon: string | null;
}) {
  const [lines, setLines] = useState<readonly CartLine[]>(() => buyable(initialLines));
  const [notices, setNotices] = useState<string[]>([]);
  const [phase, setPhase] = useState<Phase>(returnedIntent ? { name: 'confirming' } : { name: 'preparing' });
  const [coupon, setCoupon] = useState<AppliedCoupon | null>(null);
  const [couponProblem, setCouponProblem] = useState('');
  const couponCode = useRef(wantedCoupon);
  const started = useRef(false);

  const keepCoupon = useCallback((applied: AppliedCoupon | null, problem = ''): void => {
    couponCode.current = applied?.code ?? null;
    setCoupon(applied);
    setCouponProblem(problem);
    keepCouponInAddress(applied?.code ?? null);
  }, []);

  const addNotices = useCallback((more: readonly { message: string }[] | undefined) => {
    if (!more?.length) return;
    setNotices((known) => [...new Set([...known, ...more.map((notice) => notice.message)])]);
  }, []);

  /** Gets a payment for the cart as it is, once more where the cart turned out to be another one. */
  const prepare = useCallback(
    async (current?: readonly CartLine[], wasProcessing = false): Promise<void> => {
      if (!wasProcessing) setPhase({ name: 'preparing' });
      let shown = current ?? null;
      try {
        if (!payment) throw new Error('Payments are not set up.');
        const stripe = loadPaymentScript(payment);
        // Looked at below, together with the payment; a failure before that is not lost.
        stripe.catch(() => {});
        for (let attempt = 1; ; attempt += 1) {
          shown ??= buyable(await call(listCartCall, {}));
          setLines(shown);
          if (shown.length === 0) {
            if (wasProcessing) goToDashboard();
            return;
          }
          try {
            const code = couponCode.current;
            const applied = code ? await call(applyCouponCall, { input: { code } }) : null;
            if (applied) keepCoupon(applied);
            const totals = withCoupon(cartTotals(shown), couponOf(applied));
            if (totals.totalCents === 0) {
              setPhase({ name: 'free' });
              return;
            }
            const input = { amount: amountOf(totals), ...(applied ? { couponCode: applied.code } : {}) };
            const checkout = await call(createPaymentIntentCall, { input });
            addNotices(checkout.notices);
            if (checkout.status === 'completed') goToDashboard();
            else if (checkout.status === 'processing') setPhase({ name: 'processing', intentId: null });
            else if (checkout.clientSecret)
              setPhase({ name: 'paying', clientSecret: checkout.clientSecret, stripe: await stripe });
            return;
          } catch (error) {
            const problem = couponError(error);
            if (problem && couponCode.current) {
              addNotices(noticesOf(error));
              shown = null;
              // Without the coupon the order is another one, at its full price, which the page shows.
              keepCoupon(null, problem);
              continue;
            }
            // 400 and 409 speak about the cart: another window changed it, so it is read anew.
            const aboutCart = error instanceof ApiError && (error.status === 409 || error.status === 400);
            if (!aboutCart || attempt >= 3) throw error;
            const told = noticesOf(error);
            if (told) addNotices(told);
            else if (error.status === 409) addNotices([{ message: error.serverMessage }]);
            cartChanged();
            shown = null;
          }
        }
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) {
          goToLogin();
          return;
        }
        toast(PAYMENT_SETUP_FAILED);
        setPhase({
          name: 'setup-failed',
          message:
            error instanceof ApiError
              ? messageOf(error, PAYMENT_SETUP_FAILED.description ?? '')
              : FORM_NOT_LOADED,
        });
      }
    },
    [payment, addNotices, keepCoupon],
  );

  /** Looks at a coupon; the payment form stays as it is until there is one to apply. */
  const applyCoupon = async (code: string): Promise<void> => {
    try {
      const applied = await call(applyCouponCall, { input: { code } });
      keepCoupon(applied);
      void prepare();
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) goToLogin();
      else setCouponProblem(couponError(error) || messageOf(error, COUPON_FAILED));
    }
  };

  /** Asks the server to complete the order of a paid intent. */
  const confirm = useCallback(
    async (intentId: string, quiet = false): Promise<void> => {
      if (!quiet) setPhase({ name: 'confirming' });
      try {
        await call(confirmPaymentCall, { input: { paymentIntentId: intentId } });
        setPhase({ name: 'done' });
        goToDashboard();
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) {
          goToLogin(pathToConfirm(intentId));
          return;
        }
        const status = error instanceof ApiError && error.status === 402 ? String(error.body.status) : null;
        if (status === 'processing') {
          setPhase({ name: 'processing', intentId });
          return;
        }
        if (status) {
          // Led back from a bank without having paid: the same payment can be tried again.
          toast(unpaidToast(status, error instanceof ApiError && error.body.tried !== false));
          void prepare();
          return;
        }
        const message = error instanceof ApiError ? messageOf(error, ENROLLMENT_FAILED) : PAID_NOT_ENROLLED;
        toast({ title: 'Payment Processing Error', description: message, variant: 'destructive' });
        setPhase({ name: 'unconfirmed', intentId, message });
      }
    },
    [prepare],
  );

  useEffect(() => {
    if (started.current) return;
    started.current = true;
    if (returnedIntent) {
      // The address holds the payment's secret and would confirm again at a reload.
      history.replaceState(history.state, '', withCouponInPath('/checkout', couponCode.current));
      void confirm(returnedIntent);
    } else if (lines.length > 0) void prepare(lines);
  }, [returnedIntent, lines, confirm, prepare]);

  useEffect(() => {
    if (phase.name !== 'processing') return;
    const { intentId } = phase;
    const timer = setTimeout(() => {
      if (intentId) void confirm(intentId, true);
      else void prepare(undefined, true);
    }, POLL_MS);
    return () => clearTimeout(timer);
  }, [phase, confirm, prepare]);

  if (lines.length === 0 && !['confirming', 'processing', 'unconfirmed', 'done'].includes(phase.name)) {
    return (
      <>
        <Heading />
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
  const isOpen = ['preparing', 'setup-failed', 'paying', 'free'].includes(phase.name);
  return (
    <>
      <Heading />
      <Notices notices={notices} />
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-12">
        <div className="flex min-w-0 flex-col gap-6">
          <PaymentPanel
            title={phase.name === 'free' ? 'Nothing to pay' : 'Payment'}
            payment={payment}
            hint={phase.name === 'preparing' || phase.name === 'paying'}
            free={phase.name === 'free'}
          >
            <Step
              phase={phase}
              total={formatCents(totals.totalCents)}
              couponCode={coupon?.code ?? null}
              onRetry={() => void prepare()}
              onConfirm={(intentId) => void confirm(intentId)}
              onPhase={setPhase}
              onClosed={() => {
                addNotices([
                  {
                    message: 'Your cart was changed in another window. Please check the total and pay again.',
                  },
                ]);
                void prepare();
              }}
            />
          </PaymentPanel>
        </div>
        {lines.length > 0 && (
          <OrderSummary lines={lines} totals={totals} coupon={couponOf(coupon)}>
            {isOpen && (coupon || totals.totalCents > 0) && (
              <CouponField
                applied={coupon}
                error={couponProblem}
                disabled={phase.name === 'preparing'}
                onApply={applyCoupon}
                onRemove={() => {
                  keepCoupon(null);
                  void prepare();
                }}
              />
            )}
            <TermsLine />
          </OrderSummary>
        )}
      </div>
    </>
  );
}

function Heading() {
  return (
    <div className="mb-8 sm:mb-10">
      <a href="/cart" className="text-link inline-flex min-h-11 items-center gap-2 text-sm font-medium">
        <ArrowLeft aria-hidden="true" className="size-4" /> Back to Cart
      </a>
      <h1 className="mt-2 text-title">Checkout</h1>
    </div>
  );
}

/** What stands in the payment card: it follows the payment from its preparation to its result. */
function Step({
  phase,
  total,
  couponCode,
  onRetry,
  onConfirm,
  onPhase,
  onClosed,
}: {
  phase: Phase;
  total: string;
  couponCode: string | null;
  onRetry: () => void;
  onConfirm: (intentId: string) => void;
  onPhase: (phase: Phase) => void;
  onClosed: () => void;
}) {
  switch (phase.name) {
    case 'preparing':
      return <Preparing />;
    case 'setup-failed':
      return <SetupFailed message={phase.message} onRetry={onRetry} />;
    case 'paying':
      return (
        <CardForm
          stripe={phase.stripe}
          clientSecret={phase.clientSecret}
          label={`Pay ${total}`}
          beforePaying={async () => {
            // Signed out altogether: said before anything is charged. The order is an account's, and is paid for it.
            if (readAuth() || (await isSignedIn())) {
              return new URL(withCouponInPath('/checkout', couponCode), location.origin).href;
            }
            goToLogin();
            return null;
          }}
          onPaid={(intentId) => {
            if (readAuth()) onConfirm(intentId);
            else void signInToConfirm(intentId);
          }}
          onProcessing={(intentId) => {
            toast(unpaidToast('processing'));
            onPhase({ name: 'processing', intentId });
          }}
          onClosed={onClosed}
          onLoadFailed={(message) => onPhase({ name: 'setup-failed', message })}
        />
      );
    case 'free':
      return <FreeStep couponCode={couponCode} onFailed={onRetry} />;
    case 'processing':
      return (
        <div className="py-6">
          <Spinner label={PROCESSING} showLabel className="font-medium" />
          <p className="mt-4 text-ink-soft">
            This page goes on by itself as soon as your bank has answered. You may also close it: we send your
            receipt by email, and the courses appear on your dashboard. Please do not pay again.
          </p>
        </div>
      );
    case 'confirming':
      return <Preparing label="Completing your order..." />;
    case 'unconfirmed':
      return (
        <div role="alert">
          <Alert tone="warning" title="Your payment went through, your enrollment is not finished yet">
            {phase.message} Please do not pay again: we also finish it by ourselves within a few minutes.
          </Alert>
          <p className="mt-4 text-sm text-ink-soft">
            Payment confirmation: <code className="font-mono text-ink break-all">{phase.intentId}</code>
          </p>
          <div className="mt-6 flex flex-wrap gap-3">
            <Button onClick={() => onConfirm(phase.intentId)}>Check again</Button>
            <Button href="/contact" variant="secondary">
              Contact support
            </Button>
          </div>
        </div>
      );
    case 'done':
      return (
        <p className="flex items-center gap-3 py-6 font-medium">
          <CircleCheck aria-hidden="true" className="size-6 text-success" /> Payment Successful! Taking you to
          your courses...
        </p>
      );
  }
}

/** A cart that costs nothing is completed by a click, without the card provider (decision 23). */
function FreeStep({ couponCode, onFailed }: { couponCode: string | null; onFailed: () => void }) {
  const [busy, setBusy] = useState(false);
  const enroll = async () => {
    setBusy(true);
    try {
      await call(createPaymentIntentCall, { input: { amount: 0, ...(couponCode ? { couponCode } : {}) } });
      goToDashboard();
    } catch (error) {
      setBusy(false);
      toast({
        title: messageOf(error, ENROLLMENT_FAILED),
        variant: 'destructive',
      });
      onFailed();
    }
  };
  return (
    <>
      <p className="flex gap-3 text-ink-soft">
        <ShieldCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-success" />
        {couponCode
          ? 'Your coupon covers everything. No card is needed.'
          : 'Everything in your cart is free. No card is needed.'}
      </p>
      <Button size="lg" block loading={busy} className="mt-6" onClick={() => void enroll()}>
        Enroll for free
      </Button>
    </>
  );
}
