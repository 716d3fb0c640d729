import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourseForSale, makeEnrollment, makeUser } from '../../support/factories.ts';
import { auditLog } from '#db/schema/account.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { courses } from '#db/schema/catalogue.ts';
import { bundleCourses, bundles, cartItems, coupons, orderItems } from '#db/schema/store.ts';
import type { AdminBundle } from '#src/features/store/bundles/schema.ts';
import type { CartLine } from '#src/features/store/cart/schema.ts';
import { deleteCourse } from '#src/features/authoring/courses/courses.server.ts';
import { refundLine } from '#src/features/store/refunds/refunds.server.ts';
import { DELETE as deleteRoute, PUT as updateRoute } from '#src/pages/api/admin/bundles/[id].ts';
import { GET as adminListRoute, POST as createRoute } from '#src/pages/api/admin/bundles.ts';
import { POST as couponRoute } from '#src/pages/api/apply-coupon.ts';
import { GET as bundleRoute } from '#src/pages/api/bundles/[id].ts';
import { DELETE as removeRoute } from '#src/pages/api/cart/[courseId].ts';
import { GET as countRoute } from '#src/pages/api/cart/count.ts';
import { GET as listRoute, POST as addRoute } from '#src/pages/api/cart.ts';
import { POST as directRoute } from '#src/pages/api/create-direct-payment.ts';
import { POST as intentRoute } from '#src/pages/api/create-payment-intent.ts';
import { GET as ordersRoute } from '#src/pages/api/orders.ts';
import { callRoute, SITE, signIn } from '../../support/api.ts';
import { claimByMail, enrollmentOf, type Guest, makeGuest, saveBuyer } from '../../support/guests.ts';
import {
  expectReconciled,
  itemsOfOrder,
  orderOf,
  type Payments,
  pay,
  startPayments,
  intentOf,
} from '../../support/payments.ts';

let payments: Payments;
beforeAll(async () => {
  payments = await startPayments();
});
afterAll(() => payments.close());

/** A bundle of new courses at these prices, in cents. */
async function makeBundle(priceCents: number, ...prices: number[]) {
  const made = [];
  for (const one of prices) made.push(await makeCourseForSale({ priceCents: one }));
  return { ...(await bundleOf(priceCents, made)), courses: made };
}

async function bundleOf(priceCents: number, made: readonly { id: number }[]) {
  const [bundle] = await db()
    .insert(bundles)
    .values({ title: `Bundle at ${priceCents}`, description: 'All of it.', priceCents, state: 'active' })
    .returning();
  await db()
    .insert(bundleCourses)
    .values(made.map(({ id }, position) => ({ bundleId: bundle!.id, position, courseId: id })));
  return bundle!;
}

type Session = Awaited<ReturnType<typeof signIn>>;
const add = (as: Session | null, body: unknown) => callRoute(addRoute, { as, body });
const listOf = async (as: Session) => (await callRoute(listRoute, { as })).body;
const checkOut = (as: Session, amount: number, more = {}) =>
  callRoute(intentRoute, { as, body: { amount, ...more } });
const directly = (guest: Guest, body: unknown, as: Session | null = null) =>
  callRoute(directRoute, {
    as,
    ip: guest.ip,
    cookies: guest.cookies,
    headers: { origin: SITE },
    body,
  }).then((answer) => {
    for (const [name, value] of answer.cookies) guest.cookies.set(name, value);
    return answer;
  });
/** Puts a bundle into a new buyer's cart and pays it. */
async function buy(bundle: { id: number; priceCents: number }) {
  const user = await makeUser({ emailVerifiedAt: new Date() });
  const as = await signIn(user);
  expect((await add(as, { bundleId: bundle.id })).status).toBe(200);
  const answer = await checkOut(as, bundle.priceCents / 100);
  expect(answer.status, answer.text).toBe(200);
  expect(await pay(payments, intentOf(answer))).toBe('succeeded');
  await payments.sandbox.control.settled();
  return { user, as, orderId: answer.body.orderId as number };
}

