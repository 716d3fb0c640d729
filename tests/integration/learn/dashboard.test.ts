import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { courseNews, enrollments, pointsLedger } from '#db/schema/learn.ts';
import { lessonQuestions } from '#db/schema/questions.ts';
import { findFinishedCourse } from '#src/features/learn/certificates/finished.server.ts';
import { completeLesson } from '#src/features/learn/progress/completion.server.ts';
import { readDashboard } from '#src/features/learn/dashboard/dashboard.server.ts';
import * as goalRoute from '#src/pages/api/weekly-goal.ts';
import { mailsTo } from '../../support/account.ts';
import { type CallOptions, callRoute, signIn } from '../../support/api.ts';

const DAY_MS = 86_400_000;
const setGoal = (body: unknown, options: CallOptions = {}) =>
  callRoute(goalRoute.PUT, { method: 'PUT', path: '/api/weekly-goal', body, ...options });

/** A learner in a course of two lessons with 30 points each. */
async function learner() {
  const user = await makeUser({ emailVerifiedAt: new Date() });
  const course = await makeCourse();
  const made = [
    await makeLesson(course.id, { points: 30 }),
    await makeLesson(course.id, { points: 30, title: 'Second' }),
  ];
  await makeEnrollment(user.id, course.id);
  const viewer = { id: user.id, role: 'student' } as const;
  const complete = (at: 0 | 1) => completeLesson(viewer, course.id, made[at]!.id);
  return { user, course, lessons: made, complete };
}

describe('the week on the dashboard', () => {
  it('counts the points of all courses, those of a refunded one too', async () => {
    const { user, course, complete } = await learner();
    expect((await readDashboard(user.id)).points).toMatchObject({ level: 1, points: 0 });
    await complete(0);
    await complete(1);
    expect((await readDashboard(user.id)).points).toMatchObject({ level: 2, points: 60, next: 150 });
    await db()
      .update(enrollments)
      .set({ status: 'revoked' })
      .where(and(eq(enrollments.userId, user.id), eq(enrollments.courseId, course.id)));
    const { points, enrollments: owned } = await readDashboard(user.id);
    expect([points.points, owned]).toEqual([60, []]);
    expect(await db().$count(pointsLedger, eq(pointsLedger.userId, user.id))).toBe(2);
  });

  it('has a goal that its learner sets, of 1 to 7 days', async () => {
    const { user } = await learner();
    const as = await signIn(user);
    expect((await readDashboard(user.id)).weeklyGoal).toBe(3);
    expect((await setGoal({ days: 5 })).status).toBe(401);
    for (const days of [0, 8, 2.5, '4', null]) {
      const refused = await setGoal({ days }, { as });
      expect([refused.status, Object.keys(refused.body.fields)]).toEqual([400, ['days']]);
    }
    expect((await setGoal({ days: 7 }, { as })).body).toEqual({ days: 7 });
    expect((await setGoal({ days: 7 }, { as })).status).toBe(200);
    expect((await readDashboard(user.id)).weeklyGoal).toBe(7);
  });

  it('tells what is new in courses that one owns, and of no others', async () => {
    const {
      user,
      course,
      lessons: [first],
      complete,
    } = await learner();
    const other = await makeCourse();
    await complete(0);
    expect((await readDashboard(user.id)).changes).toEqual([]);
    const writtenBy = (await makeAdmin()).id;
    const news = (courseId: number, title: string, sentAt: Date | null) =>
      db().insert(courseNews).values({ courseId, title, body: 'Text', writtenBy, sentAt });
    const now = Date.now();
    await news(course.id, 'A new chapter', new Date(now + 1000));
    await news(course.id, 'Still a draft', null);
    await news(course.id, 'Before they came', new Date(now - DAY_MS));
    await news(other.id, 'Of another course', new Date(now));
    await db()
      .update(lessons)
      .set({ changedAt: new Date(now + 2000) })
      .where(eq(lessons.id, first!.id));
    const ask = (key: string, answeredAt: Date | null, hiddenAt: Date | null = null) =>
      db()
        .insert(lessonQuestions)
        .values({ userId: user.id, lessonId: first!.id, key, body: 'Why?', answeredAt, hiddenAt });
    await ask('waits', null);
    await ask('hidden', new Date(now), new Date(now));
    await ask('old', new Date(now - 30 * DAY_MS));
    await ask('answered', new Date(now + 3000));
    const { changes } = await readDashboard(user.id);
    expect(changes.map(({ kind, title, courseId }) => [kind, title, courseId])).toEqual([
      ['answer', first!.title, course.id],
      ['lesson', first!.title, course.id],
      ['news', 'A new chapter', course.id],
    ]);
  });
});

describe('a finished course', () => {
  it('has its certificate on a page of its own, and is not mailed', async () => {
    const { user, course, complete } = await learner();
    await complete(0);
    expect(await findFinishedCourse(user.id, course.id)).toBe('unfinished');
    await Promise.all([complete(1), complete(1)]);
    await complete(1);
    expect(await mailsTo(user.email)).toEqual([]);
    const found = await findFinishedCourse(user.id, course.id);
    expect(found).toMatchObject({ title: course.title, lessonCount: 2, points: 60 });
    expect(found).toHaveProperty('certificate.recipientName', user.username);
    expect(found).toHaveProperty(
      'next',
      expect.not.arrayContaining([expect.objectContaining({ id: course.id })]),
    );
    expect(await findFinishedCourse((await makeUser()).id, course.id)).toBeNull();
  });
});
