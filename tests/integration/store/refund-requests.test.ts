import { and, eq, like } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { auditLog } from '#db/schema/account.ts';
import { orderFlags, orders } from '#db/schema/store.ts';
import { findAdminOrder, listAdminOrders } from '#src/features/admin/orders/orders.server.ts';
import { personalData } from '#src/features/admin/people/personal-data.server.ts';
import { readOrderView } from '#src/features/store/orders/order-view.server.ts';
import { POST as refundRoute } from '#src/pages/api/admin/orders/[id]/refund.ts';
import { POST as settleRoute } from '#src/pages/api/admin/orders/[id]/settle-flag.ts';
import { POST as askRoute } from '#src/pages/api/orders/[id]/refund-request.ts';
import { mailsTo } from '../../support/account.ts';
import { type CallOptions, callRoute, signIn } from '../../support/api.ts';
import { makeAdmin, makeUser } from '../../support/factories.ts';
import { buyAsGuest, makeGuest } from '../../support/guests.ts';
import { moveBack } from '../../support/move-back.ts';
import {
  bought,
  checkOut,
  itemsOfOrder,
  makeBuyer,
  orderOf,
  type Payments,
  startPayments,
} from '../../support/payments.ts';

let payments: Payments;
let admin: Awaited<ReturnType<typeof signIn>>;
beforeAll(async () => {
  payments = await startPayments();
  admin = await signIn(await makeAdmin());
});
afterAll(() => payments.close());
beforeEach(() => payments.sandbox.control.settled());

type As = CallOptions['as'];
const ask = (orderId: number | string, as: As, body: unknown = { reason: 'Not what I need.' }, key = '') =>
  callRoute(askRoute, {
    path: `/api/orders/${orderId}/refund-request${key && `?token=${key}`}`,
    params: { id: String(orderId) },
    as,
    body,
  });
const FLAG = 'the buyer asks for the money back';
const decline = (orderId: number, note: string, as: As = admin) =>
  callRoute(settleRoute, { params: { id: String(orderId) }, as, body: { flag: FLAG, note } });
const requestOf = async (orderId: number) => (await readOrderView(await orderOf(orderId))).refundRequest;

describe('asking for the money of an order back', () => {
  it('is done once, marks the order for administrators, and a refund answers it', async () => {
    const { buyer, orderId } = await bought(payments, [4900]);
    expect((await readOrderView(await orderOf(orderId))).promise).toMatchObject({ leftCents: 4900 });
    const answers = await Promise.all([1, 2, 3].map(() => ask(orderId, buyer.session)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 409)!.body.message).toMatch(/^You asked for it on/);
    expect(await requestOf(orderId)).toMatchObject({ reason: 'Not what I need.', isOpen: true });
    const list = await listAdminOrders({ search: `#${orderId}`, filter: 'look', page: 1 });
    expect(list.orders).toMatchObject([{ id: orderId, flag: FLAG }]);
    expect(JSON.stringify(await personalData(buyer.user.id))).toContain('Not what I need.');

    const [item] = await itemsOfOrder(orderId);
    const body = { itemId: item!.id, reason: 'As promised.' };
    const refunded = await callRoute(refundRoute, { params: { id: String(orderId) }, as: admin, body });
    expect(refunded.status, refunded.text).toBe(200);
    expect(await requestOf(orderId)).toMatchObject({ declinedWith: '', isOpen: false });
    expect((await findAdminOrder(orderId))?.flag).toBeNull();
    expect((await decline(orderId, 'Too late.')).body.message).toBe('This order was settled already.');
    expect((await ask(orderId, buyer.session)).status).toBe(409);
    const mails = await mailsTo(buyer.user.email);
    expect(mails.filter(({ subject }) => subject.startsWith('Your refund'))).toHaveLength(1);
  });

  it('is declined with a sentence that the buyer reads, and is not asked again', async () => {
    const { buyer, orderId } = await bought(payments, [4900]);
    expect((await ask(orderId, buyer.session, {})).status).toBe(200);
    expect((await decline(orderId, ' ')).body.fields).toEqual({ note: 'Note is required' });
    expect((await decline(orderId, 'You finished it.', buyer.session)).status).toBe(403);
    expect((await decline(2_000_000_000, 'You finished it.')).status).toBe(404);
    const both = await Promise.all([
      decline(orderId, 'You finished it.'),
      decline(orderId, 'You finished it.'),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await requestOf(orderId)).toMatchObject({ declinedWith: 'You finished it.', isOpen: false });
    const mails = (await mailsTo(buyer.user.email)).filter(({ subject }) =>
      subject.startsWith('Your request'),
    );
    expect(mails).toHaveLength(1);
    expect(mails[0]!.text).toContain('You finished it.');
    expect((await ask(orderId, buyer.session)).status).toBe(409);
    const audited = await db()
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.action, 'order.flag_settled'), like(auditLog.subjectId, String(orderId))));
    expect(audited).toMatchObject([{ reason: 'You finished it.' }]);
    expect(await orderOf(orderId)).toMatchObject({ status: 'completed', refundedCents: 0 });
  });

  it('is for those who bought alone: the owner, and the guest by the order’s link', async () => {
    const { orderId } = await bought(payments, [4900]);
    for (const as of [null, admin, await signIn(await makeUser())]) {
      expect((await ask(orderId, as)).status).toBe(404);
    }
    const guest = makeGuest();
    const { orderId: guests } = await buyAsGuest(payments, guest);
    const [receipt] = await mailsTo(guest.buyer.email);
    const key = /\/orders\/\d+\?token=([\w-]{43})/.exec(receipt!.text)![1]!;
    expect((await ask(orderId, null, {}, key)).status).toBe(404);
    expect((await ask(guests, null, {}, 'x'.repeat(43))).status).toBe(404);
    expect((await ask(guests, null, {}, key)).status).toBe(200);
    expect(await requestOf(guests)).toMatchObject({ reason: '', isOpen: true });
  });

  it('takes what was paid by card in the last 30 days, and a reason of 500 characters at most', async () => {
    const unpaid = await makeBuyer(4900);
    const open = await checkOut(unpaid);
    expect((await ask(open.orderId, unpaid.session)).status).toBe(409);
    const { buyer, orderId } = await bought(payments, [4900]);
    const long = await ask(orderId, buyer.session, { reason: 'x'.repeat(501) });
    expect(long.body.fields).toEqual({ reason: 'Reason must be at most 500 characters' });
    expect((await ask('0', buyer.session)).status).toBe(404);
    await moveBack(orders, eq(orders.id, orderId), { completedAt: { days: 30, minutes: 1 } });
    expect((await readOrderView(await orderOf(orderId))).promise).toBeNull();
    expect((await ask(orderId, buyer.session)).status).toBe(409);
    await moveBack(orders, eq(orders.id, orderId), { completedAt: { days: 29, hours: 23 } });
    await db().update(orders).set({ payment: 'bank' }).where(eq(orders.id, orderId));
    expect((await ask(orderId, buyer.session)).status).toBe(409);
    await db().update(orders).set({ payment: 'card' }).where(eq(orders.id, orderId));
    expect((await ask(orderId, buyer.session)).status).toBe(200);
    expect(await db().$count(orderFlags, eq(orderFlags.orderId, orderId))).toBe(1);
  });
});
