import type { IntentMemory, State, StoredCharge, StoredIntent } from './state.ts';
import type { Webhooks } from './objects/webhooks.ts';

export interface Core {
  state: State;
  webhooks: Webhooks;
  /** Null: until the control settles them. */
  settleMs: number | null;
  later(ms: number, work: () => void): void;
}

/** Stores the intent with these changes. */
export function changeIntent(core: Core, intent: StoredIntent, changes: Partial<StoredIntent>): StoredIntent {
  return core.state.put('payment_intents', intent.id, { ...intent, ...changes });
}

/** Stores the charge with these changes. */
export function changeCharge(core: Core, charge: StoredCharge, changes: Partial<StoredCharge>): StoredCharge {
  return core.state.put('charges', charge.id, { ...charge, ...changes });
}

export function memoryOf(core: Core, intentId: string): IntentMemory {
  return core.state.get('memories', intentId) ?? {};
}

export function remember(core: Core, intentId: string, memory: IntentMemory): void {
  core.state.put('memories', intentId, memory);
}