describe('a bundle in the cart', () => {
  it('is one row of the badge, holds its courses at their shares, and goes as one', async () => {
    const as = await signIn(await makeUser());
    const bundle = await makeBundle(5900, 2900, 2900, 2900);
    const added = await add(as, { bundleId: bundle.id });
    expect(added.status).toBe(200);
    expect(added.body.bundle).toEqual({ id: bundle.id, title: bundle.title, price: '59.00' });
    expect(added.body.notice).toBeUndefined();
    // Doubled, and in parallel: still one.
    const again = await Promise.all(Array.from({ length: 10 }, () => add(as, { bundleId: bundle.id })));
    expect(new Set(again.map(({ status }) => status))).toEqual(new Set([200]));
    const lines = await listOf(as);
    expect(
      lines.map((line: CartLine) => [line.course.price, line.course.originalPrice, line.unavailable]),
    ).toEqual([
      ['19.67', '29.00', null],
      ['19.67', '29.00', null],
      ['19.66', '29.00', null],
    ]);
    expect((await callRoute(countRoute, { as })).body).toEqual({ count: 1 });
    const removed = await callRoute(removeRoute, {
      method: 'DELETE',
      as,
      params: { courseId: String(bundle.courses[1]!.id) },
    });
    expect(removed.status).toBe(200);
    expect(await listOf(as)).toEqual([]);
  });

  it('takes the lines over that its courses had singly, keeps them where a course comes later, and says both', async () => {
    const user = await makeUser();
    const as = await signIn(user);
    const bundle = await makeBundle(5000, 2900, 2900);
    const [first, second] = bundle.courses;
    await add(as, { courseId: first!.id });
    expect((await add(as, { bundleId: bundle.id })).body.notice).toBe(
      `“${first!.title}” was in your cart already and is part of the bundle now.`,
    );
    const later = await add(as, { courseId: second!.id });
    expect(later.body.notice).toBe(
      `“${second!.title}” is in your cart already, with the bundle “${bundle.title}”.`,
    );
    expect(await db().$count(cartItems, eq(cartItems.userId, user.id))).toBe(2);
    const other = await bundleOf(5100, bundle.courses);
    const refused = await add(as, { bundleId: other.id });
    expect([refused.status, refused.body.message]).toEqual([
      409,
      `“${first!.title}” is in your cart with the bundle “${bundle.title}”. Please take that one out first.`,
    ]);
  });

  it('is refused to visitors, to who owns a course of it, where it is not offered, and beside a course', async () => {
    const user = await makeUser();
    const as = await signIn(user);
    const bundle = await makeBundle(5000, 2900, 2900, 100);
    const [owned, second, third] = bundle.courses;
    expect((await add(null, { bundleId: bundle.id })).status).toBe(401);
    expect((await add(as, { bundleId: 2_147_483_647 })).status).toBe(404);
    for (const body of [
      {},
      { bundleId: bundle.id, courseId: owned!.id },
      { bundleId: '1' },
      { bundleId: 0 },
    ]) {
      expect((await add(as, body)).status, JSON.stringify(body)).toBe(400);
    }
    await makeEnrollment(user.id, owned!.id);
    const refused = await add(as, { bundleId: bundle.id });
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      409,
      'already_owned',
      `You own “${owned!.title}” of “${bundle.title}” already. You can buy “${second!.title}” and “${third!.title}” singly.`,
    ]);
    const other = await signIn(await makeUser());
    await db().update(courses).set({ isActive: false }).where(eq(courses.id, third!.id));
    expect((await add(other, { bundleId: bundle.id })).status).toBe(404);
    expect((await callRoute(bundleRoute, { params: { id: String(bundle.id) } })).status).toBe(404);
  });

  it.each(['hidden', 'course hidden', 'course deleted', 'course owned', 'too dear', 'changed'])(
    'leaves the cart whole with a notice: %s',
    async (what) => {
      const user = await makeUser();
      const as = await signIn(user);
      const bundle = await makeBundle(5000, 2900, 2900);
      const [first, second] = bundle.courses;
      const single = await makeCourseForSale({ priceCents: 700 });
      await add(as, { courseId: single.id });
      await add(as, { bundleId: bundle.id });
      const hide = { state: 'hidden' as const };
      if (what === 'hidden') await db().update(bundles).set(hide).where(eq(bundles.id, bundle.id));
      if (what === 'course hidden')
        await db().update(courses).set({ isActive: false }).where(eq(courses.id, first!.id));
      if (what === 'course deleted') await deleteCourse({ id: null, name: 'test' }, first!.id);
      if (what === 'course owned') await makeEnrollment(user.id, first!.id);
      if (what === 'too dear')
        await db().update(courses).set({ priceCents: 2000 }).where(eq(courses.id, first!.id));
      if (what === 'changed') {
        const third = await makeCourseForSale();
        await db().insert(bundleCourses).values({ bundleId: bundle.id, position: 2, courseId: third.id });
      }
      const reason = what === 'course owned' ? 'owned' : 'hidden';
      const inBundle = (await listOf(as)).filter((line: CartLine) => line.bundle);
      expect(new Set(inBundle.map((line: CartLine) => line.unavailable))).toEqual(new Set([reason]));
      const answer = await checkOut(as, 7);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body.notices).toHaveLength(1);
      expect(answer.body.notices[0].reason).toBe(reason);
      expect(answer.body.notices[0].message).toBe(
        what === 'course owned'
          ? `You own “${first!.title}” of “${bundle.title}” already. You can buy “${second!.title}” singly. The bundle was taken out of your cart.`
          : `The bundle “${bundle.title}” is no longer offered as it was and was taken out of your cart.`,
      );
      expect((await listOf(as)).map((line: CartLine) => line.courseId)).toEqual([single.id]);
    },
  );
});

