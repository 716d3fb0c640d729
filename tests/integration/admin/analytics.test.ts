import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { closeDatabase, connectDatabase, db } from '#db/client.ts';
import {
  makeAdmin,
  makeCourse,
  makeCourseForSale,
  makeEnrollment,
  makeLesson,
  makeUser,
} from '../../support/factories.ts';
import { courseDays } from '#db/schema/catalogue.ts';
import { lessonProgress, quizAttempts, quizQuestions } from '#db/schema/learn.ts';
import { codeSubmissions } from '#db/schema/practice.ts';
import { orderItems, orders } from '#db/schema/store.ts';
import {
  courseFigures,
  enrolledIn,
  lessonFigures,
  questionFigures,
  reportCsv,
  testFigures,
} from '#src/features/admin/insights/course-analytics.server.ts';
import { salesOverTime } from '#src/features/admin/insights/analytics.server.ts';
import { leading } from '#src/features/admin/insights/course-analytics.ts';
import { stepsBetween } from '#src/features/admin/insights/charts.ts';
import { flushCourseCounts } from '#src/features/catalogue/course-counts.server.ts';
import { GET as csv } from '#src/pages/admin/analytics/[report].csv.ts';
import { POST as addToCart } from '#src/pages/api/cart.ts';
import { POST as view } from '#src/pages/api/courses/[id]/view.ts';
import { callRoute, signIn } from '../../support/api.ts';

const today = new Date().toISOString().slice(0, 10);
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000);
const range = { from: day(29).toISOString().slice(0, 10), to: today };

let made = 0;
async function sell(
  course: { id: number; title: string; priceCents: number },
  values: Partial<typeof orders.$inferInsert> = {},
  refundedAt: Date | null = null,
) {
  made += 1;
  const [order] = await db()
    .insert(orders)
    .values({
      buyerEmail: 'buyer@example.com',
      totalCents: course.priceCents,
      fingerprint: `sold-${made}`,
      status: 'completed',
      invoiceNumber: `INV-2002-${String(made).padStart(6, '0')}`,
      completedAt: new Date(),
      ...values,
    })
    .returning();
  await db().insert(orderItems).values({
    orderId: order!.id,
    courseId: course.id,
    title: course.title,
    priceCents: course.priceCents,
    listPriceCents: course.priceCents,
    refundedAt,
  });
}

const of = async (courseId: number, asked = range) =>
  (await courseFigures(asked)).find((one) => one.courseId === courseId)!;
const look = (id: number, options = {}) =>
  callRoute(view, {
    method: 'POST',
    params: { id: String(id) },
    headers: { 'user-agent': 'Firefox' },
    ...options,
  });

describe('views of a course', () => {
  it('are counted by day without anybody’s name, and not those of robots and administrators', async () => {
    const course = await makeCourse();
    expect((await look(course.id)).status).toBe(204);
    await look(course.id, { as: await signIn(await makeUser()) });
    await look(course.id, { headers: { 'user-agent': 'Googlebot/2.1' } });
    await look(course.id, { as: await signIn(await makeAdmin()) });
    await look(2147483647);
    expect(await db().$count(courseDays)).toBe(0);
    await flushCourseCounts();
    await look(course.id);
    await flushCourseCounts();
    expect(await db().select().from(courseDays)).toEqual([
      { courseId: course.id, day: today, views: 3, carts: 0 },
    ]);
  });

  it('are kept while the database does not answer', async () => {
    const course = await makeCourse();
    await look(course.id);
    const url = process.env.DATABASE_URL!;
    await closeDatabase(1);
    connectDatabase('postgres://nobody@127.0.0.1:1/none', { max: 1 });
    await flushCourseCounts();
    await closeDatabase(1);
    connectDatabase(url, { max: 12 });
    await look(course.id);
    await flushCourseCounts();
    expect((await of(course.id)).views).toBe(2);
  });

  it('and additions to carts are steps to a purchase; adding again counts once', async () => {
    const course = await makeCourseForSale();
    const as = await signIn(await makeUser());
    for (const _ of [1, 2]) await callRoute(addToCart, { body: { courseId: course.id }, as });
    await flushCourseCounts();
    await sell(course, {
      status: 'pending',
      completedAt: null,
      invoiceNumber: null,
      claimSecretHash: 'guest',
    });
    expect(await of(course.id)).toMatchObject({ views: 0, carts: 2, paid: 0, revenueCents: 0 });
  });
});

