import { eq } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeLesson, makeUser } from '../../support/factories.ts';
import { lessonVersions } from '#db/schema/catalogue.ts';
import { quizAttempts, quizQuestions } from '#db/schema/learn.ts';
import { rateLimits } from '#db/schema/machinery.ts';
import type { SignIn } from '#src/features/account/session.server.ts';
import { findQuestionBank } from '#src/features/authoring/question-bank/question-bank.server.ts';
import { discrimination, remarkOf } from '#src/features/lessons/types/quiz/figures/question-figures.ts';
import { POST as copyRoute } from '#src/pages/api/admin/courses/[id]/questions/copy.ts';
import { POST as exportRoute } from '#src/pages/api/admin/courses/[id]/questions/export.ts';
import { POST as addRoute } from '#src/pages/api/admin/courses/[id]/questions.ts';
import { POST as tagRoute } from '#src/pages/api/admin/courses/[id]/questions/tag.ts';
import { callRoute, signIn } from '../../support/api.ts';

const ALL = { search: '', tag: '', kind: '', lessonId: null, page: 1 };
let admin: SignIn;
let course: { id: number };
let from: { id: number };
let to: { id: number };
let ids: number[];

async function quizWith(courseId: number, texts: readonly string[]) {
  const lesson = await makeLesson(courseId, { type: 'quiz', content: '' });
  const rows = texts.map((question, index) => ({
    ...{ lessonId: lesson.id, question, options: ['a', 'b'], correctAnswer: 0, order: index + 1 },
  }));
  const made = rows.length > 0 ? await db().insert(quizQuestions).values(rows).returning() : [];
  return { lesson, ids: made.map(({ id }) => id) };
}
const post = (
  route: Parameters<typeof callRoute>[0],
  body: unknown,
  as: SignIn | null = admin,
  id = course.id,
) => callRoute(route, { body, as, params: { id: String(id) } });
const textsOf = async (lessonId: number) =>
  (await findQuestionBank(course.id, { ...ALL, lessonId }))!.questions.map(
    ({ question }) => question.question,
  );
const learnedTexts = async (lessonId: number) =>
  (
    await db()
      .select({ question: quizQuestions.question })
      .from(quizQuestions)
      .where(eq(quizQuestions.lessonId, lessonId))
  ).map(({ question }) => question);

beforeEach(async () => {
  admin = await signIn(await makeAdmin());
  await db().delete(rateLimits);
  course = await makeCourse();
  const made = await quizWith(course.id, ['One?', 'Two?']);
  [from, ids] = [made.lesson, made.ids];
  to = (await quizWith(course.id, ['Three?'])).lesson;
});

it('lists the questions of a course, narrowed by each filter', async () => {
  const bank = await findQuestionBank(course.id, ALL);
  expect(bank?.questions.map(({ question, place }) => [question.question, place])).toEqual([
    ['One?', 1],
    ['Two?', 2],
    ['Three?', 1],
  ]);
  expect(bank?.quizzes.map(({ questions }) => questions)).toEqual([2, 1]);
  await post(tagRoute, { questionIds: [ids[1]], tag: 'Loops' });
  for (const narrowed of [{ search: 'TWO' }, { tag: 'loops' }, { lessonId: from.id, search: 'two' }]) {
    const found = await findQuestionBank(course.id, { ...ALL, ...narrowed });
    expect(found?.questions.map(({ id }) => id)).toEqual([ids[1]]);
  }
  expect((await findQuestionBank(course.id, { ...ALL, kind: 'gaps' }))?.total).toBe(0);
  expect(await findQuestionBank(2_000_000_000, ALL)).toBeNull();
});

it('tells how a question was answered, and that it misleads', async () => {
  const [one, two] = ids as [number, number];
  const third = await quizWith(course.id, []);
  await db()
    .insert(quizQuestions)
    .values({
      ...{ lessonId: from.id, question: 'Four?', options: ['a', 'b'], correctAnswer: 0, order: 3 },
    });
  const four = (await findQuestionBank(course.id, { ...ALL, search: 'four' }))!.questions[0]!.id;
  expect(third.ids).toEqual([]);
  for (let n = 0; n < 10; n += 1) {
    const user = await makeUser();
    const isGood = n % 2 === 0;
    await db()
      .insert(quizAttempts)
      .values({
        userId: user.id,
        lessonId: from.id,
        // The first is wrong for the good ones only.
        answers: { [one]: isGood ? 1 : 0, [two]: isGood ? 0 : 1, [four]: isGood ? 0 : 1 },
        score: isGood ? 66 : 33,
        passed: false,
      });
  }
  const bank = await findQuestionBank(course.id, ALL);
  const [first, second, , last] = [one, two, null, four].map(
    (id) => bank!.questions.find((question) => question.id === id)?.sums,
  );
  expect([first!.answered, first!.right]).toEqual([10, 5]);
  expect(discrimination(first!)).toBe(-100);
  expect(remarkOf(first!)).toMatch(/^Misleads good learners/);
  expect(last!.answered).toBe(10);
  expect(second!.right).toBe(5);
});

