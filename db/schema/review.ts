import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
} from 'drizzle-orm/pg-core';
import { counter, moment, momentNow, ofUser } from './account.ts';
import { ofLesson } from './catalogue.ts';

/** FSRS; it stays when access ends. */
export const reviewItems = pgTable(
  'recall_items',
  {
    userId: ofUser(),
    lessonId: ofLesson(),
    due: moment().notNull(),
    stability: doublePrecision().notNull(),
    /** 1 to 10. */
    difficulty: doublePrecision().notNull(),
    reps: integer().notNull().default(1),
    lapses: counter(),
    lastReview: moment().notNull(),
    version: counter(),
    failedRuns: counter(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.lessonId] }),
    index('recall_items_due_idx').on(t.userId, t.due),
    index('recall_items_lesson_idx').on(t.lessonId),
    check(
      'recall_items_counts',
      sql`${t.reps} >= 0 and ${t.lapses} >= 0 and ${t.version} >= 0 and ${t.failedRuns} >= 0`,
    ),
  ],
);

export const reviewAnswers = pgTable(
  'recall_answers',
  {
    userId: ofUser(),
    lessonId: ofLesson(),
    version: integer().notNull(),
    rating: text().notNull(),
    predicted: doublePrecision().notNull(),
    recalled: boolean().notNull(),
    seconds: smallint().notNull(),
    answeredAt: momentNow(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.lessonId, t.version] }),
    index('recall_answers_user_at_idx').on(t.userId, t.answeredAt),
    index('recall_answers_lesson_idx').on(t.lessonId),
    check('recall_answers_rating', sql`${t.rating} in ('forgot', 'hard', 'good', 'easy')`),
    check('recall_answers_predicted', sql`${t.predicted} between 0 and 1`),
  ],
);