describe('a bought bundle', () => {
  it('is an order with a line for each course, named by receipt and order, and every course is open', async () => {
    const bundle = await makeBundle(10_001, 4900, 2900, 7900);
    const { user, as, orderId } = await buy(bundle);
    const items = await itemsOfOrder(orderId);
    expect(items.map((item) => [item.bundleId, item.bundleTitle])).toEqual(
      items.map(() => [bundle.id, bundle.title]),
    );
    expect(items.map((item) => item.priceCents)).toEqual([3121, 1847, 5033]);
    for (const { id } of bundle.courses) expect((await enrollmentOf(user.id, id))?.status).toBe('active');
    const [receipt] = await db().select().from(mailOutbox).where(eq(mailOutbox.recipient, user.email));
    expect(receipt!.text).toContain(`${bundle.courses[0]!.title} (bundle “${bundle.title}”)`);
    const [order] = (await callRoute(ordersRoute, { as })).body;
    expect(order.items.map((item: { bundle: string }) => item.bundle)).toEqual(items.map(() => bundle.title));
    expect(await listOf(as)).toEqual([]);
    await expectReconciled(payments);
  });

  it('two windows at once make one order and one charge', async () => {
    const bundle = await makeBundle(5000, 2900, 2900);
    const as = await signIn(await makeUser());
    await add(as, { bundleId: bundle.id });
    const answers = await Promise.all(Array.from({ length: 6 }, () => checkOut(as, 50)));
    expect(new Set(answers.map((answer) => answer.body.clientSecret)).size).toBe(1);
    expect((await checkOut(as, 58)).body.total).toBe('50.00');
  });

  it('takes a coupon as courses do, for one of its courses too', async () => {
    const bundle = await makeBundle(5000, 2900, 2900);
    const as = await signIn(await makeUser());
    const one = bundle.courses[0]!.id;
    await db()
      .insert(coupons)
      .values([
        { code: `HALF${bundle.id}`, kind: 'percent', percentOff: 50 },
        { code: `ONE${bundle.id}`, kind: 'percent', percentOff: 10, courseId: one },
      ]);
    const quote = (body: unknown, session: Session | null = as) =>
      callRoute(couponRoute, { as: session, body, headers: { origin: SITE } });
    expect((await quote({ code: `HALF${bundle.id}`, bundleId: bundle.id }, null)).body.total).toBe('25.00');
    expect((await quote({ code: `ONE${bundle.id}`, bundleId: bundle.id })).body.discount).toBe('2.50');
    expect((await quote({ code: `ONE${bundle.id}`, bundleId: bundle.id, courseId: one })).status).toBe(400);
    await add(as, { bundleId: bundle.id });
    expect((await quote({ code: `ONE${bundle.id}` })).body.total).toBe('47.50');
    const answer = await checkOut(as, 47.5, { couponCode: `ONE${bundle.id}` });
    expect(await pay(payments, intentOf(answer))).toBe('succeeded');
    await payments.sandbox.control.settled();
    const items = await itemsOfOrder(answer.body.orderId);
    expect(items.map((item) => [item.listPriceCents, item.priceCents])).toEqual([
      [2500, 2250],
      [2500, 2500],
    ]);
    await expectReconciled(payments);
  });

  it.each([2, 3, 4])(
    'refunds any of its %i courses by themselves, to the cent',
    { timeout: 120_000 },
    async (n) => {
      const bundle = await makeBundle(10_001, ...[4900, 2900, 7900, 3300].slice(0, n));
      if (bundle.priceCents >= bundle.courses.reduce((sum, one) => sum + one.priceCents, 0)) {
        await db().update(bundles).set({ priceCents: 7001 }).where(eq(bundles.id, bundle.id));
        bundle.priceCents = 7001;
      }
      for (let subset = 0; subset < 2 ** n; subset += 1) {
        const { user, orderId } = await buy(bundle);
        const items = await itemsOfOrder(orderId);
        const back = items.filter((_, index) => subset & (1 << index));
        for (const item of back) {
          await refundLine(orderId, item.id, { reason: 'asked for it', source: 'admin' });
        }
        await payments.sandbox.control.settled();
        const order = await orderOf(orderId);
        expect(order.refundedCents).toBe(back.reduce((sum, item) => sum + item.priceCents, 0));
        expect(order.status).toBe(
          back.length === 0 ? 'completed' : back.length === n ? 'refunded' : 'partially_refunded',
        );
        for (const item of items) {
          const access = await enrollmentOf(user.id, item.courseId);
          expect(access?.status).toBe(back.includes(item) ? 'revoked' : 'active');
        }
      }
      await expectReconciled(payments);
    },
  );
});

