import type { Tx } from '#db/client.ts';
import { env } from '#src/server/env.ts';
import { queueMail } from '#src/server/mail.ts';
import { formatCents } from '#src/shared/money.ts';
import { CLAIM_LINK_DAYS } from './guests.server.ts';
import type { Order, OrderItem } from './orders.server.ts';

/** How a course line reads in mails. */
function itemLine(item: OrderItem): string {
  return `- ${item.title}: ${formatCents(item.priceCents)}`;
}

/** What a receipt says beside the order itself. */
export type ReceiptFacts = {
  /** Lines that the buyer owned already and gets back. */
  duplicates: readonly OrderItem[];
  /** A guest's order that an account of the same address got at once. */
  attached: boolean;
  /** The link with which a guest takes the courses into an account. */
  claimLink: string | null;
};

/** Where the courses are; nothing where every line is paid back. */
function way(order: Order, items: readonly OrderItem[], { duplicates, attached, claimLink }: ReceiptFacts) {
  if (claimLink) {
    return [
      `Your ${items.length === 1 ? 'course is' : 'courses are'} not in an account yet. If you did not make one after paying, open this link to get to what you bought. It works for ${CLAIM_LINK_DAYS} days and only once:`,
      claimLink,
    ];
  }
  if (order.userId === null) {
    return duplicates.length > 0
      ? ['What you own is in your account, or behind the link in your first receipt.']
      : [];
  }
  return [
    attached
      ? 'There is an account with this email address, so we added what you bought to it. Its password did not change. Sign in to start, with lifetime access:'
      : 'Your courses are waiting for you, with lifetime access:',
    `${env().siteUrl}/dashboard`,
  ];
}

/** Queues the receipt of a completed order, once per order however often it is asked for (fault P1). */
export async function queueReceipt(
  tx: Tx,
  order: Order,
  items: readonly OrderItem[],
  facts: ReceiptFacts,
): Promise<void> {
  // Paid past our page, without an address: the order is flagged for an operator.
  if (!order.buyerEmail) return;
  const { duplicates } = facts;
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
    ...way(order, items, facts),
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
