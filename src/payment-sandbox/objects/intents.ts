import type Stripe from 'stripe';
import { type Core, changeCharge, changeIntent, memoryOf, remember } from '#src/payment-sandbox/core.ts';
import { openDispute } from './disputes.ts';
import {
  ApiError,
  type ErrorBody,
  invalidParameter,
  missing,
  refused,
} from '#src/payment-sandbox/http/errors.ts';
import { checkAmount, checkCurrency } from '#src/payment-sandbox/money.ts';
import { buildCharge, buildIntent, newId, now } from './objects.ts';
import type { Params } from '#src/payment-sandbox/http/params.ts';
import { type ReadMethod, readMethod, readMethodId } from './payment-methods.ts';
import type { StoredCharge, StoredIntent } from '#src/payment-sandbox/state.ts';
import type { CardBehaviour, Refusal } from './test-cards.ts';

const OPEN = ['requires_payment_method', 'requires_confirmation', 'requires_action'] as const;

function isOpen(intent: StoredIntent): boolean {
  return OPEN.some((status) => status === intent.status);
}

function unexpectedState(message: string, intent: StoredIntent): ApiError {
  return refused('payment_intent_unexpected_state', message, { payment_intent: intent });
}

/** The intent with this id, or 404. */
export function findIntent(core: Core, id: string): StoredIntent {
  const intent = core.state.get('payment_intents', id);
  if (!intent) throw missing('payment_intent', id, 'intent');
  return intent;
}

/** Refuses a page's call whose client secret is not the intent's. */
export function checkClientSecret(intent: StoredIntent, secret: string | undefined): void {
  if (secret === undefined || secret === '') {
    throw invalidParameter('client_secret', 'parameter_missing', 'Missing required param: client_secret.');
  }
  if (secret !== intent.client_secret) {
    throw invalidParameter(
      'client_secret',
      'payment_intent_invalid_parameter',
      'The client_secret provided does not match the client_secret associated with the PaymentIntent.',
    );
  }
}

function checkEmail(email: string | null): string | null {
  if (email !== null && !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw invalidParameter('receipt_email', 'email_invalid', `Invalid email address: ${email.slice(0, 80)}`);
  }
  return email;
}

interface Confirmation {
  returnUrl: string | null;
  useSdk: boolean;
  offSession: boolean;
  failOnAction: boolean;
}

function readConfirmation(params: Params): Confirmation {
  const returnUrl = params.text('return_url') || null;
  if (returnUrl !== null && !/^[a-z][a-z0-9+.-]*:/i.test(returnUrl)) {
    throw invalidParameter('return_url', 'url_invalid', 'Not a valid URL');
  }
  return {
    returnUrl,
    useSdk: params.boolean('use_stripe_sdk') ?? false,
    offSession: params.boolean('off_session') ?? false,
    failOnAction: params.boolean('error_on_requires_action') ?? false,
  };
}

/** POST /v1/payment_intents */
export function createIntent(core: Core, params: Params): StoredIntent {
  const amount = params.integer('amount');
  const currencyText = params.requiredText('currency');
  if (amount === undefined) throw params.missing('amount');
  const types = params.list('payment_method_types');
  const automaticParams = params.group('automatic_payment_methods');
  const automaticEnabled = automaticParams?.boolean('enabled');
  const redirects = automaticParams?.oneOf('allow_redirects', ['always', 'never']) ?? 'always';
  const captureMethod = params.oneOf('capture_method', ['automatic', 'automatic_async']) ?? 'automatic_async';
  const confirmationMethod = params.oneOf('confirmation_method', ['automatic', 'manual']) ?? 'automatic';
  const confirm = params.boolean('confirm') ?? false;
  const confirmation = readConfirmation(params);
  const method = readMethod(core.state, params);
  const input = {
    description: params.text('description') || null,
    metadata: params.metadata({}),
    receiptEmail: checkEmail(params.text('receipt_email') || null),
  };
  params.done();
  const currency = checkCurrency(currencyText);
  checkAmount(amount, currency);
  if (types.some((type) => type !== 'card')) {
    throw invalidParameter(
      'payment_method_types',
      undefined,
      'This sandbox takes cards only: payment_method_types may contain "card".',
    );
  }
  if (types.length > 0 && automaticEnabled) {
    throw invalidParameter(
      'payment_method_types',
      undefined,
      'You may only specify one of these parameters: automatic_payment_methods, payment_method_types.',
    );
  }
  if (automaticParams && automaticEnabled === undefined) throw automaticParams.missing('enabled');

  // Current API versions turn automatic payment methods on unless types are named.
  const automatic =
    types.length === 0 && automaticEnabled !== false ? { allow_redirects: redirects, enabled: true } : null;
  if (confirm) checkReturnUrl(automatic, confirmation);
  let intent = buildIntent({ ...input, amount, currency, automatic, captureMethod, confirmationMethod });
  if (method) {
    intent = { ...intent, payment_method: method.store().id, status: 'requires_confirmation' };
  }
  core.state.put('payment_intents', intent.id, intent);
  core.webhooks.emit('payment_intent.created', intent);
  return confirm ? attempt(core, intent, confirmation) : intent;
}

