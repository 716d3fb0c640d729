import { inArray } from 'drizzle-orm';
import type Stripe from 'stripe';
import { db } from '#db/client.ts';
import { orders } from '#db/schema/store.ts';
import { askProvider, disputeState } from '#src/features/store/stripe/provider.server.ts';
import { env } from '#src/server/start/env.ts';
import { AppError } from '#src/shared/errors.ts';
import { ACTION_TEXTS, type SandboxAction, type SandboxPayment } from './sandbox.ts';

const SHOWN = 30;
/** Milliseconds that the sandbox may take, and that its events may need to arrive before the page is shown anew. */
const ANSWER_MS = 3_000;

type Payment = {
  intent: Stripe.PaymentIntent;
  charge: Stripe.Charge | null;
  dispute: Stripe.Dispute | undefined;
  refund: Stripe.Refund | undefined;
};

const ofIntent = (intentId: string) => (one: Stripe.Dispute | Stripe.Refund) =>
  one.payment_intent === intentId;

function actionsFor({ intent, charge, dispute, refund }: Payment): SandboxAction[] {
  if (intent.status === 'processing') return ['payment_succeeds', 'payment_fails'];
  if (!charge?.paid) return [];
  const state = dispute && disputeState(dispute);
  if (state === 'open') return ['win_dispute', 'lose_dispute'];
  const isLeft = charge.amount_refunded < charge.amount;
  return [
    ...(state === 'lost' ? (['win_dispute'] as const) : []),
    ...(isLeft && !charge.disputed ? (['open_dispute', 'refund_outside'] as const) : []),
    ...(refund && ['pending', 'succeeded'].includes(refund.status ?? '') ? (['refund_fails'] as const) : []),
  ];
}

function stateOf({ intent, charge, dispute }: Payment): SandboxPayment['state'] {
  const state = dispute && disputeState(dispute);
  if (state === 'open') return { label: 'Disputed', tone: 'warning' };
  if (state === 'lost') return { label: 'Dispute lost', tone: 'danger' };
  if (intent.status === 'processing') return { label: 'Processing', tone: 'info' };
  if (!charge?.paid) return { label: charge ? 'Declined' : 'Not paid', tone: 'neutral' };
  if (charge.refunded) return { label: 'Refunded', tone: 'neutral' };
  if (charge.amount_refunded > 0) return { label: 'Partly refunded', tone: 'neutral' };
  return { label: state === 'won' ? 'Dispute won' : 'Paid', tone: 'success' };
}

/** The latest payments of the sandbox that somebody tried to make, newest first. */
export async function sandboxPayments(): Promise<SandboxPayment[]> {
  const [intents, disputes, refunds] = await Promise.all([
    askProvider('list intents', (stripe) =>
      stripe.paymentIntents.list({ limit: 100, expand: ['data.latest_charge'] }),
    ),
    askProvider('list disputes', (stripe) => stripe.disputes.list({ limit: 100 })),
    askProvider('list refunds', (stripe) => stripe.refunds.list({ limit: 100 })),
  ]);
  const tried = intents.data
    .filter(({ status, latest_charge: charge }) => charge || status === 'processing')
    .slice(0, SHOWN);
  const rows = await db()
    .select({
      id: orders.id,
      intentId: orders.stripePaymentIntentId,
      email: orders.buyerEmail,
      status: orders.status,
    })
    .from(orders)
    .where(
      inArray(
        orders.stripePaymentIntentId,
        tried.map(({ id }) => id),
      ),
    );
  return tried.map((intent) => {
    const payment: Payment = {
      intent,
      charge: intent.latest_charge as Stripe.Charge | null,
      dispute: disputes.data.find(ofIntent(intent.id)),
      refund: refunds.data.find(ofIntent(intent.id)),
    };
    const order = rows.find(({ intentId }) => intentId === intent.id);
    return {
      intentId: intent.id,
      amountCents: intent.amount,
      at: new Date(intent.created * 1000).toISOString(),
      state: stateOf(payment),
      order: order ? { id: order.id, buyer: order.email, status: order.status } : null,
      can: actionsFor(payment),
    };
  });
}

/** Calls the sandbox's control; gives what it says, null where it was not in time. */
async function control(name: string, body: object): Promise<unknown> {
  const { sandbox, secretKey } = env().stripe!;
  const answer = await fetch(`http://${sandbox!.host}:${sandbox!.port}/_control/${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}` },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const { result, error } = (await answer.json()) as { result?: unknown; error?: { message: string } };
  if (!answer.ok) throw new AppError('conflict', error?.message ?? 'The payment sandbox refused.');
  return result;
}

/**
 * Lets something happen to a payment at the provider's side, as cards and banks would, and waits a moment for the site to
 * hear of it.
 *
 * @throws {AppError} not_found without the sandbox or such a payment, conflict where it cannot happen to it as it is
 */
export async function playSandbox(intentId: string, action: SandboxAction): Promise<{ message: string }> {
  // With the provider's own keys none of this exists.
  if (!env().stripe?.sandbox) throw new AppError('not_found', 'There is nothing at this address.');
  const [intent, disputes, refunds] = await Promise.all([
    askProvider('retrieve intent', (stripe) =>
      stripe.paymentIntents.retrieve(intentId, { expand: ['latest_charge'] }),
    ).catch(() => null),
    askProvider('list disputes', (stripe) => stripe.disputes.list({ payment_intent: intentId })).catch(
      () => null,
    ),
    askProvider('list refunds', (stripe) => stripe.refunds.list({ payment_intent: intentId })).catch(
      () => null,
    ),
  ]);
  if (!intent) throw new AppError('not_found', 'There is no such payment.');
  const dispute = disputes?.data[0];
  const refund = refunds?.data[0];
  const charge = intent.latest_charge as Stripe.Charge | null;
  if (!actionsFor({ intent, charge, dispute, refund }).includes(action)) {
    throw new AppError(
      'conflict',
      `“${ACTION_TEXTS[action].label}” cannot happen to this payment as it is now.`,
    );
  }
  const happen: Record<SandboxAction, () => Promise<unknown>> = {
    payment_succeeds: () => control('settle', { intent: intentId, outcome: 'succeeds' }),
    payment_fails: () => control('settle', { intent: intentId, outcome: 'fails' }),
    open_dispute: () => control('openDispute', { intent: intentId }),
    win_dispute: () => control('closeDispute', { dispute: dispute!.id, outcome: 'won' }),
    lose_dispute: () => control('closeDispute', { dispute: dispute!.id, outcome: 'lost' }),
    refund_outside: () =>
      askProvider('create refund', (stripe) => stripe.refunds.create({ payment_intent: intentId })),
    refund_fails: () => control('settleRefund', { refund: refund!.id, outcome: 'fails' }),
  };
  await happen[action]();
  // Events that are late arrive after the page, which says where to look.
  await control('settled', {}).catch(() => {});
  return { message: ACTION_TEXTS[action].done };
}
