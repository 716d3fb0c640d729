import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { readings, siteHealth } from '#src/features/admin/health.server.ts';
import { startJudge, stopJudge } from '#src/judge/client.ts';

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
      'Disk',
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
    await db()
      .insert(mailOutbox)
      .values({ ...mail, createdAt: sql`now() - interval '20 minutes'` });
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
      summary: 'Due work waits for 30 minutes: does a worker run?',
    });
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
