import { useStore } from '@nanostores/react';
import type { Stripe } from '@stripe/stripe-js';
import { map } from 'nanostores';
import { useEffect, useState } from 'react';
import { toast } from '#src/components/toast.store.ts';
import { amountOf, couponOf, type Totals, withCoupon } from '#src/features/store/cart/cart.ts';
import type { CouponFieldProps } from '#src/features/store/coupons/CouponField.tsx';
import { keepCouponInAddress } from '#src/features/store/coupons/coupon-address.ts';
import { type AppliedCoupon, applyCouponCall } from '#src/features/store/coupons/schema.ts';
import type { Checkout } from '#src/features/store/checkout/schema.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import { COUPON_FAILED, FORM_NOT_LOADED, PAYMENT_SETUP_FAILED } from './payment-messages.ts';
import { loadPaymentScript, type PaymentSettings } from './payment-script.ts';

/** How far a payment is. */
export type Phase =
  | { name: 'preparing' }
  | { name: 'setup-failed'; message: string }
  | { name: 'paying'; clientSecret: string; stripe: Stripe }
  | { name: 'free' }
  /** With the bank. The intent is known where this page began its payment or was led back with it. */
  | { name: 'processing'; intentId: string | null }
  | { name: 'confirming' }
  /** Paid, and the order could not be completed yet. */
  | { name: 'unconfirmed'; intentId: string; message: string }
  | { name: 'done' }
  | { name: 'owned' }
  /** No longer for sale. */
  | { name: 'gone' };

export interface PaymentState<T> {
  phase: Phase;
  bought: T;
  /** What the buyer should know about a changed order. */
  notices: readonly string[];
  coupon: AppliedCoupon | null;
  couponProblem: string;
  /** The code that was posted without a script and refused. */
  typedCode: string;
}

/** What a form that was posted without a script did to the order. */
export type PostedOrder = Pick<PaymentState<unknown>, 'notices' | 'coupon' | 'couponProblem' | 'typedCode'>;

/** What differs between the checkouts. */
export interface Purchase<T> {
  /** As the page knows it. */
  bought: T;
  settings: PaymentSettings | null;
  /** The coupon code that the address asks for. */
  wantedCoupon: string | null;
  /** The course or bundle that a coupon has to fit; without one it has to fit the cart. */
  thing?: { courseId: number } | { bundleId: number };
  posted?: PostedOrder | null;
  phase?: Phase;
  /** Reads what is bought each time a payment is prepared, not only where a refusal says that it changed. */
  readsAnew: boolean;
  read: () => Promise<T>;
  isEmpty?: (bought: T) => boolean;
  totalsOf: (bought: T) => Totals;
  /** Begins the payment at the server; null where the page is left instead. */
  begin: (input: { amount: number; couponCode?: string }) => Promise<Checkout | null>;
  /** Whether a refusal says that what is bought is not what the page shows; tells the buyer what it says. */
  isChanged: (error: ApiError) => boolean;
  /** Takes over what no other attempt mends, such as an ended sign-in. */
  isTakenOver: (error: ApiError) => boolean;
  /** The order is paid and complete. */
  onCompleted: () => void;
}

/** What a refusal says about the coupon; empty where it is about something else. */
const couponError = (error: unknown): string => (error instanceof ApiError && error.fields.couponCode) || '';

/** What left the order, as a refusal tells it; null where it tells nothing. */
export const noticesOf = (error: ApiError): { message: string }[] | null =>
  Array.isArray(error.body.notices) ? error.body.notices : null;

/** Attempts to prepare a payment whose order turns out to be another one each time. */
const MOST_ATTEMPTS = 3;

export type Payment<T> = ReturnType<typeof createPayment<T>>;

