import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { byUser, counter, flag, identity, moment, momentNow, ofUser, users } from './account.ts';
import { COURSE_LEVELS, courses, lessons, ofCourse, ofLesson, tsvector } from './catalogue.ts';
import { orderItems } from './store.ts';
import { oneOf } from './one-of.ts';

export const enrollments = pgTable(
  'enrollments',
  {
    id: identity(),
    userId: ofUser(),
    courseId: integer()
      .notNull()
      .references(() => courses.id, { onDelete: 'restrict' }),
    status: text({ enum: ['active', 'suspended', 'revoked'] })
      .notNull()
      .default('active'),
    orderItemId: integer().references(() => orderItems.id, { onDelete: 'set null' }),
    enrolledAt: momentNow(),
    progress: smallint().notNull().default(0),
    completedAt: moment(),
    certificateIssued: flag(),
    currentLessonId: integer().references(() => lessons.id, { onDelete: 'set null' }),
    /** Seconds. */
    totalTimeSpent: counter(),
    lastAccessedAt: moment(),
    totalPoints: counter(),
    skillLevel: text({ enum: COURSE_LEVELS }).notNull().default('beginner'),
  },
  (t) => [
    uniqueIndex('enrollments_user_course_key').on(t.userId, t.courseId),
    index('enrollments_course_idx').on(t.courseId, t.enrolledAt),
    index('enrollments_user_accessed_idx').on(t.userId, t.lastAccessedAt.desc()),
    index('enrollments_enrolled_at_idx').on(t.enrolledAt),
    index('enrollments_owners_idx').on(t.userId).where(sql`${t.status} <> 'revoked'`),
    index('enrollments_course_owners_idx').on(t.courseId).where(sql`${t.status} <> 'revoked'`),
    index('enrollments_order_item_idx').on(t.orderItemId),
    index('enrollments_current_lesson_idx').on(t.currentLessonId),
    index('enrollments_certificate_due_idx')
      .on(t.id)
      .where(sql`${t.completedAt} is not null and not ${t.certificateIssued}`),
    check('enrollments_progress_range', sql`${t.progress} between 0 and 100`),
    check('enrollments_counts', sql`${t.totalTimeSpent} >= 0 and ${t.totalPoints} >= 0`),
    oneOf('enrollments_status_value', t.status),
    oneOf('enrollments_skill_level_value', t.skillLevel),
  ],
);

export const previewLearners = pgTable(
  'preview_learners',
  {
    userId: integer()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    // Not cascading: the user would stay as a person.
    adminId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'restrict' }),
    courseId: integer()
      .notNull()
      .references(() => courses.id, { onDelete: 'restrict' }),
  },
  (t) => [
    uniqueIndex('preview_learners_admin_course_key').on(t.adminId, t.courseId),
    index('preview_learners_course_idx').on(t.courseId),
  ],
);

export const courseNews = pgTable(
  'course_news',
  {
    id: identity(),
    courseId: ofCourse(),
    title: text().notNull(),
    body: text().notNull(),
    writtenBy: byUser(),
    version: integer().notNull().default(1),
    createdAt: momentNow(),
    sentAt: moment(),
  },
  (t) => [index('course_news_course_idx').on(t.courseId, t.sentAt.desc())],
);

export const lessonProgress = pgTable(
  'lesson_progress',
  {
    userId: ofUser(),
    lessonId: ofLesson(),
    courseId: ofCourse(),
    completed: flag(),
    /** Seconds. */
    timeSpent: counter(),
    startedAt: momentNow(),
    completedAt: moment(),
    seenChangeAt: moment(),
    score: smallint(),
    attempts: counter(),
    notes: text().notNull().default(''),
    notesVersion: counter(),
    notesWords: tsvector().notNull().default(sql`''`),
    /** Seconds, and merged intervals. */
    videoPosition: counter(),
    watchedIntervals: jsonb().$type<[number, number][]>().notNull().default([]),
    /** The next report cannot exceed the time since. */
    watchedAt: moment(),
    hintsUsed: smallint().notNull().default(0),
    quizChecked: jsonb().$type<Record<string, number | boolean | string | string[]>>(),
    excusedAt: moment(),
    excusedReason: text(),
    excusedBy: byUser(),
    extraAttempts: smallint().notNull().default(0),
    updatedAt: momentNow(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.lessonId] }),
    index('lesson_progress_user_course_idx').on(t.userId, t.courseId),
    index('lesson_progress_lesson_idx').on(t.lessonId),
    index('lesson_progress_notes_idx').on(t.userId).where(sql`${t.notes} <> ''`),
    index('lesson_progress_course_idx').on(t.courseId),
    index('lesson_progress_not_passed_idx')
      .on(t.lessonId, t.userId)
      .where(
        sql`not ${t.completed} and ${t.excusedAt} is null and (${t.attempts} > 0 or ${t.score} is not null)`,
      ),
    index('lesson_progress_excused_by_idx').on(t.excusedBy).where(sql`${t.excusedBy} is not null`),
    check('lesson_progress_excuse', sql`(${t.excusedAt} is null) = (${t.excusedReason} is null)`),
    check('lesson_progress_extra_attempts', sql`${t.extraAttempts} between 0 and 100`),
    check(
      'lesson_progress_counts',
      sql`${t.timeSpent} >= 0 and ${t.attempts} >= 0 and ${t.videoPosition} >= 0 and ${t.hintsUsed} >= 0`,
    ),
    check('lesson_progress_score', sql`${t.score} between 0 and 100`),
  ],
);

