import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { auditLog } from '#db/schema/account.ts';
import { lessons } from '#db/schema/catalogue.ts';
import {
  assignments,
  certificates,
  enrollments,
  previewLearners,
  quizAttempts,
  quizQuestions,
  regrades,
} from '#db/schema/learn.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { addAttempt, getCell, regrade, setExcuse } from '#src/features/admin/grading/cell.server.ts';
import { findGradebook, gradebookCsv } from '#src/features/admin/grading/gradebook.server.ts';
import { getAssignment, submitText } from '#src/features/learn/assignments/assignments.server.ts';
import { findClassroom } from '#src/features/learn/classroom/classroom.server.ts';
import { getQuiz, submitQuiz } from '#src/features/learn/classroom/quiz.server.ts';
import { learnData } from '#src/features/learn/personal-data.server.ts';
import { completeLesson, getLearnersLesson } from '#src/features/learn/progress/completion.server.ts';
import { listEnrollments } from '#src/features/learn/progress/enrollments.server.ts';
import { findNextStep, placeOfLesson } from '#src/features/learn/progress/next-step.server.ts';
import { GET as csvRoute } from '#src/pages/admin/courses/[id]/gradebook.csv.ts';
import { POST as attemptRoute } from '#src/pages/api/admin/courses/[id]/gradebook/[user]/[lesson]/attempt.ts';
import {
  DELETE as takeBackRoute,
  PUT as excuseRoute,
} from '#src/pages/api/admin/courses/[id]/gradebook/[user]/[lesson]/excuse.ts';
import { POST as regradeRoute } from '#src/pages/api/admin/courses/[id]/gradebook/[user]/[lesson]/regrade.ts';
import { callRoute, signIn } from '../../support/api.ts';

let admin: Awaited<ReturnType<typeof makeAdmin>>;
let actor: { id: number; name: string };
let asAdmin: Awaited<ReturnType<typeof signIn>>;
beforeAll(async () => {
  admin = await makeAdmin();
  actor = { id: admin.id, name: admin.username };
  asAdmin = await signIn(admin);
});

/** A course with a quiz of one attempt and an assignment that asks for 60, and one learner. */
async function taught() {
  const course = await makeCourse();
  const quiz = await makeLesson(course.id, { type: 'quiz', quizSettings: { attempts: 1 } });
  const [question] = await db()
    .insert(quizQuestions)
    .values({ lessonId: quiz.id, question: 'Q', options: ['a', 'b'], correctAnswer: 1, order: 1 })
    .returning();
  const work = await makeLesson(course.id, {
    type: 'assignment',
    assignmentSettings: { completeFrom: 60 },
  });
  const user = await makeUser({ emailVerifiedAt: new Date() });
  await makeEnrollment(user.id, course.id);
  const at = (lessonId: number) => ({ courseId: course.id, userId: user.id, lessonId });
  return {
    ...{ course, quiz, work, user, at },
    answer: (option: number) => submitQuiz(user.id, quiz.id, { [question!.id]: option }),
    hand: (text: string) => submitText(user.id, work.id, text),
    version: async (lessonId: number) => (await getCell(at(lessonId))).version,
    enrollment: async () =>
      (await db().select().from(enrollments).where(eq(enrollments.userId, user.id)))[0]!,
    certificates: () => db().$count(certificates, eq(certificates.userId, user.id)),
    mails: async () =>
      (await db().select().from(mailOutbox).where(eq(mailOutbox.recipient, user.email))).filter(
        ({ template }) => template === 'grading-decided',
      ),
  };
}

const LIST = { search: '', page: 1, filter: '', sort: 'name' } as const;

/** Every call of a cell, with a body that it takes. */
const CALLS = [
  { route: regradeRoute, method: 'POST', body: { grade: 80, reason: 'Marked too hard', version: 'x' } },
  { route: attemptRoute, method: 'POST', body: { version: 'x' } },
  { route: excuseRoute, method: 'PUT', body: { reason: 'Ill all week' } },
  { route: takeBackRoute, method: 'DELETE' },
];
const call = (
  one: (typeof CALLS)[number],
  place: { courseId: number; userId: number; lessonId: number },
  who: Parameters<typeof callRoute>[1] = { as: asAdmin },
  body: unknown = one.body,
) =>
  callRoute(one.route, {
    method: one.method,
    params: { id: String(place.courseId), user: String(place.userId), lesson: String(place.lessonId) },
    ...(body === undefined ? {} : { body }),
    ...who,
  });

