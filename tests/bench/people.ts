import { rm } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeDatabase, connectDatabase } from '#db/client.ts';
import { makeCourse, makeEnrollment, makeLesson, makeUser } from '../support/factories.ts';
import { seedScale } from '../support/seed-scale.ts';
import { openSession, SESSION_COOKIE } from '#src/features/account/session.server.ts';
import {
  buildSite,
  databaseOf,
  freePort,
  type RunningSite,
  startSite,
  temporaryFolder,
} from '../support/site.ts';
import { percentile, processorTime, residentMemory, rowOf } from './measures.ts';
import { report } from './results.ts';
import { PAIRS, searches } from './searches.ts';

// People who use the built site, with its judge, the database and the people on one machine. Each asks, reads the answer,
// thinks and asks again; what a page's browser keeps, such as styles and scripts, is not asked for. Prints figures;
// asserts none.
//
//   npm run bench -- people               500 people, then 1,000, for a minute each
//   npm run bench -- people 200,400 30    so many, for so many seconds each
const SIZES = (process.argv[3] ?? '500,1000').split(',').map(Number);
const SECONDS = Number(process.argv[4] ?? process.env.BENCH_SECONDS ?? 60);
if (![...SIZES, SECONDS].every((number) => Number.isInteger(number) && number > 0)) {
  console.error('Usage: npm run bench -- people [numbers of people, separated by commas] [seconds]');
  process.exit(1);
}
/** Milliseconds, on average; some think for a moment only, and a few for long. */
const THINKS = 5000;
/** Of ten people, those who are signed in. */
const LEARNERS = 7;
const RUNS_CODE = 0.25;
const CATALOGUE = 1000;
const COURSES = 20;
const LESSONS = 12;
const PAGES_AIM = 'p95 ≤ 400 ms';
const CODE_AIM = 'p95 ≤ 600 ms';
const buildDir = process.env.BUILD_DIR ?? 'dist-bench';

/** Programs for one lesson in each language, right and wrong: learners hand in both, as often. */
const PROGRAMS = {
  javascript: {
    right: 'function total(list) {\n  return list.reduce((sum, one) => sum + one, 0);\n}',
    wrong: 'function total(list) {\n  return list.length;\n}',
  },
  python: {
    right: 'def total(list):\n    return sum(list)',
    wrong: 'def total(list):\n    return len(list)',
  },
};
const TESTS = [
  { input: 'total([2, 40])', expectedOutput: '42' },
  { input: 'total([])', expectedOutput: '0' },
  { input: 'total([-1, 1, 7])', expectedOutput: '7' },
];
type Language = keyof typeof PROGRAMS;

interface Course {
  id: number;
  lessons: number[];
  coding: number;
  language: Language;
}
interface Ask {
  kind: 'pages of learners' | 'code of learners' | 'pages of visitors' | 'searches of visitors';
  path: string;
  body?: string;
  /** A word that the answer must have. */
  says?: string;
}
interface Person {
  headers: Record<string, string>;
  next: () => Ask;
}
class Tally {
  took: number[] = [];
  refused = 0;
  errors = new Map<string, number>();
}

const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;

async function makeCourses(): Promise<Course[]> {
  const made: Course[] = [];
  for (let n = 0; n < COURSES; n += 1) {
    const { id } = await makeCourse({ title: `Course ${n} that people are in` });
    const lessons: number[] = [];
    for (let place = 0; place < LESSONS; place += 1) {
      const content = 'A paragraph of text that says something.\n\n'.repeat(40);
      lessons.push((await makeLesson(id, { title: `Lesson ${place}: a step that has a name`, content })).id);
    }
    const language = n % 4 === 0 ? 'python' : 'javascript';
    const coding = await makeLesson(id, {
      ...{ type: 'interactive_coding', codingLanguage: language, starterCode: '' },
      ...{ testCases: TESTS, points: 10 },
    });
    made.push({ id, lessons, coding: coding.id, language });
  }
  return made;
}

async function learner(course: Course, origin: string): Promise<Person> {
  const { id } = await makeUser();
  await makeEnrollment(id, course.id);
  const { cookieSecret } = await openSession(id, 'bench');
  const pages = [
    () => '/dashboard',
    () => '/my-courses',
    () => `/learn/${course.id}?lesson=${any(course.lessons)}`,
    () => `/lesson/${course.coding}`,
  ];
  const run = (): Ask => {
    const isRight = Math.random() < 0.5;
    return {
      kind: 'code of learners',
      path: '/api/execute-code',
      body: JSON.stringify({
        ...{ lessonId: course.coding, language: course.language, timeSpent: 5, hintsUsed: 0 },
        code: PROGRAMS[course.language][isRight ? 'right' : 'wrong'],
      }),
      says: isRight ? '"verdict":"pass"' : '"verdict":"wrong_answer"',
    };
  };
  return {
    headers: { cookie: `${SESSION_COOKIE}=${cookieSecret}`, origin },
    next: () => (Math.random() < RUNS_CODE ? run() : { kind: 'pages of learners', path: any(pages)() }),
  };
}

