import type { FormGroup } from './http/form.ts';

/** A fault of the API, for tests. Rules are used in the order they were set, each `times` times. */
export interface ApiFault {
  method?: 'GET' | 'POST' | 'DELETE';
  /** Path it applies to, where `*` stands for one segment. All paths when absent. */
  path?: string;
  /** Calls of the site's server (secret key) or of the page (publishable key); both when absent. */
  from?: 'site' | 'page';
  /** Calls it applies to before it ends, 1 when absent. */
  times?: number;
  /** Before the operation, or after it took place (the answer is lost); 'before' when absent. */
  stage?: 'before' | 'after';
  /** Hang for so long first. */
  delayMs?: number;
  /** An HTTP status to answer, 'reset' to cut the connection, 'continue' (the default) to go on as usual. */
  outcome?: number | 'reset' | 'continue';
  /** Keep a failed answer for the idempotency key, as the provider does with a 500 of an operation that had begun. */
  stored?: boolean;
}

/** One call the API received. Card numbers and security codes are masked. */
export interface ReceivedCall {
  method: string;
  path: string;
  params: FormGroup;
  from: 'site' | 'page' | 'unknown';
  idempotencyKey: string | null;
  apiVersion: string | null;
  requestId: string;
  /** ms since 1970 */
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

  /** The first rule for this call; counts it as used. */
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
