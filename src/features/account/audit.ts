export type AuditSubject =
  | 'user'
  | 'course'
  | 'lesson'
  | 'order'
  | 'organisation'
  | 'coupon'
  | 'bundle'
  | 'contact_message'
  | 'review'
  | 'lesson_question'
  | 'assignment'
  | 'certificate'
  | 'mail'
  | 'search_synonym';

interface About<S extends AuditSubject, D extends object = object> {
  subjectType: S;
  details: D;
}
type AboutUser<D extends object = object> = About<'user', { email: string } & D>;
type AboutCourse<D extends object = object> = About<'course', { title: string } & D>;
type AboutLesson<D extends object = object> = About<
  'lesson',
  { title: string; course: string; courseId: number } & D
>;
type AboutOrder<D extends object = object> = About<'order', { order: number } & D>;
type AboutRating = About<'review', { courseId: number; userId: number; rating: number }>;
type AboutQuestion = About<'lesson_question', { lesson: string; userId: number }>;
type AboutSynonym = About<'search_synonym', { typed: string; means: string }>;

export interface AdminAudit {
  'role.granted': AboutUser<{ from: string; to: string }>;
  'role.revoked': AboutUser<{ from: string; to: string }>;
  'admin_request.approved': AboutUser;
  'admin_request.declined': AboutUser;
  'user.deleted': About<'user'>;
  'second_factor.reset': AboutUser;
  'user.exported': AboutUser;
  'user.instructor_changed': AboutUser<{ what: string }>;
  'user.signed_out': AboutUser<{ which: string }>;
  'seat_prices.changed': About<'organisation', { steps: string }>;
  'enrollment.granted': AboutUser<{ course: string; courseId: number }>;
  'enrollment.revoked': AboutUser<{ course: string; courseId: number; progress: number }>;
  'course.created': AboutCourse<{ lessons?: number }>;
  'course.updated': AboutCourse<{ changed: string }>;
  'course.lessons_ordered': AboutCourse;
  'course.checked': AboutCourse<{ lessons: number }>;
  'course.changes_published': AboutCourse<{ changes: string }>;
  'course.changes_discarded': AboutCourse<{ changes: string }>;
  'course.imported': AboutCourse<{ changes: string }>;
  'course.staff_set': AboutCourse<{ email: string; role: string }>;
  'course.staff_removed': AboutCourse<{ email: string; role: string }>;
  'course.shown': AboutCourse;
  'course.hidden': AboutCourse;
  'course.news_sent': AboutCourse<{ news: string }>;
  'course.news_deleted': AboutCourse<{ news: string }>;
  'course.withdrawn': AboutCourse;
  'course.duplicated': AboutCourse<{ from: string }>;
  'course.archived': AboutCourse;
  'course.unarchived': AboutCourse;
  'course.deleted': AboutCourse;
  'lesson.finding_overridden': AboutLesson<{ finding: string }>;
  'lesson.override_withdrawn': AboutLesson<{ finding: string }>;
  'lesson.group_hint_written': AboutLesson;
  'lesson.group_hint_removed': AboutLesson;
  'lesson.created': AboutLesson;
  'lesson.updated': AboutLesson<{ changed: string; change?: string }>;
  'lesson.deleted': AboutLesson;
  'lesson.duplicated': AboutLesson;
  'lesson.moved': AboutLesson<{ from: string }>;
  'assignment.graded': About<'assignment', { grade: number; before: number | null }>;
  'assignment.regraded': About<'assignment', { grade: number; before: number | null }>;
  'grade.changed': AboutLesson<{ userId: number; before: number | null; grade: number }>;
  'attempt.added': AboutLesson<{ userId: number }>;
  'lesson.excused': AboutLesson<{ userId: number }>;
  'lesson.excuse_withdrawn': AboutLesson<{ userId: number }>;
  'certificate.revoked': About<'certificate', { number: string }>;
  'certificate.restored': About<'certificate', { number: string }>;
  'review.hidden': AboutRating;
  'review.shown': AboutRating;
  'review_answer.hidden': AboutRating;
  'review_answer.shown': AboutRating;
  'review_answer.removed': AboutRating;
  'question.hidden': AboutQuestion;
  'question.shown': AboutQuestion;
  'message.status_changed': About<'contact_message', { subject: string; from: string; to: string }>;
  'search_synonym.added': AboutSynonym;
  'search_synonym.removed': AboutSynonym;
  'mail.retried': About<'mail', { subject: string; email: string }>;
  'coupon.created': About<'coupon', { code: string }>;
  'coupon.batch_created': About<'coupon', { prefix: string; number: number }>;
  'coupon.batch_enabled': About<'coupon', { prefix: string; number: number }>;
  'coupon.batch_disabled': About<'coupon', { prefix: string; number: number }>;
  'coupon.enabled': About<'coupon', { code: string }>;
  'coupon.disabled': About<'coupon', { code: string }>;
  'bundle.created': About<'bundle', { title: string }>;
  'bundle.updated': About<
    'bundle',
    { title: string; state: 'active' | 'hidden'; price: string; before: string }
  >;
  'bundle.deleted': About<'bundle', { title: string }>;
  'order.line_refunded': AboutOrder<{ title: string; amount: string; outcome: 'sent' | 'kept' | 'refused' }>;
  'order.refund_resent': AboutOrder<{ amount: string }>;
  'order.withdrawal_accepted': AboutOrder<{ title: string }>;
  'order.withdrawal_declined': AboutOrder<{ title: string }>;
  'order.receipt_resent': AboutOrder<{ email: string }>;
  'order.claim_link_resent': AboutOrder<{ email: string }>;
  'order.reconciled': AboutOrder<{ from: string; to: string; found: string }>;
  'order.flag_settled': AboutOrder<{ flag: string }>;
  'order.released': AboutOrder<{ amount: string }>;
  'order.transfer_recorded': AboutOrder<{ amount: string; reference: string }>;
  'order.cancelled': AboutOrder;
}

export interface OwnAudit {
  'password.reset': About<'user'>;
  'password.changed': About<'user'>;
  'email.changed': AboutUser;
  'second_factor.passkey_added': About<'user'>;
  'second_factor.passkey_removed': About<'user'>;
  'second_factor.app_added': About<'user'>;
  'second_factor.app_removed': About<'user'>;
  'second_factor.codes_renewed': About<'user'>;
}

type AuditActions = AdminAudit & OwnAudit;

export type AuditEntry = {
  [A in keyof AuditActions]: {
    action: A;
    subjectType: AuditActions[A]['subjectType'];
    subjectId?: number | string;
    reason?: string;
  } & (object extends AuditActions[A]['details']
    ? { details?: never }
    : { details: AuditActions[A]['details'] });
}[keyof AuditActions];

export type AuditSentences<Actions extends Record<keyof Actions, About<AuditSubject>>> = {
  [A in keyof Actions]: (about: (detail: Extract<keyof Actions[A]['details'], string>) => string) => string;
};
