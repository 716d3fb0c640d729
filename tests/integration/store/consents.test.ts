import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeCourse, makeLesson } from '../../support/factories.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { organisations } from '#db/schema/organisations.ts';
import { enrollments } from '#db/schema/learn.ts';
import { orders, withdrawals } from '#db/schema/store.ts';
import { openLesson } from '#src/features/learn/classroom/classroom.server.ts';
import { readOrderView } from '#src/features/store/orders/order-view.server.ts';
import { consentWording } from '#src/features/store/withdrawals/consents.server.ts';
import { GET as exportRoute } from '#src/pages/api/account/export.ts';
import { POST as consentsRoute } from '#src/pages/api/save-consents.ts';
import { POST as withdrawRoute } from '#src/pages/api/withdrawals.ts';
import { POST as lookUpRoute } from '#src/pages/api/withdrawals/look-up.ts';
import { setEnvironment } from '#src/server/start/env.ts';
import { callRoute } from '../../support/api.ts';
import { claimByMail, enrollmentOf, makeGuest, openDirect, saveBuyer } from '../../support/guests.ts';
import {
  checkOut,
  itemsOfOrder,
  makeBuyer,
  orderOf,
  type Payments,
  pay,
  startPayments,
} from '../../support/payments.ts';

let payments: Payments;
beforeAll(async () => {
  setEnvironment({ SELLS_TO_EU_CONSUMERS: 'on' });
  payments = await startPayments();
});
afterAll(() => payments.close());

type Buyer = Awaited<ReturnType<typeof makeBuyer>>;
const wording = () => consentWording()!;
const ticks = (begin: unknown, loss: unknown) => ({ begin, loss, version: wording().version });
const save = (buyer: Pick<Buyer, 'session'>, paymentIntentId: string, consents: unknown) =>
  callRoute(consentsRoute, { as: buyer.session, body: { paymentIntentId, consents } });
const consentsOf = async (orderId: number) => (await orderOf(orderId)).consents;
const kept = () => ({ at: expect.any(String), begin: wording().begin.text, loss: wording().loss.text });
const settle = async (intentId: string) => {
  expect(await pay(payments, intentId)).toBe('succeeded');
  await payments.sandbox.control.settled();
};

/** A paid order of one course, with these ticks. */
async function bought(begin: boolean, loss: boolean) {
  const buyer = await makeBuyer(4900);
  const { orderId, intentId } = await checkOut(buyer);
  expect((await save(buyer, intentId, ticks(begin, loss))).body).toEqual({ given: begin && loss });
  await settle(intentId);
  return { buyer, orderId, intentId, courseId: buyer.courses[0]!.id };
}

async function begin({ buyer, courseId }: { buyer: { user: { id: number } }; courseId: number }) {
  const lesson = await makeLesson(courseId);
  await openLesson(buyer.user.id, courseId, lesson.id);
  expect((await enrollmentOf(buyer.user.id, courseId))!.lastAccessedAt).not.toBeNull();
}

let visitors = 0;
/** What comes of a withdrawal from a whole order, and what the page says of its first line before. */
async function withdraw(orderId: number) {
  visitors += 1;
  const ip = `203.0.113.${visitors}`;
  const { withdrawalReference: reference } = await orderOf(orderId);
  const found = await callRoute(lookUpRoute, { body: { reference }, ip });
  const itemIds = (await itemsOfOrder(orderId)).map(({ id }) => id);
  const body = { reference, name: 'Ada Lovelace', country: 'DE', itemIds };
  const answer = await callRoute(withdrawRoute, { body, ip });
  const rows = await db().select().from(withdrawals).where(eq(withdrawals.orderId, orderId));
  return { state: answer.body.state, doubt: rows[0]!.doubt, why: found.body.lines[0].why };
}

