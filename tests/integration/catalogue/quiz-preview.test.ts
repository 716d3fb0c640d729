import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeCourse, makeLesson, makeUser } from '../../support/factories.ts';
import { courses, type lessons } from '#db/schema/catalogue.ts';
import { lessonProgress, quizAttempts, quizQuestions } from '#db/schema/learn.ts';
import { findCoursePage } from '#src/features/catalogue/course-page/course-page.server.ts';
import { POST } from '#src/pages/api/lessons/[id]/quiz-preview.ts';
import { callRoute, signIn } from '../../support/api.ts';

async function makeQuiz(lesson: Partial<typeof lessons.$inferInsert> = {}) {
  const course = await makeCourse();
  const { id } = await makeLesson(course.id, { type: 'quiz', isPreview: true, ...lesson });
  const questions = await db()
    .insert(quizQuestions)
    .values([
      {
        lessonId: id,
        question: 'One?',
        options: ['a', 'b'],
        correctAnswer: 1,
        explanation: 'Secret why',
        order: 1,
      },
      { lessonId: id, question: 'Two?', options: ['a', 'b', 'c'], correctAnswer: 2, order: 2 },
    ])
    .returning({ id: quizQuestions.id });
  return { courseId: course.id, id, questions: questions.map((one) => one.id) as [number, number] };
}

let calls = 0;
/** Each call from an address of its own: the limit has its own test. */
function answer(id: number, answers: unknown, options: Parameters<typeof callRoute>[1] = {}) {
  calls += 1;
  return callRoute(POST, {
    path: `/api/lessons/${id}/quiz-preview`,
    params: { id: String(id) },
    body: { answers },
    ip: `198.51.100.${calls % 250}`,
    ...options,
  });
}

describe('a quiz that anyone may preview', () => {
  it('is marked for a visitor, and nothing of it is kept', async () => {
    const { id, questions } = await makeQuiz();
    const [one, two] = questions;
    const marked = await answer(id, { [one]: 1, [two]: 0 });
    expect(marked.status).toBe(200);
    expect(marked.body).toEqual({
      right: 1,
      answers: [
        { questionId: one, correctAnswer: 1, explanation: 'Secret why' },
        { questionId: two, correctAnswer: 2, explanation: '' },
      ],
    });
    const as = await signIn(await makeUser());
    expect((await answer(id, { [one]: 1, [two]: 2 }, { as })).body.right).toBe(2);
    expect(await db().$count(quizAttempts)).toBe(0);
    expect(await db().$count(lessonProgress)).toBe(0);
  });

  it('shows its questions on the course page without the answers', async () => {
    const { courseId, questions } = await makeQuiz();
    const page = await findCoursePage(courseId, null);
    expect(page?.previews[0]?.questions).toEqual([
      { id: questions[0], question: 'One?', options: ['a', 'b'] },
      { id: questions[1], question: 'Two?', options: ['a', 'b', 'c'] },
    ]);
    expect(JSON.stringify(page)).not.toMatch(/Secret why|correctAnswer|correct_answer/);
  });

  it('says which question has no valid answer, and gives no answer away', async () => {
    const { id, questions } = await makeQuiz();
    const [one, two] = questions;
    for (const [answers, field, message] of [
      [{ [one]: 1 }, `answers.${two}`, 'Question 2 has no answer'],
      [{ [one]: 7, [two]: 0 }, `answers.${one}`, 'Question 1 has no such option'],
    ] as const) {
      const refused = await answer(id, answers);
      expect(refused.status).toBe(400);
      expect(refused.body.fields).toEqual({ [field]: message });
      expect(refused.text).not.toMatch(/Secret why|correctAnswer/);
    }
    expect((await answer(id, { [one]: 1, [two]: 1, 999999: 0 })).status).toBe(409);
    for (const nonsense of [null, 'x', [1], { x: 1 }, { [one]: 'a' }, { [one]: -1, [two]: 0 }]) {
      expect((await answer(id, nonsense)).status).toBe(400);
    }
  });

  it('is one of a visible course, and a preview', async () => {
    const closed = await makeQuiz({ isPreview: false });
    const open = await makeQuiz();
    const right = (questions: [number, number]) => ({ [questions[0]]: 1, [questions[1]]: 2 });
    expect((await answer(closed.id, right(closed.questions))).status).toBe(404);
    expect((await answer(open.id, right(open.questions))).status).toBe(200);
    await db().update(courses).set({ isActive: false }).where(eq(courses.id, open.courseId));
    expect((await answer(open.id, right(open.questions))).status).toBe(404);
    expect((await answer(999_999, {})).status).toBe(404);
    const text = await makeLesson(closed.courseId, { isPreview: true });
    expect((await answer(text.id, {})).status).toBe(404);
  });

  it('may be tried so often from one address', async () => {
    const { id, questions } = await makeQuiz();
    const ip = '198.51.100.251';
    const statuses = [];
    for (let time = 0; time < 61; time += 1) {
      statuses.push((await answer(id, { [questions[0]]: 0, [questions[1]]: 0 }, { ip })).status);
    }
    expect(statuses.slice(0, 60).every((status) => status === 200)).toBe(true);
    expect(statuses[60]).toBe(429);
  });
});
