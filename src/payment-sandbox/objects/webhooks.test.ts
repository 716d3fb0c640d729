import type Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  errorOf,
  type Fixture,
  newIntent,
  openFixture,
  paidIntent,
  PUBLISHABLE_KEY,
  SECRET_KEY,
  WEBHOOK_SECRET,
} from '../../../tests/support/payment-sandbox.ts';
import { signatureHeader } from './webhooks.ts';

let fixture: Fixture;
let stripe: Stripe;
beforeAll(async () => {
  fixture = await openFixture();
  stripe = fixture.stripe;
});
afterAll(() => fixture.close());
beforeEach(async () => {
  fixture.endpoint.answer = () => 200;
  await fixture.sandbox.control.reset();
  fixture.endpoint.received = [];
});

async function settled(): Promise<string[]> {
  await fixture.sandbox.control.settled();
  return fixture.endpoint.types();
}

it('signs events so that the SDK accepts them, and only unchanged', async () => {
  await paidIntent(stripe);
  await settled();
  expect(fixture.endpoint.received.length).toBeGreaterThan(0);
  for (const { body, signature } of fixture.endpoint.received) {
    expect(stripe.webhooks.constructEvent(body, signature, WEBHOOK_SECRET).object).toBe('event');
    expect(() => stripe.webhooks.constructEvent(body, signature, 'whsec_other')).toThrow();
    expect(() => stripe.webhooks.constructEvent(`${body} `, signature, WEBHOOK_SECRET)).toThrow();
  }
  const old = signatureHeader('{}', WEBHOOK_SECRET, Math.floor(Date.now() / 1000) - 301);
  expect(() => stripe.webhooks.constructEvent('{}', old, WEBHOOK_SECRET)).toThrow('tolerance');
});

it('tells a payment from creation to booking, with the object as it was', async () => {
  const paid = await paidIntent(stripe);
  expect(await settled()).toEqual(
    expect.arrayContaining([
      'payment_intent.created',
      'charge.succeeded',
      'payment_intent.succeeded',
      'charge.updated',
    ]),
  );
  const created = fixture.endpoint.of('payment_intent.created')[0]?.event as Stripe.PaymentIntentCreatedEvent;
  expect(created.data.object.status).toBe('requires_confirmation');
  const succeeded = fixture.endpoint.of('payment_intent.succeeded')[0]
    ?.event as Stripe.PaymentIntentSucceededEvent;
  expect(succeeded).toMatchObject({ livemode: false, api_version: '2026-10-28.endive' });
  expect(succeeded.data.object).toMatchObject({ id: paid.id, amount_received: 4900, status: 'succeeded' });
  expect(succeeded.request?.id).toBe(paid.lastResponse.requestId);
  const read = (await stripe.events.list()).data.find(({ id }) => id === succeeded.id);
  expect(read).toMatchObject({ type: 'payment_intent.succeeded', pending_webhooks: 0 });
});

it('tells refusals, cancellations, authentication, processing and refunds', async () => {
  await errorOf(paidIntent(stripe, 'pm_card_chargeDeclined'));
  await stripe.paymentIntents.cancel((await newIntent(stripe)).id);
  await newIntent(stripe, { payment_method: 'pm_card_authenticationRequired', confirm: true });
  await newIntent(stripe, { payment_method: 'pm_card_processing', confirm: true });
  await stripe.refunds.create({ payment_intent: (await paidIntent(stripe)).id, amount: 100 });
  const types = await settled();
  for (const type of [
    'payment_intent.payment_failed',
    'charge.failed',
    'payment_intent.canceled',
    'payment_intent.requires_action',
    'payment_intent.processing',
    'refund.created',
    'charge.refunded',
  ]) {
    expect(types).toContain(type);
  }
  const refunded = fixture.endpoint.of('charge.refunded')[0]?.event as Stripe.ChargeRefundedEvent;
  expect(refunded.data.object).toMatchObject({ amount_refunded: 100, refunded: false });
  expect(refunded.data.previous_attributes).toMatchObject({ amount_refunded: 0 });
});

it('tries again, with a new signature, until the endpoint accepts', async () => {
  let refusals = 3;
  fixture.endpoint.answer = () => (refusals-- > 0 ? 500 : 200);
  await newIntent(stripe);
  await settled();
  const { received } = fixture.endpoint;
  expect(received).toHaveLength(4);
  expect(new Set(received.map(({ event }) => event.id)).size).toBe(1);
  expect(fixture.sandbox.control.deliveries().map(({ attempt, status }) => [attempt, status])).toEqual([
    [1, 500],
    [2, 500],
    [3, 500],
    [4, 200],
  ]);
});

it('tries ever slower, gives up in the end, and counts redirects as failures', async () => {
  const own = await openFixture({ retry: { firstMs: 5, giveUpMs: 1_500, timeoutMs: 5_000 } });
  own.endpoint.answer = () => 302;
  await newIntent(own.stripe);
  await own.sandbox.control.settled();
  expect(own.endpoint.received.length).toBeGreaterThanOrEqual(2);
  // 5 ms, doubled each time: nine tries fit into the time, and fewer on a busy machine.
  expect(own.endpoint.received.length).toBeLessThanOrEqual(9);
  await own.close();
});

