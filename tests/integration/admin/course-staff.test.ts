import { and, eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import {
  makeAdmin,
  makeCategories,
  makeCourse,
  makeEnrollment,
  makeLesson,
  makeUser,
} from '../../support/factories.ts';
import { auditLog, emailChanges, users } from '#db/schema/account.ts';
import { courses, courseStaff } from '#db/schema/catalogue.ts';
import { assignments } from '#db/schema/learn.ts';
import { mailOutbox, rateLimits } from '#db/schema/machinery.ts';
import { organisationInvitations } from '#db/schema/organisations.ts';
import { hashSecret } from '#src/features/account/session.server.ts';
import { confirmEmailChange } from '#src/features/account/email/email-change.server.ts';
import { markVerified } from '#src/features/account/email/verification.server.ts';
import { deletePerson, personalData } from '#src/features/admin/people/personal-data.server.ts';
import { findInvitation, invitedBy } from '#src/features/organisations/seats/join.server.ts';
import { findStaff, taughtCourses } from '#src/features/authoring/staff/staff.server.ts';
import { POST as register } from '#src/pages/api/auth/register.ts';
import { POST as join } from '#src/pages/api/join.ts';
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

    expect((await set(course.id, person.email, 'none')).status).toBe(200);
    expect((await set(course.id, person.email, 'none')).status).toBe(404);
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
    for (const email of [admin.email, 'no address']) {
      const answer = await set(course.id, email);
      expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, ['email']]);
    }
    const person = await verified();
    expect((await set(course.id, person.email, 'owner')).body.fields).toHaveProperty('role');
    expect((await set(2_147_483_647, person.email)).status).toBe(404);
  });
});