describe('figures of courses', () => {
  it('count revenue net of refunds, by the day of the purchase', async () => {
    const course = await makeCourse({ priceCents: 1000 });
    await sell(course);
    await sell(course, { status: 'partially_refunded' });
    await sell(course, { status: 'refunded', refundedCents: 1000 }, new Date());
    await sell(course, { status: 'disputed' });
    await sell(course, { completedAt: day(60) });
    await sell(course, { status: 'failed', completedAt: null, invoiceNumber: null });
    expect(await of(course.id)).toMatchObject({ paid: 4, revenueCents: 2000 });
    const before = day(60).toISOString().slice(0, 10);
    expect(await of(course.id, { from: before, to: before })).toMatchObject({ paid: 1, revenueCents: 1000 });
    expect(await of(course.id, { from: today, to: today })).toMatchObject({ paid: 4 });
  });

  it('count who started and finished of those who came in that time', async () => {
    const course = await makeCourse();
    for (const values of [
      {},
      { lastAccessedAt: new Date() },
      { lastAccessedAt: new Date(), completedAt: new Date(), progress: 100 },
      { lastAccessedAt: new Date(), enrolledAt: day(60) },
    ]) {
      await makeEnrollment((await makeUser()).id, course.id, values);
    }
    expect(await of(course.id)).toMatchObject({ enrolled: 3, started: 2, finished: 1, paid: 0 });
  });
});

describe('revenue and enrollments over a chosen time', () => {
  it('count the days from the first to the last, and nothing beside them', async () => {
    const course = await makeCourse({ priceCents: 1000 });
    const at = (moment: string) => ({ completedAt: new Date(moment) });
    for (const moment of ['2021-02-27T23:59:59Z', '2021-02-28T00:00:00Z', '2021-03-01T23:59:59.9Z']) {
      await sell(course, at(moment));
    }
    await sell(course, at('2021-03-02T00:00:00Z'));
    await makeEnrollment((await makeUser()).id, course.id, { enrolledAt: new Date('2021-03-01T12:00:00Z') });
    expect(await salesOverTime(stepsBetween({ from: '2021-02-28', to: '2021-03-01' }))).toEqual([
      { start: '2021-02-28', revenueCents: 1000, enrollments: 0 },
      { start: '2021-03-01', revenueCents: 1000, enrollments: 1 },
    ]);
    expect(await salesOverTime(stepsBetween({ from: '2020-12-15', to: '2021-03-01' }))).toEqual([
      { start: '2020-12-15', revenueCents: 0, enrollments: 0 },
      { start: '2021-01-01', revenueCents: 0, enrollments: 0 },
      { start: '2021-02-01', revenueCents: 2000, enrollments: 0 },
      { start: '2021-03-01', revenueCents: 1000, enrollments: 1 },
    ]);
  });
});

