import { toastOnNextPage } from '#src/components/toast.store.ts';
import { totalsOf } from '#src/features/store/cart/cart.ts';
import { confirmation, goToLogin, whileSignedIn } from '#src/features/store/checkout/confirmation.ts';
import { createPayment } from '#src/features/store/checkout/payment.ts';
import { PAYMENT_SUCCESS } from '#src/features/store/checkout/payment-messages.ts';
import type { PaymentSettings } from '#src/features/store/checkout/payment-script.ts';
import type { Billing } from '#src/features/store/invoices/billing.ts';
import { call } from '#src/shared/api.ts';
import { thingName } from '#src/features/store/seats/seat-thing.ts';
import { createSeatPaymentCall } from '../schema.ts';
import { orderedSeats, type SeatChoice } from './seat-choice.ts';

export interface SeatPurchase {
  organisation: { id: number; name: string };
  choice: SeatChoice;
  payment: PaymentSettings | null;
  billing: Billing;
  /** Of a return from a bank's page. */
  returnedIntent: string | null;
}

/** The address fixes the seats; a new price reloads the page. */
export function seatPayment({
  organisation,
  choice: { lines, totalCents },
  payment: settings,
  billing,
  returnedIntent,
}: SeatPurchase) {
  const finish = () => {
    toastOnNextPage({ ...PAYMENT_SUCCESS, description: 'Now give the seats to your people.' });
    location.assign(`/organisations/${organisation.id}#${thingName(lines[0]!)}`);
  };

  const payment = createPayment<{ totalCents: number }>({
    bought: { totalCents },
    settings,
    wantedCoupon: null,
    phase: { name: returnedIntent ? 'confirming' : 'preparing' },
    readsAnew: false,
    read: async () => {
      // The server's page shows the price.
      location.reload();
      return new Promise<never>(() => {});
    },
    totalsOf: ({ totalCents: priceCents }) => totalsOf([{ priceCents, originalPriceCents: null }]),
    begin: ({ amount }) =>
      call(createSeatPaymentCall, {
        params: { id: organisation.id },
        input: { lines: orderedSeats(lines), amount, billing },
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

  const after = confirmation(payment, { finish, signIn: () => goToLogin() });

  let isStarted = false;
  return {
    ...payment,
    ...after,
    start: () => {
      if (isStarted) return;
      isStarted = true;
      if (returnedIntent) void after.confirm(returnedIntent);
      else void payment.begin();
    },
    beforePaying: () => whileSignedIn(location.pathname + location.search, goToLogin),
    onPaid: (intentId: string) => void after.confirm(intentId),
    onClosed: () => payment.restart('This payment was closed. Please check the total and pay again.'),
  };
}
