import { and, asc, count, eq, gt, isNull, lte, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor, type Tx } from '#db/client.ts';
import { webhookDeliveries, webhookEndpoints, webhookEvents } from '#db/schema/webhooks.ts';
import { askOutside, INTERNET, OutOfTime, type OutsideNetwork, Refused } from '#src/server/http/outside.ts';
import { type JobDefinition, sendJob } from '#src/server/jobs.ts';
import { mailWebhookRests } from './rest-mail.ts';
import { webhookSignature } from './signature.ts';

const ANSWER_MS = 10_000;
const ANSWER_BYTES = 65_536;
const ANSWER_SHOWN = 500;
const LEASE_SECONDS = 30;
export const SENDERS_OF_ONE = 2;
export const FAILURES_MAX = 20;
const LAST_TRY_SECONDS = 60;
const FIRST_PAUSE_SECONDS = 10;
const LONGEST_PAUSE_SECONDS = 6 * 3600;

type Delivery = typeof webhookDeliveries.$inferSelect;
type Endpoint = typeof webhookEndpoints.$inferSelect;
type Taken = { delivery: Delivery; event: Event; endpoint: Endpoint };
type Event = typeof webhookEvents.$inferSelect;
/** Rounded to milliseconds as the columns are, and not the start of the transaction. */
export const clock = sql`clock_timestamp()::timestamptz(3)`;
const overText = sql`coalesce(${webhookDeliveries.lastError}, 'It could not be sent before its time was over.')`;
type Outcome = { code: number | null; text: string | null; error: string | null };

export const deliverWebhook: JobDefinition<
  z.ZodObject<{ deliveryId: z.ZodNumber; isNext: z.ZodOptional<z.ZodBoolean> }>
> = {
  name: 'webhooks.deliver',
  data: z.object({
    deliveryId: z.number().int(),
    isNext: z.boolean().optional(),
  }),
  retries: 12,
  retryDelaySeconds: 10,
  leaseSeconds: LEASE_SECONDS + 30,
  parallel: 8,
  run: ({ deliveryId, isNext }) => deliver(deliveryId, INTERNET, isNext),
};

/** Tries a delivery once; a worker that dies after the answer makes it come again with the same event id. */
export async function deliver(
  deliveryId: number,
  network: OutsideNetwork = INTERNET,
  isNext = false,
): Promise<void> {
  const taken = await take(deliveryId);
  if (taken === 'busy') return;
  if (!taken) return isNext ? undefined : comeBackWhenDue(deliveryId);
  const { delivery, event, endpoint } = taken;
  if (delivery.status === 'failed') return;
  if (endpoint.paused) {
    const outcome = { code: null, text: null, error: 'The endpoint was paused.' };
    return keep(taken, outcome, { tookMs: null, isLast: true });
  }
  const started = performance.now();
  const outcome = await post(endpoint, bodyOf(event), network);
  const tookMs = Math.round(performance.now() - started);
  // Whoever sent a test looks at what came of it now, not in three days.
  await keep(taken, outcome, { tookMs, isLast: event.kind === 'test' });
}

/** Locked while senders of an organisation are counted. */
const lockSenders = (organisationId: number) =>
  sql`select pg_advisory_xact_lock(hashtext('webhook-senders'), ${organisationId})`;

/** `busy` while the organisation has all its senders; decided in the database for all processes. */
async function take(deliveryId: number): Promise<Taken | 'busy' | null> {
  return db().transaction(async (tx) => {
    const [about] = await tx
      .select({ event: webhookEvents, endpoint: webhookEndpoints })
      .from(webhookDeliveries)
      .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
      .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
      .where(eq(webhookDeliveries.id, deliveryId));
    if (!about) return null;
    const { organisationId } = about.endpoint;
    await tx.execute(lockSenders(organisationId));
    const isDue = and(
      eq(webhookDeliveries.id, deliveryId),
      eq(webhookDeliveries.status, 'queued'),
      lte(webhookDeliveries.dueAt, clock),
    );
    const [over] = await tx
      .update(webhookDeliveries)
      .set({ status: 'failed', leasedUntil: null, lastError: overText })
      .where(and(isDue, lte(webhookDeliveries.endsAt, clock)))
      .returning();
    if (over) {
      await sendNext(tx, organisationId);
      return { ...about, delivery: over };
    }
    const [senders] = await tx
      .select({ count: count() })
      .from(webhookDeliveries)
      .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
      .where(
        and(
          gt(webhookDeliveries.leasedUntil, clock),
          eq(webhookDeliveries.status, 'queued'),
          eq(webhookEndpoints.organisationId, organisationId),
        ),
      );
    const isBusy = (senders?.count ?? 0) >= SENDERS_OF_ONE;
    if (isBusy) {
      const [due] = await tx.select({ id: webhookDeliveries.id }).from(webhookDeliveries).where(isDue);
      return due ? 'busy' : null;
    }
    const leaseEnds = sql`${clock} + make_interval(secs => ${LEASE_SECONDS})`;
    const [delivery] = await tx
      .update(webhookDeliveries)
      .set({
        attempts: sql`${webhookDeliveries.attempts} + 1`,
        dueAt: leaseEnds,
        leasedUntil: leaseEnds,
      })
      .where(isDue)
      .returning();
    return delivery ? { ...about, delivery } : null;
  });
}

