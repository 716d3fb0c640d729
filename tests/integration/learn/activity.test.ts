import { and, eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { enrollments, lessonProgress, pointsLedger, studyClocks, studyDays } from '#db/schema/learn.ts';
import { completeLesson, recomputeCourse } from '#src/features/learn/progress/completion.server.ts';
import { findClassroom, visitLesson } from '#src/features/learn/classroom/classroom.server.ts';
import { openLesson } from '../../support/open-lesson.ts';
import { findNextStep } from '#src/features/learn/progress/next-step.server.ts';
import { lessonToOpen } from '#src/features/learn/progress/learn.ts';
import { listEnrollments } from '#src/features/learn/progress/enrollments.server.ts';
import { readDashboard } from '#src/features/learn/dashboard/dashboard.server.ts';
import * as activityRoute from '#src/pages/api/lessons/[id]/activity.ts';
import * as completeRoute from '#src/pages/api/courses/[id]/content/[lessonId]/complete.ts';
import * as notesRoute from '#src/pages/api/lessons/[id]/notes.ts';
import { type CallOptions, callRoute, signIn } from '../../support/api.ts';

const LESSON_NOT_FOUND = "Lesson not found or you don't have access to it.";

const report = (lessonId: unknown, body: unknown, options: CallOptions = {}) =>
  callRoute(activityRoute.POST, { method: 'POST', params: { id: String(lessonId) }, body, ...options });
const saveNotes = (lessonId: unknown, body: unknown, options: CallOptions = {}) =>
  callRoute(notesRoute.PUT, { method: 'PUT', params: { id: String(lessonId) }, body, ...options });

async function learnerIn(values: Parameters<typeof makeLesson>[1][] = [{}]) {
  const user = await makeUser();
  const course = await makeCourse();
  const made = [];
  for (const value of values) made.push(await makeLesson(course.id, value));
  await makeEnrollment(user.id, course.id);
  return { user, course, lessons: made, lesson: made[0]!, as: await signIn(user) };
}

/** A machine that is busy takes a moment itself, and that moment counts too. */
function expectAbout(seconds: number, expected: number): void {
  expect(seconds).toBeGreaterThanOrEqual(expected);
  expect(seconds).toBeLessThanOrEqual(expected + 8);
}

/** Lets time pass for everything that the server measures by. */
async function passes(userId: number, seconds: number): Promise<void> {
  const earlier = sql`make_interval(secs => ${seconds})`;
  await db()
    .update(studyClocks)
    .set({ countedUntil: sql`${studyClocks.countedUntil} - ${earlier}` })
    .where(eq(studyClocks.userId, userId));
  await db()
    .update(lessonProgress)
    .set({ watchedAt: sql`${lessonProgress.watchedAt} - ${earlier}` })
    .where(eq(lessonProgress.userId, userId));
}

async function progressOf(userId: number, lessonId: number) {
  const [row] = await db()
    .select()
    .from(lessonProgress)
    .where(and(eq(lessonProgress.userId, userId), eq(lessonProgress.lessonId, lessonId)));
  return row!;
}

async function enrollmentOf(userId: number, courseId: number) {
  const [row] = await db()
    .select()
    .from(enrollments)
    .where(and(eq(enrollments.userId, userId), eq(enrollments.courseId, courseId)));
  return row!;
}

const daysOf = (userId: number) => db().select().from(studyDays).where(eq(studyDays.userId, userId));

describe('time spent (decision 34)', () => {
  it('is counted for the lesson, the course and the day, and keeps the place', async () => {
    const { user, course, lessons: all, as } = await learnerIn([{}, {}]);
    await openLesson(user.id, course.id, all[0]!.id);
    await passes(user.id, 20);
    const first = await report(all[0]!.id, { seconds: 20 }, { as });
    expect([first.status, first.body]).toEqual([
      200,
      { timeSpent: 20, totalTimeSpent: 20, watchedPercent: null },
    ]);
    await passes(user.id, 20);
    expect((await report(all[1]!.id, { seconds: 20 }, { as })).body).toMatchObject({
      timeSpent: 20,
      totalTimeSpent: 40,
    });
    expect(await enrollmentOf(user.id, course.id)).toMatchObject({
      totalTimeSpent: 40,
      currentLessonId: all[1]!.id,
      lastAccessedAt: expect.any(Date),
    });
    expect(await daysOf(user.id)).toMatchObject([{ seconds: 40, lessonsCompleted: 0 }]);
  });

  it('is never more than has passed, whatever is claimed (J10)', async () => {
    const { user, course, lesson, as } = await learnerIn();
    await openLesson(user.id, course.id, lesson.id);
    for (const seconds of [1e12, 1e308, 3600]) {
      expectAbout((await report(lesson.id, { seconds }, { as })).body.totalTimeSpent, 0);
    }
    await passes(user.id, 10);
    expectAbout((await report(lesson.id, { seconds: 1e12 }, { as })).body.totalTimeSpent, 10);
    expectAbout((await report(lesson.id, { seconds: 1e12 }, { as })).body.totalTimeSpent, 10);
    // One report is about a minute at most, so that a night away is not a night of study.
    await passes(user.id, 30_000);
    expectAbout((await report(lesson.id, { seconds: 30_000 }, { as })).body.totalTimeSpent, 70);
  });

  it('counts nothing before a lesson was opened', async () => {
    const { lesson, as } = await learnerIn();
    expect((await report(lesson.id, { seconds: 60 }, { as })).body.totalTimeSpent).toBe(0);
  });

  it('starts anew when somebody comes back, and leaves an open tab its time', async () => {
    const { user, course, lesson, as } = await learnerIn();
    await openLesson(user.id, course.id, lesson.id);
    await passes(user.id, 86_400);
    await openLesson(user.id, course.id, lesson.id);
    expectAbout((await report(lesson.id, { seconds: 60 }, { as })).body.totalTimeSpent, 0);
    await passes(user.id, 20);
    await openLesson(user.id, course.id, lesson.id);
    expectAbout((await report(lesson.id, { seconds: 20 }, { as })).body.totalTimeSpent, 20);
  });

  it('does not run twice in two tabs, nor in twenty', async () => {
    const { user, course, lessons: all, as } = await learnerIn([{}, {}]);
    await openLesson(user.id, course.id, all[0]!.id);
    await openLesson(user.id, course.id, all[1]!.id);
    await passes(user.id, 20);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => report(all[index % 2]!.id, { seconds: 20 }, { as })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const { totalTimeSpent } = await enrollmentOf(user.id, course.id);
    expect(totalTimeSpent).toBeGreaterThanOrEqual(20);
    // The database took part of a second for it; nothing of the claimed 400 came through.
    expect(totalTimeSpent).toBeLessThanOrEqual(30);
    const times = await Promise.all(all.map(({ id }) => progressOf(user.id, id)));
    expect(times.reduce((sum, row) => sum + (row?.timeSpent ?? 0), 0)).toBe(totalTimeSpent);
    expect(await daysOf(user.id)).toMatchObject([{ seconds: totalTimeSpent }]);
  });

  it('loses no second to rounding', async () => {
    const { user, course, lesson, as } = await learnerIn();
    await openLesson(user.id, course.id, lesson.id);
    for (let count = 0; count < 10; count += 1) {
      await passes(user.id, 19.5);
      await report(lesson.id, { seconds: count % 2 === 0 ? 19 : 20 }, { as });
    }
    const { totalTimeSpent } = await enrollmentOf(user.id, course.id);
    expect(totalTimeSpent).toBeGreaterThanOrEqual(194);
    expect(totalTimeSpent).toBeLessThanOrEqual(195 + 10);
  });

  it('is refused where it makes no sense, or for lessons of others (I3)', async () => {
    const { lesson, as } = await learnerIn();
    const other = await learnerIn();
    for (const body of [
      {},
      { seconds: -1 },
      { seconds: '20' },
      { seconds: null },
      { seconds: 1, video: { position: -1, watched: [] } },
      { seconds: 1, video: { position: 1, watched: [[0]] } },
      { seconds: 1, video: { position: 1, watched: [[0, -1]] } },
      { seconds: 1, video: { position: 1, watched: Array(501).fill([0, 1]) } },
      [],
      null,
    ]) {
      const answer = await report(lesson.id, body, { as });
      expect([JSON.stringify(body).slice(0, 60), answer.status]).toEqual([
        JSON.stringify(body).slice(0, 60),
        400,
      ]);
    }
    expect((await report(lesson.id, { seconds: 1 })).status).toBe(401);
    const refused = await report(other.lesson.id, { seconds: 1 }, { as });
    expect([refused.status, refused.body.message]).toEqual([404, LESSON_NOT_FOUND]);
    expect((await report(2_000_000_000, { seconds: 1 }, { as })).status).toBe(404);
    for (const id of ['2147483648', '-1', '0', '1.5', '1e3', 'NaN', 'abc']) {
      expect((await report(id, { seconds: 1 }, { as })).status).toBe(404);
    }
    const admin = await signIn(await makeAdmin());
    expect((await report(lesson.id, { seconds: 1 }, { as: admin })).status).toBe(404);
    const foreign = { withCookie: as, headers: { origin: 'https://evil.test' } };
    expect((await report(lesson.id, { seconds: 1 }, foreign)).status).toBe(403);
  });

  it('ends with the access', async () => {
    const { user, lesson, as } = await learnerIn();
    await db().update(enrollments).set({ status: 'suspended' }).where(eq(enrollments.userId, user.id));
    expect((await report(lesson.id, { seconds: 1 }, { as })).status).toBe(404);
  });
});

describe('watching a video (decision 33)', () => {
  const video = { type: 'video', durationSeconds: 100, watchRequired: true } as const;
  const watch = (lessonId: number, watched: [number, number][], position: number, options: CallOptions) =>
    report(lessonId, { seconds: 0, video: { position, watched } }, options);

  it('is merged on the server, and keeps where it stopped', async () => {
    const { user, course, lesson, as } = await learnerIn([video]);
    await openLesson(user.id, course.id, lesson.id);
    await passes(user.id, 60);
    expect((await watch(lesson.id, [[0, 30]], 30.7, { as })).body.watchedPercent).toBe(30);
    await passes(user.id, 60);
    expect((await watch(lesson.id, [[20, 50]], 50, { as })).body.watchedPercent).toBe(50);
    expect((await watch(lesson.id, [[0, 50]], 12, { as })).body.watchedPercent).toBe(50);
    expect(await progressOf(user.id, lesson.id)).toMatchObject({
      watchedIntervals: [[0, 50]],
      videoPosition: 12,
    });
    expect(await openLesson(user.id, course.id, lesson.id)).toMatchObject({
      videoPosition: 12,
      watchedPercent: 50,
    });
  });

  it('counts by the clock, not by what is claimed', async () => {
    const { user, course, lesson, as } = await learnerIn([video]);
    await openLesson(user.id, course.id, lesson.id);
    const forged = await watch(lesson.id, [[0, 100]], 100, { as });
    expect(forged.body.watchedPercent).toBeLessThan(20);
    await passes(user.id, 10);
    const { body } = await watch(lesson.id, [[0, 100]], 100, { as });
    expect(body.watchedPercent).toBeGreaterThanOrEqual(20);
    expect(body.watchedPercent).toBeLessThan(40);
    expect((await completeRouteFor(course.id, lesson.id, as)).status).toBe(409);
  });

  it('lets 20 reports at once count the time once', async () => {
    const { user, course, lesson, as } = await learnerIn([video]);
    await openLesson(user.id, course.id, lesson.id);
    await passes(user.id, 10);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => watch(lesson.id, [[0, 100 - index]], 1, { as })),
    );
    const covered = (await progressOf(user.id, lesson.id)).watchedIntervals.reduce(
      (sum, [from, to]) => sum + to - from,
      0,
    );
    expect(covered).toBeGreaterThanOrEqual(20);
    expect(covered).toBeLessThan(40);
  });

  it('opens Mark Complete at 90 %', async () => {
    const { user, course, lesson, as } = await learnerIn([video]);
    await openLesson(user.id, course.id, lesson.id);
    await passes(user.id, 60);
    await watch(lesson.id, [[0, 89]], 89, { as });
    expect((await completeRouteFor(course.id, lesson.id, as)).status).toBe(409);
    await passes(user.id, 60);
    await watch(lesson.id, [[89, 90]], 90, { as });
    expect((await completeRouteFor(course.id, lesson.id, as)).status).toBe(200);
  });

  it('stays within the video, and outside of other kinds of lessons', async () => {
    const { user, course, lessons: all, as } = await learnerIn([video, {}]);
    await openLesson(user.id, course.id, all[0]!.id);
    await passes(user.id, 1000);
    await watch(all[0]!.id, [[0, 1e9]], 1e9, { as });
    expect(await progressOf(user.id, all[0]!.id)).toMatchObject({
      watchedIntervals: [[0, 100]],
      videoPosition: 100,
    });
    await openLesson(user.id, course.id, all[1]!.id);
    expect((await watch(all[1]!.id, [[0, 10]], 10, { as })).body.watchedPercent).toBeNull();
    expect((await progressOf(user.id, all[1]!.id)).watchedIntervals).toEqual([]);
  });
});

