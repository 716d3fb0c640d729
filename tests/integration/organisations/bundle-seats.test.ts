import { and, asc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourseForSale, makeEnrollment, makeUser } from '../../support/factories.ts';
import { courses } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import { mailOutbox, rateLimits } from '#db/schema/machinery.ts';
import { bundleCourses, bundles, orderItems, refunds, seats } from '#db/schema/store.ts';
import { webhookEndpoints, webhookEvents } from '#db/schema/webhooks.ts';
import { countSeats, listSeats, seatsCsv } from '#src/features/organisations/seats/seat-lists.server.ts';
import { mailSeatOffersJob } from '#src/features/organisations/seats/seats.server.ts';
import { PUT as pricesRoute } from '#src/pages/api/admin/seat-prices.ts';
import { POST as refundRoute } from '#src/pages/api/admin/orders/[id]/refund.ts';
import { POST as releaseRoute } from '#src/pages/api/admin/orders/[id]/release.ts';
import { POST as joinRoute } from '#src/pages/api/join.ts';
import { POST as openRoute } from '#src/pages/api/organisations.ts';
import { PUT as dueRoute } from '#src/pages/api/organisations/[id]/due.ts';
import { POST as invoiceRoute } from '#src/pages/api/organisations/[id]/invoice.ts';
import { PUT as linkRoute } from '#src/pages/api/organisations/[id]/link.ts';
import { POST as payRoute } from '#src/pages/api/organisations/[id]/payment.ts';
import { POST as takeBackRoute } from '#src/pages/api/organisations/[id]/seats/[seat]/take-back.ts';
import { POST as giveRoute } from '#src/pages/api/organisations/[id]/seats.ts';
import { callRoute, signIn } from '../../support/api.ts';
import {
  confirm,
  expectReconciled,
  orderOf,
  type Payments,
  pay,
  startPayments,
} from '../../support/payments.ts';

let payments: Payments;
beforeAll(async () => {
  payments = await startPayments();
});
afterAll(() => payments.close());
beforeEach(async () => {
  await payments.sandbox.control.settled();
  await db().delete(rateLimits);
});

type Someone = Awaited<ReturnType<typeof somebody>>;
async function somebody(values: Parameters<typeof makeUser>[0] = {}) {
  const user = await makeUser({ emailVerifiedAt: new Date(), ...values });
  return { user, session: await signIn(user) };
}

/** An organisation, a bundle of three courses at $90.01, and another course at $50. */
async function makeOrganisation() {
  const owner = await somebody();
  const opened = await callRoute(openRoute, { as: owner.session, body: { name: 'Example Ltd' } });
  const inBundle = [];
  for (const priceCents of [5000, 4000, 3000]) inBundle.push(await makeCourseForSale({ priceCents }));
  const [bundle] = await db()
    .insert(bundles)
    .values({ title: 'Everything', description: 'All of it.', priceCents: 9001, state: 'active' })
    .returning();
  await db()
    .insert(bundleCourses)
    .values(inBundle.map(({ id }, position) => ({ bundleId: bundle!.id, position, courseId: id })));
  const course = await makeCourseForSale({ priceCents: 5000 });
  return { id: opened.body.id as number, owner, bundle: bundle!, inBundle, course };
}
type Organisation = Awaited<ReturnType<typeof makeOrganisation>>;

const BILLING = {
  company: 'Example Ltd',
  address: '1 Test Street',
  country: 'US',
  purchaseOrder: '',
  costCentre: '',
};
const ask = (
  route: Parameters<typeof callRoute>[0],
  one: Organisation,
  body: object,
  method: 'POST' | 'PUT' = 'POST',
  who: Someone | null = one.owner,
) => callRoute(route, { method, as: who?.session ?? null, params: { id: String(one.id) }, body });

