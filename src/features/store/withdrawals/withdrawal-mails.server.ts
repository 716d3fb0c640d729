import type { Tx } from '#db/client.ts';
import type { withdrawals } from '#db/schema/store.ts';
import { issueOrderLink } from '#src/features/store/orders/order-access.server.ts';
import { orderGreeting } from '#src/features/store/orders/order-greeting.server.ts';
import type { Order, OrderItem } from '#src/features/store/orders/orders.server.ts';
import { queueMail } from '#src/server/mail/mail.ts';
import { siteName } from '#src/server/mail/mail-layout.ts';
import { env } from '#src/server/start/env.ts';
import { formatCents } from '#src/shared/money.ts';

type Row = typeof withdrawals.$inferSelect;

/** "3 November 2026, 09:00:12 UTC". */
const moment = (at: Date) =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' }).format(at).replace(' at ', ', ')} UTC`;

/** Queues the receipt of a withdrawal: what was stated, and when (directive 2011/83, article 11a). */
export async function mailWithdrawal(
  tx: Tx,
  order: Order,
  lines: readonly OrderItem[],
  rows: readonly Row[],
): Promise<void> {
  const [{ email, madeAt }] = rows as [Row];
  if (!email) return;
  const isOpen = rows.some(({ state }) => state === 'open');
  const isGranted = rows.some(({ state }) => state === 'granted');
  const links = await issueOrderLink(tx, order);
  await queueMail(tx, {
    template: 'withdrawal',
    to: email,
    subject: `Your withdrawal from order ${order.id}`,
    content: {
      title: 'We have your withdrawal',
      paragraphs: [
        await orderGreeting(tx, order),
        `You withdrew from the following on ${moment(madeAt)}: order ${order.id}, invoice ${order.invoiceNumber}.`,
      ],
      figures: lines.map((line) => ({ label: line.title, value: formatCents(line.priceCents) })),
      after: [
        ...(isGranted
          ? [
              'The price goes back to the card you paid with, and the access ends. We write again once it is on its way.',
            ]
          : []),
        ...(isOpen ? ['One of us has to look at this withdrawal, and writes to you.'] : []),
      ],
      links: [
        { label: 'See your order', url: links.page },
        { label: 'Ask us about this withdrawal', url: `${env().siteUrl}/contact` },
      ],
    },
    dedupeKey: `withdrawal:${rows[0]!.id}`,
  });
}

/** Queues the link with which a buyer without the reference goes on with a withdrawal. */
export async function mailWithdrawalLink(
  tx: Tx,
  order: Order,
  to: string,
  secret: string,
  requestId: string,
): Promise<void> {
  const title = 'Withdraw from your purchase';
  const url = new URL('/withdraw', env().siteUrl);
  url.searchParams.set('token', secret);
  await queueMail(tx, {
    template: 'withdrawal-link',
    to,
    subject: `${title} | ${siteName()}`,
    content: {
      title,
      paragraphs: [
        'Hello,',
        `Somebody asked to withdraw from order ${order.id}. If it was you, go on here. Nothing has happened yet: the price goes back and the access ends only once you confirm it on the page that opens.`,
      ],
      action: { label: 'Go on with the withdrawal', url: url.href },
      notes: [
        'The link works for 7 days and only once. If you did not ask for it, ignore this email: your purchase stays as it is.',
      ],
    },
    dedupeKey: `withdrawal-link:${requestId}`,
  });
}

/** Queues the notice that a withdrawal was declined, with the reason. */
export async function mailDeclined(tx: Tx, order: Order, line: OrderItem, row: Row): Promise<void> {
  if (!row.email) return;
  const links = await issueOrderLink(tx, order);
  await queueMail(tx, {
    template: 'withdrawal-declined',
    to: row.email,
    subject: `Your withdrawal from order ${order.id} was declined`,
    content: {
      title: 'We declined your withdrawal',
      paragraphs: [
        await orderGreeting(tx, order),
        `You withdrew from “${line.title}” on ${moment(row.madeAt)}. We looked at it and declined it.`,
        `The reason: ${row.reason}`,
      ],
      links: [
        { label: 'See your order', url: links.page },
        { label: 'Ask us about this', url: `${env().siteUrl}/contact` },
      ],
    },
    dedupeKey: `withdrawal-declined:${row.id}`,
  });
}
