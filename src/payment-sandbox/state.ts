import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type Stripe from 'stripe';
import type { CardBehaviour } from './objects/test-cards.ts';

export type StoredIntent = Stripe.PaymentIntent & {
  client_secret: string;
  payment_method: string | null;
  latest_charge: string | null;
};
export type StoredCharge = Stripe.Charge & { payment_intent: string; payment_method: string };
export type StoredRefund = Stripe.Refund & { charge: string; payment_intent: string };
export type StoredDispute = Stripe.Dispute & { charge: string; payment_intent: string };

export interface IntentMemory {
  challenge?: { source: string };
  /** Milliseconds since 1970. */
  settles?: { at: number; outcome: 'succeeds' | 'fails' };
}

export interface StoredAnswer {
  fingerprint: string;
  status: number;
  body: string;
  requestId: string;
  /** Milliseconds since 1970. */
  at: number;
}

export interface Tables {
  payment_intents: StoredIntent;
  charges: StoredCharge;
  refunds: StoredRefund;
  disputes: StoredDispute;
  payment_methods: Stripe.PaymentMethod;
  events: Stripe.Event;
  answers: StoredAnswer;
  memories: IntentMemory;
  behaviours: CardBehaviour;
}

export type TableName = keyof Tables;

const TABLES: readonly TableName[] = [
  'payment_intents',
  'charges',
  'refunds',
  'disputes',
  'payment_methods',
  'events',
  'answers',
  'memories',
  'behaviours',
];

const DAY_MS = 86_400_000;
/** The provider forgets idempotency keys after 24 hours and events after 30 days. */
export const ANSWERS_KEPT_MS = DAY_MS;
const EVENTS_KEPT_MS = 30 * DAY_MS;

/** All objects in memory and, with a path, in an append-only journal of JSON lines. */
export class State {
  readonly #tables = Object.fromEntries(TABLES.map((name) => [name, new Map()])) as {
    [N in TableName]: Map<string, Tables[N]>;
  };
  readonly #path: string | undefined;

  constructor(path?: string) {
    this.#path = path;
    if (!path) return;
    mkdirSync(dirname(path), { recursive: true });
    if (existsSync(path)) this.#load(path);
    this.#compact(path);
  }

  #load(path: string): void {
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      if (line === '') continue;
      let entry: [TableName, string, unknown];
      try {
        entry = JSON.parse(line);
      } catch {
        // Only the last line can be cut, by a kill in the middle of a write; its answer was never sent.
        continue;
      }
      const [table, id, value] = entry;
      const rows = this.#tables[table] as Map<string, unknown> | undefined;
      if (value === null) rows?.delete(id);
      else rows?.set(id, value);
    }
    const now = Date.now();
    for (const [id, answer] of this.#tables.answers) {
      if (now - answer.at > ANSWERS_KEPT_MS) this.#tables.answers.delete(id);
    }
    for (const [id, event] of this.#tables.events) {
      if (now - event.created * 1000 > EVENTS_KEPT_MS) this.#tables.events.delete(id);
    }
  }

  /** The old file stays until the new one is whole. */
  #compact(path: string): void {
    const lines: string[] = [];
    for (const table of TABLES) {
      for (const [id, value] of this.#tables[table]) lines.push(`${JSON.stringify([table, id, value])}\n`);
    }
    const fresh = `${path}.new`;
    writeFileSync(fresh, lines.join(''), { mode: 0o600 });
    renameSync(fresh, path);
  }

  get<N extends TableName>(table: N, id: string): Tables[N] | undefined {
    return this.#tables[table].get(id);
  }

  put<N extends TableName>(table: N, id: string, value: Tables[N]): Tables[N] {
    this.#tables[table].set(id, value);
    this.#write([table, id, value]);
    return value;
  }

  delete(table: TableName, id: string): void {
    if (this.#tables[table].delete(id)) this.#write([table, id, null]);
  }

  /** Oldest first. */
  all<N extends TableName>(table: N): Tables[N][] {
    return [...this.#tables[table].values()];
  }

  entries<N extends TableName>(table: N): [string, Tables[N]][] {
    return [...this.#tables[table].entries()];
  }

  clear(): void {
    for (const table of TABLES) this.#tables[table].clear();
    if (this.#path) writeFileSync(this.#path, '', { mode: 0o600 });
  }

  #write(entry: [TableName, string, unknown]): void {
    if (this.#path) appendFileSync(this.#path, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  }
}
