import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeUser } from '../../support/factories.ts';
import { auditLog } from '#db/schema/account.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { organisationMembers, organisations } from '#db/schema/organisations.ts';
import { orderEvents, orders, withdrawals, withdrawalTokens } from '#db/schema/store.ts';
import { listWithdrawals } from '#src/features/admin/withdrawals/withdrawals.server.ts';
import { POST as decideRoute } from '#src/pages/api/admin/withdrawals/[id].ts';
import { POST as withdrawRoute } from '#src/pages/api/withdrawals.ts';
import { POST as lookUpRoute } from '#src/pages/api/withdrawals/look-up.ts';
import { queueReceipt } from '#src/features/store/orders/receipt.server.ts';
import { refundLine } from '#src/features/store/refunds/refunds.server.ts';
import {
  mailWithdrawalLinkJob,
  refundWithdrawnJob,
} from '#src/features/store/withdrawals/withdrawals.server.ts';
import { sellsToEuConsumers } from '#src/server/eu-consumers.ts';
import { setEnvironment } from '#src/server/start/env.ts';
import { callRoute, signIn } from '../../support/api.ts';
import { buyAsGuest, claimByMail, enrollmentOf, makeGuest } from '../../support/guests.ts';
import { moveBack } from '../../support/move-back.ts';
import {
  checkOut,
  expectReconciled,
  enrollmentsOf,
  itemsOfOrder,
  makeBuyer,
  orderOf,
  type Payments,
  pay,
  refundsOf,
  startPayments,
} from '../../support/payments.ts';

let payments: Payments;
let admin: Awaited<ReturnType<typeof makeAdmin>>;
beforeAll(async () => {
  setEnvironment({ SELLS_TO_EU_CONSUMERS: 'on' });
  payments = await startPayments();
  admin = await makeAdmin();
});
afterAll(() => payments.close());

let visitors = 0;
/** Everybody comes from an address of their own, so that no limit is met by chance. */
const post = (route: Parameters<typeof callRoute>[0], body: unknown) => {
  visitors += 1;
  return callRoute(route, { method: 'POST', body, ip: `203.0.113.${visitors}` });
};

async function bought(...prices: number[]) {
  const buyer = await makeBuyer(...prices);
  const { orderId, intentId } = await checkOut(buyer);
  expect(await pay(payments, intentId)).toBe('succeeded');
  await payments.sandbox.control.settled();
  const items = await itemsOfOrder(orderId);
  const { email } = buyer.user;
  const { withdrawalReference: reference } = await orderOf(orderId);
  return { buyer, orderId, intentId, items, email, reference, itemIds: items.map(({ id }) => id) };
}

type Bought = { orderId: number; itemIds: number[] };
/** Withdraws with the reference of the receipt. */
const withdraw = async ({ orderId, itemIds }: Bought, more = {}) =>
  post(withdrawRoute, {
    reference: (await orderOf(orderId)).withdrawalReference,
    name: 'Ada Lovelace',
    country: 'DE',
    itemIds,
    ...more,
  });

const rowsOf = (orderId: number) =>
  db().select().from(withdrawals).where(eq(withdrawals.orderId, orderId)).orderBy(withdrawals.id);
const mailsOf = async (email: string, template: string) =>
  (await db().select().from(mailOutbox).where(eq(mailOutbox.recipient, email))).filter(
    (mail) => mail.template === template,
  );
/** Makes an order as old as that. */
const age = (orderId: number, days: number) =>
  db()
    .update(orders)
    .set({ completedAt: sql`now() - make_interval(days => ${days})` })
    .where(eq(orders.id, orderId));

/** Does what the queue holds for an order, as its worker would. */
async function work(orderId: number) {
  for (const { orderItemId, state } of await rowsOf(orderId)) {
    if (state !== 'granted' && state !== 'accepted') continue;
    await refundWithdrawnJob.run({ orderId, itemId: orderItemId }, { isLast: false });
  }
  await payments.sandbox.control.settled();
}

const decide = async (id: number, body: unknown, as = admin) =>
  callRoute(decideRoute, { method: 'POST', params: { id: String(id) }, body, as: await signIn(as) });