it('copies questions once, as a new version, and again nothing', async () => {
  const body = { target: { lessonId: to.id }, questionIds: ids };
  const before = await db().$count(lessonVersions);
  const first = await post(copyRoute, body);
  expect([first.status, first.body]).toMatchObject([200, { lessonId: to.id, added: 2, already: 0 }]);
  expect(await textsOf(to.id)).toEqual(['Three?', 'One?', 'Two?']);
  expect((await post(copyRoute, body)).body).toMatchObject({ added: 0, already: 2 });
  expect(await db().$count(lessonVersions)).toBe(before + 1);
  const made = await post(copyRoute, { target: { title: 'New' }, questionIds: [ids[0]] });
  expect(await textsOf(made.body.lessonId)).toEqual(['One?']);
});

it('loses nothing where two copy at once', async () => {
  const answers = await Promise.all(
    ids.map((id) => post(copyRoute, { target: { lessonId: to.id }, questionIds: [id] })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect((await textsOf(to.id)).toSorted()).toEqual(['One?', 'Three?', 'Two?']);
});

it('leaves alone what learners have of a published course', async () => {
  const body = { target: { lessonId: to.id }, questionIds: ids };
  expect((await post(copyRoute, body)).body).toMatchObject({ added: 2 });
  expect(await learnedTexts(to.id)).toEqual(['Three?']);
  expect(await textsOf(to.id)).toHaveLength(3);
});

it('adds questions of a file, and exports questions that read as the same', async () => {
  const question = { question: 'New?', options: ['a', 'b'], correctAnswer: 1, explanation: '' };
  const added = await post(addRoute, { target: { lessonId: to.id }, questions: [question] });
  expect(added.body).toMatchObject({ added: 1, already: 0 });
  for (const format of ['gift', 'moodle', 'qti21', 'qti3']) {
    const file = await post(exportRoute, { format, questionIds: ids });
    expect([file.status, file.body.left]).toEqual([200, []]);
  }
});

it('tags a question up to its limit, and takes the tag back', async () => {
  for (let n = 1; n <= 10; n += 1) await post(tagRoute, { questionIds: [ids[0]], tag: `t${n}` });
  const refused = await post(tagRoute, { questionIds: [ids[0]], tag: 'one more' });
  expect([refused.status, refused.body.message]).toEqual([409, '“One?” has 10 tags already.']);
  const back = await post(tagRoute, { questionIds: ids, tag: 't1', remove: true });
  expect(back.body).toEqual({ changed: 1 });
});

it('refuses who may not, and what is not of this course', async () => {
  const body = { target: { lessonId: to.id }, questionIds: ids };
  expect((await post(copyRoute, body, null)).status).toBe(401);
  expect((await post(copyRoute, body, await signIn(await makeUser()))).status).toBe(403);
  const strange = await quizWith((await makeCourse()).id, ['Else?']);
  for (const [route, wrong] of [
    [copyRoute, { ...body, target: { lessonId: strange.lesson.id } }],
    [copyRoute, { ...body, questionIds: strange.ids }],
    [tagRoute, { questionIds: strange.ids, tag: 'x' }],
    [exportRoute, { questionIds: strange.ids, format: 'gift' }],
  ] as const) {
    expect((await post(route, wrong)).status).toBe(404);
  }
  expect((await post(copyRoute, body, admin, 2_000_000_000)).status).toBe(404);
  for (const wrong of [
    { ...body, questionIds: [] },
    { ...body, target: {} },
    { ...body, target: { title: '' } },
    { ...body, questionIds: Array.from({ length: 1001 }, (_, n) => n + 1) },
  ]) {
    expect((await post(copyRoute, wrong)).status).toBe(400);
  }
  expect(await textsOf(to.id)).toEqual(['Three?']);
});