describe('whom the gradebook lets in, and of whom it tells (decision 129)', () => {
  it('asks for an administrator', async () => {
    const { at, quiz } = await taught();
    const stranger = await signIn(await makeUser());
    for (const one of CALLS) {
      expect((await call(one, at(quiz.id), {})).status).toBe(401);
      expect((await call(one, at(quiz.id), { as: stranger })).status).toBe(403);
    }
  });

  it('finds no learner and no lesson of another course, no text and no preview', async () => {
    const [one, other] = [await taught(), await taught()];
    const text = await makeLesson(one.course.id);
    const ghost = await makeUser();
    await makeEnrollment(ghost.id, one.course.id);
    await db()
      .insert(previewLearners)
      .values({ userId: ghost.id, adminId: admin.id, courseId: one.course.id });
    const wrong = [
      { ...one.at(one.quiz.id), userId: other.user.id },
      one.at(other.quiz.id),
      { ...one.at(one.quiz.id), courseId: other.course.id },
      one.at(text.id),
      { ...one.at(one.quiz.id), userId: ghost.id },
    ];
    for (const place of wrong) {
      await expect(getCell(place)).rejects.toMatchObject({ code: 'not_found' });
      for (const each of CALLS) expect((await call(each, place)).status).toBe(404);
    }
    const book = await findGradebook(one.course.id, LIST);
    expect(book!.learners.map(({ id }) => id)).toEqual([one.user.id]);
  });

  it('refuses what is no grade, and no reason', async () => {
    const { at, work } = await taught();
    for (const body of [
      { grade: 101, reason: 'Too good', version: '' },
      { grade: 1.5, reason: 'Half a point', version: '' },
      { grade: 50, reason: ' ', version: '' },
      { grade: 50, reason: 'No version' },
    ]) {
      expect((await call(CALLS[0]!, at(work.id), { as: asAdmin }, body)).status).toBe(400);
    }
    expect((await call(CALLS[2]!, at(work.id), { as: asAdmin }, {})).body.fields).toHaveProperty('reason');
  });
});

describe('the list', () => {
  it('is empty without learners, and unknown without a course', async () => {
    const course = await makeCourse();
    expect(await findGradebook(course.id, LIST)).toMatchObject({ total: 0, learners: [], lessons: [] });
    expect(await findGradebook(2_000_000_000, LIST)).toBeNull();
    expect((await gradebookCsv(course.id))!.trim()).toBe('Learner,Email,Access,Progress in percent');
  });

  it('tells the state of each cell, and finds by name, mail and state', async () => {
    const { course, quiz, work, user, answer, hand, at } = await taught();
    const idle = await makeUser({ username: 'Aaron Idle' });
    await makeEnrollment(idle.id, course.id);
    await answer(0);
    await hand('Mine');
    const of = async (query: Partial<Parameters<typeof findGradebook>[1]> = {}) =>
      (await findGradebook(course.id, { ...LIST, ...query }))!.learners;
    const cells = async () => (await of()).find(({ id }) => id === user.id)!.cells;
    expect((await of()).map(({ id }) => id)).toEqual([idle.id, user.id]);
    expect(await cells()).toEqual([
      { state: 'not_passed', attempts: 1, best: 0, late: false },
      { state: 'waits', attempts: 1, best: null, late: false },
    ]);
    expect((await of())[0]!.cells.map(({ state }) => state)).toEqual(['not_begun', 'not_begun']);
    expect((await findGradebook(course.id, { ...LIST, page: 9 }))!).toMatchObject({ page: 1, total: 2 });
    expect((await of({ search: 'aaron' })).map(({ id }) => id)).toEqual([idle.id]);
    expect((await of({ search: user.email })).map(({ id }) => id)).toEqual([user.id]);
    expect((await of({ filter: 'waits' })).map(({ id }) => id)).toEqual([user.id]);
    expect((await of({ filter: 'not_passed' })).map(({ id }) => id)).toEqual([user.id]);
    await setExcuse(actor, at(quiz.id), 'Ill');
    await setExcuse(actor, at(work.id), 'Ill');
    expect((await cells()).map(({ state }) => state)).toEqual(['excused', 'excused']);
    expect(await of({ filter: 'waits' })).toEqual([]);
    expect(await of({ filter: 'not_passed' })).toEqual([]);
  });

  it('is there as a file that no spreadsheet runs', async () => {
    const { course, answer, quiz, user, work } = await taught();
    await db().update(lessons).set({ title: '=1+1' }).where(eq(lessons.id, quiz.id));
    const evil = await makeUser({ username: '=HYPERLINK("x")' });
    await makeEnrollment(evil.id, course.id, { status: 'revoked' });
    await answer(1);
    const file = await callRoute(csvRoute, { as: asAdmin, params: { id: String(course.id) } });
    expect(file.headers.get('content-type')).toContain('text/csv');
    expect(file.text.trimEnd().split('\r\n')).toEqual([
      `Learner,Email,Access,Progress in percent,'=1+1: state,'=1+1: best grade,'=1+1: attempts,${work.title}: state,${work.title}: best grade,${work.title}: attempts`,
      `${user.username},${user.email},yes,50,Passed,100,1,Not begun,,0`,
      `"'=HYPERLINK(""x"")",${evil.email},no,0,Not begun,,0,Not begun,,0`,
    ]);
    expect((await callRoute(csvRoute, { as: asAdmin, params: { id: '2000000000' } })).status).toBe(404);
  });
});

