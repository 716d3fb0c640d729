import { and, asc, eq } from 'drizzle-orm';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { auditLog } from '#db/schema/account.ts';
import { courses, lessons, pictures } from '#db/schema/catalogue.ts';
import { lessonProgress, quizQuestions } from '#db/schema/learn.ts';
import { scenarios } from '#db/schema/scenario.ts';
import { cartItems } from '#db/schema/store.ts';
import { POST as create } from '#src/pages/api/admin/courses/[id]/lessons.ts';
import { POST as duplicate } from '#src/pages/api/admin/lessons/[id]/duplicate.ts';
import { POST as moveRoute } from '#src/pages/api/admin/lessons/[id]/move.ts';
import { PUT as archiveRoute } from '#src/pages/api/admin/courses/[id]/archived.ts';
import { POST as duplicateRoute } from '#src/pages/api/admin/courses/[id]/duplicate.ts';
import { POST as addPicture } from '#src/pages/api/admin/courses/[id]/pictures.ts';
import { DELETE as removePicture } from '#src/pages/api/admin/pictures/[id].ts';
import { GET as readPicture } from '#src/pages/pictures/[...path].ts';
import { PUT as change } from '#src/pages/api/admin/lessons/[id].ts';
import { GET as cart, POST as addToCart } from '#src/pages/api/cart.ts';
import { GET as readCourse } from '#src/pages/api/courses/[id].ts';
import { POST as complete } from '#src/pages/api/courses/[id]/content/[lessonId]/complete.ts';
import { PUT as toggle } from '#src/pages/api/courses/[id]/toggle.ts';
import { POST as payDirectly } from '#src/pages/api/create-direct-payment.ts';
import { GET as myCourses } from '#src/pages/api/my-enrollments.ts';
import { archiveCourse, listAdminCourses } from '#src/features/authoring/courses/courses.server.ts';
import { SCENARIO_EXAMPLE } from '#src/features/authoring/scenario-editor/scenario-example.ts';
import { listCourses } from '#src/features/catalogue/search/search.server.ts';
import { pictureFacts } from '#src/shared/pictures.ts';
import { callRoute, signIn } from '../../support/api.ts';

let admin: Awaited<ReturnType<typeof makeAdmin>>;
beforeAll(async () => {
  admin = await makeAdmin({ username: 'Grace Hopper' });
});

const copy = async (id: number, courseId?: number) =>
  callRoute(duplicate, {
    method: 'POST',
    params: { id: String(id) },
    body: { courseId },
    as: await signIn(admin),
  });
const move = async (id: number, courseId: number) =>
  callRoute(moveRoute, {
    method: 'POST',
    params: { id: String(id) },
    body: { courseId },
    as: await signIn(admin),
  });
const titlesOf = async (courseId: number) =>
  (await db().select().from(lessons).where(eq(lessons.courseId, courseId)).orderBy(asc(lessons.order))).map(
    ({ order, title }) => `${order} ${title}`,
  );

