/** A sandbox on a free port, the provider's SDK talking to it, and an endpoint that collects its events. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import {
  type PaymentSandbox,
  type PaymentSandboxOptions,
  startPaymentSandbox,
} from '#src/payment-sandbox/server.ts';

export const SECRET_KEY = 'sk_test_sandboxfixture0000000000';
export const PUBLISHABLE_KEY = 'pk_test_sandboxfixture0000000000';
export const WEBHOOK_SECRET = 'whsec_sandboxfixture';

export interface ReceivedEvent {
  body: string;
  signature: string;
  event: Stripe.Event;
  /** ms since 1970 */
  at: number;
}

/** A webhook endpoint; `answer` decides the status of each delivery. */
export class Endpoint {
  received: ReceivedEvent[] = [];
  answer: (received: ReceivedEvent) => number | Promise<number> = () => 200;
  readonly #server: Server;

  constructor(server: Server) {
    this.#server = server;
  }

  static async open(): Promise<Endpoint> {
    const server = createServer((req, res) => {
      const parts: Buffer[] = [];
      req.on('data', (part: Buffer) => parts.push(part));
      req.on('end', async () => {
        const body = Buffer.concat(parts).toString('utf8');
        const signature = String(req.headers['stripe-signature'] ?? '');
        const received = { body, signature, event: JSON.parse(body) as Stripe.Event, at: Date.now() };
        endpoint.received.push(received);
        res.writeHead(await endpoint.answer(received)).end();
      });
    });
    const endpoint = new Endpoint(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return endpoint;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  types(): string[] {
    return this.received.map(({ event }) => event.type);
  }

  of(type: string): ReceivedEvent[] {
    return this.received.filter(({ event }) => event.type === type);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

export interface Fixture {
  sandbox: PaymentSandbox;
  stripe: Stripe;
  endpoint: Endpoint;
  close(): Promise<void>;
}

/** The SDK with the site's key; `more` changes its timeouts and retries. */
export function sdk(
  port: number,
  more: { timeout?: number; maxNetworkRetries?: number; key?: string } = {},
): Stripe {
  const { key = SECRET_KEY, ...config } = more;
  return new Stripe(key, {
    host: '127.0.0.1',
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
    ...config,
  });
}

export async function openFixture(options: Partial<PaymentSandboxOptions> = {}): Promise<Fixture> {
  const endpoint = await Endpoint.open();
  const sandbox = await startPaymentSandbox({
    port: 0,
    secretKey: SECRET_KEY,
    publishableKey: PUBLISHABLE_KEY,
    webhook: { url: endpoint.url, secret: WEBHOOK_SECRET },
    settleMs: null,
    retry: { firstMs: 20, giveUpMs: 2_000, timeoutMs: 1_000 },
    ...options,
  });
  return {
    sandbox,
    endpoint,
    stripe: sdk(sandbox.port),
    close: async () => {
      await sandbox.close();
      await endpoint.close();
    },
  };
}

/** An intent that a server may confirm without a return address. */
export function newIntent(stripe: Stripe, more: Partial<Stripe.PaymentIntentCreateParams> = {}) {
  return stripe.paymentIntents.create({
    amount: 4900,
    currency: 'usd',
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    ...more,
  });
}

/** A paid intent. */
export function paidIntent(stripe: Stripe, paymentMethod = 'pm_card_visa', amount = 4900) {
  return newIntent(stripe, { amount, payment_method: paymentMethod, confirm: true });
}

/** What a rejected SDK call threw. */
export async function errorOf(promise: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error;
    throw error;
  }
  throw new Error('The call was expected to fail.');
}

/** A call of the page: publishable key, form body. */
export async function pageCall(
  base: string,
  method: 'GET' | 'POST',
  path: string,
  form: Record<string, string> = {},
  key = PUBLISHABLE_KEY,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const encoded = new URLSearchParams(form).toString();
  const response = await fetch(`${base}${path}${method === 'GET' && encoded ? `?${encoded}` : ''}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: method === 'POST' ? encoded : null,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** `payment_method_data` of a card, as the page sends it. */
export function cardForm(number: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': number,
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': String(new Date().getFullYear() + 2),
    'payment_method_data[card][cvc]': /^3[47]/.test(number) ? '1234' : '123',
    ...more,
  };
}
