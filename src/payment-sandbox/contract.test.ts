import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, newIntent, openFixture, paidIntent } from '../../tests/support/payment-sandbox.ts';

// What the site relies on, held against the sandbox and, with a test key of an account, against the provider itself. What
// needs the sandbox's controls, or numbers of cards that the provider does not take from servers, is in the other tests.

const key = process.env.STRIPE_TEST_SECRET_KEY;
if (key && !/^(sk|rk)_test_\w+$/.test(key)) {
  throw new Error('STRIPE_TEST_SECRET_KEY must be a test key: these tests pay and refund.');
}
if (!key) {
  console.info(
    'Not run: the contract of the card provider against the provider itself; set STRIPE_TEST_SECRET_KEY to a test key.',
  );
}

type Provider = { name: string; open: () => Promise<{ stripe: Stripe; close: () => Promise<void> }> };

const PROVIDERS: Provider[] = [
  { name: 'the sandbox', open: () => openFixture() },
  ...(key
    ? [
        {
          name: 'the provider',
          open: async () => ({ stripe: new Stripe(key, { telemetry: false }), close: async () => {} }),
        },
      ]
    : []),
];

const PARAMS = { amount: 1000, currency: 'usd' } as const;
const freshKey = () => `contract-${randomUUID()}`;

describe.each(PROVIDERS)('$name', { timeout: 60_000 }, ({ open }) => {
  let stripe: Stripe;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ stripe, close } = await open());
  });
  afterAll(() => close());

  async function chargeOf(intent: string): Promise<Stripe.Charge> {
    const read = await stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge.refunds'] });
    return read.latest_charge as Stripe.Charge;
  }

  it('creates an intent that waits for a payment method', async () => {
    const intent = await stripe.paymentIntents.create({
      amount: 1999,
      currency: 'USD',
      metadata: { order_id: '17', '5': 'numeric key', 'späße & más': '✓' },
      receipt_email: 'buyer@example.com',
      description: 'One course',
    });
    expect(intent).toMatchObject({
      object: 'payment_intent',
      amount: 1999,
      currency: 'usd',
      status: 'requires_payment_method',
      amount_received: 0,
      livemode: false,
      receipt_email: 'buyer@example.com',
      description: 'One course',
      automatic_payment_methods: { enabled: true, allow_redirects: 'always' },
      latest_charge: null,
    });
    expect(intent.metadata).toEqual({ order_id: '17', '5': 'numeric key', 'späße & más': '✓' });
    expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_[A-Za-z0-9]{25}$`));
    expect(intent.lastResponse.requestId).toMatch(/^req_/);
    expect((await stripe.paymentIntents.retrieve(intent.id)).id).toBe(intent.id);
  });

  it.each([
    [{ amount: 49, currency: 'usd' }, 'amount_too_small', 'amount', 'Amount must be at least $0.50 usd'],
    [{ amount: 100_000_000, currency: 'usd' }, 'amount_too_large', 'amount', '$999,999.99'],
    [{ amount: 0, currency: 'usd' }, 'parameter_invalid_integer', 'amount', 'greater than or equal to 1'],
    [{ amount: -5, currency: 'usd' }, 'parameter_invalid_integer', 'amount', 'greater than or equal to 1'],
    [{ amount: 10.5, currency: 'usd' }, 'parameter_invalid_integer', 'amount', 'Invalid integer: 10.5'],
    [{ amount: '1e3', currency: 'usd' }, 'parameter_invalid_integer', 'amount', 'Invalid integer: 1e3'],
    [{ amount: 'NaN', currency: 'usd' }, 'parameter_invalid_integer', 'amount', 'Invalid integer'],
    [{ currency: 'usd' }, 'parameter_missing', 'amount', 'Missing required param: amount.'],
    [{ amount: 500 }, 'parameter_missing', 'currency', 'Missing required param: currency.'],
    [{ amount: 500, currency: 'zzz' }, 'parameter_invalid', 'currency', 'Invalid currency: zzz'],
    [{ amount: 49, currency: 'jpy' }, 'amount_too_small', 'amount', '¥50 jpy'],
    [
      { amount: 500, currency: 'usd', recipt_email: 'x' },
      'parameter_unknown',
      'recipt_email',
      'unknown parameter',
    ],
    [
      { amount: 500, currency: 'usd', receipt_email: 'nope' },
      'email_invalid',
      'receipt_email',
      'Invalid email',
    ],
    [
      { amount: 500, currency: 'usd', automatic_payment_methods: { enabled: true, extra: 1 } },
      'parameter_unknown',
      'automatic_payment_methods[extra]',
      'unknown parameter',
    ],
  ])('refuses %j with %s', async (params, code, param, message) => {
    const error = await errorOf(
      stripe.paymentIntents.create(params as unknown as Stripe.PaymentIntentCreateParams),
    );
    expect(error).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
    expect(error).toMatchObject({ statusCode: 400, code, param });
    expect(error.message).toContain(message);
  });

  it('takes zero-decimal currencies as they are', async () => {
    expect(await newIntent(stripe, { amount: 50, currency: 'jpy' })).toMatchObject({
      amount: 50,
      currency: 'jpy',
    });
  });

  it('answers 404 for an intent it does not know', async () => {
    const error = await errorOf(stripe.paymentIntents.retrieve('pi_unknown'));
    expect(error).toMatchObject({ statusCode: 404, code: 'resource_missing', param: 'intent' });
  });

  it('refuses metadata beyond its limits', async () => {
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 'v']));
    expect(await errorOf(newIntent(stripe, { metadata: many }))).toMatchObject({
      statusCode: 400,
      param: 'metadata',
    });
    expect(await errorOf(newIntent(stripe, { metadata: { k: 'v'.repeat(501) } }))).toMatchObject({
      statusCode: 400,
    });
    expect(await errorOf(newIntent(stripe, { metadata: { 'a [bracket': 'v' } }))).toMatchObject({
      statusCode: 400,
    });
  });

  it('cancels an open intent once', async () => {
    const intent = await newIntent(stripe);
    const canceled = await stripe.paymentIntents.cancel(intent.id, { cancellation_reason: 'abandoned' });
    expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' });
    expect(canceled.canceled_at).toBeTypeOf('number');
    expect(await errorOf(stripe.paymentIntents.cancel(intent.id))).toMatchObject({
      code: 'payment_intent_unexpected_state',
      statusCode: 400,
    });
    const late = await errorOf(stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' }));
    expect(late).toMatchObject({ code: 'payment_intent_unexpected_state' });
  });

  it('charges a card at once', async () => {
    const paid = await stripe.paymentIntents.create({
      amount: 4900,
      currency: 'usd',
      confirm: true,
      payment_method: 'pm_card_mastercard',
      return_url: 'https://shop.example/done',
      expand: ['latest_charge', 'payment_method'],
      metadata: { order_id: '9' },
    });
    expect(paid).toMatchObject({ status: 'succeeded', amount_received: 4900, last_payment_error: null });
    const charge = paid.latest_charge as Stripe.Charge;
    expect(charge).toMatchObject({
      object: 'charge',
      amount: 4900,
      paid: true,
      captured: true,
      refunded: false,
      amount_refunded: 0,
      status: 'succeeded',
      payment_intent: paid.id,
      metadata: { order_id: '9' },
    });
    expect(charge.payment_method_details?.card).toMatchObject({ brand: 'mastercard', last4: '4444' });
    expect((paid.payment_method as Stripe.PaymentMethod).card?.brand).toBe('mastercard');
    const again = await errorOf(stripe.paymentIntents.confirm(paid.id, { payment_method: 'pm_card_visa' }));
    expect(again).toMatchObject({ code: 'payment_intent_unexpected_state', statusCode: 400 });
  });

  it('asks for a return address where redirects are allowed', async () => {
    const intent = await stripe.paymentIntents.create({ amount: 500, currency: 'usd' });
    const error = await errorOf(stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' }));
    expect(error).toMatchObject({ statusCode: 400, param: 'return_url' });
  });

  it('needs a payment method, and knows only real ones', async () => {
    const intent = await newIntent(stripe);
    expect(await errorOf(stripe.paymentIntents.confirm(intent.id))).toMatchObject({
      code: 'payment_intent_unexpected_state',
    });
    const error = await errorOf(stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_made_up' }));
    expect(error).toMatchObject({ statusCode: 404, code: 'resource_missing', param: 'payment_method' });
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('requires_payment_method');
  });

  it('lists newest first, in pages, by time', async () => {
    const began = Math.floor(Date.now() / 1000);
    const made: string[] = [];
    for (let i = 0; i < 4; i += 1) made.unshift((await newIntent(stripe)).id);
    const idsOf = async (params: Stripe.PaymentIntentListParams) =>
      (await stripe.paymentIntents.list(params)).data.map(({ id }) => id);
    expect(await idsOf({ limit: 2, starting_after: made[0]! })).toEqual(made.slice(1, 3));
    expect(await idsOf({ limit: 2, ending_before: made[3]! })).toEqual(made.slice(1, 3));
    expect((await stripe.paymentIntents.list({ limit: 1, starting_after: made[0]! })).has_more).toBe(true);
    // Clocks differ by a little.
    expect(await idsOf({ limit: 100, created: { gte: began - 60 } })).toEqual(expect.arrayContaining(made));
    expect(await idsOf({ created: { gt: began + 3600 } })).toEqual([]);
    expect(await errorOf(stripe.paymentIntents.list({ limit: 101 }))).toMatchObject({ statusCode: 400 });
  });

  it('refunds parts up to the whole and no more', async () => {
    const paid = await paidIntent(stripe, 'pm_card_visa', 5000);
    const part = await stripe.refunds.create({
      payment_intent: paid.id,
      amount: 2000,
      reason: 'requested_by_customer',
      metadata: { line: '1' },
    });
    expect(part).toMatchObject({
      amount: 2000,
      status: 'succeeded',
      payment_intent: paid.id,
      metadata: { line: '1' },
    });
    expect(await chargeOf(paid.id)).toMatchObject({ amount_refunded: 2000, refunded: false });
    const tooMuch = await errorOf(stripe.refunds.create({ payment_intent: paid.id, amount: 3001 }));
    expect(tooMuch).toMatchObject({ statusCode: 400, param: 'amount' });
    expect(tooMuch.message).toContain('$30.01');
    const rest = await stripe.refunds.create({ payment_intent: paid.id });
    expect(rest.amount).toBe(3000);
    const charge = await chargeOf(paid.id);
    expect(charge).toMatchObject({ amount_refunded: 5000, refunded: true });
    expect(charge.refunds?.data.map((refund) => refund.id)).toEqual([rest.id, part.id]);
    expect(await errorOf(stripe.refunds.create({ payment_intent: paid.id }))).toMatchObject({
      code: 'charge_already_refunded',
    });
    expect((await stripe.refunds.list({ payment_intent: paid.id })).data).toHaveLength(2);
  });

  it('refuses refunds of nothing', async () => {
    const open = await newIntent(stripe);
    expect(await errorOf(stripe.refunds.create({ payment_intent: open.id }))).toMatchObject({
      statusCode: 400,
    });
    expect(await errorOf(stripe.refunds.create({}))).toMatchObject({ code: 'parameter_missing' });
    expect(await errorOf(stripe.refunds.create({ payment_intent: 'pi_none' }))).toMatchObject({
      statusCode: 404,
    });
    const paid = await paidIntent(stripe);
    expect(await errorOf(stripe.refunds.create({ payment_intent: paid.id, amount: 0 }))).toMatchObject({
      statusCode: 400,
    });
  });

  it('replays the first answer even after the object changed', async () => {
    const idempotencyKey = freshKey();
    const first = await stripe.paymentIntents.create(PARAMS, { idempotencyKey });
    await stripe.paymentIntents.cancel(first.id);
    expect((await stripe.paymentIntents.create(PARAMS, { idempotencyKey })).status).toBe(
      'requires_payment_method',
    );
  });

  it('refuses the same key with other parameters or another address', async () => {
    const idempotencyKey = freshKey();
    const intent = await stripe.paymentIntents.create(PARAMS, { idempotencyKey });
    const other = await errorOf(
      stripe.paymentIntents.create({ ...PARAMS, amount: 1001 }, { idempotencyKey }),
    );
    expect(other).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
    expect(other.statusCode).toBe(400);
    const elsewhere = await errorOf(stripe.paymentIntents.cancel(intent.id, {}, { idempotencyKey }));
    expect(elsewhere).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
  });

  it('keeps a declined card and does not keep a validation error', async () => {
    const idempotencyKey = freshKey();
    const declined = {
      ...PARAMS,
      confirm: true,
      payment_method: 'pm_card_chargeDeclined',
      return_url: 'https://shop.example',
    };
    const first = await errorOf(stripe.paymentIntents.create(declined, { idempotencyKey }));
    const second = await errorOf(stripe.paymentIntents.create(declined, { idempotencyKey }));
    expect([first.statusCode, second.statusCode]).toEqual([402, 402]);
    expect(second.headers?.['idempotent-replayed']).toBe('true');
    expect(second.payment_intent?.id).toBe(first.payment_intent?.id);

    const other = freshKey();
    await errorOf(stripe.paymentIntents.create({ ...PARAMS, amount: 1 }, { idempotencyKey: other }));
    expect((await stripe.paymentIntents.create(PARAMS, { idempotencyKey: other })).amount).toBe(1000);
  });

  it('refuses keys longer than 255 characters', async () => {
    const error = await errorOf(stripe.paymentIntents.create(PARAMS, { idempotencyKey: 'k'.repeat(256) }));
    expect(error.statusCode).toBe(400);
  });

  it('refunds once for a repeated refund', async () => {
    const paid = await paidIntent(stripe);
    const idempotencyKey = freshKey();
    const params = { payment_intent: paid.id, amount: 100 };
    const refunds = [
      await stripe.refunds.create(params, { idempotencyKey }),
      await stripe.refunds.create(params, { idempotencyKey }),
    ];
    expect(refunds[0]?.id).toBe(refunds[1]?.id);
    expect((await stripe.refunds.list({ payment_intent: paid.id })).data).toHaveLength(1);
  });

  it('has no effect on reads', async () => {
    const intent = await newIntent(stripe);
    const idempotencyKey = freshKey();
    await stripe.paymentIntents.retrieve(intent.id, {}, { idempotencyKey });
    expect((await stripe.paymentIntents.create(PARAMS, { idempotencyKey })).amount).toBe(1000);
  });
});