/** Does what was queued for somebody who asked for a link, and gives the token that was mailed, if any. */
async function mailedToken(orderId: number, email: string): Promise<string | null> {
  await mailWithdrawalLinkJob.run({ orderId, email, requestId: randomUUID() }, { isLast: false });
  const [mail] = (await mailsOf(email, 'withdrawal-link')).toSorted((one, other) => other.id - one.id);
  return /token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? null;
}

describe('a site that does not sell to consumers in the Union', () => {
  it('has neither the calls nor a word of them in its receipts', async () => {
    setEnvironment({ SELLS_TO_EU_CONSUMERS: 'off' });
    try {
      const order = await bought(4900);
      const { reference } = order;
      expect((await post(lookUpRoute, { reference })).status).toBe(404);
      expect((await post(lookUpRoute, { orderId: order.orderId, email: order.email })).status).toBe(404);
      expect((await withdraw(order)).status).toBe(404);
      const [receipt] = await mailsOf(order.email, 'receipt');
      expect(JSON.stringify(receipt)).not.toMatch(/withdraw/i);
    } finally {
      setEnvironment({ SELLS_TO_EU_CONSUMERS: 'on' });
    }
  });

  it('is one whose content does not say so', async () => {
    setEnvironment({ SELLS_TO_EU_CONSUMERS: undefined });
    expect(sellsToEuConsumers()).toBe(false);
    setEnvironment({ SELLS_TO_EU_CONSUMERS: 'on' });
    expect(sellsToEuConsumers()).toBe(true);
  });
});

describe('an order of an organisation', () => {
  it('is refunded by agreement: no withdrawal is offered, nor taken in', async () => {
    const order = await bought(4900);
    const [buyer] = await db().insert(organisations).values({ name: 'Example Ltd' }).returning();
    const boughtBy = (organisationId: number | null) =>
      db().update(orders).set({ organisationId }).where(eq(orders.id, order.orderId));
    await db()
      .insert(organisationMembers)
      .values({ organisationId: buyer!.id, userId: order.buyer.user.id, role: 'owner' });
    await boughtBy(buyer!.id);
    for (const answer of [await post(lookUpRoute, { reference: order.reference }), await withdraw(order)]) {
      expect([answer.status, answer.body.message]).toEqual([
        409,
        expect.stringContaining('is for consumers'),
      ]);
    }
    expect(await rowsOf(order.orderId)).toEqual([]);
    const facts = { duplicates: [], attached: false, claimLink: null };
    const now = await orderOf(order.orderId);
    await db().transaction((tx) => queueReceipt(tx, now, order.items, facts, { again: true }));
    const receipts = await mailsOf(order.email, 'receipt');
    expect(receipts).toHaveLength(2);
    expect(receipts.at(-1)!.text).not.toMatch(/withdraw/i);
    await boughtBy(null);
  });
});