/** A payment from its preparation to its result, with its coupon (spec 2, 4, 8). */
export function createPayment<T>(purchase: Purchase<T>) {
  const { settings, thing } = purchase;
  const $state = map<PaymentState<T>>({
    phase: purchase.phase ?? { name: 'preparing' },
    bought: purchase.bought,
    notices: [],
    coupon: null,
    couponProblem: '',
    typedCode: '',
    ...purchase.posted,
  });
  let couponCode = purchase.wantedCoupon;
  const show = (phase: Phase) => $state.setKey('phase', phase);

  const keepCoupon = (applied: AppliedCoupon | null, problem = ''): void => {
    couponCode = applied?.code ?? null;
    $state.set({ ...$state.get(), coupon: applied, couponProblem: problem });
    keepCouponInAddress(couponCode);
  };

  /** Adds to what the buyer should know. */
  const tell = (notices: readonly { message: string }[] | null | undefined): void => {
    if (!notices?.length) return;
    const all = [...$state.get().notices, ...notices.map(({ message }) => message)];
    $state.setKey('notices', [...new Set(all)]);
  };

  /** Takes the coupon out where a refusal is about it, and says why; false for every other refusal. */
  const dropCoupon = (error: unknown): boolean => {
    const problem = couponError(error);
    if (!problem || !couponCode) return false;
    tell(noticesOf(error as ApiError));
    keepCoupon(null, problem);
    return true;
  };

  const lookAtCoupon = (code: string) => call(applyCouponCall, { input: { code, ...thing } });

  const open = async (bought: T): Promise<void> => {
    const applied = couponCode ? await lookAtCoupon(couponCode) : null;
    if (applied) keepCoupon(applied);
    const totals = withCoupon(purchase.totalsOf(bought), couponOf(applied));
    if (totals.totalCents === 0) {
      show({ name: 'free' });
      return;
    }
    if (!settings) throw new Error('Payments are not set up.');
    const stripe = loadPaymentScript(settings);
    // Looked at below, together with the payment; a failure before that is not lost.
    stripe.catch(() => {});
    const checkout = await purchase.begin({
      amount: amountOf(totals),
      ...(applied ? { couponCode: applied.code } : {}),
    });
    if (!checkout) return;
    tell(checkout.notices);
    if (checkout.status === 'completed') purchase.onCompleted();
    else if (checkout.status === 'processing') show({ name: 'processing', intentId: null });
    else if (checkout.clientSecret)
      show({ name: 'paying', clientSecret: checkout.clientSecret, stripe: await stripe });
  };

  const prepareFor = async (known: T | null, quiet: boolean): Promise<void> => {
    if (!quiet) show({ name: 'preparing' });
    let bought = known;
    try {
      for (let attempt = 1; ; attempt += 1) {
        bought ??= await purchase.read();
        $state.setKey('bought', bought);
        if (purchase.isEmpty?.(bought)) {
          if (quiet) purchase.onCompleted();
          return;
        }
        try {
          await open(bought);
          return;
        } catch (error) {
          // Without the coupon the order is another one, at its full price, which the page shows.
          if (dropCoupon(error)) {
            if (purchase.readsAnew) bought = null;
          } else if (error instanceof ApiError && purchase.isChanged(error) && attempt < MOST_ATTEMPTS) {
            bought = null;
          } else throw error;
        }
      }
    } catch (error) {
      if (error instanceof ApiError && purchase.isTakenOver(error)) return;
      toast(PAYMENT_SETUP_FAILED);
      const message =
        error instanceof ApiError
          ? messageOf(error, PAYMENT_SETUP_FAILED.description ?? '')
          : FORM_NOT_LOADED;
      show({ name: 'setup-failed', message });
    }
  };

  /**
   * Gets a payment for what is bought, once more where that turned out to be something else.
   *
   * @param quiet what the page shows stays until there is an answer
   */
  const prepare = (quiet = false) => prepareFor(purchase.readsAnew ? null : $state.get().bought, quiet);

  return {
    $state,
    show,
    tell,
    dropCoupon,
    prepare,
    /** Prepares the payment for what is bought now. */
    prepareAnew: () => prepareFor(null, false),
    /** The first preparation, for what the page was drawn with. */
    begin: () => prepareFor(purchase.bought, false),
    /** Prepares the payment anew, with a word on why. */
    restart: (why: string) => {
      $state.setKey('notices', [why]);
      void prepare();
    },
    /** Applies a coupon that was typed; the payment form stays as it is until there is one to apply. */
    applyCoupon: async (code: string): Promise<void> => {
      try {
        keepCoupon(await lookAtCoupon(code));
        void prepare();
      } catch (error) {
        const problem = couponError(error);
        if (!problem && error instanceof ApiError && purchase.isTakenOver(error)) return;
        $state.setKey('couponProblem', problem || messageOf(error, COUPON_FAILED));
      }
    },
    removeCoupon: () => {
      keepCoupon(null);
      void prepare();
    },
  };
}

/** A checkout's payment with what begins it and what looks after it while a bank takes its time. */
export interface PagePayment<T> extends Payment<T> {
  /** Once, when the page runs. */
  start: () => void;
  pollMs: number;
  /** Asks what has become of a payment that is being processed. */
  poll: (intentId: string | null) => void;
}

/** Makes the payment of a page once, starts it and looks after it. */
export function usePayment<T, P extends PagePayment<T>>(
  make: () => P & PagePayment<T>,
): [P, PaymentState<T>] {
  const [payment] = useState(make);
  const state = useStore(payment.$state) as PaymentState<T>;
  const { phase } = state;

  useEffect(() => payment.start(), [payment]);

  useEffect(() => {
    if (phase.name !== 'processing') return;
    const timer = setTimeout(() => payment.poll(phase.intentId), payment.pollMs);
    return () => clearTimeout(timer);
  }, [payment, phase]);

  return [payment, state];
}

/** The coupon's field of a payment; null once nothing of the order can change. */
export function couponFieldOf<T>(
  payment: Payment<T>,
  { phase, coupon, couponProblem, typedCode }: PaymentState<T>,
): CouponFieldProps | null {
  if (!['preparing', 'setup-failed', 'paying', 'free'].includes(phase.name)) return null;
  return {
    applied: coupon,
    error: couponProblem,
    typed: typedCode,
    disabled: phase.name === 'preparing',
    onApply: payment.applyCoupon,
    onRemove: payment.removeCoupon,
  };
}