describe('duplicating a lesson', () => {
  it('puts a copy with its questions right after it, unproven and audited', async () => {
    const course = await makeCourse({ isActive: false, title: 'JavaScript' });
    const made = await callRoute(create, {
      method: 'POST',
      params: { id: String(course.id) },
      as: await signIn(admin),
      body: {
        type: 'quiz',
        title: 'Sums',
        content: 'Count.',
        questions: [
          { question: 'What is 2 + 2?', options: ['3', '4'], correctAnswer: 1, explanation: 'Sums.' },
        ],
      },
    });
    expect(made.status, made.text).toBe(201);
    await makeLesson(course.id, { title: 'Last', order: 2 });
    await db().update(lessons).set({ provenRevision: 1 }).where(eq(lessons.id, made.body.id));
    const answer = await copy(made.body.id);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toMatchObject({ title: 'Copy of Sums', order: 2, courseId: course.id, version: 1 });
    expect(await titlesOf(course.id)).toEqual(['1 Sums', '2 Copy of Sums', '3 Last']);
    const [row] = await db().select().from(lessons).where(eq(lessons.id, answer.body.id));
    expect(row).toMatchObject({ content: 'Count.', type: 'quiz', provenRevision: null });
    const questionsOf = async (id: number) =>
      (await db().select().from(quizQuestions).where(eq(quizQuestions.lessonId, id))).map(
        ({ id: _, lessonId: __, ...question }) => question,
      );
    const copied = await questionsOf(answer.body.id);
    expect(copied).toHaveLength(1);
    expect(copied).toEqual(await questionsOf(made.body.id));
    expect(
      await db()
        .select()
        .from(auditLog)
        .where(and(eq(auditLog.subjectType, 'lesson'), eq(auditLog.subjectId, String(answer.body.id)))),
    ).toMatchObject([{ action: 'lesson.duplicated', details: { title: 'Sums', course: 'JavaScript' } }]);
  });

  it('copies all of a coding lesson and of a scenario, each to be proven and changed by itself', async () => {
    const course = await makeCourse({ isActive: false });
    const params = { id: String(course.id) };
    const as = await signIn(admin);
    const add = async (body: Record<string, unknown>) => {
      const answer = await callRoute(create, { method: 'POST', params, body, as });
      expect(answer.status, answer.text).toBe(201);
      return answer.body.id as number;
    };
    const coding = await add({
      ...{ type: 'interactive_coding', title: 'Add', codingLanguage: 'javascript', instructions: 'Add two.' },
      ...{ starterCode: 'const add = 0;', solution: 'const add = (a, b) => a + b;', hints: ['Use +'] },
      testCases: [
        { input: 'add(1, 2)', expectedOutput: '3', description: 'adds', hidden: true, mode: 'call' },
      ],
    });
    const outage = await add({ type: 'scenario', title: 'Outage', scenario: SCENARIO_EXAMPLE });
    const [codingCopy, outageCopy] = [(await copy(coding)).body.id, (await copy(outage)).body.id];

    const writtenIn = async (id: number) => {
      const { codingLanguage, instructions, starterCode, solution, hints, testCases } = await lessonAt(id);
      return { codingLanguage, instructions, starterCode, solution, hints, testCases };
    };
    expect(await writtenIn(codingCopy)).toEqual(await writtenIn(coding));
    expect((await writtenIn(codingCopy)).testCases).toMatchObject([
      { input: 'add(1, 2)', expectedOutput: '3', hidden: true },
    ]);

    const scenarioOf = async (lessonId: number) =>
      (await db().select().from(scenarios).where(eq(scenarios.lessonId, lessonId)))[0]!;
    const [original, copied] = [await scenarioOf(outage), await scenarioOf(outageCopy)];
    expect(copied.id).not.toBe(original.id);
    expect(copied).toMatchObject({
      ...{ definition: original.definition, initialState: original.initialState, goals: original.goals },
      ...{ title: SCENARIO_EXAMPLE.title, timeLimit: SCENARIO_EXAMPLE.timeLimit, solution: null },
    });
    const changed = await callRoute(change, {
      method: 'PUT',
      params: { id: String(outageCopy) },
      body: {
        ...{ type: 'scenario', title: 'Another', version: 1 },
        scenario: { ...SCENARIO_EXAMPLE, title: 'The mail is down' },
      },
      as,
    });
    expect(changed.status, changed.text).toBe(200);
    expect((await scenarioOf(outageCopy)).definition).toMatchObject({ title: 'The mail is down' });
    expect(await scenarioOf(outage)).toEqual(original);
  });

  it('done many times at once leaves one order without gaps', async () => {
    const course = await makeCourse({ isActive: false });
    const lesson = await makeLesson(course.id, { title: 'One' });
    const answers = await Promise.all(Array.from({ length: 5 }, () => copy(lesson.id)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect((await titlesOf(course.id)).map((line) => Number(line.split(' ')[0]))).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('is for administrators, and for a lesson that is there', async () => {
    const lesson = await makeLesson((await makeCourse({ isActive: false })).id);
    const params = { id: String(lesson.id) };
    const learner = await signIn(await makeUser());
    for (const route of [duplicate, moveRoute]) {
      const body = { courseId: 1 };
      expect((await callRoute(route, { method: 'POST', params, body })).status).toBe(401);
      expect((await callRoute(route, { method: 'POST', params, body, as: learner })).status).toBe(403);
    }
    expect((await copy(2_000_000_000)).status).toBe(404);
    // A call that names another course must not make a copy in this one.
    const elsewhere = await copy(lesson.id, 2_000_000_000);
    expect([elsewhere.status, elsewhere.body.message]).toEqual([400, expect.stringContaining('courseId')]);
    expect((await move(lesson.id, 2_000_000_000)).status).toBe(404);
  });
});

async function illustrated() {
  const course = await makeCourse({ isActive: false, title: 'Illustrated', description: 'x' });
  const bytes = await sharp({ create: { width: 500, height: 300, channels: 3, background: '#36c' } })
    .png()
    .toBuffer();
  const body = new FormData();
  body.append('file', new Blob([bytes as BlobPart]), 'cat.png');
  body.append('alt', 'A cat');
  const added = await callRoute(addPicture, {
    method: 'POST',
    params: { id: String(course.id) },
    body,
    as: await signIn(admin),
  });
  expect(added.status, added.text).toBe(201);
  const { id, path } = added.body as { id: number; path: string };
  const lesson = await makeLesson(course.id, {
    title: 'Cats',
    section: 'Animals',
    content: `![A cat](${path})`,
  });
  return { course, lesson, picture: { id, path } };
}

const lessonAt = async (id: number) => (await db().select().from(lessons).where(eq(lessons.id, id)))[0]!;
const addressIn = (text: string) => /\((\/pictures\/[^)]+)\)/.exec(text)![1]!;

describe('a lesson in another course', () => {
  it('has its pictures in that course’s library, which outlive the first', async () => {
    const { course, lesson, picture } = await illustrated();
    const target = await makeCourse({ isActive: false, title: 'Another' });
    await makeLesson(target.id, { title: 'Dogs', section: 'Animals', order: 1 });
    await makeLesson(target.id, { title: 'Oaks', section: 'Plants', order: 2 });
    const sibling = await makeLesson(course.id, { title: 'Lions', content: lesson.content, order: 2 });
    const answer = await move(lesson.id, target.id);
    expect(answer.body).toMatchObject({ title: 'Cats', courseId: target.id, order: 2 });
    expect(await titlesOf(target.id)).toEqual(['1 Dogs', '2 Cats', '3 Oaks']);
    const address = addressIn((await lessonAt(answer.body.id)).content);
    expect(address).not.toBe(picture.path);
    expect(await db().select().from(pictures).where(eq(pictures.courseId, target.id))).toMatchObject([
      { path: address, alt: 'A cat' },
    ]);
    const second = await move(sibling.id, target.id);
    expect(addressIn((await lessonAt(second.body.id)).content)).toBe(address);

    const reader = await makeUser();
    await makeEnrollment(reader.id, target.id);
    const withCookie = await signIn(reader);
    for (const { path } of pictureFacts(address)!.files) {
      const params = { path: path.replace('/pictures/', '') };
      expect((await callRoute(readPicture, { path, params, withCookie })).status).toBe(200);
    }
    const as = await signIn(admin);
    const removed = await callRoute(removePicture, {
      method: 'DELETE',
      params: { id: String(picture.id) },
      as,
    });
    expect(removed.status, removed.text).toBe(200);
    const params = { path: address.replace('/pictures/', '') };
    expect((await callRoute(readPicture, { path: address, params, withCookie })).status).toBe(200);
  });

  it('is moved while nobody has worked on it, with its questions and the orders of both', async () => {
    const { course, lesson } = await illustrated();
    await makeLesson(course.id, { title: 'After', order: 2 });
    const target = await makeCourse({ isActive: false });
    const own = await move(lesson.id, course.id);
    expect([own.status, own.body.message]).toEqual([409, 'The lesson is in this course already.']);
    const answer = await move(lesson.id, target.id);
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { id: lesson.id, courseId: target.id, order: 1 },
    ]);
    expect(await titlesOf(course.id)).toEqual(['1 After']);
    expect(await titlesOf(target.id)).toEqual(['1 Cats']);
    expect(addressIn((await lessonAt(lesson.id)).content)).not.toBe(addressIn(lesson.content));

    const learner = await makeUser();
    await makeEnrollment(learner.id, target.id);
    await db()
      .insert(lessonProgress)
      .values({ userId: learner.id, lessonId: lesson.id, courseId: target.id });
    const refused = await move(lesson.id, course.id);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      '1 learner has worked on this lesson here: it stays here.',
    ]);
    expect((await lessonAt(lesson.id)).courseId).toBe(target.id);
  });

  it('exchanged at once by two, ends in one place each', async () => {
    const [a, b] = [await makeCourse({ isActive: false }), await makeCourse({ isActive: false })];
    const [one, two] = [await makeLesson(a.id, { title: 'One' }), await makeLesson(b.id, { title: 'Two' })];
    const answers = await Promise.all([
      move(one.id, b.id),
      move(two.id, a.id),
      move(one.id, b.id),
      copy(one.id),
    ]);
    expect(answers.every(({ status }) => [200, 201, 404, 409].includes(status))).toBe(true);
    expect((await lessonAt(one.id)).courseId).toBe(b.id);
    expect((await lessonAt(two.id)).courseId).toBe(a.id);
  });
});