describe('a bundle bought directly', () => {
  it('by a guest, who claims all of it, once', async () => {
    const bundle = await makeBundle(5000, 2900, 2900);
    const guest = makeGuest();
    const wrong = await directly(guest, { bundleId: bundle.id, amount: 58 });
    expect([wrong.status, wrong.body.total]).toEqual([409, '50.00']);
    const answer = await directly(guest, { bundleId: bundle.id, amount: 50 });
    expect([answer.status, answer.body.buyer]).toEqual([200, 'guest']);
    expect((await saveBuyer(guest, intentOf(answer))).status).toBe(200);
    expect(await pay(payments, intentOf(answer))).toBe('succeeded');
    await payments.sandbox.control.settled();
    // The same browser again: the order that it paid, not a second one.
    const again = await directly(guest, { bundleId: bundle.id, amount: 50 });
    expect(again.body).toMatchObject({ status: 'completed', orderId: answer.body.orderId });
    // Another bundle with one of the courses: refused, with the way on.
    const other = await bundleOf(3000, [
      bundle.courses[0]!,
      await makeCourseForSale({ title: 'Another one' }),
    ]);
    const partly = await directly(guest, { bundleId: other.id, amount: 30 });
    expect([partly.status, partly.body.code]).toEqual([409, 'already_owned']);
    expect(partly.body.message).toContain('You can buy “Another one” singly.');
    const claimed = await claimByMail(guest);
    expect(claimed.body.courseIds.toSorted()).toEqual(bundle.courses.map(({ id }) => id).toSorted());
    await expectReconciled(payments);
  });

  it('needs exactly one thing, and refuses its owner', async () => {
    const bundle = await makeBundle(5000, 2900, 2900);
    const guest = makeGuest();
    const both = { bundleId: bundle.id, courseId: bundle.courses[0]!.id, amount: 50 };
    expect((await directly(guest, both)).status).toBe(400);
    expect((await directly(guest, { amount: 50 })).status).toBe(400);
    expect((await directly(guest, { bundleId: 2_147_483_647, amount: 50 })).status).toBe(404);
    const user = await makeUser();
    await makeEnrollment(user.id, bundle.courses[0]!.id);
    const owner = await directly(guest, { bundleId: bundle.id, amount: 50 }, await signIn(user));
    expect([owner.status, owner.body.code, owner.body.owned]).toEqual([
      409,
      'already_owned',
      [bundle.courses[0]!.id],
    ]);
  });
});

