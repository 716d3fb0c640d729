import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { bundleCourses, bundles, cartItems, coupons } from '#db/schema/store.ts';
import { thingsWithSeats } from '#src/features/organisations/orders/organisation-orders.server.ts';
import { findForSale } from '#src/features/store/checkout/direct/for-sale.server.ts';
import { POST as couponRoute } from '#src/pages/api/apply-coupon.ts';
import { GET as listRoute, POST as addRoute } from '#src/pages/api/cart.ts';
import { POST as directRoute } from '#src/pages/api/create-direct-payment.ts';
import { POST as openRoute } from '#src/pages/api/organisations.ts';
import { POST as invoiceRoute } from '#src/pages/api/organisations/[id]/invoice.ts';
import { POST as payRoute } from '#src/pages/api/organisations/[id]/payment.ts';
import { callRoute, signIn } from '../../support/api.ts';
import { makeCourse, makeCourseForSale, makeLesson, makeUser } from '../../support/factories.ts';
import { makeGuest, startDirect } from '../../support/guests.ts';
import { createIntent, makeBuyer, type Payments, startPayments } from '../../support/payments.ts';

const SENTENCE = 'This course opens later: it has no lessons yet.';
const REFUSED = { code: 'conflict', message: SENTENCE };

let payments: Payments;
beforeAll(async () => {
  payments = await startPayments();
});
afterAll(() => payments.close());

it('a course without lessons enters no cart, until it has one', async () => {
  const as = await signIn(await makeUser());
  const course = await makeCourse();
  const answer = await callRoute(addRoute, { as, body: { courseId: course.id } });
  expect(answer).toMatchObject({ status: 409, body: REFUSED });
  await makeLesson(course.id);
  expect((await callRoute(addRoute, { as, body: { courseId: course.id } })).status).toBe(200);
});

it('a course that lost its lessons leaves the cart at checkout, and the others are sold', async () => {
  const buyer = await makeBuyer(4900, 1000);
  const [gone] = buyer.courses;
  await db().delete(lessons).where(eq(lessons.courseId, gone!.id));
  const { body } = await callRoute(listRoute, { as: buyer.session });
  expect(body.map((line: { unavailable: string | null }) => line.unavailable)).toEqual(['later', null]);
  const answer = await createIntent(buyer, 10);
  expect(answer).toMatchObject({ status: 200, body: { total: '10.00' } });
  expect(answer.body.notices).toEqual([
    {
      courseId: gone!.id,
      reason: 'later',
      message: `“${gone!.title}” was taken out of your cart. ${SENTENCE}`,
    },
  ]);
  expect(await db().$count(cartItems, eq(cartItems.userId, buyer.user.id))).toBe(1);
});

it('a cart of nothing but such a course cannot be paid', async () => {
  const buyer = await makeBuyer(4900);
  await db().delete(lessons).where(eq(lessons.courseId, buyer.courses[0]!.id));
  expect(await createIntent(buyer, 49)).toMatchObject({ status: 409, body: REFUSED });
});

it('the direct checkout and its coupons refuse it to guests and accounts, and the page says why', async () => {
  const course = await makeCourse();
  const [coupon] = await db()
    .insert(coupons)
    .values({ code: `LATER${course.id}`, kind: 'percent', percentOff: 100 })
    .returning();
  expect(await startDirect(makeGuest(), course.id, 49)).toMatchObject({ status: 409, body: REFUSED });
  const as = await signIn(await makeUser());
  const body = { courseId: course.id, amount: 0, couponCode: coupon!.code };
  expect(await callRoute(directRoute, { as, body })).toMatchObject({ status: 409, body: REFUSED });
  const quote = { courseId: course.id, code: coupon!.code };
  expect(await callRoute(couponRoute, { as, body: quote })).toMatchObject({ status: 409, body: REFUSED });
  expect(await findForSale(String(course.id), null)).toMatchObject({ later: true });
  await makeLesson(course.id);
  expect(await findForSale(String(course.id), null)).toMatchObject({ later: false });
  expect((await startDirect(makeGuest(), course.id, 49)).status).toBe(200);
});

it('a free course without lessons can be taken, and a hidden one is not found', async () => {
  const as = await signIn(await makeUser());
  const free = await makeCourse({ priceCents: 0 });
  const body = { courseId: free.id, amount: 0 };
  expect((await callRoute(directRoute, { as, body })).status).toBe(200);
  const hidden = await makeCourse({ isActive: false });
  expect((await startDirect(makeGuest(), hidden.id, 49)).status).toBe(404);
});

it('companies get no seats of it, by card or by invoice', async () => {
  const as = await signIn(await makeUser({ emailVerifiedAt: new Date() }));
  const { id } = (await callRoute(openRoute, { as, body: { name: 'Example Ltd' } })).body;
  const course = await makeCourse();
  const billing = {
    company: 'Example Ltd',
    address: 'Way 1',
    country: 'DE',
    purchaseOrder: '',
    costCentre: '',
  };
  const body = { lines: [{ courseId: course.id, seats: 2 }], amount: '98.00', billing };
  for (const route of [payRoute, invoiceRoute]) {
    const answer = await callRoute(route, { as, params: { id: String(id) }, body });
    expect(answer).toMatchObject({ status: 409, body: REFUSED });
  }
  expect((await thingsWithSeats()).map(({ courseId }) => courseId)).not.toContain(course.id);
});

it('a bundle with it is not offered', async () => {
  const made = [await makeCourseForSale(), await makeCourse()];
  const [bundle] = await db()
    .insert(bundles)
    .values({ title: 'Both', description: 'All of it.', priceCents: 5000, state: 'active' })
    .returning();
  await db()
    .insert(bundleCourses)
    .values(made.map(({ id }, position) => ({ bundleId: bundle!.id, position, courseId: id })));
  const as = await signIn(await makeUser());
  const add = () => callRoute(addRoute, { as, body: { bundleId: bundle!.id } });
  expect((await add()).status).toBe(404);
  await makeLesson(made[1]!.id);
  expect((await add()).status).toBe(200);
});
