import { and, desc, eq } from 'drizzle-orm';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCategories, makeCourse, makeLesson } from '../../support/factories.ts';
import { auditLog } from '#db/schema/account.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { storedFiles } from '#db/schema/machinery.ts';
import { listAdminCourses } from '#src/features/authoring/courses/courses.server.ts';
import { findFile } from '#src/server/files/files.ts';
import { POST as thumbnails } from '#src/pages/api/admin/thumbnails.ts';
import { POST as create } from '#src/pages/api/courses.ts';
import { GET as read, PUT as update } from '#src/pages/api/courses/[id].ts';
import { callRoute, signIn } from '../../support/api.ts';

let admin: Awaited<ReturnType<typeof makeAdmin>>;
beforeAll(async () => {
  admin = await makeAdmin({ username: 'Grace Hopper' });
  await makeCategories();
});

const BODY = {
  title: 'Compilers',
  description: 'How a language becomes a program.',
  thumbnail: 'https://example.com/compilers.webp',
  price: '49.00',
  originalPrice: '79.00',
  duration: '12 hours',
  level: 'Intermediate',
  categoryId: 1,
};

const post = async (body: unknown) => callRoute(create, { body, as: await signIn(admin) });
const put = async (id: number, body: unknown) =>
  callRoute(update, { method: 'PUT', params: { id: String(id) }, body, as: await signIn(admin) });
const rowOf = async (id: number) => (await db().select().from(courses).where(eq(courses.id, id)))[0]!;
const auditOf = (id: number) =>
  db()
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.subjectType, 'course'), eq(auditLog.subjectId, String(id))))
    .orderBy(desc(auditLog.id));

