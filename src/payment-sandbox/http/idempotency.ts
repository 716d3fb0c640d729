import { createHash } from 'node:crypto';
import { ApiError } from './errors.ts';
import type { FormGroup } from './form.ts';
import { ANSWERS_KEPT_MS, type State, type StoredAnswer } from '#src/payment-sandbox/state.ts';

const MAX_KEY = 255;

function canonical(group: FormGroup): unknown {
  return Object.keys(group)
    .sort()
    .map((key) => {
      const value = group[key];
      return [key, typeof value === 'object' ? canonical(value) : value];
    });
}

/** Idempotency keys by the provider's rules: per API key, kept 24 hours. */
export class Idempotency {
  readonly #state: State;
  readonly #running = new Set<string>();

  constructor(state: State) {
    this.#state = state;
  }

  begin(
    apiKey: string,
    key: string,
    request: { method: string; path: string; params: FormGroup },
  ):
    | { replay: StoredAnswer }
    | { replay: null; store(answer: Omit<StoredAnswer, 'fingerprint' | 'at'>): void; release(): void } {
    if (key.length > MAX_KEY) {
      throw new ApiError(
        400,
        {
          type: 'invalid_request_error',
          message: `Idempotency keys may be at most ${MAX_KEY} characters long.`,
        },
        false,
      );
    }
    const id = createHash('sha256').update(`${apiKey}\n${key}`).digest('base64url');
    const fingerprint = createHash('sha256')
      .update(JSON.stringify([request.method, request.path, canonical(request.params)]))
      .digest('base64url');
    if (this.#running.has(id)) {
      throw new ApiError(
        409,
        {
          type: 'invalid_request_error',
          code: 'idempotency_key_in_use',
          message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
        },
        false,
      );
    }
    const stored = this.#state.get('answers', id);
    if (stored && Date.now() - stored.at <= ANSWERS_KEPT_MS) {
      if (stored.fingerprint === fingerprint) return { replay: stored };
      throw new ApiError(
        400,
        {
          type: 'idempotency_error',
          message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        },
        false,
      );
    }
    this.#running.add(id);
    return {
      replay: null,
      store: (answer) => {
        this.#running.delete(id);
        this.#state.put('answers', id, { ...answer, fingerprint, at: Date.now() });
      },
      release: () => {
        this.#running.delete(id);
      },
    };
  }
}
