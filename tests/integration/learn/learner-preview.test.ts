import { and, eq, inArray, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { users } from '#db/schema/account.ts';
import { courses } from '#db/schema/catalogue.ts';
import {
  assignments,
  certificates,
  enrollments,
  lessonProgress,
  previewLearners,
  quizQuestions,
} from '#db/schema/learn.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { figures, salesOverTime, thingsToDo } from '#src/features/admin/insights/analytics.server.ts';
import {
  courseFigures,
  lessonFigures,
  questionFigures,
} from '#src/features/admin/insights/course-analytics.server.ts';
import { findPerson } from '#src/features/admin/people/people.server.ts';
import { listUsers } from '#src/features/admin/people/users.server.ts';
import { listAdminCourses } from '#src/features/authoring/courses/courses.server.ts';
import { findCourseContent } from '#src/features/authoring/lesson-editor/lessons.server.ts';
import { listUngraded } from '#src/features/learn/assignments/assignments.server.ts';
import { issueMissingCertificates } from '#src/features/learn/certificates/certificates.server.ts';
import { newsReaders } from '#src/features/learn/news/news.server.ts';
import {
  DELETE as leaveRoute,
  POST as startRoute,
} from '#src/pages/api/admin/courses/[id]/learner-preview.ts';
import { POST as deleteUser } from '#src/pages/api/admin/users/[id]/delete.ts';
import { DELETE as deleteCourse } from '#src/pages/api/courses/[id].ts';
import { POST as completeRoute } from '#src/pages/api/courses/[id]/content/[lessonId]/complete.ts';
import { POST as handInRoute } from '#src/pages/api/lessons/[id]/assignment.ts';
import { POST as quizRoute } from '#src/pages/api/lessons/[id]/quiz.ts';
import { GET as meRoute } from '#src/pages/api/auth/me.ts';
import { PUT as hideRoute } from '#src/pages/api/hidden-programs.ts';
import { GET as ownRoute } from '#src/pages/api/my-enrollments.ts';
import { callRoute, signIn } from '../../support/api.ts';

let admin: Awaited<ReturnType<typeof makeAdmin>>;
let withCookie: Awaited<ReturnType<typeof signIn>>;
beforeAll(async () => {
  admin = await makeAdmin();
  withCookie = await signIn(admin);
});

type Cookies = ReadonlyMap<string, string>;
const NONE: Cookies = new Map();

const start = (courseId: number, body: object = {}, who = withCookie) =>
  callRoute(startRoute, {
    method: 'POST',
    path: `/api/admin/courses/${courseId}/learner-preview`,
    params: { id: String(courseId) },
    body,
    withCookie: who,
  });

/** A hidden course with a text, a quiz and an assignment, and calls of its learning with these cookies. */
async function courseToPreview() {
  const course = await makeCourse({ isActive: false, title: `Preview ${Date.now()}` });
  const text = await makeLesson(course.id, { points: 5 });
  const quiz = await makeLesson(course.id, { type: 'quiz' });
  await db()
    .insert(quizQuestions)
    .values({ lessonId: quiz.id, question: 'Q', options: ['a', 'b'], correctAnswer: 1, order: 1 });
  const work = await makeLesson(course.id, { type: 'assignment' });
  const learn = (cookies: Cookies, who = withCookie) => ({
    complete: (headers: Record<string, string> = {}) =>
      callRoute(completeRoute, {
        method: 'POST',
        path: `/api/courses/${course.id}/content/${text.id}/complete`,
        params: { id: String(course.id), lessonId: String(text.id) },
        withCookie: who,
        cookies,
        headers,
      }),
    quiz: async () => {
      const [question] = await db().select().from(quizQuestions).where(eq(quizQuestions.lessonId, quiz.id));
      return callRoute(quizRoute, {
        method: 'POST',
        path: `/api/lessons/${quiz.id}/quiz`,
        params: { id: String(quiz.id) },
        body: { answers: { [question!.id]: 1 } },
        withCookie: who,
        cookies,
      });
    },
    handIn: () =>
      callRoute(handInRoute, {
        method: 'POST',
        path: `/api/lessons/${work.id}/assignment`,
        params: { id: String(work.id) },
        body: { submission: 'Mine' },
        withCookie: who,
        cookies,
      }),
  });
  return { course, learn };
}

/** Everything that the administration shows of people and what they do, of this course and in all. */
async function shownFigures(courseId: number, title: string) {
  const today = new Date().toISOString().slice(0, 10);
  const range = { from: '2020-01-01', to: today };
  const ungraded = await listUngraded({ page: 1, pageSize: 100 });
  return {
    all: await figures(),
    todo: (await thingsToDo()).ungraded,
    sales: await salesOverTime({ unit: 'month', starts: [`${today.slice(0, 7)}-01`], to: today }),
    courses: (await courseFigures(range)).filter((one) => one.courseId === courseId),
    lessons: await lessonFigures(courseId, range),
    questions: await questionFigures(courseId, range),
    ungraded: [ungraded.total, ungraded.rows.length],
    readers: await newsReaders(courseId),
    completions: (await findCourseContent(courseId))!.lessons.map(({ completions }) => completions),
    listed: (await listAdminCourses({ search: title, page: 1 })).courses.map(
      ({ owners, isKept, studentsCount }) => ({ owners, isKept, studentsCount }),
    ),
    users: (await listUsers({ search: '', role: null, page: 1 })).total,
    found: (await listUsers({ search: 'Preview learner', role: null, page: 1 })).total,
    certificates: await db().$count(certificates),
    mails: await db().$count(mailOutbox),
  };
}

const learnerOf = async (courseId: number, adminId = admin.id) => {
  const [row] = await db()
    .select({ id: previewLearners.userId })
    .from(previewLearners)
    .where(and(eq(previewLearners.courseId, courseId), eq(previewLearners.adminId, adminId)));
  return row?.id;
};

describe('seeing a course as a learner (decision 76)', () => {
  it('works like learning, and no figure, list or mail knows of it', async () => {
    const { course, learn } = await courseToPreview();
    const before = await shownFigures(course.id, course.title);
    const answer = await start(course.id);
    expect([answer.status, answer.body]).toEqual([200, { href: `/learn/${course.id}` }]);
    const as = learn(answer.cookies);
    expect((await as.complete()).body).toMatchObject({
      progress: 33,
      pointsAwarded: 5,
      certificateNumber: null,
    });
    expect((await as.quiz()).body.completion).toMatchObject({ progress: 66 });
    expect((await as.handIn()).body.completion).toMatchObject({ progress: 100, certificateNumber: null });
    await issueMissingCertificates();
    expect(await shownFigures(course.id, course.title)).toEqual(before);
    const learner = (await learnerOf(course.id))!;
    expect(await findPerson(learner)).toBeNull();
    // Nothing of it is the administrator's.
    expect(await db().$count(lessonProgress, eq(lessonProgress.userId, admin.id))).toBe(0);
    expect(await db().$count(enrollments, eq(enrollments.userId, admin.id))).toBe(0);

    // Begun anew, nothing of it is left; the same place otherwise.
    expect(await db().$count(assignments, eq(assignments.userId, learner))).toBe(1);
    await start(course.id);
    expect(await learnerOf(course.id)).toBe(learner);
    await start(course.id, { reset: true });
    expect(await db().$count(users, eq(users.id, learner))).toBe(0);
    expect((await as.complete()).body).toMatchObject({ progress: 33, pointsAwarded: 5 });
  });

  it('is for learning alone: everything else stays the administrator’s', async () => {
    const { course, learn } = await courseToPreview();
    const { cookies } = await start(course.id);
    const me = await callRoute(meRoute, { path: '/api/auth/me', withCookie, cookies });
    expect(me.body.id ?? me.body.user?.id).toBe(admin.id);
    const own = await callRoute(ownRoute, { path: '/api/my-enrollments', withCookie, cookies });
    expect(own.body).toHaveLength(1);
    // The switch stands in the lesson, which shows the choice of the learner that it is opened as.
    const hidden = { method: 'PUT', path: '/api/hidden-programs', body: { hidden: true } } as const;
    expect((await callRoute(hideRoute, { ...hidden, withCookie, cookies })).status).toBe(200);
    const [hides] = await db()
      .select({ id: users.id })
      .from(users)
      .where(and(inArray(users.id, [admin.id, (await learnerOf(course.id))!]), users.hidesPrograms));
    expect(hides?.id).toBe(await learnerOf(course.id));
    const left = await callRoute(leaveRoute, {
      method: 'DELETE',
      path: `/api/admin/courses/${course.id}/learner-preview`,
      params: { id: String(course.id) },
      withCookie,
      cookies,
    });
    expect(left.body).toEqual({ href: `/admin/courses/${course.id}/content` });
    expect((await learn(NONE).complete()).status).toBe(403);
    expect((await callRoute(ownRoute, { path: '/api/my-enrollments', withCookie })).body).toEqual([]);
  });

  it('takes nothing over that the administrator did as themselves and is sent late', async () => {
    const { course, learn } = await courseToPreview();
    await makeEnrollment(admin.id, course.id);
    const as = learn((await start(course.id)).cookies);
    expect((await as.complete({ 'x-account': String(admin.id) })).status).toBe(200);
    const learner = (await learnerOf(course.id))!;
    const completed = (userId: number) => db().$count(lessonProgress, eq(lessonProgress.userId, userId));
    expect([await completed(admin.id), await completed(learner)]).toEqual([1, 0]);
    expect((await as.complete({ 'x-account': String(learner) })).status).toBe(200);
    expect(await completed(learner)).toBe(1);
    await db().delete(enrollments).where(eq(enrollments.userId, admin.id));
  });

  it('is nobody else’s, whatever their cookie says', async () => {
    const { course, learn } = await courseToPreview();
    const { cookies } = await start(course.id);
    const [other, student] = [await signIn(await makeAdmin()), await signIn(await makeUser())];
    for (const who of [other, student]) {
      expect((await learn(cookies, who).complete()).status).toBeGreaterThanOrEqual(403);
    }
    const second = await courseToPreview();
    // A learner has access to their own course alone.
    expect((await second.learn(cookies).complete()).status).toBeGreaterThanOrEqual(403);
    for (const value of ['0', '-1', '1; drop', '99999999999', String(second.course.id)]) {
      const forged = new Map([...cookies].map(([name]) => [name, value] as const));
      expect((await learn(forged).complete()).status).toBe(403);
    }
    expect((await start(course.id, {}, student)).status).toBe(403);
    expect((await start(2_000_000_000)).status).toBe(404);
    expect((await start(course.id, { lessonId: 2_000_000_000 })).status).toBe(404);
    expect((await start(course.id, { reset: 'yes' })).body.fields).toEqual({
      reset: 'reset must be true or false',
    });
  });

  it('begun in many tabs at once is one learner', async () => {
    const { course } = await courseToPreview();
    const answers = await Promise.all([
      start(course.id),
      start(course.id, { reset: true }),
      start(course.id),
      start(course.id, { reset: true }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await db().$count(previewLearners, eq(previewLearners.courseId, course.id))).toBe(1);
    const emails = await db()
      .select({ id: users.id })
      .from(users)
      .where(sql`${users.email} like ${`preview-%-${course.id}@preview.invalid`}`);
    expect(emails).toHaveLength(1);
  });

  it('ends with the course and with the administrator, and keeps neither', async () => {
    const [one, two] = [await courseToPreview(), await courseToPreview()];
    const leaving = await makeAdmin();
    const theirs = await signIn(leaving);
    await start(one.course.id);
    await start(two.course.id, {}, theirs);
    const learners = [(await learnerOf(one.course.id))!, (await learnerOf(two.course.id, leaving.id))!];
    const deleted = await callRoute(deleteCourse, {
      method: 'DELETE',
      path: `/api/courses/${one.course.id}`,
      params: { id: String(one.course.id) },
      withCookie,
    });
    expect([deleted.status, deleted.body]).toEqual([200, { outcome: 'removed' }]);
    const gone = await callRoute(deleteUser, {
      method: 'POST',
      path: `/api/admin/users/${leaving.id}/delete`,
      params: { id: String(leaving.id) },
      body: { reason: 'Left the firm', confirmation: leaving.email },
      withCookie,
    });
    expect(gone.status, gone.text).toBe(200);
    expect(await db().$count(users, inArray(users.id, learners))).toBe(0);
    const [kept] = await db().select().from(courses).where(eq(courses.id, two.course.id));
    expect(kept).toBeDefined();
  });

  it('counts no real learner out', async () => {
    const { course } = await courseToPreview();
    await start(course.id);
    await makeEnrollment((await makeUser()).id, course.id);
    const [listed] = (await listAdminCourses({ search: course.title, page: 1 })).courses;
    expect(listed).toMatchObject({ owners: 1, isKept: true });
    expect((await newsReaders(course.id)).learners).toBe(1);
  });
});
