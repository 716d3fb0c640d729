import type { AdminAudit, AuditSentences, AuditSubject, OwnAudit } from '#src/features/account/audit.ts';
import { counted } from '#src/shared/counted.ts';
import { MESSAGE_STATUSES, type MessageStatus } from '#src/features/admin/operations/schema.ts';

/** Null for all. */
export function parseRole(value: string | null): 'student' | 'admin' | null {
  return value === 'student' || value === 'admin' ? value : null;
}

/** Null for all. */
export function parseMessageStatus(value: string | null): MessageStatus | null {
  return MESSAGE_STATUSES.find((status) => status === value) ?? null;
}

export interface ListedUser {
  id: number;
  username: string;
  email: string;
  role: 'student' | 'admin';
  emailVerified: boolean;
  joinedAt: string;
}

export interface InboxMessage {
  id: number;
  name: string;
  email: string;
  subject: string;
  message: string;
  status: MessageStatus;
  receivedAt: string;
}

/** The newest orders and mails are named. */
/** Counted at each page view. */
export interface WaitingCounts {
  adminRequests: number;
  newMessages: number;
  ungraded: number;
  unanswered: number;
  ordersToRelease: number;
  ordersToSendBack: number;
  flaggedOrders: number;
  failedMails: number;
}

export interface ThingsToDo extends Omit<WaitingCounts, 'flaggedOrders' | 'failedMails'> {
  /** Of the last days. */
  paidWithoutAccess: number;
  flaggedOrders: { count: number; newest: { id: number; flag: string }[] };
  failedMails: { count: number; newest: { id: number; recipient: string; subject: string; error: string }[] };
  /** Listed ones with an unproven lesson. */
  unprovenCourses: { count: number; newest: { id: number; title: string }[] };
  /** Listed ones. */
  deadLinks: { count: number; newest: { id: number; title: string }[] };
}

export interface Change {
  id: number;
  at: string;
  actorName: string;
  action: string;
  subjectType: string;
  subjectId: string | null;
  reason: string | null;
  details: Record<string, unknown>;
}

/** None where no choice was offered. */
const LESSON_CHANGES: Record<string, string> = {
  correction: ' as a correction',
  new_version: ' as a new version',
};

const REFUND_OUTCOMES: Record<string, string> = {
  sent: 'refunded',
  kept: 'asked for a refund (the provider did not answer yet) of',
  refused: 'asked for a refund (refused) of',
};
const words = (state: string) => state.replaceAll('_', ' ');