describe('POST /api/courses', () => {
  it('makes a course that the store has at once, and is audited', async () => {
    const answer = await post(BODY);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toMatchObject({
      title: 'Compilers',
      price: '49.00',
      originalPrice: '79.00',
      level: 'intermediate',
      isActive: true,
      unproven: [{ code: 'no_lessons' }],
      rating: 0,
      studentsCount: 0,
      createdBy: admin.id,
      createdByUser: { username: 'Grace Hopper' },
      category: { id: 1, name: 'Programming' },
      content: [],
      version: 1,
    });
    expect(await rowOf(answer.body.id)).toMatchObject({ priceCents: 4900, originalPriceCents: 7900 });
    expect(await auditOf(answer.body.id)).toMatchObject([
      { action: 'course.created', actorId: admin.id, details: { title: 'Compilers' } },
    ]);
    const asked = { params: { id: String(answer.body.id) } };
    expect((await callRoute(read, asked)).status).toBe(200);
    expect((await callRoute(read, { ...asked, as: await signIn(admin) })).body.title).toBe('Compilers');
  });

  it('reads nothing that the server derives (decision 31)', async () => {
    const answer = await post({
      ...BODY,
      id: 1,
      createdBy: 999,
      createdAt: '1999-01-01T00:00:00Z',
      studentsCount: 5000,
      rating: '5.00',
      reviewCount: 7,
      version: 88,
      slug: 'mine',
    });
    expect(answer.status).toBe(201);
    expect(await rowOf(answer.body.id)).toMatchObject({
      createdBy: admin.id,
      studentsCount: 0,
      rating: '0.00',
      reviewCount: 0,
      version: 1,
      slug: null,
    });
    expect((await rowOf(answer.body.id)).createdAt.getFullYear()).toBeGreaterThan(2000);
  });

  it.each([
    ['49', 4900],
    ['0', 0],
    [' 19.5 ', 1950],
    ['19.99', 1999],
    ['0.50', 50],
    ['99999999.99', 9_999_999_999],
  ])('takes the price %j as exact cents', async (price, cents) => {
    const answer = await post({ ...BODY, price, originalPrice: '' });
    expect(answer.status, answer.text).toBe(201);
    expect(await rowOf(answer.body.id)).toMatchObject({ priceCents: cents, originalPriceCents: null });
  });

  it.each([
    ['title', undefined, 'Title is required'],
    ['title', '   ', 'Title is required'],
    ['title', 'x'.repeat(151), 'Title must be at most 150 characters'],
    ['title', 'two\nlines', 'Title must be a single line'],
    ['title', 7, 'Title must be text'],
    ['description', '', 'Description is required'],
    ['description', 'a\0b', 'Description contains characters that cannot be stored'],
    ['thumbnail', undefined, 'Thumbnail is required'],
    ['duration', '', 'Duration is required'],
    ['price', undefined, 'Price is required'],
    ['price', '', 'Price is required'],
    ['price', null, 'Price is required'],
    ['price', {}, 'Price is required'],
    ['price', '19.999', 'Price must be dollars and cents, such as 49.00, up to 99999999.99'],
    ['price', 19.999, 'Price must be dollars and cents, such as 49.00, up to 99999999.99'],
    ['price', '1e5', 'Price must be dollars and cents, such as 49.00, up to 99999999.99'],
    ['price', 1e21, 'Price must be dollars and cents, such as 49.00, up to 99999999.99'],
    ['price', '١٩', 'Price must be dollars and cents, such as 49.00, up to 99999999.99'],
    ['price', '-1', 'Price must be dollars and cents, such as 49.00, up to 99999999.99'],
    ['price', 49, 'Price must be dollars and cents, such as 49.00, up to 99999999.99'],
    ['price', -1, 'Price must be dollars and cents, such as 49.00, up to 99999999.99'],
    ['price', 'Infinity', 'Price must be dollars and cents, such as 49.00, up to 99999999.99'],
    ['price', '0.49', 'Price must be 0 for a free course, or at least 0.50'],
    ['price', '0.01', 'Price must be 0 for a free course, or at least 0.50'],
    ['price', '100000000', 'Price must be dollars and cents, such as 49.00, up to 99999999.99'],
    ['originalPrice', '19.999', 'Original price must be dollars and cents, such as 49.00, up to 99999999.99'],
    [
      'originalPrice',
      '100000000',
      'Original price must be dollars and cents, such as 49.00, up to 99999999.99',
    ],
    ['originalPrice', '48.99', 'Original price must not be below the price'],
    ['originalPrice', '0', 'Original price must not be below the price'],
    ['level', undefined, 'Choose Beginner, Intermediate or Advanced'],
    ['level', 'expert', 'Choose Beginner, Intermediate or Advanced'],
    ['categoryId', undefined, 'Category is required'],
    ['categoryId', '', 'Category is required'],
    ['categoryId', 'one', 'Category is required'],
    ['categoryId', 1.5, 'There is no such category'],
    ['categoryId', 99_999, 'There is no such category'],
    ['isActive', 'yes', 'isActive must be true or false'],
    ['certificateMonths', 0, 'Certificate months must be from 1 to 600'],
    ['outcomes', 7, 'Outcomes must be text'],
    ['outcomes', 'Do it\n'.repeat(9), 'Outcomes must be at most 8 lines'],
    ['outcomes', 'x'.repeat(161), 'Outcomes must have at most 160 characters a line'],
    ['audience', 'x'.repeat(501), 'Who it is for must be at most 500 characters'],
    ['certificateMonths', 1.5, 'Certificate months must be from 1 to 600'],
  ])('refuses %s = %j at the field', async (field, value, message) => {
    const before = await db().$count(courses);
    const answer = await post({ ...BODY, [field]: value });
    expect(answer.status).toBe(400);
    expect(answer.body.fields).toEqual({ [field]: message });
    expect(await db().$count(courses)).toBe(before);
  });

  it.each([
    'javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'http://169.254.169.254/latest/meta-data',
    'http://example.com/a.png',
    '//evil.test/a.png',
    '/\\evil.test/a.png',
    'https://user:secret@example.com/a.png',
    'https://127.0.0.1/a.png',
    'ftp://example.com/a.png',
    'thumbnail.png',
  ])('refuses the thumbnail %s (fault U2)', async (thumbnail) => {
    const answer = await post({ ...BODY, thumbnail });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.fields)).toEqual(['thumbnail']);
  });
});

