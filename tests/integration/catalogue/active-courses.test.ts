import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import {
  makeAdmin,
  makeCategories,
  makeCourse,
  makeEnrollment,
  makeLesson,
  makeUser,
} from '../../support/factories.ts';
import { courseCounts, courses } from '#db/schema/catalogue.ts';
import { cartItems } from '#db/schema/store.ts';
import { findCoursePage } from '#src/features/catalogue/course-page/course-page.server.ts';
import { listCourses } from '#src/features/catalogue/search/search.server.ts';
import { suggest } from '#src/features/catalogue/search/suggestions.server.ts';
import { GET as readCart, POST as addToCart } from '#src/pages/api/cart.ts';
import { GET as list } from '#src/pages/api/courses.ts';
import { GET as one } from '#src/pages/api/courses/[id].ts';
import { POST as payDirectly } from '#src/pages/api/create-direct-payment.ts';
import { GET as lesson } from '#src/pages/api/lessons/[id].ts';
import { GET as sitemap } from '#src/pages/sitemap.xml.ts';
import { callRoute, signIn } from '../../support/api.ts';

type Course = Awaited<ReturnType<typeof makeCourse>>;

const TITLE = 'Zymurgy for Beginners';
let wanted: Course;
let neighbour: Course;
let previewId: number;

beforeAll(async () => {
  await makeCategories();
  neighbour = await makeCourse({ categoryId: 4, title: 'Neighbour' });
  wanted = await makeCourse({ categoryId: 4, title: TITLE });
  previewId = (await makeLesson(wanted.id, { isPreview: true })).id;
  // More than are shown beside a course, and newer: one that is hidden takes the place of none that is not.
  for (let made = 0; made < 6; made += 1) await makeCourse({ categoryId: 4, isActive: false });
});

const setActive = (isActive: boolean) =>
  db().update(courses).set({ isActive }).where(eq(courses.id, wanted.id));
const inPath = {
  params: {
    get id() {
      return String(wanted.id);
    },
  },
};

/** In which places of the store a course is found; each by the text or the status that shows it. */
async function places(): Promise<Record<string, boolean>> {
  const buyer = await signIn(await makeUser());
  const [counts] = await db().select().from(courseCounts).where(eq(courseCounts.categoryId, 4));
  const direct = { method: 'POST', body: { courseId: wanted.id, amount: 49 } };
  return {
    catalogue: (await callRoute(list, { path: '/api/courses?category=4' })).text.includes(TITLE),
    search: (await listCourses({ search: 'zymurgy', sort: 'popular', page: 1, pageSize: 10 })).total === 1,
    suggestions: (await suggest('zymur')).courses.length === 1,
    counts: counts!.courses === 2,
    page: (await findCoursePage(wanted.id, null)) !== null,
    call: (await callRoute(one, inPath)).status === 200,
    related: (await findCoursePage(neighbour.id, null))!.related.some(({ id }) => id === wanted.id),
    cart:
      (await callRoute(addToCart, { method: 'POST', as: buyer, body: { courseId: wanted.id } })).status ===
      200,
    // No provider answers in this test: it is asked only for a course that is for sale.
    direct: (await callRoute(payDirectly, direct)).status !== 404,
    preview: (await callRoute(lesson, { params: { id: String(previewId) } })).status === 200,
    sitemap: await ((await sitemap({} as never)) as Response)
      .text()
      .then((text) => text.includes(`/courses/${wanted.id}<`)),
  };
}

describe('a course', () => {
  it('is in every place of the store while it is active, whatever is proven of it, and in none otherwise', async () => {
    const active = await places();
    expect(Object.entries(active).filter(([, found]) => !found)).toEqual([]);
    await setActive(false);
    const hidden = await places();
    expect(Object.entries(hidden).filter(([, found]) => found)).toEqual([]);
    await setActive(true);
  });

  it('that is hidden stays with its owners, tells administrators what is not proven, and leaves a cart that has it with a notice', async () => {
    const [owner, shopper, admin] = [await makeUser(), await makeUser(), await makeAdmin()];
    await makeEnrollment(owner.id, wanted.id);
    await db().insert(cartItems).values({ userId: shopper.id, courseId: wanted.id });
    await setActive(false);
    const own = await callRoute(one, { ...inPath, as: await signIn(owner) });
    expect([own.status, own.body.isActive, own.body.unproven]).toEqual([200, false, undefined]);
    const seen = await callRoute(one, { ...inPath, as: await signIn(admin) });
    expect(seen.body).toMatchObject({
      isActive: false,
      unproven: [{ code: 'not_checked', lessonId: previewId }],
    });
    const all = await callRoute(list, { path: '/api/courses?includeHidden=true', as: await signIn(admin) });
    expect(all.body.find(({ id }: Course) => id === wanted.id)).toMatchObject({
      isActive: false,
      unproven: [{ code: 'not_checked' }],
    });
    expect(all.body.find(({ id }: Course) => id === neighbour.id)).toMatchObject({
      isActive: true,
      unproven: [{ code: 'no_lessons' }],
    });
    const cart = await callRoute(readCart, { as: await signIn(shopper) });
    expect(cart.body).toMatchObject([{ courseId: wanted.id, unavailable: 'hidden' }]);
    await setActive(true);
  });
});
