import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { eq, inArray } from 'drizzle-orm';
import postgres from 'postgres';
import { parse } from 'yaml';
import { closeDatabase, connectDatabase, db } from '#db/client.ts';
import { makeUser } from '../support/factories.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { scenarios } from '#db/schema/scenario.ts';
import { openSession } from '#src/features/account/session.server.ts';
import { checkScenario, MAX_STATES } from '#src/features/scenario/check.ts';
import { Engine } from '#src/features/scenario/engine.ts';
import { unseenList } from '../scenarios/unseen-list.ts';
import { scenarioDefinition } from '#src/features/scenario/scenario.ts';
import { wordNet } from '#src/features/scenario/words/wordnet.server.ts';
import {
  buildSite,
  databaseOf,
  freePort,
  type RunningSite,
  startSite,
  temporaryFolder,
} from '../support/site.ts';
import { percentile, processorTime } from './measures.ts';
import { report } from './results.ts';

// Prints figures; asserts none. Actions over HTTP against a built site with the scenarios of the demo, and the check of
// scenarios as large as they get.
const LEARNERS = 12;
/** Of each learner; fewer than the limit for a minute. */
const ACTIONS = 40;
const COMMITS = 100;
const CHECKS = 5;
const LARGEST = 'db/seed/courses/security-and-data-simulations/scenarios/parcel-phishing.yaml';
const TEXTS = [
  'kubectl logs deployment/checkout',
  'look at the dashboards',
  'sing a song',
  'wait a few minutes',
  'df -h',
  "don't restart the database",
  'tell the team in the incident channel',
  'restart the checkout pods',
];

/** Strangers' texts, in the scenario that they were typed for. */
const UNSEEN = 'tests/scenarios/unseen';
const LONGEST_TEXT = 5000;

type Figure = { what: string; value: string; ratio: string; aim: string };
const figures: Figure[] = [];

function note(what: string, value: string, ratio = '', aim = ''): void {
  figures.push({ what, value, ratio, aim });
  console.log(`${what}: ${value} ${ratio && `(${ratio})`} ${aim && `aim ${aim}`}`);
}

/** What a commit costs on this disk: the statement alone, after one row was written. */
async function commitTimes(url: string): Promise<number[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const took: number[] = [];
  await sql`create table bench_commits (n int)`;
  const connection = await sql.reserve();
  for (let n = 0; n < COMMITS; n += 1) {
    await connection`begin`;
    await connection`insert into bench_commits values (${n})`;
    const began = performance.now();
    await connection`commit`;
    took.push(performance.now() - began);
  }
  connection.release();
  await sql.end();
  return took;
}

