import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { db } from '#db/client.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { ALL_JOBS } from '#src/jobs.ts';
import { setEnvironment } from '#src/server/env.ts';
import { type JobDefinition, sendJob, startJobs } from '#src/server/jobs.ts';
import { deliverMail, queueMail } from '#src/server/mail.ts';

const mail = { template: 'test', to: 'ada@example.com', subject: 'Grüße', text: 'Hello.\n\nBye.' };
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

async function outboxRow(template: string) {
  const [row] = await db().select().from(mailOutbox).where(eq(mailOutbox.template, template));
  return row!;
}

beforeAll(() => startJobs([...ALL_JOBS.filter((job) => job.cron === undefined), poisoned]));

describe('without a mail server', () => {
  it('a mail becomes a file that a mail program opens', async () => {
    await queueMail(db(), mail);
    await vi.waitFor(async () => expect((await outboxRow('test')).status).toBe('sent'), 15_000);
    const folder = join(process.env.DATA_DIR!, 'mail');
    const names = await readdir(folder);
    expect(names).toHaveLength(1);
    const source = await readFile(join(folder, names[0]!), 'utf8');
    expect(source).toContain('To: ada@example.com');
    expect(source).toMatch(/^Message-ID: <outbox-\d+\.\d+@localhost>$/m);
  });
});

describe('with a mail server', () => {
  const received: string[] = [];
  let answer: 'take' | 'defer' | 'refuse' = 'take';
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (answer === 'take') {
          received.push(Buffer.concat(chunks).toString());
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

  it('a mail that was deferred is sent later, once (P42)', async () => {
    answer = 'defer';
    await queueMail(db(), { ...mail, template: 'deferred', dedupeKey: 'deferred' });
    await vi.waitFor(async () => expect((await outboxRow('deferred')).lastError).toMatch(/not now/), 15_000);
    expect((await outboxRow('deferred')).status).toBe('queued');
    answer = 'take';
    const { id } = await outboxRow('deferred');
    await Promise.all([1, 2, 3].map(() => deliverMail.run({ outboxId: id }, { isLast: false })));
    expect((await outboxRow('deferred')).status).toBe('sent');
    expect(received).toHaveLength(1);
  });

  it('a mail that was refused for good is not tried again (F11)', async () => {
    answer = 'refuse';
    await queueMail(db(), { ...mail, template: 'refused' });
    await vi.waitFor(async () => expect((await outboxRow('refused')).status).toBe('failed'), 15_000);
    expect((await outboxRow('refused')).attempts).toBe(1);
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
