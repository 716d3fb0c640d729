import { answered } from '../../support/patient.ts';
import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { enrollments, lessonProgress, pointsLedger, quizQuestions } from '#db/schema/learn.ts';
import { scenarios } from '#db/schema/scenario.ts';
import { completeLesson } from '#src/features/learn/progress/completion.server.ts';
import { findClassroom } from '#src/features/learn/classroom/classroom.server.ts';
import { openLesson } from '../../support/open-lesson.ts';
import * as completeRoute from '#src/pages/api/courses/[id]/content/[lessonId]/complete.ts';
import * as enrollmentsRoute from '#src/pages/api/enrollments.ts';
import * as myEnrollmentRoute from '#src/pages/api/my-enrollments/[courseId].ts';
import * as myEnrollmentsRoute from '#src/pages/api/my-enrollments.ts';
import * as progressRoute from '#src/pages/api/progress.ts';
import { type CallOptions, callRoute, signIn } from '../../support/api.ts';

const complete = (courseId: unknown, lessonId: unknown, options: CallOptions = {}) =>
  callRoute(completeRoute.POST, {
    method: 'POST',
    path: `/api/courses/${courseId}/content/${lessonId}/complete`,
    params: { id: String(courseId), lessonId: String(lessonId) },
    ...options,
  });
const myEnrollment = (courseId: unknown, options: CallOptions = {}) =>
  callRoute(myEnrollmentRoute.GET, { params: { courseId: String(courseId) }, ...options });

/** A learner in a course with lessons of the given points. */
async function classroom(points: number[]) {
  const user = await makeUser();
  const course = await makeCourse();
  const lessons = [];
  for (const value of points) lessons.push(await makeLesson(course.id, { points: value }));
  await makeEnrollment(user.id, course.id);
  return { user, course, lessons, as: await signIn(user) };
}

async function enrollmentOf(userId: number, courseId: number) {
  const [row] = await db()
    .select()
    .from(enrollments)
    .where(and(eq(enrollments.userId, userId), eq(enrollments.courseId, courseId)));
  return row!;
}

