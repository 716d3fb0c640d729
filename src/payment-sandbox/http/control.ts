import type { IncomingMessage, ServerResponse } from 'node:http';
import type Stripe from 'stripe';
import { type Core, changeCharge, changeIntent } from '#src/payment-sandbox/core.ts';
import { closeDispute, openDispute } from '#src/payment-sandbox/objects/disputes.ts';
import { missing } from './errors.ts';
import type { ApiFault, ApiFaults, ReceivedCall } from '#src/payment-sandbox/faults.ts';
import { findIntent, settleIntent } from '#src/payment-sandbox/objects/intents.ts';
import { API_VERSION, newId, now } from '#src/payment-sandbox/objects/objects.ts';
import { settleRefund } from '#src/payment-sandbox/objects/refunds.ts';
import type { StoredDispute, StoredIntent } from '#src/payment-sandbox/state.ts';
import type {
  Delivery,
  DeliveryRule,
  ReleaseOrder,
  WebhookTarget,
} from '#src/payment-sandbox/objects/webhooks.ts';
import { keyOf, readBody } from './request.ts';

interface ForcedIntent {
  currency?: string;
  amount?: number;
  amountReceived?: number;
  livemode?: boolean;
  metadata?: Stripe.Metadata;
  status?: Stripe.PaymentIntent.Status;
}

interface CustomEvent {
  type: Stripe.Event.Type;
  object: object;
  previous?: object;
  id?: string;
  livemode?: boolean;
  account?: string;
  created?: number;
}

export interface SandboxControl {
  failApi(fault: ApiFault): void;
  clearApiFaults(): void;
  faultEvents(rule: DeliveryRule): void;
  clearEventFaults(): void;
  holdEvents(): void;
  releaseEvents(order?: ReleaseOrder): void;
  heldEvents(): string[];
  reorderEvents(count: number): void;
  resendEvent(id: string): void;
  sendEvent(event: CustomEvent): string;
  deliveries(): Delivery[];
  settled(): Promise<void>;
  setWebhook(target: WebhookTarget | null): void;
  calls(): ReceivedCall[];
  clearCalls(): void;
  settle(intent: string, outcome: 'succeeds' | 'fails'): boolean;
  settleRefund(refund: string, outcome: 'succeeds' | 'fails'): boolean;
  openDispute(input: { intent?: string; charge?: string; amount?: number; reason?: string }): StoredDispute;
  closeDispute(dispute: string, outcome: 'won' | 'lost'): StoredDispute;
  forceIntent(intent: string, changes: ForcedIntent): StoredIntent;
  reset(): Promise<void>;
}

/** Builds the control of a running sandbox. */
export function createControl(core: Core, faults: ApiFaults, cancelTimers: () => void): SandboxControl {
  const { state, webhooks } = core;
  return {
    failApi: (fault) => faults.add(fault),
    clearApiFaults: () => faults.clear(),
    faultEvents: (rule) => webhooks.addRule(rule),
    clearEventFaults: () => webhooks.clearRules(),
    holdEvents: () => webhooks.hold(),
    releaseEvents: (order) => webhooks.release(order),
    heldEvents: () => webhooks.heldTypes(),
    reorderEvents: (count) => webhooks.reorderNext(count),
    resendEvent: (id) => {
      const event = state.get('events', id);
      if (!event) throw missing('event', id);
      webhooks.deliver(event);
    },
    sendEvent: (input) => {
      const event = {
        id: input.id ?? newId('evt'),
        object: 'event',
        api_version: API_VERSION,
        created: input.created ?? now(),
        data: { object: input.object, ...(input.previous ? { previous_attributes: input.previous } : {}) },
        livemode: input.livemode ?? false,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type: input.type,
        ...(input.account ? { account: input.account } : {}),
      } satisfies Stripe.EventBase;
      webhooks.deliver(event as Stripe.Event);
      return event.id;
    },
    deliveries: () => webhooks.deliveries,
    settled: () => webhooks.settled(),
    setWebhook: (target) => webhooks.setTarget(target),
    calls: () => faults.calls,
    clearCalls: () => {
      faults.calls = [];
    },
    settle: (intent, outcome) => settleIntent(core, intent, outcome),
    settleRefund: (refund, outcome) => settleRefund(core, refund, outcome),
    openDispute: (input) => {
      const id = input.charge ?? (input.intent ? findIntent(core, input.intent).latest_charge : null) ?? '';
      const charge = state.get('charges', id);
      if (!charge) throw missing('charge', id);
      return openDispute(core, charge, input);
    },
    closeDispute: (dispute, outcome) => closeDispute(core, dispute, outcome),
    forceIntent: (id, changes) => {
      const intent = findIntent(core, id);
      const charge = state.get('charges', intent.latest_charge ?? '');
      if (charge && changes.currency) changeCharge(core, charge, { currency: changes.currency });
      return changeIntent(core, intent, {
        currency: changes.currency ?? intent.currency,
        amount: changes.amount ?? intent.amount,
        amount_received: changes.amountReceived ?? intent.amount_received,
        livemode: changes.livemode ?? intent.livemode,
        metadata: changes.metadata ?? intent.metadata,
        status: changes.status ?? intent.status,
      });
    },
    reset: async () => {
      cancelTimers();
      faults.clear();
      faults.calls = [];
      await webhooks.reset();
      state.clear();
    },
  };
}