describe('looking up what one may withdraw from', () => {
  it('shows the lines to whoever has the reference of the receipt', async () => {
    const order = await bought(4900, 2500);
    const [receipt] = await mailsOf(order.email, 'receipt');
    expect(receipt!.text).toContain(order.reference);
    const { status, body } = await post(lookUpRoute, { reference: ` ${order.reference.toUpperCase()} ` });
    expect(status).toBe(200);
    expect(body.lines.map(({ price, state }: { price: string; state: null }) => [price, state])).toEqual(
      order.items.map(({ priceCents }) => [(priceCents / 100).toFixed(2), null]),
    );
  });

  it('shows them to the account that bought, and to no other', async () => {
    const { orderId, buyer, itemIds } = await bought(4900);
    const look = async (user: { id: number }) =>
      callRoute(lookUpRoute, {
        body: { orderId, email: 'a@example.com' },
        as: await signIn(user),
        ip: '203.0.113.250',
      });
    expect((await look(buyer.user)).body).toMatchObject({ state: 'found', orderId });
    expect((await look(await makeUser())).body.state).toBe('mailed');
    expect((await look(admin)).body.state).toBe('mailed');
    const body = { orderId, itemIds, name: 'Ada', country: 'DE' };
    const by = async (user: { id: number }) =>
      (await callRoute(withdrawRoute, { body, as: await signIn(user), ip: '203.0.113.251' })).status;
    expect([await by(await makeUser()), await by(admin), await by(buyer.user)]).toEqual([404, 404, 200]);
  });

  it('says the same to whoever has number and address, right, wrong or unpaid, and mails the right one alone', async () => {
    const { orderId, email, itemIds } = await bought(4900);
    const buyer = await makeBuyer(4900);
    const unpaid = await checkOut(buyer);
    const pairs = [
      { orderId, email },
      { orderId: 2_000_000_000, email },
      { orderId, email: 'somebody@example.com' },
      { orderId: unpaid.orderId, email: buyer.user.email },
    ];
    const answers = [];
    for (const pair of pairs) answers.push(await post(lookUpRoute, pair));
    for (const { status, body } of answers) expect([status, body]).toEqual([200, answers[0]!.body]);
    expect(answers[0]!.body.state).toBe('mailed');
    for (const pair of pairs.slice(1)) expect(await mailedToken(pair.orderId, pair.email)).toBeNull();
    expect(await mailedToken(orderId, email)).not.toBeNull();
    // Both are no proof of anything.
    const said = { orderId, email, itemIds, name: 'Mallory', country: 'DE' };
    expect((await post(withdrawRoute, said)).status).toBe(404);
    expect(await rowsOf(orderId)).toEqual([]);
  });

  it('by a mailed link works for days, for one withdrawal', async () => {
    const { orderId, email, items } = await bought(4900, 2500);
    const token = (await mailedToken(orderId, email))!;
    const late = (await mailedToken(orderId, email))!;
    expect((await post(lookUpRoute, { token })).body).toMatchObject({ state: 'found', orderId });
    expect(await rowsOf(orderId)).toEqual([]);
    const said = { name: 'Ada', country: 'DE' };
    const both = await Promise.all(
      items.map(({ id }) => post(withdrawRoute, { ...said, token, itemIds: [id] })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await post(lookUpRoute, { token })).status).toBe(400);
    await db()
      .update(withdrawalTokens)
      .set({ expiresAt: new Date(0) })
      .where(eq(withdrawalTokens.orderId, orderId));
    expect((await post(lookUpRoute, { token: late })).status).toBe(400);
    expect((await post(lookUpRoute, { token: 'x'.repeat(43) })).status).toBe(400);
    expect(await rowsOf(orderId)).toHaveLength(1);
  });

  it('counts from the moment the link was asked for', async () => {
    const { orderId, email, itemIds } = await bought(4900);
    await age(orderId, 30);
    const token = (await mailedToken(orderId, email))!;
    await moveBack(withdrawalTokens, eq(withdrawalTokens.orderId, orderId), { createdAt: { days: 20 } });
    const { body } = await post(withdrawRoute, { token, itemIds, name: 'Ada', country: 'DE' });
    expect(body.state).toBe('granted');
  });

  it('refuses a reference that is none', async () => {
    expect((await post(lookUpRoute, { reference: randomUUID() })).status).toBe(404);
    expect((await post(lookUpRoute, { reference: '7' })).body.fields).toHaveProperty('reference');
    expect(Object.keys((await post(lookUpRoute, {})).body.fields).sort()).toEqual(['email', 'orderId']);
  });

  it('stops whoever asks for links to one address', async () => {
    const email = 'tried@example.com';
    for (let orderId = 1; orderId <= 20; orderId += 1) await post(lookUpRoute, { orderId, email });
    expect((await post(lookUpRoute, { orderId: 21, email })).status).toBe(429);
  });

  it('names the field that is wrong', async () => {
    const { status, body } = await post(lookUpRoute, { orderId: 'seven', email: 'nobody' });
    expect(status).toBe(400);
    expect(Object.keys(body.fields).sort()).toEqual(['email', 'orderId']);
  });
});