/** Buys what the lines say, at what the server says that it costs. */
async function buy(one: Organisation, lines: object[]) {
  const first = await ask(payRoute, one, { lines, amount: '1.00', billing: BILLING });
  expect(first.status, first.text).toBe(409);
  const begun = await ask(payRoute, one, { lines, amount: first.body.total, billing: BILLING });
  expect(begun.status, begun.text).toBe(200);
  const intentId = String(begun.body.clientSecret).split('_secret_')[0]!;
  await pay(payments, intentId);
  const confirmed = await confirm(one.owner, intentId);
  expect(confirmed.status, confirmed.text).toBe(200);
  return { orderId: begun.body.orderId as number, total: first.body.total as string, intentId };
}
const itemsOf = (orderId: number) =>
  db().select().from(orderItems).where(eq(orderItems.orderId, orderId)).orderBy(asc(orderItems.id));
const give = (one: Organisation, people: string, dryRun = false) =>
  ask(giveRoute, one, { bundleId: one.bundle.id, people, dryRun });

async function tokenOf(one: Organisation, email: string): Promise<string> {
  await mailSeatOffersJob.run({ organisationId: one.id }, { isLast: false });
  const [mail] = await db()
    .select({ text: mailOutbox.text })
    .from(mailOutbox)
    .where(and(eq(mailOutbox.recipient, email), eq(mailOutbox.template, 'seat-offer')))
    .orderBy(sql`id desc`)
    .limit(1);
  return /join\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
}
async function seated(one: Organisation, who?: Someone): Promise<Someone> {
  const learner = who ?? (await somebody());
  expect((await give(one, learner.user.email)).body.given).toBe(1);
  const taken = await callRoute(joinRoute, {
    as: learner.session,
    body: { token: await tokenOf(one, learner.user.email) },
  });
  expect(taken.status, taken.text).toBe(200);
  return learner;
}
/** The states of somebody's access to the courses of the bundle. */
const accessOf = async (one: Organisation, { user }: Someone) => {
  const rows = await db().select().from(enrollments).where(eq(enrollments.userId, user.id));
  return one.inBundle.map(({ id }) => rows.find(({ courseId }) => courseId === id)?.status ?? 'none');
};
const seatOf = async ({ user }: Someone) =>
  (await db().select().from(seats).where(eq(seats.email, user.email)))[0]!;