describe('figures of lessons', () => {
  it('tell where learners stopped, and how long they took', async () => {
    const course = await makeCourse();
    const [first, second] = [await makeLesson(course.id), await makeLesson(course.id)];
    const learner = async (
      values: Parameters<typeof makeEnrollment>[2],
      rows: { lessonId: number; completed: boolean; timeSpent: number }[],
    ) => {
      const user = await makeUser();
      await makeEnrollment(user.id, course.id, values);
      for (const row of rows) {
        await db()
          .insert(lessonProgress)
          .values({ userId: user.id, courseId: course.id, ...row });
      }
    };
    const done = { lessonId: first.id, completed: true, timeSpent: 100 };
    await learner({ currentLessonId: second.id, lastAccessedAt: day(20), enrolledAt: day(21) }, [
      done,
      { lessonId: second.id, completed: false, timeSpent: 0 },
    ]);
    await learner({ currentLessonId: second.id, lastAccessedAt: day(2) }, [{ ...done, timeSpent: 300 }]);
    await learner(
      { currentLessonId: second.id, lastAccessedAt: day(20), enrolledAt: day(21), completedAt: day(20) },
      [done],
    );
    await learner({ currentLessonId: first.id, lastAccessedAt: day(80), enrolledAt: day(90) }, [done]);
    expect(await lessonFigures(course.id, range)).toEqual([
      expect.objectContaining({ place: 1, opened: 3, completed: 3, stopped: 0, averageSeconds: 500 / 3 }),
      expect.objectContaining({ place: 2, opened: 1, completed: 0, stopped: 1, averageSeconds: null }),
    ]);
  });

  it('tell which tests of a coding lesson fail', async () => {
    const course = await makeCourse();
    const lesson = await makeLesson(course.id, { type: 'interactive_coding', codingLanguage: 'python' });
    const user = await makeUser();
    const run = (passed: boolean[], submittedAt = new Date()) =>
      db()
        .insert(codeSubmissions)
        .values({
          userId: user.id,
          lessonId: lesson.id,
          language: 'python',
          submittedCode: 'x',
          isCorrect: passed.every(Boolean),
          verdict: passed.every(Boolean) ? 'pass' : 'wrong_answer',
          attempts: 1,
          submittedAt,
          results: passed.map((one, index) => ({
            description: `Test ${index}`,
            hidden: index === 1,
            passed: one,
          })),
        });
    await run([true, false]);
    await run([true, false]);
    await run([false, true]);
    await run([true, true]);
    await run([false, false], day(60));
    // A syntax error tells of no test.
    await run([]);
    const figures = await testFigures(course.id, range);
    expect(figures).toEqual([
      {
        lessonId: lesson.id,
        lesson: lesson.title,
        test: 2,
        description: 'Test 1',
        isHidden: true,
        runs: 4,
        failed: 2,
      },
      {
        lessonId: lesson.id,
        lesson: lesson.title,
        test: 1,
        description: 'Test 0',
        isHidden: false,
        runs: 4,
        failed: 1,
      },
    ]);
    expect([...leading(figures, ({ failed }) => failed)]).toEqual([figures[0]]);
    expect((await reportCsv('tests', course.id, range))!.split('\r\n')[1]).toBe(
      `${lesson.title},2,Test 1,yes,4,2`,
    );
  });

  it('begin with how many people are enrolled', async () => {
    const course = await makeCourse();
    await makeLesson(course.id, { title: 'Knots' });
    await makeEnrollment((await makeUser()).id, course.id);
    await makeEnrollment((await makeUser()).id, course.id, { enrolledAt: day(60) });
    expect(await enrolledIn(course.id, range)).toBe(1);
    expect(await enrolledIn(2147483647, range)).toBe(0);
    expect((await reportCsv('lessons', course.id, range))!.split('\r\n').slice(1, 3)).toEqual([
      ',,Enrolled,1,,,',
      '1,,Knots,0,0,0,',
    ]);
  });
});

describe('figures of questions', () => {
  it('tell how often each was answered, how often right, and what was answered most', async () => {
    const course = await makeCourse();
    const lesson = await makeLesson(course.id, { type: 'quiz', title: 'Knots' });
    const [first, second] = await db()
      .insert(quizQuestions)
      .values([
        { lessonId: lesson.id, question: 'Which?', options: ['A', 'B', 'C'], correctAnswer: 1, order: 1 },
        {
          lessonId: lesson.id,
          question: 'Name it',
          kind: 'short_text',
          options: [],
          details: { accepted: ['bowline'] },
          order: 2,
        },
      ])
      .returning();
    const attempt = async (answers: Record<string, number | string>, submittedAt = new Date()) =>
      db()
        .insert(quizAttempts)
        .values({
          userId: (await makeUser()).id,
          lessonId: lesson.id,
          answers,
          score: 0,
          passed: false,
          submittedAt,
        });
    await attempt({ [first!.id]: 0, [second!.id]: 'Bowline' });
    await attempt({ [first!.id]: 0, [second!.id]: 'reef' });
    await attempt({ [first!.id]: 1 });
    // Out of the time, of an option that is gone, and of a question that is gone.
    await attempt({ [first!.id]: 2 }, day(90));
    await attempt({ [first!.id]: 7, 2147483647: 1 });
    expect(await questionFigures(course.id, range)).toEqual([
      {
        lessonId: lesson.id,
        lesson: 'Knots',
        place: 1,
        question: 'Which?',
        answered: 3,
        right: 1,
        isChosen: true,
        commonest: [
          { answer: 'A', times: 2, isRight: false },
          { answer: 'B', times: 1, isRight: true },
        ],
      },
      {
        lessonId: lesson.id,
        lesson: 'Knots',
        place: 2,
        question: 'Name it',
        answered: 2,
        right: 1,
        isChosen: false,
        commonest: [
          { answer: 'Bowline', times: 1, isRight: true },
          { answer: 'reef', times: 1, isRight: false },
        ],
      },
    ]);
    expect(await questionFigures((await makeCourse()).id, range)).toEqual([]);
    expect(await reportCsv('questions', course.id, range)).toContain('Knots,1,Which?,3,1,A,2,no');
  });
});

