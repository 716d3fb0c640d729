import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cardForm,
  errorOf,
  type Fixture,
  newIntent,
  openFixture,
  pageCall,
  PUBLISHABLE_KEY,
  sdk,
  SECRET_KEY,
} from '../../../tests/support/payment-sandbox.ts';
import { PROCESSING_THEN_FAILS, PROCESSING_THEN_SUCCEEDS, TEST_CARDS } from './test-cards.ts';

let fixture: Fixture;
let stripe: Stripe;
beforeAll(async () => {
  fixture = await openFixture();
  stripe = fixture.stripe;
});
afterAll(() => fixture.close());

describe('creating and reading intents', () => {
  it('lists newest first, in pages, by time', async () => {
    const own = await openFixture();
    const made: string[] = [];
    for (let i = 0; i < 5; i += 1) made.unshift((await newIntent(own.stripe)).id);
    const first = await own.stripe.paymentIntents.list({ limit: 2 });
    expect(first.data.map((intent) => intent.id)).toEqual(made.slice(0, 2));
    expect(first.has_more).toBe(true);
    const rest = await own.stripe.paymentIntents.list({ limit: 3, starting_after: made[1] });
    expect(rest.data.map((intent) => intent.id)).toEqual(made.slice(2));
    expect(rest.has_more).toBe(false);
    const back = await own.stripe.paymentIntents.list({ limit: 2, ending_before: made[3] });
    expect(back.data.map((intent) => intent.id)).toEqual(made.slice(1, 3));
    const all: string[] = [];
    for await (const intent of own.stripe.paymentIntents.list({ limit: 2 })) all.push(intent.id);
    expect(all).toEqual(made);
    const now = Math.floor(Date.now() / 1000);
    expect((await own.stripe.paymentIntents.list({ created: { gt: now + 5 } })).data).toEqual([]);
    expect(
      (await own.stripe.paymentIntents.list({ created: { gte: now - 60, lte: now } })).data,
    ).toHaveLength(5);
    expect(await errorOf(own.stripe.paymentIntents.list({ limit: 101 }))).toMatchObject({ statusCode: 400 });
    await own.close();
  });
});

describe('keys', () => {
  it('refuses no key, a wrong key and a live key with 401', async () => {
    const response = await fetch(`${fixture.sandbox.url}/v1/payment_intents`);
    expect(response.status).toBe(401);
    for (const key of ['sk_test_wrong', SECRET_KEY.replace('test', 'live')]) {
      const error = await errorOf(sdk(fixture.sandbox.port, { key }).paymentIntents.list());
      expect(error).toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
      expect(error.message).not.toContain(key.slice(-10));
    }
  });

  it('takes Basic authentication', async () => {
    const authorization = `Basic ${Buffer.from(`${SECRET_KEY}:`).toString('base64')}`;
    const response = await fetch(`${fixture.sandbox.url}/v1/payment_intents`, { headers: { authorization } });
    expect(response.status).toBe(200);
  });

  it('opens only the page routes to the publishable key', async () => {
    const error = await errorOf(sdk(fixture.sandbox.port, { key: PUBLISHABLE_KEY }).refunds.list());
    expect(error).toMatchObject({ statusCode: 401, code: 'secret_key_required' });
    const control = await pageCall(fixture.sandbox.url, 'POST', '/_control/calls');
    expect(control.status).toBe(401);
  });
});