it('delivers duplicates, one after the other or at once', async () => {
  const { control } = fixture.sandbox;
  control.faultEvents({ types: ['payment_intent.created'], copies: 10, times: 1 });
  await newIntent(stripe);
  await settled();
  expect(fixture.endpoint.received).toHaveLength(10);
  expect(new Set(fixture.endpoint.received.map(({ event }) => event.id)).size).toBe(1);

  fixture.endpoint.received = [];
  let open = 0;
  let most = 0;
  fixture.endpoint.answer = async () => {
    open += 1;
    most = Math.max(most, open);
    await new Promise((resolve) => setTimeout(resolve, 30));
    open -= 1;
    return 200;
  };
  control.faultEvents({ copies: 20, concurrent: true, times: 1 });
  await newIntent(stripe);
  await settled();
  expect(fixture.endpoint.received).toHaveLength(20);
  expect(most).toBeGreaterThan(5);
});

it('drops, delays, resends', async () => {
  const { control } = fixture.sandbox;
  control.faultEvents({ types: ['payment_intent.succeeded'], drop: true, times: 1 });
  control.faultEvents({ types: ['payment_intent.created'], delayMs: 1_000, times: 1 });
  await paidIntent(stripe);
  const types = await settled();
  expect(types).not.toContain('payment_intent.succeeded');
  // The first event of all comes after the others.
  expect(types).toContain('charge.succeeded');
  expect(types.at(-1)).toBe('payment_intent.created');
  const dropped = (await stripe.events.list()).data.find(({ type }) => type === 'payment_intent.succeeded');
  expect(dropped).toBeDefined();
  control.resendEvent(dropped?.id ?? '');
  expect(await settled()).toContain('payment_intent.succeeded');
});

it('reorders: held events arrive in the order asked for', async () => {
  const { control } = fixture.sandbox;
  control.holdEvents();
  const paid = await paidIntent(stripe);
  await stripe.refunds.create({ payment_intent: paid.id });
  expect(control.heldEvents()).toEqual([
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.succeeded',
    'charge.updated',
    'refund.created',
    'charge.refunded',
  ]);
  control.releaseEvents(['charge.refunded', 'refund.created']);
  expect((await settled()).slice(0, 3)).toEqual([
    'charge.refunded',
    'refund.created',
    'payment_intent.created',
  ]);

  fixture.endpoint.received = [];
  control.reorderEvents(4);
  await paidIntent(stripe);
  expect(await settled()).toEqual([
    'charge.updated',
    'payment_intent.succeeded',
    'charge.succeeded',
    'payment_intent.created',
  ]);
});

it('can lie about mode and account, and send events made by hand', async () => {
  const { control } = fixture.sandbox;
  control.faultEvents({ times: 1, livemode: true, account: 'acct_other' });
  await newIntent(stripe);
  await settled();
  expect(fixture.endpoint.received[0]?.event).toMatchObject({ livemode: true, account: 'acct_other' });
  const id = control.sendEvent({
    type: 'payment_intent.succeeded',
    object: { id: 'pi_unknown', object: 'payment_intent' },
    id: 'evt_by_hand',
  });
  await settled();
  const sent = fixture.endpoint.of('payment_intent.succeeded')[0];
  expect(id).toBe('evt_by_hand');
  expect(stripe.webhooks.constructEvent(sent?.body ?? '', sent?.signature ?? '', WEBHOOK_SECRET).id).toBe(id);
});

it('delivers what was pending after a restart', async () => {
  const { mkdtempSync, rmSync } = await import('node:fs');
  const { tmpdir } = await import('node:os');
  const { join } = await import('node:path');
  const folder = mkdtempSync(join(tmpdir(), 'payment-sandbox-'));
  const statePath = join(folder, 'state.jsonl');
  const first = await openFixture({ statePath, retry: { firstMs: 60_000 } });
  first.endpoint.answer = () => 500;
  await newIntent(first.stripe);
  await expect.poll(() => first.endpoint.received.length).toBe(1);
  await first.close();
  const second = await openFixture({ statePath });
  await second.sandbox.control.settled();
  expect(second.endpoint.types()).toEqual(['payment_intent.created']);
  await second.close();
  rmSync(folder, { recursive: true });
});

it('offers the control over HTTP to the secret key alone', async () => {
  const call = (name: string, body: object, key = SECRET_KEY) =>
    fetch(`${fixture.sandbox.url}/_control/${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    });
  expect((await call('faultEvents', { drop: true })).status).toBe(200);
  await newIntent(stripe);
  expect(await settled()).toEqual([]);
  expect((await call('faultEvents', { drop: true }, PUBLISHABLE_KEY)).status).toBe(401);
  expect((await call('toString', {})).status).toBe(404);
  const calls = (await (await call('calls', {})).json()) as { result: unknown[] };
  expect(calls.result).toHaveLength(1);
});
