import { createHash, randomUUID } from 'node:crypto';
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { create, extract } from 'tar';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type BackupSummary, writeBackup } from '#db/backup.ts';
import { closeDatabase, connectDatabase, db } from '#db/client.ts';
import { makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { localFileStore, storedFileLocation } from '#db/file-store.ts';
import { migrateDatabase, pendingMigrations } from '#db/migrate.ts';
import { forgetKept, putBack, restoreBackup, unpackBackup } from '#db/restore.ts';
import { removeUnusedBytes, storeFile } from '#db/stored-files.ts';
import { checkReconciliation } from '#src/features/store/reconciliation/compare-records.server.ts';
import { reconcileOrders } from '#src/features/store/reconciliation/settle-orders.server.ts';
import { ALL_JOBS } from '#src/jobs.ts';
import { installJobs } from '#src/server/jobs.ts';
import { databaseOn } from '../../support/database-url.ts';
import { expectOracle } from '../../support/oracle.ts';
import {
  checkOut,
  confirm,
  enrollmentsOf,
  expectBoughtOnce,
  makeBuyer,
  orderOf,
  type Payments,
  pay,
  sendEvent,
  startPayments,
} from '../../support/payments.ts';

const { url: serverUrl } = inject('postgres');
const url = process.env.DATABASE_URL!;
const admin = postgres(serverUrl, { max: 1, onnotice: () => {} });
const made: string[] = [];
let folder: string;
let payments: Payments;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'academy-backup-'));
  payments = await startPayments();
});
afterAll(async () => {
  await payments.close();
  await closeDatabase(1);
  for (const name of made) await admin.unsafe(`drop database if exists ${name} with (force)`);
  await admin.end();
  await rm(folder, { recursive: true, force: true });
});

async function emptyDatabase(): Promise<string> {
  const name = `restore_${randomUUID().replaceAll('-', '')}`;
  await admin.unsafe(`create database ${name}`);
  made.push(name);
  return databaseOn(serverUrl, name);
}

const store = () => localFileStore(process.env.DATA_DIR!);
const filesAt = (name: string) => localFileStore(join(folder, name));
const backup = (name: string): Promise<BackupSummary> =>
  writeBackup({ url, store: store(), out: join(folder, name) });
const restore = async (file: string, to: string, replace = false) => {
  const backup = await unpackBackup(join(folder, file), join(folder, 'data'));
  return restoreBackup({ url: to, store: filesAt('files'), backup, replace });
};

/** An archive like another one but for a change to what is in it. */
async function changedArchive(
  from: string,
  name: string,
  change: (unpacked: string) => Promise<void>,
): Promise<void> {
  const unpacked = await mkdtemp(join(folder, 'unpacked-'));
  await extract({ file: join(folder, from), cwd: unpacked });
  await change(unpacked);
  await create({ file: join(folder, name), cwd: unpacked, gzip: true }, ['manifest.json', 'tables', 'files']);
}

type EditedManifest = { migrations: string[]; tables: { name: string; rows: number; sha256: string }[] };

/** A change to an archive's manifest. */
const edit = (work: (manifest: EditedManifest) => void) => async (at: string) => {
  const manifest = JSON.parse(await readFile(join(at, 'manifest.json'), 'utf8'));
  work(manifest);
  await writeFile(join(at, 'manifest.json'), JSON.stringify(manifest));
};