describe('the option chosen most', () => {
  it('is counted by itself where several may be chosen, and once however it was sent', async () => {
    const course = await makeCourse();
    const lesson = await makeLesson(course.id, { type: 'quiz' });
    const [several, single] = await db()
      .insert(quizQuestions)
      .values([
        {
          lessonId: lesson.id,
          question: 'Which?',
          kind: 'several_answers',
          options: [],
          details: { options: ['A', 'B', 'C'], correctAnswers: [0, 1] },
          order: 1,
        },
        { lessonId: lesson.id, question: 'One?', options: ['A', 'B'], correctAnswer: 1, order: 2 },
      ])
      .returning();
    const answers = [
      { [several!.id]: ['A', 'B'], [single!.id]: 0 },
      { [several!.id]: ['B', 'C'], [single!.id]: 1 },
      // Of an attempt whose options were shuffled.
      { [several!.id]: ['B'], [single!.id]: 'B' },
    ];
    for (const given of answers) {
      await db()
        .insert(quizAttempts)
        .values({
          userId: (await makeUser()).id,
          lessonId: lesson.id,
          answers: given,
          score: 0,
          passed: false,
          submittedAt: new Date(),
        });
    }
    const figures = await questionFigures(course.id, range);
    expect(
      figures.map(({ answered, right, isChosen, commonest }) => ({ answered, right, isChosen, commonest })),
    ).toEqual([
      {
        answered: 3,
        right: 1,
        isChosen: true,
        commonest: [
          { answer: 'B', times: 3, isRight: true },
          { answer: 'A', times: 1, isRight: true },
          { answer: 'C', times: 1, isRight: false },
        ],
      },
      {
        answered: 3,
        right: 2,
        isChosen: true,
        commonest: [
          { answer: 'B', times: 2, isRight: true },
          { answer: 'A', times: 1, isRight: false },
        ],
      },
    ]);
  });
});

describe('reports as files', () => {
  let course: Awaited<ReturnType<typeof makeCourse>>;
  beforeAll(async () => {
    course = await makeCourse({ title: '=cmd|calc' });
    await makeLesson(course.id, { title: '@lesson' });
  });

  it('have every row, and nothing that a spreadsheet runs', async () => {
    const text = (await reportCsv('courses', null, range))!;
    expect(text).toContain("\r\n'=cmd|calc,0,0,0,0,0,0,0.00\r\n");
    expect(text.trimEnd().split('\r\n').at(-1)).toMatch(/^All courses,/);
    const sales = (await reportCsv('sales', null, { from: '2021-02-28', to: '2021-03-01' }))!;
    expect(sales.slice(1).split('\r\n')).toEqual([
      'Day,"Revenue (USD, net of refunds)",Enrollments',
      '2021-02-28,10.00,0',
      '2021-03-01,10.00,1',
      '',
    ]);
    expect(await reportCsv('lessons', course.id, range)).toContain("1,,'@lesson,0,0,0,");
    expect(await reportCsv('tests', course.id, range)).toContain('Lesson,Test');
  });

  it('are for administrators alone', async () => {
    const path = `/admin/analytics/courses.csv?from=${range.from}&to=${range.to}`;
    const params = { report: 'courses' };
    for (const withCookie of [undefined, await signIn(await makeUser())]) {
      const answer = await callRoute(csv, { path, params, ...(withCookie ? { withCookie } : {}) });
      expect([answer.status, answer.headers.get('location')]).toEqual([302, '/']);
    }
    const withCookie = await signIn(await makeAdmin());
    const answer = await callRoute(csv, { path, params, withCookie });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="courses-${range.from}-${range.to}.csv"`,
    );
    for (const report of ['nothing', '../secrets', 'lessons']) {
      expect((await callRoute(csv, { path: '/admin/x', params: { report }, withCookie })).status).toBe(404);
    }
    expect(await db().$count(orders, eq(orders.buyerEmail, 'nobody'))).toBe(0);
  });
});
