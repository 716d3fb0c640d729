import { and, eq } from 'drizzle-orm';
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
import { auditLog } from '#db/schema/account.ts';
import { courses, courseStaff } from '#db/schema/catalogue.ts';
import { assignments } from '#db/schema/learn.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { personalData } from '#src/features/admin/people/personal-data.server.ts';
import { findStaff, taughtCourses } from '#src/features/authoring/staff/staff.server.ts';
import { DELETE as remove } from '#src/pages/api/admin/courses/[id]/staff/[user].ts';
import { PUT as put } from '#src/pages/api/admin/courses/[id]/staff.ts';
import { POST as grade } from '#src/pages/api/admin/assignments/[id]/grade.ts';
import { POST as copyLesson } from '#src/pages/api/admin/lessons/[id]/duplicate.ts';
import { POST as moveLesson } from '#src/pages/api/admin/lessons/[id]/move.ts';
import { PUT as changeCourse } from '#src/pages/api/courses/[id].ts';
import { PUT as toggle } from '#src/pages/api/courses/[id]/toggle.ts';
import { GET as myLearning } from '#src/pages/api/my-learning.ts';
import { GET as readLesson } from '#src/pages/api/lessons/[id].ts';
import { callRoute, signIn } from '../../support/api.ts';

let admin: Awaited<ReturnType<typeof makeAdmin>>;
let as: Awaited<ReturnType<typeof signIn>>;
beforeAll(async () => {
  await makeCategories();
  admin = await makeAdmin();
  as = await signIn(admin);
});

const verified = () => makeUser({ emailVerifiedAt: new Date() });
const set = (courseId: number, email: string, role = 'author') =>
  callRoute(put, { method: 'PUT', params: { id: String(courseId) }, body: { email, role }, as });
const mailsTo = (email: string) =>
  db().$count(mailOutbox, and(eq(mailOutbox.recipient, email), eq(mailOutbox.template, 'course-staff')));

describe('the staff of a course', () => {
  it('is named by an administrator, told by mail once, changed and removed', async () => {
    const course = await makeCourse();
    const person = await verified();
    const answers = await Promise.all([set(course.id, person.email), set(course.id, person.email)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await db().$count(courseStaff, eq(courseStaff.userId, person.id))).toBe(1);
    expect(await mailsTo(person.email)).toBe(1);
    expect((await set(course.id, person.email.toUpperCase(), 'grader')).body).toEqual({
      message: `${person.username} is grader of this course`,
    });
    expect(await mailsTo(person.email)).toBe(2);
    expect(await taughtCourses(person.id)).toMatchObject([{ id: course.id, role: 'grader' }]);
    expect(await personalData(person.id)).toMatchObject({
      courseStaff: [{ course: course.title, role: 'grader' }],
    });

    const params = { id: String(course.id), user: String(person.id) };
    expect((await callRoute(remove, { method: 'DELETE', params, as })).status).toBe(200);
    expect((await callRoute(remove, { method: 'DELETE', params, as })).status).toBe(404);
    expect(await mailsTo(person.email)).toBe(3);
    const logged = await db()
      .select({ action: auditLog.action })
      .from(auditLog)
      .where(eq(auditLog.subjectId, String(course.id)));
    expect(logged.map(({ action }) => action)).toEqual([
      'course.staff_set',
      'course.staff_set',
      'course.staff_removed',
    ]);
  });

  it('refuses who cannot be on it, naming the field', async () => {
    const course = await makeCourse();
    const unproven = await makeUser({ emailVerifiedAt: null });
    for (const email of ['nobody-is-here@example.com', unproven.email, admin.email, 'no address']) {
      const answer = await set(course.id, email);
      expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, ['email']]);
    }
    const person = await verified();
    expect((await set(course.id, person.email, 'owner')).body.fields).toHaveProperty('role');
    expect((await set(2_147_483_647, person.email)).status).toBe(404);
  });
});

describe('the instructor of a course', () => {
  it('is chosen among the administrators and its authors, and logged once', async () => {
    const [course, other] = [await makeCourse(), await makeCourse()];
    const [author, grader, stranger] = [await verified(), await verified(), await verified()];
    await set(course.id, author.email);
    await set(course.id, grader.email, 'grader');
    await set(other.id, stranger.email);
    const chosen = (await findStaff(course.id))!.instructors.map(({ email }) => email);
    expect(chosen).toEqual(expect.arrayContaining([admin.email, author.email]));
    expect(chosen).not.toContain(grader.email);
    for (const { email } of [grader, stranger]) {
      const refused = await set(course.id, email, 'instructor');
      expect([refused.status, Object.keys(refused.body.fields)]).toEqual([400, ['email']]);
    }
    const answers = await Promise.all([1, 2].map(() => set(course.id, author.email, 'instructor')));
    expect(answers.map(({ body }) => body)).toEqual(
      Array(2).fill({ message: `${author.username} is the instructor of this course` }),
    );
    expect((await findStaff(course.id))!.instructor).toBe(author.email);
    expect(await db().$count(courses, eq(courses.createdBy, author.id))).toBe(1);
    const logged = await db()
      .select({ details: auditLog.details })
      .from(auditLog)
      .where(and(eq(auditLog.subjectType, 'course'), eq(auditLog.subjectId, String(course.id))));
    expect(logged.filter(({ details }) => (details as { role?: string }).role === 'instructor')).toHaveLength(
      1,
    );
    expect((await set(course.id, admin.email, 'instructor')).status).toBe(200);
    expect((await findStaff(course.id))!.instructor).toBe(admin.email);
    expect((await set(2_147_483_647, admin.email, 'instructor')).status).toBe(404);
    const params = { id: String(course.id) };
    const body = { email: author.email, role: 'instructor' };
    const session = await signIn(author);
    expect((await callRoute(put, { method: 'PUT', params, body, as: session })).status).toBe(403);
    expect((await callRoute(put, { method: 'PUT', params, body })).status).toBe(401);
  });
});

