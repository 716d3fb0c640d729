import { readFileSync } from 'node:fs';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { db } from '#db/client.ts';
import {
  makeAdmin,
  makeCategories,
  makeCourse,
  makeEnrollment,
  makeLesson,
  makeUser,
} from '../../support/factories.ts';
import { scenarioProgress, scenarios } from '#db/schema/scenario.ts';
import { changeLesson } from '#src/features/lessons/lesson-store.server.ts';
import { checkInThread } from '#src/features/scenario/check.server.ts';
import { scenarioDefinition } from '#src/features/scenario/scenario.ts';
import * as checkRoute from '#src/pages/api/admin/scenario-check.ts';
import * as actionRoute from '#src/pages/api/execute-scenario-action.ts';
import * as scenarioRoute from '#src/pages/api/scenarios/[id].ts';
import * as runRoute from '#src/pages/api/scenarios/[id]/runs/[runId].ts';
import * as startRoute from '#src/pages/api/scenarios/[id]/start.ts';
import { callRoute, type CallOptions, signIn } from '../../support/api.ts';

const DEMO = readFileSync(
  'db/seed/courses/incident-response-simulations/scenarios/checkout-outage.yaml',
  'utf8',
);
const demo = () => parse(DEMO);

let admin: Awaited<ReturnType<typeof makeAdmin>>;
beforeAll(async () => {
  await makeCategories();
  admin = await makeAdmin();
});

const check = async (body: unknown, more: CallOptions = {}) =>
  callRoute(checkRoute.POST, { method: 'POST', as: await signIn(admin), body, ...more });

/** More situations than can be looked at: each rule sets one of many switches, and a goal reads them all. */
function manySituations(switches: number) {
  const names = Array.from({ length: switches }, (_, index) => `s${index}`);
  return {
    title: 'Switches',
    description: 'Many.',
    type: 'others',
    timeLimit: 60,
    state: Object.fromEntries(names.map((name) => [name, 0])),
    panels: [{ title: 'All', facts: [{ label: 'One', value: { var: 's0' } }] }],
    goals: [
      {
        id: 'all',
        title: 'All',
        weight: 1,
        when: { and: names.map((name) => ({ '>': [{ var: name }, 1e6] })) },
      },
    ],
    rules: names.map((name) => ({
      id: name,
      title: name,
      phrases: [`press ${name}`],
      effects: [{ op: 'replace', path: `/${name}`, value: { logic: { '+': [{ var: name }, 1] } } }],
      feedback: 'Pressed.',
    })),
  };
}

describe('the check of a scenario that is not saved', () => {
  it('proves a sound one, and stores nothing', async () => {
    const before = await db().$count(scenarios);
    const { status, body } = await check({ definition: demo() });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      publishable: true,
      findings: [],
      moreFindings: 0,
      bestScore: 100,
      minutes: 16,
    });
    expect(body.solution).toHaveLength(5);
    expect(await db().$count(scenarios)).toBe(before);
  });

  it('names what stands against publishing, by rule, goal and field', async () => {
    const broken = demo();
    broken.goals.push({
      id: 'paid',
      title: 'Paid',
      weight: 5,
      required: false,
      when: { var: 'checkout.paid' },
    });
    broken.rules.push({ ...broken.rules[0], id: 'again', title: 'Read the logs again' });
    const { body } = await check({ definition: broken });
    expect(body.publishable).toBe(false);
    const found = body.findings.map(({ code, at }: { code: string; at: string }) => `${code} ${at}`);
    expect(found).toContain('unknown-place goals.paid');
    expect(found).toContain('unreachable-goal goals.paid');
    expect(found).toContain('ambiguous rules.read-checkout-logs');
    const wrong = demo();
    wrong.rules[3].effects[0].path = '/disc/used';
    expect((await check({ definition: wrong })).body.findings).toEqual([
      expect.objectContaining({ code: 'invalid', at: 'rules.3.effects.0.path', level: 'error' }),
    ]);
  });

  it('tells at most 100 findings, and how many more there are', async () => {
    const wrong = demo();
    for (const rule of wrong.rules) rule.phrases = Array.from({ length: 40 }, () => '');
    const { body } = await check({ definition: wrong });
    expect(body.findings).toHaveLength(100);
    expect(body.moreFindings).toBe(wrong.rules.length * 40 - 100);
  });

  it.each([
    ['nothing', {}, 400],
    ['a definition that is missing', { definition: undefined }, 400],
    ['more than 1 MB', JSON.stringify({ definition: { title: 'x'.repeat(1_100_000) } }), 413],
    ['broken JSON', '{"definition":', 400],
    ['a key for prototypes', '{"definition":{"__proto__":{"a":1}}}', 400],
    ['a nesting without end', `{"definition":${'['.repeat(5000)}${']'.repeat(5000)}}`, 400],
  ])('refuses %s', async (_, body, status) => {
    const answer = await check(body, { headers: { 'content-type': 'application/json' } });
    expect(answer.status).toBe(status);
    expect(answer.body.message).toEqual(expect.any(String));
  });

  it('answers what is no scenario, NUL and markup with findings', async () => {
    for (const definition of [null, 'text', { rules: {} }]) {
      const { status, body } = await check({ definition });
      expect(status).toBe(200);
      expect(body.publishable).toBe(false);
      expect(body.findings[0].message).toEqual(expect.any(String));
    }
    const { body } = await check({ definition: { ...demo(), title: 'A\0B' } });
    expect(body.findings).toEqual([expect.objectContaining({ code: 'invalid', at: 'title' })]);
    const markup = { ...demo(), title: '<script>alert(1)</script>' };
    expect((await check({ definition: markup })).body.publishable).toBe(true);
  });

  it('is bounded where there are too many situations, and the site answers meanwhile', async () => {
    let done = false;
    const long = check({ definition: manySituations(60) }).then((answer) => {
      done = true;
      return answer;
    });
    const others = await Promise.all(
      [1, 2, 3].map(() => callRoute(checkRoute.POST, { method: 'POST', body: {} })),
    );
    expect(others.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(done).toBe(false);
    const { body } = await long;
    expect(body.publishable).toBe(false);
    expect(body.findings.map(({ code }: { code: string }) => code)).toContain('too-large');
    expect(body.findings.find(({ code }: { code: string }) => code === 'too-large').message).toMatch(
      /Let fewer rules/,
    );
  });

  it('is stopped after its time, and says so', async () => {
    const report = await checkInThread(manySituations(100), { seconds: 0.2 });
    expect(report.findings).toEqual([
      {
        level: 'error',
        code: 'too-large',
        at: 'rules',
        message: expect.stringMatching(
          /^The check was stopped after 0.2 seconds without a result\. Let fewer/,
        ),
      },
    ]);
    expect(report.solution).toBeNull();
  });

  it('takes turns, refuses when too many wait, and gives up what nobody waits for', async () => {
    const gone = new AbortController();
    const waiting = Array.from({ length: 20 }, () =>
      checkInThread(manySituations(100), { signal: gone.signal, seconds: 30 }),
    );
    const refused = await Promise.race(waiting.toReversed()).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'unavailable', retryAfterSeconds: 3 });
    gone.abort();
    const ends = await Promise.allSettled(waiting);
    expect(ends.every(({ status }) => status === 'rejected')).toBe(true);
    expect((await checkInThread(demo())).bestScore).toBe(100);
  });

  it('is limited for each administrator', async () => {
    const eager = await makeAdmin();
    const as = await signIn(eager);
    const answers = [];
    for (let count = 0; count < 41; count += 1) answers.push(await check({}, { as }));
    expect(answers.slice(0, 40).every(({ status }) => status === 400)).toBe(true);
    expect(answers[40]!.status).toBe(429);
    expect(Number(answers[40]!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await check({})).status).toBe(400);
  });
});

