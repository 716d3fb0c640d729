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
type Counts = [statements: number, waits: number];

/** What a request of each role may take; what takes more stands below with its figures. */
const BUDGET: Record<string, Counts> = {
  visitor: [1, 1],
  learner: [2, 2],
  admin: [5, 3],
};

/** The most statements and waits of what is above the budget, for anybody. */
const ABOVE: Record<string, Counts> = {
  '/account': [10, 3],
  '/admin': [19, 8],
  '/admin/analytics': [13, 5],
  '/admin/audit': [4, 4],
  '/admin/coupons': [6, 5],
  '/admin/courses': [6, 5],
  '/admin/courses/[id]/analytics': [7, 3],
  '/admin/courses/[id]/content': [16, 7],
  '/admin/courses/[id]/content/[lesson]': [8, 5],
  '/admin/courses/[id]/content/[lesson]/stuck': [9, 5],
  '/admin/courses/[id]/content/[lesson]/versions': [8, 5],
  '/admin/courses/[id]/gradebook': [6, 5],
  '/admin/courses/[id]/news': [5, 4],
  '/admin/courses/[id]/publish': [9, 5],
  '/admin/courses/[id]/questions': [8, 6],
  '/admin/courses/[id]/staff': [6, 6],
  '/admin/courses/[id]/stuck': [7, 4],
  '/admin/health': [15, 3],
  '/admin/mail': [6, 4],
  '/admin/messages': [4, 4],
  '/admin/orders': [6, 5],
  '/admin/orders/[id]': [10, 5],
  '/admin/organisations': [5, 4],
  '/admin/questions': [7, 6],
  '/admin/reviews': [4, 4],
  '/admin/searches': [5, 4],
  '/admin/users': [6, 4],
  '/admin/users/[id]': [13, 6],
  '/api/account/export': [43, 43],
  '/api/admin/courses/[id]/publish-check': [7, 4],
  '/api/admin/reconciliation': [8, 8],
  '/api/admin/users/[id]/export': [43, 43],
  '/api/courses/[id]': [6, 3],
  '/api/courses/[id]/reviews': [5, 2],
  '/api/lessons/[id]/assignment': [3, 3],
  '/api/lessons/[id]/comparison': [5, 5],
  '/api/lessons/[id]/questions': [4, 4],
  '/api/lessons/[id]/quiz': [3, 3],
  '/api/lessons/[id]/tables': [3, 3],
  '/api/my-enrollments/[courseId]': [5, 2],
  '/api/recall': [3, 2],
  '/api/scenarios/[id]/runs/[runId]': [5, 5],
  '/bundles/[id]': [4, 2],
  '/buy/[id]': [4, 3],
  '/course/[id]': [6, 2],
  '/courses': [4, 2],
  '/courses/[id]': [5, 2],
  '/courses/[id]/checkout': [5, 4],
  '/dashboard': [3, 2],
  '/learn/[id]': [3, 3],
  '/marketplace': [4, 2],
  '/orders/[id]': [8, 4],
  '/orders/[id]/invoice': [8, 4],
  '/organisations/[id]/buy': [5, 2],
  '/review': [3, 2],
};

/** Answers before those that count, in which connections learn their statements. */
const WARM = 2;
const COUNTED = 4;

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
    const above: Record<string, Counts> = {};
    let counted = 0;
    const calls = Object.keys(ENDPOINTS).flatMap((name) => /^GET (\/api\/.*)/.exec(name)?.[1] ?? []);
    for (const route of [...Object.keys(PAGES), ...calls]) {
      for (const [role, person] of Object.entries(people)) {
        const address = route.startsWith('/api/')
          ? route.replaceAll(/\[.*?\]/g, '1')
          : await addressOf(route, person);
        if (!route.endsWith('/export'))
          for (let again = 0; again < WARM; again += 1) await person.get(address);
        let least: Counts | undefined;
        // A person has ten exports an hour.
        for (let again = 0; again < (route.endsWith('/export') ? 1 : COUNTED); again += 1) {
          const answer = await person.get(address);
          const headers = answer.headers();
          expect([429, 500, 503], `${role} ${address}`).not.toContain(answer.status());
          // Prerendered, or refused before any page is asked.
          if (headers['x-waits'] === undefined) continue;
          const [statements, waits] = least ?? [Infinity, Infinity];
          // Statements that are sent at once count as two waits where one answer overtakes the other's start.
          least = [
            Math.min(statements, Number(headers['x-statement-count'])),
            Math.min(waits, Number(headers['x-waits'])),
          ];
          if (process.env.SHOW && RegExp(process.env.SHOW).test(route) && again === 0)
            console.log(
              `${role} ${address} ${answer.status()}\n${Buffer.from(headers['x-statements']!, 'base64')}`,
            );
        }
        const limit = ABOVE[route] ?? BUDGET[role]!;
        if (least && least[0] > 0) counted += 1;
        if (least?.some((count, index) => count > limit[index]!)) above[`${role} ${route}`] = least;
      }
    }
    expect(above).toEqual({});
    expect(counted).toBeGreaterThan(250);
  } finally {
    site.kill();
  }
});
