import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type Stripe from 'stripe';
import { API_VERSION, newId, now } from './objects.ts';
import type { State } from '#src/payment-sandbox/state.ts';

export interface WebhookTarget {
  url: string;
  secret: string;
}

/** Waits are in milliseconds. */
export interface RetryPlan {
  firstMs: number;
  factor: number;
  maxMs: number;
  giveUpMs: number;
  timeoutMs: number;
}

/** As the provider: soon at first, then ever slower, for three days. */
export const RETRY_PLAN: RetryPlan = {
  firstMs: 2_000,
  factor: 2,
  maxMs: 3_600_000,
  giveUpMs: 3 * 86_400_000,
  timeoutMs: 20_000,
};

export interface DeliveryRule {
  /** All when absent. */
  types?: string[];
  /** Unlimited when absent. */
  times?: number;
  drop?: boolean;
  delayMs?: number;
  /** Deliveries of the same event, 1 when absent. */
  copies?: number;
  concurrent?: boolean;
  livemode?: boolean;
  account?: string;
}

export interface Delivery {
  event: string;
  type: string;
  attempt: number;
  /** Milliseconds since 1970. */
  at: number;
  /** HTTP status of the endpoint, null when it did not answer. */
  status: number | 'dropped' | null;
  error?: string;
}

export type ReleaseOrder = 'created' | 'reversed' | 'shuffled' | readonly string[];

const DELIVERIES_KEPT = 2_000;

/** The `Stripe-Signature` header for a payload: HMAC-SHA-256 over "time.payload". */
export function signatureHeader(payload: string, secret: string, timestamp = now()): string {
  const signature = createHmac('sha256', secret).update(`${timestamp}.${payload}`, 'utf8').digest('hex');
  return `t=${timestamp},v1=${signature}`;
}

function shuffle<T>(items: T[]): T[] {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    const [a, b] = [items[last], items[other]];
    if (a !== undefined && b !== undefined) [items[last], items[other]] = [b, a];
  }
  return items;
}

/** Records events and delivers them to the one endpoint, signed, with retries. */
export class Webhooks {
  request: Stripe.Event.Request | null = null;
  deliveries: Delivery[] = [];

  readonly #state: State;
  readonly #plan: RetryPlan;
  readonly #log: (message: string) => void;
  #target: WebhookTarget | null;
  #rules: DeliveryRule[] = [];
  #held: Stripe.Event[] | null = null;
  #reorderAt = 0;
  #closed = new AbortController();
  #underway = new Set<Promise<void>>();

  constructor(state: State, target: WebhookTarget | null, plan: RetryPlan, log: (message: string) => void) {
    this.#state = state;
    this.#target = target;
    this.#plan = plan;
    this.#log = log;
  }

  setTarget(target: WebhookTarget | null): void {
    this.#target = target;
  }

  addRule(rule: DeliveryRule): void {
    this.#rules.push({ ...rule });
  }

