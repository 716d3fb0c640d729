import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAdmin, makeCategories, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { startJudge, stopJudge } from '#src/judge/client.ts';
import { POST as build } from '#src/pages/api/admin/interactive-courses.ts';
import { GET as list, POST as create } from '#src/pages/api/courses.ts';
import { GET as read } from '#src/pages/api/courses/[id].ts';
import { POST as complete } from '#src/pages/api/courses/[id]/content/[lessonId]/complete.ts';
import { PUT as toggle } from '#src/pages/api/courses/[id]/toggle.ts';
import { POST as addToCart } from '#src/pages/api/cart.ts';
import { POST as execute } from '#src/pages/api/execute-code.ts';
import { callRoute, signIn } from '../../support/api.ts';

// The calls of the specification with exactly its fields (spec 7): what they make is listed, bought and learned at once,
// whatever nobody has proven of it (decision 54).

let admin: Awaited<ReturnType<typeof makeAdmin>>;
let as: Awaited<ReturnType<typeof signIn>>;
beforeAll(async () => {
  admin = await makeAdmin();
  as = await signIn(admin);
  await makeCategories();
  startJudge({ log: () => {} });
});
afterAll(() => stopJudge());

const isListed = async (title: string) =>
  (await callRoute(list, { path: `/api/courses?search=${encodeURIComponent(title)}` })).body.some(
    (course: { title: string }) => course.title === title,
  );

describe('POST /api/courses with the fields of the specification', () => {
  it('gives a course that is listed at once and bought with its first lesson, and the toggle hides and shows it', async () => {
    const body = {
      title: 'Harbour Pilots',
      description: 'How ships come in.',
      thumbnail: 'https://example.com/pilots.webp',
      price: '45.00',
      originalPrice: '60.00',
      duration: '3 hours',
      level: 'beginner',
      categoryId: 1,
      createdBy: admin.id,
    };
    const made = await callRoute(create, { body, as });
    expect([made.status, made.body]).toMatchObject([201, { isActive: true, createdBy: admin.id }]);
    expect(await isListed(body.title)).toBe(true);
    const params = { id: String(made.body.id) };
    const shopper = await signIn(await makeUser());
    const add = () => callRoute(addToCart, { body: { courseId: made.body.id }, as: shopper });
    expect((await add()).status).toBe(409);
    await makeLesson(made.body.id);
    expect((await add()).status).toBe(200);
    for (const isActive of [false, true]) {
      expect((await callRoute(toggle, { method: 'PUT', params, as })).body).toMatchObject({ isActive });
      expect(await isListed(body.title)).toBe(isActive);
      expect((await callRoute(read, { params })).status).toBe(isActive ? 200 : 404);
    }
  });
});

describe('POST /api/admin/interactive-courses with the fields of the specification', () => {
  const lesson = (title: string, type: string, order: number, more: object = {}) => ({
    title,
    type,
    instructions: `Read about ${title}.`,
    codingLanguage: 'javascript',
    starterCode: '',
    expectedOutput: '',
    difficulty: 'beginner',
    points: 10,
    hints: [],
    testCases: [],
    order,
    ...more,
  });

  it('gives a course that is listed, and whose every lesson can be completed', async () => {
    const body = {
      title: 'Lighthouse Keeping',
      description: 'How a light is kept.',
      categoryId: 1,
      price: '45.00',
      originalPrice: '60.00',
      level: 'Beginner',
      duration: '2 hours',
      lessons: [
        lesson('Prints', 'interactive_coding', 1, { expectedOutput: 'light' }),
        lesson('Free writing', 'interactive_coding', 2),
        lesson('A storm', 'scenario', 3),
        lesson('Questions', 'quiz', 4),
        lesson('Words', 'text', 5),
      ],
    };
    const made = await callRoute(build, { body, as });
    expect([made.status, made.body]).toMatchObject([201, { title: body.title, isActive: true }]);
    expect(await isListed(body.title)).toBe(true);

    const learner = await makeUser();
    await makeEnrollment(learner.id, made.body.id);
    const session = await signIn(learner);
    const [judged, ...rest] = made.body.lessons as { id: number }[];
    const mark = (lessonId: number) =>
      callRoute(complete, {
        method: 'POST',
        params: { id: String(made.body.id), lessonId: String(lessonId) },
        as: session,
      });
    // What it must print is something to pass, without a solution too.
    expect((await mark(judged!.id)).status).toBe(409);
    const run = { lessonId: judged!.id, language: 'javascript', timeSpent: 5, hintsUsed: 0 };
    const passed = async (code: string) => {
      const answer = await callRoute(execute, { body: { ...run, code }, as: session });
      expect(answer.status, answer.text).toBe(200);
      return answer.body.isCorrect;
    };
    expect(await passed('console.log("dark")')).toBe(false);
    expect(await passed('console.log("light")')).toBe(true);
    for (const { id } of rest) {
      const answer = await mark(id);
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    }
    const { body: last } = await mark(rest.at(-1)!.id);
    expect(last).toMatchObject({ progress: 100 });
    const nothing = await callRoute(execute, {
      body: { ...run, lessonId: rest[0]!.id, code: 'x' },
      as: session,
    });
    expect([nothing.status, nothing.body.message]).toEqual([
      409,
      'This lesson has nothing to check your code with. Read it, and mark it complete in the course.',
    ]);
  });
});
