import type { PaymentIntent, StripeError } from '@stripe/stripe-js';

export type Answer<T> = { ok: true; value: T } | { ok: false; error: StripeError };

const CONNECTION_ERROR: StripeError = {
  type: 'api_connection_error',
  message:
    'We are experiencing issues connecting to our payments provider. Please check your internet connection and try again.',
};

type FormInput = { [key: string]: string | number | boolean | undefined | FormInput };

function append(form: URLSearchParams, prefix: string, input: FormInput): void {
  for (const [key, value] of Object.entries(input)) {
    const name = prefix ? `${prefix}[${key}]` : key;
    if (value === undefined || value === '') continue;
    if (typeof value === 'object') append(form, name, value);
    else form.append(name, String(value));
  }
}

/** `pi_x_secret_y` → `pi_x`, or null when it is no client secret. */
export function intentIdOf(clientSecret: string): string | null {
  return /^(pi_[A-Za-z0-9]+)_secret_[A-Za-z0-9]+$/.exec(clientSecret)?.[1] ?? null;
}

/** The calls a page makes, all to the site it came from. */
export class ApiClient {
  readonly #base: string;
  readonly #key: string;

  constructor(base: string, key: string) {
    this.#base = base;
    this.#key = key;
  }

  async #call<T>(method: 'GET' | 'POST', path: string, input: FormInput): Promise<Answer<T>> {
    const form = new URLSearchParams();
    append(form, '', input);
    const query = method === 'GET' ? `?${form}` : '';
    try {
      const response = await fetch(`${this.#base}v1/${path}${query}`, {
        method,
        credentials: 'omit',
        headers: {
          authorization: `Bearer ${this.#key}`,
          ...(method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        },
        body: method === 'POST' ? form.toString() : null,
      });
      const body: unknown = await response.json();
      if (response.ok) return { ok: true, value: body as T };
      const error = (body as { error?: StripeError }).error;
      return { ok: false, error: error ?? CONNECTION_ERROR };
    } catch {
      return { ok: false, error: CONNECTION_ERROR };
    }
  }

  retrieve(id: string, clientSecret: string): Promise<Answer<PaymentIntent>> {
    return this.#call('GET', `payment_intents/${id}`, { client_secret: clientSecret });
  }

  confirm(id: string, clientSecret: string, input: FormInput): Promise<Answer<PaymentIntent>> {
    return this.#call('POST', `payment_intents/${id}/confirm`, { client_secret: clientSecret, ...input });
  }

  authenticate(
    id: string,
    clientSecret: string,
    source: string,
    outcome: 'complete' | 'fail',
  ): Promise<Answer<PaymentIntent>> {
    return this.#call('POST', `payment_intents/${id}/authenticate`, {
      client_secret: clientSecret,
      source,
      outcome,
    });
  }
}

export type { FormInput };
