import { and, eq, inArray, sql } from 'drizzle-orm';
import { givesAccess } from '#src/features/catalogue/access.server.ts';
import type { Tx } from '#db/client.ts';
import { enrollments } from '#db/schema/learn.ts';
import { refunds } from '#db/schema/store.ts';
import { env } from '#src/server/start/env.ts';
import { type MailPaper, queueMail } from '#src/server/mail/mail.ts';
import type { MailContent } from '#src/server/mail/mail-layout.ts';
import { shownDate } from '#src/shared/dates.ts';
import { formatCents } from '#src/shared/money.ts';
import { lineTitle } from '#src/features/store/bundles/bundles.ts';
import { CLAIM_LINK_DAYS } from '#src/features/store/guests/guests.server.ts';
import { issueOrderLink, readersOf, ORDER_LINK_DAYS } from './order-access.server.ts';
import type { Order, OrderItem } from './orders.server.ts';

type ReceiptFacts = {
  duplicates: readonly OrderItem[];
  attached: boolean;
  claimLink: string | null;
};

export const invoicesOf = ({ id, correction }: Pick<Order, 'id' | 'correction'>): MailPaper[] => [
  { kind: 'invoice', id },
  ...(correction ? [{ kind: 'corrected-invoice' as const, id }] : []),
];

const LINK_NOTE = `The links to your order work for ${ORDER_LINK_DAYS} days; an account keeps it for good.`;

function way(
  order: Order,
  items: readonly OrderItem[],
  { duplicates, attached, claimLink }: ReceiptFacts,
): Pick<MailContent, 'after' | 'action' | 'notes'> & { lead?: string } {
  if (order.organisationId !== null) {
    return {
      lead: `Your organization has ${titles(items)}.`,
      action: { label: 'Give the seats', url: `${env().siteUrl}/organisations/${order.organisationId}` },
    };
  }
  if (claimLink) {
    const courses = items.length === 1 ? 'course is' : 'courses are';
    return {
      after: [
        `Your ${courses} not in an account yet. If you did not make one after paying, open this link to get to what you bought.`,
      ],
      action: { label: `Get to my ${items.length === 1 ? 'course' : 'courses'}`, url: claimLink },
      notes: [`The link to your course works for ${CLAIM_LINK_DAYS} days and only once.`],
    };
  }
  if (order.userId === null) {
    return duplicates.length > 0
      ? { after: ['What you own is in your account, or behind the link in your first receipt.'] }
      : {};
  }
  const owned = items.filter((item) => !duplicates.includes(item));
  const [first] = owned;
  return {
    ...(attached
      ? {
          after: [
            'There is an account with this email address, so we added what you bought to it. Its password did not change. Sign in to start, with lifetime access.',
          ],
        }
      : first
        ? { lead: `You own ${titles(owned)}, with lifetime access.` }
        : {}),
    action:
      owned.length === 1 && first
        ? { label: 'Start lesson 1', url: `${env().siteUrl}/learn/${first.courseId}` }
        : { label: 'Go to my courses', url: `${env().siteUrl}/dashboard` },
  };
}

function titles(items: readonly OrderItem[]): string {
  return new Intl.ListFormat('en-US').format(items.map(({ title }) => `“${title}”`));
}

function figuresOf(order: Order, items: readonly OrderItem[]): NonNullable<MailContent['figures']> {
  return [
    ...items.map((item) => ({ label: lineTitle(item), value: formatCents(item.listPriceCents) })),
    ...(order.couponCode
      ? [{ label: `Coupon ${order.couponCode}`, value: `-${formatCents(order.discountCents)}` }]
      : []),
    { label: 'Tax', value: formatCents(order.taxCents) },
    {
      label: order.payment === 'bank' ? 'Total' : 'Total paid',
      value: `${formatCents(order.totalCents)} USD`,
      strong: true,
    },
    ...(order.refundedCents > 0
      ? [{ label: 'Paid back', value: `-${formatCents(order.refundedCents)} USD` }]
      : []),
  ];
}

/** Once per order (fault P1), unless `again`. Free courses have a mail without an invoice. */
export async function queueReceipt(
  tx: Tx,
  order: Order,
  items: readonly OrderItem[],
  facts: ReceiptFacts,
  { again = false }: { again?: boolean } = {},
): Promise<void> {
  const readers = await readersOf(tx, order);
  if (readers.length === 0) return;
  const paidBack = facts.duplicates.filter((item) => item.priceCents > 0 && item.refundedAt === null);
  const refunded = items.filter((item) => item.refundedAt !== null && !facts.duplicates.includes(item));
  const kept = items.filter((item) => item.refundedAt === null);
  const { lead, after = [], action, notes = [] } = kept.length > 0 ? way(order, kept, facts) : {};
  const links = await issueOrderLink(tx, order);
  const isFree = items.every(({ listPriceCents }) => listPriceCents === 0);
  for (const { to, hello, key } of readers)
    await queueMail(tx, {
      template: 'receipt',
      to,
      subject: isFree
        ? `Yours for free: ${titles(items)}`
        : `Your ${order.payment === 'bank' ? 'invoice' : 'receipt'} ${order.invoiceNumber}`,
      content: {
        title: 'Thank you for your order',
        paragraphs: [
          hello,
          // The purchase comes before its paper (decision 62).
          ...(lead ? [lead] : []),
          ...(isFree
            ? []
            : [
                order.payment === 'bank'
                  ? `This is invoice ${order.invoiceNumber} for order ${order.id}. What is still to be paid of it is due on ${shownDate(order.dueAt!.toISOString())}; the invoice says where to.`
                  : `This is your receipt: order ${order.id}, invoice ${order.invoiceNumber}.`,
              ]),
        ],
        ...(isFree ? {} : { figures: figuresOf(order, items) }),
        after: [
          ...(paidBack.length > 0
            ? [
                `You owned the following already, so we pay it back to your card: ${paidBack
                  .map((item) => `${item.title} (${formatCents(item.priceCents)})`)
                  .join(', ')}.`,
              ]
            : []),
          ...(refunded.length > 0
            ? [`Refunded since: ${refunded.map(({ title }) => title).join(', ')}.`]
            : []),
          ...(await partsBack(tx, kept)),
          ...after,
        ],
        ...(action ? { action } : {}),
        links: [
          { label: 'See your order', url: links.page },
          ...(isFree ? [] : [{ label: 'View or print the invoice', url: links.invoice }]),
          { label: 'Ask us about this order', url: `${env().siteUrl}/contact` },
        ],
        notes: [...notes, ...(order.userId === null && order.organisationId === null ? [LINK_NOTE] : [])],
      },
      papers: isFree ? [] : invoicesOf(order),
      ...(again ? {} : { dedupeKey: `receipt:${order.id}${key}` }),
    });
}