describe('seats of a bundle', () => {
  it('are one seat each, whose price is split over its courses to the cent', async () => {
    const one = await makeOrganisation();
    const { orderId, total } = await buy(one, [{ bundleId: one.bundle.id, seats: 7 }]);
    expect(total).toBe('630.07');
    const items = await itemsOf(orderId);
    expect(items.map(({ seats: count, bundleId, bundleTitle }) => [count, bundleId, bundleTitle])).toEqual(
      one.inBundle.map(() => [7, one.bundle.id, 'Everything']),
    );
    for (const { priceCents } of items) expect(priceCents % 7).toBe(0);
    expect(await countSeats(one.id)).toMatchObject([
      { bundleId: one.bundle.id, courseId: null, title: 'Everything', all: 7, free: 7, progress: null },
    ]);
    await expectReconciled(payments);
  });

  it('open every course of it, and show how far their learner is with all of them', async () => {
    const one = await makeOrganisation();
    await buy(one, [{ bundleId: one.bundle.id, seats: 2 }]);
    const before = (await db().select().from(courses).where(eq(courses.id, one.inBundle[1]!.id)))[0]!;
    const ana = await seated(one);
    expect(await accessOf(one, ana)).toEqual(['active', 'active', 'active']);
    const after = (await db().select().from(courses).where(eq(courses.id, one.inBundle[1]!.id)))[0]!;
    expect(after.studentsCount).toBe(before.studentsCount + 1);
    const [mail] = await db().select().from(mailOutbox).where(eq(mailOutbox.recipient, ana.user.email));
    expect(mail!.text).toContain('“Everything”');
    const set = (courseId: number, values: object) =>
      db()
        .update(enrollments)
        .set(values)
        .where(and(eq(enrollments.userId, ana.user.id), eq(enrollments.courseId, courseId)));
    expect((await list(one)).rows[0]).toMatchObject({ state: 'waiting', progress: 0, title: 'Everything' });
    await set(one.inBundle[0]!.id, { progress: 90, lastAccessedAt: new Date('2026-11-01') });
    expect((await list(one)).rows[0]).toMatchObject({
      state: 'begun',
      progress: 30,
      lastAt: '2026-11-01T00:00:00.000Z',
    });
    for (const { id } of one.inBundle) await set(id, { progress: 100, completedAt: new Date('2026-11-02') });
    expect((await list(one)).rows[0]).toMatchObject({ state: 'completed', progress: 100 });
    expect(await countSeats(one.id)).toMatchObject([{ completed: 1, begun: 0, free: 1, progress: 100 }]);
    expect(await seatsCsv(one.id)).toContain('Everything,completed');
    await expectReconciled(payments);
  });

  it('leave a course alone that their learner has, and go back where they have all', async () => {
    const one = await makeOrganisation();
    await buy(one, [{ bundleId: one.bundle.id, seats: 2 }]);
    const ana = await somebody();
    await makeEnrollment(ana.user.id, one.inBundle[0]!.id);
    await seated(one, ana);
    expect(await accessOf(one, ana)).toEqual(['active', 'active', 'active']);
    const [own] = await db()
      .select()
      .from(enrollments)
      .where(and(eq(enrollments.userId, ana.user.id), eq(enrollments.courseId, one.inBundle[0]!.id)));
    expect(own!.orderItemId).toBeNull();
    const bo = await somebody();
    for (const course of one.inBundle) await makeEnrollment(bo.user.id, course.id);
    await give(one, bo.user.email);
    const token = await tokenOf(one, bo.user.email);
    const answer = await callRoute(joinRoute, { as: bo.session, body: { token } });
    expect(answer.body.message).toBe(
      'You have all of it already, so the seat went back to your organization.',
    );
    expect(await countSeats(one.id)).toMatchObject([{ all: 2, free: 1 }]);
    await expectReconciled(payments);
  });

  it('are taken back whole until one course is begun', async () => {
    const one = await makeOrganisation();
    await buy(one, [{ bundleId: one.bundle.id, seats: 1 }]);
    const takeBack = async (who: Someone) =>
      callRoute(takeBackRoute, {
        method: 'POST',
        as: one.owner.session,
        params: { id: String(one.id), seat: String((await seatOf(who)).id) },
      });
    const ana = await seated(one);
    expect((await takeBack(ana)).status).toBe(200);
    expect(await accessOf(one, ana)).toEqual(['revoked', 'revoked', 'revoked']);
    const bo = await seated(one);
    await db()
      .update(enrollments)
      .set({ lastAccessedAt: new Date() })
      .where(and(eq(enrollments.userId, bo.user.id), eq(enrollments.courseId, one.inBundle[2]!.id)));
    expect((await takeBack(bo)).status).toBe(409);
    expect(await accessOf(one, bo)).toEqual(['active', 'active', 'active']);
    await expectReconciled(payments);
  });

  it('are paid back with all their lines, once, and end for good', async () => {
    const one = await makeOrganisation();
    const admin = await signIn(await makeAdmin());
    const { orderId } = await buy(one, [{ bundleId: one.bundle.id, seats: 3 }]);
    const ana = await seated(one);
    const [, second] = await itemsOf(orderId);
    const refund = (count: number, requestKey: string) =>
      callRoute(refundRoute, {
        as: admin,
        params: { id: String(orderId) },
        body: { itemId: second!.id, reason: 'Fewer people', seats: count, requestKey },
      });
    const key = '0a1cb1a5-5f3c-4a44-9c1c-8b8c79a6b7a1';
    const answers = await Promise.all([refund(2, key), refund(2, key)]);
    for (const answer of answers) expect(answer.status, answer.text).toBe(200);
    expect(answers[0]!.body.message).toContain('$180.02');
    expect(await db().select().from(refunds).where(eq(refunds.orderId, orderId))).toHaveLength(3);
    // The free ones ended first.
    expect(await accessOf(one, ana)).toEqual(['active', 'active', 'active']);
    expect(await countSeats(one.id)).toMatchObject([{ all: 1, free: 0, waiting: 1 }]);
    const last = await refund(1, '0a1cb1a5-5f3c-4a44-9c1c-8b8c79a6b7a2');
    expect(last.status, last.text).toBe(200);
    expect(await accessOf(one, ana)).toEqual(['revoked', 'revoked', 'revoked']);
    expect((await orderOf(orderId)).status).toBe('refunded');
    expect((await refund(1, '0a1cb1a5-5f3c-4a44-9c1c-8b8c79a6b7a3')).status).toBe(400);
    await expectReconciled(payments);
  });

  it('are told of to the webhooks with the bundle, and each course as it is completed', async () => {
    const one = await makeOrganisation();
    await db()
      .insert(webhookEndpoints)
      .values({
        organisationId: one.id,
        url: 'https://example.com/hook',
        secret: 'x'.repeat(40),
        kinds: ['seat', 'enrolled'],
      } as typeof webhookEndpoints.$inferInsert);
    await buy(one, [{ bundleId: one.bundle.id, seats: 1 }]);
    await seated(one);
    const events = await db().select().from(webhookEvents).where(eq(webhookEvents.organisationId, one.id));
    const enrolled = events.filter(({ kind }) => kind === 'enrolled').map(({ data }) => data);
    expect(enrolled).toHaveLength(3);
    expect(enrolled[0]).toMatchObject({ bundle: { title: 'Everything' } });
    expect(new Set(enrolled.map((data) => (data.course as { id: number }).id))).toEqual(
      new Set(one.inBundle.map(({ id }) => id)),
    );
    const taken = events.find(({ kind, data }) => kind === 'seat' && data.state === 'taken');
    expect(taken!.data).toMatchObject({ course: null, bundle: { id: one.bundle.id } });
  });

  it('can be taken by a link, and have a day by which they should be done', async () => {
    const one = await makeOrganisation();
    await buy(one, [{ bundleId: one.bundle.id, seats: 1 }]);
    const of = { bundleId: one.bundle.id };
    const linked = await ask(linkRoute, one, { ...of, domains: ['example.org'] }, 'PUT');
    expect(linked.status, linked.text).toBe(200);
    const due = (dueOn: unknown, who?: Someone | null) => ask(dueRoute, one, { ...of, dueOn }, 'PUT', who);
    expect((await due('2020-01-31')).status).toBe(200);
    for (const wrong of ['2020-02-31', '0000-01-01', 'soon', 5, undefined])
      expect((await due(wrong)).status).toBe(400);
    expect((await due('2020-01-31', await somebody())).status).toBe(404);
    expect((await due('2020-01-31', null)).status).toBe(401);
    expect((await ask(dueRoute, one, { courseId: one.course.id, dueOn: null }, 'PUT')).status).toBe(404);
    expect((await ask(dueRoute, one, { ...of, courseId: 1, dueOn: null }, 'PUT')).status).toBe(400);
    expect(await countSeats(one.id)).toMatchObject([
      { dueOn: '2020-01-31', link: { domains: ['example.org'] } },
    ]);
    const ana = await somebody({ email: `ana-${one.id}@example.org` });
    const token = new URL(linked.body.link).searchParams.get('token');
    const joined = await callRoute(joinRoute, { as: ana.session, body: { token } });
    expect(joined.status, joined.text).toBe(200);
    expect(await accessOf(one, ana)).toEqual(['active', 'active', 'active']);
    expect((await list(one)).rows[0]).toMatchObject({ isLate: true });
    // A link that ends leaves the day as it is, and comes back as another link.
    expect((await ask(linkRoute, one, { ...of, domains: [] }, 'PUT')).body.link).toBeNull();
    expect(await countSeats(one.id)).toMatchObject([{ dueOn: '2020-01-31', link: null }]);
    expect((await callRoute(joinRoute, { as: ana.session, body: { token } })).status).toBe(404);
    expect((await due(null)).status).toBe(200);
    expect((await list(one)).rows[0]).toMatchObject({ isLate: false });
  });
});

