import type { Executor } from '#db/client.ts';
import { env } from '#src/server/env.ts';
import { queueMail } from '#src/server/mail.ts';
import { type MailContent, mailLayout, siteName } from '#src/server/mail-layout.ts';

type Recipient = { email: string; username: string };

/** A link into the site, from the configured address alone (fault A13). */
function siteLink(path: string, token: string): string {
  const url = new URL(path, env().siteUrl);
  url.searchParams.set('token', token);
  return url.href;
}

const hours = (count: number) => (count === 1 ? '1 hour' : `${count} hours`);

async function queue(
  executor: Executor,
  template: string,
  to: Recipient,
  content: MailContent,
  dedupeKey?: string,
): Promise<void> {
  const greeted = { ...content, paragraphs: [`Hello ${to.username},`, ...content.paragraphs] };
  await queueMail(executor, {
    template,
    to: to.email,
    // Nothing that a person typed stands in a subject.
    subject: `${content.title} | ${siteName()}`,
    ...mailLayout(greeted),
    ...(dedupeKey ? { dedupeKey } : {}),
  });
}

/** The link that proves an address after registration. */
export async function mailVerificationLink(
  executor: Executor,
  to: Recipient,
  token: string,
  validHours: number,
): Promise<void> {
  await queue(executor, 'email-verification', to, {
    title: 'Verify your email address',
    paragraphs: [
      `An account at ${siteName()} was created with this email address.`,
      'Please confirm that the address is yours. You can use your account in the meantime.',
    ],
    action: { label: 'Verify my email address', url: siteLink('/verify-email', token) },
    notes: [
      `The link works for ${hours(validHours)}. If you did not create the account, ignore this email: without the confirmation the address does not count as verified.`,
    ],
  });
}

/** The link that sets a new password. `dedupeKey` names the request, so that a repeated job mails once. */
export async function mailResetLink(
  executor: Executor,
  to: Recipient,
  token: string,
  validMinutes: number,
  dedupeKey: string,
): Promise<void> {
  await queue(
    executor,
    'password-reset',
    to,
    {
      title: 'Reset your password',
      paragraphs: [
        `Someone asked for a new password for your account at ${siteName()}. If it was you, choose one here.`,
      ],
      action: { label: 'Choose a new password', url: siteLink('/reset-password', token) },
      notes: [
        `The link works for ${validMinutes} minutes and only once. If you did not ask for it, ignore this email: your password stays as it is.`,
      ],
    },
    dedupeKey,
  );
}

/** Invites somebody for whom an administrator made an account: the link sets their first password. */
export async function mailInvitation(
  executor: Executor,
  to: Recipient,
  token: string,
  validDays: number,
  courseTitles: readonly string[],
): Promise<void> {
  await queue(executor, 'invitation', to, {
    title: 'Your account is ready',
    paragraphs: [
      `An account at ${siteName()} was made for you with this email address.`,
      ...(courseTitles.length > 0 ? [`It gives you access to: ${courseTitles.join(', ')}.`] : []),
      'Choose a password to begin.',
    ],
    action: { label: 'Choose a password', url: siteLink('/reset-password', token) },
    notes: [
      `The link works for ${validDays} days and only once. Later, “Forgot your password?” on the sign-in page sends you a new one. If you do not know what this is about, ignore this email: nobody can use the account without the link.`,
    ],
  });
}

/**
 * Tells the owner of an account that its password was changed, in case it was not them.
 *
 * @param how by a mailed link, which ends every session, or on the account page, which ends all but that one
 */
export async function mailPasswordChanged(
  executor: Executor,
  to: Recipient,
  how: 'link' | 'account-page' = 'link',
): Promise<void> {
  await queue(executor, 'password-changed', to, {
    title: 'Your password was changed',
    paragraphs:
      how === 'link'
        ? [
            `The password of your account at ${siteName()} was just changed with a link that we mailed to this address. You are signed out everywhere; please sign in with the new password.`,
            'If it was not you, someone can read your email. Secure your mailbox first, then choose a new password here.',
          ]
        : [
            `The password of your account at ${siteName()} was just changed on its account page. Every other device was signed out.`,
            'If it was not you, choose a new password here at once.',
          ],
    action: { label: 'Reset my password', url: new URL('/forgot-password', env().siteUrl).href },
  });
}

/** Tells a person how their request for administrator access was decided. */
export async function mailAdminDecision(
  executor: Executor,
  to: Recipient,
  decision: 'approve' | 'decline',
  reason: string,
): Promise<void> {
  const approved = decision === 'approve';
  await queue(executor, 'admin-request-decided', to, {
    title: approved ? 'You are now an administrator' : 'Your request for administrator access',
    paragraphs: [
      approved
        ? `Your request for administrator access at ${siteName()} was approved. The Admin Panel is in your account menu.`
        : `Your request for administrator access at ${siteName()} was declined. Your account stays a student account.`,
      ...(reason ? [`The administrator wrote: ${reason}`] : []),
    ],
    ...(approved
      ? { action: { label: 'Open the Admin Panel', url: new URL('/admin', env().siteUrl).href } }
      : {}),
  });
}
