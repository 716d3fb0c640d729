import { and, eq, lte, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '#db/client.ts';
import { currentMoment } from '#db/schema/account.ts';
import { webhookDeliveries, webhookEndpoints, webhookEvents } from '#db/schema/webhooks.ts';
import { askOutside, INTERNET, type OutsideNetwork, Refused } from '#src/server/http/outside.ts';
import { type JobDefinition, sendJob } from '#src/server/jobs.ts';
import { webhookSignature } from './signature.ts';

/** Milliseconds in which a receiver has to answer. */
const ANSWER_MS = 10_000;
/** Bytes of an answer that are read; its status says what came of it. */
const ANSWER_BYTES = 65_536;
/** Characters of an answer that the log keeps. */
const ANSWER_SHOWN = 500;
/** Seconds for which one worker owns a delivery that it is sending. */
const LEASE_SECONDS = 30;
const FIRST_PAUSE_SECONDS = 10;
const LONGEST_PAUSE_SECONDS = 6 * 3600;

type Delivery = typeof webhookDeliveries.$inferSelect;
type Event = typeof webhookEvents.$inferSelect;
type Outcome = { code: number | null; text: string | null; error: string | null };

/** Sends one event to one endpoint, when it is due; a delivery that has to wait gets a job of its own for that moment. */
export const deliverWebhook: JobDefinition<z.ZodObject<{ deliveryId: z.ZodNumber }>> = {
  name: 'webhooks.deliver',
  data: z.object({ deliveryId: z.number().int() }),
  retries: 12,
  retryDelaySeconds: 10,
  leaseSeconds: LEASE_SECONDS + 30,
  parallel: 4,
  run: ({ deliveryId }) => deliver(deliveryId),
};

/**
 * Tries a delivery once. It is sent at least once: a worker that is killed between the answer and its note leaves the
 * lease to run out, and the receiver gets the same event id again.
 *
 * @param network tests put their own in
 */
export async function deliver(deliveryId: number, network: OutsideNetwork = INTERNET): Promise<void> {
  const [delivery] = await db()
    .update(webhookDeliveries)
    .set({
      attempts: sql`${webhookDeliveries.attempts} + 1`,
      dueAt: sql`now() + make_interval(secs => ${LEASE_SECONDS})`,
    })
    .where(
      and(
        eq(webhookDeliveries.id, deliveryId),
        eq(webhookDeliveries.status, 'queued'),
        lte(webhookDeliveries.dueAt, currentMoment),
      ),
    )
    .returning();
  if (!delivery) return comeBackWhenDue(deliveryId);
  const [about] = await db()
    .select({ event: webhookEvents, endpoint: webhookEndpoints })
    .from(webhookEvents)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, delivery.endpointId))
    .where(eq(webhookEvents.id, delivery.eventId));
  // Deleted since: the delivery is gone with it.
  if (!about) return;
  if (about.endpoint.paused) {
    return keep(delivery, { code: null, text: null, error: 'The endpoint was paused.' }, null, true);
  }
  const started = performance.now();
  const outcome = await post(about.endpoint, bodyOf(about.event), network);
  await keep(delivery, outcome, Math.round(performance.now() - started));
}

/** What is sent; the same bytes at every try. */
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
    if (signal.aborted) return { ...none, error: `It did not answer in ${ANSWER_MS / 1000} seconds.` };
    if (error instanceof Refused) return { ...none, error: `The address ${error.message}.` };
    const { code } = error as NodeJS.ErrnoException;
    return { ...none, error: `It could not be reached${code ? ` (${code})` : ''}.` };
  }
}

/** Notes what came of a try and the moment of the next; a try that lost its lease counts for nothing. */
async function keep(
  delivery: Delivery,
  { code, text, error }: Outcome,
  tookMs: number | null,
  isLast = false,
): Promise<void> {
  const pause = Math.min(
    LONGEST_PAUSE_SECONDS,
    FIRST_PAUSE_SECONDS * 3 ** Math.min(delivery.attempts - 1, 20),
  );
  // By the clock of the database alone, which set the moment.
  const failed = isLast
    ? sql`'failed'::delivery_status`
    : sql`(case when ${webhookDeliveries.endsAt} <= ${currentMoment} then 'failed' else 'queued' end)::delivery_status`;
  await db().transaction(async (tx) => {
    const [kept] = await tx
      .update(webhookDeliveries)
      .set({
        status: error === null ? 'delivered' : failed,
        answerCode: code,
        answerText: text,
        lastError: error,
        tookMs,
        triedAt: sql`now()`,
        dueAt: sql`least(now() + make_interval(secs => ${pause}), ${webhookDeliveries.endsAt})`,
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
  });
}

/** A job that comes while another worker owns the delivery looks again when that one's lease has ended. */
async function comeBackWhenDue(deliveryId: number): Promise<void> {
  const [waiting] = await db()
    .select({ dueAt: webhookDeliveries.dueAt })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.id, deliveryId), eq(webhookDeliveries.status, 'queued')));
  if (waiting) await sendJobFor(db(), deliveryId, waiting.dueAt);
}

function sendJobFor(executor: Executor, deliveryId: number, dueAt: Date): Promise<void> {
  // The moment is read without its microseconds: a job just before it would come for nothing.
  return sendJob(executor, deliverWebhook, { deliveryId }, { startAfter: new Date(dueAt.getTime() + 1) });
}