describe('the bundles of administrators', () => {
  const input = (courseIds: number[], more = {}) => ({
    title: 'Both',
    description: 'Two at one price.',
    price: '50.00',
    courseIds,
    state: 'active',
    ...more,
  });

  it('are made, changed, listed and deleted, each audited', async () => {
    const admin = await makeAdmin();
    const as = await signIn(admin);
    const [a, b, c] = [await makeCourseForSale(), await makeCourseForSale(), await makeCourseForSale()];
    const made = await callRoute(createRoute, { as, body: input([b!.id, a!.id]) });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({
      price: '50.00',
      singly: '98.00',
      saving: '48.00',
      notOffered: null,
      orders: 0,
    });
    expect(made.body.courses.map((course: { id: number }) => course.id)).toEqual([b!.id, a!.id]);
    const params = { id: String(made.body.id) };
    const changed = await callRoute(updateRoute, {
      method: 'PUT',
      as,
      params,
      body: input([a!.id, c!.id], { price: '60', state: 'hidden' }),
    });
    expect(changed.body).toMatchObject({ price: '60.00', notOffered: 'Hidden', orders: 0 });
    const list = await callRoute(adminListRoute, { as });
    expect(list.body.find((one: AdminBundle) => one.id === made.body.id).courses).toHaveLength(2);
    expect((await callRoute(deleteRoute, { method: 'DELETE', as, params })).status).toBe(200);
    expect((await callRoute(deleteRoute, { method: 'DELETE', as, params })).status).toBe(404);
    expect(
      (await callRoute(updateRoute, { method: 'PUT', as, params, body: input([a!.id, b!.id]) })).status,
    ).toBe(404);
    const audited = await db()
      .select()
      .from(auditLog)
      .where(eq(auditLog.actorId, admin.id))
      .orderBy(auditLog.id);
    expect(audited.map(({ action }) => action)).toEqual([
      'bundle.created',
      'bundle.updated',
      'bundle.deleted',
    ]);
  });

  it('refuse what cannot be, by field, and to everybody else', async () => {
    const as = await signIn(await makeAdmin());
    const [a, b] = [await makeCourseForSale(), await makeCourseForSale()];
    const ids = [a!.id, b!.id];
    const many = Array.from({ length: 21 }, (_, index) => index + 1);
    for (const [field, body] of [
      ['price', input(ids, { price: '98.00' })],
      ['price', input(ids, { price: '0.49' })],
      ['price', input(ids, { price: 'ten' })],
      ['courseIds', input([a!.id])],
      ['courseIds', input([a!.id, a!.id])],
      ['courseIds', input(many)],
      ['courseIds', input([a!.id, 2_147_483_647])],
      ['title', input(ids, { title: ' ' })],
      ['state', input(ids, { state: 'gone' })],
    ] as const) {
      const answer = await callRoute(createRoute, { as, body });
      expect([answer.status, Object.keys(answer.body.fields)], answer.text).toEqual([400, [field]]);
    }
    const student = await signIn(await makeUser());
    expect((await callRoute(createRoute, { as: student, body: input(ids) })).status).toBe(403);
    expect((await callRoute(createRoute, { body: input(ids), headers: { origin: SITE } })).status).toBe(401);
  });

  it('keep one that was sold', async () => {
    const bundle = await makeBundle(5000, 2900, 2900);
    await buy(bundle);
    const as = await signIn(await makeAdmin());
    const refused = await callRoute(deleteRoute, { method: 'DELETE', as, params: { id: String(bundle.id) } });
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'There are orders of this bundle. Hide it instead.',
    ]);
    expect(await db().$count(orderItems, eq(orderItems.bundleId, bundle.id))).toBe(2);
  });
});
