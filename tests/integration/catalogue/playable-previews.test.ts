import { readFileSync } from 'node:fs';
import { eq, sql } from 'drizzle-orm';
import { parse } from 'yaml';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { db } from '#db/client.ts';
import { makeCategories, makeCourse, makeLesson, makeUser } from '../../support/factories.ts';
import { courses } from '#db/schema/catalogue.ts';
import { scenarios } from '#db/schema/scenario.ts';
import { PREVIEW_ACTIONS_MAX } from '#src/features/scenario/limits.ts';
import * as judgeClient from '#src/judge/client.ts';
import { JudgeUnavailable } from '#src/judge/protocol.ts';
import { POST as runCode } from '#src/pages/api/lessons/[id]/code-preview.ts';
import { POST as playScenario } from '#src/pages/api/scenarios/[id]/preview.ts';
import { callRoute, signIn } from '../../support/api.ts';

// The judge is the real one; single tests replace it, to be asked without being waited for.
vi.mock('#src/judge/client.ts', { spy: true });
const judge = vi.mocked(judgeClient.judge);
beforeEach(() => void judge.mockReset());
afterAll(() => judgeClient.stopJudge());
beforeAll(() => makeCategories());

const definition = parse(
  readFileSync('db/seed/courses/incident-response-simulations/scenarios/checkout-outage.yaml', 'utf8'),
);
const RIGHT = 'const double = (n) => n * 2;';
const WRONG = 'const double = (n) => n + 2;';

let calls = 0;
type Options = Parameters<typeof callRoute>[1];
/** Each call from an address of its own: the limits have their own tests. */
function called(route: typeof runCode, id: unknown, body: unknown, options: Options) {
  calls += 1;
  const ip = `198.51.100.${calls % 240}`;
  return callRoute(route, { method: 'POST', params: { id: String(id) }, body, ip, ...options });
}
const run = (id: unknown, code: unknown, options: Options = {}) =>
  called(runCode, id, { code, language: 'javascript' }, options);
const play = (id: unknown, actions: unknown, options: Options = {}) =>
  called(playScenario, id, { actions }, options);

const expectedMistakes = [{ say: 'Twice, not `+ 2`.', code: 'n+2', program: WRONG }];

async function makeCoding(isPreview = true) {
  const course = await makeCourse();
  const lesson = await makeLesson(course.id, {
    type: 'interactive_coding',
    codingLanguage: 'javascript',
    solution: `${RIGHT} // the reference`,
    testCases: [
      { input: 'double(4)', expectedOutput: '8', description: 'Doubles' },
      { input: 'double(-21)', expectedOutput: '-42', description: 'Below zero', hidden: true },
    ],
    expectedMistakes,
    isPreview,
  });
  return { course, id: lesson.id };
}

async function makeScenario(isPreview = true) {
  const course = await makeCourse();
  const lesson = await makeLesson(course.id, { type: 'scenario', isPreview });
  const { title, description, type, state, goals, resources, timeLimit, difficulty } = definition;
  const [row] = await db()
    .insert(scenarios)
    .values({
      lessonId: lesson.id,
      title,
      description,
      scenarioType: type,
      initialState: state,
      goals,
      resources,
      definition,
      timeLimit,
      difficulty,
    })
    .returning();
  return { course, id: row!.id };
}

/** How many rows each table has; what is counted for limits aside. */
async function rows(): Promise<Record<string, number>> {
  const tables = await db().execute<{ name: string; rows: string }>(sql`
    select table_name as name, (xpath('/row/c/text()', query_to_xml(
      format('select count(*) as c from %I.%I', table_schema, table_name), false, true, '')))[1]::text as rows
    from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema = 'public' and table_name not like '%rate%'`);
  return Object.fromEntries(tables.map(({ name, rows: count }) => [name, Number(count)]));
}

