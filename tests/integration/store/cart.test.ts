import { eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { db, sqlClient } from '#db/client.ts';
import { makeCourseForSale, makeEnrollment, makeUser } from '../../support/factories.ts';
import { courses } from '#db/schema/catalogue.ts';
import { cartItems } from '#db/schema/store.ts';
import { CART_LINES_MAX } from '#src/features/store/cart/cart.ts';
import { courseStates } from '#src/features/store/cart/cart.server.ts';
import { DELETE as removeRoute } from '#src/pages/api/cart/[courseId].ts';
import { GET as countRoute } from '#src/pages/api/cart/count.ts';
import { GET as listRoute, POST as addRoute } from '#src/pages/api/cart.ts';
import { callRoute, signIn } from '../../support/api.ts';

const add = (as: Awaited<ReturnType<typeof signIn>> | null, courseId: unknown) =>
  callRoute(addRoute, { as, body: { courseId } });
const remove = (as: Awaited<ReturnType<typeof signIn>>, courseId: string) =>
  callRoute(removeRoute, { method: 'DELETE', as, params: { courseId } });

describe('the cart', () => {
  it('holds a course once, with the full course in its list', async () => {
    const user = await makeUser();
    const as = await signIn(user);
    const course = await makeCourseForSale({ priceCents: 4900, originalPriceCents: 9900 });
    const first = await add(as, course.id);
    expect(first.status).toBe(200);
    expect((await add(as, course.id)).body.id).toBe(first.body.id);
    const list = await callRoute(listRoute, { as });
    expect(list.body).toHaveLength(1);
    expect(list.body[0]).toMatchObject({
      userId: user.id,
      courseId: course.id,
      unavailable: null,
      course: { id: course.id, title: course.title, price: '49.00', originalPrice: '99.00' },
    });
    expect(list.body[0].course.category).toEqual({ id: 1, name: 'Programming' });
    // The badge of every page needs the number alone.
    expect((await callRoute(countRoute, { as })).body).toEqual({ count: 1 });
  });

  it('P44: twenty additions of one course at once make one line', async () => {
    const user = await makeUser();
    const as = await signIn(user);
    const course = await makeCourseForSale();
    const answers = await Promise.all(Array.from({ length: 20 }, () => add(as, course.id)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(await db().$count(cartItems, eq(cartItems.userId, user.id))).toBe(1);
  });

  it('P45: takes a limited number of lines, in parallel too', async () => {
    const user = await makeUser();
    const as = await signIn(user);
    const many = await Promise.all(Array.from({ length: CART_LINES_MAX + 5 }, () => makeCourseForSale()));
    await db()
      .insert(cartItems)
      .values(many.slice(0, CART_LINES_MAX - 2).map((course) => ({ userId: user.id, courseId: course.id })));
    const answers = await Promise.all(many.slice(CART_LINES_MAX - 2).map((course) => add(as, course.id)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(2);
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(5);
    expect(await db().$count(cartItems, eq(cartItems.userId, user.id))).toBe(CART_LINES_MAX);
  });

  it('refuses an owned course with the specified words', async () => {
    const user = await makeUser();
    const course = await makeCourseForSale();
    await makeEnrollment(user.id, course.id);
    const answer = await add(await signIn(user), course.id);
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({
      code: 'already_owned',
      message: 'You are already enrolled in this course',
    });
  });

  it('does not know hidden and missing courses', async () => {
    const as = await signIn(await makeUser());
    const hidden = await makeCourseForSale({ isActive: false });
    expect((await add(as, hidden.id)).status).toBe(404);
    expect((await add(as, 2_147_483_647)).status).toBe(404);
  });

  it('does not know a course that is deleted while it is added', async () => {
    const as = await signIn(await makeUser());
    const course = await makeCourseForSale();
    const administrator = await sqlClient().reserve();
    await administrator`begin`;
    await administrator`delete from courses where id = ${course.id}`;
    const adding = add(as, course.id);
    await vi.waitFor(async () => {
      const waiting =
        await administrator`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      expect(waiting).toHaveLength(1);
    }, 20_000);
    await administrator`commit`;
    administrator.release();
    expect(await adding).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it.each([[0], [-1], [1.5], ['7'], [null], [2_147_483_648], [[1]], [{}]])(
    'refuses the id %j',
    async (id) => {
      expect((await add(await signIn(await makeUser()), id)).status).toBe(400);
    },
  );

  it('is for signed-in visitors only', async () => {
    expect((await add(null, 1)).status).toBe(401);
    expect((await callRoute(listRoute)).status).toBe(401);
    expect((await callRoute(countRoute)).status).toBe(401);
  });

  it('loses a removed course, and minds neither a repeat nor a strange id', async () => {
    const user = await makeUser();
    const other = await makeUser();
    const as = await signIn(user);
    const course = await makeCourseForSale();
    await add(as, course.id);
    await add(await signIn(other), course.id);
    expect((await remove(as, String(course.id))).body).toEqual({ success: true });
    expect((await remove(as, String(course.id))).status).toBe(200);
    expect((await remove(as, 'x')).status).toBe(404);
    expect(await db().$count(cartItems, eq(cartItems.courseId, course.id))).toBe(1);
  });

  it('keeps a line whose course was hidden, marked and without its description', async () => {
    const as = await signIn(await makeUser());
    const course = await makeCourseForSale();
    await add(as, course.id);
    await db().update(courses).set({ isActive: false }).where(eq(courses.id, course.id));
    const [line] = (await callRoute(listRoute, { as })).body;
    expect(line).toMatchObject({ unavailable: 'hidden', course: { title: course.title, description: '' } });
  });
});

describe('the state of a course', () => {
  it('follows cart and enrollment', async () => {
    const user = await makeUser();
    const course = await makeCourseForSale();
    await makeCourseForSale();
    const stateOf = async () => Object.fromEntries(await courseStates(user));
    expect(await courseStates(null)).toEqual(new Map());
    expect(await stateOf()).toEqual({});
    await db().insert(cartItems).values({ userId: user.id, courseId: course.id });
    expect(await stateOf()).toEqual({ [course.id]: 'in-cart' });
    await makeEnrollment(user.id, course.id);
    expect(await stateOf()).toEqual({ [course.id]: 'enrolled' });
  });

  it('is not enrolled while the enrollment is revoked', async () => {
    const user = await makeUser();
    const course = await makeCourseForSale();
    await makeEnrollment(user.id, course.id, { status: 'revoked' });
    expect(await courseStates(user)).toEqual(new Map());
  });
});
