import { setTimeout as sleep } from 'node:timers/promises';
import Stripe from 'stripe';
import { env, type StripeSettings } from '#src/server/start/env.ts';
import { log } from '#src/server/log.ts';
import { AppError } from '#src/shared/errors.ts';
import type { PaymentSettings } from '#src/features/store/checkout/payment-script.ts';

/** Per try, and for all tries of a call (fault P37). */
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

/** Decision 27. */
export function provider(): Stripe {
  const { secretKey, sandbox } = settings();
  const key = `${secretKey}@${sandbox ? `${sandbox.host}:${sandbox.port}` : ''}`;
  if (client?.key !== key) {
    client = {
      key,
      stripe: new Stripe(secretKey, {
        ...(sandbox ? { host: sandbox.host, port: sandbox.port, protocol: 'http' } : {}),
        timeout: TRY_TIMEOUT_MS,
        // The SDK repeats no 429 and has no total budget.
        maxNetworkRetries: 0,
        telemetry: false,
      }),
    };
  }
  return client.stripe;
}

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

/** Events of the other mode are ignored (fault P13). */
export function isLive(): boolean {
  return settings().live;
}

export function webhookSecret(): string {
  return settings().webhookSecret;
}

function isWorthAnotherTry(error: unknown): boolean {
  if (error instanceof Stripe.errors.StripeConnectionError) return true;
  if (!(error instanceof Stripe.errors.StripeError)) return false;
  const status = error.statusCode ?? 0;
  // 409: a request with the same idempotency key is in flight.
  return status === 409 || status === 429 || status >= 500;
}

export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.statusCode === 404;
}

export function isStoredFailure(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeError &&
    (error.statusCode ?? 0) >= 500 &&
    error.headers?.['idempotent-replayed'] === 'true'
  );
}

/**
 * Three tries within ten seconds (fault P37). Writes need an idempotency key (fault P36).
 * @param what names the call in the log
 * @throws {AppError} provider_unavailable; StripeError below 500 as it is
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
    // The loser of the race must not become an unhandled rejection.
    answer.catch(() => {});
  }
}

/** Newest first, a hundred rows per call. @param what names the calls in the log */
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

/** Inquiries (`warning_…`) move no money: null. */
export function disputeState(dispute: Pick<Stripe.Dispute, 'status'>): 'open' | 'won' | 'lost' | null {
  if (dispute.status.startsWith('warning_')) return null;
  if (dispute.status === 'lost') return 'lost';
  return dispute.status === 'won' || dispute.status === 'prevented' ? 'won' : 'open';
}