describe('POST /api/courses/{courseId}/content/{lessonId}/complete', () => {
  it('brings progress, points and level up to date (decisions 34, 35)', async () => {
    const { course, lessons, as, user } = await classroom([10, 20, 70]);
    const first = await complete(course.id, lessons[0]!.id, { as });
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      courseId: course.id,
      lessonId: lessons[0]!.id,
      completed: true,
      completedAt: expect.any(String),
      progress: 33,
      pointsAwarded: 10,
      totalPoints: 10,
      skillLevel: 'beginner',
      courseCompletedAt: null,
      certificateNumber: null,
    });
    await complete(course.id, lessons[1]!.id, { as });
    const last = await complete(course.id, lessons[2]!.id, { as });
    expect(last.body).toMatchObject({ progress: 100, totalPoints: 100, skillLevel: 'advanced' });
    expect(last.body.courseCompletedAt).not.toBeNull();
    const row = await enrollmentOf(user.id, course.id);
    expect(row).toMatchObject({ progress: 100, totalPoints: 100, currentLessonId: lessons[2]!.id });
    expect(row.completedAt?.toISOString()).toBe(last.body.courseCompletedAt);
    expect(row.lastAccessedAt).not.toBeNull();
  });

  it('changes nothing when it is repeated', async () => {
    const { course, lessons, as } = await classroom([10, 10]);
    const first = await complete(course.id, lessons[0]!.id, { as });
    const again = await complete(course.id, lessons[0]!.id, { as });
    expect(again.body).toEqual({ ...first.body, pointsAwarded: 0 });
  });

  it('counts 20 parallel completions of 20 lessons to exactly 100, points once (S5)', async () => {
    const { user, course, lessons, as } = await classroom(Array<number>(20).fill(5));
    const answers = await Promise.all(
      [...lessons, ...lessons].map((lesson) => answered(() => complete(course.id, lesson.id, { as }))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200));
    const row = await enrollmentOf(user.id, course.id);
    expect([row.progress, row.totalPoints]).toEqual([100, 100]);
    const completedAt = new Set(answers.map(({ body }) => body.courseCompletedAt).filter(Boolean));
    expect(completedAt).toEqual(new Set([row.completedAt?.toISOString()]));
    const ledger = await db().select().from(pointsLedger).where(eq(pointsLedger.userId, user.id));
    expect(ledger).toHaveLength(20);
    expect(answers.reduce((sum, { body }) => sum + body.pointsAwarded, 0)).toBe(100);
  });

  it('is not stopped by others who complete in the same course at once (S5)', async () => {
    const { course, lessons, user } = await classroom([5, 5, 5, 5]);
    const users = [user];
    for (let index = 0; index < 4; index += 1) {
      const other = await makeUser();
      await makeEnrollment(other.id, course.id);
      users.push(other);
    }
    await Promise.all(
      users.flatMap((learner, shift) =>
        lessons.map((_, index) => {
          const lesson = lessons[(index + shift) % lessons.length]!;
          return completeLesson({ id: learner.id, role: 'student' }, course.id, lesson.id);
        }),
      ),
    );
    for (const learner of users) {
      expect(await enrollmentOf(learner.id, course.id)).toMatchObject({ progress: 100, totalPoints: 20 });
    }
  });

  it('keeps completedAt when lessons are added after 100 % (decision 34, S6)', async () => {
    const { user, course, lessons, as } = await classroom([5]);
    await complete(course.id, lessons[0]!.id, { as });
    const { completedAt } = await enrollmentOf(user.id, course.id);
    const added = [await makeLesson(course.id), await makeLesson(course.id)];
    await complete(course.id, added[0]!.id, { as });
    const row = await enrollmentOf(user.id, course.id);
    expect([row.progress, row.completedAt]).toEqual([66, completedAt]);
    await complete(course.id, added[1]!.id, { as });
    expect(await enrollmentOf(user.id, course.id)).toMatchObject({ progress: 100, completedAt });
  });

  it('leaves optional lessons out of the progress but gives their points', async () => {
    const { course, lessons, as } = await classroom([10]);
    const optional = await makeLesson(course.id, { requiredToComplete: false, points: 40 });
    expect((await complete(course.id, optional.id, { as })).body).toMatchObject({
      progress: 0,
      totalPoints: 40,
    });
    expect((await complete(course.id, lessons[0]!.id, { as })).body).toMatchObject({
      progress: 100,
      totalPoints: 50,
    });
  });

  it('refuses who is not enrolled, the lesson of another course, and what must be passed (I3)', async () => {
    const { user, course, lessons, as } = await classroom([10]);
    const stranger = await signIn(await makeUser());
    const other = await classroom([10]);
    expect((await complete(course.id, lessons[0]!.id)).status).toBe(401);
    const refused = await complete(course.id, lessons[0]!.id, { as: stranger });
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    expect((await complete(course.id, lessons[0]!.id, { as: await signIn(await makeAdmin()) })).status).toBe(
      403,
    );
    expect((await complete(course.id, other.lessons[0]!.id, { as })).status).toBe(404);
    expect((await complete(other.course.id, lessons[0]!.id, { as })).status).toBe(403);
    for (const [type, codingLanguage] of [
      ['quiz', null],
      ['scenario', null],
      ['interactive_coding', 'python'],
    ] as const) {
      const lesson = await makeLesson(course.id, {
        type,
        codingLanguage,
        ...(codingLanguage && { expectedOutput: '5' }),
      });
      if (type === 'quiz') {
        const question = {
          question: '2 + 2?',
          options: ['3', '4'],
          correctAnswer: 1,
          explanation: '',
          order: 1,
        };
        await db()
          .insert(quizQuestions)
          .values({ ...question, lessonId: lesson.id });
      }
      if (type === 'scenario') {
        await db().insert(scenarios).values({
          lessonId: lesson.id,
          title: 'Storm',
          description: 'Wind.',
          scenarioType: 'debugging',
          initialState: {},
          goals: [],
          resources: [],
          definition: {},
          timeLimit: 10,
        });
      }
      const answer = await complete(course.id, lesson.id, { as });
      expect([type, answer.status, answer.body.code]).toEqual([type, 409, 'conflict']);
    }
    expect(await enrollmentOf(user.id, course.id)).toMatchObject({ progress: 0, totalPoints: 0 });
    expect(await db().select().from(lessonProgress).where(eq(lessonProgress.userId, user.id))).toEqual([]);
  });

  it('asks for 90 % of a video where the course does (decision 33)', async () => {
    const { user, course, as } = await classroom([]);
    const video = await makeLesson(course.id, { type: 'video', watchRequired: true, durationSeconds: 100 });
    const free = await makeLesson(course.id, { type: 'video', durationSeconds: 100 });
    expect((await complete(course.id, free.id, { as })).status).toBe(200);
    expect((await complete(course.id, video.id, { as })).status).toBe(409);
    const watched = (intervals: [number, number][]) =>
      db()
        .insert(lessonProgress)
        .values({ userId: user.id, lessonId: video.id, courseId: course.id, watchedIntervals: intervals })
        .onConflictDoUpdate({
          target: [lessonProgress.userId, lessonProgress.lessonId],
          set: { watchedIntervals: intervals },
        });
    await watched([
      [0, 50],
      [0, 89],
    ]);
    expect((await complete(course.id, video.id, { as })).status).toBe(409);
    await watched([
      [0, 50],
      [40, 90],
    ]);
    expect((await complete(course.id, video.id, { as })).status).toBe(200);
  });

  it('refuses a revoked or suspended enrollment', async () => {
    const { user, course, lessons, as } = await classroom([10]);
    for (const status of ['revoked', 'suspended'] as const) {
      await db().update(enrollments).set({ status }).where(eq(enrollments.userId, user.id));
      expect((await complete(course.id, lessons[0]!.id, { as })).status).toBe(403);
      expect((await myEnrollment(course.id, { as })).status).toBe(404);
    }
  });

  it('does not tell a hidden course from a missing one (I8)', async () => {
    const course = await makeCourse({ isActive: false });
    const lesson = await makeLesson(course.id);
    const as = await signIn(await makeUser());
    expect((await complete(course.id, lesson.id, { as })).status).toBe(404);
    expect((await complete(2_000_000_000, lesson.id, { as })).status).toBe(404);
  });

  it('answers 404 for ids that name nothing (N3)', async () => {
    const { course, lessons, as } = await classroom([1]);
    for (const id of ['2147483648', '-1', '0', '1.5', '1e3', 'NaN', 'abc', '9'.repeat(10_240)]) {
      expect((await complete(id, lessons[0]!.id, { as })).status).toBe(404);
      expect((await complete(course.id, id, { as })).status).toBe(404);
    }
  });

  it('takes nothing from the body (A17)', async () => {
    const { user, course, lessons, as } = await classroom([10, 10]);
    await complete(course.id, lessons[0]!.id, {
      as,
      body: { progress: 100, totalPoints: 9999, userId: 1, completedAt: '2000-01-01' },
    });
    expect(await enrollmentOf(user.id, course.id)).toMatchObject({
      progress: 50,
      totalPoints: 10,
      completedAt: null,
    });
  });
});

