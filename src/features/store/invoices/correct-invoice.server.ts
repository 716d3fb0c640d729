import { eq } from 'drizzle-orm';
import { db, type Tx } from '#db/client.ts';
import { orders } from '#db/schema/store.ts';
import type { CurrentUser } from '#src/features/account/session.server.ts';
import {
  findVisibleOrder,
  issueOrderLink,
  readersOf,
} from '#src/features/store/orders/order-access.server.ts';
import { isFulfilled } from '#src/features/store/orders/orders.ts';
import { drawNumber, lockOrder, type Order, recordEvent } from '#src/features/store/orders/orders.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { queueMail } from '#src/server/mail/mail.ts';
import { AppError } from '#src/shared/errors.ts';
import type { Billing } from './billing.ts';

/**
 * Issues the invoice once more under its own number, for the company (decision 110); books nothing.
 * @throws {AppError} not_found, conflict
 */
export async function correctInvoice(
  user: CurrentUser,
  orderId: number,
  billing: Billing,
): Promise<{ message: string }> {
  const visitor = { user: { id: user.id, role: 'student' as const }, key: null, claimSecret: null };
  if (!(await findVisibleOrder(String(orderId), visitor))) {
    throw new AppError('not_found', 'You have no such order.');
  }
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const order = await lockOrder(tx, orderId);
      if (!isFulfilled(order.status) || order.invoiceNumber === null) {
        throw new AppError('conflict', 'This order has no invoice yet.');
      }
      if (order.billing || order.correction) {
        const { company } = order.correction?.billing ?? order.billing!;
        throw new AppError('conflict', `The invoice names ${company} already. Write to us if that is wrong.`);
      }
      const at = new Date();
      const number = await drawNumber(tx, 'INV', at);
      await tx
        .update(orders)
        .set({ correction: { number, at: at.toISOString(), billing } })
        .where(eq(orders.id, orderId));
      await recordEvent(tx, orderId, {
        type: 'invoice_corrected',
        source: 'buyer',
        actorId: user.id,
        details: { number, company: billing.company },
      });
      await mailCorrected(tx, order, { number, company: billing.company });
      return { message: `Invoice ${number} names ${billing.company}.` };
    }),
  );
}

async function mailCorrected(
  tx: Tx,
  order: Order,
  { number, company }: { number: string; company: string },
): Promise<void> {
  const links = await issueOrderLink(tx, order);
  for (const { to, hello, key } of await readersOf(tx, order))
    await queueMail(tx, {
      template: 'corrected-invoice',
      to,
      subject: `Your corrected invoice ${number}`,
      content: {
        title: 'Your invoice names a company now',
        paragraphs: [
          hello,
          `Invoice ${number} for order ${order.id} names ${company}. It takes the place of invoice ${order.invoiceNumber}; there is nothing to pay again.`,
        ],
        links: [{ label: 'See your order', url: links.page }],
      },
      papers: [{ kind: 'corrected-invoice', id: order.id }],
      dedupeKey: `corrected-invoice:${order.id}${key}`,
    });
}
