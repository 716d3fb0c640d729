import { toast } from '#src/components/toast.store.ts';
import { restoreSignInHere } from '#src/features/account/sign-in/restore-sign-in.ts';
import { getCourseCall } from '#src/features/catalogue/schema.ts';
import { totalsOf } from '#src/features/store/cart/cart.ts';
import { cartChanged } from '#src/features/store/cart/cart.store.ts';
import {
  type BuyerDetails,
  createDirectPaymentCall,
  saveDirectBuyerCall,
} from '#src/features/store/checkout/schema.ts';
import { getBundleCall } from '#src/features/store/bundles/schema.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import type { FieldErrors } from '#src/shared/errors.ts';
import { centsOf, formatCents } from '#src/shared/money.ts';
import { successPath } from './direct-purchase.ts';
import { createPayment, type PostedOrder } from '../payment.ts';
import { ENROLLMENT_FAILED, PAYMENT_ERROR } from '../payment-messages.ts';
import type { PaymentSettings } from '../payment-script.ts';

/** Marks the one reload after the sign-in turned out to be another one. */
const RELOADED = '#reloaded';

const COUPON_DROPPED =
  'The coupon cannot be used with this email address, so it was taken out. Please check the total and pay again.';

export type DirectCourse = {
  id: number;
  title: string;
  thumbnail: string;
  facts: string;
  priceCents: number;
  originalPriceCents: number | null;
  courses?: { id: number; title: string }[];
};

export interface DirectPurchase {
  course: DirectCourse;
  /** Null for a guest. */
  account: BuyerDetails | null;
  payment: PaymentSettings | null;
  wantedCoupon: string | null;
  posted?: PostedOrder | null;
}

async function readAgain(course: DirectCourse): Promise<DirectCourse> {
  const params = { id: course.id };
  if (course.courses) {
    const { title, price, singly } = await call(getBundleCall, { params });
    return { ...course, title, priceCents: centsOf(price), originalPriceCents: centsOf(singly) };
  }
  const { title, price, originalPrice } = await call(getCourseCall, { params });
  const originalPriceCents = originalPrice === null ? null : centsOf(originalPrice);
  return { ...course, title, priceCents: centsOf(price), originalPriceCents };
}

export function directPayment({ course, account, payment: settings, wantedCoupon, posted }: DirectPurchase) {
  const { id, courses } = course;
  const thing = courses ? { bundleId: id } : { courseId: id };
  const success = (buyer: BuyerDetails | null) =>
    courses ? successPath(courses[0]!.id, buyer, id) : successPath(id, buyer);

  const read = async (): Promise<DirectCourse> => {
    const fresh = await readAgain(course);
    if (fresh.priceCents !== payment.$state.get().bought.priceCents) {
      payment.$state.setKey('notices', [
        `The price of this ${courses ? 'bundle' : 'course'} has changed: it is ${formatCents(fresh.priceCents)} now. Please check it before you pay.`,
      ]);
    }
    return fresh;
  };

  /** The server sees another buyer than the page: reload. */
  const isSomebodyElse = async (buyer: 'account' | 'guest'): Promise<boolean> => {
    if ((buyer === 'account') === (account !== null)) return false;
    if (location.hash === RELOADED) {
      const message = 'Your sign-in in this browser is incomplete. Please sign in again.';
      payment.show({ name: 'setup-failed', message });
      return true;
    }
    location.hash = RELOADED;
    await restoreSignInHere();
    location.reload();
    return true;
  };

  const isTakenOver = ({ code, status, serverMessage }: ApiError): boolean => {
    if (code === 'already_owned' && courses) {
      payment.tell([{ message: serverMessage }]);
      payment.show({ name: 'owned' });
    } else if (code === 'already_owned' && account) payment.show({ name: 'owned' });
    else if (status === 404) payment.show({ name: 'gone' });
    else return false;
    return true;
  };

  const leave = (path: string) => {
    payment.show({ name: 'confirming' });
    cartChanged();
    location.assign(path);
  };

  const payment = createPayment<DirectCourse>({
    bought: course,
    settings,
    wantedCoupon,
    posted,
    thing,
    readsAnew: false,
    read,
    totalsOf: (one) => totalsOf([one]),
    begin: async (input) => {
      const checkout = await call(createDirectPaymentCall, { input: { ...thing, ...input } });
      return (await isSomebodyElse(checkout.buyer)) ? null : checkout;
    },
    isChanged: ({ code }) => code === 'price_changed',
    isTakenOver,
    onCompleted: () => leave(success(null)),
  });

  let returnPath = '';
  let isStarted = false;
  return {
    ...payment,
    pollMs: 6_000,
    poll: () => void payment.prepare(true),
    start: () => {
      if (isStarted) return;
      isStarted = true;
      void payment.begin();
    },

    /** Before the charge (decision 25); gives the return address. */
    saveBuyer: async (
      buyer: BuyerDetails,
      clientSecret: string,
      showErrors: (errors: FieldErrors) => void,
    ): Promise<string | null> => {
      try {
        const paymentIntentId = clientSecret.split('_secret_')[0]!;
        const saved = await call(saveDirectBuyerCall, { input: { ...buyer, paymentIntentId, clientSecret } });
        returnPath = success(saved);
        return new URL(returnPath, location.origin).href;
      } catch (error) {
        if (payment.dropCoupon(error)) payment.restart(COUPON_DROPPED);
        else if (error instanceof ApiError && Object.keys(error.fields).length > 0) showErrors(error.fields);
        // The payment is closed, or another person's since a sign-in in another window.
        else if (error instanceof ApiError && (error.status === 404 || error.status === 409))
          payment.restart(error.serverMessage);
        else toast({ ...PAYMENT_ERROR, description: messageOf(error, PAYMENT_ERROR.description ?? '') });
        return null;
      }
    },

    finish: (paymentIntentId: string, clientSecret: string, status: string) => {
      const address = new URL(returnPath, location.origin);
      address.searchParams.set('payment_intent', paymentIntentId);
      address.searchParams.set('payment_intent_client_secret', clientSecret);
      address.searchParams.set('redirect_status', status);
      leave(address.pathname + address.search);
    },

    takeFree: async (
      buyer: BuyerDetails | undefined,
      showErrors: (errors: FieldErrors) => void,
    ): Promise<void> => {
      const { coupon } = payment.$state.get();
      payment.show({ name: 'confirming' });
      try {
        const input = {
          ...thing,
          amount: 0,
          ...(coupon ? { couponCode: coupon.code } : {}),
          ...(buyer ? { buyer } : {}),
        };
        const checkout = await call(createDirectPaymentCall, { input });
        if (await isSomebodyElse(checkout.buyer)) return;
        leave(success(buyer ?? null));
      } catch (error) {
        if (payment.dropCoupon(error)) {
          payment.restart(COUPON_DROPPED);
          return;
        }
        const isKnown = error instanceof ApiError;
        if (isKnown && isTakenOver(error)) return;
        if (isKnown && error.code === 'price_changed') {
          await payment.prepareAnew();
          return;
        }
        payment.show({ name: 'free' });
        if (isKnown && error.fields.email) showErrors(error.fields);
        else toast({ title: messageOf(error, ENROLLMENT_FAILED), variant: 'destructive' });
      }
    },
  };
}
