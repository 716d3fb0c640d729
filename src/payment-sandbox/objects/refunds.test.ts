import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { errorOf, type Fixture, openFixture, paidIntent } from '../../../tests/support/payment-sandbox.ts';

let fixture: Fixture;
let stripe: Stripe;
beforeAll(async () => {
  fixture = await openFixture();
  stripe = fixture.stripe;
});
afterAll(() => fixture.close());

async function chargeOf(intent: string): Promise<Stripe.Charge> {
  const read = await stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge.refunds'] });
  return read.latest_charge as Stripe.Charge;
}

it('never refunds more than was paid when requests race', async () => {
  const paid = await paidIntent(stripe, 'pm_card_visa', 1000);
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, () => stripe.refunds.create({ payment_intent: paid.id, amount: 400 })),
  );
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(2);
  expect((await chargeOf(paid.id)).amount_refunded).toBe(800);
});

const refundOf = async (id: string) => (await stripe.refunds.list()).data.find((refund) => refund.id === id);
const disputeOf = async (id: string) =>
  (await stripe.disputes.list()).data.find((dispute) => dispute.id === id);

it('settles slow refunds and takes failed ones back', async () => {
  const slow = await paidIntent(stripe, 'pm_card_pendingRefund');
  const pending = await stripe.refunds.create({ payment_intent: slow.id });
  expect(pending.status).toBe('pending');
  expect(fixture.sandbox.control.settleRefund(pending.id, 'succeeds')).toBe(true);
  expect((await refundOf(pending.id))?.status).toBe('succeeded');
  const bad = await paidIntent(stripe, 'pm_card_refundFail');
  const refund = await stripe.refunds.create({ payment_intent: bad.id });
  expect(fixture.sandbox.control.settleRefund(refund.id, 'fails')).toBe(true);
  expect(await refundOf(refund.id)).toMatchObject({ status: 'failed' });
  expect(await chargeOf(bad.id)).toMatchObject({ amount_refunded: 0, refunded: false });
});

it('opens a dispute on the dispute card, withdraws the money and refuses a refund', async () => {
  fixture.endpoint.received = [];
  const paid = await paidIntent(stripe, 'pm_card_createDispute');
  await fixture.sandbox.control.settled();
  const disputes = await stripe.disputes.list({ payment_intent: paid.id });
  expect(disputes.data[0]).toMatchObject({ status: 'needs_response', reason: 'fraudulent', amount: 4900 });
  expect(await chargeOf(paid.id)).toMatchObject({ disputed: true });
  expect(fixture.endpoint.types()).toEqual(
    expect.arrayContaining(['charge.dispute.created', 'charge.dispute.funds_withdrawn']),
  );
  expect(await errorOf(stripe.refunds.create({ payment_intent: paid.id }))).toMatchObject({
    code: 'charge_disputed',
  });
});

it('wins and loses disputes by the control', async () => {
  const { control } = fixture.sandbox;
  const one = control.openDispute({ intent: (await paidIntent(stripe)).id });
  await control.settled();
  fixture.endpoint.received = [];
  control.closeDispute(one.id, 'won');
  await control.settled();
  expect((await disputeOf(one.id))?.status).toBe('won');
  expect(fixture.endpoint.types().sort()).toEqual([
    'charge.dispute.closed',
    'charge.dispute.funds_reinstated',
    'charge.dispute.updated',
  ]);
  expect(() => control.closeDispute(one.id, 'lost')).toThrow('already closed');

  const two = control.openDispute({ intent: (await paidIntent(stripe)).id, amount: 1000 });
  await control.settled();
  fixture.endpoint.received = [];
  control.closeDispute(two.id, 'lost');
  expect(await disputeOf(two.id)).toMatchObject({ status: 'lost', amount: 1000 });
  await control.settled();
  expect(fixture.endpoint.of('charge.dispute.funds_reinstated')).toHaveLength(0);
  expect(fixture.endpoint.of('charge.dispute.closed')).toHaveLength(1);
});
