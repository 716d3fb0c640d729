import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { logout, me } from '#src/features/account/schema.ts';
import { cartTotals } from '#src/features/store/cart/cart.ts';
import { cartChanged } from '#src/features/store/cart/cart.store.ts';
import { withCouponInPath } from '#src/features/store/coupons/coupon-address.ts';
import { type CartLine, listCartCall } from '#src/features/store/cart/schema.ts';
import { createPaymentIntentCall } from '#src/features/store/checkout/schema.ts';
import { call, messageOf } from '#src/shared/api.ts';
import { readAuth } from '#src/shared/auth-storage.ts';
import { loginPath } from '#src/shared/paths.ts';
import { confirmation } from './confirmation.ts';
import { createPayment, noticesOf, type PostedOrder } from './payment.ts';
import { ENROLLED, ENROLLMENT_FAILED, LOGIN_AGAIN, PAYMENT_SUCCESS } from './payment-messages.ts';
import type { PaymentSettings } from './payment-script.ts';

export interface CartCheckout {
  initialLines: CartLine[];
  payment: PaymentSettings | null;
  /** The intent that a bank's page led back with, null otherwise. */
  returnedIntent: string | null;
  /** The coupon code that the address asks for. */
  wantedCoupon: string | null;
  /** What a form that was posted without a script did to the order. */
  posted?: PostedOrder | null;
}

function goToLogin(returnPath = location.pathname + location.search): void {
  toastOnNextPage(LOGIN_AGAIN);
  location.assign(loginPath(returnPath));
}

function goToDashboard(isFree = false): void {
  cartChanged();
  toastOnNextPage(isFree ? ENROLLED : PAYMENT_SUCCESS);
  location.assign('/dashboard');
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

/** Lines that are bought: what is no longer for sale is dropped when the payment is prepared. */
const buyable = (lines: readonly CartLine[]) => lines.filter((line) => line.unavailable === null);

/** The payment of the cart. */
export function cartPayment({
  initialLines,
  payment: settings,
  returnedIntent,
  wantedCoupon,
  posted,
}: CartCheckout) {
  const payment = createPayment<readonly CartLine[]>({
    bought: buyable(initialLines),
    settings,
    wantedCoupon,
    posted,
    phase: { name: returnedIntent ? 'confirming' : 'preparing' },
    readsAnew: true,
    read: async () => buyable(await call(listCartCall, {})),
    isEmpty: (lines) => lines.length === 0,
    totalsOf: cartTotals,
    begin: (input) => call(createPaymentIntentCall, { input }),
    // 400 and 409 speak about the cart: another window changed it.
    isChanged: (error) => {
      if (error.status !== 409 && error.status !== 400) return false;
      payment.tell(noticesOf(error) ?? (error.status === 409 ? [{ message: error.serverMessage }] : null));
      cartChanged();
      return true;
    },
    isTakenOver: (error) => {
      if (error.status === 401) goToLogin();
      return error.status === 401;
    },
    onCompleted: () => goToDashboard(),
  });

  const after = confirmation(payment, {
    finish: () => goToDashboard(),
    signIn: (intentId) => goToLogin(pathToConfirm(intentId)),
  });

  let isStarted = false;
  return {
    ...payment,
    ...after,
    start: () => {
      if (isStarted) return;
      isStarted = true;
      if (returnedIntent) {
        // The address holds the payment's secret and would confirm again at a reload.
        history.replaceState(history.state, '', withCouponInPath('/checkout', wantedCoupon));
        void after.confirm(returnedIntent);
      } else if (payment.$state.get().bought.length > 0) void payment.begin();
    },
    /**
     * Asked before a card is charged: the order is an account's, and is paid for it.
     *
     * @returns where a bank's page leads back to; null where somebody signed out altogether
     */
    beforePaying: async (): Promise<string | null> => {
      if (readAuth() || (await isSignedIn())) {
        const path = withCouponInPath('/checkout', payment.$state.get().coupon?.code);
        return new URL(path, location.origin).href;
      }
      goToLogin();
      return null;
    },
    onPaid: (intentId: string) => void (readAuth() ? after.confirm(intentId) : signInToConfirm(intentId)),
    onClosed: () => {
      payment.tell([
        { message: 'Your cart was changed in another window. Please check the total and pay again.' },
      ]);
      void payment.prepare();
    },
    /** Completes a cart that costs nothing, without the card provider (decision 23). */
    takeFree: async (): Promise<void> => {
      const { coupon } = payment.$state.get();
      try {
        const input = { amount: 0, ...(coupon ? { couponCode: coupon.code } : {}) };
        await call(createPaymentIntentCall, { input });
        goToDashboard(true);
      } catch (error) {
        toast({ title: messageOf(error, ENROLLMENT_FAILED), variant: 'destructive' });
        void payment.prepare();
      }
    },
  };
}
