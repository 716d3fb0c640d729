import type { Executor } from '#db/client.ts';
import { accountFigures } from '#src/features/store/invoices/invoice.ts';
import { seller } from '#src/features/store/invoices/seller.server.ts';
import { issueOrderLink, readersOf } from '#src/features/store/orders/order-access.server.ts';
import { invoicesOf } from '#src/features/store/orders/receipt.server.ts';
import type { Order } from '#src/features/store/orders/orders.server.ts';
import { queueMail } from '#src/server/mail/mail.ts';
import { siteName } from '#src/server/mail/mail-layout.ts';
import { shownDate } from '#src/shared/dates.ts';
import { formatCents } from '#src/shared/money.ts';

function bankFigures(order: Pick<Order, 'id' | 'invoiceNumber'>): { label: string; value: string }[] {
  const { bank } = seller();
  return [
    { label: 'Account holder', value: bank.holder },
    ...accountFigures(bank).map(({ label, value }) => ({
      label: label[0]!.toUpperCase() + label.slice(1),
      value,
    })),
    { label: 'Reference', value: order.invoiceNumber ?? `Order ${order.id}` },
  ];
}

export async function mailOrderReceived(executor: Executor, order: Order, title: string): Promise<void> {
  const { page } = await issueOrderLink(executor, order);
  for (const { to, hello, key } of await readersOf(executor, order))
    await queueMail(executor, {
      template: 'bank-order',
      to,
      subject: `We have your order ${order.id} | ${siteName()}`,
      content: {
        title: 'We have your order',
        paragraphs: [
          hello,
          `You ordered ${title}. We look at the order and open the seats then, at the latest when your transfer has arrived. You need not wait for us to pay.`,
        ],
        figures: [
          { label: 'Total', value: `${formatCents(order.totalCents)} USD`, strong: true },
          ...bankFigures(order),
        ],
        action: { label: 'See the order', url: page },
      },
      dedupeKey: `bank-order:${order.id}${key}`,
    });
}

/** Goes to the buyer, or to the owners where the buyer no longer runs the organisation. */
export async function mailOverdue(
  executor: Executor,
  order: Order,
  leftCents: number,
  number: number,
): Promise<void> {
  const links = await issueOrderLink(executor, order);
  for (const { to, hello } of await readersOf(executor, order))
    await queueMail(executor, {
      template: 'invoice-overdue',
      to,
      subject: `Reminder: invoice ${order.invoiceNumber}`,
      content: {
        title: 'An invoice is still open',
        paragraphs: [
          hello,
          `Invoice ${order.invoiceNumber} was due on ${shownDate(order.dueAt!.toISOString())}. If you have paid it in the last days, ignore this mail.`,
        ],
        figures: [
          { label: 'Still to be paid', value: `${formatCents(leftCents)} USD`, strong: true },
          ...bankFigures(order),
        ],
        action: { label: 'View or print the invoice', url: links.invoice },
        links: [{ label: 'See your order', url: links.page }],
      },
      papers: invoicesOf(order),
      dedupeKey: `invoice-overdue:${order.id}:${number}:${to}`,
    });
}

export async function mailPaymentReceived(
  executor: Executor,
  order: Order,
  { id, amountCents, bookedOn }: { id: number; amountCents: number; bookedOn: string },
  leftCents: number,
): Promise<void> {
  const links = await issueOrderLink(executor, order);
  const isClosed = order.status === 'expired' || order.status === 'failed';
  for (const { to, hello, key } of await readersOf(executor, order))
    await queueMail(executor, {
      template: 'payment-received',
      to,
      subject: `We have received ${formatCents(amountCents)} for order ${order.id}`,
      content: {
        title: 'Your payment arrived',
        paragraphs: [
          hello,
          `Your transfer of ${shownDate(bookedOn)} for order ${order.id}${order.invoiceNumber ? `, invoice ${order.invoiceNumber},` : ''} is with us.`,
        ],
        figures: [
          { label: 'Received', value: `${formatCents(amountCents)} USD` },
          ...(isClosed
            ? []
            : [
                {
                  label: 'Still to be paid',
                  value: `${formatCents(Math.max(0, leftCents))} USD`,
                  strong: true,
                },
              ]),
        ],
        after: [
          ...(isClosed
            ? ['The order was closed and is not paid in full, so nothing opens. Write to us how to go on.']
            : leftCents > 0
              ? []
              : ['The order is paid in full. Thank you.']),
          ...(leftCents < 0
            ? [
                `${formatCents(-leftCents)} of it is more than the order costs. We send that back by transfer.`,
              ]
            : []),
        ],
        links: [{ label: 'See your order', url: links.page }],
      },
      dedupeKey: `payment-received:${id}${key}`,
    });
}
