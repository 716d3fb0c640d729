import { eq, inArray } from 'drizzle-orm';
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
import { courses } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import { findCourse } from '#src/features/catalogue/catalogue.server.ts';
import { listCoursesCall } from '#src/features/catalogue/schema.ts';
import { listCourses } from '#src/features/catalogue/search/search.server.ts';
import * as categoriesRoute from '#src/pages/api/categories.ts';
import * as courseRoute from '#src/pages/api/courses/[id].ts';
import * as coursesRoute from '#src/pages/api/courses.ts';
import { type CallOptions, callRoute, signIn } from '../../support/api.ts';

const list = (query = '', options: CallOptions = {}) =>
  callRoute(coursesRoute.GET, { path: `/api/courses${query}`, ...options });
const detail = (id: unknown, options: CallOptions = {}) =>
  callRoute(courseRoute.GET, { path: `/api/courses/${id}`, params: { id: String(id) }, ...options });
const titles = (answer: { body: { title: string }[] }) => answer.body.map(({ title }) => title);

beforeAll(async () => {
  await makeCategories();
  await makeCourse({
    title: 'Python for Everyone',
    description: 'Automate reports with scripts.',
    priceCents: 3900,
    originalPriceCents: 5900,
    studentsCount: 30,
    rating: '4.50',
    categoryId: 1,
  });
  await makeCourse({
    title: 'Advanced SQL',
    priceCents: 5900,
    studentsCount: 50,
    rating: '3.25',
    level: 'advanced',
  });
  await makeCourse({ title: 'Brand Basics', priceCents: 0, studentsCount: 10, categoryId: 4, rating: '5' });
  await makeCourse({ title: 'Hidden Gem', studentsCount: 99, isActive: false });
});

describe('GET /api/categories', () => {
  it('lists the five of the footer (decision 28)', async () => {
    const answer = await callRoute(categoriesRoute.GET);
    expect(answer.status).toBe(200);
    expect(answer.body.map(({ id, name }: { id: number; name: string }) => [id, name])).toEqual([
      [1, 'Programming'],
      [2, 'Business'],
      [3, 'Design'],
      [4, 'Marketing'],
      [5, 'Photography'],
    ]);
  });
});

