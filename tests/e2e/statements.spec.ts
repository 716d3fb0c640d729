import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type APIRequestContext, request } from '@playwright/test';
import { currentRelease } from '../../scripts/releases.ts';
import { PAGES } from '../support/routes.ts';
import { databaseOf } from '../support/site.ts';
import { addressOf } from './addresses.ts';
import { ADMIN, STUDENT } from './admin-session.ts';
import { test } from './fixtures.ts';

test('counts', async () => {
  const { folder } = (await currentRelease())!;
  const site: ChildProcess = fork(
    join(import.meta.dirname, '../support/counting-site.ts'),
    [folder, await databaseOf(process.env.SITE_DATA_DIR!)],
    { env: { ...process.env, LOG_LEVEL: 'error', NODE_ENV: 'production' } },
  );
  const [port] = await Promise.race([
    once(site, 'message'),
    once(site, 'exit').then(() => Promise.reject(new Error('The counting site ended.'))),
  ]);
  const origin = `http://localhost:${port}`;
  const people: Record<string, APIRequestContext> = {};
  for (const [role, who] of Object.entries({ visitor: null, learner: STUDENT, admin: ADMIN })) {
    people[role] = await request.newContext({
      baseURL: origin,
      maxRedirects: 0,
      extraHTTPHeaders: { origin },
    });
    if (who) await people[role]!.post('/api/auth/login', { data: who });
  }
  const rows: string[] = [];
  for (const route of Object.keys(PAGES)) {
    for (const [role, person] of Object.entries(people)) {
      const address = await addressOf(route, person).catch(() => null);
      if (!address) continue;
      let answer = await person.get(address);
      for (let i = 0; i < 4; i += 1) answer = await person.get(address);
      const h = answer.headers();
      rows.push(`${h['x-statement-count']} ${h['x-waits']} ${answer.status()} ${role} ${address}`);
      if (process.env.SHOW && RegExp(process.env.SHOW).test(route) && role === 'learner')
        console.log(rows.at(-1), `\n${Buffer.from(h['x-statements'] ?? '', 'base64').toString()}`);
    }
  }
  console.log(rows.sort((a, b) => Number(b.split(' ')[0]) - Number(a.split(' ')[0])).join('\n'));
  site.kill();
});
