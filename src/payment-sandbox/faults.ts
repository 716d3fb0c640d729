import type { FormGroup } from './http/form.ts';

export interface ApiFault {
  method?: 'GET' | 'POST' | 'DELETE';
  /** `*` stands for one segment; all paths when absent. */
  path?: string;
  /** Both when absent. */
  from?: 'site' | 'page';
  /** Calls it applies to before it ends, 1 when absent. */
  times?: number;
  /** `after`: the operation took place and its answer is lost. */
  stage?: 'before' | 'after';
  delayMs?: number;
  /** A status, 'reset' to cut the connection, or 'continue' (the default). */
  outcome?: number | 'reset' | 'continue';
  /** The provider stores a 500 of an operation that had begun. */
  stored?: boolean;
}

export interface ReceivedCall {
  method: string;
  path: string;
  params: FormGroup;
  from: 'site' | 'page' | 'unknown';
  idempotencyKey: string | null;
  apiVersion: string | null;
  requestId: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Null while it is under way or when the connection was cut. */
  status: number | null;
  replayed: boolean;
}

const CALLS_KEPT = 2_000;

function matchesPath(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.split('/');
  return wanted.length === given.length && wanted.every((part, i) => part === '*' || part === given[i]);
}

/** A copy of the parameters without card secrets. */
export function maskCards(group: FormGroup): FormGroup {
  const copy: FormGroup = {};
  for (const [key, value] of Object.entries(group)) {
    if (typeof value !== 'string') copy[key] = maskCards(value);
    else if (key === 'number') copy[key] = `…${value.slice(-4)}`;
    else copy[key] = key === 'cvc' ? '…' : value;
  }
  return copy;
}

/** The faults set on the API, and the calls it received. */
export class ApiFaults {
  calls: ReceivedCall[] = [];
  #rules: ApiFault[] = [];

  add(fault: ApiFault): void {
    this.#rules.push({ ...fault });
  }

  clear(): void {
    this.#rules = [];
  }

  take(method: string, path: string, from: ReceivedCall['from']): ApiFault | undefined {
    const index = this.#rules.findIndex(
      (rule) =>
        (!rule.method || rule.method === method) &&
        (!rule.path || matchesPath(rule.path, path)) &&
        (!rule.from || rule.from === from),
    );
    const rule = this.#rules[index];
    if (!rule) return undefined;
    const left = (rule.times ?? 1) - 1;
    if (left <= 0) this.#rules.splice(index, 1);
    else this.#rules[index] = { ...rule, times: left };
    return rule;
  }

  record(call: ReceivedCall): ReceivedCall {
    this.calls.push(call);
    if (this.calls.length > CALLS_KEPT) this.calls.splice(0, CALLS_KEPT / 2);
    return call;
  }
}