function completeRouteFor(courseId: number, lessonId: number, as: Awaited<ReturnType<typeof signIn>>) {
  return callRoute(completeRoute.POST, {
    method: 'POST',
    params: { id: String(courseId), lessonId: String(lessonId) },
    as,
  });
}

describe('notes', () => {
  it('are kept with a version, and are the learner’s own', async () => {
    const { user, course, lesson, as } = await learnerIn();
    const first = await saveNotes(lesson.id, { notes: 'one\n[1:15] two', version: 0 }, { as });
    expect([first.status, first.body]).toEqual([200, { version: 1, savedAt: expect.any(String) }]);
    expect((await saveNotes(lesson.id, { notes: '', version: 1 }, { as })).body.version).toBe(2);
    expect(
      (await saveNotes(lesson.id, { notes: '  kept as typed \n', version: 2 }, { as })).body.version,
    ).toBe(3);
    expect(await openLesson(user.id, course.id, lesson.id)).toMatchObject({
      notes: '  kept as typed \n',
      notesVersion: 3,
    });
    const neighbour = await makeUser();
    await makeEnrollment(neighbour.id, course.id);
    expect(await openLesson(neighbour.id, course.id, lesson.id)).toMatchObject({
      notes: '',
      notesVersion: 0,
    });
  });

  it('never overwrite what another tab has saved', async () => {
    const { lesson, as } = await learnerIn();
    await saveNotes(lesson.id, { notes: 'first tab', version: 0 }, { as });
    const refused = await saveNotes(lesson.id, { notes: 'second tab', version: 0 }, { as });
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { code: 'conflict', notes: 'first tab', version: 1 },
    ]);
    // A repeat after a lost answer is none.
    expect((await saveNotes(lesson.id, { notes: 'first tab', version: 0 }, { as })).body.version).toBe(1);
    expect((await saveNotes(lesson.id, { notes: 'both', version: 1 }, { as })).body.version).toBe(2);
  });

  it('let one of 20 tabs win', async () => {
    const { user, lesson, as } = await learnerIn();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        saveNotes(lesson.id, { notes: `tab ${index}`, version: 0 }, { as }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    expect(await progressOf(user.id, lesson.id)).toMatchObject({ notesVersion: 1 });
  });

  it('refuse what cannot be kept, naming the field, and lessons of others', async () => {
    const { lesson, as } = await learnerIn();
    for (const [body, field] of [
      [{ notes: 'x'.repeat(20_001), version: 0 }, 'notes'],
      [{ notes: 'a\0b', version: 0 }, 'notes'],
      [{ notes: '\ud800', version: 0 }, 'notes'],
      [{ notes: 5, version: 0 }, 'notes'],
      [{ notes: 'x', version: -1 }, 'version'],
      [{ notes: 'x', version: 0.5 }, 'version'],
      [{ notes: 'x' }, 'version'],
    ] as const) {
      const answer = await saveNotes(lesson.id, body, { as });
      expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, [field]]);
    }
    const emoji = '👩‍🚀 שלום '.repeat(50);
    expect((await saveNotes(lesson.id, { notes: emoji, version: 0 }, { as })).status).toBe(200);
    const other = await learnerIn();
    expect((await saveNotes(other.lesson.id, { notes: 'x', version: 0 }, { as })).status).toBe(404);
    expect((await saveNotes(lesson.id, { notes: 'x', version: 0 })).status).toBe(401);
  });
});