/** Every row of every table, as text. */
async function contentOf(database: string): Promise<Record<string, string[]>> {
  const client = postgres(database, { max: 1, onnotice: () => {} });
  const tables = await client<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`;
  const content: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await client.unsafe(`select t::text as row from public."${name}" t order by 1`);
    content[name] = rows.map((row) => String(row.row));
  }
  await client.end();
  return content;
}

describe('a backup', () => {
  it('can be read by nobody but who made it', async () => {
    await backup('private.tar.gz');
    expect(((await stat(join(folder, 'private.tar.gz'))).mode & 0o777).toString(8)).toBe('600');
  });

  it('brings back every row, every sequence and every file', async () => {
    const course = await makeCourse({ title: 'Tabs\tand\nlines \\ "quotes" – Ünïcödé 日本' });
    await makeLesson(course.id);
    await makeEnrollment((await makeUser()).id, course.id);
    const bytes = Buffer.from('what a learner uploaded\n');
    const file = await storeFile(db(), store(), {
      area: 'files',
      originalName: 'notes.txt',
      mimeType: 'text/plain',
      bytes,
    });
    const summary = await backup('whole.tar.gz');
    expect(summary).toMatchObject({ files: 1 });
    expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([]);

    const target = await emptyDatabase();
    expect(await restore('whole.tar.gz', target)).toMatchObject({
      rows: summary.rows,
      files: 1,
      migrated: 0,
    });
    expect(await contentOf(target)).toEqual(await contentOf(url));
    const stored = await filesAt('files').read(file.sha256, { start: 0, end: file.size - 1 });
    expect(Buffer.concat(await stored.toArray())).toEqual(bytes);
    // New rows get ids of their own, and the guards stand again.
    const client = postgres(target, { max: 1 });
    const [last] = await client`select max(id) as id from courses`;
    const [next] = await client`
      insert into users (username, email, password_hash) values ('new one', 'new@example.com', 'x') returning id`;
    expect(next!.id).toBeGreaterThan(0);
    await expect(
      client`update users set email = 'Upper@Example.com' where id = ${next!.id}`,
    ).rejects.toThrow();
    expect(last!.id).toBeGreaterThanOrEqual(course.id);
    const [disabled] = await client`select count(*)::int as count from pg_trigger where tgenabled = 'D'`;
    expect(disabled!.count).toBe(0);
    await client.end();
  });

  it('is not restored over something unless that is asked for', { timeout: 60_000 }, async () => {
    const target = await emptyDatabase();
    await restore('whole.tar.gz', target);
    await expect(restore('whole.tar.gz', target)).rejects.toThrow('has tables already');
    const before = await contentOf(target);
    await restore('whole.tar.gz', target, true);
    expect(await contentOf(target)).toEqual(before);
  });

  it('is refused when it is damaged, incomplete, from a newer version or no backup at all', async () => {
    await backup('good.tar.gz');
    const target = await emptyDatabase();
    const changed = async (name: string, change: (unpacked: string) => Promise<void>) => {
      await changedArchive('good.tar.gz', name, change);
      return restore(name, target);
    };
    await expect(changed('row.tar.gz', (at) => appendFile(join(at, 'tables/users'), 'x\n'))).rejects.toThrow(
      'damaged: tables/users',
    );
    await expect(changed('less.tar.gz', (at) => rm(join(at, 'tables/courses')))).rejects.toThrow(
      'lacks tables/courses',
    );
    await expect(
      changed(
        'newer.tar.gz',
        edit((manifest) => manifest.migrations.push('9999_future')),
      ),
    ).rejects.toThrow('made by a newer version');
    await expect(
      changed(
        'evil.tar.gz',
        edit((manifest) => Object.assign(manifest.tables[0]!, { name: 'users"; drop' })),
      ),
    ).rejects.toThrow('The manifest of this backup is damaged at tables.0.name');
    await writeFile(join(folder, 'text.tar.gz'), 'not an archive');
    await expect(restore('text.tar.gz', target)).rejects.toThrow(/cannot be read|no manifest/);
    await expect(restore('nothing.tar.gz', target)).rejects.toThrow('There is no file');
    expect(await contentOf(target)).toEqual({});
  });

  it('is restored and taken back by a role that owns its database and nothing else', {
    timeout: 120_000,
  }, async () => {
    const role = `plain_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
    await admin.unsafe(`create role ${role} login password 'plain'`);
    const target = new URL(await emptyDatabase());
    await admin.unsafe(`alter database ${target.pathname.slice(1)} owner to ${role}`);
    target.username = role;
    target.password = 'plain';
    await restore('whole.tar.gz', target.href);
    const client = postgres(target.href, { max: 1 });
    await client`update users set username = 'since'`;
    const before = await contentOf(target.href);
    await restore('whole.tar.gz', target.href, true);
    expect(await contentOf(target.href)).toEqual(await contentOf(url));
    await putBack(target.href);
    expect(await contentOf(target.href)).toEqual(before);
    // What was moved works: search, triggers, guards, new ids.
    await client`update courses set title = 'found by its new title'`;
    expect(
      (await client`select id from courses where search_text @@ course_query(array['found'])`).length,
    ).toBeGreaterThan(0);
    await client`insert into users (username, email, password_hash) values ('new one', 'new@example.com', 'x')`;
    await client.end();
  });

  it('mends a file that is damaged, and keeps one that only what was set aside names', {
    timeout: 120_000,
  }, async () => {
    const target = await emptyDatabase();
    await restore('whole.tar.gz', target);
    const client = postgres(target, { max: 1 });
    const [file] = await client`select sha256, size from stored_files limit 1`;
    const at = storedFileLocation(join(folder, 'files'), file!.sha256);
    await writeFile(at, 'x'.repeat(file!.size));
    await restore('whole.tar.gz', target, true);
    expect(
      createHash('sha256')
        .update(await readFile(at))
        .digest('hex'),
    ).toBe(file!.sha256);
    // Deleted after the restore, and named by what was before.
    await client`delete from stored_files`;
    await client.end();
    await closeDatabase(1);
    connectDatabase(target, { max: 4 });
    await removeUnusedBytes(filesAt('files'), file!.sha256);
    expect(await filesAt('files').size(file!.sha256)).toBe(file!.size);
    await forgetKept(target);
    await removeUnusedBytes(filesAt('files'), file!.sha256);
    expect(await filesAt('files').size(file!.sha256)).toBeNull();
    await closeDatabase(1);
    connectDatabase(url, { max: 12 });
  });

  describe('over a database that has something', () => {
    let target: string;
    let before: Record<string, string[]>;
    beforeAll(async () => {
      await backup('over.tar.gz');
      target = await emptyDatabase();
      await restore('over.tar.gz', target);
      const client = postgres(target, { max: 1 });
      await client`update users set username = 'since the backup'`;
      await client.end();
      before = await contentOf(target);
    });

    it.each<[string, (at: string) => Promise<void>, string]>([
      [
        'too old',
        edit((m) => m.migrations.splice(0, m.migrations.length, '0003_early')),
        'before the migration',
      ],
      ['from a newer version', edit((m) => m.migrations.push('9999_future')), 'made by a newer version'],
      ['damaged', (at) => appendFile(join(at, 'tables/users'), 'x\n'), 'damaged: tables/users'],
      [
        'of rows that the database refuses',
        async (at) => {
          const rows = await readFile(join(at, 'tables/users'), 'utf8');
          const twice = rows + rows;
          await writeFile(join(at, 'tables/users'), twice);
          await edit(({ tables }) => {
            const users = tables.find(({ name }) => name === 'users')!;
            users.rows *= 2;
            users.sha256 = createHash('sha256').update(twice).digest('hex');
          })(at);
        },
        'duplicate key',
      ],
    ])('a backup %s leaves what is there as it was', async (what, change, message) => {
      const name = `${what.replaceAll(' ', '-')}.tar.gz`;
      await changedArchive('over.tar.gz', name, change);
      await expect(restore(name, target, true)).rejects.toThrow(message);
      expect(await contentOf(target)).toEqual(before);
      expect(await pendingMigrations(target)).toEqual([]);
      expect(await readdir(join(folder, 'data'))).toEqual([]);
    });

    it('a file store that refuses leaves it as it was', async () => {
      const backup = await unpackBackup(join(folder, 'whole.tar.gz'), join(folder, 'data'));
      const full = { ...filesAt('none'), put: () => Promise.reject(new Error('no room in the store')) };
      await expect(restoreBackup({ url: target, store: full, backup, replace: true })).rejects.toThrow(
        'no room in the store',
      );
      expect(await contentOf(target)).toEqual(before);
      expect(await pendingMigrations(target)).toEqual([]);
    });

    it('twice at once: one is refused, and what was there is kept', async () => {
      const both = await Promise.allSettled([
        restore('over.tar.gz', target, true),
        restore('over.tar.gz', target, true),
      ]);
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const refused = both.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
      expect(refused.reason.message).toMatch(/^Another process is at work on this database/);
      expect(await contentOf(target)).toEqual(await contentOf(url));
      await putBack(target);
      expect(await contentOf(target)).toEqual(before);
      expect(await migrateDatabase(target)).toBe(0);
      // What the restore had brought is kept in turn, and the search works on what is back.
      const client = postgres(target, { max: 1 });
      await client`update courses set title = 'found again'`;
      await client.end();
      expect(await forgetKept(target)).toMatch(/^set_aside_/);
      expect(await forgetKept(target)).toBeNull();
      await expect(putBack(target)).rejects.toThrow('Nothing is kept');
      before = await contentOf(target);
    });

    it('is refused while the site runs on it', async () => {
      const site = postgres(target, { max: 1, connection: { application_name: 'academy' } });
      await site`select 1`;
      await expect(restore('over.tar.gz', target, true)).rejects.toThrow('The site is running');
      await site.end();
      expect(await contentOf(target)).toEqual(before);
    });
  });

  it('says so when a stored file is gone, and leaves nothing behind', async () => {
    const gone = await storeFile(db(), store(), {
      area: 'files',
      originalName: 'gone.txt',
      mimeType: 'text/plain',
      bytes: Buffer.from('soon gone'),
    });
    await store().remove(gone.sha256);
    const before = await readdir(folder);
    await expect(backup('never.tar.gz')).rejects.toThrow(`${gone.sha256} is missing`);
    expect(await readdir(folder)).toEqual(before);
    await db().execute(sql`delete from stored_files where sha256 = ${gone.sha256}`);
  });

  it('F16: restored under a provider that went on, it loses no payment once the events come again', async () => {
    const earlier = await makeBuyer(4900);
    const early = await checkOut(earlier);
    await pay(payments, early.intentId);
    expect((await confirm(earlier, early.intentId)).status).toBe(200);
    const between = await makeBuyer(1900, 2900);
    const open = await checkOut(between);
    await payments.sandbox.control.settled();
    await backup('daily.tar.gz');

    // The day after the backup, which the crash takes away.
    await pay(payments, open.intentId);
    expect((await confirm(between, open.intentId)).status).toBe(200);
    const later = await makeBuyer(9900);
    const lost = await checkOut(later);
    await pay(payments, lost.intentId);
    expect((await confirm(later, lost.intentId)).status).toBe(200);
    await payments.sandbox.control.settled();

    const target = await emptyDatabase();
    await restore('daily.tar.gz', target);
    await closeDatabase(1);
    process.env.DATABASE_URL = target;
    // As every start of the site does.
    await installJobs(target, ALL_JOBS);
    connectDatabase(target, { max: 12 });
    expect((await orderOf(open.orderId)).status).toBe('pending');
    for await (const event of payments.stripe.events.list({ limit: 100 })) {
      const { status } = await sendEvent(payments, event as never);
      // The order of that day is gone: the provider keeps the event, and the books name the payment below.
      const isLost = event.type === 'payment_intent.succeeded' && event.data.object.id === lost.intentId;
      if (isLost) expect(status).toBe(409);
      else expect([200, 409]).toContain(status);
    }
    await reconcileOrders();
    const { disagreements } = await checkReconciliation({ graceSeconds: 0 });
    expect(disagreements).toMatchObject([{ kind: 'payment_without_order', paymentIntentId: lost.intentId }]);
    await expectBoughtOnce(earlier);
    await expectBoughtOnce(between);
    expect(await enrollmentsOf(later)).toEqual([]);
    await expectOracle(payments.stripe);
  });
});
