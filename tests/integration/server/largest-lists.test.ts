import type { APIRoute } from 'astro';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { quizQuestions } from '#db/schema/learn.ts';
import { rateLimits } from '#db/schema/machinery.ts';
import { findQuestionBank } from '#src/features/authoring/question-bank/question-bank.server.ts';
import { findCoursePage } from '#src/features/catalogue/course-page/course-page.server.ts';
import { EXPORT_FORMATS } from '#src/features/authoring/question-files/schema.ts';
import { startJudge, stopJudge } from '#src/judge/client.ts';
import { callRoute, signIn } from '../../support/api.ts';
import { type Payments, startPayments } from '../../support/payments.ts';
import { longestStretch, STRETCH_MAX_MS } from '../../support/longest-stretch.ts';
import { ENDPOINTS, isForTeam } from '../../support/routes.ts';
import { validBodies } from '../../support/valid-bodies.ts';

// Beside the largest texts (`largest-inputs.test.ts`): the largest sum of a list, many small entries and few large ones, in
// every body that has one; then all that reads or exports the largest quizzes (fault U11). MEASURE=1 writes the worst.
const ANSWER_MAX_BYTES = 2_000_000;
/** Milliseconds of this process; 0.8 s was the most measured, of which packing a thousand files has most. */
const CPU_MAX_MS = 3_000;
/** Of a call that reads what is stored; 0.1 s was the most measured. */
const READ_MAX_MS = 1_000;
const BODY_MAX = 900_000;

const found = import.meta.glob<Record<string, unknown>>('../../../src/pages/api/**/*.ts', { eager: true });
const ROUTES = Object.entries(found).flatMap(([file, module]) => {
  const path = file.replace('../../../src/pages', '').replace(/\.ts$/, '');
  return ['GET', 'POST', 'PUT', 'PATCH']
    .filter((method) => method in module && `${method} ${path}` in ENDPOINTS)
    .map((method) => ({ name: `${method} ${path}`, method, path, route: module[method] as APIRoute }));
});
const routeOf = (name: string) => ROUTES.find((one) => one.name === name)!;

let payments: Payments;
let as: Awaited<ReturnType<typeof signIn>>;
let learner: Awaited<ReturnType<typeof signIn>>;
let learnerId: number;
let own: Record<string, string>;
const measured: { what: string; ms: number; stretch: number; bytes: number }[] = [];

beforeAll(async () => {
  payments = await startPayments();
  startJudge({ log: () => {} });
  as = await signIn(await makeAdmin());
  const user = await makeUser();
  learnerId = user.id;
  learner = await signIn(user);
  const course = await makeCourse();
  const lesson = await makeLesson(course.id);
  await makeEnrollment(user.id, course.id);
  own = { id: String(course.id), courseId: String(course.id), lessonId: String(lesson.id), number: 'x' };
});
afterAll(async () => {
  await stopJudge();
  await payments.close();
  expect(measured.length).toBeGreaterThan(100);
  if (!process.env.MEASURE) return;
  for (const by of ['ms', 'stretch', 'bytes'] as const)
    console.table(measured.toSorted((a, b) => b[by] - a[by]).slice(0, 20));
});

async function measure(what: string, maxMs: number, work: () => Promise<string>): Promise<void> {
  const before = process.cpuUsage();
  let text = '';
  const stretch = await longestStretch(async () => {
    text = await work();
  });
  const ms = process.cpuUsage(before).user / 1000;
  const bytes = Buffer.byteLength(text);
  measured.push({ what, ms, stretch, bytes });
  expect(bytes, what).toBeLessThanOrEqual(ANSWER_MAX_BYTES);
  expect(ms, what).toBeLessThanOrEqual(maxMs);
  expect(stretch, what).toBeLessThanOrEqual(STRETCH_MAX_MS);
}

