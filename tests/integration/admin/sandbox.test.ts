import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAdmin, makeUser } from '#db/factories.ts';
import { sandboxPayments } from '#src/features/admin/operations/sandbox.server.ts';
import { POST as play } from '#src/pages/api/admin/sandbox/[intent].ts';
import type { SignIn } from '#src/features/account/session.server.ts';
import { setEnvironment } from '#src/server/start/env.ts';
import { callRoute, signIn } from '../../support/api.ts';
import {
  type Buyer,
  checkOut,
  confirm,
  enrollmentsOf,
  expectReconciled,
  makeBuyer,
  orderOf,
  type Payments,
  pay,
  startPayments,
} from '../../support/payments.ts';

let payments: Payments;
let admin: SignIn;
beforeAll(async () => {
  payments = await startPayments();
  admin = await signIn(await makeAdmin());
});
afterAll(() => payments.close());

const act = (intent: string, action: unknown, as: SignIn | null = admin) =>
  callRoute(play, { as, params: { intent }, body: { action } });

async function purchase(card = 'pm_card_visa') {
  const buyer = await makeBuyer(4_900);
  const order = await checkOut(buyer);
  await pay(payments, order.intentId, card);
  if (card === 'pm_card_visa') await confirm(buyer, order.intentId);
  await payments.sandbox.control.settled();
  return { buyer, ...order };
}
const accessOf = async (buyer: Buyer) => (await enrollmentsOf(buyer)).map(({ status }) => status);
const shown = async (intentId: string) =>
  (await sandboxPayments()).find((payment) => payment.intentId === intentId);

describe('playing the bank', () => {
  it('lets a dispute rest access, a lost one end it, and one that is won after all restore it', async () => {
    const { buyer, orderId, intentId } = await purchase();
    expect(await shown(intentId)).toMatchObject({
      amountCents: 4_900,
      state: { label: 'Paid' },
      order: { id: orderId, buyer: buyer.user.email, status: 'completed' },
      can: ['open_dispute', 'refund_outside'],
    });
    const opened = await act(intentId, 'open_dispute');
    expect(opened.status, opened.text).toBe(200);
    expect(opened.body).toEqual({ message: 'The dispute is open.' });
    expect((await orderOf(orderId)).status).toBe('disputed');
    expect(await accessOf(buyer)).toEqual(['suspended']);
    expect((await shown(intentId))!.can).toEqual(['win_dispute', 'lose_dispute']);

    expect((await act(intentId, 'lose_dispute')).status).toBe(200);
    expect(await accessOf(buyer)).toEqual(['revoked']);
    expect((await shown(intentId))!.can).toEqual(['win_dispute']);

    expect((await act(intentId, 'win_dispute')).status).toBe(200);
    expect(await accessOf(buyer)).toEqual(['active']);
    expect((await orderOf(orderId)).status).toBe('completed');
    await expectReconciled(payments);
  });

  it('refunds past the site, and lets that refund fail', async () => {
    const { buyer, orderId, intentId } = await purchase();
    expect((await act(intentId, 'refund_outside')).status).toBe(200);
    expect((await orderOf(orderId)).status).toBe('refunded');
    expect(await accessOf(buyer)).toEqual(['revoked']);
    expect((await shown(intentId))!.can).toEqual(['refund_fails']);
    expect((await act(intentId, 'refund_fails')).status).toBe(200);
    expect((await orderOf(orderId)).refundedCents).toBe(0);
    await expectReconciled(payments);
  });

  it('ends payments that are processing, either way', async () => {
    const late = await purchase('pm_card_processing');
    expect((await shown(late.intentId))!.can).toEqual(['payment_succeeds', 'payment_fails']);
    expect((await act(late.intentId, 'payment_fails')).status).toBe(200);
    expect((await orderOf(late.orderId)).status).toBe('failed');
    expect(await accessOf(late.buyer)).toEqual([]);

    const other = await purchase('pm_card_processing');
    expect((await act(other.intentId, 'payment_succeeds')).status).toBe(200);
    expect((await orderOf(other.orderId)).status).toBe('completed');
    expect(await accessOf(other.buyer)).toEqual(['active']);
  });

  it('shows none that nobody tried to pay', async () => {
    const buyer = await makeBuyer(1_500);
    const { intentId } = await checkOut(buyer);
    expect(await shown(intentId)).toBeUndefined();
  });
});

describe('what cannot happen', () => {
  it('is refused, and twice at once happens once', async () => {
    const { intentId } = await purchase();
    for (const action of ['win_dispute', 'lose_dispute', 'refund_fails', 'payment_fails']) {
      const answer = await act(intentId, action);
      expect([answer.status, answer.body.code], action).toEqual([409, 'conflict']);
    }
    const both = await Promise.all([act(intentId, 'open_dispute'), act(intentId, 'open_dispute')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await act(intentId, 'open_dispute')).status).toBe(409);
    for (const action of ['rob_the_bank', '', null, undefined]) {
      const answer = await act(intentId, action);
      expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, ['action']]);
    }
  });

  it('is not found for payments that do not exist', async () => {
    for (const intent of ['pi_nothing', 'ch_1', '../charges', 'x'.repeat(200)])
      expect((await act(intent, 'open_dispute')).status, intent).toBe(404);
  });

  it('is not there for anybody but administrators, nor with the provider’s own keys', async () => {
    const { buyer, intentId, orderId } = await purchase();
    expect((await act(intentId, 'open_dispute', null)).status).toBe(401);
    expect((await act(intentId, 'open_dispute', buyer.session)).status).toBe(403);
    expect((await act(intentId, 'open_dispute', await signIn(await makeUser()))).status).toBe(403);
    const { STRIPE_SECRET_KEY } = process.env;
    setEnvironment({ STRIPE_SECRET_KEY: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc' });
    try {
      expect((await act(intentId, 'open_dispute')).status).toBe(404);
    } finally {
      setEnvironment({ STRIPE_SECRET_KEY });
    }
    expect((await orderOf(orderId)).status).toBe('completed');
  });
});