describe('what is ticked before a payment', () => {
  it('is kept word for word, survives a refused card, and the last state counts', async () => {
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    expect(await consentsOf(orderId)).toBeNull();
    expect((await save(buyer, intentId, ticks(true, true))).body).toEqual({ given: true });
    expect(await consentsOf(orderId)).toEqual(kept());
    expect(await pay(payments, intentId, 'pm_card_chargeDeclined')).toBe('requires_payment_method');
    await payments.sandbox.control.settled();
    expect((await checkOut(buyer)).orderId).toBe(orderId);
    expect(await consentsOf(orderId)).toEqual(kept());
    await save(buyer, intentId, ticks(false, false));
    expect(await consentsOf(orderId)).toBeNull();
    await save(buyer, intentId, ticks(true, true));
    await settle(intentId);
    const paid = await consentsOf(orderId);
    expect(paid).toEqual(kept());
    expect((await save(buyer, intentId, ticks(false, false))).status).toBe(409);
    expect(await consentsOf(orderId)).toEqual(paid);
  });

  it.each([
    [true, false],
    [false, true],
  ])('counts as nothing where begin is %s and loss is %s', async (one, other) => {
    const { orderId } = await bought(one, other);
    expect(await consentsOf(orderId)).toBeNull();
  });

  it('is refused with the name of the field where it is of the wrong kind, or of another wording', async () => {
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    for (const [consents, field] of [
      [ticks('yes', true), 'consents.begin'],
      [ticks(true, 1), 'consents.loss'],
      [{ begin: true, loss: true }, 'consents.version'],
      ['both', 'consents'],
      [null, 'consents'],
      [{ ...ticks(true, true), version: 'older' }, 'consents'],
    ] as const) {
      const { status, body } = await save(buyer, intentId, consents);
      expect([status, Object.keys(body.fields)]).toEqual([400, [field]]);
      expect(body.message).toMatch(/consent/i);
    }
    expect(await consentsOf(orderId)).toBeNull();
  });

  it('is nobody else’s to say, nor an organisation’s', async () => {
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    expect((await save(await makeBuyer(4900), intentId, ticks(true, true))).status).toBe(404);
    const [organisation] = await db().insert(organisations).values({ name: 'Example Ltd' }).returning();
    await db().update(orders).set({ organisationId: organisation!.id }).where(eq(orders.id, orderId));
    expect((await save(buyer, intentId, ticks(true, true))).body).toEqual({ given: false });
    expect(await consentsOf(orderId)).toBeNull();
  });

  it('comes with a guest’s name and email, and moves to the account with the order', async () => {
    const guest = makeGuest();
    const course = await makeCourse({ priceCents: 4900 });
    const { orderId, intentId } = await openDirect(guest, course);
    expect((await saveBuyer(guest, intentId, { consents: ticks('no', true) })).body.fields).toHaveProperty([
      'consents.begin',
    ]);
    expect((await saveBuyer(guest, intentId, { consents: ticks(true, true) })).status).toBe(200);
    expect(await consentsOf(orderId)).toEqual(kept());
    // A page that does not ask stands for an unticked one.
    await saveBuyer(guest, intentId);
    expect(await consentsOf(orderId)).toBeNull();
    await saveBuyer(guest, intentId, { consents: ticks(true, true) });
    await settle(intentId);
    expect((await claimByMail(guest, `pass-${randomUUID()}`)).status).toBe(201);
    const { userId } = await orderOf(orderId);
    await begin({ buyer: { user: { id: userId! } }, courseId: course.id });
    expect(await withdraw(orderId)).toEqual({ state: 'open', doubt: 'begun', why: wording().begun });
  });

  it('is neither taken nor kept where the firm does not sell to such consumers', async () => {
    const consents = ticks(true, true);
    setEnvironment({ SELLS_TO_EU_CONSUMERS: 'off' });
    try {
      const buyer = await makeBuyer(4900);
      const { orderId, intentId } = await checkOut(buyer);
      expect((await save(buyer, intentId, consents)).status).toBe(404);
      expect(await consentsOf(orderId)).toBeNull();
      const guest = makeGuest();
      const purchase = await openDirect(guest, await makeCourse({ priceCents: 4900 }));
      expect((await saveBuyer(guest, purchase.intentId, { consents })).status).toBe(200);
      expect(await consentsOf(purchase.orderId)).toBeNull();
    } finally {
      setEnvironment({ SELLS_TO_EU_CONSUMERS: 'on' });
    }
  });
});

describe('a withdrawal within the 14 days', () => {
  it('is an administrator’s to decide where both were ticked and the course has been begun', async () => {
    const order = await bought(true, true);
    await begin(order);
    expect(await withdraw(order.orderId)).toEqual({ state: 'open', doubt: 'begun', why: wording().begun });
  });

  it('is granted where the course has not been begun, or not since it was bought', async () => {
    const granted = { state: 'granted', doubt: null, why: null };
    const fresh = await bought(true, true);
    expect(await withdraw(fresh.orderId)).toEqual(granted);
    const again = await bought(true, true);
    await db()
      .update(enrollments)
      .set({ lastAccessedAt: new Date('2026-01-01T00:00:00Z') })
      .where(eq(enrollments.userId, again.buyer.user.id));
    expect(await withdraw(again.orderId)).toEqual(granted);
  });

  it.each([
    [false, false],
    [true, false],
  ])('is granted to whoever began without both (begin %s, loss %s)', async (one, other) => {
    const order = await bought(one, other);
    await begin(order);
    expect(await withdraw(order.orderId)).toEqual({ state: 'granted', doubt: null, why: null });
  });
});

describe('what was agreed to', () => {
  it('stands in the receipt, on the order’s page and in the export', async () => {
    const { buyer, orderId } = await bought(true, true);
    const mails = await db().select().from(mailOutbox).where(eq(mailOutbox.recipient, buyer.user.email));
    const receipt = mails.find(({ template }) => template === 'receipt')!.text.replace(/\s+/g, ' ');
    const view = await readOrderView(await orderOf(orderId));
    expect(view.agreed!.texts).toEqual([wording().begin.text, wording().loss.text]);
    for (const text of [view.agreed!.lead, ...view.agreed!.texts]) expect(receipt).toContain(text);
    expect(view.agreed!.lead).toMatch(/UTC/);
    const { text } = await callRoute(exportRoute, { method: 'GET', as: buyer.session });
    expect(JSON.parse(text).orders[0].consents).toEqual(kept());
  });

  it('is said nowhere where nothing was', async () => {
    const { buyer, orderId } = await bought(false, false);
    const mails = await db().select().from(mailOutbox).where(eq(mailOutbox.recipient, buyer.user.email));
    expect(mails.find(({ template }) => template === 'receipt')!.text).not.toMatch(/agreed/);
    expect((await readOrderView(await orderOf(orderId))).agreed).toBeNull();
  });
});
