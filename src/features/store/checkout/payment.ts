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
import { useStore } from '#src/components/use-store.ts';

export type Phase =
  | { name: 'preparing' }
  | { name: 'setup-failed'; message: string }
  | { name: 'paying'; clientSecret: string; stripe: Stripe }
  | { name: 'free' }
  /** The intent is known where this page began the payment or was led back with it. */
  | { name: 'processing'; intentId: string | null }
  | { name: 'confirming' }
  /** Paid, and the order is not complete yet. */
  | { name: 'unconfirmed'; intentId: string; message: string }
  | { name: 'done' }
  | { name: 'owned' }
  | { name: 'gone' };

interface PaymentState<T> {
  phase: Phase;
  bought: T;
  notices: readonly string[];
  coupon: AppliedCoupon | null;
  couponProblem: string;
  typedCode: string;
}

export type PostedOrder = Pick<PaymentState<unknown>, 'notices' | 'coupon' | 'couponProblem' | 'typedCode'>;

export interface Purchase<T> {
  bought: T;
  settings: PaymentSettings | null;
  wantedCoupon: string | null;
  thing?: { courseId: number } | { bundleId: number };
  posted?: PostedOrder | null;
  phase?: Phase;
  readsAnew: boolean;
  read: () => Promise<T>;
  isEmpty?: (bought: T) => boolean;
  totalsOf: (bought: T) => Totals;
  begin: (input: { amount: number; couponCode?: string }) => Promise<Checkout | null>;
  isChanged: (error: ApiError) => boolean;
  isTakenOver: (error: ApiError) => boolean;
  onCompleted: () => void;
}

const couponError = (error: unknown): string => (error instanceof ApiError && error.fields.couponCode) || '';

export const noticesOf = (error: ApiError): { message: string }[] | null =>
  Array.isArray(error.body.notices) ? error.body.notices : null;

const MOST_ATTEMPTS = 3;

export type Payment<T> = ReturnType<typeof createPayment<T>>;

/** A payment with its coupon, from preparation to result (spec 2, 4, 8). */
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

  const tell = (notices: readonly { message: string }[] | null | undefined): void => {
    if (!notices?.length) return;
    const all = [...$state.get().notices, ...notices.map(({ message }) => message)];
    $state.setKey('notices', [...new Set(all)]);
  };

  /** Drops the coupon where the refusal is about it; false otherwise. */
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
          // Without the coupon the total changes, so the page is read again.
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

  /** @param quiet leaves the page unchanged until the answer */
  const prepare = (quiet = false) => prepareFor(purchase.readsAnew ? null : $state.get().bought, quiet);

  return {
    $state,
    show,
    tell,
    dropCoupon,
    prepare,
    prepareAnew: () => prepareFor(null, false),
    begin: () => prepareFor(purchase.bought, false),
    restart: (why: string) => {
      $state.setKey('notices', [why]);
      void prepare();
    },
    /** The form stays until the coupon is accepted. */
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

interface PagePayment<T> extends Payment<T> {
  start: () => void;
  pollMs: number;
  poll: (intentId: string | null) => void;
}

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
