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
import { moment, users } from './account.ts';
import { lessons } from './catalogue.ts';

/** FSRS; it stays when access ends. */
export const reviewItems = pgTable(
  'recall_items',
  {
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    lessonId: integer()
      .notNull()
      .references(() => lessons.id, { onDelete: 'cascade' }),
    due: moment().notNull(),
    stability: doublePrecision().notNull(),
    /** 1 to 10. */
    difficulty: doublePrecision().notNull(),
    reps: integer().notNull().default(1),
    lapses: integer().notNull().default(0),
    lastReview: moment().notNull(),
    /** Optimistic lock. */
    version: integer().notNull().default(0),
    failedRuns: integer().notNull().default(0),
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
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    lessonId: integer()
      .notNull()
      .references(() => lessons.id, { onDelete: 'cascade' }),
    version: integer().notNull(),
    rating: text().notNull(),
    predicted: doublePrecision().notNull(),
    recalled: boolean().notNull(),
    seconds: smallint().notNull(),
    answeredAt: moment().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.lessonId, t.version] }),
    index('recall_answers_user_at_idx').on(t.userId, t.answeredAt),
    index('recall_answers_lesson_idx').on(t.lessonId),
    check('recall_answers_rating', sql`${t.rating} in ('forgot', 'hard', 'good', 'easy')`),
    check('recall_answers_predicted', sql`${t.predicted} between 0 and 1`),
  ],
);
