import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { db } from '#db/client.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { ALL_JOBS } from '#src/jobs.ts';
import { setEnvironment } from '#src/server/start/env.ts';
import { type JobDefinition, sendJob, startJobs } from '#src/server/jobs.ts';
import { deliverMail, mailsAreNoted, queueMail, sweepMails } from '#src/server/mail/mail.ts';
import { moveBack } from '../../support/move-back.ts';

const mail = {
  template: 'receipt' as const,
  to: 'ada@example.com',
  subject: 'Grüße',
  text: 'Hello.\n\nBye.',
};
const poisoned: JobDefinition<z.ZodObject<{ n: z.ZodNumber }>> = {
  name: 'test.poison',
  data: z.object({ n: z.number() }),
  retries: 1,
  retryDelaySeconds: 1,
  leaseSeconds: 10,
  run: async ({ n }) => {
    ran.push(n);
    if (n === 1) throw new Error('poison');
  },
};
const ran: number[] = [];

/** A mail that a worker claimed and never finished with; nothing in the queue knows of it. */
async function orphanedMail(template: string, dueInSeconds: number): Promise<number> {
  const [row] = await db()
    .insert(mailOutbox)
    .values({
      template,
      recipient: mail.to,
      subject: template,
      text: mail.text,
      attempts: 1,
      dueAt: sql`now() + make_interval(secs => ${dueInSeconds})`,
    })
    .returning({ id: mailOutbox.id });
  return row!.id;
}

async function jobsOf(outboxId: number): Promise<number> {
  const rows = await db().execute<{ count: number }>(
    sql`select count(*)::int as count from pgboss.job where name = 'mail.deliver' and data->>'outboxId' = ${String(outboxId)}`,
  );
  return rows[0]!.count;
}

async function outboxRow(template: string) {
  const [row] = await db().select().from(mailOutbox).where(eq(mailOutbox.template, template));
  return row!;
}

beforeAll(() => startJobs([...ALL_JOBS.filter((job) => job.cron === undefined), poisoned]));

describe('without a mail server', () => {
  it('a mail becomes a file that a mail program opens', async () => {
    await queueMail(db(), mail);
    await vi.waitFor(async () => expect((await outboxRow('receipt')).status).toBe('sent'), 15_000);
    const folder = join(process.env.DATA_DIR!, 'mail');
    const names = await readdir(folder);
    expect(names).toHaveLength(1);
    const source = await readFile(join(folder, names[0]!), 'utf8');
    expect(source).toContain('To: ada@example.com');
    expect(source).toMatch(/^Message-ID: <outbox-\d+\.\d+@localhost>$/m);
  });

  it('a mail is a file for the site alone, as its links open accounts', async () => {
    await queueMail(db(), { ...mail, template: 'email-change' });
    await expect.poll(async () => (await outboxRow('email-change')).status).toBe('sent');
    const folder = join(process.env.DATA_DIR!, 'mail');
    const modes = await Promise.all(
      ['.', ...(await readdir(folder))].map(async (name) => (await stat(join(folder, name))).mode & 0o777),
    );
    expect(new Set(modes)).toEqual(new Set([0o700, 0o600]));
  });
});

