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

/** The most statements and waits of what is above the budget, for anybody. */
const ABOVE: Record<string, Counts> = {
  '/account': { statements: 10, waits: 3 },
  '/admin': { statements: 19, waits: 8 },
  '/admin/analytics': { statements: 13, waits: 5 },
  '/admin/audit': { statements: 4, waits: 4 },
  '/admin/coupons': { statements: 6, waits: 5 },
  '/admin/courses': { statements: 6, waits: 5 },
  '/admin/courses/[id]/analytics': { statements: 7, waits: 3 },
  '/admin/courses/[id]/content': { statements: 16, waits: 7 },
  '/admin/courses/[id]/content/[lesson]': { statements: 8, waits: 5 },
  '/admin/courses/[id]/content/[lesson]/stuck': { statements: 9, waits: 5 },
  '/admin/courses/[id]/content/[lesson]/versions': { statements: 8, waits: 5 },
  '/admin/courses/[id]/gradebook': { statements: 6, waits: 5 },
  '/admin/courses/[id]/news': { statements: 5, waits: 4 },
  '/admin/courses/[id]/publish': { statements: 9, waits: 5 },
  '/admin/courses/[id]/questions': { statements: 8, waits: 6 },
  '/admin/courses/[id]/staff': { statements: 6, waits: 6 },
  '/admin/courses/[id]/stuck': { statements: 7, waits: 4 },
  '/admin/health': { statements: 15, waits: 3 },
  '/admin/mail': { statements: 6, waits: 4 },
  '/admin/messages': { statements: 4, waits: 4 },
  '/admin/orders': { statements: 6, waits: 5 },
  '/admin/orders/[id]': { statements: 10, waits: 5 },
  '/admin/organisations': { statements: 5, waits: 4 },
  '/admin/questions': { statements: 7, waits: 6 },
  '/admin/reviews': { statements: 4, waits: 4 },
  '/admin/searches': { statements: 5, waits: 4 },
  '/admin/users': { statements: 6, waits: 4 },
  '/admin/users/[id]': { statements: 13, waits: 6 },
  '/api/account/export': { statements: 43, waits: 43 },
  '/api/admin/courses/[id]/publish-check': { statements: 7, waits: 4 },
  '/api/admin/reconciliation': { statements: 8, waits: 8 },
  '/api/admin/users/[id]/export': { statements: 43, waits: 43 },
  '/api/courses/[id]': { statements: 6, waits: 3 },
  '/api/courses/[id]/reviews': { statements: 5, waits: 2 },
  '/api/lessons/[id]/assignment': { statements: 3, waits: 3 },
  '/api/lessons/[id]/comparison': { statements: 5, waits: 5 },
  '/api/lessons/[id]/questions': { statements: 4, waits: 4 },
  '/api/lessons/[id]/quiz': { statements: 3, waits: 3 },
  '/api/lessons/[id]/tables': { statements: 3, waits: 3 },
  '/api/my-enrollments/[courseId]': { statements: 5, waits: 2 },
  '/api/recall': { statements: 3, waits: 2 },
  '/api/scenarios/[id]/runs/[runId]': { statements: 5, waits: 5 },
  '/bundles/[id]': { statements: 4, waits: 2 },
  '/buy/[id]': { statements: 4, waits: 3 },
  '/course/[id]': { statements: 6, waits: 2 },
  '/courses': { statements: 4, waits: 2 },
  '/courses/[id]': { statements: 5, waits: 2 },
  '/courses/[id]/checkout': { statements: 5, waits: 4 },
  '/dashboard': { statements: 3, waits: 2 },
  '/learn/[id]': { statements: 3, waits: 3 },
  '/marketplace': { statements: 4, waits: 2 },
  '/orders/[id]': { statements: 8, waits: 4 },
  '/orders/[id]/invoice': { statements: 8, waits: 4 },
  '/organisations/[id]/buy': { statements: 5, waits: 2 },
  '/review': { statements: 3, waits: 2 },
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
    const calls = Object.keys(ENDPOINTS).flatMap((name) => /^GET (\/api\/.*)/.exec(name)?.[1] ?? []);
    for (const route of [...Object.keys(PAGES), ...calls]) {
      for (const [role, person] of Object.entries(people)) {
        const address = route.startsWith('/api/')
          ? route.replaceAll(/\[.*?\]/g, '1')
          : await addressOf(route, person);
        for (let again = 0; again < WARM; again += 1) await person.get(address);
        const least = { statements: Infinity, waits: Infinity };
        for (let again = 0; again < COUNTED; again += 1) {
          const answer = await person.get(address);
          const headers = answer.headers();
          // Prerendered, or refused before any page is asked.
          if (headers['x-waits'] === undefined) continue;
          least.statements = Math.min(least.statements, Number(headers['x-statement-count']));
          // Statements that are sent at once count as two waits where one answer overtakes the other's start.
          least.waits = Math.min(least.waits, Number(headers['x-waits']));
          if (process.env.SHOW && RegExp(process.env.SHOW).test(route) && again === 0)
            console.log(
              `${role} ${address} ${answer.status()}\n${Buffer.from(headers['x-statements']!, 'base64')}`,
            );
        }
        if (least.statements === Infinity) continue;
        const limit = ABOVE[route] ?? BUDGET[role]!;
        if (least.statements > limit.statements || least.waits > limit.waits)
          above[`${role} ${route}`] = least;
      }
    }
    expect(above).toEqual({});
  } finally {
    site.kill();
  }
});
