import { randomUUID } from 'node:crypto';
import { lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '#db/client.ts';
import { claimTokens } from '#db/schema/store.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { hashSecret } from '#src/features/account/session.server.ts';
import { type JobDefinition, sendJob } from '#src/server/jobs.ts';
import { tryConsume } from '#src/server/limits/rate-limit.ts';
import { AppError } from '#src/shared/errors.ts';
import { mailClaimLink } from './claim-mails.server.ts';
import { findClaimToken, findVerifiedAccount, issueClaimLink, unclaimedOrders } from './guests.server.ts';
import { sweepOrderLinks } from '#src/features/store/orders/order-access.server.ts';
import { findOrder, recordEvent } from '#src/features/store/orders/orders.server.ts';
import { isFulfilled } from '#src/features/store/orders/orders.ts';
import { LINK_REQUESTED, openLines } from '#src/features/store/guests/proof.server.ts';

const TOKEN_KEEP_DAYS = 30;

/**
 * A job looks the address up, so that the answer and its time reveal nothing (decision 25).
 * @param email normalised
 */
export async function requestClaimLink(email: string): Promise<{ message: string }> {
  if (await tryConsume('claim-link-email', hashSecret(email))) {
    await sendJob(db(), mailClaimLinkJob, { email, requestId: randomUUID() });
  }
  return { message: LINK_REQUESTED };
}

export const mailClaimLinkJob: JobDefinition<z.ZodObject<{ email: z.ZodString; requestId: z.ZodString }>> = {
  name: 'store.mail-claim-link',
  data: z.object({ email: z.string(), requestId: z.string() }),
  retries: 5,
  retryDelaySeconds: 5,
  leaseSeconds: 30,
  run: async ({ email, requestId }) => {
    await db().transaction(async (tx) => {
      for (const order of (await unclaimedOrders(email, tx)).toReversed()) {
        const lines = await openLines(order, tx);
        if (lines.length === 0) continue;
        const link = await issueClaimLink(tx, order.id);
        await mailClaimLink(tx, order, lines, link, `claim-link:${requestId}`);
        return;
      }
    });
  },
};

/** Decision 26, audited. @throws {AppError} not_found, conflict */
export async function resendClaimLink(orderId: number, actor: Actor): Promise<{ message: string }> {
  return db().transaction(async (tx) => {
    const order = await findOrder(orderId, tx);
    if (!order) throw new AppError('not_found', 'There is no such order.');
    const lines = isFulfilled(order.status) ? await openLines(order, tx) : [];
    if (order.userId !== null || !order.buyerEmail || lines.length === 0) {
      throw new AppError('conflict', 'There is nothing to claim in this order.');
    }
    await mailClaimLink(tx, order, lines, await issueClaimLink(tx, order.id));
    await recordEvent(tx, order.id, { type: 'claim_link_sent', source: 'admin', actorId: actor.id });
    await recordAudit(tx, actor, {
      action: 'order.claim_link_resent',
      subjectType: 'order',
      subjectId: order.id,
      details: { order: order.id, email: order.buyerEmail },
    });
    return { message: `We sent a new link to ${order.buyerEmail}.` };
  });
}

type ClaimView =
  | { state: 'invalid' }
  | { state: 'used'; mine: boolean }
  | {
      state: 'open';
      email: string;
      firstName: string;
      lastName: string;
      courses: { id: number; title: string }[];
      hasAccount: boolean;
    };

export async function readClaim(token: string, user: { id: number } | null): Promise<ClaimView> {
  const found = await findClaimToken(token);
  if (!found) return { state: 'invalid' };
  const { order, usable } = found;
  if (order.userId !== null) return { state: 'used', mine: order.userId === user?.id };
  const lines = await openLines(order);
  if (!usable || lines.length === 0) return { state: 'invalid' };
  return {
    state: 'open',
    email: order.buyerEmail,
    firstName: order.buyerFirstName,
    lastName: order.buyerLastName,
    courses: lines.map((item) => ({ id: item.courseId, title: item.title })),
    hasAccount: (await findVerifiedAccount(db(), order.buyerEmail)) !== null,
  };
}

export const sweepClaimsJob: JobDefinition<z.ZodOptional<z.ZodUnknown>> = {
  name: 'store.sweep-claims',
  data: z.unknown().optional(),
  retries: 2,
  retryDelaySeconds: 60,
  leaseSeconds: 120,
  cron: '*/10 * * * *',
  run: async () => {
    await db()
      .delete(claimTokens)
      .where(lt(claimTokens.expiresAt, sql`now() - make_interval(days => ${TOKEN_KEEP_DAYS})`));
    await sweepOrderLinks();
  },
};