/** A job for each waiting delivery would come for nothing and delay those of others. */
async function sendNext(tx: Tx, organisationId: number): Promise<void> {
  const waiting = await tx
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .where(
      and(
        eq(webhookEndpoints.organisationId, organisationId),
        eq(webhookDeliveries.status, 'queued'),
        lte(webhookDeliveries.dueAt, clock),
      ),
    )
    .orderBy(asc(webhookDeliveries.dueAt), asc(webhookDeliveries.id))
    .limit(SENDERS_OF_ONE);
  for (const { id } of waiting) await sendJob(tx, deliverWebhook, { deliveryId: id, isNext: true });
}

export function bodyOf({ id, kind, createdAt, organisationId, data }: Event): string {
  return JSON.stringify({ id, type: kind, created: createdAt.toISOString(), organisationId, data });
}

async function post(
  { url, secret }: { url: string; secret: string },
  body: string,
  network: OutsideNetwork,
): Promise<Outcome> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  try {
    const { status, head } = await askOutside(new URL(url), {
      method: 'POST',
      network,
      signal,
      limitMs: ANSWER_MS,
      bytes: ANSWER_BYTES,
      body,
      headers: {
        'user-agent': 'course-webhooks',
        accept: '*/*',
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(body)),
        'webhook-signature': webhookSignature(secret, body, new Date()),
      },
    });
    // The database stores no zero characters.
    const text = head.toString('utf8').replaceAll('\0', '').slice(0, ANSWER_SHOWN).toWellFormed();
    const isFine = status >= 200 && status < 300;
    const why =
      status >= 300 && status < 400 ? 'It redirects, which is not followed.' : `It answered ${status}.`;
    return { code: status, text, error: isFine ? null : why };
  } catch (error) {
    const none = { code: null, text: null };
    if (signal.aborted || error instanceof OutOfTime)
      return { ...none, error: `It did not answer in ${ANSWER_MS / 1000} seconds.` };
    if (error instanceof Refused) return { ...none, error: `The address ${error.message}.` };
    const { code } = error as NodeJS.ErrnoException;
    return { ...none, error: `It could not be reached${code ? ` (${code})` : ''}.` };
  }
}

/**
 * A try that lost its lease counts for nothing; an endpoint that fails again and again rests, and its owners
 * are mailed.
 */
async function keep(
  { delivery, endpoint }: Taken,
  { code, text, error }: Outcome,
  { tookMs, isLast }: { tookMs: number | null; isLast: boolean },
): Promise<void> {
  const pause = Math.min(
    LONGEST_PAUSE_SECONDS,
    FIRST_PAUSE_SECONDS * 3 ** Math.min(delivery.attempts - 1, 20),
  );
  // A bit before its end, so that there is a last try.
  const lastTry = sql`${webhookDeliveries.endsAt} - make_interval(secs => ${LAST_TRY_SECONDS})`;
  const failed = isLast
    ? sql`'failed'`
    : sql`(case when ${lastTry} <= ${clock} then 'failed' else 'queued' end)`;
  await db().transaction(async (tx) => {
    await tx.execute(lockSenders(endpoint.organisationId));
    const [now] = await tx
      .select()
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.id, endpoint.id))
      .for('no key update');
    const [kept] = await tx
      .update(webhookDeliveries)
      .set({
        status: error === null ? 'delivered' : failed,
        answerCode: code,
        answerText: text,
        lastError: error,
        tookMs,
        triedAt: clock,
        leasedUntil: null,
        dueAt: sql`least(${clock} + make_interval(secs => ${pause}), greatest(${lastTry}, ${clock}))`,
      })
      .where(
        and(
          eq(webhookDeliveries.id, delivery.id),
          eq(webhookDeliveries.status, 'queued'),
          eq(webhookDeliveries.attempts, delivery.attempts),
        ),
      )
      .returning({ dueAt: webhookDeliveries.dueAt, status: webhookDeliveries.status });
    if (kept?.status === 'queued') await sendJobFor(tx, delivery.id, kept.dueAt);
    if (kept && now && !now.paused) await countOutcome(tx, now, error);
    await sendNext(tx, endpoint.organisationId);
  });
}

async function countOutcome(tx: Tx, endpoint: Endpoint, error: string | null): Promise<void> {
  const failures = error === null ? 0 : endpoint.failures + 1;
  if (failures === endpoint.failures) return;
  const isAt = eq(webhookEndpoints.id, endpoint.id);
  if (failures < FAILURES_MAX) {
    await tx.update(webhookEndpoints).set({ failures }).where(isAt);
    return;
  }
  const restReason = `It failed ${FAILURES_MAX} times in a row. The last time: ${error}`;
  await tx.update(webhookEndpoints).set({ failures, paused: true, restedAt: clock, restReason }).where(isAt);
  await tx
    .update(webhookDeliveries)
    .set({ status: 'failed', lastError: 'The endpoint was paused.' })
    .where(
      and(
        eq(webhookDeliveries.endpointId, endpoint.id),
        eq(webhookDeliveries.status, 'queued'),
        isNull(webhookDeliveries.leasedUntil),
      ),
    );
  await mailWebhookRests(tx, endpoint, restReason);
}

async function comeBackWhenDue(deliveryId: number): Promise<void> {
  const [waiting] = await db()
    .select({ dueAt: webhookDeliveries.dueAt })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.id, deliveryId), eq(webhookDeliveries.status, 'queued')));
  if (waiting) await sendJobFor(db(), deliveryId, waiting.dueAt);
}

function sendJobFor(executor: Executor, deliveryId: number, dueAt: Date): Promise<void> {
  // Without microseconds: a job just before the moment would come for nothing.
  return sendJob(executor, deliverWebhook, { deliveryId }, { startAfter: new Date(dueAt.getTime() + 1) });
}
