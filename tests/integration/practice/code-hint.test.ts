import { count } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { codeSubmissions } from '#db/schema/practice.ts';
import { stopJudge } from '#src/judge/client.ts';
import { POST } from '#src/pages/api/lessons/[id]/code-hint.ts';
import { callRoute, type CallOptions, signIn } from '../../support/api.ts';
import { makeCategories, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';

beforeAll(() => makeCategories());
afterAll(() => stopJudge());

const WRONG = 'const adult = (age) => age > 18;';
const FOUND = {
  name: 'Hint',
  message: 'Look at the comparison in line 1.',
  line: 1,
  column: null,
  explanation: 'Which values should it let through, and which not?',
};

async function makeCoding(values: Parameters<typeof makeLesson>[1] = {}) {
  const course = await makeCourse();
  const lesson = await makeLesson(course.id, {
    type: 'interactive_coding',
    codingLanguage: 'javascript',
    testCases: [
      { input: 'adult(18)', expectedOutput: 'true' },
      { input: 'adult(17)', expectedOutput: 'false' },
      { input: 'adult(-4711)', expectedOutput: 'false', hidden: true },
    ],
    ...values,
  });
  const learner = await makeUser();
  await makeEnrollment(learner.id, course.id);
  return { id: lesson.id, as: await signIn(learner) };
}

const ask = (id: unknown, code: unknown, options: CallOptions = {}, language: unknown = 'javascript') =>
  callRoute(POST, { ...options, params: { id: String(id) }, body: { code, language } });

describe('POST /api/lessons/{id}/code-hint', () => {
  it('says where to look in a wrong program, not what to write, and keeps nothing', async () => {
    const { id, as } = await makeCoding();
    const { status, body, text } = await ask(id, WRONG, { as });
    expect(status).toBe(200);
    expect(body).toEqual({ hint: FOUND });
    expect(text).not.toMatch(/>=|4711/);
    expect(await db().select({ rows: count() }).from(codeSubmissions)).toEqual([{ rows: 0 }]);
  });

  it('has nothing to say of a right program, of one that does not parse, and of hidden tests', async () => {
    const { id, as } = await makeCoding();
    for (const code of [
      'const adult = (age) => age >= 18;',
      'const adult = (',
      'const adult = (age) => age === 18 || age < -9;',
    ]) {
      expect((await ask(id, code, { as })).body).toEqual({ hint: null });
    }
  });

  it('is for those who may run the program: enrolled learners, and anyone in a preview', async () => {
    const { id } = await makeCoding();
    const other = await signIn(await makeUser());
    expect((await ask(id, WRONG)).status).toBe(404);
    expect((await ask(id, WRONG, { as: other })).status).toBe(404);
    expect((await ask(999_999_999, WRONG, { as: other })).status).toBe(404);
    const preview = await makeCoding({ isPreview: true });
    expect((await ask(preview.id, WRONG)).body).toEqual({ hint: FOUND });
  });

  it('refuses what is no program of the lesson', async () => {
    const { id, as } = await makeCoding();
    for (const code of [undefined, null, 7, '', ' \n', 'x'.repeat(65_537)]) {
      expect((await ask(id, code, { as })).body).toMatchObject({ fields: { code: expect.any(String) } });
    }
    expect((await ask(id, WRONG, { as }, 'python')).body).toMatchObject({
      fields: { language: expect.any(String) },
    });
    const text = await makeLesson((await makeCourse()).id, { isPreview: true });
    expect((await ask(text.id, WRONG)).status).toBe(400);
  });

  it('answers all who ask at once, with the hint or without', async () => {
    const { id, as } = await makeCoding();
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(id, WRONG, { as })));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(answers.some(({ body }) => body.hint?.message === FOUND.message)).toBe(true);
  });
});
