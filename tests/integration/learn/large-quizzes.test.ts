import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { quizQuestions } from '#db/schema/learn.ts';
import { findCoursePage } from '#src/features/catalogue/course-page/course-page.server.ts';
import { quizFormat } from '#src/features/lessons/types/quiz/archive.server.ts';
import { QUIZ_HTML_MAX } from '#src/features/lessons/types/quiz/formats/html.server.ts';
import { questionInput, rowOfQuestion } from '#src/features/lessons/types/quiz/question.ts';
import { PUT as saveLesson } from '#src/pages/api/admin/lessons/[id].ts';
import { POST as addQuestions } from '#src/pages/api/admin/courses/[id]/questions.ts';
import { POST as addLesson } from '#src/pages/api/admin/courses/[id]/lessons.ts';
import { POST as exportQuestions } from '#src/pages/api/admin/questions/export.ts';
import * as quizRoute from '#src/pages/api/lessons/[id]/quiz.ts';
import * as markdown from '#src/server/markdown.ts';
import { callRoute, signIn } from '../../support/api.ts';

vi.mock('#src/server/markdown.ts', { spy: true });
const rendered = vi.mocked(markdown.renderMarkdown);

let as: Awaited<ReturnType<typeof signIn>>;
beforeAll(async () => {
  as = await signIn(await makeAdmin());
});

/** So many formatted questions with so many formulas each; a formula comes to about 100 bytes. */
const questions = (count: number, formulas: number) =>
  Array.from({ length: count }, (_, index) => ({
    format: 'markdown',
    question: `Question ${index} ${'$x$ '.repeat(formulas)}`,
    options: [`a ${index}`, '**b**'],
    correctAnswer: 0,
    explanation: `*Because* of ${index}`,
  }));

async function quizOf(given: object[] = []) {
  const course = await makeCourse();
  const lesson = await makeLesson(course.id, { type: 'quiz', title: 'Large', isPreview: true });
  if (given.length > 0) {
    await db()
      .insert(quizQuestions)
      .values(
        given.map((one, order) => ({
          ...rowOfQuestion(questionInput.parse(one)),
          ...{ lessonId: lesson.id, order: order + 1 },
        })),
      );
  }
  const learner = await makeUser();
  await makeEnrollment(learner.id, course.id);
  const own = await signIn(learner);
  const read = () => callRoute(quizRoute.GET, { params: { id: String(lesson.id) }, as: own });
  return { course, lesson, own, read };
}