async function ask(
  name: string,
  body: unknown,
  params = own,
  withSession = as,
  what = name,
  maxMs = CPU_MAX_MS,
) {
  const { route, method, path } = routeOf(name);
  await db().delete(rateLimits);
  let answer!: Awaited<ReturnType<typeof callRoute>>;
  await measure(what, maxMs, async () => {
    answer = await callRoute(route, {
      ...{ method, params, as: withSession, path: path.replace(/\[.*/, '1') },
      ...(method === 'GET' ? {} : { body }),
    });
    return answer.text;
  });
  expect(answer.status, `${what}: ${answer.text.slice(0, 200)}`).toBeLessThan(500);
  return answer;
}

type Way = (string | number)[];
/** The lists of a body, by the way to each. */
function listsOf(value: unknown, way: Way = []): Way[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, one]) => listsOf(one, [...way, key]));
  return Array.isArray(value) && value.length > 0 ? [way, ...inside] : inside;
}
const at = (value: unknown, way: Way) =>
  way.reduce<unknown>((one, key) => (one as Record<string | number, unknown>)[key], value);
function withValue(value: unknown, [key, ...rest]: Way, given: unknown): unknown {
  if (key === undefined) return given;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string | number,
    unknown
  >;
  copy[key] = withValue(copy[key], rest, given);
  return copy;
}
/** An entry that differs from the others, each of its texts longer by so much; a word of a list of names stays. */
function entry(value: unknown, index: number, more: number): unknown {
  if (typeof value === 'number') return index + 1;
  if (typeof value === 'string')
    return /^(call|program|user|member|manager|seat|de)$/.test(value)
      ? value
      : `${value}${index}${' word'.repeat(Math.ceil(more / 5)).slice(0, more)}`;
  if (Array.isArray(value)) return value.map((one, place) => entry(one, place, more));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      typeof one === 'number' && !/id$/i.test(key) ? one : entry(one, index, more),
    ]),
  );
}

const WITH_LISTS = ROUTES.flatMap(({ name }) =>
  listsOf(validBodies({ courseId: 1, lessonId: 1 })[name]).map((way) => [name, way] as const),
);

it.each(WITH_LISTS)(
  '%s takes its largest list %j without a large answer or much work',
  { timeout: 120_000 },
  async (name, way) => {
    const body = validBodies({ courseId: Number(own.courseId), lessonId: Number(own.lessonId) })[name]!;
    const [first] = at(body, way) as unknown[];
    const isOfLesson = /^\w+ \/api\/(?:admin\/)?(?:lessons|lesson-questions)\//.test(name);
    const params = isOfLesson ? { ...own, id: own.lessonId! } : own;
    for (const more of [0, 100, 400, 900, 3900]) {
      for (const count of [20_000, 1_000, 200, 100, 50, 20, 8, 3]) {
        if (count * JSON.stringify(entry(first, count, more)).length > BODY_MAX) continue;
        const list = Array.from({ length: count }, (_, index) => entry(first, index, more));
        const sent = withValue(body, way, list);
        const what = `${name} ${way.join('.')}: ${count} longer by ${more}`;
        const { status } = await ask(name, sent, params, isForTeam(name) ? as : learner, what);
        if (status < 300) break;
      }
    }
  },
);

const fill = (part: string, length: number) => part.repeat(Math.ceil(length / part.length)).slice(0, length);
const MANY = { question: 30, option: 1, explanation: 20 };
const LARGE = { question: 3990, option: 990, explanation: 3990 };
/** Questions of what costs most, plain and formatted. */
const KINDS: [string, string, typeof MANY, object][] = [
  ['many small plain', 'word ', MANY, {}],
  ['large plain', '<"&\' ', LARGE, {}],
  ['many small formatted', '*a* ', MANY, { format: 'markdown' }],
  ...(['$x$ ', '[', '![', 'http://a.b ', '- x\n', '<"&\' ', '`` ` '] as const).map(
    (part): [string, string, typeof MANY, object] => [
      `large formatted ${part.trim()}`,
      part,
      LARGE,
      { format: 'markdown' },
    ],
  ),
];
const questionsOf = (
  part: string,
  { question, option, explanation }: typeof MANY,
  extra: object,
  count: number,
  from = 0,
) =>
  Array.from({ length: count }, (_, index) => ({
    ...extra,
    question: `Question ${from + index} ${fill(part, question - 15)}x`,
    options: Array.from({ length: 8 }, (_, place) => `${place} ${fill(part, option)}x`),
    correctAnswer: 0,
    explanation: `${fill(part, explanation - 1)}x`,
  }));