describe('a scenario that is edited', () => {
  it('leaves a run under way, its replay and its score as they were; the next run has the new one', async () => {
    const course = await makeCourse({ createdBy: admin.id });
    const lesson = await makeLesson(course.id, { type: 'scenario', points: 40 });
    const user = await makeUser();
    await makeEnrollment(user.id, course.id);
    const as = await signIn(user);
    const old = scenarioDefinition.parse(demo());
    const write = (scenario: typeof old) =>
      db().transaction((tx) =>
        changeLesson(tx, lesson.id, { title: lesson.title, type: 'scenario', scenario }, null),
      );
    await write(old);
    const [row] = await db().select().from(scenarios).where(eq(scenarios.lessonId, lesson.id));
    const scenarioId = row!.id;
    const params = { id: String(scenarioId) };
    const start = () => callRoute(startRoute.POST, { params, method: 'POST', as, body: {} });
    const act = (action: string) =>
      callRoute(actionRoute.POST, { method: 'POST', as, body: { scenarioId, action } });

    const begun = await start();
    await act('git diff 4.11 4.12');
    const edited = structuredClone(old);
    edited.title = 'Another evening';
    edited.goals = edited.goals.slice(0, 1);
    edited.rules = edited.rules.filter(({ id }) => id !== 'rotate-logs');
    edited.rules[0]!.feedback = 'Other logs.';
    await write(edited);
    await write(edited);
    const [changed] = await db().select().from(scenarios).where(eq(scenarios.id, scenarioId));
    expect(changed).toMatchObject({ version: row!.version + 1, title: 'Another evening' });

    const seen = await callRoute(scenarioRoute.GET, { params, as });
    expect(seen.body).toMatchObject({ title: 'Another evening' });
    expect(seen.body.goals).toHaveLength(1);
    expect(seen.body.run.goals).toHaveLength(4);
    expect((await act('kubectl logs checkout')).body.feedback).not.toBe('Other logs.');
    await act('roll back the release');
    expect((await act('rotate the logs of the database')).body).toMatchObject({ acted: true });
    await act('post an update on the status page');
    const last = await act('tell the team in the incident channel');
    expect(last.body).toMatchObject({ completed: true, score: 100 });
    const replay = await callRoute(runRoute.GET, {
      params: { ...params, runId: String(begun.body.runId) },
      as,
    });
    expect(replay.body.steps.at(-1)).toMatchObject({ score: 100 });
    // The best way of the new version is none of the old one's.
    expect(replay.body.best).toBeNull();

    const next = await start();
    expect(next.body.goals).toHaveLength(1);
    expect((await act('kubectl logs checkout')).body.feedback).toBe('Other logs.');
    const [run] = await db().select().from(scenarioProgress).where(eq(scenarioProgress.id, next.body.runId));
    expect(run!.definition).toMatchObject({ title: 'Another evening' });
  });
});