const list = (one: Organisation) =>
  listSeats(one.id, { of: { bundleId: one.bundle.id }, state: null, search: '', page: 1 } as Parameters<
    typeof listSeats
  >[1] & { page: number });

describe('several lines in one order', () => {
  it('count together for the price steps, and a course may be in it singly and in a bundle', async () => {
    const admin = await signIn(await makeAdmin());
    const steps = (all: object[]) =>
      callRoute(pricesRoute, { method: 'PUT', as: admin, body: { steps: all } });
    await steps([{ fromSeats: 10, percentOff: 10 }]);
    const one = await makeOrganisation();
    const lines = [
      { courseId: one.course.id, seats: 4 },
      { bundleId: one.bundle.id, seats: 5 },
      { courseId: one.inBundle[0]!.id, seats: 1 },
    ];
    const { orderId, total } = await buy(one, lines);
    await steps([]);
    // 4 × 45.00 + 5 × 81.01 + 45.00
    expect(total).toBe('630.05');
    expect((await itemsOf(orderId)).map(({ seats: count }) => count)).toEqual([4, 5, 5, 5, 1]);
    expect((await countSeats(one.id)).map(({ title, all }) => [title, all]).toSorted()).toEqual(
      [
        [one.course.title, 4],
        [one.inBundle[0]!.title, 1],
        ['Everything', 5],
      ].toSorted(),
    );
    await expectReconciled(payments);
  });

  it('are ordered by invoice too, and keep their courses when the bundle changes while they wait', async () => {
    const one = await makeOrganisation();
    const lines = [
      { bundleId: one.bundle.id, seats: 2 },
      { courseId: one.course.id, seats: 1 },
    ];
    const first = await ask(invoiceRoute, one, { lines, amount: '1.00', billing: BILLING });
    const order = await ask(invoiceRoute, one, { lines, amount: first.body.total, billing: BILLING });
    expect(order.status, order.text).toBe(200);
    const again = await ask(invoiceRoute, one, { lines, amount: first.body.total, billing: BILLING });
    expect(again.body.orderId).toBe(order.body.orderId);
    const [mail] = await db()
      .select()
      .from(mailOutbox)
      .where(and(eq(mailOutbox.recipient, one.owner.user.email), eq(mailOutbox.template, 'bank-order')));
    expect(mail!.text).toContain(`Everything (2 seats), ${one.course.title} (1 seat)`);
    const other = await makeCourseForSale({ priceCents: 900 });
    await db().update(bundles).set({ priceCents: 9500 }).where(eq(bundles.id, one.bundle.id));
    await db()
      .update(bundleCourses)
      .set({ courseId: other.id })
      .where(and(eq(bundleCourses.bundleId, one.bundle.id), eq(bundleCourses.position, 2)));
    const released = await callRoute(releaseRoute, {
      method: 'POST',
      as: await signIn(await makeAdmin()),
      params: { id: String(order.body.orderId) },
    });
    expect(released.status, released.text).toBe(200);
    const ana = await seated(one);
    expect(await accessOf(one, ana)).toEqual(['active', 'active', 'active']);
    await expectReconciled(payments);
  });

  it('are refused by what is wrong with them', async () => {
    const one = await makeOrganisation();
    const at = async (lines: unknown) => {
      const answer = await ask(payRoute, one, { lines, amount: '1.00', billing: BILLING });
      return [answer.status, Object.values(answer.body.fields ?? {})[0] ?? answer.body.message];
    };
    const line = { courseId: one.course.id, seats: 1 };
    expect(await at([])).toEqual([400, 'Choose a course or a bundle']);
    expect(await at('all')).toEqual([400, 'Lines must be a list of courses or bundles with their seats']);
    expect(await at([line, { ...line, seats: 2 }])).toEqual([
      400,
      'A course or bundle stands in the order twice',
    ]);
    expect(await at([{ ...line, bundleId: one.bundle.id }])).toEqual([
      400,
      'Give a course id or a bundle id, not both of them',
    ]);
    expect(await at([{ seats: 3 }])).toEqual([400, 'Course id is required']);
    expect(await at(Array.from({ length: 21 }, (_, index) => ({ courseId: index + 1, seats: 1 })))).toEqual([
      400,
      'One order can have 20 courses and bundles at most',
    ]);
    expect(
      await at([
        { ...line, seats: 9999 },
        { bundleId: one.bundle.id, seats: 2 },
      ]),
    ).toEqual([400, 'Seats must be a whole number from 1 to 10,000']);
    expect(await at([{ bundleId: 999_999, seats: 1 }])).toEqual([404, 'This bundle is not for sale.']);
    await db().update(bundles).set({ state: 'hidden' }).where(eq(bundles.id, one.bundle.id));
    expect(await at([line, { bundleId: one.bundle.id, seats: 1 }])).toEqual([
      404,
      'This bundle is not for sale.',
    ]);
  });
});