describe('a copy of a course', () => {
  it('is hidden, has everything its author wrote and nobody in it', async () => {
    const { course, lesson, picture } = await illustrated();
    await db()
      .update(courses)
      .set({ description: `Look: ![A cat](${picture.path})`, studentsCount: 7, certificateMonths: 12 })
      .where(eq(courses.id, course.id));
    const learner = await makeUser();
    await makeEnrollment(learner.id, course.id);
    const answer = await callRoute(duplicateRoute, {
      method: 'POST',
      params: { id: String(course.id) },
      as: await signIn(admin),
    });
    expect([answer.status, answer.body.title]).toEqual([201, 'Copy of Illustrated']);
    const [row] = await db().select().from(courses).where(eq(courses.id, answer.body.id));
    expect(row).toMatchObject({
      ...{ isActive: false, slug: null, studentsCount: 0, certificateMonths: 12 },
      ...{ createdBy: admin.id, priceCents: course.priceCents },
    });
    const [copied] = await db().select().from(lessons).where(eq(lessons.courseId, answer.body.id));
    expect(copied).toMatchObject({ title: 'Cats', section: 'Animals', order: 1, provenRevision: null });
    expect(addressIn(copied!.content)).toBe(addressIn(row!.description));
    expect(addressIn(copied!.content)).not.toBe(addressIn(lesson.content));
    const missing = await callRoute(duplicateRoute, {
      method: 'POST',
      params: { id: '2000000000' },
      as: await signIn(admin),
    });
    expect(missing.status).toBe(404);
  });
});

