/** `purchases`, `account` and `site` always arrive. */
export const MAIL_CATEGORIES = [
  'purchases',
  'learning',
  'teaching',
  'organisation',
  'account',
  'site',
] as const;
export type MailCategory = (typeof MAIL_CATEGORIES)[number];

/**
 * `perDay` is for one address in 24 hours; more are dropped, or delayed where money is concerned. `choice`: `optional` can be
 * off, `daily` also joins the daily mail.
 */
export interface MailKindRules {
  readonly category: MailCategory;
  readonly perDay: number;
  readonly beyond: 'left out' | 'waits';
  readonly choice?: 'optional' | 'daily';
}

const few = (category: MailCategory, perDay: number, choice?: MailKindRules['choice']): MailKindRules => ({
  category,
  perDay,
  beyond: 'left out',
  ...(choice ? { choice } : {}),
});
const money = (perDay: number): MailKindRules => ({ category: 'purchases', perDay, beyond: 'waits' });

/** Limits are by address, which any account may name; callers do not learn of drops. */
export const MAIL_KINDS = {
  'admin-request-decided': few('account', 10),
  'assignment-graded': few('learning', 100, 'optional'),
  'bank-order': money(100),
  'claim-link': few('purchases', 20),
  'contact-message': few('site', 1000),
  'corrected-invoice': money(100),
  'course-news': few('learning', 50, 'daily'),
  'course-staff': few('teaching', 20),
  'course-unproven': few('teaching', 50, 'daily'),
  'daily-digest': few('learning', 2),
  'dead-links': few('teaching', 20, 'daily'),
  'email-change': few('account', 5),
  'email-change-notice': few('account', 20),
  'email-change-taken': few('account', 5),
  'email-verification': few('account', 10),
  'grading-decided': few('learning', 100, 'optional'),
  'invoice-overdue': money(100),
  'lesson-questions': few('teaching', 200, 'daily'),
  'organisation-invitation': few('organisation', 5),
  'organisation-week': few('organisation', 20, 'optional'),
  'password-changed': few('account', 20),
  'password-reset': few('account', 20),
  'payment-received': money(100),
  'purchase-attached': money(100),
  'question-answered': few('learning', 100, 'daily'),
  receipt: money(100),
  'recovery-code-used': few('account', 20),
  refund: money(300),
  'review-answered': few('learning', 20, 'daily'),
  'seat-offer': few('organisation', 20),
  'seat-taken-back': few('organisation', 20),
  'second-factor-changed': few('account', 50),
  'second-factor-guessed': few('account', 5),
  'second-factor-reset': few('account', 20),
  'webhook-rests': few('organisation', 20),
  'weekly-next': few('learning', 2, 'optional'),
} as const satisfies Record<string, MailKindRules>;

export type MailKind = keyof typeof MAIL_KINDS;
