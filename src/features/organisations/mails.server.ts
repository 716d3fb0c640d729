import { and, eq, isNotNull } from 'drizzle-orm';
import type { Executor } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { queueMail } from '#src/server/mail/mail.ts';
import { siteName } from '#src/server/mail/mail-layout.ts';
import { counted } from '#src/shared/counted.ts';
import { mailedName } from '#src/shared/names.ts';
import { env } from '#src/server/start/env.ts';
import { WHAT_IS_SEEN } from './organisations.ts';
import type { OrganisationRole } from './schema.ts';

function joinLink(secret: string): string {
  const url = new URL('/join', env().siteUrl);
  url.searchParams.set('token', secret);
  return url.href;
}

/** Unproven addresses get no names, which anybody may have made up; the page behind the link shows them. */
async function isProven(executor: Executor, email: string): Promise<boolean> {
  const known = await executor.$count(users, and(eq(users.email, email), isNotNull(users.emailVerifiedAt)));
  return known > 0;
}

export async function mailMemberInvitation(
  executor: Executor,
  invitation: { to: string; organisation: string; by: string; role: OrganisationRole; secret: string },
): Promise<void> {
  const title = 'Run an organisation with us';
  const may =
    invitation.role === 'owner'
      ? 'An owner buys and gives seats, and names the people who may do so.'
      : 'A manager buys and gives seats, and sees how far people are.';
  const named = await isProven(executor, invitation.to);
  const by = named ? mailedName(invitation.by, 'Somebody') : 'Somebody';
  const organisation = named ? mailedName(invitation.organisation, '') : '';
  await queueMail(executor, {
    template: 'organisation-invitation',
    to: invitation.to,
    // Subjects hold no typed text.
    subject: `${title} | ${siteName()}`,
    content: {
      title,
      paragraphs: [
        'Hello,',
        `${by} invites you to run ${organisation ? `“${organisation}”` : 'an organisation'} at ${siteName()}. ${may}`,
      ],
      action: { label: 'See the invitation', url: joinLink(invitation.secret) },
      notes: ['If you do not know who this is from, ignore this email: nothing happens then.'],
    },
  });
}

export async function mailSeatOffer(
  executor: Executor,
  offer: { to: string; organisation: string; title: string; isBundle: boolean; secret: string },
): Promise<void> {
  const title = offer.isBundle ? 'Your place in several courses' : 'Your place in a course';
  const named = await isProven(executor, offer.to);
  const organisation = named ? mailedName(offer.organisation, 'An organisation') : 'An organisation';
  await queueMail(executor, {
    template: 'seat-offer',
    to: offer.to,
    subject: `${title} | ${siteName()}`,
    content: {
      title,
      paragraphs: [
        'Hello,',
        `${organisation} has a place for you in “${offer.title}” at ${siteName()}. It costs you nothing.`,
        WHAT_IS_SEEN,
      ],
      action: { label: 'Take my place', url: joinLink(offer.secret) },
      notes: [
        `The link is for ${offer.to} and works until your organisation takes the place back. If you do not know who this is from, ignore this email.`,
      ],
    },
  });
}

export async function mailSeatTakenBack(
  executor: Executor,
  seat: { to: string; organisation: string; title: string; idleDays: number },
): Promise<void> {
  const title = 'Your place was taken back';
  const named = await isProven(executor, seat.to);
  const organisation = named ? mailedName(seat.organisation, 'Your organisation') : 'Your organisation';
  await queueMail(executor, {
    template: 'seat-taken-back',
    to: seat.to,
    subject: `${title} | ${siteName()}`,
    content: {
      title,
      paragraphs: [
        'Hello,',
        `${organisation} took your place in “${seat.title}” back: you were not there for ${counted(seat.idleDays, 'day')} or more, and somebody else can learn with it now.`,
        'What you have done is kept, and goes on from there should you get the course again. Your certificates stay yours.',
      ],
      action: { label: 'Your courses', url: `${env().siteUrl}/my-courses` },
    },
  });
}
