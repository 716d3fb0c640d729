import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type APIRequestContext, request } from '@playwright/test';
import { currentRelease } from '../../scripts/releases.ts';
import { ENDPOINTS, PAGES } from '../support/routes.ts';
import { databaseOf } from '../support/site.ts';
import { addressOf } from './addresses.ts';
import { ADMIN, STUDENT } from './admin-session.ts';
import { expect, test } from './fixtures.ts';

// What each page and each read of the API asks the database, for who asks: statements before the answer, and how often the
// request waits for one with nothing else on its way. The statement of the session is among them.
type Counts = { statements: number; waits: number };

/** What a request of each role may take; what takes more stands below with its figures. */
const BUDGET: Record<string, Counts> = {
  visitor: { statements: 1, waits: 1 },
  learner: { statements: 2, waits: 2 },
  admin: { statements: 5, waits: 3 },
};

/** Statements and waits of what is above the budget. */
const ABOVE: Record<string, Record<string, [statements: number, waits: number]>> = {};

const WARM = 4;

test('pages and reads of the API stay within their statements', async () => {
  const { folder } = (await currentRelease())!;
  const site: ChildProcess = fork(
    join(import.meta.dirname, '../support/counting-site.ts'),
    [folder, await databaseOf(process.env.SITE_DATA_DIR!)],
    { env: { ...process.env, LOG_LEVEL: 'error', NODE_ENV: 'production' } },
  );
  try {
    const [port] = await Promise.race([
      once(site, 'message'),
      once(site, 'exit').then(() => Promise.reject(new Error('The counting site ended.'))),
    ]);
    const people: Record<string, APIRequestContext> = {};
    for (const [role, who] of Object.entries({ visitor: null, learner: STUDENT, admin: ADMIN })) {
      const baseURL = `http://localhost:${port}`;
      const person = await request.newContext({
        baseURL,
        maxRedirects: 0,
        extraHTTPHeaders: { origin: baseURL },
      });
      const token = who && (await (await person.post('/api/auth/login', { data: who })).json()).token;
      people[role] = !token
        ? person
        : await request.newContext({
            baseURL,
            maxRedirects: 0,
            storageState: await person.storageState(),
            extraHTTPHeaders: { authorization: `Bearer ${token}` },
          });
    }
    const above: typeof ABOVE = {};
    const calls = Object.keys(ENDPOINTS).flatMap((name) => /^GET (\/api\/.*)/.exec(name)?.[1] ?? []);
    for (const route of [...Object.keys(PAGES), ...calls]) {
      for (const [role, person] of Object.entries(people)) {
        const address = route.startsWith('/api/')
          ? route.replaceAll(/\[.*?\]/g, '1')
          : await addressOf(route, person);
        for (let again = 0; again < WARM; again += 1) await person.get(address);
        const answer = await person.get(address);
        const headers = answer.headers();
        // Prerendered, or refused before any page is asked.
        if (headers['x-waits'] === undefined) continue;
        const [statements, waits] = ['x-statement-count', 'x-waits'].map((name) => Number(headers[name]));
        if (process.env.SHOW && RegExp(process.env.SHOW).test(route))
          console.log(
            `${role} ${address} ${answer.status()}: ${statements} statements, ${waits} waits\n${Buffer.from(headers['x-statements']!, 'base64')}`,
          );
        const budget = BUDGET[role]!;
        if (statements! > budget.statements || waits! > budget.waits) {
          above[route] ??= {};
          above[route][role] = [statements!, waits!];
        }
      }
    }
    expect(above).toEqual(ABOVE);
  } finally {
    site.kill();
  }
});