describe('a coding lesson that anyone may preview', () => {
  it('is judged for a visitor without its hidden tests, and nothing of it is kept', async () => {
    const { id } = await makeCoding();
    const before = await rows();
    const right = await run(id, RIGHT);
    expect(right.status).toBe(200);
    expect(right.body).toMatchObject({ isCorrect: true, verdict: 'pass', said: null });
    const wrong = await run(id, WRONG);
    expect(wrong.body).toMatchObject({
      isCorrect: false,
      verdict: 'wrong_answer',
      said: 'Twice, not `+ 2`.',
    });
    expect(wrong.body.tests).toMatchObject([
      { passed: false, input: 'double(4)', expectedOutput: '8', got: '6' },
      { passed: false, description: 'Below zero', hidden: true },
    ]);
    expect(wrong.text).not.toMatch(/-21|-42|-19|the reference/);
    expect(wrong.body).not.toHaveProperty('submissionId');
    expect(await rows()).toEqual(before);
    const as = await signIn(await makeUser());
    const signedIn = await rows();
    expect((await run(id, RIGHT, { as })).status).toBe(200);
    expect(await rows()).toEqual(signedIn);
  });

  it('is a coding lesson, a preview, and of a course on sale', async () => {
    const open = await makeCoding();
    const closed = await makeCoding(false);
    const text = await makeLesson(open.course.id, { isPreview: true });
    expect((await run(closed.id, RIGHT)).status).toBe(404);
    expect((await run(999_999_999, RIGHT)).status).toBe(404);
    expect((await run(text.id, RIGHT)).status).toBe(400);
    await db().update(courses).set({ isActive: false }).where(eq(courses.id, open.course.id));
    expect((await run(open.id, RIGHT)).status).toBe(404);
    expect(judge).not.toHaveBeenCalled();
  });

  it('refuses what is no program', async () => {
    const { id } = await makeCoding();
    for (const code of [undefined, null, 7, ['x'], '', ' \n', 'x'.repeat(65_537), '\u00e4'.repeat(40_000)]) {
      expect((await run(id, code)).status).toBe(400);
    }
    expect((await called(runCode, id, { code: RIGHT, language: 'python' }, {})).status).toBe(400);
    expect((await called(runCode, id, { code: RIGHT }, {})).status).toBe(400);
    expect((await run('x', RIGHT)).status).toBe(404);
    expect(judge).not.toHaveBeenCalled();
  });

  it('asks the judge as a visitor, and says when the judge has no place for one', async () => {
    const { id } = await makeCoding();
    judge.mockClear();
    judge.mockRejectedValueOnce(
      new JudgeUnavailable('busy', 'Too many programs are waiting to be checked.', 5),
    );
    const refused = await run(id, RIGHT);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(judge.mock.calls[0]![0]).toMatchObject({ isVisitor: true });
    expect((await run(id, RIGHT)).status).toBe(200);
  });

  it('may be run so often from one address', async () => {
    const { id } = await makeCoding(false);
    const statuses = [];
    for (let time = 0; time < 241; time += 1) {
      statuses.push((await run(id, RIGHT, { ip: '198.51.100.250' })).status);
    }
    expect(statuses.slice(0, 240).every((status) => status === 404)).toBe(true);
    expect(statuses[240]).toBe(429);
  });
});

describe('a scenario that anyone may preview', () => {
  const GOOD_RUN = [
    'kubectl logs deployment/checkout',
    'git diff 4.11 4.12',
    'roll back the release',
    'rotate the logs of the database',
    'post an update on the status page',
    'tell the team in the incident channel',
  ];

  it('is played by a visitor to its end and score, and nothing of it is kept', async () => {
    const { id } = await makeScenario();
    const before = await rows();
    const begun = await play(id, []);
    expect(begun.status).toBe(200);
    expect(begun.body).toMatchObject({ kind: null, completed: false, asked: [], step: { position: 0 } });
    const lost = await play(id, ['sing a song']);
    expect(lost.body).toMatchObject({ kind: 'unknown', completed: false, step: { understoodAs: null } });
    expect(lost.body.step.feedback).not.toBe('');
    const first = await play(id, GOOD_RUN.slice(0, 1));
    expect(first.body).toMatchObject({ kind: 'done', step: { position: 1, action: GOOD_RUN[0] } });
    const end = await play(id, GOOD_RUN);
    expect(end.body.completed).toBe(true);
    expect(end.body.step.score).toBeGreaterThanOrEqual(70);
    expect(end.text).not.toMatch(/"(?:rules|when|effects|solution|definition)"/);
    expect((await play(id, [...GOOD_RUN, 'look at the logs'])).status).toBe(409);
    expect(await rows()).toEqual(before);
  });

  it('ends after so many actions', async () => {
    const { id } = await makeScenario();
    const idle = Array.from({ length: PREVIEW_ACTIONS_MAX }, () => 'sing a song');
    expect((await play(id, idle.slice(1))).body.completed).toBe(false);
    expect((await play(id, idle)).body.completed).toBe(true);
  });

  it('is one of a preview of a course on sale', async () => {
    const open = await makeScenario();
    const closed = await makeScenario(false);
    expect((await play(closed.id, [])).status).toBe(404);
    expect((await play(999_999_999, [])).status).toBe(404);
    await db().update(courses).set({ isActive: false }).where(eq(courses.id, open.course.id));
    expect((await play(open.id, [])).status).toBe(404);
  });

  it('refuses what are no actions', async () => {
    const { id } = await makeScenario();
    const many = Array.from({ length: PREVIEW_ACTIONS_MAX + 1 }, () => 'look');
    for (const actions of [undefined, null, 'look', [''], [' '], [7], ['x'.repeat(501)], many]) {
      expect((await play(id, actions)).status).toBe(400);
    }
    expect((await play('x', [])).status).toBe(404);
  });

  it('may be played so often from one address', async () => {
    const statuses = [];
    for (let time = 0; time < 121; time += 1) {
      statuses.push((await play(999_999_999, [], { ip: '198.51.100.251' })).status);
    }
    expect(statuses.slice(0, 120).every((status) => status === 404)).toBe(true);
    expect(statuses[120]).toBe(429);
  });
});
