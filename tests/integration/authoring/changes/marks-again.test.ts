import { asc, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { lessons } from '#db/schema/catalogue.ts';
import {
  certificates,
  enrollments,
  lessonProgress,
  pointsLedger,
  quizAttempts,
  quizQuestions,
  regrades,
} from '#db/schema/learn.ts';
import { findLessonFields } from '#src/features/authoring/lesson-editor/lessons.server.ts';
import { questionInput, rowOfQuestion } from '#src/features/lessons/types/quiz/question.ts';
import { GET as changesRoute } from '#src/pages/api/admin/courses/[id]/changes.ts';
import { POST as publishRoute } from '#src/pages/api/admin/courses/[id]/changes/publish.ts';
import { PUT as update } from '#src/pages/api/admin/lessons/[id].ts';
import * as quizRoute from '#src/pages/api/lessons/[id]/quiz.ts';
import { callRoute, signIn } from '../../../support/api.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../../support/factories.ts';

let admin: Awaited<ReturnType<typeof signIn>>;
beforeAll(async () => {
  admin = await signIn(await makeAdmin());
});

const CHOICE = { question: 'Which?', options: ['a', 'b'], correctAnswer: 0, explanation: 'Why.' };
const NUMBER = { kind: 'number', question: 'How much?', value: 10, tolerance: 0, explanation: 'Why.' };

async function quizWith(
  learners: [choice: unknown, number: unknown][],
  written: object[] = [CHOICE, NUMBER],
) {
  const course = await makeCourse();
  const lesson = await makeLesson(course.id, { type: 'quiz', content: '', points: 20 });
  const rows = written.map((one, order) => ({
    ...rowOfQuestion(questionInput.parse(one)),
    ...{ lessonId: lesson.id, order },
  }));
  const ids = (await db().insert(quizQuestions).values(rows).returning()).map(({ id }) => id);
  const params = { id: String(course.id) };
  const enroll = async () => {
    const user = await makeUser();
    await makeEnrollment(user.id, course.id);
    const as = await signIn(user);
    const place = { params: { id: String(lesson.id) }, as };
    return {
      user,
      submit: (answers: unknown[]) =>
        callRoute(quizRoute.POST, {
          ...place,
          method: 'POST',
          body: { answers: Object.fromEntries(ids.map((id, at) => [id, answers[at]])) },
        }),
      read: async () => (await callRoute(quizRoute.GET, place)).body,
      attempt: async () =>
        (
          await db()
            .select()
            .from(quizAttempts)
            .where(eq(quizAttempts.userId, user.id))
            .orderBy(asc(quizAttempts.id))
        )[0]!,
      progress: async () =>
        (await db().select().from(lessonProgress).where(eq(lessonProgress.userId, user.id)))[0]!,
    };
  };
  const made = [];
  for (const answers of learners) {
    const learner = await enroll();
    expect((await learner.submit(answers)).status).toBe(200);
    made.push(learner);
  }
  const changes = async () => (await callRoute(changesRoute, { params, as: admin })).body;
  return {
    ...{ course, lesson, ids, made, enroll, changes },
    /** Null removes the question. */
    correct: async (...fields: (object | null)[]) => {
      const form = (await findLessonFields(course.id, lesson.id))!;
      const saved = await callRoute(update, {
        method: 'PUT',
        params: { id: String(lesson.id) },
        as: admin,
        body: {
          ...{ type: 'quiz', title: lesson.title, content: '', points: 20, version: form.version },
          questions: form.questions.flatMap((question, at) =>
            fields[at] === null ? [] : { ...question, ...fields[at] },
          ),
        },
      });
      expect(saved.status, saved.text).toBe(200);
      await db().update(lessons).set({ provenRevision: lessons.revision });
    },
    publish: async (bothWays?: unknown) => {
      const { seen } = await changes();
      const body = { seen, newVersions: [], bothWays };
      return callRoute(publishRoute, { method: 'POST', params, as: admin, body });
    },
  };
}

describe('a corrected question', () => {
  it('marks answers again where that is better: lesson, points, course and certificate follow', async () => {
    const { made, changes, correct, publish, lesson } = await quizWith([
      [1, '10'],
      [0, '10'],
      [1, '3'],
    ]);
    const [better, right, wrong] = [made[0]!, made[1]!, made[2]!];
    expect(await better.attempt()).toMatchObject({ score: 50, passed: false });
    await correct({ correctAnswer: 1 });
    expect((await changes()).marks).toEqual({ better: 2, worse: 1 });
    expect((await publish()).status).toBe(202);

    expect(await better.attempt()).toMatchObject({ score: 100, passed: true });
    expect(await better.progress()).toMatchObject({ score: 100, completed: true, attempts: 1 });
    expect(await db().$count(pointsLedger, eq(pointsLedger.userId, better.user.id))).toBe(1);
    expect(await db().$count(certificates, eq(certificates.userId, better.user.id))).toBe(1);
    const [enrollment] = await db().select().from(enrollments).where(eq(enrollments.userId, better.user.id));
    expect(enrollment).toMatchObject({ progress: 100, totalPoints: lesson.points });
    expect(await wrong.attempt()).toMatchObject({ score: 50, passed: false });

    // What was right before still counts, and the review says so.
    expect(await right.attempt()).toMatchObject({ score: 100, passed: true });
    expect((await right.read()).lastResult).toMatchObject({
      attempt: { score: 100, passed: true },
      answers: [{ chosen: 0, correctAnswer: 1, credit: 1, markedAgain: true }, { credit: 1 }],
    });
    const reviewed = (await better.read()).lastResult.answers;
    expect(reviewed).toMatchObject([{ credit: 1, markedAgain: true }, { credit: 1 }]);
    expect(reviewed[1].markedAgain).toBeUndefined();
  });

  it('marks in both ways where the author says so; what was completed stays completed', async () => {
    const { made, correct, publish } = await quizWith([
      [0, '10'],
      [1, '10'],
    ]);
    await correct({ correctAnswer: 1 });
    expect((await publish('yes')).body.fields.bothWays).toBe('bothWays must be true or false');
    expect((await publish(true)).status).toBe(202);
    expect(await made[0]!.attempt()).toMatchObject({ score: 50, passed: false });
    expect(await made[0]!.progress()).toMatchObject({ score: 50, completed: true });
    expect(await db().$count(certificates, eq(certificates.userId, made[0]!.user.id))).toBe(1);
    expect(await made[1]!.attempt()).toMatchObject({ score: 100, passed: true });
  });

  it('with a wider tolerance is marked again once: another publication changes nothing more', async () => {
    const { made, changes, correct, publish } = await quizWith([
      [0, '10.5'],
      [0, '12'],
    ]);
    await correct({}, { tolerance: 1 });
    expect((await changes()).marks).toEqual({ better: 1, worse: 0 });
    await publish();
    const first = await made[0]!.attempt();
    expect(first).toMatchObject({ score: 100, passed: true });
    await correct({ explanation: 'Another one.' }, { explanation: 'And another.' });
    expect((await changes()).marks).toEqual({ better: 0, worse: 0 });
    await publish(true);
    expect(await made[0]!.attempt()).toEqual(first);
    expect(await made[1]!.attempt()).toMatchObject({ score: 50, credits: {} });
  });

  it('that is removed counts no more: the score says what the review counts', async () => {
    const { made, changes, correct, publish } = await quizWith([
      [1, '10'],
      [0, '3'],
    ]);
    await correct(null);
    expect((await changes()).marks).toEqual({ better: 1, worse: 1 });
    expect((await publish()).status).toBe(202);
    expect(await made[0]!.attempt()).toMatchObject({ score: 100, passed: true });
    expect((await made[0]!.read()).lastResult).toMatchObject({
      attempt: { score: 100, passed: true },
      answers: [{ credit: 1 }],
    });
    expect(await made[1]!.attempt()).toMatchObject({ score: 50, passed: false });
  });

  it('knows the chosen option in its new place, and leaves an answer alone whose option is gone', async () => {
    const { made, ids, changes, correct, publish } = await quizWith(
      [
        [0, '10'],
        [1, '10'],
      ],
      [{ ...CHOICE, options: ['a', 'b', 'c'] }, NUMBER],
    );
    await correct({ options: ['c', 'b', 'a'], correctAnswer: 2 });
    expect((await changes()).marks).toEqual({ better: 0, worse: 0 });
    await publish(true);
    expect(await made[0]!.attempt()).toMatchObject({ score: 100, answers: { [ids[0]!]: 2 } });
    expect(await made[1]!.attempt()).toMatchObject({ score: 50, answers: { [ids[0]!]: 1 } });
    await correct({ options: ['c', 'b'], correctAnswer: 1 });
    await publish(true);
    expect(await made[0]!.attempt()).toMatchObject({ score: 100, passed: true });
    expect(await made[1]!.attempt()).toMatchObject({ score: 100, passed: true });
  });

  it('leaves a grade that a person gave, and completes nothing for those without access', async () => {
    const { made, lesson, correct, publish } = await quizWith([
      [1, '10'],
      [1, '10'],
    ]);
    const [graded, suspended] = [made[0]!, made[1]!];
    const { id: attemptId, userId } = await graded.attempt();
    await db().update(quizAttempts).set({ score: 60 }).where(eq(quizAttempts.id, attemptId));
    await db()
      .insert(regrades)
      .values({ userId, attemptId, lessonId: lesson.id, grade: 60, reason: 'Seen.' });
    await db()
      .update(enrollments)
      .set({ status: 'suspended' })
      .where(eq(enrollments.userId, suspended.user.id));
    await correct({ correctAnswer: 1 });
    await publish();
    expect(await graded.attempt()).toMatchObject({ score: 60, passed: false });
    expect(await suspended.attempt()).toMatchObject({ score: 100, passed: true });
    expect(await suspended.progress()).toMatchObject({ completed: false });
  });

  it('marks an attempt handed in at the same moment as either the old or the new question does, then again', async () => {
    const { enroll, correct, publish } = await quizWith([[0, '10']]);
    const learners = await Promise.all([1, 2, 3].map(enroll));
    await correct({ correctAnswer: 1 });
    const [published, ...handedIn] = await Promise.all([
      publish(),
      ...learners.map(({ submit }) => submit([1, '10'])),
    ]);
    expect(published.status).toBe(202);
    expect(handedIn.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const { attempt, progress } of learners) {
      expect(await attempt()).toMatchObject({ score: 100, passed: true });
      expect(await progress()).toMatchObject({ score: 100, completed: true });
    }
  });
});