describe.each(KINDS)('a quiz of %s questions', (kind, part, lengths, extra) => {
  it('as large as it can be is saved, read and exported within the bounds', {
    timeout: 240_000,
  }, async () => {
    const course = await makeCourse();
    const quiz = await makeLesson(course.id, {
      ...{ type: 'quiz', title: 'Large', isPreview: true },
      quizSettings: { shuffleQuestions: true, shuffleOptions: true },
    });
    await makeEnrollment(learnerId, course.id);
    const params = { ...own, id: String(course.id) };
    const add = (count: number, from: number) =>
      ask(
        'POST /api/admin/courses/[id]/questions',
        {
          target: { lessonId: quiz.id },
          questions: questionsOf(part, lengths, extra, count, from),
        },
        params,
        as,
        `${kind}: ${count} added to ${from}`,
      );
    // Half as many each time they are refused, until one is.
    let [step, held] = [1000, 0];
    const refusals: string[] = [];
    while (step >= 1) {
      const questions = questionsOf(part, lengths, extra, step, held);
      const answer = JSON.stringify(questions).length > BODY_MAX ? null : await add(step, held);
      if (answer && answer.status < 300) held += step;
      else {
        if (answer) refusals.push(answer.body.message);
        step = Math.floor(step / 2);
      }
    }
    expect(refusals.at(-1)).toMatch(
      /^(The questions of “Large” up to|Question \d+ of “Large” alone|The quiz has 1000|A quiz)/,
    );
    // Learners have the course as it is; what was added waits beside it.
    const [written] = await db().select().from(lessons).where(eq(lessons.draftOf, quiz.id));
    const lessonId = written?.id ?? quiz.id;
    await db()
      .update(quizQuestions)
      .set({ lessonId: quiz.id, draftOf: null })
      .where(eq(quizQuestions.lessonId, lessonId));
    const rows = await db().select().from(quizQuestions).where(eq(quizQuestions.lessonId, quiz.id));
    expect(rows).toHaveLength(held);
    const ofQuiz = { ...own, id: String(quiz.id) };
    const read = (what: string) =>
      ask('GET /api/lessons/[id]/quiz', null, ofQuiz, learner, `${kind}: ${what}`, READ_MAX_MS);
    const first = await read('read');
    if (held > 0) {
      const answers = Object.fromEntries(rows.map(({ id, options }) => [id, options[0]!]));
      const marked = await ask(
        'POST /api/lessons/[id]/quiz',
        { answers },
        ofQuiz,
        learner,
        `${kind}: handed in`,
      );
      expect([first.body.questions.length, marked.status], marked.text.slice(0, 200)).toEqual([held, 200]);
      await read('read with its result');
    }
    for (const [what, model] of [
      ['course page', () => findCoursePage(course.id, null)],
      ['bank', () => findQuestionBank(course.id, { search: '', tag: '', kind: '', lessonId: null, page: 1 })],
    ] as const) {
      await measure(`${kind}: ${what}`, READ_MAX_MS, async () => JSON.stringify(await model()));
    }
    await ask('GET /api/courses/[id]', null, params, as, `${kind}: course`, READ_MAX_MS);
    const unsaved = questionsOf(part, lengths, extra, lengths === MANY ? 1000 : 55);
    for (const format of EXPORT_FORMATS) {
      await ask(
        'POST /api/admin/questions/export',
        { format, questions: unsaved },
        own,
        as,
        `${kind}: export of a form as ${format}`,
      );
      const questionIds = rows.map(({ id }) => id);
      await ask(
        'POST /api/admin/courses/[id]/questions/export',
        { format, questionIds },
        params,
        as,
        `${kind}: export as ${format}`,
      );
    }
  });
});
