import { type Core, changeCharge } from '#src/payment-sandbox/core.ts';
import { invalidParameter, missing, refused } from '#src/payment-sandbox/http/errors.ts';
import { printAmount } from '#src/payment-sandbox/money.ts';
import { buildRefund } from './objects.ts';
import type { Params } from '#src/payment-sandbox/http/params.ts';
import type { StoredCharge, StoredRefund } from '#src/payment-sandbox/state.ts';

function chargeToRefund(core: Core, intentId: string): StoredCharge {
  const intent = core.state.get('payment_intents', intentId);
  if (!intent) throw missing('payment_intent', intentId, 'payment_intent');
  const charge = core.state.get('charges', intent.latest_charge ?? '');
  if (charge?.status !== 'succeeded') {
    throw refused(
      undefined,
      `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`,
    );
  }
  return charge;
}

/** POST /v1/refunds: the rest of the charge, or a part of it, never more than was paid. */
export function createRefund(core: Core, params: Params): StoredRefund {
  const intentId = params.requiredText('payment_intent');
  const wanted = params.integer('amount');
  const reason = params.oneOf('reason', ['duplicate', 'fraudulent', 'requested_by_customer']) ?? null;
  const metadata = params.metadata({});
  params.done();
  if (wanted !== undefined && wanted < 1) {
    throw invalidParameter(
      'amount',
      'parameter_invalid_integer',
      'This value must be greater than or equal to 1.',
    );
  }
  const charge = chargeToRefund(core, intentId);
  if (charge.disputed) {
    throw refused('charge_disputed', `Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      charge: charge.id,
    });
  }
  const rest = charge.amount - charge.amount_refunded;
  if (rest === 0) {
    throw refused('charge_already_refunded', `Charge ${charge.id} has already been refunded.`, {
      charge: charge.id,
    });
  }
  const amount = wanted ?? rest;
  if (amount > rest) {
    const base = charge.amount_refunded > 0 ? 'unrefunded amount on charge' : 'charge amount';
    throw refused(
      undefined,
      `Refund amount (${printAmount(amount, charge.currency)}) is greater than ${base} (${printAmount(rest, charge.currency)})`,
      { param: 'amount' },
    );
  }
  const later = core.state.get('behaviours', charge.payment_method)?.refund;
  const refund = buildRefund(
    charge,
    amount,
    reason,
    metadata,
    later === 'succeeds_later' ? 'pending' : 'succeeded',
  );
  core.state.put('refunds', refund.id, refund);
  core.webhooks.emit('refund.created', refund);
  const before = { amount_refunded: charge.amount_refunded, refunded: charge.refunded };
  const total = charge.amount_refunded + amount;
  const changed = changeCharge(core, charge, { amount_refunded: total, refunded: total === charge.amount });
  core.webhooks.emit('charge.refunded', changed, before);
  if (later) {
    const outcome = later === 'succeeds_later' ? 'succeeds' : 'fails';
    if (core.settleMs !== null) core.later(core.settleMs, () => settleRefund(core, refund.id, outcome));
  }
  return refund;
}

/** Ends a refund later: the bank took it or sent it back. */
export function settleRefund(core: Core, id: string, outcome: 'succeeds' | 'fails'): boolean {
  const refund = core.state.get('refunds', id);
  if (!refund || refund.status === 'failed') return false;
  if (outcome === 'succeeds') {
    if (refund.status !== 'pending') return false;
    const { pending_reason: _, ...done } = refund;
    const stored = core.state.put('refunds', id, { ...done, status: 'succeeded' });
    core.webhooks.emit('refund.updated', stored, { status: 'pending' });
    core.webhooks.emit('charge.refund.updated', stored, { status: 'pending' });
    return true;
  }
  const stored = core.state.put('refunds', id, {
    ...refund,
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
  });
  const charge = core.state.get('charges', refund.charge);
  if (charge) {
    // The money is back with the seller: the charge counts as not refunded by this amount.
    const total = charge.amount_refunded - refund.amount;
    const changed = changeCharge(core, charge, { amount_refunded: total, refunded: false });
    core.webhooks.emit('charge.updated', changed, { amount_refunded: charge.amount_refunded });
  }
  core.webhooks.emit('refund.failed', stored, { status: refund.status });
  core.webhooks.emit('refund.updated', stored, { status: refund.status });
  core.webhooks.emit('charge.refund.updated', stored, { status: refund.status });
  return true;
}

/** After a restart: settles refunds that were pending. */
export function resumeRefunds(core: Core): void {
  const ms = core.settleMs;
  if (ms === null) return;
  for (const refund of core.state.all('refunds')) {
    if (refund.status === 'pending') core.later(ms, () => settleRefund(core, refund.id, 'succeeds'));
  }
}
