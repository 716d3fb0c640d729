import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { and, eq, gte } from 'drizzle-orm';
import { parse } from 'yaml';
import type { Executor } from '#db/client.ts';
import { enrollments } from '#db/schema/learn.ts';
import { orderItems } from '#db/schema/store.ts';
import type { Order } from '#src/features/store/orders/orders.server.ts';
import type { ConsentsInput } from '#src/features/store/schema.ts';
import { sellsToEuConsumers } from '#src/server/eu-consumers.ts';
import { shownMoment } from '#src/shared/dates.ts';
import { AppError } from '#src/shared/errors.ts';
import { type ConsentWording, consentsSchema } from './consents.ts';

let known: ConsentWording | undefined;

/** How the checkout asks for the consents; null where the firm does not sell to whom may withdraw. */
export function consentWording(): ConsentWording | null {
  if (!sellsToEuConsumers()) return null;
  if (!known) {
    const file = readFileSync(new URL('../../../content/consents.yaml', import.meta.url), 'utf8');
    const content = consentsSchema.parse(parse(file));
    const agreed = JSON.stringify([content.begin.text, content.loss.text]);
    known = { ...content, version: createHash('sha256').update(agreed).digest('hex').slice(0, 16) };
  }
  return known;
}

/**
 * What an order keeps of the ticks: both texts as they were shown, or nothing, also where one of the two is missing.
 *
 * @param ticked what the page sent; nothing where it did not ask
 * @throws {AppError} invalid_input where the page showed another wording
 */
export function consentsOf(
  ticked: ConsentsInput | undefined,
  order: Pick<Order, 'organisationId'>,
): Order['consents'] {
  const wording = consentWording();
  if (!wording || !ticked?.begin || !ticked.loss || order.organisationId !== null) return null;
  if (ticked.version !== wording.version) {
    const message =
      'The wording of the consents has changed since this page was loaded. Reload the page and read them again, or take both ticks out.';
    throw new AppError('invalid_input', message, { fields: { consents: message } });
  }
  return { at: new Date().toISOString(), begin: wording.begin.text, loss: wording.loss.text };
}

/** What an order's buyer agreed to, for its page and its receipt; null where nothing was, or is not asked for any more. */
export function agreedOf({ consents }: Pick<Order, 'consents'>): { lead: string; texts: string[] } | null {
  const wording = consentWording();
  if (!wording || !consents) return null;
  return {
    lead: wording.agreed.replace('{at}', shownMoment(consents.at)),
    texts: [consents.begin, consents.loss],
  };
}

/** The lines of an order whose right ended because the course was begun, as its buyer agreed. */
export async function begunLines(order: Order, executor: Executor): Promise<Set<number>> {
  if (!order.consents || !order.completedAt) return new Set();
  const rows = await executor
    .select({ id: orderItems.id })
    .from(orderItems)
    .innerJoin(enrollments, eq(enrollments.orderItemId, orderItems.id))
    // What was opened with an earlier purchase of the course begins nothing of this one.
    .where(and(eq(orderItems.orderId, order.id), gte(enrollments.lastAccessedAt, order.completedAt)));
  return new Set(rows.map(({ id }) => id));
}