describe('paying with the secret key', () => {
  it('confirms later with an attached method', async () => {
    const method = await stripe.paymentMethods.create({
      type: 'card',
      card: { number: '4242424242424242', exp_month: 5, exp_year: 2040, cvc: '123' },
      billing_details: { name: 'Ada Buyer', address: { postal_code: '10001', country: 'US' } },
    });
    expect(method).toMatchObject({
      type: 'card',
      card: { last4: '4242', exp_year: 2040, checks: { cvc_check: 'pass' } },
    });
    const intent = await newIntent(stripe, { payment_method: method.id });
    expect(intent.status).toBe('requires_confirmation');
    expect((await stripe.paymentIntents.confirm(intent.id)).status).toBe('succeeded');
  });

  it.each([
    [{ number: '4242424242424241', exp_month: 1, exp_year: 2040, cvc: '123' }, 'incorrect_number'],
    [{ number: '4242424242424242', exp_month: 13, exp_year: 2040, cvc: '123' }, 'invalid_expiry_month'],
    [{ number: '4242424242424242', exp_month: 1, exp_year: 2020, cvc: '123' }, 'invalid_expiry_year'],
    [{ number: '4242424242424242', exp_month: 1, exp_year: 2040, cvc: '12' }, 'invalid_cvc'],
    [{ number: '378282246310005', exp_month: 1, exp_year: 2040, cvc: '123' }, 'invalid_cvc'],
  ])('refuses the card %j with %s', async (card, code) => {
    const error = await errorOf(stripe.paymentMethods.create({ type: 'card', card }));
    expect(error).toBeInstanceOf(Stripe.errors.StripeCardError);
    expect(error).toMatchObject({ statusCode: 402, code });
  });
});

const REFUSED = TEST_CARDS.filter((card) => card.behaviour.refusal && !card.behaviour.challenge);
const PLAIN = TEST_CARDS.filter((card) => {
  const { refusal, challenge, processing } = card.behaviour;
  return !refusal && !challenge && !processing;
});