/** Once per user and lesson (decision 35). */
export const pointsLedger = pgTable(
  'points_ledger',
  {
    userId: ofUser(),
    lessonId: ofLesson(),
    courseId: ofCourse(),
    points: integer().notNull(),
    awardedAt: momentNow(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.lessonId] }),
    index('points_ledger_user_course_idx').on(t.userId, t.courseId),
    index('points_ledger_lesson_idx').on(t.lessonId),
    index('points_ledger_course_idx').on(t.courseId),
    check('points_ledger_points', sql`${t.points} >= 0`),
  ],
);

export const quizQuestions = pgTable(
  'quiz_questions',
  {
    id: identity(),
    lessonId: ofLesson(),
    question: text().notNull(),
    kind: text().notNull().default('single_choice'),
    options: jsonb().$type<string[]>().notNull(),
    correctAnswer: smallint(),
    details: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    explanation: text().notNull().default(''),
    order: integer().notNull(),
    draftOf: integer(),
    html: jsonb().$type<{ of: string; question: string; options: string[]; explanation: string }>(),
  },
  (t) => [
    index('quiz_questions_lesson_idx').on(t.lessonId, t.order),
    check(
      'quiz_questions_answer_range',
      sql`case when ${t.kind} = 'single_choice' then coalesce(${t.correctAnswer} >= 0 and ${t.correctAnswer} < jsonb_array_length(${t.options}), false) else ${t.correctAnswer} is null end`,
    ),
  ],
);

export const quizAttempts = pgTable(
  'quiz_attempts',
  {
    id: identity(),
    userId: ofUser(),
    lessonId: ofLesson(),
    answers: jsonb().$type<Record<string, number | boolean | string | string[]>>().notNull(),
    score: smallint().notNull(),
    passed: boolean().notNull(),
    submittedAt: momentNow(),
    /** What answers count for since their questions were corrected, from 0 to 1. */
    credits: jsonb().$type<Record<string, number>>().notNull().default({}),
    /** Made by the browser, so that a repeat is recognised. */
    requestId: uuid(),
  },
  (t) => [
    uniqueIndex('quiz_attempts_request_idx').on(t.userId, t.lessonId, t.requestId),
    index('quiz_attempts_user_lesson_idx').on(t.userId, t.lessonId, t.submittedAt),
    index('quiz_attempts_lesson_idx').on(t.lessonId),
    check('quiz_attempts_score', sql`${t.score} between 0 and 100`),
  ],
);

/** Spec 3, decision 37. */
export const assignments = pgTable(
  'assignments',
  {
    id: identity(),
    userId: ofUser(),
    lessonId: ofLesson(),
    submission: text().notNull().default(''),
    fileUrl: text(),
    submittedAt: momentNow(),
    grade: smallint(),
    /** Markdown. */
    feedback: text().notNull().default(''),
    marks: jsonb().$type<{ name: string; points: number; of: number }[]>(),
    gradedAt: moment(),
    gradedBy: byUser(),
  },
  (t) => [
    uniqueIndex('assignments_user_lesson_key').on(t.userId, t.lessonId),
    index('assignments_file_url_idx').on(t.fileUrl).where(sql`${t.fileUrl} is not null`),
    index('assignments_lesson_idx').on(t.lessonId, t.gradedAt),
    index('assignments_ungraded_idx').on(t.submittedAt).where(sql`${t.gradedAt} is null`),
    check('assignments_grade', sql`${t.grade} between 0 and 100`),
    check('assignments_submission_length', sql`length(${t.submission}) <= 20000`),
  ],
);

export const regrades = pgTable(
  'regrades',
  {
    id: identity(),
    userId: ofUser(),
    lessonId: ofLesson(),
    attemptId: integer().references(() => quizAttempts.id, { onDelete: 'cascade' }),
    before: smallint(),
    grade: smallint().notNull(),
    reason: text().notNull(),
    gradedBy: byUser(),
    createdAt: momentNow(),
  },
  (t) => [
    index('regrades_user_lesson_idx').on(t.userId, t.lessonId, t.id.desc()),
    index('regrades_lesson_idx').on(t.lessonId),
    index('regrades_attempt_idx').on(t.attemptId).where(sql`${t.attemptId} is not null`),
    index('regrades_graded_by_idx').on(t.gradedBy).where(sql`${t.gradedBy} is not null`),
    check('regrades_grade', sql`${t.grade} between 0 and 100`),
  ],
);

/** Spec 3; one per user and course (decision 39). */
export const certificates = pgTable(
  'certificates',
  {
    id: identity(),
    userId: ofUser(),
    courseId: integer()
      .notNull()
      .references(() => courses.id, { onDelete: 'restrict' }),
    certificateNumber: text().notNull().unique(),
    recipientName: text().notNull(),
    courseTitle: text().notNull(),
    issuedAt: momentNow(),
    validUntil: moment(),
    revokedAt: moment(),
    revokedReason: text(),
    verificationUrl: text().notNull(),
    credential: jsonb().$type<Record<string, unknown>>(),
  },
  (t) => [
    uniqueIndex('certificates_user_course_key').on(t.userId, t.courseId),
    index('certificates_course_idx').on(t.courseId),
    index('certificates_revoked_idx').on(t.id).where(sql`${t.revokedAt} is not null`),
  ],
);

/** Per learner: two tabs share the time that passes. */
export const studyClocks = pgTable('study_clocks', {
  userId: integer()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  countedUntil: momentNow(),
});

export const studyDays = pgTable(
  'study_days',
  {
    userId: ofUser(),
    day: date({ mode: 'string' }).notNull(),
    seconds: counter(),
    lessonsCompleted: counter(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.day] }),
    check('study_days_counts', sql`${t.seconds} between 0 and 86400 and ${t.lessonsCompleted} >= 0`),
  ],
);
