import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  cardForm,
  errorOf,
  type Fixture,
  newIntent,
  openFixture,
  pageCall,
  paidIntent,
  sdk,
} from '../../tests/support/payment-sandbox.ts';

let fixture: Fixture;
let stripe: Stripe;
let folder: string;
beforeAll(async () => {
  fixture = await openFixture();
  stripe = fixture.stripe;
  folder = mkdtempSync(join(tmpdir(), 'payment-sandbox-'));
});
afterAll(async () => {
  await fixture.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => fixture.sandbox.control.reset());

it.each([
  [429, Stripe.errors.StripeRateLimitError],
  [500, Stripe.errors.StripeAPIError],
  [502, Stripe.errors.StripeAPIError],
])('answers %i for the next calls only', async (outcome, type) => {
  fixture.sandbox.control.failApi({ outcome, times: 2 });
  for (let i = 0; i < 2; i += 1) {
    const error = await errorOf(newIntent(stripe));
    expect(error).toBeInstanceOf(type);
    expect(error.statusCode).toBe(outcome);
  }
  expect((await newIntent(stripe)).status).toBe('requires_payment_method');
  expect((await stripe.paymentIntents.list()).data).toHaveLength(1);
});

it('lets the SDK retry over 500, 502 and a cut connection to one intent', async () => {
  const { control } = fixture.sandbox;
  const patient = sdk(fixture.sandbox.port, { maxNetworkRetries: 3 });
  control.failApi({ outcome: 500 });
  control.failApi({ outcome: 'reset', stage: 'after' });
  control.failApi({ outcome: 502 });
  const intent = await newIntent(patient);
  const all = await stripe.paymentIntents.list();
  expect(all.data.map((one) => one.id)).toEqual([intent.id]);
  expect(
    control
      .calls()
      .filter((call) => call.method === 'POST')
      .map((call) => [call.status, call.replayed]),
  ).toEqual([
    [500, false],
    [null, false],
    [502, false],
    [200, true],
  ]);
});

it('keeps a stored 500 for its key', async () => {
  fixture.sandbox.control.failApi({ outcome: 500, stored: true });
  const idempotencyKey = 'kept-500';
  const params = { amount: 500, currency: 'usd' };
  expect((await errorOf(stripe.paymentIntents.create(params, { idempotencyKey }))).statusCode).toBe(500);
  expect((await errorOf(stripe.paymentIntents.create(params, { idempotencyKey }))).statusCode).toBe(500);
});

it('hangs longer than the client waits, before or after the effect', async () => {
  const hasty = sdk(fixture.sandbox.port, { timeout: 80 });
  for (const stage of ['before', 'after'] as const) {
    await fixture.sandbox.control.reset();
    fixture.sandbox.control.failApi({ delayMs: 60_000, stage });
    expect(await errorOf(newIntent(hasty))).toBeInstanceOf(Stripe.errors.StripeConnectionError);
    expect((await stripe.paymentIntents.list()).data).toHaveLength(stage === 'after' ? 1 : 0);
  }
});

it('fails only the calls it was told to', async () => {
  const { control } = fixture.sandbox;
  control.failApi({ method: 'POST', path: '/v1/payment_intents/*/confirm', from: 'page', outcome: 500 });
  const intent = await newIntent(stripe, { payment_method: 'pm_card_visa' });
  const form = { client_secret: intent.client_secret ?? '', ...cardForm('4242424242424242') };
  const path = `/v1/payment_intents/${intent.id}/confirm`;
  expect((await pageCall(fixture.sandbox.url, 'POST', path, form)).status).toBe(500);
  expect((await pageCall(fixture.sandbox.url, 'POST', path, form)).body.status).toBe('succeeded');
});

it('lists the calls without card numbers', async () => {
  const intent = await newIntent(stripe);
  await pageCall(fixture.sandbox.url, 'POST', `/v1/payment_intents/${intent.id}/confirm`, {
    client_secret: intent.client_secret ?? '',
    ...cardForm('4242424242424242'),
  });
  const calls = fixture.sandbox.control.calls();
  expect(calls.map(({ method, from, status }) => [method, from, status])).toEqual([
    ['POST', 'site', 200],
    ['POST', 'page', 200],
  ]);
  expect(calls[0]?.idempotencyKey).toBeTruthy();
  expect(JSON.stringify(calls)).not.toContain('4242424242424242');
  expect(JSON.stringify(calls)).toContain('…4242');
});

it('forces currency and amounts for mismatch tests', async () => {
  const paid = await paidIntent(stripe);
  fixture.sandbox.control.forceIntent(paid.id, { currency: 'jpy', amountReceived: 4000 });
  expect(await stripe.paymentIntents.retrieve(paid.id)).toMatchObject({
    currency: 'jpy',
    amount_received: 4000,
  });
});

it('survives a restart, and a kill in the middle of a line', async () => {
  const statePath = join(folder, 'deep', 'journal.jsonl');
  const first = await openFixture({ statePath });
  const idempotencyKey = 'over-restart';
  const open = await first.stripe.paymentIntents.create({ amount: 900, currency: 'usd' }, { idempotencyKey });
  const paid = await paidIntent(first.stripe);
  const processing = await newIntent(first.stripe, { payment_method: 'pm_card_processing', confirm: true });
  const waiting = await newIntent(first.stripe, {
    payment_method: 'pm_card_authenticationRequired',
    confirm: true,
  });
  await first.close();
  expect(readFileSync(statePath, 'utf8')).not.toContain('4242424242424242');
  writeFileSync(statePath, `${readFileSync(statePath, 'utf8')}["payment_intents","pi_cut",{"id":"pi_c`);

  const second = await openFixture({ statePath });
  const read = (id: string) => second.stripe.paymentIntents.retrieve(id);
  expect(await read(open.id)).toMatchObject({
    status: 'requires_payment_method',
    client_secret: open.client_secret,
  });
  expect(await read(paid.id)).toMatchObject({ status: 'succeeded', amount_received: 4900 });
  const replay = await second.stripe.paymentIntents.create(
    { amount: 900, currency: 'usd' },
    { idempotencyKey },
  );
  expect(replay.id).toBe(open.id);
  expect(second.sandbox.control.settle(processing.id, 'succeeds')).toBe(true);
  const action = (await read(waiting.id)).next_action;
  const source = (action?.use_stripe_sdk as unknown as Record<string, string> | undefined)
    ?.three_d_secure_2_source;
  const done = await pageCall(second.sandbox.url, 'POST', `/v1/payment_intents/${waiting.id}/authenticate`, {
    client_secret: waiting.client_secret ?? '',
    source: source ?? '',
    outcome: 'complete',
  });
  expect(done.body.status).toBe('succeeded');
  expect((await second.stripe.refunds.create({ payment_intent: paid.id })).amount).toBe(4900);
  const ids = (await second.stripe.paymentIntents.list()).data.map((intent) => intent.id);
  expect(ids).toEqual([waiting.id, processing.id, paid.id, open.id]);
  await second.sandbox.control.reset();
  await second.close();
  expect(existsSync(statePath)).toBe(true);
  expect(readFileSync(statePath, 'utf8')).toBe('');
});

it('settles a processing payment at its time even after a restart', async () => {
  const statePath = join(folder, 'processing.jsonl');
  const first = await openFixture({ statePath, settleMs: 300 });
  const intent = await newIntent(first.stripe, { payment_method: 'pm_card_processing', confirm: true });
  await first.close();
  const second = await openFixture({ statePath, settleMs: 300 });
  await expect
    .poll(async () => (await second.stripe.paymentIntents.retrieve(intent.id)).status)
    .toBe('succeeded');
  await second.close();
});

it('says when its port is taken', async () => {
  await expect(openFixture({ port: fixture.sandbox.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

it('refuses bodies that are too large or not understood', async () => {
  const post = (body: string) =>
    fetch(`${fixture.sandbox.url}/v1/payment_intents`, {
      method: 'POST',
      headers: { authorization: `Bearer sk_test_sandboxfixture0000000000` },
      body,
    });
  expect((await post(`description=${'x'.repeat(1_000_001)}`)).status).toBe(413);
  for (const body of [
    'a[b=1',
    '[]=1',
    'a=1&a[b]=2',
    '__proto__[x]=1',
    `${'a[b]'.repeat(1)}${'[c]'.repeat(20)}=1`,
  ]) {
    expect((await post(body)).status).toBe(400);
  }
  expect(({} as Record<string, unknown>).x).toBeUndefined();
});