function checkReturnUrl(
  automatic: Stripe.PaymentIntent.AutomaticPaymentMethods | null,
  confirmation: Confirmation,
): void {
  if (!automatic?.enabled || automatic.allow_redirects === 'never') return;
  if (confirmation.returnUrl || confirmation.useSdk) return;
  throw invalidParameter(
    'return_url',
    undefined,
    "This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`. If you don't want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` to `true` and `automatic_payment_methods[allow_redirects]` to `never` when creating Setup Intents and Payment Intents.",
  );
}

/** POST /v1/payment_intents/:id/confirm, by the site's server or by the page. */
export function confirmIntent(core: Core, id: string, params: Params, from: 'site' | 'page'): StoredIntent {
  const intent = findIntent(core, id);
  if (from === 'page') checkClientSecret(intent, params.text('client_secret'));
  const confirmation = readConfirmation(params);
  if (from === 'page') confirmation.useSdk = true;
  const method = readMethod(core.state, params);
  const email = params.text('receipt_email');
  params.done();
  const receiptEmail = email === undefined ? intent.receipt_email : checkEmail(email || null);

  if (!isOpen(intent)) {
    throw unexpectedState(
      intent.status === 'succeeded'
        ? 'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.'
        : `You cannot confirm this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be confirmed: requires_confirmation, requires_action.`,
      intent,
    );
  }
  if (!method && !intent.payment_method) {
    throw unexpectedState(
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
      intent,
    );
  }
  if (from === 'site') checkReturnUrl(intent.automatic_payment_methods, confirmation);
  const ready = changeIntent(core, intent, {
    payment_method: method ? method.store().id : intent.payment_method,
    receipt_email: receiptEmail,
    next_action: null,
    status: 'requires_confirmation',
  });
  return attempt(core, ready, confirmation);
}

function cardOf(
  core: Core,
  intent: StoredIntent,
): { method: Stripe.PaymentMethod; behaviour: CardBehaviour } {
  const read: ReadMethod = readMethodId(core.state, intent.payment_method ?? '');
  return { method: read.method, behaviour: core.state.get('behaviours', read.method.id) ?? {} };
}

function attempt(core: Core, intent: StoredIntent, confirmation: Confirmation): StoredIntent {
  const { behaviour } = cardOf(core, intent);
  if (!behaviour.challenge) return charge(core, intent, false);
  if (confirmation.offSession || confirmation.failOnAction) {
    return refuse(core, intent, {
      code: 'authentication_required',
      declineCode: 'authentication_required',
      message: 'Your card was declined. This transaction requires authentication.',
    });
  }
  const source = newId('payatt');
  remember(core, intent.id, { challenge: { source } });
  const waiting = changeIntent(core, intent, {
    status: 'requires_action',
    next_action: {
      type: 'use_stripe_sdk',
      use_stripe_sdk: { type: 'stripe_3ds2_fingerprint', three_d_secure_2_source: source },
    },
  });
  core.webhooks.emit('payment_intent.requires_action', waiting);
  return waiting;
}

function refuse(core: Core, intent: StoredIntent, refusal: Refusal): never {
  const { method } = cardOf(core, intent);
  const failed = core.state.put(
    'charges',
    ...keyed(buildCharge(intent, method, { status: 'failed', ...refusal }, false)),
  );
  const stored = fail(core, intent, failed, {
    type: 'card_error',
    code: refusal.code,
    decline_code: refusal.declineCode,
    message: refusal.message,
    charge: failed.id,
    payment_method: method,
  });
  const { payment_method, ...error } = stored.last_payment_error ?? { type: 'card_error' };
  throw new ApiError(402, { ...(error as ErrorBody), payment_intent: stored, payment_method });
}

function keyed(charge: StoredCharge): [string, StoredCharge] {
  return [charge.id, charge];
}

function fail(
  core: Core,
  intent: StoredIntent,
  charge: StoredCharge | null,
  error: Stripe.PaymentIntent.LastPaymentError,
): StoredIntent {
  remember(core, intent.id, {});
  const clean = Object.fromEntries(Object.entries(error).filter(([, value]) => value !== undefined));
  const stored = changeIntent(core, intent, {
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    processing: null,
    last_payment_error: clean as unknown as Stripe.PaymentIntent.LastPaymentError,
    latest_charge: charge?.id ?? intent.latest_charge,
  });
  if (charge) core.webhooks.emit('charge.failed', charge);
  core.webhooks.emit('payment_intent.payment_failed', stored);
  return stored;
}