describe('with a mail server', () => {
  const received: string[] = [];
  let answer: 'take' | 'defer' | 'refuse' = 'take';
  /** What happens between the arrival of a mail and the answer to it. */
  let beforeAnswer = async () => {};
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        if (answer === 'take') {
          received.push(Buffer.concat(chunks).toString());
          await beforeAnswer();
          return done();
        }
        done(Object.assign(new Error('not now'), { responseCode: answer === 'defer' ? 451 : 550 }));
      });
    },
  });

  beforeAll(async () => {
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const address = server.server.address();
    setEnvironment({
      SMTP_URL: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
      MAIL_FROM: 'Academy <no-reply@example.com>',
    });
  });
  afterAll(() => new Promise<void>((done) => server.close(done)));

  it('P42: a mail that was deferred is sent later, once', async () => {
    answer = 'defer';
    await queueMail(db(), { ...mail, template: 'refund', dedupeKey: 'deferred' });
    await vi.waitFor(async () => expect((await outboxRow('refund')).lastError).toMatch(/not now/), 15_000);
    expect((await outboxRow('refund')).status).toBe('queued');
    answer = 'take';
    const { id, dueAt } = await outboxRow('refund');
    expect(dueAt.getTime()).toBeGreaterThan(Date.now() + 5_000);
    await moveBack(mailOutbox, eq(mailOutbox.id, id), { dueAt: { seconds: 1 } });
    await Promise.all([1, 2, 3].map(() => deliverMail.run({ outboxId: id }, { isLast: false })));
    expect((await outboxRow('refund')).status).toBe('sent');
    expect(received).toHaveLength(1);
  });

  it('a mail that was refused for good is not tried again (F11)', async () => {
    answer = 'refuse';
    await queueMail(db(), { ...mail, template: 'seat-offer' });
    await vi.waitFor(async () => expect((await outboxRow('seat-offer')).status).toBe('failed'), 15_000);
    expect((await outboxRow('seat-offer')).attempts).toBe(1);
  });

  const receivedOf = (subject: string) =>
    received.filter((source) => source.includes(`Subject: ${subject}`)).length;

  it('a job that comes while the mail is leased comes back, and the mail is sent once', async () => {
    answer = 'take';
    const id = await orphanedMail('leased', 3);
    await Promise.all([1, 2].map(() => deliverMail.run({ outboxId: id }, { isLast: true })));
    expect((await outboxRow('leased')).status).toBe('queued');
    await vi.waitFor(async () => expect((await outboxRow('leased')).status).toBe('sent'), 15_000);
    await deliverMail.run({ outboxId: id }, { isLast: false });
    expect(receivedOf('leased')).toBe(1);
  });

  it('the sweep finds an overdue mail without a job, and it is sent once', async () => {
    answer = 'take';
    const overdue = await orphanedMail('overdue', -600);
    const due = await orphanedMail('just-due', -30);
    const leased = await orphanedMail('in-work', 50);
    await Promise.all([1, 2].map(() => sweepMails.run(undefined, { isLast: false })));
    await sweepMails.run(undefined, { isLast: false });
    await vi.waitFor(async () => expect((await outboxRow('overdue')).status).toBe('sent'), 15_000);
    expect(receivedOf('overdue')).toBe(1);
    expect([await jobsOf(overdue), await jobsOf(due), await jobsOf(leased)]).toEqual([1, 0, 0]);
  });

  it('a mail that was taken while the database cannot be written is noted later, and sent once', async () => {
    answer = 'take';
    const id = await orphanedMail('taken-in-an-outage', 0);
    let mended: Promise<unknown> | undefined;
    beforeAnswer = async () => {
      await db().execute(sql`alter table mail_outbox rename to mail_outbox_away`);
      mended = sleep(1_500).then(() => db().execute(sql`alter table mail_outbox_away rename to mail_outbox`));
    };
    await Promise.all([1, 2].map(() => deliverMail.run({ outboxId: id }, { isLast: false }))).finally(() => {
      beforeAnswer = async () => {};
      return mended;
    });
    expect((await outboxRow('taken-in-an-outage')).status).toBe('sent');
    expect(receivedOf('taken-in-an-outage')).toBe(1);
  });

  it('the end of the process waits for the answer to a mail that is being handed over, not for ever', async () => {
    answer = 'take';
    const id = await orphanedMail('slow', 0);
    beforeAnswer = () => sleep(1_500);
    const run = deliverMail.run({ outboxId: id }, { isLast: false });
    await mailsAreNoted(100);
    expect((await outboxRow('slow')).status).toBe('queued');
    await mailsAreNoted(5_000);
    expect((await outboxRow('slow')).status).toBe('sent');
    await run;
    beforeAnswer = async () => {};
  });

  it('a mail is given up after its last try', async () => {
    answer = 'defer';
    const id = await orphanedMail('given-up', 0);
    await db().update(mailOutbox).set({ attempts: 12 }).where(eq(mailOutbox.id, id));
    await deliverMail.run({ outboxId: id }, { isLast: false });
    expect(await outboxRow('given-up')).toMatchObject({ status: 'failed', attempts: 13 });
    expect(await jobsOf(id)).toBe(0);
  });

  it('A9: keeps the secret of a link until the mail is sent or refused, and no longer', async () => {
    const secret = 'Zk3-_9';
    const link = `https://site.test/claim?token=${secret}`;
    const nested = `https://site.test/login?next=%2Fclaim%3Ftoken%3D${secret}&x=1`;
    const body = { text: `Open:\n\n${link}\n\n${nested}`, html: `<a href="${link}">Open</a>` };
    answer = 'defer';
    await queueMail(db(), { ...mail, ...body, template: 'password-reset' });
    await vi.waitFor(
      async () => expect((await outboxRow('password-reset')).lastError).not.toBeNull(),
      15_000,
    );
    expect(await outboxRow('password-reset')).toMatchObject({ status: 'queued', ...body });
    answer = 'take';
    const { id } = await outboxRow('password-reset');
    await moveBack(mailOutbox, eq(mailOutbox.id, id), { dueAt: { seconds: 1 } });
    await deliverMail.run({ outboxId: id }, { isLast: false });
    expect(received.at(-1)).toContain(secret);
    answer = 'refuse';
    await queueMail(db(), { ...mail, ...body, template: 'claim-link' });
    await vi.waitFor(async () => expect((await outboxRow('claim-link')).status).toBe('failed'), 15_000);
    for (const template of ['password-reset', 'claim-link']) {
      expect(await outboxRow(template)).toMatchObject({
        text: 'Open:\n\nhttps://site.test/claim?token=removed\n\nhttps://site.test/login?next=%2Fclaim%3Ftoken%3Dremoved&x=1',
        html: '<a href="https://site.test/claim?token=removed">Open</a>',
      });
    }
  });
});

describe('background work', () => {
  it('sets a poisoned job aside and goes on with the next (F8)', async () => {
    await sendJob(db(), poisoned, { n: 1 });
    await sendJob(db(), poisoned, { n: 2 });
    await vi.waitFor(() => expect(ran).toContain(2), 15_000);
    await vi.waitFor(() => expect(ran.filter((n) => n === 1)).toHaveLength(2), 15_000);
    await vi.waitFor(async () => {
      const rows = await db().execute(
        `select count(*)::int as count from pgboss.job where name = 'dead-letters'`,
      );
      expect(rows[0]?.count).toBe(1);
    }, 15_000);
  });
});
