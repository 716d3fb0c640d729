import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { totalsOf } from '#src/features/store/cart/cart.ts';
import { createPayment } from '#src/features/store/checkout/payment.ts';
import {
  ENROLLMENT_FAILED,
  LOGIN_AGAIN,
  PAYMENT_SUCCESS,
  unpaidToast,
} from '#src/features/store/checkout/payment-messages.ts';
import type { PaymentSettings } from '#src/features/store/checkout/payment-script.ts';
import { confirmPaymentCall } from '#src/features/store/schema.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import { loginPath } from '#src/shared/paths.ts';
import { createSeatPaymentCall } from '../schema.ts';

export interface SeatPurchase {
  organisation: { id: number; name: string };
  course: { id: number; title: string };
  seats: number;
  /** What a seat costs, and all of them, in cents. */
  unitCents: number;
  totalCents: number;
  payment: PaymentSettings | null;
  /** The intent that a bank's page led back with, null otherwise. */
  returnedIntent: string | null;
}

/** The payment of seats. What they cost is fixed by the page's address; another price makes the page anew. */
export function seatPayment({
  organisation,
  course,
  seats,
  totalCents,
  payment: settings,
  returnedIntent,
}: SeatPurchase) {
  const goToLogin = () => {
    toastOnNextPage(LOGIN_AGAIN);
    location.assign(loginPath(location.pathname + location.search));
  };
  const finish = () => {
    toastOnNextPage({ ...PAYMENT_SUCCESS, description: 'Now give the seats to your people.' });
    location.assign(`/organisations/${organisation.id}#course-${course.id}`);
  };

  const payment = createPayment<{ totalCents: number }>({
    bought: { totalCents },
    settings,
    wantedCoupon: null,
    phase: { name: returnedIntent ? 'confirming' : 'preparing' },
    readsAnew: false,
    read: async () => {
      // The page says the price, so that it is what has to be read again.
      location.reload();
      return new Promise<never>(() => {});
    },
    totalsOf: ({ totalCents: priceCents }) => totalsOf([{ priceCents, originalPriceCents: null }]),
    begin: ({ amount }) =>
      call(createSeatPaymentCall, {
        params: { id: organisation.id },
        input: { courseId: course.id, seats, amount },
      }),
    isChanged: ({ code }) => code === 'price_changed',
    isTakenOver: ({ status }) => {
      if (status === 401) goToLogin();
      else if (status === 404) payment.show({ name: 'gone' });
      else return false;
      return true;
    },
    onCompleted: finish,
  });

  const confirm = async (intentId: string, quiet = false): Promise<void> => {
    if (!quiet) payment.show({ name: 'confirming' });
    try {
      await call(confirmPaymentCall, { input: { paymentIntentId: intentId } });
      payment.show({ name: 'done' });
      finish();
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return goToLogin();
      const status = error instanceof ApiError && error.status === 402 ? String(error.body.status) : null;
      if (status === 'processing') return payment.show({ name: 'processing', intentId });
      if (status) {
        toast(unpaidToast(status, error instanceof ApiError && error.body.tried !== false));
        void payment.prepare();
        return;
      }
      payment.show({ name: 'unconfirmed', intentId, message: messageOf(error, ENROLLMENT_FAILED) });
    }
  };

  let isStarted = false;
  return {
    ...payment,
    confirm,
    pollMs: 4_000,
    poll: (intentId: string | null) => void (intentId ? confirm(intentId, true) : payment.prepare(true)),
    start: () => {
      if (isStarted) return;
      isStarted = true;
      if (returnedIntent) void confirm(returnedIntent);
      else void payment.begin();
    },
    /** Where a bank's page leads back to. */
    beforePaying: async () => location.origin + location.pathname + location.search,
    onPaid: (intentId: string) => void confirm(intentId),
    onProcessing: (intentId: string) => {
      toast(unpaidToast('processing'));
      payment.show({ name: 'processing', intentId });
    },
    onClosed: () => payment.restart('This payment was closed. Please check the total and pay again.'),
  };
}