describe('the study record', () => {
  it('counts completions once and makes a streak of the days', async () => {
    const { user, course, lessons: all } = await learnerIn([{}, {}]);
    const viewer = { id: user.id, role: 'student' } as const;
    await completeLesson(viewer, course.id, all[0]!.id);
    await completeLesson(viewer, course.id, all[0]!.id);
    await completeLesson(viewer, course.id, all[1]!.id);
    const today = new Date();
    const day = (before: number) =>
      new Date(today.getTime() - before * 86_400_000).toISOString().slice(0, 10);
    await db()
      .insert(studyDays)
      .values([
        { userId: user.id, day: day(1), seconds: 600 },
        { userId: user.id, day: day(2), seconds: 60 },
        { userId: user.id, day: day(3), seconds: 0 },
        { userId: user.id, day: day(200), seconds: 60 },
      ]);
    const { record } = await readDashboard(user.id, today);
    expect(record.streak).toEqual({ current: 3, longest: 3 });
    expect(record.days[0]).toMatchObject({ day: day(0), lessonsCompleted: 2 });
    expect(record.days).toHaveLength(3);
    expect(record.seconds).toBe(660);
    expect((await readDashboard((await makeUser()).id)).record.streak).toEqual({ current: 0, longest: 0 });
  });

  it('keeps a day within a day', async () => {
    const { user, course, lesson, as } = await learnerIn();
    await openLesson(user.id, course.id, lesson.id);
    const today = new Date().toISOString().slice(0, 10);
    await db().insert(studyDays).values({ userId: user.id, day: today, seconds: 86_395 });
    await passes(user.id, 20);
    await report(lesson.id, { seconds: 20 }, { as });
    expect(await daysOf(user.id)).toMatchObject([{ seconds: 86_400 }]);
  });
});

