import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { forgetGivenUp } from '#src/features/admin/operations/health-of-work.server.ts';
import { healthTable } from '#src/features/admin/operations/health.ts';
import { readings, siteHealth } from '#src/features/admin/operations/health.server.ts';
import { startJudge, stopJudge } from '#src/judge/client.ts';
import { lookForBackup, makeBackup } from '#src/server/start/backups.ts';
import { setEnvironment } from '#src/server/start/env.ts';

beforeAll(() => startJudge({ log: () => {} }));
afterAll(() => stopJudge());

const part = async (name: string) => (await siteHealth()).parts.find((one) => one.name === name)!;

describe('the health of the site', () => {
  it('is told for each part', async () => {
    const { parts } = await siteHealth();
    expect(parts.map(({ name }) => name)).toEqual([
      'Site',
      'Database',
      'Background work',
      'Mail',
      'Payments',
      'Judge',
      'Clock',
      'Proxy',
      'Disk',
      'Files',
      'Backups',
    ]);
    expect(await part('Database')).toMatchObject({ state: 'ok' });
    // Without keys and without the sandbox no payment can be taken here.
    expect(await part('Payments')).toMatchObject({ state: 'failing', summary: 'No payment can be taken.' });
    expect(await part('Judge')).toMatchObject({ state: 'ok' });
  });

  it('names the walls that a judge of its own lacks', async () => {
    const lacking = { name: 'no network (unshare)', means: 'it could reach the network' };
    const judge = createServer((_, response) => {
      response.end(JSON.stringify({ ok: true, layers: ['kernel limits (prlimit)'], missing: [lacking] }));
    });
    await new Promise<void>((done) => judge.listen(0, '127.0.0.1', done));
    await stopJudge();
    startJudge({ urls: [`http://127.0.0.1:${(judge.address() as AddressInfo).port}`] });
    try {
      const { state, facts } = await part('Judge');
      expect(state).toBe('warning');
      expect(facts).toContainEqual({ label: 'Walls', value: 'kernel limits (prlimit)' });
      expect(facts).toContainEqual({ label: 'Walls missing', value: lacking.name });
    } finally {
      await stopJudge();
      startJudge({ log: () => {} });
      judge.closeAllConnections();
      judge.close();
    }
  });

  it('names mails that failed and mails that wait too long', async () => {
    expect(await part('Mail')).toMatchObject({ state: 'ok' });
    const mail = { template: 'receipt', recipient: 'a@example.com', subject: 's', text: 't' };
    await db()
      .insert(mailOutbox)
      .values({ ...mail, status: 'failed' });
    expect(await part('Mail')).toMatchObject({ state: 'warning', summary: '1 mail could not be sent.' });
    // Not late: one that was refused once, and one that has to wait for tomorrow.
    const before = sql`now() - interval '20 minutes'`;
    const [refused] = await db()
      .insert(mailOutbox)
      .values([
        {
          ...mail,
          createdAt: before,
          attempts: 1,
          lastError: '451',
          dueAt: sql`now() + interval '10 seconds'`,
        },
        { ...mail, createdAt: before, dueAt: sql`now() + interval '20 hours'` },
      ])
      .returning();
    expect(await part('Mail')).toMatchObject({
      state: 'warning',
      summary: "1 mail could not be sent. The mail server's last words: 451",
      todo: expect.stringMatching('/admin/mail'),
    });
    await db().update(mailOutbox).set({ attempts: 7 }).where(eq(mailOutbox.id, refused!.id));
    expect(await part('Mail')).toMatchObject({ state: 'failing' });
    await db().delete(mailOutbox).where(eq(mailOutbox.status, 'queued'));
    await db()
      .insert(mailOutbox)
      .values({ ...mail, createdAt: before, dueAt: before });
    expect(await part('Mail')).toMatchObject({
      state: 'failing',
      summary: 'A mail has waited for 20 minutes.',
    });
    const figures = new Map((await readings()).map(({ name, value }) => [name, value]));
    expect(figures.get('academy_mails_queued')).toBe(1);
    expect(figures.get('academy_mails_failed')).toBe(1);
  });

  it('names work that nobody does', async () => {
    expect(await part('Background work')).toMatchObject({ state: 'ok' });
    await db().execute(sql`
      insert into pgboss.job (name, data, start_after) values ('mail.deliver', '{}', now() - interval '30 minutes')`);
    expect(await part('Background work')).toMatchObject({
      state: 'failing',
      summary: 'Due work waits for 30 minutes.',
      since: expect.any(Date),
    });
    await db().execute(sql`delete from pgboss.job where name = 'mail.deliver'`);
  });

  it('says why mails do not leave as soon as one was refused, until one is sent again', async () => {
    await db().delete(mailOutbox);
    const mail = { template: 'receipt', recipient: 'a@example.com', subject: 's', text: 't' };
    const lastError = 'connect ECONNREFUSED 127.0.0.1:25';
    await db()
      .insert(mailOutbox)
      .values({ ...mail, attempts: 1, lastError, dueAt: sql`now() + interval '10 seconds'` });
    expect(await part('Mail')).toMatchObject({
      state: 'warning',
      summary: `1 mail refused for now. The mail server's last words: ${lastError}`,
    });
    await db()
      .insert(mailOutbox)
      .values({ ...mail, status: 'sent', sentAt: sql`now() + interval '1 second'` });
    expect(await part('Mail')).toMatchObject({ state: 'ok' });
    await db().delete(mailOutbox);
  });

  it('names jobs that were given up with their ids, and a command clears them', async () => {
    await db().execute(sql`
      insert into pgboss.job (name, source_name, source_id, source_output)
      values ('dead-letters', 'store.refund', 'a6b4d1a2-0000-4000-8000-000000000001', '{"message": "no such refund"}')`);
    const { state, todo, facts } = await part('Background work');
    expect(state).toBe('warning');
    expect(todo).toMatch('npm run admin -- forget-jobs');
    expect(facts.map(({ value }) => value)).toContain(
      'store.refund a6b4d1a2-0000-4000-8000-000000000001: no such refund',
    );
    expect(await forgetGivenUp()).toBe(1);
    expect(await part('Background work')).toMatchObject({ state: 'ok' });
  });

  it('says when each scheduled job last ran, and which one fails', async () => {
    await db().execute(sql`
      insert into pgboss.job (name, state, completed_on) values
        ('store.reconcile', 'completed', now() - interval '3 minutes')`);
    const { state, facts } = await part('Background work');
    expect(state).toBe('ok');
    expect(facts).toContainEqual({ label: 'Last run of store.reconcile', value: '3 minutes ago' });
    expect(facts).toContainEqual({ label: 'Last run of mail.sweep', value: 'none is remembered' });
    await db().execute(sql`
      insert into pgboss.job (name, state, completed_on, output) values
        ('store.reconcile', 'failed', now(), '{"message": "the provider is away"}')`);
    expect(await part('Background work')).toMatchObject({
      state: 'warning',
      summary: 'store.reconcile failed when it last ran: the provider is away',
    });
    await db().execute(sql`delete from pgboss.job where name = 'store.reconcile'`);
  });

  it('names a proxy that TRUST_PROXY does not, until it does', async () => {
    expect(await part('Proxy')).toMatchObject({ state: 'ok' });
    await db().execute(sql`
      insert into pgboss.job (name, data) values ('site.untrusted-proxy', '{"address": "10.0.0.7"}')`);
    const { state, todo } = await part('Proxy');
    expect(state).toBe('warning');
    expect(todo).toMatch('TRUST_PROXY=10.0.0.7');
    setEnvironment({ TRUST_PROXY: '10.0.0.0/8' });
    expect(await part('Proxy')).toMatchObject({ state: 'ok' });
    setEnvironment({ TRUST_PROXY: undefined });
    await db().execute(sql`delete from pgboss.job where name = 'site.untrusted-proxy'`);
  });

  it('gives the state of every part as a number, and a table for a terminal', async () => {
    const { parts } = await siteHealth();
    const states = (await readings()).filter(({ name }) => name === 'academy_part_state');
    expect(states.map(({ labels }) => labels!.part)).toEqual(parts.map(({ name }) => name));
    expect(states.find(({ labels }) => labels!.part === 'Payments')).toMatchObject({ value: 2 });
    const lines = healthTable(parts).split('\n');
    expect(lines[0]).toMatch(/^Part +State +Since +What, and what to do$/);
    expect(lines.find((line) => line.startsWith('Payments'))).toMatch(/Failing .*STRIPE_SECRET_KEY/);
  });

  it('warns where no backup is younger than a day, makes them by the clock, and says why one failed', async () => {
    expect(await part('Backups')).toMatchObject({
      state: 'warning',
      summary: expect.stringMatching('none yet'),
    });
    setEnvironment({ BACKUP_EVERY: '1d', BACKUP_KEEP: '2' });
    const folder = join(process.env.DATA_DIR!, 'backups');
    await mkdir(folder, { recursive: true });
    const names = ['auto-2026-01-01-00-00-00', 'auto-2026-01-02-00-00-00', 'by-hand'];
    for (const name of names) {
      await writeFile(join(folder, `${name}.tar.gz`), 'old');
      await utimes(join(folder, `${name}.tar.gz`), 1, 1);
    }
    expect(await part('Backups')).toMatchObject({
      state: 'warning',
      summary: expect.stringMatching('older'),
    });
    await makeBackup.run(undefined, { isLast: true });
    expect(await part('Backups')).toMatchObject({ state: 'ok' });
    await db().execute(sql`delete from pgboss.job where name = 'site.backup-verified'`);
    const kept = (await readdir(folder)).sort();
    expect(kept).toHaveLength(3);
    expect(kept).toContain('by-hand.tar.gz');
    expect(kept).toContain('auto-2026-01-02-00-00-00.tar.gz');
    // A file of the store that is gone: nothing is removed for a backup that was not written.
    await db().execute(
      sql`insert into stored_files (path, original_name, mime_type, size, sha256)
      values ('gone', 'x', 'text/plain', 5, ${'a'.repeat(64)})`,
    );
    await expect(makeBackup.run(undefined, { isLast: true })).rejects.toThrow('missing or incomplete');
    expect((await readdir(folder)).sort()).toEqual(kept);
    await db().execute(sql`
      insert into pgboss.job (name, state, completed_on, output) values ('site.backup', 'failed', now(), '{"message": "no room"}')`);
    expect(await part('Backups')).toMatchObject({
      state: 'failing',
      summary: expect.stringMatching('no room'),
    });
    // After a failure it rests for a while; a backup that is due is queued once.
    const queued = async () =>
      (await db().execute(sql`select 1 from pgboss.job where name = 'site.backup' and state = 'created'`))
        .length;
    await lookForBackup.run(undefined, { isLast: true });
    expect(await queued()).toBe(0);
    await db().execute(sql`delete from pgboss.job where name = 'site.backup'`);
    await lookForBackup.run(undefined, { isLast: true });
    await lookForBackup.run(undefined, { isLast: true });
    expect(await queued()).toBe(1);
    setEnvironment({ BACKUP_EVERY: 'off', BACKUP_KEEP: undefined });
    expect(await part('Backups')).toMatchObject({ state: 'ok', facts: [] });
    setEnvironment({ BACKUP_EVERY: undefined });
    await db().execute(sql`delete from stored_files where path = 'gone'`);
    await db().execute(sql`delete from pgboss.job where name = 'site.backup'`);
  });

  it('tries once a week whether a backup by the clock can be restored, and says why one cannot', {
    timeout: 240_000,
  }, async () => {
    setEnvironment({ BACKUP_EVERY: '1d', BACKUP_KEEP: undefined });
    const makeNext = async () => {
      // Their names have seconds.
      await sleep(1_000);
      await makeBackup.run(undefined, { isLast: true });
    };
    const trial = async () =>
      (await part('Backups')).facts.find(({ label }) => label === 'Restored for a trial')!.value;
    expect(await trial()).toBe('not yet: with the next one');
    await makeNext();
    expect(await trial()).toMatch(/^\d{4}-\d\d-\d\d .* UTC$/);
    // Once a week: what has been tried is not tried again before.
    const trials = async () =>
      (await db().execute(sql`select 1 from pgboss.job where name = 'site.backup-verified'`)).length;
    await makeNext();
    expect(await trials()).toBe(1);
    // A row that no database of the site takes.
    await db().execute(sql`alter table users drop constraint users_weekly_goal_range`);
    await db().execute(
      sql`insert into users (username, email, weekly_goal) values ('Odd', 'odd@example.com', 9)`,
    );
    await db().execute(
      sql`update pgboss.job set created_on = now() - interval '7 days' where name = 'site.backup-verified'`,
    );
    await makeNext();
    expect(await part('Backups')).toMatchObject({
      state: 'failing',
      summary: expect.stringMatching(/cannot be restored: .*users_weekly_goal_range/),
      todo: expect.stringMatching('rehearse'),
    });
    expect((await readings()).find(({ name }) => name === 'academy_backup_unrestorable')).toMatchObject({
      value: 1,
    });
    await db().execute(sql`delete from users where username = 'Odd'`);
    // The next one is tried again, although a week has not gone by.
    await makeNext();
    expect(await part('Backups')).toMatchObject({ state: 'ok' });
    expect(await trials()).toBe(3);
    setEnvironment({ BACKUP_EVERY: undefined });
  });

  it('says which part cannot be asked, and still tells the others', async () => {
    await db().execute(sql`alter schema pgboss rename to away`);
    const { state, parts } = await siteHealth();
    expect(state).toBe('failing');
    expect(parts.find(({ name }) => name === 'Background work')).toMatchObject({
      state: 'failing',
      summary: 'Could not be asked. The log says why.',
    });
    expect(parts.find(({ name }) => name === 'Disk')!.facts).not.toEqual([]);
    await db().execute(sql`alter schema away rename to pgboss`);
  });
});
