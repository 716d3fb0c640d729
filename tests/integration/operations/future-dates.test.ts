import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeUser } from '../../support/factories.ts';
import { futureDates, mendFutureDates } from '#src/features/admin/operations/future-dates.server.ts';
import { siteHealth } from '#src/features/admin/operations/health.server.ts';
import { lookForBackup } from '#src/server/start/backups.ts';
import { env, setEnvironment } from '#src/server/start/env.ts';
import { signIn } from '../../support/api.ts';

const part = async (name: string) => (await siteHealth()).parts.find((one) => one.name === name)!;
const ask = async (text: string) => (await db().execute<Record<string, unknown>>(sql.raw(text)))[0];

afterAll(() => setEnvironment({ BACKUP_EVERY: undefined }));

it('schedules go on after a clock that was ahead, and health says so until then', async () => {
  // The schedules of a test's database run by nothing, and it may have been made long before.
  await ask('update pgboss.version set cron_on = null');
  expect((await part('Clock')).state).toBe('ok');
  await ask(`update pgboss.version set cron_on = now() + interval '2 years'`);
  await ask(
    `update pgboss.queue set maintain_on = now() + interval '2 years' where name = 'site.housekeeping'`,
  );
  expect(await part('Clock')).toMatchObject({
    state: 'failing',
    summary: expect.stringContaining('in the future: schedules.'),
  });
  await mendFutureDates();
  expect(await ask('select cron_on from pgboss.version')).toEqual({ cron_on: null });
  expect((await part('Clock')).state).toBe('ok');
});

it('schedules that have not run for a while are a failing check', async () => {
  await ask(`update pgboss.version set cron_on = now() - interval '13 minutes'`);
  expect(await part('Clock')).toMatchObject({
    state: 'failing',
    summary: 'No schedule has run for 13 minutes.',
    todo: 'Restart the site.',
  });
  await ask('update pgboss.version set cron_on = null');
});

it('every moment that work waits for is set back from the future, and none that is rightly ahead', async () => {
  const user = await makeUser();
  await signIn(user);
  const later = `now() + interval '2 years'`;
  await ask(
    `insert into pgboss.job (name, state, started_on) values ('site.housekeeping', 'active', ${later})`,
  );
  await ask(`insert into pgboss.job (name, state, start_after) values
    ('mail.deliver', 'created', now() + interval '20 hours')`);
  const mail = `('test', 'a@example.com', 'Hello', 'Hello.', 'queued',`;
  await ask(`insert into mail_outbox (template, recipient, subject, text, status, due_at, created_at) values
    ${mail} ${later}, ${later}), ${mail} now() + interval '20 hours', now())`);
  await ask(`update sessions set proven_at = ${later}, created_at = ${later}, expires_at = ${later}`);
  await ask(
    `insert into rate_limits (key, points, expire) values ('far', 1, ${later}), ('near', 1, now() + interval '1 hour')`,
  );
  await ask(`insert into sign_in_failures (key, at) values ('someone', ${later})`);
  expect([...(await futureDates()).keys()]).toEqual([
    'leases of jobs',
    'limits',
    'mails',
    'refused sign-ins',
    'sessions',
  ]);
  await mendFutureDates();
  expect(await futureDates()).toEqual(new Map());
  expect(
    await ask(`select (select count(*)::int from mail_outbox where due_at > now()) as mails,
      (select count(*)::int from pgboss.job where name = 'mail.deliver' and start_after > now()) as jobs,
      (select count(*)::int from rate_limits where expire > now()) as limits,
      (select count(*)::int from sessions where expires_at > now() + interval '29 days') as sessions`),
  ).toEqual({ mails: 1, jobs: 1, limits: 1, sessions: 2 });
});

it('a backup that is dated in the future counts for nothing and is dated back', async () => {
  setEnvironment({ BACKUP_EVERY: '1d' });
  const folder = join(env().dataDir, 'backups');
  await mkdir(folder, { recursive: true });
  const far = new Date(Date.now() + 700 * 86_400_000);
  const names = [`auto-${far.toISOString().slice(0, 19).replace(/[:T]/g, '-')}.tar.gz`, 'by-hand.tar.gz'];
  for (const name of names) {
    await writeFile(join(folder, name), 'an archive');
    await utimes(join(folder, name), far, far);
  }
  const before = await part('Backups');
  expect([before.state, before.facts[0]]).toEqual(['failing', { label: 'Last', value: 'none' }]);
  await lookForBackup.run(undefined, { isLast: false });
  const after = await part('Backups');
  expect([after.state, after.summary]).toEqual(['warning', 'The last one is older than a day.']);
  expect((await readdir(folder)).includes(names[0]!)).toBe(false);
  expect(await ask(`select count(*)::int as due from pgboss.job where name = 'site.backup'`)).toEqual({
    due: 1,
  });
});
