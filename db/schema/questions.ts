import { and, isNotNull, isNull, sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { byUser, flag, identity, moment, momentNow, ofUser } from './account.ts';
import { ofLesson } from './catalogue.ts';
import { codeSubmissions } from './practice.ts';

export const lessonQuestions = pgTable(
  'lesson_questions',
  {
    id: identity(),
    userId: ofUser(),
    lessonId: ofLesson(),
    /** Made by the browser, so that a repeat is recognised. */
    key: text().notNull(),
    /** Markdown. */
    body: text().notNull(),
    line: integer(),
    quote: text().notNull().default(''),
    submissionId: integer().references(() => codeSubmissions.id, { onDelete: 'set null' }),
    sharedByAsker: flag(),
    sharedByTeam: flag(),
    version: integer().notNull().default(1),
    createdAt: momentNow(),
    editedAt: moment(),
    answeredAt: moment(),
    answerSeenAt: moment(),
    waitingSince: moment().defaultNow(),
    solvedAt: moment(),
    hiddenAt: moment(),
    hiddenBy: byUser(),
    hiddenReason: text(),
    mailedAt: moment(),
  },
  (t) => [
    uniqueIndex('lesson_questions_user_key').on(t.userId, t.key),
    index('lesson_questions_lesson_idx').on(t.lessonId, t.userId),
    index('lesson_questions_waiting_idx').on(t.waitingSince).where(isNotNull(t.waitingSince)),
    index('lesson_questions_unseen_idx')
      .on(t.userId)
      .where(and(isNotNull(t.answeredAt), isNull(t.answerSeenAt))!),
    index('lesson_questions_created_idx').on(t.createdAt),
    index('lesson_questions_unmailed_idx').on(t.lessonId).where(isNull(t.mailedAt)),
    index('lesson_questions_submission_idx').on(t.submissionId).where(isNotNull(t.submissionId)),
    index('lesson_questions_hidden_by_idx').on(t.hiddenBy).where(isNotNull(t.hiddenBy)),
    check('lesson_questions_line', sql`${t.line} >= 1`),
    check('lesson_questions_lengths', sql`length(${t.body}) <= 4000 and length(${t.quote}) <= 300`),
  ],
);

export const lessonQuestionReplies = pgTable(
  'lesson_question_replies',
  {
    id: identity(),
    questionId: integer()
      .notNull()
      .references(() => lessonQuestions.id, { onDelete: 'cascade' }),
    writtenBy: byUser(),
    byTeam: boolean().notNull(),
    key: text().notNull(),
    /** Markdown. */
    body: text().notNull(),
    createdAt: momentNow(),
  },
  (t) => [
    uniqueIndex('lesson_question_replies_key').on(t.questionId, t.key),
    index('lesson_question_replies_written_by_idx').on(t.writtenBy),
    check('lesson_question_replies_length', sql`length(${t.body}) <= 4000`),
  ],
);

export const lessonQuestionReports = pgTable(
  'lesson_question_reports',
  {
    questionId: integer()
      .notNull()
      .references(() => lessonQuestions.id, { onDelete: 'cascade' }),
    userId: ofUser(),
    reason: text().notNull(),
    createdAt: momentNow(),
  },
  (t) => [
    primaryKey({ columns: [t.questionId, t.userId] }),
    index('lesson_question_reports_user_idx').on(t.userId),
  ],
);