describe('a quiz whose questions become too large on the page', () => {
  const TOO_LARGE = questions(60, 300);
  const REFUSAL =
    /up to question \d+ would be \d+ KB on the page together, at most 256 KB are possible\. Question \d+ alone is \d+ KB: use fewer/;

  it.each(['the editor', 'a new lesson', 'the question bank', 'a new quiz of the question bank'])(
    'is refused by %s with the sum and the largest question, before most of it is rendered',
    async (writer) => {
      const { course, lesson } = await quizOf();
      const id = String(course.id);
      const asLesson = { type: 'quiz', title: 'Large', content: '', questions: TOO_LARGE };
      const asBank = (target: object) => ({ target, questions: TOO_LARGE });
      rendered.mockClear();
      const answer = await {
        'the editor': () =>
          callRoute(saveLesson, {
            ...{ method: 'PUT', params: { id: String(lesson.id) }, as },
            body: { ...asLesson, version: 1 },
          }),
        'a new lesson': () => callRoute(addLesson, { method: 'POST', params: { id }, as, body: asLesson }),
        'the question bank': () =>
          callRoute(addQuestions, {
            method: 'POST',
            params: { id },
            as,
            body: asBank({ lessonId: lesson.id }),
          }),
        'a new quiz of the question bank': () =>
          callRoute(addQuestions, { method: 'POST', params: { id }, as, body: asBank({ title: 'Large' }) }),
      }[writer]!();
      expect([answer.status, answer.body.fields?.questions]).toEqual([400, expect.stringMatching(REFUSAL)]);
      expect(rendered.mock.calls.length).toBeLessThan(TOO_LARGE.length);
    },
  );

  it('is refused for one question alone', async () => {
    const { course } = await quizOf();
    const [one] = questions(1, 900);
    const large = {
      ...one,
      options: ['a', ...Array.from({ length: 7 }, (_, at) => `${at} ${'$x$ '.repeat(240)}`)],
    };
    const answer = await callRoute(addQuestions, {
      ...{ method: 'POST', params: { id: String(course.id) }, as },
      body: { target: { title: 'One' }, questions: [...questions(2, 1), large] },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(
      /^Question 3 of “One” alone would be \d+ KB on the page, at most 64 KB/,
    );
  });

  it('is refused for plain questions too, where they are too much to be saved and read at once', async () => {
    const { course } = await quizOf();
    const plain = Array.from({ length: 90 }, (_, index) => ({
      question: `${index} ${'words '.repeat(600)}`,
      options: ['a', 'b'],
      correctAnswer: 0,
      explanation: 'Because. '.repeat(index === 7 ? 440 : 420),
    }));
    const answer = await callRoute(addQuestions, {
      ...{ method: 'POST', params: { id: String(course.id) }, as },
      body: { target: { title: 'Long' }, questions: plain },
    });
    expect([answer.status, answer.body.fields?.questions]).toEqual([
      400,
      'The questions of “Long” up to question 88 would be 641 KB together, at most 640 KB are possible. Question 8 alone is 8 KB: make several quizzes of them',
    ]);
  });

  it('is refused in the files of a course, where they are read', async () => {
    const lacks = vi.fn();
    const front = quizFormat.front.parse({
      ...{ type: 'quiz', title: 'Large', isPreview: false, requiredToComplete: true, points: 0 },
      questions: TOO_LARGE,
    });
    const none = async () => null;
    const files = { name: 'x', complete: false, has: () => false, text: none, yaml: none, fail: vi.fn() };
    await quizFormat.read(front, { ...files, lacks });
    expect(lacks.mock.calls).toEqual([['questions', expect.stringMatching(REFUSAL)]]);
  });

  it('is exported only as far as the answer stays small', async () => {
    const signs = Array.from({ length: 60 }, (_, index) => ({
      question: `${index} ${':'.repeat(3900)}`,
      options: Array.from({ length: 8 }, (_, at) => `${at}${':'.repeat(990)}`),
      correctAnswer: 0,
      explanation: ':'.repeat(3900),
    }));
    const answer = await callRoute(exportQuestions, {
      ...{ method: 'POST', as },
      body: { format: 'gift', questions: signs },
    });
    expect([answer.status, answer.body.fields?.questions]).toEqual([
      400,
      expect.stringMatching(
        /^The file of these questions would be 1\d{3} KB, at most 1400 KB are possible: export fewer/,
      ),
    ]);
  });

  it('that was stored before is read as far as the bound, and what is beyond as it was written', async () => {
    const { course, read } = await quizOf(TOO_LARGE);
    const { body, text } = await read();
    expect(body.questions).toHaveLength(60);
    expect(body.questions[0].questionHtml).toContain('<math');
    expect(body.questions[59]).not.toHaveProperty('questionHtml');
    expect(body.questions[59].question).toContain('$x$ $x$');
    expect(text.match(/questionHtml/g)!.length).toBeGreaterThan(3);
    const html = body.questions.map(({ questionHtml = '' }) => questionHtml).join('');
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(QUIZ_HTML_MAX);
    const page = await findCoursePage(course.id, null);
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(1_000_000);
  });
});

describe('a quiz with formatted questions', () => {
  it('is rendered when it is saved, and by none who reads it', async () => {
    const { course, lesson, read } = await quizOf();
    const saved = await callRoute(addQuestions, {
      ...{ method: 'POST', params: { id: String(course.id) }, as },
      body: { target: { title: 'Stored' }, questions: questions(5, 10) },
    });
    expect(saved.status, saved.text).toBe(200);
    await db()
      .update(quizQuestions)
      .set({ lessonId: lesson.id })
      .where(eq(quizQuestions.lessonId, saved.body.lessonId));
    rendered.mockClear();
    const { body } = await read();
    expect(body.questions.map((one: { optionsHtml: string[] }) => one.optionsHtml)).toContainEqual([
      '<span class="block">a 3</span>',
      '<span class="block"><strong>b</strong></span>',
    ]);
    const page = await findCoursePage(course.id, null);
    expect(page!.previews[0]!.questions[0]!.questionHtml).toContain('<math');
    expect(rendered).not.toHaveBeenCalled();
  });

  it('shows a question whose text was changed beside the site as it is now', async () => {
    const { course, lesson, read } = await quizOf();
    const saved = await callRoute(addQuestions, {
      ...{ method: 'POST', params: { id: String(course.id) }, as },
      body: { target: { title: 'Stored' }, questions: questions(1, 1) },
    });
    await db()
      .update(quizQuestions)
      .set({ lessonId: lesson.id, question: '*Another*' })
      .where(eq(quizQuestions.lessonId, saved.body.lessonId));
    expect((await read()).body.questions[0].questionHtml).toBe('<p><em>Another</em></p>\n');
  });
});

describe('what one answer has of a quiz', () => {
  const ANSWER_MAX_BYTES = 2_000_000;
  const long = (sign: string, length: number) => `${sign} ${'x'.repeat(length)}`;
  const listOf = (count: number, length: number) =>
    Array.from({ length: count }, (_, at) => long(String(at), length));
  const LARGE: Record<string, { question: object; answer: unknown }> = {
    'orders to be found': {
      question: { kind: 'ordering', items: listOf(12, 480) },
      answer: listOf(12, 480),
    },
    'several answers': {
      question: {
        kind: 'several_answers',
        options: listOf(8, 980),
        correctAnswers: [0, 1, 2, 3, 4, 5, 6, 7],
      },
      answer: listOf(8, 980),
    },
    'two long options': {
      question: { options: listOf(2, 980), correctAnswer: 0 },
      answer: listOf(2, 980)[0],
    },
  };

  it.each(Object.keys(LARGE))(
    'is below 2 MB with the last result where it has as many %s as it can',
    async (of) => {
      const { question, answer } = LARGE[of]!;
      const { course, lesson, own, read } = await quizOf();
      await db()
        .update(lessons)
        .set({ quizSettings: { shuffleOptions: true } })
        .where(eq(lessons.id, lesson.id));
      const many = (count: number) =>
        Array.from({ length: count }, (_, at) => ({
          question: `Question ${at}`,
          explanation: '',
          ...question,
        }));
      const add = (count: number) =>
        callRoute(addQuestions, {
          ...{ method: 'POST', params: { id: String(course.id) }, as },
          body: { target: { title: 'Full' }, questions: many(count) },
        });
      let count = Math.floor(900_000 / JSON.stringify(many(1)).length);
      const refused = await add(count);
      expect([refused.status, refused.body.message]).toEqual([
        400,
        expect.stringMatching(
          /^The questions of “Full” up to question \d+ would be \d+ KB together, at most 640 KB/,
        ),
      ]);
      count = Number(/up to question (\d+)/.exec(refused.body.message)![1]) - 1;
      const saved = await add(count);
      expect(saved.status, saved.text).toBe(200);
      await db()
        .update(quizQuestions)
        .set({ lessonId: lesson.id })
        .where(eq(quizQuestions.lessonId, saved.body.lessonId));
      const { questions: asked } = (await read()).body as { questions: { id: number }[] };
      const answers = Object.fromEntries(asked.map(({ id }) => [id, answer]));
      const marked = await callRoute(quizRoute.POST, {
        ...{ method: 'POST', params: { id: String(lesson.id) }, as: own, body: { answers } },
      });
      expect([asked.length, marked.status], marked.text.slice(0, 200)).toEqual([count, 200]);
      const { text, body } = await read();
      expect(body.lastResult.answers).toHaveLength(count);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(ANSWER_MAX_BYTES);
    },
  );

  it('is bounded where it draws from many quizzes of its course, and so is its last result', async () => {
    const plain = (from: number) =>
      Array.from({ length: 60 }, (_, at) => ({
        ...{ question: `${from + at} ${'words '.repeat(600)}`, options: ['a', 'b'], correctAnswer: 0 },
        ...{ explanation: 'Because. '.repeat(400), tags: ['knots'] },
      }));
    const { course, lesson, own, read } = await quizOf(plain(0).slice(0, 1));
    for (const from of [100, 200, 300, 400]) {
      const other = await makeLesson(course.id, { type: 'quiz' });
      await db()
        .insert(quizQuestions)
        .values(
          plain(from).map((one, order) => ({
            ...rowOfQuestion(questionInput.parse(one)),
            ...{ lessonId: other.id, order: order + 1 },
          })),
        );
    }
    await db()
      .update(lessons)
      .set({ quizSettings: { draw: [{ tag: 'knots', count: 100, from: 'course' }] } })
      .where(eq(lessons.id, lesson.id));
    const first = await read();
    const { questions: asked } = first.body as { questions: { id: number }[] };
    expect(asked.length).toBeGreaterThan(70);
    expect(asked.length).toBeLessThan(100);
    const answers = Object.fromEntries(asked.map(({ id }) => [id, 0]));
    const marked = await callRoute(quizRoute.POST, {
      ...{ method: 'POST', params: { id: String(lesson.id) }, as: own, body: { answers, attempt: 1 } },
    });
    expect(marked.status, marked.text.slice(0, 200)).toBe(200);
    const { text, body } = await read();
    expect(body.lastResult.questions.map(({ id }: { id: number }) => id)).toEqual(asked.map(({ id }) => id));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(ANSWER_MAX_BYTES);
  });
});
