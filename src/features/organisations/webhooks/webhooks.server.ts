import { isIP } from 'node:net';
import { and, asc, count, desc, eq } from 'drizzle-orm';
import { db, type Tx } from '#db/client.ts';
import { webhookDeliveries, webhookEndpoints, webhookEvents } from '#db/schema/webhooks.ts';
import { type CurrentUser, newSecret } from '#src/features/account/session.server.ts';
import { isPublicAddress } from '#src/server/http/outside.ts';
import { sendJob } from '#src/server/jobs.ts';
import { deliverWebhook } from '#src/server/webhooks/deliver.ts';
import { spreadWebhooks } from '#src/server/webhooks/events.ts';
import { AppError } from '#src/shared/errors.ts';
import { ADMIN_PAGE_SIZE, pageCount } from '#src/shared/list-query.ts';
import { lockOrganisation } from '../members.server.ts';
import type { Delivery, Webhook, WebhookKind } from './webhooks.ts';

const WEBHOOKS_MAX = 10;

const noWebhook = () => new AppError('not_found', 'There is no such webhook.');

/** Oldest first. */
export function listWebhooks(organisationId: number): Promise<Webhook[]> {
  return db()
    .select({
      id: webhookEndpoints.id,
      url: webhookEndpoints.url,
      kinds: webhookEndpoints.kinds,
      paused: webhookEndpoints.paused,
      restedAt: webhookEndpoints.restedAt,
      restReason: webhookEndpoints.restReason,
    })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.organisationId, organisationId))
    .orderBy(asc(webhookEndpoints.id));
}

/** Latest first. */
export async function listDeliveries(
  organisationId: number,
  asked: { webhookId: number | null; page: number },
): Promise<{ rows: Delivery[]; total: number; page: number }> {
  const where = and(
    eq(webhookEndpoints.organisationId, organisationId),
    asked.webhookId === null ? undefined : eq(webhookEndpoints.id, asked.webhookId),
  );
  const [counted] = await db()
    .select({ total: count() })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .where(where);
  const total = counted?.total ?? 0;
  const page = Math.min(asked.page, pageCount(total));
  const rows = await db()
    .select({
      id: webhookDeliveries.id,
      eventId: webhookDeliveries.eventId,
      kind: webhookEvents.kind,
      url: webhookEndpoints.url,
      status: webhookDeliveries.status,
      attempts: webhookDeliveries.attempts,
      answerCode: webhookDeliveries.answerCode,
      answerText: webhookDeliveries.answerText,
      lastError: webhookDeliveries.lastError,
      tookMs: webhookDeliveries.tookMs,
      createdAt: webhookDeliveries.createdAt,
      triedAt: webhookDeliveries.triedAt,
      dueAt: webhookDeliveries.dueAt,
    })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .where(where)
    .orderBy(desc(webhookDeliveries.id))
    .limit(ADMIN_PAGE_SIZE)
    .offset((page - 1) * ADMIN_PAGE_SIZE);
  return { rows, total, page };
}

/**
 * For owners.
 * @returns the secret, shown once
 * @throws {AppError} not_found, forbidden, invalid_input, conflict
 */
export async function addWebhook(
  user: Pick<CurrentUser, 'id' | 'emailVerified'>,
  organisationId: number,
  { url, kinds }: { url: string; kinds: WebhookKind[] },
): Promise<{ id: number; secret: string }> {
  const { hostname, port, href } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const isPrivate = isIP(host)
    ? !isPublicAddress(host)
    : !host.includes('.') || /\.(local|internal)$/.test(host);
  if (isPrivate || port !== '') {
    const message = 'Address must be one of the public internet, at the usual port of https';
    throw new AppError('invalid_input', message, { fields: { url: message } });
  }
  return db().transaction(async (tx) => {
    await lockOrganisation(tx, user.id, organisationId, 'owner');
    // Unproven accounts cannot make the site call strangers.
    if (!user.emailVerified) {
      throw new AppError('forbidden', 'Please confirm your own email address first, on your account page.');
    }
    const known = await tx
      .select({ url: webhookEndpoints.url })
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.organisationId, organisationId));
    if (known.some((one) => one.url === href)) {
      const message = 'This address is there already';
      throw new AppError('conflict', message, { fields: { url: message } });
    }
    if (known.length >= WEBHOOKS_MAX) {
      throw new AppError('conflict', `An organisation has ${WEBHOOKS_MAX} webhooks at most.`);
    }
    const secret = `whsec_${newSecret()}`;
    const [made] = await tx
      .insert(webhookEndpoints)
      .values({ organisationId, url: href, kinds, secret })
      .returning({ id: webhookEndpoints.id });
    return { id: made!.id, secret };
  });
}

