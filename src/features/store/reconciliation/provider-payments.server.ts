import type Stripe from 'stripe';
import { env } from '#src/server/start/env.ts';
import { AppError } from '#src/shared/errors.ts';
import { disputeState, readProviderList } from '#src/features/store/stripe/provider.server.ts';

export type ProviderPayment = {
  intent: Stripe.PaymentIntent;
  succeeded: boolean;
  receivedCents: number;
  /** Seconds since 1970. */
  chargedAt: number;
  refundedCents: number;
  withheldCents: number;
};

export type ProviderPayments = Map<string, ProviderPayment>;

const CLOCK_SKEW_SECONDS = 60;
export const OWN_REFERENCE = /^[0-9a-f]{32}$/;

export async function readProviderPayments(since: Date | null): Promise<ProviderPayments> {
  if (!env().stripe) throw new AppError('unavailable', 'Payments are not set up on this site yet.');
  const created = since ? { created: { gte: Math.floor(since.getTime() / 1000) - CLOCK_SKEW_SECONDS } } : {};
  const payments: ProviderPayments = new Map();
  const intents = readProviderList('list intents', (stripe, page) =>
    stripe.paymentIntents.list({ ...page, ...created, expand: ['data.latest_charge'] }),
  );
  for await (const intent of intents) {
    const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
    payments.set(intent.id, {
      intent,
      succeeded: intent.status === 'succeeded',
      receivedCents: intent.status === 'succeeded' ? intent.amount_received : 0,
      chargedAt: charge?.created ?? intent.created,
      refundedCents: 0,
      withheldCents: 0,
    });
  }
  const paymentOf = (intent: string | { id: string } | null) =>
    payments.get(typeof intent === 'string' ? intent : (intent?.id ?? ''));
  for await (const refund of readProviderList('list refunds', (stripe, page) =>
    stripe.refunds.list({ ...page, ...created }),
  )) {
    const payment = paymentOf(refund.payment_intent);
    if (payment && refund.status === 'succeeded') payment.refundedCents += refund.amount;
  }
  for await (const dispute of readProviderList('list disputes', (stripe, page) =>
    stripe.disputes.list({ ...page, ...created }),
  )) {
    const payment = paymentOf(dispute.payment_intent);
    const state = disputeState(dispute);
    if (payment && (state === 'open' || state === 'lost')) payment.withheldCents += dispute.amount;
  }
  return payments;
}
