import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { logout } from '#src/features/account/schema.ts';
import { cartTotals } from '#src/features/store/cart/cart.ts';
import { cartChanged } from '#src/features/store/cart/cart.store.ts';
import { withCouponInPath } from '#src/features/store/coupons/coupon-address.ts';
import { type CartLine, listCartCall } from '#src/features/store/cart/schema.ts';
import { createPaymentIntentCall } from '#src/features/store/checkout/schema.ts';
import { call, messageOf } from '#src/shared/api.ts';
import { readAuth } from '#src/shared/auth-storage.ts';
import { confirmation, goToLogin, whileSignedIn } from './confirmation.ts';
import { createPayment, noticesOf, type PostedOrder, type Purchase } from './payment.ts';
import { ENROLLED, ENROLLMENT_FAILED, PAYMENT_SUCCESS } from './payment-messages.ts';
import type { PaymentSettings } from './payment-script.ts';

export interface CartCheckout {
  initialLines: CartLine[];
  payment: PaymentSettings | null;
  returnedIntent: string | null;
  wantedCoupon: string | null;
  posted?: PostedOrder | null;
}

function goToDashboard(orderId: number, isFree = false): void {
  cartChanged();
  toastOnNextPage(isFree ? ENROLLED : PAYMENT_SUCCESS);
  location.assign(`/dashboard?order=${orderId}`);
}

const pathToConfirm = (intentId: string) => `/checkout?${new URLSearchParams({ payment_intent: intentId })}`;

/** Ends what is left of a sign-in without a stored token, or the sign-in page would lead straight back. */
async function signInAgain(returnPath?: string): Promise<void> {
  await call(logout, {}).catch(() => {});
  goToLogin(returnPath);
}

const buyable = (lines: readonly CartLine[]) => lines.filter((line) => line.unavailable === null);

export function cartPayment({
  initialLines,
  payment: settings,
  returnedIntent,
  wantedCoupon,
  posted,
}: CartCheckout) {
  let orderId = 0;
  const begin = async (input: Parameters<Purchase<unknown>['begin']>[0]) => {
    const checkout = await call(createPaymentIntentCall, { input });
    orderId = checkout.orderId;
    return checkout;
  };
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
    begin,
    // 400 and 409 mean that another window changed the cart.
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
    onCompleted: () => goToDashboard(orderId),
  });

  const after = confirmation(payment, {
    finish: goToDashboard,
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
        // The address holds the payment's secret, and a reload would confirm again.
        history.replaceState(history.state, '', withCouponInPath('/checkout', wantedCoupon));
        void after.confirm(returnedIntent);
      } else if (payment.$state.get().bought.length > 0) void payment.begin();
    },
    beforePaying: () =>
      whileSignedIn(
        withCouponInPath('/checkout', payment.$state.get().coupon?.code),
        () => void signInAgain(),
      ),
    onPaid: (intentId: string) =>
      void (readAuth() ? after.confirm(intentId) : signInAgain(pathToConfirm(intentId))),
    onClosed: () => {
      payment.tell([
        { message: 'Your cart was changed in another window. Please check the total and pay again.' },
      ]);
      void payment.prepare();
    },
    takeFree: async (): Promise<void> => {
      const { coupon } = payment.$state.get();
      try {
        const input = { amount: 0, ...(coupon ? { couponCode: coupon.code } : {}) };
        await begin(input);
        goToDashboard(orderId, true);
      } catch (error) {
        toast({ title: messageOf(error, ENROLLMENT_FAILED), variant: 'destructive' });
        void payment.prepare();
      }
    },
  };
}