describe('an address without a verified account', () => {
  beforeEach(() => db().delete(rateLimits));
  const address = () => `staff-${crypto.randomUUID()}@example.com`;
  const secretFor = async (email: string) => {
    const mails = await db()
      .select({ text: mailOutbox.text })
      .from(mailOutbox)
      .where(and(eq(mailOutbox.recipient, email), eq(mailOutbox.template, 'course-staff')))
      .orderBy(mailOutbox.id);
    return /join\?token=([\w-]+)/.exec(mails.at(-1)?.text ?? '')?.[1] ?? '';
  };
  const invited = async (courseId: number) =>
    (await findStaff(courseId))!.invited.map(({ email, role }) => `${email} ${role}`);
  const staffOf = async (courseId: number) =>
    (await findStaff(courseId))!.members.map(({ email, role }) => `${email} ${role}`);
  const registerAs = (email: string, invitation?: string) =>
    callRoute(register, {
      body: {
        username: 'Ada Example',
        email,
        password: 'a long and quiet sentence',
        confirmPassword: 'a long and quiet sentence',
        role: 'student',
        invitation,
      },
    });
  const joinAs = async (user: Parameters<typeof signIn>[0], token: string) =>
    callRoute(join, { as: await signIn(user), body: { token } });
  const withdraw = (courseId: number, email: string, by: typeof as | null = as) =>
    callRoute(put, {
      method: 'PUT',
      params: { id: String(courseId) },
      body: { email, role: 'none' },
      as: by,
    });
  const verify = async (user: { id: number; email: string }) =>
    db().transaction((tx) => markVerified(tx, user.id));

  it('is invited by mail, and has the role once it registers by the link', async () => {
    const course = await makeCourse({ title: 'Queues & caches' });
    const email = address();
    const answer = await set(course.id, email.toUpperCase());
    expect(answer.body.message).toBe(`We mailed an invitation to ${email}. It works for 14 days.`);
    expect(await invited(course.id)).toEqual([`${email} author`]);
    const secret = await secretFor(email);
    expect(await invitedBy(`/join?token=${secret}`)).toEqual({ secret, email, next: '/teaching' });
    expect(await findInvitation(secret)).toMatchObject({
      kind: 'staff',
      email,
      course: { title: 'Queues & caches' },
    });
    const registered = await registerAs(email, secret);
    expect([registered.status, registered.body.user?.emailVerified]).toEqual([201, true]);
    expect([await invited(course.id), await staffOf(course.id)]).toEqual([[], [`${email} author`]]);
    const logged = await db()
      .select()
      .from(auditLog)
      .where(eq(auditLog.subjectId, String(course.id)));
    expect(logged).toMatchObject([
      { action: 'course.staff_set', actorId: admin.id, details: { email, role: 'author' } },
    ]);
    expect(await findInvitation(secret)).toBeNull();
  });

  it('has no role by registering without the link, until it is verified', async () => {
    const course = await makeCourse();
    const email = address();
    await set(course.id, email, 'grader');
    const { user } = (await registerAs(email, 'a'.repeat(30))).body;
    expect([user.emailVerified, await staffOf(course.id)]).toEqual([false, []]);
    await verify(user);
    expect([await invited(course.id), await staffOf(course.id)]).toEqual([[], [`${email} grader`]]);
  });

  it('has the role of the address that an account changes to', async () => {
    const course = await makeCourse();
    const [person, email, secret] = [await verified(), address(), 'x'.repeat(43)];
    await set(course.id, email);
    await db()
      .insert(emailChanges)
      .values({ userId: person.id, email, token: hashSecret(secret), expiresAt: new Date(Date.now() + 9e5) });
    await confirmEmailChange(secret, person.id);
    expect(await staffOf(course.id)).toEqual([`${email} author`]);
  });

  it('takes the invitation signed in, which proves the address; another account cannot', async () => {
    const course = await makeCourse();
    const person = await makeUser({ emailVerifiedAt: null });
    await set(course.id, person.email, 'grader');
    const secret = await secretFor(person.email);
    const other = await verified();
    expect((await joinAs(other, secret)).status).toBe(403);
    expect((await registerAs(address(), secret)).body.user.emailVerified).toBe(false);
    expect(await staffOf(course.id)).toEqual([]);
    expect((await joinAs(person, secret)).body).toEqual({
      message: `You are grader of “${course.title}” now.`,
      next: '/teaching',
    });
    expect(await staffOf(course.id)).toEqual([`${person.email} grader`]);
    const [row] = await db().select().from(users).where(eq(users.id, person.id));
    expect(row!.emailVerifiedAt).not.toBeNull();
    expect((await joinAs(person, secret)).status, 'once').toBe(404);
  });

  it('has one invitation, whose newest link and role count', async () => {
    const [course, second] = [await makeCourse(), await makeCourse()];
    const email = address();
    await set(course.id, email);
    const old = await secretFor(email);
    const both = await Promise.all([set(course.id, email, 'grader'), set(course.id, email, 'grader')]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    await set(second.id, email);
    expect(await invited(course.id)).toEqual([`${email} grader`]);
    expect(await findInvitation(old)).toBeNull();
    await registerAs(email, await secretFor(email));
    expect(await staffOf(course.id)).toEqual([`${email} grader`]);
    expect(await staffOf(second.id)).toEqual([`${email} author`]);
  });

  it.each(['expired', 'withdrawn', 'of a former administrator', 'of a deleted course'])(
    'gets nothing by an invitation that is %s',
    async (how) => {
      const course = await makeCourse();
      const inviter = await makeAdmin();
      const person = await makeUser({ emailVerifiedAt: null });
      const body = { email: person.email, role: 'author' };
      const params = { id: String(course.id) };
      await callRoute(put, { method: 'PUT', params, body, as: await signIn(inviter) });
      const secret = await secretFor(person.email);
      const { id } = (await findStaff(course.id))!.invited[0]!;
      const its = eq(organisationInvitations.id, id);
      if (how === 'expired')
        await db().update(organisationInvitations).set({ expiresAt: new Date() }).where(its);
      if (how === 'of a former administrator')
        await db().update(users).set({ role: 'student' }).where(eq(users.id, inviter.id));
      if (how === 'of a deleted course') await db().delete(courses).where(eq(courses.id, course.id));
      if (how === 'withdrawn') {
        const stranger = await signIn(await verified());
        expect((await withdraw((await makeCourse()).id, person.email)).status, 'of another course').toBe(404);
        expect((await withdraw(course.id, person.email, stranger)).status).toBe(403);
        expect((await withdraw(course.id, person.email, null)).status).toBe(401);
        expect((await withdraw(course.id, person.email)).status).toBe(200);
        expect((await withdraw(course.id, person.email)).status).toBe(404);
      }
      expect((await findStaff(course.id))?.invited ?? []).toEqual([]);
      expect((await joinAs(person, secret)).status).toBe(404);
      await verify(person);
      expect(await db().$count(courseStaff, eq(courseStaff.userId, person.id))).toBe(0);
    },
  );

  it('is invited by administrators alone, to a course that exists, and not too often', async () => {
    const course = await makeCourse();
    const author = await verified();
    await set(course.id, author.email);
    const params = { id: String(course.id) };
    const body = { email: address(), role: 'grader' };
    const session = await signIn(author);
    expect((await callRoute(put, { method: 'PUT', params, body, as: session })).status).toBe(403);
    expect((await callRoute(put, { method: 'PUT', params, body })).status).toBe(401);
    expect((await set(2_147_483_647, address())).status).toBe(404);
    const answers: number[] = [];
    for (let nth = 0; nth < 20; nth++) answers.push((await set(course.id, address())).status);
    expect(answers).toEqual([...Array(19).fill(200), 429]);
    expect((await set(course.id, (await verified()).email)).status, 'who has an account').toBe(200);
  });

  it('is not in the invitations any more once its account is deleted', async () => {
    const course = await makeCourse();
    const person = await verified();
    await db()
      .insert(organisationInvitations)
      .values({
        ...{ courseId: course.id, email: person.email, role: 'author', token: crypto.randomUUID() },
        ...{ invitedBy: admin.id, expiresAt: new Date(Date.now() + 86_400_000) },
      });
    const removal = { confirmation: person.email, reason: 'gone' };
    await deletePerson({ id: admin.id, name: admin.username }, person.id, removal);
    expect(await invited(course.id)).toEqual([]);
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
    await set(course.id, person.email, 'none');
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
