import type { Executor } from '#db/client.ts';
import { env } from '#src/server/start/env.ts';
import { queueMail } from '#src/server/mail/mail.ts';
import type { MailKind } from '#src/server/mail/mail-kinds.ts';
import { counted } from '#src/shared/counted.ts';
import { shownDate } from '#src/shared/dates.ts';
import { greeting } from '#src/shared/names.ts';
import { type MailContent, siteName } from '#src/server/mail/mail-layout.ts';
import type { StaffRole } from './staff.ts';

/** Mails to unverified addresses contain no name. */
type Recipient = { email: string; username: string; emailVerifiedAt: Date | null };

/** From the configured address alone (fault A13). */
function siteLink(path: string, token: string): string {
  const url = new URL(path, env().siteUrl);
  url.searchParams.set('token', token);
  return url.href;
}

const hours = (count: number) => (count === 1 ? '1 hour' : `${count} hours`);

async function queue(
  executor: Executor,
  template: MailKind,
  to: Recipient,
  content: MailContent,
  dedupeKey?: string,
): Promise<void> {
  const greeted = {
    ...content,
    paragraphs: [greeting(to.username, to.emailVerifiedAt !== null), ...content.paragraphs],
  };
  await queueMail(executor, {
    template,
    to: to.email,
    subject: `${content.title} | ${siteName()}`,
    content: greeted,
    ...(dedupeKey ? { dedupeKey } : {}),
  });
}

/** @param bought titles of courses that come with the proof */
export async function mailVerificationLink(
  executor: Executor,
  to: Omit<Recipient, 'emailVerifiedAt'>,
  token: string,
  validHours: number,
  bought: readonly string[],
): Promise<void> {
  const titles = bought.map((title) => `“${title}”`).join(', ');
  await queue(
    executor,
    'email-verification',
    { ...to, emailVerifiedAt: null },
    {
      title: 'Verify your email address',
      paragraphs: [
        `An account at ${siteName()} was created with this email address.`,
        bought.length > 0
          ? `Please confirm that the address is yours: then ${titles}, bought with it, ${bought.length === 1 ? 'is' : 'are'} in your account.`
          : 'Please confirm that the address is yours. You can use your account in the meantime.',
      ],
      action: {
        label: ['Verify my email address', 'Get to my course'][bought.length] ?? 'Get to my courses',
        url: siteLink('/verify-email', token),
      },
      notes: [
        `The link works for ${hours(validHours)}. If you did not create the account, ignore this email: without the confirmation the address does not count as verified.`,
      ],
    },
  );
}

/** `dedupeKey` names the request, so that a repeated job mails once. */
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
        `The link works for ${counted(validMinutes, 'minute')} and only once. If you did not ask for it, ignore this email: your password stays as it is.`,
      ],
    },
    dedupeKey,
  );
}

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

export async function mailCourseStaff(
  executor: Executor,
  to: Recipient,
  { course, courseId, role }: { course: string; courseId: number; role: StaffRole | null },
): Promise<void> {
  const path = role === 'author' ? `/admin/courses/${courseId}/content` : '/teaching';
  await queue(executor, 'course-staff', to, {
    title: role
      ? `You are ${role === 'author' ? 'an author' : 'a grader'} of a course`
      : 'You left the staff of a course',
    paragraphs: [
      role === null
        ? `You are not on the staff of “${course}” any more. What you wrote and graded there stays.`
        : role === 'author'
          ? `You write “${course}” from now on: its lessons, pictures, videos and news, what learners ask and hand in, and when it is published.`
          : `You grade what learners of “${course}” hand in, and answer what they ask.`,
      ...(role ? ['You find it under Teaching in your account menu.'] : []),
    ],
    ...(role ? { action: { label: 'Open the course', url: new URL(path, env().siteUrl).href } } : {}),
  });
}

/** `says` who invites to what */
export async function mailInvitation(
  executor: Executor,
  {
    template,
    to,
    title,
    says,
    expiresAt,
    secret,
  }: Record<'to' | 'title' | 'says' | 'secret', string> & { template: MailKind; expiresAt: Date },
): Promise<void> {
  await queue(
    executor,
    template,
    { email: to, username: '', emailVerifiedAt: null },
    {
      title,
      paragraphs: [says, `The invitation works until ${shownDate(expiresAt.toISOString())}.`],
      action: { label: 'See the invitation', url: siteLink('/join', secret) },
      notes: ['If you do not know who this is from, ignore this email: nothing happens then.'],
    },
  );
}

const accountPage = () => ({
  label: 'Open your account page',
  url: new URL('/account', env().siteUrl).href,
});

