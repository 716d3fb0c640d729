import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Turns } from '#db/turns.ts';
import Stripe from 'stripe';
import { closeDatabase, connectDatabase, db } from '#db/client.ts';
import { makeCourseForSale, makeUser } from '../support/factories.ts';
import { cartItems } from '#db/schema/store.ts';
import { openSession } from '#src/features/account/session.server.ts';
import {
  buildSite,
  databaseOf,
  freePort,
  type RunningSite,
  startSite,
  temporaryFolder,
} from '../support/site.ts';
import { percentile } from './measures.ts';
import { report } from './results.ts';

// Prints figures; asserts none. The money path of a built site over HTTP, with its own sandbox as the provider.

const CONFIRMATIONS = 150;
const EVENTS_PER_SECOND = 20;
const EVENT_SECONDS = 10;
const COPIES = 50;
const COPY_ROUNDS = 6;

/** A paid order that nobody has reported to the site yet. */
type Paid = { token: string; intentId: string };

type Figure = { what: string; value: string; ratio: string; aim: string };
const figures: Figure[] = [];

function note(what: string, value: string, ratio = '', aim = ''): void {
  figures.push({ what, value, ratio, aim });
  console.log(`${what}: ${value} ${ratio && `(${ratio})`} ${aim && `aim ${aim}`}`);
}

let errors = 0;

/** Milliseconds until the answer was there; an answer other than 200 is counted as an error. */
async function timed(work: () => Promise<Response>): Promise<number> {
  const began = performance.now();
  const response = await work();
  await response.text();
  if (response.status !== 200) errors += 1;
  return performance.now() - began;
}

/** The errors since the last figure, for the figure's line. */
function errorsSince(): string {
  const text = `${errors} errors`;
  errors = 0;
  return text;
}

/** Measures confirming a payment and taking in the provider's events. The open database must be the site's. */
async function measureMoney(site: RunningSite): Promise<void> {
  const folder = join(site.dataDir, 'payment-sandbox');
  const keys = JSON.parse(await readFile(join(folder, 'keys.json'), 'utf8')) as {
    secretKey: string;
    webhookSecret: string;
  };
  const port = Number(await readFile(join(folder, 'port'), 'utf8'));
  const stripe = new Stripe(keys.secretKey, { host: '127.0.0.1', port, protocol: 'http' });
  // The events are the benchmark's own.
  const quiet = await fetch(`http://127.0.0.1:${port}/_control/faultEvents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.secretKey}` },
    body: JSON.stringify({ drop: true }),
  });
  if (!quiet.ok) throw new Error(`The sandbox answers ${quiet.status}.`);

  const post = (path: string, token: string, body: unknown) =>
    fetch(`${site.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
  const courses = [
    await makeCourseForSale({ priceCents: 4900 }),
    await makeCourseForSale({ priceCents: 1999 }),
  ];
  const pay = async (): Promise<Paid> => {
    const user = await makeUser();
    const { token } = await openSession(user.id, 'bench');
    await db()
      .insert(cartItems)
      .values(courses.map((course) => ({ userId: user.id, courseId: course.id })));
    const answer = await post('/api/create-payment-intent', token, { amount: '68.99' });
    const { clientSecret } = (await answer.json()) as { clientSecret?: string };
    if (!clientSecret) throw new Error(`No payment was begun: ${answer.status}`);
    const intentId = clientSecret.split('_secret_')[0]!;
    await stripe.paymentIntents.confirm(intentId, { payment_method: 'pm_card_visa' });
    return { token, intentId };
  };
  const many = (count: number) => {
    const limit = new Turns(4);
    return Promise.all(Array.from({ length: count }, () => limit.run(pay)));
  };
  const send = (intentId: string, id = `evt_bench_${randomUUID().replaceAll('-', '')}`) => {
    const body = JSON.stringify({
      id,
      object: 'event',
      api_version: '2026-10-28.endive',
      created: Math.floor(Date.now() / 1000),
      livemode: false,
      type: 'payment_intent.succeeded',
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      data: { object: { id: intentId, object: 'payment_intent' } },
    });
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: keys.webhookSecret });
    return timed(() =>
      fetch(`${site.url}/api/stripe/webhook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'stripe-signature': signature },
        body,
      }),
    );
  };

  const confirmed: number[] = [];
  const providers: number[] = [];
  for (const [index, { token, intentId }] of (await many(CONFIRMATIONS)).entries()) {
    const took = await timed(() => post('/api/confirm-payment', token, { paymentIntentId: intentId }));
    const began = performance.now();
    await stripe.paymentIntents.retrieve(intentId);
    const provider = performance.now() - began;
    // The first ones warm both sides up.
    if (index < 20) continue;
    confirmed.push(took);
    providers.push(provider);
  }
  const providerMs = percentile(providers, 0.5);
  note(
    'confirm-payment p95, without the provider’s time',
    `${(percentile(confirmed, 0.95) - providerMs).toFixed(0)} ms, ${errorsSince()}`,
    `${providerMs.toFixed(1)} ms of the provider's taken off`,
    '≤ 60 ms',
  );

  const events = await many(EVENTS_PER_SECOND * EVENT_SECONDS);
  const began = performance.now();
  const acknowledged = await Promise.all(
    events.map(async ({ intentId }, index) => {
      await sleep(Math.max(0, began + (index * 1000) / EVENTS_PER_SECOND - performance.now()));
      return send(intentId);
    }),
  );
  note(
    `webhook acknowledged p95, ${EVENTS_PER_SECOND} payments a second`,
    `${percentile(acknowledged, 0.95).toFixed(0)} ms, ${errorsSince()}`,
    '',
    '≤ 150 ms',
  );

  const copies: number[] = [];
  for (const { intentId } of await many(COPY_ROUNDS)) {
    const id = `evt_copies_${intentId}`;
    copies.push(...(await Promise.all(Array.from({ length: COPIES }, () => send(intentId, id)))));
  }
  note(
    `${COPIES} copies of one event at once p95`,
    `${percentile(copies, 0.95).toFixed(0)} ms, ${errorsSince()}`,
    '',
    '< 1000 ms',
  );
}

const port = await freePort();
const buildDir = process.env.BUILD_DIR ?? 'dist-bench';
await buildSite(buildDir, { BENCH_PAGES: '1' });
const dataDir = await temporaryFolder('academy-bench-');
let site: RunningSite | undefined;
try {
  site = await startSite({ buildDir, port, dataDir });
  const url = await databaseOf(dataDir);
  connectDatabase(url, { max: 4 });
  await measureMoney(site);
  await closeDatabase();
} finally {
  await site?.stop();
  await rm(dataDir, { recursive: true, force: true });
}
const rows = figures.map(({ what, value, ratio, aim }) => `| ${what} | ${value} | ${ratio} | ${aim} |`);
await report('money', ['| measured | value | ratio | aim |', '|---|---|---|---|', ...rows].join('\n'));