describe('an author of one course', () => {
  it('changes it and publishes it, without its prices', async () => {
    const course = await makeCourse({ isActive: false });
    const person = await verified();
    await set(course.id, person.email);
    const session = await signIn(person);
    const body = {
      ...{ title: 'Written anew', description: 'By its author.', thumbnail: '/favicon.svg', price: '20.00' },
      ...{ duration: '1 hour', level: 'Beginner', categoryId: course.categoryId, isActive: false },
    };
    await db()
      .update(courses)
      .set({ priceCents: 2000, originalPriceCents: null })
      .where(eq(courses.id, course.id));
    const change = (sent: object) =>
      callRoute(changeCourse, { method: 'PUT', params: { id: String(course.id) }, body: sent, as: session });
    const refused = await change({ ...body, price: '1.00' });
    expect([refused.status, refused.body.fields], refused.text).toEqual([
      403,
      { price: 'Only administrators change prices.' },
    ]);
    expect((await change({ ...body, originalPrice: '90.00' })).status).toBe(403);
    expect((await change(body)).body).toMatchObject({ title: 'Written anew', price: '20.00' });
    const answer = await callRoute(toggle, { method: 'PUT', params: { id: String(course.id) }, as: session });
    expect(answer.status, answer.text).toBe(200);
  });

  it('reads it whole before it is sold, and no other one', async () => {
    const [own, other] = [await makeCourse({ isActive: false }), await makeCourse({ isActive: false })];
    const person = await verified();
    await set(own.id, person.email, 'grader');
    const session = await signIn(person);
    const read = async (courseId: number) => {
      const { id } = await makeLesson(courseId, { isPreview: false });
      return (await callRoute(readLesson, { params: { id: String(id) }, as: session })).status;
    };
    expect([await read(own.id), await read(other.id)]).toEqual([200, 404]);
    const waits = await callRoute(myLearning, { as: session });
    expect(waits.body.teaches).toBe(true);
  });

  it('takes no lesson into or out of a course of others', async () => {
    const [own, other, second] = [await makeCourse(), await makeCourse(), await makeCourse()];
    const person = await verified();
    await set(own.id, person.email);
    await set(second.id, person.email);
    const session = await signIn(person);
    const lesson = await makeLesson(own.id);
    const foreign = await makeLesson(other.id);
    const ask = async (route: typeof moveLesson, id: number, courseId?: number) =>
      (await callRoute(route, { params: { id: String(id) }, body: { courseId }, as: session })).status;
    expect(await ask(moveLesson, lesson.id, other.id)).toBe(404);
    expect(await ask(moveLesson, foreign.id, own.id)).toBe(404);
    expect(await ask(copyLesson, foreign.id)).toBe(404);
    expect(await ask(copyLesson, lesson.id)).toBe(201);
    expect(await ask(moveLesson, lesson.id, second.id)).toBe(200);
  });

  it('is refused from the moment of the removal on', async () => {
    const course = await makeCourse();
    const person = await verified();
    await set(course.id, person.email);
    const session = await signIn(person);
    const flip = () => callRoute(toggle, { method: 'PUT', params: { id: String(course.id) }, as: session });
    expect((await flip()).status).toBe(200);
    await callRoute(remove, {
      ...{ method: 'DELETE', params: { id: String(course.id), user: String(person.id) }, as },
    });
    expect((await flip()).status).toBe(403);
    expect((await callRoute(myLearning, { as: session })).body.teaches).toBe(false);
  });
});

describe('a grader', () => {
  it('grades others’ work, and not their own', async () => {
    const course = await makeCourse();
    const lesson = await makeLesson(course.id, { type: 'assignment' });
    const grader = await verified();
    await set(course.id, grader.email, 'grader');
    const session = await signIn(grader);
    for (const learner of [await makeUser(), grader]) {
      await makeEnrollment(learner.id, course.id);
      const [work] = await db()
        .insert(assignments)
        .values({ lessonId: lesson.id, userId: learner.id, submission: 'Done.' })
        .returning();
      const answer = await callRoute(grade, {
        params: { id: String(work!.id) },
        body: { grade: 90, feedback: '', submittedAt: work!.submittedAt.toISOString() },
        as: session,
      });
      expect(answer.status, answer.text).toBe(learner === grader ? 403 : 200);
    }
  });
});
