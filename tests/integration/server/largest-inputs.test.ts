import type { APIRoute } from 'astro';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { rateLimits } from '#db/schema/machinery.ts';
import { startJudge, stopJudge } from '#src/judge/client.ts';
import { callRoute, signIn } from '../../support/api.ts';
import { type Payments, startPayments } from '../../support/payments.ts';
import { ENDPOINTS, isForTeam } from '../../support/routes.ts';
import { validBodies } from '../../support/valid-bodies.ts';

// Every endpoint that takes a body is given, in each of its texts, the most that it takes of what costs most (fault U11).
// What a text may be is found by trying: the longest that is not refused for its length. Asserted of every answer are its
// bytes, and the processor's time of the whole call: of this process alone, so that a busy machine counts for nothing, and
// far above the worst that was measured, which is written to the end of the run with MEASURE=1.
const ANSWER_MAX_BYTES = 2_000_000;
/** Milliseconds of this process for one call; 0.5 s was the most measured, for 100,000 characters of an author. */
const CPU_MAX_MS = 3_000;
/** Of what users write; 0.15 s was the most measured. */
const USER_CPU_MAX_MS = 1_500;

const found = import.meta.glob<Record<string, unknown>>('../../../src/pages/**/*.ts', { eager: true });
const ROUTES = Object.entries(found).flatMap(([file, module]) => {
  const path = file.replace('../../../src/pages', '').replace(/\.ts$/, '');
  return ['POST', 'PUT', 'PATCH']
    .filter((method) => method in module && `${method} ${path}` in ENDPOINTS)
    .map((method) => ({ name: `${method} ${path}`, method, path, route: module[method] as APIRoute }));
});

const fill = (part: string, length: number) => part.repeat(Math.ceil(length / part.length)).slice(0, length);
const heading = `${'|a'.repeat(100)}|\n${'|-'.repeat(100)}|\n`;
/** The worst that is known for the reader of Markdown, of patterns, of addresses and of JSON. */
const WORST: [string, (length: number) => string][] = [
  ['a wide table', (length) => fill(heading + fill('|x\n', 100_000), length)],
  ['many lists', (length) => fill('- x\n', length)],
  ['deep lists', (length) => fill('- > 1. ', length)],
  ['brackets', (length) => fill('[', length)],
  ['backticks', (length) => fill('` `` ``` ', length)],
  ['asterisks', (length) => fill('*a **b ', length)],
  ['links', (length) => fill('[a](http://b.c) ', length)],
  ['footnotes', (length) => fill(`[^a]: x\n\n${fill('[^a]', 100_000)}`, length)],
  ['code', (length) => fill('```js\nlet a="x";\n```\n', length)],
  ['one long word', (length) => fill('x', length)],
  ['signs upon signs', (length) => fill('a\u0301\u0302\u0303\u0304', length)],
  ['many addresses', (length) => fill('a@b.cd, ', length)],
  ['blanks', (length) => `x${fill(' ', length - 2)}x`],
  ['what becomes longer', (length) => fill('<"&\'', length)],
];
/** Lengths of texts that are tried, the longest first. */
const LENGTHS = [
  900_000, 100_000, 30_000, 20_000, 10_000, 8_000, 4_000, 2_000, 1_000, 500, 254, 128, 100, 50,
];

let payments: Payments;
let admin: Awaited<ReturnType<typeof makeAdmin>>;
let student: Awaited<ReturnType<typeof makeUser>>;
let own: Record<string, string>;
const measured: { what: string; ms: number; bytes: number }[] = [];

beforeAll(async () => {
  payments = await startPayments();
  startJudge({ log: () => {} });
  admin = await makeAdmin();
  student = await makeUser();
  const course = await makeCourse();
  const lesson = await makeLesson(course.id);
  await makeEnrollment(student.id, course.id);
  own = { id: String(course.id), courseId: String(course.id), lessonId: String(lesson.id), number: 'x' };
});
afterAll(async () => {
  await stopJudge();
  await payments.close();
  expect(measured.length).toBeGreaterThan(1_000);
  if (process.env.MEASURE) {
    const by = (figure: 'ms' | 'bytes') => measured.toSorted((a, b) => b[figure] - a[figure]).slice(0, 25);
    console.table(by('ms'));
    console.table(by('bytes').slice(0, 8));
  }
});

/** The texts of a body, by the way to each. */
function textsOf(value: unknown, way: (string | number)[] = []): (string | number)[][] {
  if (typeof value === 'string') return [way];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => textsOf(one, [...way, key]));
}

/** A copy in which the text at the end of the way is another. */
function withText(value: unknown, [key, ...rest]: (string | number)[], text: string): unknown {
  if (key === undefined) return text;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
    ? [...value]
    : { ...(value as object) };
  const record = copy as Record<string | number, unknown>;
  record[key] = withText(record[key], rest, text);
  return copy;
}

const isByUsers = (name: string) => !isForTeam(name);