function visitor(courses: readonly number[]): Person {
  const pages = [() => '/', () => '/courses', () => `/courses/${any(courses)}`, () => '/marketplace'];
  return {
    headers: {},
    next: () =>
      Math.random() < 0.2
        ? { kind: 'searches of visitors', path: any(searches(PAIRS)) }
        : { kind: 'pages of visitors', path: any(pages)() },
  };
}

const agent = new Agent({ keepAlive: true });

/** What came back, read to its end: a status, and its text where a word in it is looked for. */
function ask(port: number, { path, body, says }: Ask, headers: Record<string, string>): Promise<string> {
  return new Promise((done) => {
    const sent = request({
      ...{ agent, host: '127.0.0.1', port, path, method: body ? 'POST' : 'GET' },
      headers: body
        ? { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
        : { ...headers, 'accept-encoding': 'gzip, br' },
    });
    const failed = (error: NodeJS.ErrnoException) => done(error.code ?? error.message);
    sent.on('error', failed).on('response', (answer: IncomingMessage) => {
      const parts: Buffer[] = [];
      answer.on('error', failed).on('data', (part: Buffer) => says && parts.push(part));
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString();
        const isRight = !says || answer.statusCode !== 200 || text.includes(says);
        done(isRight ? String(answer.statusCode) : `a verdict that is not ${says}`);
      });
    });
    sent.end(body);
  });
}

/** Lets people use the site until a moment, and counts what they ask from another one on. */
async function live(port: number, people: Person[], from: number, until: number) {
  const tallies = new Map<Ask['kind'], Tally>();
  const one = async (person: Person, place: number) => {
    // An address of each person's own: limits by address are not what is measured.
    const headers = {
      ...person.headers,
      'x-forwarded-for': `198.${18 + (place >> 16)}.${(place >> 8) & 255}.${place & 255}`,
    };
    for (;;) {
      await sleep(-Math.log(1 - Math.random()) * THINKS);
      const began = performance.now();
      if (began >= until) return;
      const asked = person.next();
      const status = await ask(port, asked, headers);
      if (began < from) continue;
      const tally = tallies.get(asked.kind) ?? new Tally();
      tallies.set(asked.kind, tally);
      if (status === '200') tally.took.push(performance.now() - began);
      else if (status === '503') tally.refused += 1;
      else tally.errors.set(status, (tally.errors.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(people.map(one));
  return tallies;
}

const port = await freePort();
await buildSite(buildDir, { BENCH_PAGES: '1' });
const dataDir = await temporaryFolder('academy-bench-');
const rows: string[] = [];
let site: RunningSite | undefined;
try {
  site = await startSite({ buildDir, port, dataDir, env: { SEED_DEMO: 'off', TRUST_PROXY: '127.0.0.1' } });
  const pid = site.process.pid!;
  connectDatabase(await databaseOf(dataDir), { max: 4 });
  await seedScale(CATALOGUE);
  const courses = await makeCourses();
  const shown = Array.from({ length: CATALOGUE }, (_, index) => index + 1);
  for (const size of SIZES) {
    const people: Person[] = [];
    for (let n = 0; n < size; n += 1) {
      people.push(n % 10 < LEARNERS ? await learner(courses[n % COURSES]!, site.url) : visitor(shown));
    }
    const count = `${size.toLocaleString('en-US')} people`;
    const memory = await residentMemory(pid);
    // As long as most think: by then all have come, and the judge has started.
    const from = performance.now() + 2 * THINKS;
    const delay = monitorEventLoopDelay({ resolution: 5 });
    const cpu = sleep(2 * THINKS).then(() => {
      delay.enable();
      return processorTime(pid);
    });
    const tallies = await live(port, people, from, from + SECONDS * 1000);
    const used = (await processorTime(pid)) - (await cpu);
    delay.disable();
    let all = 0;
    for (const [kind, { took, refused, errors }] of [...tallies].sort(([a], [b]) => a.localeCompare(b))) {
      const failed = [...errors.values()].reduce((sum, one) => sum + one, 0);
      all += took.length + refused + failed;
      const seen = [...errors].map(([status, times]) => `, ${times} × ${status}`).join('');
      rows.push(
        rowOf(
          `${count}: ${kind}`,
          `${took.length} answered, p50 ${percentile(took, 0.5).toFixed(1)} ms, p95 ${percentile(took, 0.95).toFixed(1)} ms, ${refused} refused by 503, ${failed} errors${seen}`,
          '',
          kind.startsWith('code') ? CODE_AIM : PAGES_AIM,
        ),
      );
    }
    rows.push(
      rowOf(`${count}: requests in all`, `${(all / SECONDS).toFixed(0)}/s of ${all}`, '', ''),
      rowOf(`${count}: processor of the site`, `${(used / SECONDS / 10).toFixed(0)} % of one`, '', ''),
      rowOf(`${count}: delay of those who ask`, `p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms`, '', ''),
      rowOf(`${count}: resident memory after`, await residentMemory(pid), `${memory} before`, '≤ 300 MB'),
    );
  }
  await closeDatabase();
} finally {
  agent.destroy();
  await site?.stop();
  await rm(dataDir, { recursive: true, force: true });
}

await report('people', ['| measured | value | ratio | aim |', '|---|---|---|---|', ...rows].join('\n'));