const SENTENCES: AuditSentences<AdminAudit> = {
  'role.granted': (about) => `made ${about('email')} an administrator`,
  'role.revoked': (about) => `took administrator access from ${about('email')}`,
  'admin_request.approved': (about) => `approved the administrator request of ${about('email')}`,
  'admin_request.declined': (about) => `declined the administrator request of ${about('email')}`,
  'user.deleted': () => 'deleted a person and everything personal about them',
  'second_factor.reset': (about) => `took the second factors of ${about('email')} away`,
  'user.exported': (about) => `exported everything about ${about('email')}`,
  'user.instructor_changed': (about) =>
    `changed what courses show of ${about('email')} as instructor: ${about('what')}`,
  'user.signed_out': (about) => `signed ${about('email')} out on ${about('which')}`,
  'seat_prices.changed': (about) => `set the prices of seats: ${about('steps') || 'no steps'}`,
  'enrollment.granted': (about) => `gave ${about('email')} access to “${about('course')}”`,
  'enrollment.revoked': (about) =>
    `took access to “${about('course')}” from ${about('email')}; ${about('progress')}% progress is kept`,
  'course.created': (about) => `made the course “${about('title')}”`,
  'course.updated': (about) => `changed the course “${about('title')}”: ${about('changed')}`,
  'course.lessons_ordered': (about) => `put the lessons of “${about('title')}” into another order`,
  'course.checked': (about) => `had the lessons of “${about('title')}” checked`,
  'course.changes_published': (about) => `published changes of “${about('title')}”: ${about('changes')}`,
  'course.changes_discarded': (about) => `took changes of “${about('title')}” back: ${about('changes')}`,
  'course.imported': (about) => `read the course “${about('title')}” from files: ${about('changes')}`,
  'lesson.finding_overridden': (about) =>
    `let a finding about the lesson “${about('title')}” of “${about('course')}” pass: ${about('finding')}`,
  'lesson.override_withdrawn': (about) =>
    `no longer lets a finding about the lesson “${about('title')}” of “${about('course')}” pass: ${about('finding')}`,
  'lesson.group_hint_written': (about) =>
    `wrote a hint for learners who are stuck in the lesson “${about('title')}” of “${about('course')}”`,
  'lesson.group_hint_removed': (about) =>
    `took a hint for learners who are stuck in the lesson “${about('title')}” of “${about('course')}” away`,
  'lesson.created': (about) => `added the lesson “${about('title')}” to “${about('course')}”`,
  'lesson.updated': (about) =>
    `changed the lesson “${about('title')}” of “${about('course')}”${LESSON_CHANGES[about('change')] ?? ''}: ${about('changed')}`,
  'lesson.deleted': (about) => `deleted the lesson “${about('title')}” of “${about('course')}”`,
  'lesson.duplicated': (about) => `copied the lesson “${about('title')}” in “${about('course')}”`,
  'lesson.moved': (about) =>
    `moved the lesson “${about('title')}” from “${about('from')}” to “${about('course')}”`,
  'assignment.graded': (about) => `graded a submission: ${about('grade')} of 100`,
  'assignment.regraded': (about) =>
    `changed the grade of a submission from ${about('before')} to ${about('grade')}`,
  'grade.changed': (about) =>
    `changed a learner’s grade in the lesson “${about('title')}” of “${about('course')}” from ${about('before') || 'none'} to ${about('grade')}`,
  'attempt.added': (about) =>
    `gave a learner another attempt at the lesson “${about('title')}” of “${about('course')}”`,
  'lesson.excused': (about) =>
    `excused a learner from the lesson “${about('title')}” of “${about('course')}”`,
  'lesson.excuse_withdrawn': (about) =>
    `no longer excuses a learner from the lesson “${about('title')}” of “${about('course')}”`,
  'certificate.revoked': (about) => `revoked the certificate ${about('number')}`,
  'certificate.restored': (about) => `took the revocation of the certificate ${about('number')} back`,
  'course.staff_set': (about) => `made ${about('email')} ${about('role')} of the course “${about('title')}”`,
  'course.staff_removed': (about) => `took ${about('email')} off the staff of the course “${about('title')}”`,
  'course.shown': (about) => `made the course “${about('title')}” visible`,
  'course.hidden': (about) => `hid the course “${about('title')}”`,
  'course.news_sent': (about) => `sent the learners of “${about('title')}” the news “${about('news')}”`,
  'course.news_deleted': (about) => `deleted the sent news “${about('news')}” of “${about('title')}”`,
  'course.withdrawn': (about) => `deleted the course “${about('title')}” from the store; its buyers keep it`,
  'course.duplicated': (about) => `made “${about('title')}” as a copy of the course “${about('from')}”`,
  'course.archived': (about) => `archived the course “${about('title')}”`,
  'course.unarchived': (about) => `brought the course “${about('title')}” back from the archive`,
  'course.deleted': (about) => `deleted the course “${about('title')}”`,
  'review.hidden': (about) => `hid a review with ${counted(Number(about('rating')), 'star')}`,
  'review.shown': (about) => `showed a review with ${counted(Number(about('rating')), 'star')} again`,
  'review_answer.hidden': (about) =>
    `hid the answer to a review with ${counted(Number(about('rating')), 'star')}`,
  'review_answer.shown': (about) =>
    `showed the answer to a review with ${counted(Number(about('rating')), 'star')} again`,
  'review_answer.removed': (about) =>
    `removed somebody’s answer to a review with ${counted(Number(about('rating')), 'star')}`,
  'question.hidden': (about) => `hid a question about the lesson “${about('lesson')}”`,
  'question.shown': (about) => `looked at a question about the lesson “${about('lesson')}” and let it show`,
  'message.status_changed': (about) => `marked the message “${about('subject')}” as ${about('to')}`,
  'search_synonym.added': (about) => `let searches for “${about('typed')}” find “${about('means')}”`,
  'search_synonym.removed': (about) =>
    `took back that searches for “${about('typed')}” find “${about('means')}”`,
  'mail.retried': (about) => `had the mail “${about('subject')}” to ${about('email')} sent again`,
  'coupon.created': (about) => `made the coupon ${about('code')}`,
  'coupon.batch_created': (about) => `made ${about('number')} coupons ${about('prefix')}-…`,
  'coupon.batch_enabled': (about) => `switched ${about('number')} coupons ${about('prefix')}-… on`,
  'coupon.batch_disabled': (about) => `switched ${about('number')} coupons ${about('prefix')}-… off`,
  'coupon.enabled': (about) => `switched the coupon ${about('code')} on`,
  'coupon.disabled': (about) => `switched the coupon ${about('code')} off`,
  'bundle.created': (about) => `made the bundle “${about('title')}”`,
  'bundle.updated': (about) =>
    `changed the bundle “${about('title')}”: ${about('state')}, price from ${about('before')} to ${about('price')}`,
  'bundle.deleted': (about) => `deleted the bundle “${about('title')}”`,
  'order.line_refunded': (about) =>
    `${REFUND_OUTCOMES[about('outcome')] ?? 'refunded'} ${about('amount')} for “${about('title')}” of order #${about('order')}`,
  'order.withdrawal_accepted': (about) =>
    `accepted the withdrawal from “${about('title')}” of order #${about('order')}`,
  'order.withdrawal_declined': (about) =>
    `declined the withdrawal from “${about('title')}” of order #${about('order')}`,
  'order.refund_resent': (about) => `sent the refund of ${about('amount')} of order #${about('order')} again`,
  'order.receipt_resent': (about) => `had the receipt of order #${about('order')} mailed again`,
  'order.claim_link_resent': (about) => `had the claim link of order #${about('order')} mailed again`,
  'order.reconciled': (about) =>
    about('from') === about('to')
      ? `checked order #${about('order')} with the payment provider`
      : `checked order #${about('order')} with the payment provider; it went from ${words(about('from'))} to ${words(about('to'))}`,
  'order.released': (about) =>
    `opened order #${about('order')} of ${about('amount')} before its money was there`,
  'order.transfer_recorded': (about) =>
    `wrote down a bank transfer of ${about('amount')} for order #${about('order')}: ${about('reference')}`,
  'order.cancelled': (about) => `closed the order #${about('order')} by invoice`,
  'order.flag_settled': (about) => `settled what order #${about('order')} was marked for: ${about('flag')}`,
};

