import { rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { and, eq, sql } from 'drizzle-orm';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDatabase, connectDatabase, db } from '#db/client.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#db/embedded.ts';
import { migrateDatabase } from '#db/migrate.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { ALL_JOBS } from '#src/jobs.ts';
import { setEnvironment } from '#src/server/start/env.ts';
import { installJobs, stopJobs } from '#src/server/jobs.ts';
import { deliverMail, sweepMails } from '#src/server/mail/mail.ts';
import { faultOfAnswer } from '../support/oracle.ts';
import {
  checkOut,
  confirm,
  expectReconciled,
  expectBoughtOnce,
  intentEvent,
  makeBuyer,
  orderOf,
  type Payments,
  pay,
  sendEvent,
  startPayments,
} from '../support/payments.ts';
import { temporaryFolder } from '../support/site.ts';

// A database server of its own that can be stopped, behind an address that stays the same.
let dataDir: string;
let server: EmbeddedPostgres;
let payments: Payments;
const open = new Set<Socket>();
const door = createServer((visitor) => {
  open.add(visitor);
  const inside = connect(Number(new URL(server.url).port), '127.0.0.1');
  for (const [one, other] of [
    [visitor, inside],
    [inside, visitor],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
    one.pipe(other);
  }
  visitor.on('close', () => open.delete(visitor));
});

beforeAll(async () => {
  await stopJobs(1);
  await closeDatabase(1);
  dataDir = await temporaryFolder('academy-outage-');
  server = await startEmbeddedPostgres({ dataDir });
  await migrateDatabase(server.url);
  await installJobs(server.url, ALL_JOBS);
  await new Promise<void>((ready) => door.listen(0, '127.0.0.1', ready));
  const address = new URL(server.url);
  address.port = String((door.address() as AddressInfo).port);
  process.env.DATABASE_URL = address.href;
  connectDatabase(address.href, { max: 6 });
  payments = await startPayments();
});
afterAll(async () => {
  await payments.close();
  await stopJobs(1);
  await closeDatabase(1);
  for (const visitor of open) visitor.destroy();
  await new Promise((done) => door.close(done));
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('P38: a database that is down while an event arrives', () => {
  it('is answered 503 without a word about the inside, and the provider’s own repeat buys once after it is back', async () => {
    const buyer = await makeBuyer(4900, 1999);
    const { orderId, intentId } = await checkOut(buyer);
    // Before the outage, so that the page's own session is known to be good.
    expect((await confirm(buyer, intentId)).status).toBe(402);

    await server.stop();
    payments.webhookAnswers.length = 0;
    await pay(payments, intentId);
    const event = intentEvent('payment_intent.succeeded', intentId);
    const answer = await sendEvent(payments, event);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).not.toBeNull();
    expect(faultOfAnswer(answer, true)).toBeNull();
    expect((await confirm(buyer, intentId)).status).toBe(503);

    server = await startEmbeddedPostgres({ dataDir });
    // The sandbox repeats what was refused, as the provider does; nobody else reports the payment.
    await payments.sandbox.control.settled();
    expect(payments.webhookAnswers.some(({ status }) => status === 503)).toBe(true);
    expect(payments.webhookAnswers.at(-1)?.status).toBe(200);
    expect((await orderOf(orderId)).status).toBe('completed');
    await expectBoughtOnce(buyer);
    expect((await sendEvent(payments, event)).status).toBe(200);
    await expectBoughtOnce(buyer);
    await expectReconciled(payments);
  }, 60_000);
});

describe('P42: a mail server that is down for an hour', () => {
  it('keeps no purchase from succeeding, and gets the receipt once when it is back', async () => {
    const received: string[] = [];
    const mailServer = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, _session, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          received.push(Buffer.concat(chunks).toString());
          done();
        });
      },
    });
    const listen = (port: number) =>
      new Promise<number>((ready) =>
        mailServer.listen(port, '127.0.0.1', () => ready((mailServer.server.address() as AddressInfo).port)),
      );
    // Its port is known, and nobody listens there yet.
    const probe = createServer();
    const port = await new Promise<number>((ready) =>
      probe.listen(0, '127.0.0.1', () => ready((probe.address() as AddressInfo).port)),
    );
    await new Promise((done) => probe.close(done));
    setEnvironment({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Academy <no-reply@example.com>' });
    try {
      const buyer = await makeBuyer(4900);
      const { orderId, intentId } = await checkOut(buyer);
      await pay(payments, intentId);
      await payments.sandbox.control.settled();
      await expectBoughtOnce(buyer);
      const isReceipt = and(
        eq(mailOutbox.recipient, buyer.user.email),
        eq(mailOutbox.dedupeKey, `receipt:${orderId}`),
      );
      const receipt = async () => (await db().select().from(mailOutbox).where(isReceipt))[0]!;
      const { id } = await receipt();

      // The hour goes by in the outbox: every try fails, and the next is due after the pause that it sets.
      let minutesWaited = 0;
      while (minutesWaited < 60) {
        await deliverMail.run({ outboxId: id }, { isLast: false });
        const { status, lastError, dueAt } = await receipt();
        expect(status).toBe('queued');
        expect(lastError).toMatch(/ECONNREFUSED/);
        minutesWaited += (dueAt.getTime() - Date.now()) / 60_000;
        // A try before its time does nothing.
        const { attempts } = await receipt();
        await deliverMail.run({ outboxId: id }, { isLast: false });
        expect((await receipt()).attempts).toBe(attempts);
        await db().update(mailOutbox).set({ dueAt: sql`now() - interval '1 second'` }).where(isReceipt);
      }
      expect(received).toEqual([]);

      await listen(port);
      await sweepMails.run(undefined, { isLast: false });
      await Promise.all([1, 2, 3].map(() => deliverMail.run({ outboxId: id }, { isLast: false })));
      expect(await receipt()).toMatchObject({ status: 'sent', lastError: null });
      expect(received).toHaveLength(1);
      expect(received[0]).toContain(`To: ${buyer.user.email}`);
      expect(received[0]).toContain((await orderOf(orderId)).invoiceNumber);
    } finally {
      setEnvironment({ SMTP_URL: undefined, MAIL_FROM: undefined });
      await new Promise<void>((done) => mailServer.close(() => done()));
    }
  });
});
