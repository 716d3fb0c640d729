import type { Tx } from '#db/client.ts';
import { env } from '#src/server/env.ts';
import { queueMail } from '#src/server/mail.ts';
import { formatCents } from '#src/shared/money.ts';
import type { Order, OrderItem } from './orders.server.ts';

/** How a course line reads in mails. */
function itemLine(item: OrderItem): string {
  return `- ${item.title}: ${formatCents(item.priceCents)}`;
}

/**
 * Queues the receipt of a completed order, once per order however often it is asked for (fault P1).
 *
 * @param duplicates lines that the buyer owned already and gets back
 */
export async function queueReceipt(
  tx: Tx,
  order: Order,
  items: readonly OrderItem[],
  duplicates: readonly OrderItem[],
): Promise<void> {
  const site = env().siteUrl;
  const paidBack = duplicates.filter((item) => item.priceCents > 0);
  const parts = [
    order.buyerFirstName ? `Hello ${order.buyerFirstName},` : 'Hello,',
    'Thank you for your order. This is your receipt.',
    [`Invoice ${order.invoiceNumber}`, `Order ${order.id}`].join('\n'),
    items.map(itemLine).join('\n'),
    [
      ...(order.taxCents > 0 ? [`Tax: ${formatCents(order.taxCents)}`] : []),
      `Total paid: ${formatCents(order.totalCents)} USD`,
    ].join('\n'),
    ...(paidBack.length > 0
      ? [
          `You owned the following already, so we pay it back to your card:\n${paidBack.map(itemLine).join('\n')}`,
        ]
      : []),
    ...(order.userId === null
      ? []
      : ['Your courses are waiting for you, with lifetime access:', `${site}/dashboard`]),
    'Questions about this order? Write to us and name the invoice number:',
    `${site}/contact`,
  ];
  await queueMail(tx, {
    template: 'receipt',
    to: order.buyerEmail,
    subject: `Your receipt ${order.invoiceNumber}`,
    text: parts.join('\n\n'),
    dedupeKey: `receipt:${order.id}`,
  });
}