describe('PUT /api/courses/{id}', () => {
  it('changes a course and names what changed in the audit log', async () => {
    const course = await makeCourse();
    const answer = await put(course.id, { ...BODY, version: 1, certificateMonths: 12 });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ title: 'Compilers', price: '49.00', version: 2 });
    const [entry] = await auditOf(course.id);
    expect(entry).toMatchObject({ action: 'course.updated' });
    expect(entry!.details.changed).toBe(
      'title, description, level, original price, certificate months, thumbnail',
    );
    const again = await put(course.id, { ...BODY, version: 2, certificateMonths: 12 });
    expect(again.body.version).toBe(2);
    expect(await auditOf(course.id)).toHaveLength(1);
  });

  it('writes of a form what was changed in it, and asks only about a field that somebody else changed as well', async () => {
    const course = await makeCourse({ title: 'Read', thumbnail: '/favicon.svg' });
    const { courses: list } = await listAdminCourses({ search: '', page: 1 });
    const read = list.find(({ id }) => id === course.id)!.fields;
    const form = { ...read, categoryId: Number(read.categoryId), certificateMonths: null };
    await db().update(courses).set({ isActive: false, version: 2 }).where(eq(courses.id, course.id));
    expect((await put(course.id, { ...form, read, duration: '3 hours' })).status).toBe(200);
    expect((await put(course.id, { ...form, read, title: 'Mine' })).status).toBe(200);
    expect(await rowOf(course.id)).toMatchObject({ title: 'Mine', duration: '3 hours', isActive: false });
    const refused = await put(course.id, { ...form, read, title: 'Theirs', audience: 'All' });
    expect(refused.status).toBe(409);
    expect(refused.body.changed).toEqual([{ field: 'title', label: 'Title', value: 'Mine', typed: 'Mine' }]);
    expect((await put(course.id, { ...form, read, title: 'Mine' })).status).toBe(200);
    const over = { ...read, title: 'Mine' };
    expect((await put(course.id, { ...form, read: over, title: 'Theirs', audience: 'All' })).status).toBe(
      200,
    );
    expect(await rowOf(course.id)).toMatchObject({ title: 'Theirs', audience: 'All', duration: '3 hours' });
    expect((await put(course.id, { ...form, read: { nothing: '' } })).status).toBe(400);
  });

  it('takes the body of the specification without a version, and keeps the visibility', async () => {
    const course = await makeCourse({ isActive: false });
    const answer = await put(course.id, { ...BODY, createdBy: 1 });
    expect(answer.status).toBe(200);
    expect(await rowOf(course.id)).toMatchObject({ isActive: false, createdBy: null });
  });

  it('warns instead of overwriting a newer change, and saves over it when told to', async () => {
    const course = await makeCourse({ title: 'Old', priceCents: 4900 });
    expect((await put(course.id, { ...BODY, price: '59.00', version: 1 })).status).toBe(200);
    const answer = await put(course.id, { ...BODY, title: 'Mine', price: '49.00', version: 1 });
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({
      message: 'Somebody else changed this course meanwhile.',
      version: 2,
      changed: [
        { field: 'title', label: 'Title', value: 'Compilers' },
        { field: 'price', label: 'Price', value: '59.00' },
      ],
    });
    expect(await rowOf(course.id)).toMatchObject({ title: 'Compilers', priceCents: 5900 });
    expect((await put(course.id, { ...BODY, title: 'Mine', version: 2 })).status).toBe(200);
    expect(await rowOf(course.id)).toMatchObject({ title: 'Mine', version: 3 });
  });

  it('of two at once lets one through', async () => {
    const course = await makeCourse();
    const answers = await Promise.all(
      ['First', 'Second', 'Third'].map((title) => put(course.id, { ...BODY, title, version: 1 })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });

  it('refuses what the form refuses, and unknown courses', async () => {
    const course = await makeCourse();
    expect((await put(course.id, { ...BODY, price: '' })).body.fields).toEqual({
      price: 'Price is required',
    });
    expect((await put(course.id, { ...BODY, version: 0 })).body.fields).toHaveProperty('version');
    expect((await put(course.id, { ...BODY, categoryId: 4242 })).body.fields).toEqual({
      categoryId: 'There is no such category',
    });
    expect((await put(2_147_483_647, BODY)).status).toBe(404);
    expect((await rowOf(course.id)).version).toBe(1);
  });
});

