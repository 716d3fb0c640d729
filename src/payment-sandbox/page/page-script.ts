/**
 * The sandbox's stand-in for the card provider's browser script: defines `window.Stripe` in the shape that
 * `@stripe/stripe-js` and `@stripe/react-stripe-js` load.
 */
import type { Appearance, PaymentIntent, StripeError } from '@stripe/stripe-js';
import { type Answer, ApiClient, type FormInput, intentIdOf } from './api-client.ts';
import { runChallenge } from './challenge.ts';
import { PaymentElement, type PaymentElementOptions } from './payment-element.ts';

const VERSION = 'endive';

const AUTHENTICATION_FAILED =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.';

interface ElementsOptions {
  clientSecret?: string;
  appearance?: Appearance;
}

interface ConfirmParams {
  return_url?: string;
  payment_method?: string;
  payment_method_data?: { billing_details?: FormInput };
  receipt_email?: string;
}

interface ConfirmOptions {
  elements?: Elements;
  clientSecret?: string;
  confirmParams?: ConfirmParams;
  redirect?: 'always' | 'if_required';
}

type PaymentResult =
  | { paymentIntent: PaymentIntent; error?: undefined }
  | { error: StripeError; paymentIntent?: undefined };

class IntegrationError extends Error {
  override name = 'IntegrationError';
}

function siteBase(): string {
  const script = document.currentScript;
  if (script instanceof HTMLScriptElement && script.src) {
    const base = new URL('.', script.src);
    if (base.origin === location.origin) return base.pathname;
  }
  return '/payment-sandbox/';
}

const BASE = siteBase();

function requireSecret(clientSecret: string | undefined): { id: string; clientSecret: string } {
  const id = clientSecret === undefined ? null : intentIdOf(clientSecret);
  if (!clientSecret || !id) {
    throw new IntegrationError(
      'Missing or invalid value for clientSecret: it should be a client secret of the form pi_…_secret_….',
    );
  }
  return { id, clientSecret };
}

function merge(into: FormInput, from: FormInput): FormInput {
  const merged = { ...into };
  for (const [key, value] of Object.entries(from)) {
    const old = merged[key];
    merged[key] = typeof value === 'object' && typeof old === 'object' ? merge(old, value) : (value ?? old);
  }
  return merged;
}

class Elements {
  readonly clientSecret: string | undefined;
  appearance: Appearance | undefined;
  readonly #api: ApiClient;
  #payment: PaymentElement | null = null;

  constructor(api: ApiClient, options: ElementsOptions) {
    this.#api = api;
    this.clientSecret = options.clientSecret;
    this.appearance = options.appearance;
  }

  get payment(): PaymentElement | null {
    return this.#payment;
  }

  create(type: string, options: PaymentElementOptions = {}): PaymentElement {
    if (type !== 'payment') {
      throw new IntegrationError(`The payment sandbox has no "${type}" element; it offers "payment".`);
    }
    if (this.#payment) throw new IntegrationError('Can only create one Element of type payment.');
    this.#payment = new PaymentElement(
      options,
      this.appearance,
      () => this.#load(),
      () => {
        this.#payment = null;
      },
    );
    return this.#payment;
  }

  async #load(): Promise<StripeError | null> {
    // Without a client secret the payment is made later and named at confirmation.
    if (this.clientSecret === undefined) return null;
    const id = intentIdOf(this.clientSecret);
    if (!id)
      return { type: 'invalid_request_error', message: 'The client secret of this payment is not valid.' };
    const { clientSecret } = this;
    const answer = await this.#api.retrieve(id, clientSecret);
    if (!answer.ok) return answer.error;
    if (answer.value.status === 'canceled') {
      return {
        type: 'invalid_request_error',
        message: 'This payment was canceled and can no longer be made.',
      };
    }
    return null;
  }

  getElement(type: unknown): PaymentElement | null {
    const name = typeof type === 'function' ? (type as { __elementType?: string }).__elementType : type;
    return name === 'payment' ? this.#payment : null;
  }

  update(options: ElementsOptions): void {
    if (options.appearance) {
      this.appearance = options.appearance;
      this.#payment?.setAppearance(options.appearance);
    }
  }

  async submit(): Promise<{ error?: StripeError; selectedPaymentMethod?: string }> {
    if (!this.#payment) throw new IntegrationError('elements.submit() needs a mounted payment element.');
    const error = this.#payment.validate();
    return error ? { error } : { selectedPaymentMethod: 'card' };
  }
}