describe('GET /api/enrollments', () => {
  it('lists the own ones with their course (spec 3)', async () => {
    const { user, course, as } = await classroom([1]);
    const answer = await callRoute(enrollmentsRoute.GET, { as });
    expect(answer.body).toEqual([
      {
        id: expect.any(Number),
        userId: user.id,
        courseId: course.id,
        enrolledAt: expect.any(String),
        progress: 0,
        completedAt: null,
        certificateIssued: false,
        currentLessonId: null,
        totalTimeSpent: 0,
        lastAccessedAt: null,
        totalPoints: 0,
        skillLevel: 'beginner',
        course: {
          id: course.id,
          title: course.title,
          thumbnail: course.thumbnail,
          duration: '12 hours',
          level: 'beginner',
        },
      },
    ]);
    expect((await callRoute(enrollmentsRoute.GET)).status).toBe(401);
  });
});

describe('GET /api/my-enrollments', () => {
  it('lists the outline with what is done, sorted by order', async () => {
    const { course, lessons, as } = await classroom([1, 1]);
    await makeLesson(course.id, { title: 'Comes first', order: 0 });
    await complete(course.id, lessons[0]!.id, { as });
    const answer = await callRoute(myEnrollmentsRoute.GET, { as });
    const content: { title: string; completed: boolean }[] = answer.body[0].course.content;
    expect(content.map(({ title, completed }) => [title, completed])).toEqual([
      ['Comes first', false],
      [lessons[0]!.title, true],
      [lessons[1]!.title, false],
    ]);
    expect(content[0]).not.toHaveProperty('content');
    expect((await callRoute(myEnrollmentsRoute.GET)).status).toBe(401);
  });

  it('gives one with bodies to its owner alone, whatever the query says (I4)', async () => {
    const { user, course, as } = await classroom([1]);
    const mine = await myEnrollment(course.id, { as });
    expect(mine.body.course.content[0]).toMatchObject({ content: 'Text of the lesson.', completed: false });
    const stranger = await signIn(await makeUser());
    const answer = await myEnrollment(course.id, {
      as: stranger,
      path: `/api/my-enrollments/${course.id}?userId=${user.id}`,
    });
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    const all = await callRoute(myEnrollmentsRoute.GET, {
      as: stranger,
      path: `/api/my-enrollments?userId=${user.id}`,
    });
    expect(all.body).toEqual([]);
    expect((await myEnrollment(course.id)).status).toBe(401);
    expect((await myEnrollment('abc', { as })).status).toBe(404);
  });

  it('keeps a bought course that was hidden afterwards (I8, decision 30)', async () => {
    const user = await makeUser();
    const course = await makeCourse({ isActive: false });
    await makeEnrollment(user.id, course.id);
    expect((await myEnrollment(course.id, { as: await signIn(user) })).status).toBe(200);
  });
});

