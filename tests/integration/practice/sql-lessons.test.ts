import { afterAll, expect, it } from 'vitest';
import { makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { stopJudge } from '#src/judge/client.ts';
import { POST as runRoute } from '#src/pages/api/execute-code.ts';
import { GET as tablesRoute } from '#src/pages/api/lessons/[id]/tables.ts';
import { type CallOptions, callRoute, signIn } from '../../support/api.ts';

afterAll(() => stopJudge());

const SHOP = `CREATE TABLE customers (id integer PRIMARY KEY, name text NOT NULL);
CREATE TABLE "Order items" (id serial PRIMARY KEY, customer_id integer REFERENCES customers (id), note varchar(20));
INSERT INTO customers SELECT g, 'Customer | ' || g FROM generate_series(1, 30) g;
INSERT INTO "Order items" (customer_id, note) VALUES (1, 'a'), (2, NULL);`;

async function sqlLesson(values: Parameters<typeof makeLesson>[1] = {}) {
  const course = await makeCourse();
  const lesson = await makeLesson(course.id, {
    type: 'interactive_coding',
    codingLanguage: 'sql',
    instructions: 'Who has orders?',
    starterCode: '',
    solution: 'SELECT name FROM customers WHERE id < 3',
    content: SHOP,
    testCases: [
      { input: 'result', expectedOutput: 'name\nCustomer \\| 1\nCustomer \\| 2' },
      {
        input: 'given: DELETE FROM "Order items"; DELETE FROM customers WHERE id = 2;\nthen\nresult',
        expectedOutput: 'name\nCustomer \\| 1',
        description: 'Fewer customers',
        hidden: true,
      },
    ],
    ...values,
  });
  const user = await makeUser();
  await makeEnrollment(user.id, course.id);
  return { course, lesson, as: await signIn(user) };
}

const tables = (id: number | string, options: CallOptions = {}) =>
  callRoute(tablesRoute, { path: `/api/lessons/${id}/tables`, params: { id: String(id) }, ...options });

it('shows the tables of a lesson as the database has them, to who may read it', async () => {
  const { lesson, as } = await sqlLesson();
  const seen = await tables(lesson.id, { as });
  expect(seen.status).toBe(200);
  const [customers, items] = seen.body.tables;
  expect(customers).toMatchObject({
    name: 'customers',
    columns: [
      { name: 'id', type: 'integer', isKey: true, isRequired: true, references: null },
      { name: 'name', type: 'text', isKey: false, isRequired: true, references: null },
    ],
    hasMore: true,
  });
  expect(customers.rows).toHaveLength(20);
  expect(customers.rows[0]).toEqual(['1', 'Customer | 1']);
  expect(items).toMatchObject({
    name: 'Order items',
    rows: [
      ['1', '1', 'a'],
      ['2', '2', null],
    ],
    hasMore: false,
  });
  expect(items.columns[1]).toMatchObject({
    references: { table: 'customers', column: 'id' },
    isRequired: false,
  });
  // Another time they are known.
  expect((await tables(lesson.id, { as })).body).toEqual(seen.body);
});

it('keeps them from others, and has none for other lessons', async () => {
  const { lesson, course, as } = await sqlLesson();
  const other = await makeUser();
  expect((await tables(lesson.id)).status).toBe(404);
  expect((await tables(lesson.id, { as: await signIn(other) })).status).toBe(404);
  expect((await tables('x', { as })).status).toBe(404);
  const script = await makeLesson(course.id, { type: 'interactive_coding', codingLanguage: 'javascript' });
  expect((await tables(script.id, { as })).status).toBe(404);
  const { lesson: preview } = await sqlLesson({ isPreview: true });
  expect((await tables(preview.id)).status).toBe(200);
});

it('says so where they cannot be made, and takes none as none', async () => {
  const broken = await sqlLesson({ content: 'CREATE TABLE x (' });
  const refused = await tables(broken.lesson.id, { as: broken.as });
  expect([refused.status, refused.body.message]).toEqual([
    503,
    'The tables of this lesson cannot be shown at the moment.',
  ]);
  const none = await sqlLesson({ content: 'SELECT 1' });
  expect((await tables(none.lesson.id, { as: none.as })).body).toEqual({ tables: [] });
});

it('tells of a wrong answer which rows are missing and which are too much, and of hidden tests none', async () => {
  const { lesson, as } = await sqlLesson();
  const run = (code: string) =>
    callRoute(runRoute, {
      method: 'POST',
      path: '/api/execute-code',
      as,
      body: { lessonId: lesson.id, code, language: 'sql', timeSpent: 5, hintsUsed: 0 },
    });
  const { body } = await run('SELECT name FROM customers WHERE id IN (2, 3)');
  expect(body.isCorrect).toBe(false);
  const [seen, hidden] = body.tests;
  expect(seen.tables.wanted.rows.map(({ differs }: { differs: string | null }) => differs)).toEqual([
    'missing',
    null,
  ]);
  expect(seen.tables.got.rows.map(({ differs }: { differs: string | null }) => differs)).toEqual([
    null,
    'extra',
  ]);
  expect(hidden).not.toHaveProperty('tables');
  expect(hidden).not.toHaveProperty('got');
  expect((await run('SELECT name FROM customers WHERE id < 3')).body).toMatchObject({ isCorrect: true });
});