function resultOf(answer: Answer<PaymentIntent>): PaymentResult {
  if (!answer.ok) return { error: answer.error };
  const intent = answer.value;
  const last = intent.last_payment_error;
  if (intent.status === 'requires_payment_method' && last) {
    const failed = last.code === 'payment_intent_authentication_failure';
    return {
      error: {
        ...last,
        message: failed ? AUTHENTICATION_FAILED : last.message,
        payment_intent: intent,
      } as StripeError,
    };
  }
  return { paymentIntent: intent };
}

class StripeInstance {
  readonly #api: ApiClient;
  readonly #running = new Map<string, Promise<PaymentResult>>();
  #appearance: Appearance | undefined;

  constructor(key: string) {
    this.#api = new ApiClient(BASE, key);
  }

  elements(options: ElementsOptions = {}): Elements {
    this.#appearance = options.appearance;
    return new Elements(this.#api, options);
  }

  confirmPayment(options: ConfirmOptions): Promise<PaymentResult> {
    const { elements, confirmParams = {}, redirect } = options;
    const secret = requireSecret(options.clientSecret ?? elements?.clientSecret);
    if (redirect !== 'if_required') {
      throw new IntegrationError('The payment sandbox confirms with redirect "if_required" only.');
    }
    // Two clicks on Pay are one confirmation.
    const running = this.#running.get(secret.clientSecret);
    if (running) return running;
    const work = this.#confirm(secret, elements, confirmParams).finally(() =>
      this.#running.delete(secret.clientSecret),
    );
    this.#running.set(secret.clientSecret, work);
    return work;
  }

  async #confirm(
    secret: { id: string; clientSecret: string },
    elements: Elements | undefined,
    params: ConfirmParams,
  ): Promise<PaymentResult> {
    const method = this.#method(elements, params);
    if ('error' in method) return { error: method.error };
    const answer = await this.#api.confirm(secret.id, secret.clientSecret, {
      ...method.input,
      return_url: params.return_url,
      receipt_email: params.receipt_email,
      use_stripe_sdk: true,
    });
    const result = await this.#authenticate(answer, secret, elements?.appearance);
    if (result.error) elements?.payment?.showError(result.error);
    return result;
  }

  #method(
    elements: Elements | undefined,
    params: ConfirmParams,
  ): { input: FormInput } | { error: StripeError } {
    if (params.payment_method) return { input: { payment_method: params.payment_method } };
    if (!elements) return { input: {} };
    if (!elements.payment) throw new IntegrationError('The payment element is not mounted.');
    const error = elements.payment.validate();
    if (error) return { error };
    const given = params.payment_method_data ?? {};
    return { input: { payment_method_data: merge(elements.payment.methodData(), given) } };
  }

  async #authenticate(
    answer: Answer<PaymentIntent>,
    secret: { id: string; clientSecret: string },
    appearance: Appearance | undefined,
  ): Promise<PaymentResult> {
    const action = answer.ok ? answer.value.next_action : null;
    if (!answer.ok || answer.value.status !== 'requires_action' || !action) return resultOf(answer);
    const sdk = action.use_stripe_sdk as { three_d_secure_2_source?: string } | undefined;
    const source = sdk?.three_d_secure_2_source ?? '';
    const outcome = await runChallenge(answer.value, appearance ?? this.#appearance, (choice) =>
      this.#api.authenticate(secret.id, secret.clientSecret, source, choice),
    );
    return 'error' in outcome ? outcome : resultOf({ ok: true, value: outcome.paymentIntent });
  }
}

function absent(name: string): never {
  throw new IntegrationError(
    `The payment sandbox has no ${name}; use the payment element and confirmPayment.`,
  );
}

function Stripe(key: string): object {
  if (typeof key !== 'string' || !/^pk_test_/.test(key)) {
    throw new IntegrationError('The payment sandbox takes a publishable test key (pk_test_…).');
  }
  const instance = new StripeInstance(key);
  return {
    elements: instance.elements.bind(instance),
    confirmPayment: instance.confirmPayment.bind(instance),
    // `@stripe/react-stripe-js` takes an object for the provider's only if it has these.
    ...Object.fromEntries(
      ['createToken', 'createPaymentMethod', 'confirmCardPayment'].map((name) => [name, () => absent(name)]),
    ),
    _registerWrapper: () => {},
    registerAppInfo: () => {},
  };
}

Stripe.version = VERSION;

Object.defineProperty(window, 'Stripe', { value: Stripe, configurable: true, writable: true });