describe('GET /api/progress', () => {
  it('gives the own lessons and points by course (decision 40)', async () => {
    const { course, lessons, as } = await classroom([10, 30]);
    await complete(course.id, lessons[0]!.id, { as });
    const answer = await callRoute(progressRoute.GET, { as });
    expect(answer.body).toEqual([
      {
        courseId: course.id,
        progress: 50,
        totalPoints: 10,
        skillLevel: 'beginner',
        certificateNumber: null,
        lessons: [
          {
            lessonId: lessons[0]!.id,
            completed: true,
            timeSpent: 0,
            completedAt: expect.any(String),
            score: null,
            attempts: 0,
            notes: '',
            points: 10,
          },
        ],
      },
    ]);
    expect((await callRoute(progressRoute.GET, { as: await signIn(await makeUser()) })).body).toEqual([]);
    expect((await callRoute(progressRoute.GET)).status).toBe(401);
  });
});

describe('the classroom', () => {
  it('opens for the enrolled and keeps where they are', async () => {
    const { user, course, lessons } = await classroom([1, 1]);
    const viewer = { id: user.id, role: 'student' } as const;
    expect((await findClassroom(viewer, course.id))?.lessons).toHaveLength(2);
    expect((await openLesson(user.id, course.id, lessons[1]!.id))?.content).toBe('Text of the lesson.');
    expect((await enrollmentOf(user.id, course.id)).currentLessonId).toBe(lessons[1]!.id);
    const other = await classroom([1]);
    expect(await openLesson(user.id, course.id, other.lessons[0]!.id)).toBeNull();
    expect(await findClassroom(viewer, other.course.id)).toBeNull();
  });

  it('never hands out a solution or a hidden test (I2)', async () => {
    const { user, course } = await classroom([]);
    const lesson = await makeLesson(course.id, {
      type: 'interactive_coding',
      codingLanguage: 'javascript',
      solution: 'the solution',
      testCases: [{ input: 'secret input', expectedOutput: 'secret', hidden: true }],
    });
    expect(JSON.stringify(await openLesson(user.id, course.id, lesson.id))).not.toMatch(
      /secret|the solution/,
    );
  });
});

describe('a crowd without access', () => {
  it('is refused as one by one: nobody waits for a connection that others of the crowd hold (F1)', async () => {
    const [course, student] = [await makeCourse(), await makeUser()];
    const lesson = await makeLesson(course.id);
    const as = await signIn(student);
    const answers = await Promise.all(
      Array.from({ length: 40 }, () =>
        callRoute(completeRoute.POST, {
          method: 'POST',
          as,
          params: { id: String(course.id), lessonId: String(lesson.id) },
        }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]));
  });
});