const NOT_YOU =
  'If it was not you, somebody may be signed in to your account: choose a new password on your account page at once, which signs every other device out, and write to us.';

const FACTOR_CHANGES = {
  'passkey-added': ['A passkey was added', 'A passkey was just added to your account'],
  'passkey-removed': ['A passkey was removed', 'A passkey was just removed from your account'],
  'app-added': ['An authenticator app was added', 'An authenticator app was just added to your account'],
  'app-removed': [
    'The authenticator app was removed',
    'The authenticator app was just removed from your account',
  ],
  'codes-renewed': [
    'New recovery codes were made',
    'New recovery codes were just made, and the earlier ones stopped working, for your account',
  ],
} as const;
export type FactorChange = keyof typeof FACTOR_CHANGES;

export async function mailFactorChanged(
  executor: Executor,
  to: Recipient,
  change: FactorChange,
): Promise<void> {
  const [title, what] = FACTOR_CHANGES[change];
  await queue(executor, 'second-factor-changed', to, {
    title,
    paragraphs: [`${what} at ${siteName()}.`, NOT_YOU],
    action: accountPage(),
  });
}

export async function mailRecoveryCodeUsed(executor: Executor, to: Recipient): Promise<void> {
  await queue(executor, 'recovery-code-used', to, {
    title: 'A recovery code was used',
    paragraphs: [
      `One of the recovery codes of your account at ${siteName()} was just used. It does not work again.`,
      NOT_YOU,
    ],
    action: accountPage(),
  });
}

export async function mailFactorGuessed(executor: Executor, to: Recipient & { id: number }): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  await queue(
    executor,
    'second-factor-guessed',
    to,
    {
      title: 'Wrong one-time codes for your account',
      paragraphs: [
        `Somebody typed too many wrong one-time codes for your account at ${siteName()}. Codes are refused for an hour; passkeys and recovery codes still work.`,
        'If it was not you, somebody knows your password. Choose a new one.',
      ],
      action: { label: 'Choose a new password', url: new URL('/forgot-password', env().siteUrl).href },
    },
    `second-factor-guessed:${to.id}:${day}`,
  );
}

export async function mailFactorsReset(executor: Executor, to: Recipient): Promise<void> {
  await queue(executor, 'second-factor-reset', to, {
    title: 'Your second factors were removed',
    paragraphs: [
      `The second factors of your account at ${siteName()} were removed by the people who run the site, and you are signed out everywhere. Sign in with your password, and set a second factor up again on your account page.`,
      'If you did not ask for this, write to us at once.',
    ],
    action: { label: 'Sign in', url: new URL('/login', env().siteUrl).href },
  });
}

export async function mailEmailChangeLink(
  executor: Executor,
  to: Omit<Recipient, 'emailVerifiedAt'>,
  token: string,
  validHours: number,
): Promise<void> {
  await queue(
    executor,
    'email-change',
    { ...to, emailVerifiedAt: null },
    {
      title: 'Confirm your new email address',
      paragraphs: [
        `Somebody asked to use this address for their account at ${siteName()}. If it was you, confirm it here; until then the account keeps its present address.`,
      ],
      action: { label: 'Use this address', url: siteLink('/change-email', token) },
      notes: [
        `The link works for ${hours(validHours)} and only once. If you did not ask for it, ignore this email: nothing happens without the link.`,
      ],
    },
  );
}

export async function mailEmailTaken(executor: Executor, to: Recipient): Promise<void> {
  await queue(executor, 'email-change-taken', to, {
    title: 'This address has an account already',
    paragraphs: [
      `Somebody asked to use this address for another account at ${siteName()}. It belongs to your account, and nothing has changed.`,
      'If it was you, sign in with this address, or change it in this account first.',
    ],
    action: { label: 'Sign in', url: new URL('/login', env().siteUrl).href },
  });
}

export async function mailEmailChange(
  executor: Executor,
  to: Recipient,
  change: { newEmail: string; done: boolean },
): Promise<void> {
  await queue(executor, 'email-change-notice', to, {
    title: change.done ? 'Your email address was changed' : 'A change of your email address was asked for',
    paragraphs: [
      change.done
        ? `Your account at ${siteName()} now has the address ${change.newEmail}. Links to a new password go there from now on.`
        : `Somebody who is signed in to your account at ${siteName()} asked to change its address to ${change.newEmail}. It changes when the link mailed there is opened.`,
      change.done ? 'If it was not you, write to us at once from this address.' : NOT_YOU,
    ],
    ...(change.done ? {} : { action: accountPage() }),
  });
}