describe('another grade', () => {
  it('passes a quiz as passing does, is told, and is kept', async () => {
    const { answer, quiz, at, version, mails, enrollment, user } = await taught();
    const { attempt } = await answer(0);
    const given = { grade: 80, reason: 'The question was wrong', attemptId: attempt.id };
    const seen = await version(quiz.id);
    expect(await regrade(actor, at(quiz.id), { ...given, version: seen })).toMatchObject({
      state: 'passed',
      grade: 80,
    });
    expect((await enrollment()).progress).toBe(50);
    expect(await getQuiz(user.id, quiz.id)).toMatchObject({ passed: true, bestScore: 80 });
    expect((await placeOfLesson(user.id, quiz.id))!.ruling).toMatchObject({
      regrade: { grade: 80, reason: 'The question was wrong' },
    });
    expect((await mails()).map(({ text }) => text).join()).toContain('The question was wrong');
    const [entry] = await db()
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.action, 'grade.changed'), eq(auditLog.subjectId, String(quiz.id))));
    expect(entry).toMatchObject({ reason: given.reason, details: { before: 0, grade: 80 } });
    // Sent twice, it counts once.
    await expect(regrade(actor, at(quiz.id), { ...given, version: seen })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await db().$count(regrades, eq(regrades.lessonId, quiz.id))).toBe(1);
    expect(
      await db().transaction((tx) => learnData.rows(tx, { id: user.id, email: user.email } as never)),
    ).toMatchObject({ regrades: [{ before: 0, grade: 80, reason: given.reason }] });
  });

  it('is refused without an attempt or without work', async () => {
    const { quiz, work, at, version } = await taught();
    const given = { grade: 80, reason: 'Because' };
    await expect(
      regrade(actor, at(quiz.id), { ...given, version: await version(quiz.id) }),
    ).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(
      regrade(actor, at(work.id), { ...given, version: await version(work.id) }),
    ).rejects.toMatchObject({ code: 'conflict' });
  });

  it('passes a coding lesson and a scenario from 70, and not below', async () => {
    for (const type of ['interactive_coding', 'scenario'] as const) {
      const { course, at, version, enrollment } = await taught();
      const lesson = await makeLesson(course.id, {
        type,
        ...(type === 'scenario' ? {} : { codingLanguage: 'javascript' }),
      });
      const give = async (grade: number) =>
        regrade(actor, at(lesson.id), { grade, reason: 'By hand', version: await version(lesson.id) });
      expect(await give(69)).toMatchObject({ state: 'not_passed', grade: 69 });
      expect(await give(70)).toMatchObject({ state: 'passed', grade: 70 });
      expect((await enrollment()).progress).toBe(33);
    }
  });

  it('leads to the certificate, and a lower one takes nothing back', async () => {
    const { answer, hand, work, at, version, enrollment, certificates: count } = await taught();
    await answer(1);
    await hand('Mine');
    await regrade(actor, at(work.id), { grade: 60, reason: 'Enough', version: await version(work.id) });
    expect([(await enrollment()).progress, await count()]).toEqual([100, 1]);
    const lower = await regrade(actor, at(work.id), {
      ...{ grade: 10, reason: 'Copied', version: await version(work.id) },
    });
    expect(lower).toMatchObject({ state: 'passed', grade: 10 });
    expect([(await enrollment()).progress, await count()]).toEqual([100, 1]);
  });

  it('never grades unseen what is handed in meanwhile, in either order', async () => {
    const { hand, work, at, version, user } = await taught();
    await hand('First');
    const seen = await version(work.id);
    await hand('Second');
    await expect(
      regrade(actor, at(work.id), { grade: 90, reason: 'Read it', version: seen }),
    ).rejects.toMatchObject({ code: 'conflict' });
    await regrade(actor, at(work.id), { grade: 90, reason: 'Read it', version: await version(work.id) });
    await expect(hand('Third')).rejects.toMatchObject({ code: 'conflict' });
    // At once: one of the two is first, and the other one is refused.
    for (let round = 0; round < 5; round += 1) {
      const next = await taught();
      await next.hand('First');
      const then = await next.version(next.work.id);
      const [graded, handed] = await Promise.allSettled([
        regrade(actor, next.at(next.work.id), { grade: 90, reason: 'Read it', version: then }),
        next.hand('Second'),
      ]);
      expect([graded.status, handed.status].toSorted()).toEqual(['fulfilled', 'rejected']);
      const [row] = await db().select().from(assignments).where(eq(assignments.userId, next.user.id));
      expect([row!.submission, row!.grade]).toEqual(
        graded.status === 'fulfilled' ? ['First', 90] : ['Second', null],
      );
    }
    expect((await getAssignment(user.id, work.id))!.grade).toBe(90);
  });
});

