import type { Executor } from '#db/client.ts';
import { mailInvitation } from '#src/features/account/mails.server.ts';
import { queueMail } from '#src/server/mail/mail.ts';
import { siteName } from '#src/server/mail/mail-layout.ts';
import { counted } from '#src/shared/counted.ts';
import { shownDate } from '#src/shared/dates.ts';
import { mailedName } from '#src/shared/names.ts';
import { env } from '#src/server/start/env.ts';
import { WHAT_IS_SEEN } from './organisations.ts';
import type { OrganisationRole } from './schema.ts';

function joinLink(secret: string): string {
  const url = new URL('/join', env().siteUrl);
  url.searchParams.set('token', secret);
  return url.href;
}

type Sender = { name: string; email: string };

/** The company under its name here, and who writes for it: only by an address that is proven. */
const from = (organisation: string, by: Sender | null) =>
  (by ? `${`${mailedName(by.name, '')} (${by.email})`.trim()} of ` : '') +
  mailedName(organisation, 'an organization');

export async function mailMemberInvitation(
  executor: Executor,
  {
    organisation,
    by,
    role,
    ...link
  }: {
    to: string;
    organisation: string;
    by: Sender;
    role: OrganisationRole;
    expiresAt: Date;
    secret: string;
  },
): Promise<void> {
  const may =
    role === 'owner'
      ? 'An owner buys and gives seats, and names the people who may do so.'
      : 'A manager buys and gives seats, and sees how far people are.';
  await mailInvitation(executor, {
    template: 'organisation-invitation',
    title: `Run ${mailedName(organisation, 'an organization')} with us`,
    says: `${from(organisation, by)} invites you to run it together at ${siteName()}. ${may}`,
    ...link,
  });
}

/** @param offer.dueOn '2026-12-31', by when the learner is asked to be done */
export async function mailSeatOffer(
  executor: Executor,
  offer: {
    to: string;
    organisation: string;
    by: Sender | null;
    title: string;
    about: string;
    dueOn: string | null;
    secret: string;
  },
): Promise<void> {
  const { to, organisation, by, title, about, dueOn, secret } = offer;
  await queueMail(executor, {
    template: 'seat-offer',
    to,
    subject: `${mailedName(organisation, 'An organization')}: your place in “${title}” | ${siteName()}`,
    content: {
      title: `Your place in “${title}”`,
      paragraphs: [
        'Hello,',
        `A place in “${title}” at ${siteName()} waits for you, from ${from(organisation, by)}. It costs you nothing.`,
        ...(about ? [about] : []),
        ...(dueOn ? [`Please finish by ${shownDate(dueOn)}.`] : []),
        WHAT_IS_SEEN,
      ],
      action: { label: 'Take my place', url: joinLink(secret) },
      notes: [
        `The link is for ${to} and works until your organization takes the place back. If you do not know who this is from, ignore this email.`,
      ],
    },
  });
}

export async function mailSeatTakenBack(
  executor: Executor,
  seat: { to: string; organisation: string; title: string; idleDays: number },
): Promise<void> {
  const title = 'Your place was taken back';
  const organisation = mailedName(seat.organisation, 'Your organization');
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