describe('GET /api/courses', () => {
  it('answers a plain list in the shape of spec 3', async () => {
    const answer = await list('?search=python');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual([
      {
        id: expect.any(Number),
        title: 'Python for Everyone',
        description: 'Automate reports with scripts.',
        thumbnail: '/favicon.svg',
        price: '39.00',
        originalPrice: '59.00',
        duration: '12 hours',
        level: 'beginner',
        rating: 4.5,
        studentsCount: 30,
        createdBy: null,
        categoryId: 1,
        isActive: true,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        category: { id: 1, name: 'Programming' },
        createdByUser: null,
        content: [],
      },
    ]);
  });

  it('sends what the call promises, lessons included, and no other column', async () => {
    const author = await makeUser();
    const course = await makeCourse({ title: 'Quilts of “Ohio”\n', categoryId: 2, createdBy: author.id });
    await makeLesson(course.id, { title: 'A first patch', instructions: 'Not for a list' });
    const { body } = await list('?category=2');
    expect(body).toMatchObject([
      {
        title: course.title,
        createdByUser: { username: author.username },
        content: [{ title: 'A first patch' }],
      },
    ]);
    // The contract leaves out what it does not name.
    expect(listCoursesCall.output.parse(body)).toEqual(body);
    expect((await list('?category=2&page=9')).body).toEqual([]);
    await db().delete(courses).where(eq(courses.id, course.id));
  });

  it('orders by each of the five sorts, by popularity where none is said', async () => {
    expect(titles(await list())).toEqual(['Advanced SQL', 'Python for Everyone', 'Brand Basics']);
    expect(titles(await list('?sort=popular'))).toEqual(titles(await list()));
    expect(titles(await list('?sort=rating'))).toEqual([
      'Brand Basics',
      'Python for Everyone',
      'Advanced SQL',
    ]);
    expect(titles(await list('?sort=newest'))).toEqual([
      'Brand Basics',
      'Advanced SQL',
      'Python for Everyone',
    ]);
    expect(titles(await list('?sort=price-low'))).toEqual([
      'Brand Basics',
      'Python for Everyone',
      'Advanced SQL',
    ]);
    expect(titles(await list('?sort=price-high'))).toEqual([
      'Advanced SQL',
      'Python for Everyone',
      'Brand Basics',
    ]);
  });

  it('filters by category and by level in any case', async () => {
    expect(titles(await list('?category=4'))).toEqual(['Brand Basics']);
    expect(titles(await list('?level=ADVANCED'))).toEqual(['Advanced SQL']);
    expect(titles(await list('?level=advanced&category=4'))).toEqual([]);
  });

  it('searches title and description, forms of a word and parts of a title', async () => {
    expect(titles(await list('?search=automating'))).toEqual(['Python for Everyone']);
    expect(titles(await list('?search=PYTH'))).toEqual(['Python for Everyone']);
    // No course has both; each has one of them.
    expect(titles(await list('?search=python+sql')).sort()).toEqual(['Advanced SQL', 'Python for Everyone']);
    expect(titles(await list('?search=welding'))).toEqual([]);
  });

  it('pages, and says how many there are and where the neighbors are (decision 43)', async () => {
    const answer = await list('?pageSize=1&page=2&sort=newest');
    expect(titles(answer)).toEqual(['Advanced SQL']);
    expect(answer.headers.get('x-total-count')).toBe('3');
    const link = answer.headers.get('link')!;
    expect(link).toContain('<http://localhost:4321/api/courses?pageSize=1&page=1&sort=newest>; rel="prev"');
    expect(link).toContain('<http://localhost:4321/api/courses?pageSize=1&page=3&sort=newest>; rel="next"');
    expect((await list('?page=99')).body).toEqual([]);
    expect((await list('?page=2147483647&pageSize=200')).status).toBe(200);
  });

  it('gives all of a thousand courses within a second, unless a page is asked for', async () => {
    const [first] = await db().select().from(courses).limit(1);
    const { id: _, ...one } = first!;
    const made = await db()
      .insert(courses)
      .values(
        Array.from({ length: 1000 }, (__, index) => ({
          ...one,
          isActive: true,
          title: `Course ${index}`,
          description: 'A sentence of a course. '.repeat(80),
        })),
      )
      .returning({ id: courses.id });
    await list();
    const begun = performance.now();
    const answer = await list();
    expect(performance.now() - begun).toBeLessThan(1000);
    expect(answer.body).toHaveLength(1003);
    expect(answer.headers.get('link')).not.toContain('next');
    expect((await list('?page=2')).body).toHaveLength(100);
    expect((await list('?pageSize=500')).body).toHaveLength(200);
    await db()
      .delete(courses)
      .where(
        inArray(
          courses.id,
          made.map(({ id }) => id),
        ),
      );
  });

  it('takes the default for an unknown sort, level, category or page, whatever it says (N1, N3)', async () => {
    for (const value of [
      "' or 1=1 --",
      '1;drop table courses',
      'price_cents desc',
      '-1',
      '1e3',
      '2147483648',
    ])
      for (const name of ['sort', 'level', 'category', 'page', 'pageSize']) {
        const answer = await list(`?${name}=${encodeURIComponent(value)}`);
        expect([name, value, answer.status, answer.body.length]).toEqual([name, value, 200, 3]);
      }
  });

  it('finds nothing, and breaks nothing, by SQL, patterns and operators in a search (N1)', async () => {
    for (const search of [
      "'; drop table courses; --",
      '%',
      '_',
      '\\',
      '"',
      '&|!():*<->',
      "' union select 1 --",
    ]) {
      const answer = await list(`?search=${encodeURIComponent(search)}`);
      expect([search, answer.status, titles(answer)]).toEqual([search, 200, []]);
    }
    expect((await list()).body).toHaveLength(3);
  });

  it('cuts a search of 10 KB and refuses one that cannot be stored (N2, N4)', async () => {
    expect((await list(`?search=${'a'.repeat(10_240)}`)).status).toBe(200);
    for (const name of ['search', 'sort', 'level', 'category', 'page', 'includeHidden']) {
      const answer = await list(`?${name}=a%00b`);
      expect([name, answer.status, answer.body.code]).toEqual([name, 400, 'invalid_input']);
    }
    expect((await list('?search=%E2%80%AE%F0%9F%98%80')).status).toBe(200);
  });

  it('lists hidden courses for administrators alone (I7, decision 29)', async () => {
    const student = await signIn(await makeUser());
    const admin = await signIn(await makeAdmin());
    expect(titles(await list('?includeHidden=true'))).not.toContain('Hidden Gem');
    expect(titles(await list('?includeHidden=true', { as: student }))).not.toContain('Hidden Gem');
    expect(titles(await list('', { as: admin }))).not.toContain('Hidden Gem');
    expect(titles(await list('?includeHidden=true', { as: admin }))[0]).toBe('Hidden Gem');
    expect(titles(await list('?search=gem'))).toEqual([]);
  });

  it('never shows a course on two pages', async () => {
    const category = 5;
    for (let index = 0; index < 7; index += 1) await makeCourse({ categoryId: category });
    const seen = new Set<number>();
    for (const page of [1, 2, 3, 4]) {
      for (const row of (await listCourses({ category, page, pageSize: 2 })).rows) seen.add(row.id);
    }
    expect(seen.size).toBe(7);
    await db().delete(courses).where(eq(courses.categoryId, category));
  });
});