async function lockWebhook(tx: Tx, userId: number, organisationId: number, webhookId: number) {
  await lockOrganisation(tx, userId, organisationId, 'owner');
  const [found] = await tx
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.id, webhookId), eq(webhookEndpoints.organisationId, organisationId)))
    .for('update');
  if (!found) throw noWebhook();
  return found;
}

/** Events of a pause are not sent later. */
export async function changeWebhook(
  userId: number,
  { organisationId, webhookId }: { organisationId: number; webhookId: number },
  wanted: { kinds: WebhookKind[]; paused: boolean },
): Promise<{ message: string }> {
  return db().transaction(async (tx) => {
    const before = await lockWebhook(tx, userId, organisationId, webhookId);
    // Resuming resets the tries; an owner's pause needs no reason.
    const anew = before.paused ? { failures: 0, restedAt: null, restReason: null } : {};
    await tx
      .update(webhookEndpoints)
      .set({ ...wanted, ...(wanted.paused ? {} : anew) })
      .where(eq(webhookEndpoints.id, webhookId));
    if (before.paused === wanted.paused) return { message: 'The events are saved.' };
    return { message: wanted.paused ? 'The webhook is paused.' : 'The webhook is sent to again.' };
  });
}

/** With its log; waiting events are dropped. */
export async function deleteWebhook(
  userId: number,
  { organisationId, webhookId }: { organisationId: number; webhookId: number },
): Promise<{ message: string }> {
  return db().transaction(async (tx) => {
    await lockWebhook(tx, userId, organisationId, webhookId);
    await tx.delete(webhookEndpoints).where(eq(webhookEndpoints.id, webhookId));
    return { message: 'The webhook is deleted.' };
  });
}

/** @throws {AppError} not_found, forbidden, conflict for a paused one */
export async function testWebhook(
  userId: number,
  { organisationId, webhookId }: { organisationId: number; webhookId: number },
): Promise<{ message: string }> {
  return db().transaction(async (tx) => {
    const { paused } = await lockWebhook(tx, userId, organisationId, webhookId);
    if (paused) throw new AppError('conflict', 'The webhook is paused. Resume it first.');
    await tx
      .insert(webhookEvents)
      .values({ organisationId, kind: 'test', endpointId: webhookId, data: { message: 'This is a test.' } });
    await sendJob(tx, spreadWebhooks, { organisationId });
    return { message: 'A test is on its way. Reload the page in a moment to see its answer.' };
  });
}

/**
 * With its first id and body.
 * @throws {AppError} not_found, forbidden, conflict
 */
export async function sendAgain(
  userId: number,
  organisationId: number,
  deliveryId: number,
): Promise<{ message: string }> {
  return db().transaction(async (tx) => {
    await lockOrganisation(tx, userId, organisationId, 'owner');
    const [found] = await tx
      .select({
        eventId: webhookDeliveries.eventId,
        endpointId: webhookDeliveries.endpointId,
        paused: webhookEndpoints.paused,
      })
      .from(webhookDeliveries)
      .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
      .where(and(eq(webhookDeliveries.id, deliveryId), eq(webhookEndpoints.organisationId, organisationId)));
    if (!found) throw new AppError('not_found', 'There is no such delivery.');
    if (found.paused) throw new AppError('conflict', 'The webhook is paused. Resume it first.');
    const [made] = await tx
      .insert(webhookDeliveries)
      .values({ eventId: found.eventId, endpointId: found.endpointId })
      .onConflictDoNothing()
      .returning({ id: webhookDeliveries.id });
    if (!made) throw new AppError('conflict', 'This event is waiting to be sent already.');
    await sendJob(tx, deliverWebhook, { deliveryId: made.id });
    return { message: 'The event is on its way again.' };
  });
}