describe('an archived course', () => {
  it('is found by no visitor and put into no cart, while its learners go on', async () => {
    const course = await makeCourse({ isActive: false, title: `Kept ${Date.now()}` });
    const lesson = await makeLesson(course.id, { title: 'Read this' });
    const learner = await makeUser();
    await makeEnrollment(learner.id, course.id);
    const visitor = await makeUser();
    await db().insert(cartItems).values({ userId: visitor.id, courseId: course.id });
    await archiveCourse({ id: admin.id, name: 'Grace Hopper' }, course.id, true);

    expect((await listCourses({ search: course.title, page: 1, pageSize: 10 })).rows).toEqual([]);
    const params = { id: String(course.id) };
    const seen = async (who: typeof visitor | null) =>
      (await callRoute(readCourse, { params, as: who && (await signIn(who)) })).status;
    expect([await seen(null), await seen(visitor), await seen(learner)]).toEqual([404, 404, 200]);
    const as = await signIn(visitor);
    expect((await callRoute(cart, { as })).body).toMatchObject([{ unavailable: 'hidden' }]);
    const newcomer = await signIn(await makeUser());
    expect((await callRoute(addToCart, { as: newcomer, body: { courseId: course.id } })).status).toBe(404);
    const bought = await callRoute(payDirectly, { as, body: { courseId: course.id, amount: 49 } });
    expect([bought.status, bought.body.code]).toEqual([404, 'not_found']);

    const done = await callRoute(complete, {
      ...{ method: 'POST', as: await signIn(learner) },
      params: { id: String(course.id), lessonId: String(lesson.id) },
    });
    expect(done.status, done.text).toBe(200);
    expect((await callRoute(myCourses, { as: await signIn(learner) })).body).toMatchObject([
      { courseId: course.id, progress: 100 },
    ]);
  });

  it('is off the store and the list, and comes back hidden or by showing it', async () => {
    const course = await makeCourse({ isActive: false, title: `Old ${Date.now()}` });
    const as = await signIn(admin);
    const params = { id: String(course.id) };
    const archive = (archived: unknown) =>
      callRoute(archiveRoute, { method: 'PUT', params, body: { archived }, as });
    const stateOf = async () => (await db().select().from(courses).where(eq(courses.id, course.id)))[0]!;
    const listed = async (state: 'archived' | 'inactive' | null) =>
      (await listAdminCourses({ search: course.title, page: 1, state })).courses.map(({ id }) => id);

    expect((await archive('yes')).body.fields).toEqual({ archived: 'archived must be true or false' });
    expect([(await archive(true)).body, (await archive(true)).body]).toEqual([
      { archived: true },
      { archived: true },
    ]);
    expect(await stateOf()).toMatchObject({ isActive: false, archivedAt: expect.any(Date) });
    expect([await listed(null), await listed('inactive'), await listed('archived')]).toEqual([
      [],
      [],
      [course.id],
    ]);
    await archive(false);
    expect(await stateOf()).toMatchObject({ isActive: false, archivedAt: null });
    expect(await listed('inactive')).toEqual([course.id]);
    await archive(true);
    expect((await callRoute(toggle, { method: 'PUT', params, as })).body.isActive).toBe(true);
    expect(await stateOf()).toMatchObject({ isActive: true, archivedAt: null });
    const actions = await db()
      .select({ action: auditLog.action })
      .from(auditLog)
      .where(and(eq(auditLog.subjectType, 'course'), eq(auditLog.subjectId, String(course.id))));
    expect(actions.map(({ action }) => action).sort()).toEqual([
      'course.archived',
      'course.archived',
      'course.shown',
      'course.unarchived',
    ]);
  });
});