/** People's own actions are in the log too. */
const OWN_SENTENCES: AuditSentences<OwnAudit> = {
  'password.reset': () => 'set a new password by a mailed link',
  'password.changed': () => 'changed their password',
  'email.changed': () => 'changed their email address',
  'second_factor.passkey_added': () => 'added a passkey',
  'second_factor.passkey_removed': () => 'removed a passkey',
  'second_factor.app_added': () => 'added an authenticator app',
  'second_factor.app_removed': () => 'removed their authenticator app',
  'second_factor.codes_renewed': () => 'made new recovery codes',
};

/** Without people's own actions. */
export const ADMIN_ACTIONS = Object.keys(SENTENCES);
export const ROLE_ACTIONS = ADMIN_ACTIONS.filter((action) =>
  /^(role|admin_request|user|enrollment)\./.test(action),
);

// A stored action may be of another version.
const ALL_SENTENCES = new Map<string, (about: (detail: string) => string) => string>(
  Object.entries({ ...SENTENCES, ...OWN_SENTENCES }),
);

/** Follows the actor's name. */
export function changeText({ action, details }: Pick<Change, 'action' | 'details'>): string {
  const about = (detail: string) =>
    typeof details[detail] === 'string' || typeof details[detail] === 'number'
      ? String(details[detail])
      : '(unknown)';
  return ALL_SENTENCES.get(action)?.(about) ?? action;
}

const SUBJECT_LABELS: Record<AuditSubject, string> = {
  user: 'People and roles',
  course: 'Courses',
  lesson: 'Lessons',
  order: 'Orders',
  coupon: 'Coupons',
  bundle: 'Bundles',
  contact_message: 'Enquiries',
  review: 'Reviews',
  lesson_question: 'Questions',
  assignment: 'Grades',
  certificate: 'Certificates',
  mail: 'Mail',
  search_synonym: 'Search synonyms',
  organisation: 'Organizations',
};

export const AUDIT_SUBJECTS: { value: string; label: string }[] = [
  { value: '', label: 'Everything' },
  ...Object.entries(SUBJECT_LABELS).map(([value, label]) => ({ value, label })),
];

/** Null for all. */
export function parseAuditSubject(value: string | null): string | null {
  return AUDIT_SUBJECTS.find((subject) => subject.value === value)?.value || null;
}

/** Null for none. */
export function changeHref({ action, subjectType, subjectId, details }: Change): string | null {
  if (subjectType === 'order' && subjectId) return `/admin/orders/${subjectId}`;
  if (subjectType === 'course' && subjectId && !/\.(deleted)$/.test(action))
    return `/admin/courses/${subjectId}/content`;
  if (subjectType === 'lesson' && typeof details.courseId === 'number') {
    return `/admin/courses/${details.courseId}/content`;
  }
  if (subjectType === 'coupon') return '/admin/coupons';
  if (subjectType === 'bundle') return '/admin/bundles';
  if (subjectType === 'review') return '/admin/reviews';
  if (subjectType === 'lesson_question') return `/admin/questions?question=${subjectId}`;
  if (subjectType === 'user' && subjectId && action !== 'user.deleted') return `/admin/users/${subjectId}`;
  return null;
}