describe('Continue learning (decision 41)', () => {
  it('leads to the lesson one was at, or the next, in the course studied last', async () => {
    const { user, course, lessons: all } = await learnerIn([{}, {}, {}]);
    // What was just bought and not yet opened begins with its first lesson (decision 62).
    expect(await findNextStep(user.id, await listEnrollments(user.id))).toMatchObject({
      isNew: true,
      lessonId: all[0]!.id,
      place: 1,
    });
    await openLesson(user.id, course.id, all[1]!.id);
    expect(await findNextStep(user.id, await listEnrollments(user.id))).toMatchObject({
      isNew: false,
      courseId: course.id,
      lessonId: all[1]!.id,
      place: 2,
      lessonCount: 3,
    });
    await completeLesson({ id: user.id, role: 'student' }, course.id, all[1]!.id);
    expect(await findNextStep(user.id, await listEnrollments(user.id))).toMatchObject({
      lessonId: all[2]!.id,
    });
    for (const lesson of all) await completeLesson({ id: user.id, role: 'student' }, course.id, lesson.id);
    expect(await findNextStep(user.id, await listEnrollments(user.id))).toBeNull();
  });

  it('opens the same lesson as everywhere, whatever is done, closed and current', async () => {
    const later = { opening: { afterDays: 9 } };
    const { user, course, lessons: all } = await learnerIn([{}, later, {}, {}]);
    const seen = new Set<number>();
    for (const { at, done } of [
      { at: 0, done: [] },
      { at: 0, done: [0] },
      { at: 1, done: [] },
      { at: 2, done: [2] },
      { at: 3, done: [2, 3] },
      { at: 3, done: [0, 2, 3] },
      { at: null, done: [0] },
    ]) {
      await db().delete(lessonProgress).where(eq(lessonProgress.userId, user.id));
      for (const index of done) {
        await db()
          .insert(lessonProgress)
          .values({ userId: user.id, courseId: course.id, lessonId: all[index!]!.id, completed: true });
      }
      const currentLessonId = at === null ? null : all[at]!.id;
      await db().update(enrollments).set({ currentLessonId }).where(eq(enrollments.userId, user.id));
      const { lessons, open } = (await findClassroom({ id: user.id, role: 'student' }, course.id))!;
      const ids = new Set(done.map((index) => all[index!]!.id));
      expect(open!.id).toBe(lessonToOpen(lessons, ids, currentLessonId)!.id);
      seen.add(open!.id);
    }
    expect(seen.size).toBe(3);
  });

  it('is opened by many tabs at once while others report and complete', async () => {
    const { user, course, lesson, as } = await learnerIn();
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => {
        await Promise.all([
          visitLesson(user.id, course.id, lesson.id),
          completeLesson({ id: user.id, role: 'student' }, course.id, lesson.id),
        ]);
        return report(lesson.id, { seconds: 1 }, { as });
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  });

  it('does not move by looking at the list, and moves with each lesson that is opened', async () => {
    const { user, course, lessons: all } = await learnerIn([{}, {}]);
    const viewer = { id: user.id, role: 'student' } as const;
    const isStale = async () => (await findClassroom(viewer, course.id))!.lesson!.isStale;
    expect(await isStale()).toBe(true);
    await openLesson(user.id, course.id, all[0]!.id);
    expect(await isStale()).toBe(false);
    expect((await enrollmentOf(user.id, course.id)).currentLessonId).toBe(all[0]!.id);
  });
});

describe('a course that changes (S6)', () => {
  const recompute = (courseId: number) => db().transaction((tx) => recomputeCourse(tx, courseId));
  const viewer = (user: { id: number }) => ({ id: user.id, role: 'student' }) as const;

  it('gives a lower percentage when a lesson is added, and keeps the day of completion', async () => {
    const { user, course, lesson } = await learnerIn([{ points: 10 }]);
    await completeLesson(viewer(user), course.id, lesson.id);
    const { completedAt } = await enrollmentOf(user.id, course.id);
    await makeLesson(course.id, { points: 30 });
    expect(await recompute(course.id)).toEqual([]);
    expect(await enrollmentOf(user.id, course.id)).toMatchObject({
      progress: 50,
      totalPoints: 10,
      skillLevel: 'beginner',
      completedAt,
    });
  });

  it('completes it for more learners than one statement can name', { timeout: 120_000 }, async () => {
    const course = await makeCourse();
    const done = await makeLesson(course.id, { points: 10 });
    const removed = await makeLesson(course.id, { points: 10 });
    const count = 9000;
    // A connection keeps its plan of a foreign key's check: one made over few rows reads the whole table for each row.
    await db().execute(sql`analyze users, courses, lessons, enrollments`);
    await db().execute(sql`
      with people as (
        insert into users (username, email) select 'Learner ' || n, 'many' || n || '@example.com'
        from generate_series(1, ${count}::int) n returning id
      ), seats as (
        insert into enrollments (user_id, course_id) select id, ${course.id}::int from people
      )
      insert into lesson_progress (user_id, lesson_id, course_id, completed, completed_at)
      select id, ${done.id}::int, ${course.id}::int, true, now() from people`);
    const newly = await db().transaction(async (tx) => {
      await tx.delete(lessons).where(eq(lessons.id, removed.id));
      return recomputeCourse(tx, course.id);
    });
    expect(newly).toHaveLength(count);
    expect(
      await db().$count(
        enrollments,
        and(eq(enrollments.courseId, course.id), eq(enrollments.certificateIssued, true)),
      ),
    ).toBe(count);
  });

  it('completes it for those who lacked only the lesson that was removed', async () => {
    const { user, course, lessons: all } = await learnerIn([{ points: 10 }, { points: 10 }]);
    const done = await makeUser();
    await makeEnrollment(done.id, course.id);
    const idle = await makeUser();
    await makeEnrollment(idle.id, course.id);
    await completeLesson(viewer(user), course.id, all[0]!.id);
    for (const lesson of all) await completeLesson(viewer(done), course.id, lesson.id);
    const before = await enrollmentOf(done.id, course.id);
    const newly = await db().transaction(async (tx) => {
      await tx.delete(lessons).where(eq(lessons.id, all[1]!.id));
      return recomputeCourse(tx, course.id);
    });
    expect(newly).toEqual([user.id]);
    expect(await enrollmentOf(user.id, course.id)).toMatchObject({
      progress: 100,
      totalPoints: 10,
      skillLevel: 'advanced',
      completedAt: expect.any(Date),
    });
    expect(await enrollmentOf(done.id, course.id)).toMatchObject({
      progress: 100,
      totalPoints: 10,
      completedAt: before.completedAt,
    });
    expect(await enrollmentOf(idle.id, course.id)).toMatchObject({ progress: 0, completedAt: null });
  });

  it('computes what a completion would, whatever the mix of lessons', async () => {
    const {
      user,
      course,
      lessons: all,
    } = await learnerIn([
      { points: 7 },
      { points: 13, requiredToComplete: false },
      { points: 5 },
      { points: 40 },
    ]);
    for (const lesson of [all[0]!, all[1]!, all[3]!]) {
      const answer = await completeLesson(viewer(user), course.id, lesson.id);
      await recompute(course.id);
      expect(await enrollmentOf(user.id, course.id)).toMatchObject({
        progress: answer.progress,
        totalPoints: answer.totalPoints,
        skillLevel: answer.skillLevel,
      });
    }
    await db().update(lessons).set({ requiredToComplete: false }).where(eq(lessons.courseId, course.id));
    await recompute(course.id);
    expect((await enrollmentOf(user.id, course.id)).progress).toBe(75);
    await db().delete(lessons).where(eq(lessons.courseId, course.id));
    await recompute(course.id);
    expect(await enrollmentOf(user.id, course.id)).toMatchObject({ progress: 0, totalPoints: 0 });
  });

  it('stays right while learners complete at the same time', async () => {
    const { user, course, lessons: all } = await learnerIn(Array.from({ length: 8 }, () => ({ points: 1 })));
    await Promise.all([
      ...all.map(({ id }) => completeLesson(viewer(user), course.id, id)),
      ...Array.from({ length: 8 }, () => recompute(course.id)),
    ]);
    expect(await enrollmentOf(user.id, course.id)).toMatchObject({ progress: 100, totalPoints: 8 });
    expect(await db().select().from(pointsLedger).where(eq(pointsLedger.userId, user.id))).toHaveLength(8);
  });
});
