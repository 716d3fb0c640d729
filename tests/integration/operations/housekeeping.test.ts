import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { mailOutbox, rateLimits } from '#db/schema/machinery.ts';
import { providerEvents } from '#db/schema/store.ts';
import { env } from '#src/server/start/env.ts';
import { housekeeping } from '#src/server/start/housekeeping.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

it('deletes expired counters and old notices and sent mails, and keeps the rest', async () => {
  await db().execute(
    sql`insert into rate_limits (key, points, expire) select 'old:' || n, 1, now() - interval '1 s' from generate_series(1, 5001) n`,
  );
  await db()
    .insert(rateLimits)
    .values([
      { key: 'running', points: 1, expire: new Date(Date.now() + 60_000) },
      { key: 'endless', points: 1, expire: null },
    ]);
  await db()
    .insert(providerEvents)
    .values(
      [89, 91].map((days) => ({
        id: `evt_${days}`,
        type: 'payment_intent.succeeded',
        createdAt: daysAgo(days),
        receivedAt: daysAgo(days),
      })),
    );
  const mail = { recipient: 'ada@example.com', subject: 'Hello', text: 'Hello.' };
  await db()
    .insert(mailOutbox)
    .values([
      { ...mail, template: 'old', status: 'sent', createdAt: daysAgo(91), sentAt: daysAgo(91) },
      { ...mail, template: 'sent-late', status: 'sent', createdAt: daysAgo(91), sentAt: daysAgo(89) },
      { ...mail, template: 'waiting', status: 'queued', createdAt: daysAgo(91) },
      { ...mail, template: 'failed', status: 'failed', createdAt: daysAgo(91) },
    ]);
  await housekeeping.run(undefined, { isLast: false });
  const keys = await db().select({ key: rateLimits.key }).from(rateLimits).orderBy(rateLimits.key);
  expect(keys.map(({ key }) => key)).toEqual(['endless', 'running']);
  expect((await db().select().from(providerEvents)).map(({ id }) => id)).toEqual(['evt_89']);
  const mails = await db().select().from(mailOutbox).orderBy(mailOutbox.id);
  expect(mails.map(({ template }) => template)).toEqual(['sent-late', 'waiting', 'failed']);
});

it('removes what a killed process left of an upload, and nothing that is arriving', async () => {
  const folder = join(env().dataDir, 'uploads');
  await mkdir(folder, { recursive: true });
  for (const name of ['abandoned', 'arriving']) await writeFile(join(folder, name), 'part of a file');
  await mkdir(join(folder, 'a-course'));
  await writeFile(join(folder, 'a-course', '0'), 'part of an archive');
  const long = new Date(Date.now() - 61 * 60_000);
  for (const name of ['abandoned', 'a-course']) await utimes(join(folder, name), long, long);
  await housekeeping.run(undefined, { isLast: false });
  expect(await readdir(folder)).toEqual(['arriving']);
});

it('removes drafts beside the stored files that a killed process left, and no file that is whole', async () => {
  const [whole, draft, growing] = [
    'a'.repeat(64),
    `${'b'.repeat(64)}.0123456789ab`,
    `${'b'.repeat(64)}.ba9876543210`,
  ];
  const folder = join(env().dataDir, 'files', 'ab');
  await mkdir(folder, { recursive: true });
  for (const name of [whole, draft, growing]) await writeFile(join(folder, name), 'bytes');
  const long = new Date(Date.now() - 61 * 60_000);
  for (const name of [whole, draft]) await utimes(join(folder, name), long, long);
  await housekeeping.run(undefined, { isLast: false });
  expect((await readdir(folder)).sort()).toEqual([whole, growing].sort());
});

it('removes what a killed restore had unpacked into the data folder', async () => {
  const { dataDir } = env();
  const long = new Date(Date.now() - 25 * 3_600_000);
  for (const name of ['.restore-1-killed', '.restore-2-running', 'kept']) {
    await mkdir(join(dataDir, name, 'tables'), { recursive: true });
    if (name !== '.restore-2-running') await utimes(join(dataDir, name), long, long);
  }
  await housekeeping.run(undefined, { isLast: false });
  const left = (await readdir(dataDir)).filter((name) => name.startsWith('.restore-') || name === 'kept');
  expect(left.sort()).toEqual(['.restore-2-running', 'kept']);
});

it('removes the copy of the tables that a killed backup left, and no backup', async () => {
  const folder = join(env().dataDir, 'backups');
  for (const name of ['.backup-killed', '.backup-running']) {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, 'manifest.json'), '{}');
  }
  await writeFile(join(folder, '2026-01-01-00-00-00.tar.gz'), 'a backup');
  const long = new Date(Date.now() - 25 * 3_600_000);
  for (const name of ['.backup-killed', '2026-01-01-00-00-00.tar.gz']) {
    await utimes(join(folder, name), long, long);
  }
  await housekeeping.run(undefined, { isLast: false });
  expect((await readdir(folder)).sort()).toEqual(['.backup-running', '2026-01-01-00-00-00.tar.gz']);
});
