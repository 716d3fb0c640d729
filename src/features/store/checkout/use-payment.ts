import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { CouponFieldProps } from '#src/features/store/coupons/CouponField.tsx';
import type { Payment, PaymentState } from './payment.ts';

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
  { phase, coupon, couponProblem }: PaymentState<T>,
): CouponFieldProps | null {
  if (!['preparing', 'setup-failed', 'paying', 'free'].includes(phase.name)) return null;
  return {
    applied: coupon,
    error: couponProblem,
    disabled: phase.name === 'preparing',
    onApply: payment.applyCoupon,
    onRemove: payment.removeCoupon,
  };
}