function charge(core: Core, intent: StoredIntent, authenticated: boolean): StoredIntent {
  const { method, behaviour } = cardOf(core, intent);
  if (behaviour.refusal) return refuse(core, intent, behaviour.refusal);
  const made = buildCharge(
    intent,
    method,
    { status: behaviour.processing ? 'pending' : 'succeeded' },
    authenticated,
  );
  core.state.put('charges', made.id, made);
  if (!behaviour.processing) return succeed(core, intent, made);

  const settles =
    core.settleMs === null ? undefined : { at: Date.now() + core.settleMs, outcome: behaviour.processing };
  remember(core, intent.id, { settles });
  const stored = changeIntent(core, intent, {
    status: 'processing',
    processing: { type: 'card', card: {} },
    next_action: null,
    last_payment_error: null,
    latest_charge: made.id,
  });
  core.webhooks.emit('charge.pending', made);
  core.webhooks.emit('payment_intent.processing', stored);
  if (settles) settleLater(core, intent.id, settles);
  return stored;
}

function succeed(core: Core, intent: StoredIntent, paid: StoredCharge): StoredIntent {
  remember(core, intent.id, {});
  const stored = changeIntent(core, intent, {
    status: 'succeeded',
    amount_received: intent.amount,
    next_action: null,
    processing: null,
    last_payment_error: null,
    latest_charge: paid.id,
  });
  core.webhooks.emit('charge.succeeded', paid);
  core.webhooks.emit('payment_intent.succeeded', stored);
  // The balance transaction of an asynchronous capture follows in an update of its own.
  const booked = changeCharge(core, paid, { balance_transaction: newId('txn') });
  core.webhooks.emit('charge.updated', booked, { balance_transaction: null });
  const { behaviour } = cardOf(core, intent);
  if (behaviour.dispute) openDispute(core, booked, { reason: behaviour.dispute });
  return stored;
}

/** Ends a `processing` payment. */
export function settleIntent(core: Core, id: string, outcome: 'succeeds' | 'fails'): boolean {
  const intent = core.state.get('payment_intents', id);
  const pending = core.state.get('charges', intent?.latest_charge ?? '');
  if (intent?.status !== 'processing' || !pending) return false;
  if (outcome === 'succeeds') {
    const paid = changeCharge(core, pending, {
      status: 'succeeded',
      paid: true,
      captured: true,
      amount_captured: pending.amount,
    });
    succeed(core, intent, paid);
    return true;
  }
  const message = 'Your card was declined.';
  const failed = changeCharge(core, pending, {
    status: 'failed',
    failure_code: 'card_declined',
    failure_message: message,
  });
  fail(core, intent, failed, {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'generic_decline',
    message,
    charge: failed.id,
    payment_method: cardOf(core, intent).method,
  });
  return true;
}

function settleLater(core: Core, id: string, settles: { at: number; outcome: 'succeeds' | 'fails' }): void {
  core.later(Math.max(0, settles.at - Date.now()), () => settleIntent(core, id, settles.outcome));
}

/** After a restart: settles what was processing, at its time. */
export function resumeIntents(core: Core): void {
  for (const [id, memory] of core.state.entries('memories')) {
    if (memory.settles) settleLater(core, id, memory.settles);
  }
}

/** POST /v1/payment_intents/:id/cancel */
export function cancelIntent(core: Core, id: string, params: Params): StoredIntent {
  const intent = findIntent(core, id);
  const reason =
    params.oneOf('cancellation_reason', ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']) ??
    null;
  params.done();
  if (!isOpen(intent)) {
    throw unexpectedState(
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing.`,
      intent,
    );
  }
  remember(core, id, {});
  const stored = changeIntent(core, intent, {
    status: 'canceled',
    canceled_at: now(),
    cancellation_reason: reason,
    next_action: null,
  });
  core.webhooks.emit('payment_intent.canceled', stored);
  return stored;
}

/** Ends an authentication the cardholder completed or failed. */
export function finishChallenge(
  core: Core,
  id: string,
  source: string,
  outcome: 'complete' | 'fail',
): StoredIntent {
  const intent = findIntent(core, id);
  const challenge = memoryOf(core, id).challenge;
  if (intent.status !== 'requires_action' || challenge?.source !== source) {
    throw unexpectedState('This authentication is no longer open: the payment went on without it.', intent);
  }
  if (outcome === 'fail') {
    return fail(core, intent, null, {
      type: 'invalid_request_error',
      code: 'payment_intent_authentication_failure',
      message:
        'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
      payment_method: cardOf(core, intent).method,
    });
  }
  try {
    return charge(core, intent, true);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 402) throw error;
    return findIntent(core, id);
  }
}