  clearRules(): void {
    this.#rules = [];
    this.#reorderAt = 0;
    if (this.#held) this.release();
  }

  hold(): void {
    this.#held ??= [];
  }

  reorderNext(count: number): void {
    this.hold();
    this.#reorderAt = count;
  }

  release(order: ReleaseOrder = 'created'): void {
    const events = this.#held ?? [];
    this.#held = null;
    this.#reorderAt = 0;
    if (order === 'reversed') events.reverse();
    else if (order === 'shuffled') shuffle(events);
    else if (order !== 'created') {
      const place = (event: Stripe.Event) => {
        const found = order.indexOf(event.type);
        return found === -1 ? order.length : found;
      };
      events.sort((a, b) => place(a) - place(b));
    }
    this.#track(async () => {
      for (const event of events) await this.#dispatch(event);
    });
  }

  heldTypes(): string[] {
    return (this.#held ?? []).map((event) => event.type);
  }

  emit(type: Stripe.Event.Type, object: object, previous?: object): void {
    const event = {
      id: newId('evt'),
      object: 'event',
      api_version: API_VERSION,
      created: now(),
      data: {
        object: structuredClone(object),
        ...(previous ? { previous_attributes: structuredClone(previous) } : {}),
      },
      livemode: false,
      pending_webhooks: this.#target ? 1 : 0,
      request: this.request ?? { id: null, idempotency_key: null },
      type,
    } satisfies Stripe.EventBase;
    this.deliver(event as Stripe.Event);
  }

  deliver(event: Stripe.Event): void {
    this.#state.put('events', event.id, event);
    if (this.#held) {
      this.#held.push(event);
      if (this.#reorderAt > 0 && this.#held.length >= this.#reorderAt) this.release('reversed');
      return;
    }
    this.#track(() => this.#dispatch(event));
  }

  resume(): void {
    for (const event of this.#state.all('events')) {
      if (event.pending_webhooks > 0) this.#track(() => this.#dispatch(event));
    }
  }

  async settled(): Promise<void> {
    while (this.#underway.size > 0) await Promise.allSettled([...this.#underway]);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.settled();
  }

  async reset(): Promise<void> {
    this.#rules = [];
    this.#held = null;
    this.#reorderAt = 0;
    await this.close();
    this.#closed = new AbortController();
    this.deliveries = [];
  }

  #track(work: () => Promise<void>): void {
    // Started a turn later, so that the answer to the API call is not held up by its events.
    const promise = new Promise<void>((resolve) => setImmediate(resolve))
      .then(work)
      .catch((error: unknown) => {
        if (!this.#closed.signal.aborted) this.#log(`webhook: ${String(error)}`);
      })
      .finally(() => this.#underway.delete(promise));
    this.#underway.add(promise);
  }

  #takeRule(type: string): DeliveryRule | undefined {
    const index = this.#rules.findIndex((rule) => !rule.types || rule.types.includes(type));
    const rule = this.#rules[index];
    if (rule?.times !== undefined) {
      rule.times -= 1;
      if (rule.times <= 0) this.#rules.splice(index, 1);
    }
    return rule;
  }

  async #dispatch(event: Stripe.Event): Promise<void> {
    const rule = this.#takeRule(event.type);
    if (rule?.drop) {
      this.#record(event, 0, 'dropped');
      this.#finished(event);
      return;
    }
    const sent = {
      ...event,
      ...(rule?.livemode === undefined ? {} : { livemode: rule.livemode }),
      ...(rule?.account === undefined ? {} : { account: rule.account }),
    } as Stripe.Event;
    if (rule?.delayMs) await sleep(rule.delayMs, undefined, { signal: this.#closed.signal, ref: false });
    const copies = Array.from({ length: rule?.copies ?? 1 });
    if (rule?.concurrent) await Promise.all(copies.map(() => this.#deliverWithRetries(sent)));
    else for (const _ of copies) await this.#deliverWithRetries(sent);
  }

  async #deliverWithRetries(event: Stripe.Event): Promise<void> {
    const started = Date.now();
    let wait = this.#plan.firstMs;
    for (let attempt = 1; ; attempt += 1) {
      if (!this.#target || (await this.#attempt(event, this.#target, attempt))) break;
      if (Date.now() + wait - started > this.#plan.giveUpMs) {
        this.#log(`webhook: gave up on ${event.type} ${event.id} after ${attempt} attempts`);
        break;
      }
      await sleep(wait, undefined, { signal: this.#closed.signal, ref: false });
      wait = Math.min(wait * this.#plan.factor, this.#plan.maxMs);
    }
    this.#finished(event);
  }

  #finished(event: Stripe.Event): void {
    const stored = this.#state.get('events', event.id);
    if (stored && stored.pending_webhooks > 0) {
      this.#state.put('events', event.id, { ...stored, pending_webhooks: 0 });
    }
  }

  async #attempt(event: Stripe.Event, target: WebhookTarget, attempt: number): Promise<boolean> {
    const payload = JSON.stringify(event, null, 2);
    try {
      const response = await fetch(target.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Stripe/1.0 (payment sandbox)',
          'stripe-signature': signatureHeader(payload, target.secret),
        },
        body: payload,
        // A redirect counts as a failure at the provider.
        redirect: 'manual',
        signal: AbortSignal.any([this.#closed.signal, AbortSignal.timeout(this.#plan.timeoutMs)]),
      });
      await response.body?.cancel();
      this.#record(event, attempt, response.status);
      return response.ok;
    } catch (error) {
      if (this.#closed.signal.aborted) throw error;
      this.#record(event, attempt, null, String(error));
      return false;
    }
  }

  #record(event: Stripe.Event, attempt: number, status: Delivery['status'], error?: string): void {
    this.deliveries.push({ event: event.id, type: event.type, attempt, at: Date.now(), status, error });
    if (this.deliveries.length > DELIVERIES_KEPT) this.deliveries.splice(0, DELIVERIES_KEPT / 2);
  }
}
