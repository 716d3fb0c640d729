import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import type { StoredCharge, StoredDispute, StoredIntent, StoredRefund } from '#src/payment-sandbox/state.ts';
import type { CardFacts } from './test-cards.ts';

export const API_VERSION: Stripe.LatestApiVersion = '2026-10-28.endive';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Random letters and digits. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 below 256: no letter is likelier than another.
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62];
    }
  }
  return text;
}

/** An id like `pi_3Nk…` */
export function newId(prefix: string): string {
  return `${prefix}_${randomText(24)}`;
}

/** Seconds since 1970, the unit of every time in the API. */
export function now(): number {
  return Math.floor(Date.now() / 1000);
}

interface IntentInput {
  amount: number;
  currency: string;
  description: string | null;
  metadata: Record<string, string>;
  receiptEmail: string | null;
  automatic: Stripe.PaymentIntent.AutomaticPaymentMethods | null;
  captureMethod: 'automatic' | 'automatic_async';
  confirmationMethod: 'automatic' | 'manual';
}

/** A new intent, waiting for a payment method. */
export function buildIntent(input: IntentInput): StoredIntent {
  const id = newId('pi');
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: input.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: input.automatic,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: input.captureMethod,
    client_secret: `${id}_secret_${randomText(25)}`,
    confirmation_method: input.confirmationMethod,
    created: now(),
    currency: input.currency,
    customer: null,
    customer_account: null,
    description: input.description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: input.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: input.receiptEmail,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  } satisfies Stripe.PaymentIntent;
}

const PAGE_FIELDS = [
  'id',
  'object',
  'amount',
  'amount_details',
  'automatic_payment_methods',
  'canceled_at',
  'cancellation_reason',
  'capture_method',
  'client_secret',
  'confirmation_method',
  'created',
  'currency',
  'description',
  'last_payment_error',
  'livemode',
  'next_action',
  'payment_method',
  'payment_method_configuration_details',
  'payment_method_types',
  'processing',
  'receipt_email',
  'setup_future_usage',
  'shipping',
  'source',
  'status',
] as const satisfies readonly (keyof Stripe.PaymentIntent)[];

/** The intent without metadata, amounts received and charges. */
export function pageIntent(
  intent: Stripe.PaymentIntent,
): Pick<Stripe.PaymentIntent, (typeof PAGE_FIELDS)[number]> {
  return Object.fromEntries(PAGE_FIELDS.map((field) => [field, intent[field]])) as never;
}

/** A card payment method. */
export function buildPaymentMethod(
  facts: CardFacts,
  expiry: { month: number; year: number },
  billing: Stripe.PaymentMethod.BillingDetails,
  metadata: Record<string, string>,
  cvcGiven: boolean,
): Stripe.PaymentMethod {
  return {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: billing,
    card: {
      brand: facts.brand,
      checks: {
        address_line1_check: null,
        address_postal_code_check: billing.address?.postal_code ? 'pass' : null,
        cvc_check: cvcGiven ? (facts.behaviour.cvcCheck ?? 'pass') : null,
      },
      country: 'US',
      display_brand: facts.brand,
      exp_month: expiry.month,
      exp_year: expiry.year,
      fingerprint: randomText(16),
      funding: facts.funding,
      generated_from: null,
      last4: facts.last4,
      networks: { available: [facts.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: now(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata,
    type: 'card',
  } satisfies Stripe.PaymentMethod;
}

export const NO_ADDRESS: Stripe.Address = {
  city: null,
  country: null,
  line1: null,
  line2: null,
  postal_code: null,
  state: null,
};

/** A charge for the whole amount of the intent. */
export function buildCharge(
  intent: StoredIntent,
  method: Stripe.PaymentMethod,
  outcome:
    | { status: 'succeeded' | 'pending' }
    | { status: 'failed'; code: string; declineCode?: string; message: string },
  authenticated: boolean,
): StoredCharge {
  const id = newId('ch');
  const card = method.card;
  const failed = outcome.status === 'failed' ? outcome : null;
  return {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: outcome.status === 'succeeded' ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: intent.statement_descriptor ?? 'PAYMENT SANDBOX',
    captured: outcome.status === 'succeeded',
    created: now(),
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: failed?.code ?? null,
    failure_message: failed?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: { ...intent.metadata },
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: failed ? 'declined_by_network' : 'approved_by_network',
      reason: failed ? (failed.declineCode ?? failed.code) : null,
      risk_level: 'normal',
      risk_score: 20,
      seller_message: failed ? 'The bank returned a decline.' : 'Payment complete.',
      type: failed ? 'issuer_declined' : 'authorized',
    },
    paid: outcome.status === 'succeeded',
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: {
      type: 'card',
      card: {
        amount_authorized: failed ? null : intent.amount,
        authorization_code: failed ? null : '123456',
        brand: card?.brand ?? 'unknown',
        checks: card?.checks ?? null,
        country: card?.country ?? null,
        electronic_commerce_indicator: authenticated ? '05' : null,
        exp_month: card?.exp_month ?? 1,
        exp_year: card?.exp_year ?? 2000,
        extended_authorization: { status: 'disabled' },
        fingerprint: card?.fingerprint ?? null,
        funding: card?.funding ?? null,
        incremental_authorization: { status: 'unavailable' },
        installments: null,
        last4: card?.last4 ?? null,
        mandate: null,
        multicapture: { status: 'unavailable' },
        network: card?.brand ?? null,
        network_token: { used: false },
        network_transaction_id: randomText(15),
        overcapture: { maximum_amount_capturable: intent.amount, status: 'unavailable' },
        regulated_status: 'unregulated',
        three_d_secure: authenticated
          ? {
              authentication_flow: 'challenge',
              electronic_commerce_indicator: '05',
              exemption_indicator: null,
              result: 'authenticated',
              result_reason: null,
              transaction_id: newId('3ds'),
              version: '2.2.0',
            }
          : null,
        transaction_link_id: null,
        wallet: null,
      },
    },
    radar_options: {},
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: intent.shipping,
    source: null,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: outcome.status,
    transfer_data: null,
    transfer_group: intent.transfer_group,
  } satisfies Stripe.Charge;
}

/** A refund of `amount` (smallest unit) of a charge. */
export function buildRefund(
  charge: StoredCharge,
  amount: number,
  reason: 'duplicate' | 'fraudulent' | 'requested_by_customer' | null,
  metadata: Record<string, string>,
  status: 'succeeded' | 'pending',
): StoredRefund {
  return {
    id: newId('re'),
    object: 'refund',
    amount,
    balance_transaction: newId('txn'),
    charge: charge.id,
    created: now(),
    currency: charge.currency,
    customer: null,
    customer_account: null,
    destination_details: {
      type: 'card',
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
    },
    metadata,
    payment_intent: charge.payment_intent,
    ...(status === 'pending' ? { pending_reason: 'processing' } : {}),
    payment_method: charge.payment_method,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status,
    transfer_reversal: null,
  } satisfies Stripe.Refund;
}

const DISPUTE_DAYS = 9;

/** A dispute that waits for the seller's answer. */
export function buildDispute(charge: StoredCharge, amount: number, reason: string): StoredDispute {
  const brand = charge.payment_method_details?.card?.brand ?? 'unknown';
  return {
    id: newId('du'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created: now(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {} as Stripe.Dispute.Evidence,
    evidence_details: {
      due_by: now() + DISPUTE_DAYS * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      type: 'card',
      card: { brand, case_type: 'chargeback', network: brand, network_reason_code: null },
    },
    reason,
    status: 'needs_response',
  } satisfies Stripe.Dispute;
}