describe('withdrawing in time', () => {
  it('pays one line back, ends its access, mails the receipt, and leaves the others', async () => {
    const order = await bought(4900, 2500);
    const [first, second] = order.items as [(typeof order.items)[0], (typeof order.items)[0]];
    const { status, body } = await withdraw({ ...order, itemIds: [first.id] });
    expect([status, body.state]).toEqual([200, 'granted']);
    const [mail] = await mailsOf(order.email, 'withdrawal');
    expect(JSON.stringify(mail)).toContain('UTC');
    await work(order.orderId);
    expect((await orderOf(order.orderId)).status).toBe('partially_refunded');
    expect((await refundsOf(order.orderId)).map((row) => [row.orderItemId, row.amountCents])).toEqual([
      [first.id, first.priceCents],
    ]);
    const access = new Map((await enrollmentsOf(order.buyer)).map((row) => [row.orderItemId, row.status]));
    expect([access.get(first.id), access.get(second.id)]).toEqual(['revoked', 'active']);
    await expectReconciled(payments);
  });

  it('twice is once, and says so', async () => {
    const order = await bought(4900);
    await withdraw(order);
    await work(order.orderId);
    const again = await withdraw(order);
    expect([again.status, again.body.state]).toEqual([200, 'granted']);
    await work(order.orderId);
    expect(await rowsOf(order.orderId)).toHaveLength(1);
    expect(await refundsOf(order.orderId)).toHaveLength(1);
    expect(await mailsOf(order.email, 'withdrawal')).toHaveLength(1);
  });

  it('five at once are one', async () => {
    const order = await bought(4900);
    const answers = await Promise.all(Array.from({ length: 5 }, () => withdraw(order)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await Promise.all([work(order.orderId), work(order.orderId), work(order.orderId)]);
    expect(await rowsOf(order.orderId)).toHaveLength(1);
    expect(await refundsOf(order.orderId)).toHaveLength(1);
    const events = await db().select().from(orderEvents).where(eq(orderEvents.orderId, order.orderId));
    expect(events.filter(({ type }) => type === 'withdrawn')).toHaveLength(1);
    expect((await orderOf(order.orderId)).status).toBe('refunded');
    await expectReconciled(payments);
  });

  it('is kept while the provider is down', async () => {
    const order = await bought(4900);
    await withdraw(order);
    payments.sandbox.control.failApi({ method: 'POST', path: '/v1/refunds', outcome: 502, times: 20 });
    await expect(work(order.orderId)).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect((await orderOf(order.orderId)).status).toBe('completed');
    payments.sandbox.control.clearApiFaults();
    await work(order.orderId);
    expect((await orderOf(order.orderId)).status).toBe('refunded');
    expect(await refundsOf(order.orderId)).toHaveLength(1);
  });

  it('works for a guest, and after the purchase is in an account', async () => {
    const guest = makeGuest();
    const purchase = await buyAsGuest(payments, guest);
    await claimByMail(guest);
    const [item] = await itemsOfOrder(purchase.orderId);
    const { status } = await withdraw({ orderId: purchase.orderId, itemIds: [item!.id] });
    expect(status).toBe(200);
    await work(purchase.orderId);
    const { userId } = await orderOf(purchase.orderId);
    expect(userId).not.toBeNull();
    expect((await enrollmentOf(userId!, purchase.courseId))?.status).toBe('revoked');

    const other = makeGuest();
    const second = await buyAsGuest(payments, other);
    const [line] = await itemsOfOrder(second.orderId);
    await withdraw({ orderId: second.orderId, itemIds: [line!.id] });
    await work(second.orderId);
    expect((await orderOf(second.orderId)).status).toBe('refunded');
    await expectReconciled(payments);
  });

  it('refuses the line of another order, and what is paid back already', async () => {
    const order = await bought(4900);
    const other = await bought(4900);
    expect((await withdraw({ ...order, itemIds: other.itemIds })).status).toBe(404);
    await refundLine(order.orderId, order.itemIds[0]!, { reason: 'test', source: 'admin' });
    expect((await withdraw(order)).status).toBe(409);
    expect(await rowsOf(order.orderId)).toEqual([]);
  });

  it('refuses nothing to choose and no name, at the field', async () => {
    const order = await bought(4900);
    const { status, body } = await withdraw(order, { itemIds: [], name: ' ' });
    expect(status).toBe(400);
    expect(Object.keys(body.fields).sort()).toEqual(['itemIds', 'name']);
  });
});

describe('a withdrawal in doubt', () => {
  it('waits for an administrator after the 14 days, a dispute and a part paid back', async () => {
    const late = await bought(4900);
    await age(late.orderId, 20);
    const disputed = await bought(4900);
    payments.sandbox.control.openDispute({ intent: disputed.intentId });
    await payments.sandbox.control.settled();
    const partly = await bought(4900);
    await refundLine(partly.orderId, partly.itemIds[0]!, {
      reason: 'test',
      amountCents: 900,
      source: 'admin',
    });
    for (const [order, doubt] of [
      [late, 'late'],
      [disputed, 'disputed'],
      [partly, 'partly_refunded'],
    ] as const) {
      expect((await withdraw(order)).body.state, doubt).toBe('open');
      expect(await rowsOf(order.orderId)).toMatchObject([{ state: 'open', doubt }]);
      const again = await withdraw(order);
      expect(again.body.state).toBe('open');
      expect(await rowsOf(order.orderId)).toHaveLength(1);
    }
    expect(await refundsOf(late.orderId)).toEqual([]);
  });

  it('is accepted once, with the refund of what is left', async () => {
    const order = await bought(4900);
    await refundLine(order.orderId, order.itemIds[0]!, {
      reason: 'test',
      amountCents: 900,
      source: 'admin',
    });
    await withdraw(order);
    const [row] = await rowsOf(order.orderId);
    // What the administrator is told before.
    const { withdrawals: listed } = await listWithdrawals(1);
    expect(listed.find(({ id }) => id === row!.id)).toMatchObject({
      priceCents: 4900,
      leftCents: 4000,
      payment: 'card',
      seats: null,
    });
    const both = await Promise.all([
      decide(row!.id, { decision: 'accept' }),
      decide(row!.id, { decision: 'decline', reason: 'Too late.' }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    await work(order.orderId);
    const [decided] = await rowsOf(order.orderId);
    const back = (await refundsOf(order.orderId)).reduce((sum, { amountCents }) => sum + amountCents, 0);
    expect(back).toBe(decided!.state === 'accepted' ? 4900 : 900);
    await expectReconciled(payments);
  });

  it('is paid back and loses its access once it is accepted', async () => {
    const order = await bought(4900);
    await age(order.orderId, 30);
    await withdraw(order);
    const [row] = await rowsOf(order.orderId);
    expect((await decide(row!.id, { decision: 'accept' })).status).toBe(200);
    expect((await decide(row!.id, { decision: 'accept' })).status).toBe(409);
    await work(order.orderId);
    expect((await orderOf(order.orderId)).status).toBe('refunded');
    expect((await enrollmentsOf(order.buyer)).map(({ status }) => status)).toEqual(['revoked']);
    const audited = await db()
      .select()
      .from(auditLog)
      .where(eq(auditLog.subjectId, String(order.orderId)));
    expect(audited.map(({ action }) => action)).toContain('order.withdrawal_accepted');
    await expectReconciled(payments);
  });

  it('is declined with a reason, which is mailed and audited', async () => {
    const order = await bought(4900);
    await age(order.orderId, 30);
    await withdraw(order);
    const [row] = await rowsOf(order.orderId);
    expect((await decide(row!.id, { decision: 'decline', reason: '' })).status).toBe(400);
    expect((await decide(row!.id, { decision: 'decline', reason: 'The 14 days were over.' })).status).toBe(
      200,
    );
    expect(await mailsOf(order.email, 'withdrawal-declined')).toHaveLength(1);
    const audited = await db()
      .select()
      .from(auditLog)
      .where(eq(auditLog.subjectId, String(order.orderId)));
    expect(audited.map(({ action }) => action)).toContain('order.withdrawal_declined');
    await work(order.orderId);
    expect(await refundsOf(order.orderId)).toEqual([]);
    expect((await orderOf(order.orderId)).status).toBe('completed');
  });

  it('is no learner’s to decide', async () => {
    const learner = await makeUser();
    expect((await decide(1, { decision: 'accept' }, learner)).status).toBe(403);
    expect((await decide(2_000_000_000, { decision: 'accept' })).status).toBe(404);
  });
});

describe('what cost nothing', () => {
  it('has nothing to pay back', async () => {
    const guest = makeGuest();
    const purchase = await buyAsGuest(payments, guest, await makeCourse());
    await db().execute(sql`update order_items set price_cents = 0 where order_id = ${purchase.orderId}`);
    const [line] = await itemsOfOrder(purchase.orderId);
    const order = { orderId: purchase.orderId, itemIds: [line!.id] };
    const { withdrawalReference: reference } = await orderOf(purchase.orderId);
    expect((await post(lookUpRoute, { reference })).body.lines[0].state).toBe('free');
    expect((await withdraw(order)).status).toBe(409);
  });
});