type Arguments = { [K in keyof SandboxControl]: (body: never) => Parameters<SandboxControl[K]> };

const FROM_BODY = {
  failApi: (body: ApiFault) => [body],
  clearApiFaults: () => [],
  faultEvents: (body: DeliveryRule) => [body],
  clearEventFaults: () => [],
  holdEvents: () => [],
  releaseEvents: (body: { order?: ReleaseOrder }) => [body.order],
  heldEvents: () => [],
  reorderEvents: (body: { count: number }) => [body.count],
  resendEvent: (body: { id: string }) => [body.id],
  sendEvent: (body: CustomEvent) => [body],
  deliveries: () => [],
  settled: () => [],
  setWebhook: (body: { target: WebhookTarget | null }) => [body.target],
  calls: () => [],
  clearCalls: () => [],
  settle: (body: { intent: string; outcome: 'succeeds' | 'fails' }) => [body.intent, body.outcome],
  settleRefund: (body: { refund: string; outcome: 'succeeds' | 'fails' }) => [body.refund, body.outcome],
  openDispute: (body: { intent?: string; charge?: string; amount?: number; reason?: string }) => [body],
  closeDispute: (body: { dispute: string; outcome: 'won' | 'lost' }) => [body.dispute, body.outcome],
  forceIntent: (body: { intent: string } & ForcedIntent) => [body.intent, body],
  reset: () => [],
} satisfies Arguments;

async function runControl(
  control: SandboxControl,
  name: string,
  body: unknown,
): Promise<{ result: unknown } | undefined> {
  if (!Object.hasOwn(FROM_BODY, name)) return undefined;
  const method = name as keyof SandboxControl;
  const call = control[method] as (...args: unknown[]) => unknown;
  const args = (FROM_BODY[method] as (body: unknown) => unknown[])(body ?? {});
  return { result: (await call(...args)) ?? null };
}

/** Answers a call that sets up the sandbox itself. */
export async function serveControl(
  control: SandboxControl,
  secretKey: string,
  req: IncomingMessage,
  res: ServerResponse,
  address: URL,
): Promise<void> {
  const reply = (status: number, body: unknown) => {
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  if (keyOf(req) !== secretKey) {
    reply(401, { error: { message: 'The control needs the secret key.' } });
    return;
  }
  if (req.method !== 'POST') {
    reply(405, { error: { message: 'Control calls are POST.' } });
    return;
  }
  let body: unknown;
  try {
    body = JSON.parse((await readBody(req)) || '{}');
  } catch {
    reply(400, { error: { message: 'The body is not JSON.' } });
    return;
  }
  const done = await runControl(control, address.pathname.slice('/_control/'.length), body);
  if (done) reply(200, done);
  else reply(404, { error: { message: 'No such control.' } });
}
