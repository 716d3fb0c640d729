import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { Turns } from '#db/turns.ts';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db, sqlClient } from '#db/client.ts';
import { makeCourseForSale } from '../support/factories.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
// Says who draws the papers that mails carry.
import '#src/jobs.ts';
import { deliverMail } from '#src/server/mail/mail.ts';
import { and, eq } from 'drizzle-orm';
import { breakingAt, watchDatabase, watchProvider } from '../support/fault-points.ts';
import { makeGuest, openDirect } from '../support/guests.ts';
import { expectOracle } from '../support/oracle.ts';
import {
  type Buyer,
  checkOut,
  confirm,
  enrollmentsOf,
  eventCount,
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
import type { MortalReport, MortalWork } from './mortal.ts';

/** Processes that run at the same time. */
const AT_ONCE = 3;

/** Lets bundled modules find their neighbors on the disk as if they ran from where they lie. */
const ownAddresses: Plugin = {
  name: 'own-addresses',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/(src|db|tests)\/[^:]+\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(path).href),
      ),
      loader: 'ts',
    })),
};

let payments: Payments;
let folder: string;
beforeAll(async () => {
  payments = await startPayments();
  // Inside the project, where the packages are found that stay outside the bundle.
  folder = await mkdtemp(resolve('node_modules/.money-'));
  await build({
    entryPoints: [resolve(import.meta.dirname, 'mortal.ts')],
    outfile: join(folder, 'mortal.mjs'),
    bundle: true,
    plugins: [ownAddresses],
    platform: 'node',
    format: 'esm',
    target: 'node24',
    external: ['@node-rs/argon2', 'pg-native', 'lucia'],
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
});
afterAll(async () => {
  await payments.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await payments.sandbox.control.settled();
  payments.sandbox.control.clearEventFaults();
  payments.sandbox.control.faultEvents({ drop: true });
});

type Death = { killed: true } | ({ killed: false } & MortalReport);

/** Runs a piece of work in a process of its own that kills itself at a fault point; 0 lets it live. */
function run(work: MortalWork, at: number): Promise<Death> {
  const child = spawn(process.execPath, [join(folder, 'mortal.mjs')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      LOG_LEVEL: 'silent',
      // The first, which lives, leaves the compiled bundle to the others.
      NODE_COMPILE_CACHE: folder,
      MORTAL_WORK: JSON.stringify({ work, at }),
    },
  });
  let said = '';
  let complaints = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  return new Promise((done, fail) => {
    child.once('close', (code, signal) => {
      if (signal === 'SIGKILL') done({ killed: true });
      else if (code === 0) done({ killed: false, ...(JSON.parse(said) as MortalReport) });
      else fail(new Error(`The process ended with ${code ?? signal}: ${complaints.slice(0, 2_000)}`));
    });
  });
}

function signed(event: ReturnType<typeof intentEvent>): MortalWork {
  const body = JSON.stringify(event);
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload: body,
    secret: payments.webhookSecret,
  });
  return { kind: 'event', body, signature };
}

/** A paid order of two courses that nobody has reported yet. */
async function paid(): Promise<{ buyer: Buyer; orderId: number; intentId: string }> {
  const buyer = await makeBuyer(4900, 1999);
  const { orderId, intentId } = await checkOut(buyer);
  expect(await pay(payments, intentId)).toBe('succeeded');
  return { buyer, orderId, intentId };
}

/** Sends the receipt as the background job does, and again, as after a crash of the worker. */
async function deliverReceipt(orderId: number): Promise<void> {
  const [mail] = await db()
    .select()
    .from(mailOutbox)
    .where(eq(mailOutbox.dedupeKey, `receipt:${orderId}`));
  await deliverMail.run({ outboxId: mail!.id }, { isLast: false });
  await deliverMail.run({ outboxId: mail!.id }, { isLast: false });
  const [sent] = await db().select().from(mailOutbox).where(eq(mailOutbox.id, mail!.id));
  expect(sent).toMatchObject({ status: 'sent', attempts: 1 });
}

/** Kills a process at every point of a work, each time over a purchase of its own, and looks at the purchase afterwards. */
async function killAtEachPoint<T>(
  prepare: () => Promise<T>,
  workOf: (purchase: T) => MortalWork,
  afterwards: (purchase: T) => Promise<void>,
): Promise<string[]> {
  const whole = await prepare();
  const alive = await run(workOf(whole), 0);
  if (alive.killed) throw new Error('A process died that should have lived.');
  await afterwards(whole);
  const limit = new Turns(AT_ONCE);
  await Promise.all(
    alive.passed.map((point, index) =>
      limit.run(async () => {
        const purchase = await prepare();
        const outcome = await run(workOf(purchase), index + 1);
        expect(outcome.killed, `killed ${point}`).toBe(true);
        await afterwards(purchase);
      }),
    ),
  );
  return alive.passed;
}