async function partsBack(tx: Tx, kept: readonly OrderItem[]): Promise<string[]> {
  const ids = kept.map(({ id }) => id);
  const rows = await tx
    .select({ itemId: refunds.orderItemId, cents: sql<number>`sum(${refunds.amountCents})`.mapWith(Number) })
    .from(refunds)
    .where(and(inArray(refunds.orderItemId, ids), eq(refunds.status, 'succeeded')))
    .groupBy(refunds.orderItemId);
  if (rows.length === 0) return [];
  const parts = kept.flatMap(({ id, title }) => {
    const back = rows.find(({ itemId }) => itemId === id);
    return back ? [`${formatCents(back.cents)} for ${title}`] : [];
  });
  return [`Paid back since, and yours to keep: ${parts.join(', ')}.`];
}

/** Once per refund (decision 21). @param line null where the refund is for no single line */
export async function queueRefundNotice(
  tx: Tx,
  order: Order,
  refund: { id: string; rowId: number; amountCents: number; endsAccess: boolean },
  line: Pick<OrderItem, 'id' | 'courseId' | 'title' | 'bundleTitle' | 'boughtTwice'> | null,
): Promise<void> {
  const readers = await readersOf(tx, order);
  if (readers.length === 0) return;
  const links = await issueOrderLink(tx, order);
  const hadAlready = line !== null && (await hasFromElsewhere(tx, order, line));
  for (const { to, hello, key } of readers)
    await queueMail(tx, {
      template: 'refund',
      to,
      subject: `Your refund for order ${order.id}`,
      content: {
        title: order.payment === 'bank' ? 'A credit note for you' : 'We have paid you back',
        paragraphs: [
          hello,
          order.payment === 'bank'
            ? `The following is taken off invoice ${order.invoiceNumber}. What you paid beyond what is left goes back to your bank account.`
            : 'The following is on its way back to the card you paid with. Banks usually need 5 to 10 days to show it.',
        ],
        figures: [
          {
            label: line ? lineTitle(line) : `Order ${order.id}, invoice ${order.invoiceNumber}`,
            value: `${formatCents(refund.amountCents)} USD`,
            strong: true,
          },
        ],
        after: [
          hadAlready
            ? 'You keep the course: you had it already.'
            : line && order.organisationId !== null
              ? 'The seats that were paid back have ended; your organization’s page shows which. What their learners did is kept.'
              : line && !refund.endsAccess
                ? 'You keep the course, with all that you achieved in it.'
                : line
                  ? 'The access that came with it has ended. What you achieved in the course is kept, in case you buy it again.'
                  : 'Your order shows what was paid back and what you still have access to.',
        ],
        links: [
          { label: 'See your order', url: links.page },
          { label: 'Ask us about this refund', url: `${env().siteUrl}/contact` },
        ],
      },
      papers: [{ kind: 'credit-note', id: refund.rowId }],
      dedupeKey: `refund:${refund.id}${key}`,
    });
}

/** @param reason the administrator's, as the buyer reads it */
export async function queueRefundDeclined(tx: Tx, order: Order, reason: string): Promise<void> {
  const links = await issueOrderLink(tx, order);
  for (const { to, hello, key } of await readersOf(tx, order))
    await queueMail(tx, {
      template: 'refund',
      to,
      subject: `Your request for order ${order.id}`,
      content: {
        title: 'We do not pay this order back',
        paragraphs: [
          hello,
          `You asked for the money of order ${order.id} back. Our answer: ${reason}`,
          'You keep what you bought. If you see it differently, answer us.',
        ],
        links: [
          { label: 'See your order', url: links.page },
          { label: 'Answer us', url: `${env().siteUrl}/contact` },
        ],
      },
      dedupeKey: `refund-declined:${order.id}${key}`,
    });
}

async function hasFromElsewhere(
  tx: Tx,
  { userId }: Order,
  line: Pick<OrderItem, 'id' | 'courseId' | 'boughtTwice'>,
): Promise<boolean> {
  if (userId === null) return line.boughtTwice;
  const others = await tx.$count(
    enrollments,
    and(givesAccess(userId, line.courseId), sql`${enrollments.orderItemId} is distinct from ${line.id}`),
  );
  return others > 0;
}
