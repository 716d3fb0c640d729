import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { errorOf, type Fixture, openFixture, sdk } from '../../../tests/support/payment-sandbox.ts';

let fixture: Fixture;
let stripe: Stripe;
beforeAll(async () => {
  fixture = await openFixture();
  stripe = fixture.stripe;
});
afterAll(() => fixture.close());
afterEach(() => {
  vi.useRealTimers();
  fixture.sandbox.control.clearApiFaults();
});

let keys = 0;
function freshKey(): string {
  keys += 1;
  return `key-${keys}`;
}
const PARAMS = { amount: 1000, currency: 'usd' } as const;

async function countIntents(): Promise<number> {
  return (await stripe.paymentIntents.list({ limit: 100 })).data.length;
}

it('replays the answer for the same key and parameters', async () => {
  const idempotencyKey = freshKey();
  const before = await countIntents();
  const first = await stripe.paymentIntents.create(
    { ...PARAMS, metadata: { a: '1', b: '2' } },
    { idempotencyKey },
  );
  const second = await stripe.paymentIntents.create(
    { ...PARAMS, metadata: { b: '2', a: '1' } },
    { idempotencyKey },
  );
  expect(second.id).toBe(first.id);
  expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined();
  expect(second.lastResponse.headers['idempotent-replayed']).toBe('true');
  expect(second.lastResponse.headers['original-request']).toBe(first.lastResponse.requestId);
  expect(second.lastResponse.idempotencyKey).toBe(idempotencyKey);
  expect(await countIntents()).toBe(before + 1);
});

it('answers 409 while the first request under the key runs, and the SDK then gets its answer', async () => {
  fixture.sandbox.control.failApi({ method: 'POST', delayMs: 200 });
  const idempotencyKey = freshKey();
  const first = stripe.paymentIntents.create(PARAMS, { idempotencyKey });
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(await errorOf(stripe.paymentIntents.create(PARAMS, { idempotencyKey }))).toMatchObject({
    statusCode: 409,
    code: 'idempotency_key_in_use',
  });
  const patient = sdk(fixture.sandbox.port, { maxNetworkRetries: 3 });
  const [a, b] = await Promise.all([first, patient.paymentIntents.create(PARAMS, { idempotencyKey })]);
  expect(a.id).toBe(b.id);
});

it('forgets keys after 24 hours', async () => {
  const idempotencyKey = freshKey();
  const first = await stripe.paymentIntents.create(PARAMS, { idempotencyKey });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 23.9 * 3_600_000 });
  expect((await stripe.paymentIntents.create(PARAMS, { idempotencyKey })).id).toBe(first.id);
  vi.setSystemTime(Date.now() + 0.2 * 3_600_000);
  expect((await stripe.paymentIntents.create(PARAMS, { idempotencyKey })).id).not.toBe(first.id);
});

it('finds the same intent after the answer was lost', async () => {
  fixture.sandbox.control.failApi({ method: 'POST', stage: 'after', delayMs: 400 });
  const idempotencyKey = freshKey();
  const before = await countIntents();
  const hasty = sdk(fixture.sandbox.port, { timeout: 120 });
  const lost = await errorOf(hasty.paymentIntents.create(PARAMS, { idempotencyKey }));
  expect(lost).toBeInstanceOf(Stripe.errors.StripeConnectionError);
  const retried = await stripe.paymentIntents.create(PARAMS, { idempotencyKey });
  expect(retried.lastResponse.headers['idempotent-replayed']).toBe('true');
  expect(await countIntents()).toBe(before + 1);
});