describe('another attempt', () => {
  it('raises the limit of a quiz for this learner alone', async () => {
    const { answer, quiz, at, version, course, user, mails } = await taught();
    const other = await makeUser({ emailVerifiedAt: new Date() });
    await makeEnrollment(other.id, course.id);
    await answer(0);
    await expect(answer(1)).rejects.toMatchObject({ code: 'conflict' });
    const seen = await version(quiz.id);
    await addAttempt(actor, at(quiz.id), { version: seen });
    await expect(addAttempt(actor, at(quiz.id), { version: seen })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect((await getQuiz(user.id, quiz.id)).attemptsLeft).toBe(1);
    expect((await getQuiz(other.id, quiz.id)).attemptsLeft).toBe(1);
    expect((await answer(1)).attempt.passed).toBe(true);
    await expect(answer(1)).rejects.toMatchObject({ code: 'conflict' });
    expect(await mails()).toHaveLength(1);
    expect(await db().$count(quizAttempts, eq(quizAttempts.lessonId, quiz.id))).toBe(2);
  });

  it('opens graded work once', async () => {
    const { hand, work, at, version, user } = await taught();
    await hand('First');
    await expect(addAttempt(actor, at(work.id), { version: await version(work.id) })).rejects.toMatchObject({
      code: 'conflict',
    });
    await regrade(actor, at(work.id), { grade: 70, reason: 'Fine', version: await version(work.id) });
    expect((await getAssignment(user.id, work.id))!.again).toBe(false);
    await addAttempt(actor, at(work.id), { version: await version(work.id) });
    expect((await getAssignment(user.id, work.id))!.again).toBe(true);
    expect(await hand('Second')).toMatchObject({ grade: null, again: false });
    await regrade(actor, at(work.id), { grade: 90, reason: 'Better', version: await version(work.id) });
    await expect(hand('Third')).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('an excuse', () => {
  it('leads to completion and certificate, and can be taken back', async () => {
    const { answer, work, at, enrollment, certificates: count, mails } = await taught();
    await answer(1);
    for (const _ of [1, 2]) {
      expect((await call(CALLS[2]!, at(work.id))).body).toMatchObject({ state: 'excused' });
    }
    expect(await enrollment()).toMatchObject({ progress: 100, certificateIssued: true });
    expect([await count(), (await mails()).length]).toEqual([1, 1]);
    for (const _ of [1, 2]) {
      expect((await call(CALLS[3]!, at(work.id))).body).toMatchObject({ state: 'begun' });
    }
    const after = await enrollment();
    expect([after.progress, after.completedAt !== null, await count()]).toEqual([50, true, 1]);
    expect(await mails()).toHaveLength(2);
  });

  it('counts before the lessons that are done after it, and completes a course of which nothing is left', async () => {
    const { quiz, work, at, answer, enrollment, user, course } = await taught();
    await setExcuse(actor, at(work.id), 'Ill');
    expect((await enrollment()).progress).toBe(0);
    await answer(1);
    expect((await enrollment()).progress).toBe(100);
    const next = await taught();
    await setExcuse(actor, next.at(next.quiz.id), 'Ill');
    await setExcuse(actor, next.at(next.work.id), 'Ill');
    expect((await next.enrollment()).progress).toBe(100);
    const last = await makeLesson(course.id, { opening: { afterEarlier: true } });
    await setExcuse(actor, at(quiz.id), 'Ill');
    expect(await getLearnersLesson(user.id, last.id)).toMatchObject({ id: last.id });
    expect(await completeLesson({ id: user.id, role: 'student' } as never, course.id, last.id)).toMatchObject(
      { progress: 100 },
    );
  });

  it('leads past the lesson, and says so in the list of lessons', async () => {
    const { quiz, at, user, course } = await taught();
    await setExcuse(actor, at(quiz.id), 'Ill');
    const owned = await listEnrollments(user.id);
    expect((await findNextStep(user.id, owned))!.lessonId).not.toBe(quiz.id);
    const classroom = await findClassroom({ id: user.id, role: 'student' }, course.id, null);
    expect(classroom!.lessons.filter(({ excused }) => excused).map(({ id }) => id)).toEqual([quiz.id]);
  });

  it('waits until access is back', async () => {
    const { at, work, user } = await taught();
    await db().update(enrollments).set({ status: 'revoked' }).where(eq(enrollments.userId, user.id));
    expect((await call(CALLS[2]!, at(work.id))).status).toBe(409);
    expect(await getCell(at(work.id))).toMatchObject({ hasAccess: false });
  });
});