const WITH_BODY = ROUTES.filter(({ name }) => validBodies({ courseId: 1, lessonId: 1 })[name]);
/** What runs a program may say that its runner gave up on it: that is a process of its own. */
const RUNS_PROGRAMS = [
  'POST /api/admin/try-lesson',
  'POST /api/execute-code',
  'POST /api/lessons/[id]/code-hint',
  'POST /api/lessons/[id]/code-preview',
  'POST /api/lessons/[id]/replay',
];

describe.each(WITH_BODY.map((one) => [one.name, one] as const))('%s', (name, { method, path, route }) => {
  it('takes its largest texts without a large answer or a long stretch of work', {
    timeout: 240_000,
  }, async () => {
    const body = validBodies({ courseId: Number(own.courseId), lessonId: Number(own.lessonId) })[name]!;
    const session = await signIn(isForTeam(name) ? admin : student);
    const ask = async (what: string, sent: unknown) => {
      await db().delete(rateLimits);
      const before = process.cpuUsage();
      const answer = await callRoute(route, {
        ...{
          method,
          as: session,
          params: /^\/api\/(?:admin\/)?(?:lessons|lesson-questions)\//.test(path)
            ? { ...own, id: own.lessonId! }
            : own,
        },
        ...{ path: path.replace(/\[.*/, '1'), body: sent },
      });
      const ms = process.cpuUsage(before).user / 1000;
      const bytes = Buffer.byteLength(answer.text);
      measured.push({ what: `${name} ${what} (${answer.status})`, ms, bytes });
      if (!(RUNS_PROGRAMS.includes(name) && answer.body?.code === 'unavailable')) {
        expect(answer.status, `${what}: ${answer.text.slice(0, 200)}`).toBeLessThan(500);
      }
      expect(bytes, what).toBeLessThanOrEqual(ANSWER_MAX_BYTES);
      expect(ms, what).toBeLessThanOrEqual(isByUsers(name) ? USER_CPU_MAX_MS : CPU_MAX_MS);
      return answer;
    };
    await ask('warms up', body);
    for (const way of textsOf(body)) {
      const field = way.join('.');
      const isTooLong = async (length: number) => {
        const { body: told } = await ask(
          `${field} of ${length}`,
          withText(body, way, `${fill('word ', length - 1)}x`),
        );
        return told?.code === 'invalid_input' || told?.code === 'too_large';
      };
      let longest = LENGTHS.at(-1)!;
      for (const length of LENGTHS) {
        if (await isTooLong(length)) continue;
        longest = length;
        break;
      }
      // What is refused before it is looked at costs nothing more.
      if (longest < 250) continue;
      for (const [what, make] of WORST)
        await ask(`${field}: ${what}, ${longest}`, withText(body, way, make(longest)));
    }
    for (const [what, raw] of [
      ['deep JSON', `{"a":${'['.repeat(500_000)}`],
      ['wide JSON', `{"a":[${fill('{"b":1},', 900_000)}{}]}`],
      ['many keys', `{${Array.from({ length: 70_000 }, (_, index) => `"k${index}":1`).join(',')}}`],
      [
        'a list of texts in each field',
        JSON.stringify(
          Object.fromEntries(
            Object.keys(body).map((key) => [
              key,
              Array.from({ length: 800_000 / Object.keys(body).length / 4 }, () => 'a'),
            ]),
          ),
        ),
      ],
    ] as const) {
      await ask(what, raw);
    }
  });
});

it('brings along of a large course what fits, and the rest as outlines', async () => {
  const course = await makeCourse();
  for (let index = 0; index < 25; index += 1) {
    await makeLesson(course.id, { order: index + 1, content: fill(`${index} é\n`, 100_000) });
  }
  const answer = await callRoute(found['../../../src/pages/api/courses/[id].ts']!.GET as APIRoute, {
    params: { id: String(course.id) },
    as: await signIn(admin),
  });
  expect(answer.status).toBe(200);
  expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(ANSWER_MAX_BYTES);
  const { content } = answer.body as { content: Record<string, unknown>[] };
  expect(content).toHaveLength(25);
  expect([content[0], content[24]].map((lesson) => 'content' in lesson!)).toEqual([true, false]);
});

it('refuses what would become too large on the page, and names the field', async () => {
  const session = await signIn(admin);
  const table = heading + '|x\n'.repeat(300);
  const ids = { courseId: Number(own.courseId), lessonId: Number(own.lessonId) };
  for (const [name, field] of [
    ['POST /api/admin/preview', 'content'],
    ['POST /api/admin/courses/[id]/lessons', 'content'],
    ['POST /api/admin/courses/[id]/news', 'body'],
    ['POST /api/courses', 'description'],
    ['PUT /api/courses/[id]', 'description'],
    ['PUT /api/admin/mistake-groups/[id]', 'hint'],
    ['POST /api/admin/assignments/[id]/grade', 'feedback'],
  ] as const) {
    const { route, method } = ROUTES.find((one) => one.name === name)!;
    // As wide as the shortest of these texts allows.
    const answer = await callRoute(route, {
      ...{ method, params: own, as: session },
      body: { ...validBodies(ids)[name], [field]: name.includes('mistake') ? table.slice(0, 1_300) : table },
    });
    expect([name, answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([name, 400, [field]]);
    expect(answer.body.fields[field]).toMatch(/would become too large on the page/);
  }
});