describe('the list of courses', () => {
  it('is narrowed by category, level and state, and sorted', async () => {
    const word = `sorted${Date.now()}`;
    const [cheap, dear, hidden] = [
      await makeCourse({ title: `${word} B`, priceCents: 1000, studentsCount: 5, level: 'advanced' }),
      await makeCourse({ title: `${word} C`, priceCents: 9000, studentsCount: 1, categoryId: 3 }),
      await makeCourse({ title: `${word} A`, priceCents: 5000, studentsCount: 9, isActive: false }),
    ];
    const list = async (query: Partial<Parameters<typeof listAdminCourses>[0]>) =>
      (await listAdminCourses({ search: word, page: 1, ...query })).courses.map(({ id }) => id);
    expect(await list({})).toEqual([hidden.id, dear.id, cheap.id]);
    expect(await list({ sort: 'title' })).toEqual([hidden.id, cheap.id, dear.id]);
    expect(await list({ sort: 'students' })).toEqual([hidden.id, cheap.id, dear.id]);
    expect(await list({ sort: 'price-low' })).toEqual([cheap.id, hidden.id, dear.id]);
    expect(await list({ sort: 'price-high' })).toEqual([dear.id, hidden.id, cheap.id]);
    expect(await list({ state: 'inactive' })).toEqual([hidden.id]);
    expect(await list({ state: 'active', sort: 'title' })).toEqual([cheap.id, dear.id]);
    await makeLesson(cheap.id);
    expect(await list({ state: 'unproven', sort: 'title' })).toEqual([cheap.id, dear.id]);
    await db()
      .update(lessons)
      .set({ provenRevision: lessons.revision })
      .where(eq(lessons.courseId, cheap.id));
    expect(await list({ state: 'unproven' })).toEqual([dear.id]);
    expect(await list({ category: 3 })).toEqual([dear.id]);
    expect(await list({ level: 'advanced' })).toEqual([cheap.id]);
    const { courses: listed } = await listAdminCourses({ search: `${word} A`, page: 1 });
    expect(listed[0]).toMatchObject({ fields: { price: '50.00', originalPrice: '' }, version: 1 });
  });
});

describe('POST /api/admin/thumbnails', () => {
  const PNG = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const send = async (name: string, bytes: Uint8Array<ArrayBuffer> | string, type = 'image/png') => {
    const form = new FormData();
    form.append('file', new File([bytes], name, { type }));
    return callRoute(thumbnails, { method: 'POST', body: form, as: await signIn(admin) });
  };

  it('keeps a picture where everybody may see it', async () => {
    const answer = await send('../My Picture.PNG', new Uint8Array(PNG));
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body.thumbnail).toMatch(/^\/media\/[\w-]+\/my-picture\.png$/);
    expect(await findFile(answer.body.thumbnail)).toMatchObject({ mimeType: 'image/png', size: PNG.length });
    expect((await post({ ...BODY, thumbnail: answer.body.thumbnail })).status).toBe(201);
  });

  it('refuses a picture of more pixels than any other may have (fault U12)', async () => {
    // 64 megapixels of one color are a few kilobytes.
    const bytes = await sharp({ create: { width: 8_000, height: 8_000, channels: 3, background: 'red' } })
      .png({ palette: true, compressionLevel: 9 })
      .toBuffer();
    const before = await db().$count(storedFiles);
    const answer = await send('large.png', new Uint8Array(bytes));
    expect([answer.status, answer.body.fields]).toEqual([
      400,
      { file: 'The picture has 64 megapixels; at most 50 are taken.' },
    ]);
    expect(await db().$count(storedFiles)).toBe(before);
  });

  it.each([
    ['page.html', '<script>alert(1)</script>', 'text/html'],
    [
      'drawing.svg',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      'image/svg+xml',
    ],
    ['polyglot.png', '<html><script>alert(1)</script>', 'image/png'],
    ['program.exe', 'MZ', 'application/octet-stream'],
    ['picture', 'x', 'image/png'],
  ])('refuses %s (fault U1)', async (name, text, type) => {
    const before = await db().$count(storedFiles);
    const answer = await send(name, text, type);
    expect(answer.status).toBe(415);
    expect(answer.body.fields).toHaveProperty('file');
    expect(await db().$count(storedFiles)).toBe(before);
  });

  it('refuses what is too large or not there', async () => {
    const large = new Uint8Array(5_242_880 + 1);
    large.set(PNG);
    expect((await send('large.png', large)).status).toBe(413);
    expect((await send('empty.png', '')).status).toBe(400);
    const answer = await callRoute(thumbnails, {
      method: 'POST',
      body: new FormData(),
      as: await signIn(admin),
    });
    expect(answer.status).toBe(400);
  });
});