describe('test cards, as the page pays with them', () => {
  async function pay(number: string) {
    const intent = await newIntent(stripe);
    const secret = intent.client_secret ?? '';
    const path = `/v1/payment_intents/${intent.id}`;
    const answer = await pageCall(fixture.sandbox.url, 'POST', `${path}/confirm`, {
      client_secret: secret,
      ...cardForm(number),
    });
    return { id: intent.id, secret, path, answer };
  }

  async function authenticate(paid: Awaited<ReturnType<typeof pay>>, outcome: string) {
    const action = paid.answer.body.next_action as Stripe.PaymentIntent.NextAction;
    expect(action.type).toBe('use_stripe_sdk');
    const source = (action.use_stripe_sdk as unknown as Record<string, string>).three_d_secure_2_source ?? '';
    return pageCall(fixture.sandbox.url, 'POST', `${paid.path}/authenticate`, {
      client_secret: paid.secret,
      source,
      outcome,
    });
  }

  it.each(PLAIN.map((card) => card.number))('%s succeeds', async (number) => {
    const { id, answer } = await pay(number);
    expect(answer).toMatchObject({ status: 200, body: { status: 'succeeded' } });
    expect((await stripe.paymentIntents.retrieve(id)).amount_received).toBe(4900);
  });

  it.each(
    REFUSED.map((card) => [card.number, card.behaviour.refusal?.code, card.behaviour.refusal?.declineCode]),
  )('%s is refused: %s %s', async (number, code, declineCode) => {
    const { id, answer } = await pay(number);
    expect(answer.status).toBe(402);
    expect(answer.body.error).toMatchObject({ type: 'card_error', code, payment_intent: { id } });
    expect((answer.body.error as Record<string, unknown>).decline_code).toBe(declineCode);
    expect(JSON.stringify(answer.body)).not.toContain('"metadata":{"');
    const intent = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
    expect(intent).toMatchObject({
      status: 'requires_payment_method',
      payment_method: null,
      amount_received: 0,
    });
    expect(intent.last_payment_error).toMatchObject({ code, type: 'card_error' });
    expect(intent.latest_charge).toMatchObject({ status: 'failed', paid: false, failure_code: code });
    const retry = await pageCall(fixture.sandbox.url, 'POST', `/v1/payment_intents/${id}/confirm`, {
      client_secret: intent.client_secret ?? '',
      ...cardForm('4242424242424242'),
    });
    expect(retry.body).toMatchObject({ status: 'succeeded', last_payment_error: null });
  });

  it('refuses a real-looking number that is no test card', async () => {
    const { answer } = await pay('4111111111111111');
    expect(answer.body.error).toMatchObject({ code: 'card_declined', decline_code: 'test_mode_live_card' });
  });

  it.each(['4000002500003155', '4000002760003184'])(
    '%s asks for authentication and then succeeds',
    async (number) => {
      const paid = await pay(number);
      expect(paid.answer.body.status).toBe('requires_action');
      expect((await stripe.paymentIntents.retrieve(paid.id)).status).toBe('requires_action');
      const done = await authenticate(paid, 'complete');
      expect(done.body.status).toBe('succeeded');
      const again = await authenticate(paid, 'complete');
      expect(again.status).toBe(400);
    },
  );

  it('sets the intent back when the authentication fails', async () => {
    const paid = await pay('4000002760003184');
    const done = await authenticate(paid, 'fail');
    expect(done.body).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'payment_intent_authentication_failure', type: 'invalid_request_error' },
    });
  });

  it('4000008400001629 is declined after the authentication', async () => {
    const paid = await pay('4000008400001629');
    const done = await authenticate(paid, 'complete');
    expect(done.body).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined', decline_code: 'generic_decline' },
    });
  });

  it('an abandoned authentication stays open and can be paid anew', async () => {
    const paid = await pay('4000002760003184');
    const retry = await pageCall(fixture.sandbox.url, 'POST', `${paid.path}/confirm`, {
      client_secret: paid.secret,
      ...cardForm('4242424242424242'),
    });
    expect(retry.body.status).toBe('succeeded');
    expect((await authenticate(paid, 'complete')).status).toBe(400);
  });

  it('stays processing until it is settled', async () => {
    const good = await pay(PROCESSING_THEN_SUCCEEDS);
    expect(good.answer.body.status).toBe('processing');
    expect(await errorOf(stripe.paymentIntents.cancel(good.id))).toMatchObject({ statusCode: 400 });
    expect(fixture.sandbox.control.settle(good.id, 'succeeds')).toBe(true);
    expect(fixture.sandbox.control.settle(good.id, 'succeeds')).toBe(false);
    expect(await stripe.paymentIntents.retrieve(good.id)).toMatchObject({
      status: 'succeeded',
      amount_received: 4900,
    });
    const bad = await pay(PROCESSING_THEN_FAILS);
    expect(bad.answer.body.status).toBe('processing');
    fixture.sandbox.control.settle(bad.id, 'fails');
    expect(await stripe.paymentIntents.retrieve(bad.id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined' },
    });
  });

  it('settles by itself in time', async () => {
    const own = await openFixture({ settleMs: 30 });
    const paid = await newIntent(own.stripe, { payment_method: 'pm_card_processing', confirm: true });
    expect(paid.status).toBe('processing');
    await expect
      .poll(async () => (await own.stripe.paymentIntents.retrieve(paid.id)).status)
      .toBe('succeeded');
    await own.close();
  });

  it('shows a page nothing without the client secret, and no metadata with it', async () => {
    const intent = await newIntent(stripe, { metadata: { secret_note: 'x' } });
    const path = `/v1/payment_intents/${intent.id}`;
    expect((await pageCall(fixture.sandbox.url, 'GET', path)).status).toBe(400);
    const wrong = await pageCall(fixture.sandbox.url, 'GET', path, {
      client_secret: `${intent.id}_secret_wrong`,
    });
    expect(wrong.status).toBe(400);
    const right = await pageCall(fixture.sandbox.url, 'GET', path, {
      client_secret: intent.client_secret ?? '',
    });
    expect(right.body).toMatchObject({ id: intent.id, amount: 4900 });
    expect(right.body).not.toHaveProperty('metadata');
    expect(right.body).not.toHaveProperty('amount_received');
  });
});
