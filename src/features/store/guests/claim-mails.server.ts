import type { Executor } from '#db/client.ts';
import { env } from '#src/server/start/env.ts';
import { queueMail } from '#src/server/mail/mail.ts';
import { siteName } from '#src/server/mail/mail-layout.ts';
import { CLAIM_LINK_DAYS } from './guests.server.ts';
import { orderGreeting } from '#src/features/store/orders/order-greeting.server.ts';
import type { Order, OrderItem } from '#src/features/store/orders/orders.server.ts';

const titles = (items: readonly OrderItem[]): string => {
  const names = items.map((item) => `“${item.title}”`).join(', ');
  const bundles = [...new Set(items.flatMap((item) => item.bundleTitle ?? []))];
  return bundles.length === 0 ? names : `${names} (with the bundle “${bundles.join('”, “')}”)`;
};

/** Decision 26. */
export async function mailClaimLink(
  executor: Executor,
  order: Order,
  items: readonly OrderItem[],
  link: string,
  dedupeKey?: string,
): Promise<void> {
  const title = 'Get to the course you bought';
  await queueMail(executor, {
    template: 'claim-link',
    to: order.buyerEmail,
    subject: `${title} | ${siteName()}`,
    content: {
      title,
      paragraphs: [
        await orderGreeting(executor, order),
        `You bought ${titles(items)} at ${siteName()} and it is not in an account yet. Open this link to make an account, or to add it to the one you have.`,
      ],
      action: { label: 'Get to my course', url: link },
      notes: [
        `The link works for ${CLAIM_LINK_DAYS} days and only once. If you did not buy anything, ignore this email.`,
      ],
    },
    ...(dedupeKey ? { dedupeKey } : {}),
  });
}

type ClaimedBy =
  | 'same-address'
  | 'other-address'
  /** An unverified account of the address, handed over by the mailed link. */
  | 'taken-over';

export async function mailClaimed(
  executor: Executor,
  order: Order,
  items: readonly OrderItem[],
  by: ClaimedBy,
): Promise<void> {
  if (!order.buyerEmail) return;
  const title = 'Your course is in your account';
  const site = siteName();
  const said = {
    'same-address': [
      `There is an account with this email address at ${site}, so we added ${titles(items)} to it. Your password did not change.`,
      'If you do not know your password, you can set a new one on the sign-in page.',
    ],
    'other-address': [
      `${titles(items)}, bought with this email address at ${site}, was added to an account with another address, by someone who was signed in to it and had proof of the purchase.`,
    ],
    'taken-over': [
      `There was an account with this email address at ${site} whose address nobody had verified. With the link that we mailed you it is yours: the password is the one that you have just chosen, and whoever was signed in to it before is signed out. ${titles(items)} is in it.`,
      'If it was not you, someone can read your email. Secure your mailbox first, then set a new password on the sign-in page.',
    ],
  }[by];
  await queueMail(executor, {
    template: 'purchase-attached',
    to: order.buyerEmail,
    subject: `${title} | ${site}`,
    content: {
      title,
      paragraphs: [await orderGreeting(executor, order), ...said],
      action:
        by === 'other-address'
          ? { label: 'This was not me', url: new URL('/contact', env().siteUrl).href }
          : { label: 'Sign in', url: new URL('/login', env().siteUrl).href },
    },
    dedupeKey: `claimed:${order.id}`,
  });
}
