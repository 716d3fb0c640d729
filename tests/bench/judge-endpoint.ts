import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { closeDatabase, connectDatabase } from '#db/client.ts';
import { makeCourse, makeEnrollment, makeLesson, makeUser } from '../support/factories.ts';
import { openSession } from '#src/features/account/session.server.ts';
import type { Submission } from '#src/judge/protocol.ts';
import { buildSite, databaseOf, freePort, startSite, temporaryFolder } from '../support/site.ts';

const RUNS = 100;
/** Below what one learner may run in a minute. */
const RUNS_OF_LEARNER = 25;
const buildDir = process.env.BUILD_DIR ?? 'dist-bench';

/** `fetch` takes a millisecond of its own for each call, which is not the endpoint's. */
async function post(url: string, token: string, body: unknown): Promise<{ status: number; text: string }> {
  const sent = request(url, {
    agent,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  });
  sent.end(JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, text: await text(response) };
}

const agent = new Agent({ keepAlive: true });

/** Milliseconds of each run, asked of the endpoint and of a judge alone by turns. */
export interface EndpointTimes {
  endpoint: number[];
  judge: number[];
}

/**
 * Builds and starts the site, and has enrolled learners run a program by `POST /api/execute-code`; between two runs the
 * same program goes to `alone`. The site's own judge is another one of the same size. Throws where a run is refused.
 */
export async function endpointTimes(
  { language, code, tests }: Submission,
  alone: () => Promise<unknown>,
): Promise<EndpointTimes> {
  const port = await freePort();
  await buildSite(buildDir, { BENCH_PAGES: '1' });
  const dataDir = await temporaryFolder('academy-bench-');
  const site = await startSite({ buildDir, port, dataDir, env: { SEED_DEMO: 'off' } });
  try {
    const url = await databaseOf(dataDir);
    connectDatabase(url, { max: 2 });
    const course = await makeCourse();
    const lesson = await makeLesson(course.id, {
      type: 'interactive_coding',
      codingLanguage: language,
      starterCode: '',
      expectedOutput: tests[0]!.expectedOutput,
      testCases: tests,
      points: 10,
    });
    const tokens: string[] = [];
    for (let n = 0; n < RUNS / RUNS_OF_LEARNER + 1; n += 1) {
      const user = await makeUser();
      await makeEnrollment(user.id, course.id);
      tokens.push((await openSession(user.id, 'bench')).token);
    }
    const ask = async (token: string) => {
      const run = { lessonId: lesson.id, code, language, timeSpent: 5, hintsUsed: 0 };
      const answer = await post(`http://127.0.0.1:${port}/api/execute-code`, token, run);
      const { verdict } = JSON.parse(answer.text) as { verdict?: string };
      if (verdict !== 'pass') throw new Error(`${answer.status} ${answer.text}`);
    };
    // The first runs start the site's judge and prepare its queries.
    for (let n = 0; n < RUNS_OF_LEARNER; n += 1) await ask(tokens[0]!).then(alone);
    const times: EndpointTimes = { endpoint: [], judge: [] };
    for (let n = 0; n < RUNS; n += 1) {
      for (const [kind, run] of [
        ['endpoint', () => ask(tokens[1 + Math.floor(n / RUNS_OF_LEARNER)]!)],
        ['judge', alone],
      ] as const) {
        const began = performance.now();
        await run();
        times[kind].push(performance.now() - began);
        await wait(20);
      }
    }
    return times;
  } finally {
    agent.destroy();
    await closeDatabase();
    await site.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
