import { setTimeout as sleep } from 'node:timers/promises';
import Stripe from 'stripe';
import { env, type StripeSettings } from '#src/server/start/env.ts';
import { log } from '#src/server/log.ts';
import { AppError } from '#src/shared/errors.ts';
import type { PaymentSettings } from '#src/features/store/checkout/payment-script.ts';

/** Milliseconds that one answer of the provider may take, and all tries of one call together (fault P37). */
const TRY_TIMEOUT_MS = 3_000;
const CALL_BUDGET_MS = 9_500;
const TRIES = 3;
const FIRST_PAUSE_MS = 250;

let client: { key: string; stripe: Stripe } | undefined;

function settings(): StripeSettings {
  const { stripe } = env();
  if (!stripe) throw new AppError('unavailable', 'Payments are not set up on this site yet.');
  return stripe;
}

/** The provider's SDK, pointed at the sandbox where no keys are set (decision 27). */
export function provider(): Stripe {
  const { secretKey, sandbox } = settings();
  const key = `${secretKey}@${sandbox ? `${sandbox.host}:${sandbox.port}` : ''}`;
  if (client?.key !== key) {
    client = {
      key,
      stripe: new Stripe(secretKey, {
        ...(sandbox ? { host: sandbox.host, port: sandbox.port, protocol: 'http' } : {}),
        timeout: TRY_TIMEOUT_MS,
        // Repeats are ours to make: the SDK does not repeat a 429, and knows no budget over all tries.
        maxNetworkRetries: 0,
        telemetry: false,
      }),
    };
  }
  return client.stripe;
}

/** The settings of the payment form; null where payments are not set up. */
export function paymentSettings(): PaymentSettings | null {
  const { stripe } = env();
  return (
    stripe && {
      publishableKey: stripe.publishableKey,
      testMode: !stripe.live,
      scriptUrl: stripe.sandbox ? '/payment-sandbox/page.js' : null,
    }
  );
}

/** Whether real cards are charged: events of the other mode are not ours (fault P13). */
export function isLive(): boolean {
  return settings().live;
}

/** The secret with which the provider signs its events. */
export function webhookSecret(): string {
  return settings().webhookSecret;
}

function isWorthAnotherTry(error: unknown): boolean {
  if (error instanceof Stripe.errors.StripeConnectionError) return true;
  if (!(error instanceof Stripe.errors.StripeError)) return false;
  const status = error.statusCode ?? 0;
  // 409: another request with the same idempotency key is being worked on.
  return status === 409 || status === 429 || status >= 500;
}

/** Whether the provider knows nothing by this id. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.statusCode === 404;
}

/** Whether the provider's answer is a stored one that it will give to every repeat under the same key. */
export function isStoredFailure(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeError &&
    (error.statusCode ?? 0) >= 500 &&
    error.headers?.['idempotent-replayed'] === 'true'
  );
}

/**
 * Makes a call to the provider: three tries with growing pauses within ten seconds in all (fault P37). Every write must
 * carry an idempotency key, so that a repeat after a lost answer does nothing twice (fault P36).
 *
 * @param what names the call in the log
 * @param call one try
 * @throws {AppError} provider_unavailable when the provider cannot be reached or is out of order; its own refusals
 *   (StripeError with a status below 500) as they are
 */
export async function askProvider<T>(what: string, call: (stripe: Stripe) => Promise<T>): Promise<T> {
  const stripe = provider();
  const endsAt = Date.now() + CALL_BUDGET_MS;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await beforeDeadline(call(stripe), endsAt - Date.now());
    } catch (error) {
      if (!isWorthAnotherTry(error)) throw error;
      const pause = FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
      if (attempt >= TRIES || Date.now() + pause >= endsAt) {
        log.warn({ err: error, what, attempt }, 'the payment provider did not answer as it should');
        throw new AppError(
          'provider_unavailable',
          'The payment provider cannot be reached. Please try again.',
          {
            cause: error,
          },
        );
      }
      await sleep(pause);
    }
  }
}

async function beforeDeadline<T>(answer: Promise<T>, milliseconds: number): Promise<T> {
  const deadline = new AbortController();
  try {
    return await Promise.race([
      answer,
      sleep(Math.max(0, milliseconds), undefined, { signal: deadline.signal }).then(() => {
        throw new Stripe.errors.StripeConnectionError({ message: 'The time for this call is over.' });
      }),
    ]);
  } finally {
    deadline.abort();
    // Whichever lost the race must not surface as an unhandled rejection.
    answer.catch(() => {});
  }
}

/**
 * Reads a list of the provider to its end, newest first, a hundred rows per call.
 *
 * @param what names the calls in the log
 * @param list asks for the page that the given parameters name
 */
export async function* readProviderList<T extends { id: string }>(
  what: string,
  list: (stripe: Stripe, page: { limit: number; starting_after?: string }) => Promise<Stripe.ApiList<T>>,
): AsyncGenerator<T, void> {
  let after: string | undefined;
  for (;;) {
    const page = await askProvider(what, (stripe) =>
      list(stripe, { limit: 100, ...(after ? { starting_after: after } : {}) }),
    );
    yield* page.data;
    after = page.data.at(-1)?.id;
    if (!page.has_more || !after) return;
  }
}

/** What a dispute is worth here. Inquiries (`warning_…`) move no money and take no access: null. */
export function disputeState(dispute: Pick<Stripe.Dispute, 'status'>): 'open' | 'won' | 'lost' | null {
  if (dispute.status.startsWith('warning_')) return null;
  if (dispute.status === 'lost') return 'lost';
  return dispute.status === 'won' || dispute.status === 'prevented' ? 'won' : 'open';
}