async function measureActions(site: RunningSite, databaseUrl: string): Promise<void> {
  const [scenario] = await db()
    .select({ id: scenarios.id, lessonId: scenarios.lessonId })
    .from(scenarios)
    .innerJoin(lessons, eq(lessons.id, scenarios.lessonId))
    .innerJoin(courses, eq(courses.id, lessons.courseId))
    .where(inArray(scenarios.title, ['Checkout is down on a Friday evening']));
  const post = (path: string, token: string, body: unknown) =>
    fetch(`${site.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
  const took: number[] = [];
  const statuses = new Map<number, number>();
  let usedBefore = 0;
  for (let learner = 0; learner < LEARNERS; learner += 1) {
    if (learner === 1) usedBefore = await processorTime(site.process.pid!);
    const { id } = await makeUser();
    const { token } = await openSession(id, null);
    await (await post(`/api/scenarios/${scenario!.id}/start`, token, {})).text();
    for (let index = 0; index < ACTIONS; index += 1) {
      const began = performance.now();
      const answer = await post('/api/execute-scenario-action', token, {
        scenarioId: scenario!.id,
        action: TEXTS[index % TEXTS.length],
      });
      await answer.text();
      // The first learner warms the site up.
      if (learner > 0) took.push(performance.now() - began);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    }
  }
  const used = (await processorTime(site.process.pid!)) - usedBefore;
  const pings: number[] = [];
  for (let index = 0; index < 200; index += 1) {
    const began = performance.now();
    await (await fetch(`${site.url}/healthz`)).text();
    pings.push(performance.now() - began);
  }
  const commit = percentile(await commitTimes(databaseUrl), 0.5);
  const p95 = percentile(took, 0.95);
  note('reference: a bare request (GET /healthz) p95', `${percentile(pings, 0.95).toFixed(1)} ms`);
  note('reference: a commit, median', `${commit.toFixed(1)} ms`);
  note(
    `an action end to end, ${took.length} of them, p50 / p95`,
    `${percentile(took, 0.5).toFixed(1)} / ${p95.toFixed(1)} ms (${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')})`,
    `${(p95 / percentile(pings, 0.95)).toFixed(1)} × a bare request`,
  );
  note('… processor time of the site for each', `${(used / took.length).toFixed(1)} ms`);
  note('… p95 without the commit', `${(p95 - commit).toFixed(1)} ms`, '', '≤ 20 ms');
}

/** Fifty rules: chains of steps that can be mixed in any order, and actions that only inform. */
function chains(count: number, rulesInAll: number) {
  const length = Math.floor((rulesInAll - 1) / count);
  const names = Array.from({ length: count }, (_, index) => `chain${'abcdefgh'[index]}`);
  const digits = (number: number) => [...String(number)].map((digit) => 'qwertzuiop'[Number(digit)]).join('');
  const looks = Array.from({ length: rulesInAll - count * length }, (_, index) => ({
    id: `look-${index}`,
    title: `Look around ${index}`,
    phrases: [`look around room ${digits(index)}yy`],
    feedback: 'There is a lot to see.',
  }));
  return {
    title: 'Fifty rules',
    description: 'As large as an author is likely to write.',
    type: 'others',
    timeLimit: 60,
    state: Object.fromEntries(names.map((name) => [name, 0])),
    panels: [{ title: 'All', facts: names.map((name) => ({ label: name, value: { var: name } })) }],
    goals: names.map((name) => ({
      id: name,
      title: name,
      weight: 10,
      when: { '==': [{ var: name }, length] },
    })),
    rules: [
      ...looks,
      ...names.flatMap((name) =>
        Array.from({ length }, (_, step) => ({
          id: `${name}-${step}`,
          title: `${name} ${step}`,
          phrases: [`work on ${name} part ${digits(step)}xx`],
          when: { '==': [{ var: name }, step] },
          effects: [{ op: 'replace', path: `/${name}`, value: step + 1 }],
          feedback: 'One step further.',
        })),
      ),
    ],
  };
}

const readDemo = async (path: string): Promise<{ rules: unknown[] }> => parse(await readFile(path, 'utf8'));

async function measureChecks(): Promise<void> {
  const document = JSON.stringify(chains(3, 50));
  const began = performance.now();
  for (let index = 0; index < 2_000; index += 1) JSON.parse(document);
  const reference = performance.now() - began;
  note('reference: the same 50 rules parsed from JSON 2,000 times', `${reference.toFixed(0)} ms`);
  for (const [what, scenario] of [
    ['3 chains of 16', chains(3, 50)],
    ['7 chains of 7: more than can be looked at', chains(7, 50)],
    ['parcel-phishing, the largest of the demo', await readDemo(LARGEST)],
  ] as const) {
    const took: number[] = [];
    let report = checkScenario(scenario);
    for (let index = 0; index < CHECKS; index += 1) {
      const before = process.cpuUsage();
      report = checkScenario(scenario);
      const { user, system } = process.cpuUsage(before);
      took.push((user + system) / 1000);
    }
    const errors = report.findings.filter(({ level }) => level === 'error');
    note(
      `check of ${scenario.rules.length} rules, ${what}`,
      `${percentile(took, 0.5).toFixed(0)} ms of processor time, ${report.states} of at most ${MAX_STATES} situations, ${errors.length} errors`,
      `${(percentile(took, 0.5) / reference).toFixed(1)} × the reference`,
      '≤ 2000 ms',
    );
    for (const { code, message } of errors.slice(0, 1)) console.log(`  ${code}: ${message}`);
  }
}

await measureChecks();
const port = await freePort();
const buildDir = process.env.BUILD_DIR ?? 'dist-bench';
await buildSite(buildDir, { BENCH_PAGES: '1' });
const dataDir = await temporaryFolder('academy-bench-');
let site: RunningSite | undefined;
try {
  site = await startSite({ buildDir, port, dataDir });
  const url = await databaseOf(dataDir);
  connectDatabase(url, { max: 4 });
  await measureActions(site, url);
  await closeDatabase();
} finally {
  await site?.stop();
  await rm(dataDir, { recursive: true, force: true });
}
for (const [what, times, aim] of await understandingTimes())
  note(
    what,
    `p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms`,
    '',
    aim,
  );

const rows = figures.map(({ what, value, ratio, aim }) => `| ${what} | ${value} | ${ratio} | ${aim} |`);
await report('scenario', ['| measured | value | ratio | aim |', '|---|---|---|---|', ...rows].join('\n'));

/** Milliseconds for each text to be understood and acted upon, without server and database; and for the longest that there may be. */
async function understandingTimes(): Promise<[what: string, times: number[], aim: string][]> {
  const times: number[] = [];
  const longest: number[] = [];
  for (const name of await readdir(UNSEEN)) {
    const { scenario: place, texts } = unseenList.parse(parse(await readFile(join(UNSEEN, name), 'utf8')));
    const [course, scenario] = place.split('/');
    const file = join('db/seed/courses', course!, 'scenarios', `${scenario}.yaml`);
    const engine = new Engine(scenarioDefinition.parse(parse(await readFile(file, 'utf8'))), wordNet);
    const took = (text: string) => {
      const began = performance.now();
      engine.act(engine.begin(), text);
      return performance.now() - began;
    };
    for (const { text } of texts) took(text);
    for (const { text } of texts) times.push(took(text));
    const all = texts.map(({ text }) => text).join(' ');
    longest.push(took(all.slice(0, LONGEST_TEXT)));
  }
  return [
    [`an action understood, ${times.length} texts of strangers`, times, 'p95 ≤ 10 ms'],
    [`… of ${LONGEST_TEXT} characters`, longest, ''],
  ];
}
