import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgEnum, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { moment, users } from './account.ts';
import { codingLanguage, lessons } from './catalogue.ts';

export const verdict = pgEnum('verdict', [
  'pass',
  'wrong_answer',
  'runtime_error',
  'syntax_error',
  'time_limit',
  'memory_limit',
  'output_limit',
]);

/** Spec 3 `code submission`: each judged run of a coding lesson. */
export const codeSubmissions = pgTable(
  'code_submissions',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    lessonId: integer()
      .notNull()
      .references(() => lessons.id, { onDelete: 'cascade' }),
    language: codingLanguage().notNull(),
    submittedCode: text().notNull(),
    output: text().notNull().default(''),
    isCorrect: boolean().notNull(),
    verdict: verdict().notNull(),
    /** What each test gave, as shown to the learner. */
    results: jsonb().$type<Record<string, unknown>[]>().notNull().default([]),
    /** Number of this run among the learner's runs of the lesson, from 1. */
    attempts: integer().notNull(),
    /** Seconds, clamped to the server's clock. */
    timeSpent: integer().notNull().default(0),
    hintsUsed: smallint().notNull().default(0),
    submittedAt: moment().notNull().defaultNow(),
    completedAt: moment(),
  },
  (t) => [
    index('code_submissions_user_lesson_idx').on(t.userId, t.lessonId, t.submittedAt.desc()),
    index('code_submissions_lesson_at_idx').on(t.lessonId, t.submittedAt),
    index('code_submissions_lesson_idx').on(t.lessonId, t.isCorrect),
    check('code_submissions_counts', sql`${t.attempts} >= 1 and ${t.timeSpent} >= 0 and ${t.hintsUsed} >= 0`),
    check('code_submissions_verdict', sql`${t.isCorrect} = (${t.verdict} = 'pass')`),
  ],
);
