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

/** The limit of a request by role; `ABOVE` lists the exceptions. */
const BUDGET: Record<string, Counts> = {
  visitor: [1, 1],
  learner: [2, 2],
  admin: [7, 5],
};

/**
 * The most statements and waits of what is above the budget, for anybody; of the administration and of orders with room for
 * what other tests leave to look at.
 */
const ABOVE: Record<string, Counts> = {
  '/account': [10, 4],
  '/admin': [23, 10],
  '/admin/analytics': [16, 7],
  '/admin/audit': [7, 6],
  '/admin/coupons': [9, 7],
  '/admin/courses': [9, 7],
  '/admin/courses/[id]/analytics': [10, 5],
  '/admin/courses/[id]/content': [19, 9],
  '/admin/courses/[id]/content/[lesson]': [11, 7],
  '/admin/courses/[id]/content/[lesson]/stuck': [12, 7],
  '/admin/courses/[id]/content/[lesson]/versions': [11, 7],
  '/admin/courses/[id]/gradebook': [9, 7],
  '/admin/courses/[id]/news': [8, 6],
  '/admin/courses/[id]/publish': [12, 7],
  '/admin/courses/[id]/questions': [11, 8],
  '/admin/courses/[id]/staff': [9, 8],
  '/admin/courses/[id]/stuck': [10, 6],
  '/admin/health': [18, 5],
  '/admin/mail': [9, 6],
  '/admin/messages': [7, 6],
  '/admin/orders': [9, 7],
  '/admin/orders/[id]': [13, 7],
  '/admin/organisations': [10, 6],
  '/admin/questions': [10, 8],
  '/admin/reviews': [7, 6],
  '/admin/searches': [8, 6],
  '/admin/users': [9, 6],
  '/admin/users/[id]': [17, 8],
  '/api/account/export': [43, 43],
  '/api/admin/courses/[id]/publish-check': [10, 6],
  '/api/admin/reconciliation': [12, 11],
  '/api/admin/users/[id]/export': [46, 45],
  '/api/courses/[id]': [6, 4],
  '/api/courses/[id]/reviews': [5, 4],
  '/api/lessons/[id]/assignment': [3, 3],
  '/api/lessons/[id]/comparison': [5, 5],
  '/api/lessons/[id]/questions': [4, 4],
  '/api/lessons/[id]/quiz': [3, 3],
  '/api/lessons/[id]/tables': [3, 3],
  '/api/my-enrollments/[courseId]': [5, 3],
  '/api/recall': [3, 3],
  '/api/scenarios/[id]/runs/[runId]': [5, 5],
  '/bundles/[id]': [4, 4],
  '/buy/[id]': [4, 4],
  '/course/[id]': [6, 4],
  '/courses': [4, 3],
  '/courses/[id]': [5, 3],
  '/courses/[id]/checkout': [5, 5],
  '/dashboard': [3, 3],
  '/learn/[id]': [3, 3],
  '/marketplace': [4, 3],
  '/orders/[id]': [11, 6],
  '/orders/[id]/invoice': [11, 6],
  '/organisations/[id]/buy': [5, 4],
  '/review': [3, 3],
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