describe('a process that is killed', () => {
  it('P40, P41: at any wait of an event’s fulfilment leaves one purchase after the event comes again', async () => {
    const points = await killAtEachPoint(
      async () => {
        const purchase = await paid();
        return { ...purchase, event: intentEvent('payment_intent.succeeded', purchase.intentId) };
      },
      ({ event }) => signed(event),
      async ({ buyer, orderId, event }) => {
        expect((await sendEvent(payments, event)).status).toBe(200);
        expect((await orderOf(orderId)).status).toBe('completed');
        await expectBoughtOnce(buyer);
        expect((await sendEvent(payments, event)).body.outcome).toMatch(/^repeat/);
        await deliverReceipt(orderId);
        await expectBoughtOnce(buyer);
      },
    );
    // The work is watched as a whole: event, order, provider, transaction, answer.
    expect(points.some((point) => point.includes('provider_events'))).toBe(true);
    expect(points.some((point) => point.includes('/v1/payment_intents/'))).toBe(true);
    expect(points.some((point) => point.includes('"enrollments"'))).toBe(true);
    expect(points).toEqual(expect.arrayContaining(['before commit', 'commit on its way', 'after commit']));
    expect(points.indexOf('after commit')).toBeLessThan(points.length - 1);
    expect(points.length).toBeGreaterThan(30);
    await expectReconciled(payments);
  }, 240_000);

  it('P40: at any wait of a guest’s fulfilment leaves one purchase after another event', async () => {
    await killAtEachPoint(
      async () => {
        const guest = makeGuest();
        const { orderId, intentId } = await openDirect(guest, await makeCourseForSale());
        expect(await pay(payments, intentId)).toBe('succeeded');
        return { orderId, intentId };
      },
      ({ intentId }) => signed(intentEvent('payment_intent.succeeded', intentId)),
      async ({ orderId, intentId }) => {
        const again = await sendEvent(payments, intentEvent('payment_intent.succeeded', intentId));
        expect(again.status).toBe(200);
        expect((await orderOf(orderId)).status).toBe('completed');
        await deliverReceipt(orderId);
      },
    );
    await expectReconciled(payments);
  }, 240_000);

  it('P41: after the commit and before its answer makes the redelivery a no-op, with one mail', async () => {
    const { buyer, orderId, intentId } = await paid();
    const event = intentEvent('payment_intent.succeeded', intentId);
    const whole = await paid();
    const alive = await run(signed(intentEvent('payment_intent.succeeded', whole.intentId)), 0);
    const at = alive.killed ? 0 : alive.passed.indexOf('after commit') + 1;
    expect(at).toBeGreaterThan(0);
    expect((await run(signed(event), at)).killed).toBe(true);
    const before = await orderOf(orderId);
    expect(before.status).toBe('completed');
    const [unhandled] = await db().execute(`select handled_at from provider_events where id = '${event.id}'`);
    expect(unhandled).toEqual({ handled_at: null });
    expect((await sendEvent(payments, event)).body.outcome).toBe('completed before');
    expect(await orderOf(orderId)).toEqual(before);
    await deliverReceipt(orderId);
    await expectBoughtOnce(buyer);
  });

  it('P40: at any wait of the page’s confirmation leaves one purchase after the page asks again', async () => {
    await killAtEachPoint(
      paid,
      ({ buyer, intentId }) => ({ kind: 'confirm', userId: buyer.user.id, intentId }),
      async ({ buyer, orderId, intentId }) => {
        expect((await confirm(buyer, intentId)).body).toMatchObject({ success: true, orderId });
        await expectBoughtOnce(buyer);
        await deliverReceipt(orderId);
      },
    );
    await expectOracle(payments.stripe);
  }, 240_000);
});

describe('P39: a database that breaks inside the fulfilment', () => {
  it('takes the whole of it back, at every statement, and the next try does it once', async () => {
    watchDatabase(sqlClient());
    watchProvider();
    const whole = await paid();
    const { passed } = await breakingAt(0, () =>
      sendEvent(payments, intentEvent('payment_intent.succeeded', whole.intentId)),
    );
    const inside = passed.flatMap((point, index) => {
      const isInside = index > passed.findIndex((one) => one.includes('for update'));
      return isInside && index < passed.indexOf('commit on its way') && point.startsWith('before')
        ? [index + 1]
        : [];
    });
    expect(inside.length).toBeGreaterThan(10);
    for (const at of inside) {
      const { buyer, orderId, intentId } = await paid();
      const event = intentEvent('payment_intent.succeeded', intentId);
      const events = await eventCount();
      const { result } = await breakingAt(at, () => sendEvent(payments, event));
      expect(result.status, passed[at - 1]).toBe(503);
      expect(await orderOf(orderId)).toMatchObject({ status: 'pending', invoiceNumber: null });
      expect(await enrollmentsOf(buyer)).toEqual([]);
      const mails = and(eq(mailOutbox.recipient, buyer.user.email), eq(mailOutbox.template, 'receipt'));
      expect(await db().$count(mailOutbox, mails)).toBe(0);
      expect(await eventCount()).toBe(events + 1);
      expect((await sendEvent(payments, event)).status).toBe(200);
      await expectBoughtOnce(buyer);
    }
    await expectReconciled(payments);
  }, 120_000);
});