describe('GET /api/courses/{id}', () => {
  it('gives the outline to everyone and bodies to those who may read them (decision 32, I2)', async () => {
    const admin = await makeAdmin({ username: 'Ada Admin' });
    const course = await makeCourse({ title: 'With lessons', categoryId: 2, createdBy: admin.id });
    await makeLesson(course.id, {
      title: 'Second',
      order: 2,
      content: 'secret text',
      solution: 'the solution',
    });
    await makeLesson(course.id, { title: 'First', order: 1, content: 'free text', isPreview: true });
    await makeLesson(course.id, {
      title: 'Third',
      order: 3,
      type: 'interactive_coding',
      codingLanguage: 'python',
      solution: 'the solution',
      testCases: [
        { input: 'f(1)', expectedOutput: '2', description: 'one' },
        { input: 'f(hidden)', expectedOutput: 'hidden answer', description: 'the edge', hidden: true },
      ],
    });
    const visitor = await detail(course.id);
    expect(visitor.status).toBe(200);
    expect(visitor.body.createdByUser).toEqual({ username: 'Ada Admin' });
    expect(visitor.body.content.map(({ title }: { title: string }) => title)).toEqual([
      'First',
      'Second',
      'Third',
    ]);
    expect(visitor.body.content[0].content).toBe('free text');
    expect(visitor.body.content[1]).not.toHaveProperty('content');
    expect(visitor.text).not.toMatch(/secret text|the solution|hidden|f\(1\)/);

    const stranger = await detail(course.id, { as: await signIn(await makeUser()) });
    expect(stranger.text).toBe(visitor.text);

    const learner = await makeUser();
    await makeEnrollment(learner.id, course.id);
    const enrolled = await detail(course.id, { as: await signIn(learner) });
    expect(enrolled.body.content[1].content).toBe('secret text');
    expect(enrolled.body.content[2].testCases).toEqual([
      { input: 'f(1)', expectedOutput: '2', description: 'one' },
      { description: 'the edge', hidden: true },
    ]);
    expect(enrolled.text).not.toMatch(/the solution|hidden answer|f\(hidden\)/);

    const asAdmin = await detail(course.id, { as: await signIn(admin) });
    expect(asAdmin.body.content[2].testCases[1].expectedOutput).toBe('hidden answer');

    await db().update(enrollments).set({ status: 'revoked' }).where(eq(enrollments.userId, learner.id));
    expect((await detail(course.id, { as: await signIn(learner) })).text).toBe(visitor.text);
  });

  it('hides a hidden course from all but its owners and administrators (I8, decision 29)', async () => {
    const course = await makeCourse({ isActive: false, categoryId: 3 });
    const learner = await makeUser();
    await makeEnrollment(learner.id, course.id);
    const missing = await detail(2_000_000_000);
    const hidden = await detail(course.id);
    expect([missing.status, missing.body.message]).toEqual([404, 'Course not found']);
    expect([hidden.status, hidden.body.message, hidden.body.code]).toEqual([
      404,
      'Course not found',
      'not_found',
    ]);
    expect((await detail(course.id, { as: await signIn(await makeUser()) })).status).toBe(404);
    expect((await detail(course.id, { as: await signIn(learner) })).status).toBe(200);
    expect((await detail(course.id, { as: await signIn(await makeAdmin()) })).status).toBe(200);
    expect(await findCourse(course.id, null)).toBeNull();
  });

  it('answers 404 for every id that names nothing (N3)', async () => {
    for (const id of [
      '2147483648',
      '-1',
      '0',
      '1.5',
      '1e3',
      'NaN',
      'abc',
      '٣',
      ' 1',
      '9'.repeat(10_240),
      '1%00',
      '1\0',
    ])
      expect([id.slice(0, 20), (await detail(id)).status]).toEqual([id.slice(0, 20), 404]);
  });

  it('gives no original price where there is none, and a free course costs 0.00 (N9)', async () => {
    const course = await makeCourse({ priceCents: 0, originalPriceCents: 0, categoryId: 3 });
    const answer = await detail(course.id);
    expect([answer.body.price, answer.body.originalPrice]).toEqual(['0.00', '0.00']);
    const plain = await makeCourse({ categoryId: 3 });
    expect((await detail(plain.id)).body.originalPrice).toBeNull();
  });
});
