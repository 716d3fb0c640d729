import { eq } from 'drizzle-orm';
import { afterAll, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { codeSubmissions } from '#db/schema/practice.ts';
import { CODING_LANGUAGES, codingLanguage } from '#src/features/lessons/types/coding/languages.ts';
import { stopJudge } from '#src/judge/client.ts';
import { TRACED } from '#src/judge/protocol.ts';
import { POST } from '#src/pages/api/lessons/[id]/replay.ts';
import { type CallOptions, callRoute, signIn } from '../../support/api.ts';

afterAll(() => stopJudge());

const WRONG = 'const double = (n) => n + 3;';
const SECRET = 'theSolutionsOwnName';

async function workshop(values: Parameters<typeof makeLesson>[1] = {}) {
  const [course, user] = [await makeCourse(), await makeUser()];
  const lesson = await makeLesson(course.id, {
    type: 'interactive_coding',
    codingLanguage: 'javascript',
    solution: `const double = (n) => { const ${SECRET} = n * 2; return ${SECRET}; };`,
    testCases: [
      { input: 'double(4)', expectedOutput: '8' },
      { input: 'double(-2109)', expectedOutput: '-4218', hidden: true },
    ],
    ...values,
  });
  await makeEnrollment(user.id, course.id);
  const as = await signIn(user);
  const ask = (test: number, options: CallOptions = { as }, language = 'javascript', code = WRONG) =>
    callRoute(POST, {
      ...options,
      params: { id: String(lesson.id) },
      body: { code, language, test },
    });
  return { ask, lesson };
}

it('replays a visible test, says where it parts, and keeps nothing', async () => {
  const { ask } = await workshop();
  const { status, body } = await ask(0);
  expect(status).toBe(200);
  expect(body.steps.at(-1)).toMatchObject({ kind: 'return', fn: 'double', value: '7' });
  expect(body.parts).toMatchObject({
    step: body.steps.length - 1,
    says: "Here double returned 7; the author's returns 8 for the same arguments.",
  });
  const told = JSON.stringify(body);
  for (const kept of [SECRET, '2109', '4218']) expect(told).not.toContain(kept);
  expect(await db().select().from(codeSubmissions)).toEqual([]);
});

it('replays a program in Python, and follows one that is much like the solution line by line', async () => {
  const program = (condition: string) =>
    `def double(n):\n    total = 0\n    while ${condition}:\n        total += 2\n        n -= 1\n    return total\n`;
  const { ask } = await workshop({
    codingLanguage: 'python',
    solution: `${program('n > 0')}# ${SECRET}`,
  });
  const { status, body } = await ask(0, undefined, 'python', program('n > 1'));
  expect(status).toBe(200);
  expect(body.steps.at(-1)).toMatchObject({ kind: 'return', fn: 'double', line: 6, value: '6' });
  expect(body.parts).toMatchObject({
    says: "After this line your program goes on at line 6; the author's goes another way.",
  });
  expect(body.steps[body.parts.step]).toMatchObject({ kind: 'line', line: 3 });
  for (const kept of [SECRET, '2109', '4218']) expect(JSON.stringify(body)).not.toContain(kept);
});

it('refuses hidden tests, tests that there are not, visitors, strangers and other languages', async () => {
  const { ask } = await workshop();
  const stranger = await signIn(await makeUser());
  const answers = [
    await ask(1),
    await ask(2),
    await ask(0, {}),
    await ask(0, { as: stranger }),
    await ask(0, undefined, 'python'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 400]);
  for (const { body } of answers) expect(JSON.stringify(body)).not.toContain('2109');
});

it('is offered in the languages that the judge can record, and in no other', () => {
  const offered = CODING_LANGUAGES.filter((language) => codingLanguage(language).hasReplay);
  expect(offered).toEqual(TRACED);
});

it('shows a learner values of twelve of the solution’s variables in a lesson, and says so', async () => {
  const names = Array.from({ length: 14 }, (_, at) => `secret${at}`);
  const { ask } = await workshop({
    solution: `const double = (n) => { ${names.map((name, at) => `let ${name} = ${at + 100};`).join(' ')} return n * 2; };`,
  });
  const guess = async (name: string) => {
    const code = `const double = (n) => { let ${name} = 1; return n * 2; };`;
    return (await ask(0, undefined, 'javascript', code)).body.parts.says as string;
  };
  for (const [at, name] of names.entries()) {
    const says = await guess(name);
    if (at < 12) expect(says).toContain(`in the author's program it becomes ${at + 100}.`);
    else
      expect(says).toBe(
        "You have seen values of 12 variables of the author's program, which is as many as this lesson shows.",
      );
  }
  // A variable that is fixed step by step goes on being compared, and so does everything else.
  expect(await guess('secret3')).toContain('becomes 103.');
  expect((await ask(0)).body.parts.says).toContain('returned 7');
});

it('says nothing of an author’s solution where there is none', async () => {
  const { ask } = await workshop({ solution: null });
  expect((await ask(0)).body).toMatchObject({ parts: null, isWhole: true, error: null });
});

it('lets visitors replay previews, and no more', async () => {
  const { ask } = await workshop({ isPreview: true });
  expect((await ask(0, {})).body.parts.says).toContain('returned 7');
  expect((await ask(1, {})).status).toBe(404);
});

it('replays what a lesson without tests prints, and names a program that is none', async () => {
  const { ask } = await workshop({ testCases: [], expectedOutput: 'x' });
  const { status, body } = await ask(0);
  expect([status, body.isWhole]).toEqual([200, true]);
  expect((await ask(1)).status).toBe(404);
  const broken = await ask(0, undefined, 'javascript', 'const = 1');
  expect(broken.body).toMatchObject({ steps: [], parts: null, error: { name: 'SyntaxError' } });
});

it('names a test that is no place, and finds no lesson of another type', async () => {
  const { ask, lesson } = await workshop();
  expect((await ask(-1)).body.fields).toEqual({ test: 'Test must be the place of a test, from 0' });
  await db().update(lessons).set({ type: 'text' }).where(eq(lessons.id, lesson.id));
  expect((await ask(0)).status).toBe(400);
});

it('is limited for each user', async () => {
  const { ask } = await workshop();
  const statuses = [];
  for (let index = 0; index < 61; index += 1) statuses.push((await ask(1)).status);
  expect(statuses.at(-1)).toBe(429);
});
