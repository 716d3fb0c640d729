/**
 * What becomes of a mail over its kind's number: one that tells nothing that is not on the site is left out, one about
 * money waits a day.
 */
type Kind = { readonly perDay: number; readonly beyond: 'left out' | 'waits' };

const few = (perDay: number): Kind => ({ perDay, beyond: 'left out' });
/** Nobody may be left without a paper about money: many are sent, and more come a day later. */
const money = (perDay: number): Kind => ({ perDay, beyond: 'waits' });

/**
 * Every kind of mail, with how many of it one address gets in 24 hours, whoever causes them: any number of accounts,
 * orders and organisations may name a stranger's address. The caller does not learn whether a mail was left out.
 */
export const MAIL_KINDS = {
  'admin-request-decided': few(10),
  'assignment-graded': few(100),
  'bank-order': money(100),
  'claim-link': few(20),
  // To the firm itself; every message stands in the administration too.
  'contact-message': few(1000),
  'corrected-invoice': money(100),
  'course-finished': few(50),
  'course-news': few(50),
  'course-staff': few(20),
  'course-unproven': few(50),
  'dead-links': few(20),
  'email-change': few(5),
  'email-change-notice': few(20),
  'email-change-taken': few(5),
  'email-verification': few(10),
  'grading-decided': few(100),
  'invoice-overdue': money(100),
  'lesson-questions': few(200),
  'organisation-invitation': few(5),
  'organisation-week': few(20),
  'password-changed': few(20),
  'password-reset': few(20),
  'payment-received': money(100),
  'purchase-attached': money(100),
  'question-answered': few(100),
  receipt: money(100),
  'recovery-code-used': few(20),
  refund: money(300),
  'review-answered': few(20),
  'seat-offer': few(20),
  'seat-taken-back': few(20),
  'second-factor-changed': few(50),
  'second-factor-guessed': few(5),
  'second-factor-reset': few(20),
  'webhook-rests': few(20),
  'weekly-next': few(2),
} as const satisfies Record<string, Kind>;

export type MailKind = keyof typeof MAIL_KINDS;
