import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { counter, identity, moment, momentNow, ofUser } from './account.ts';
import { CODING_LANGUAGES, ofLesson } from './catalogue.ts';
import { oneOf } from './one-of.ts';

export const mistakeGroups = pgTable(
  'mistake_groups',
  {
    id: identity(),
    lessonId: ofLesson(),
    /** A hash; `rest` holds folded small groups. */
    key: text().notNull(),
    difference: text(),
    /** Deleted programs included. */
    failures: counter(),
    seed: text(),
    hint: text(),
    hintAt: moment(),
    lastAt: momentNow(),
  },
  (t) => [
    uniqueIndex('mistake_groups_lesson_key').on(t.lessonId, t.key),
    check('mistake_groups_hint', sql`(${t.hint} is null) = (${t.hintAt} is null)`),
    check('mistake_groups_failures', sql`${t.failures} >= 0`),
  ],
);

export const codeSubmissions = pgTable(
  'code_submissions',
  {
    id: identity(),
    userId: ofUser(),
    lessonId: ofLesson(),
    language: text({ enum: CODING_LANGUAGES }).notNull(),
    submittedCode: text().notNull(),
    output: text().notNull().default(''),
    isCorrect: boolean().notNull(),
    verdict: text({
      enum: [
        'pass',
        'wrong_answer',
        'runtime_error',
        'syntax_error',
        'time_limit',
        'memory_limit',
        'output_limit',
      ],
    }).notNull(),
    results: jsonb().$type<Record<string, unknown>[]>().notNull().default([]),
    attempts: integer().notNull(),
    /** Seconds, clamped to the server's clock. */
    timeSpent: counter(),
    hintsUsed: smallint().notNull().default(0),
    submittedAt: momentNow(),
    completedAt: moment(),
    mistakeGroupId: integer().references(() => mistakeGroups.id, { onDelete: 'set null' }),
  },
  (t) => [
    index('code_submissions_user_lesson_idx').on(t.userId, t.lessonId, t.submittedAt.desc()),
    index('code_submissions_lesson_at_idx').on(t.lessonId, t.submittedAt),
    index('code_submissions_lesson_idx').on(t.lessonId, t.isCorrect),
    index('code_submissions_stuck_idx').on(t.lessonId, t.userId, t.isCorrect, t.submittedAt),
    index('code_submissions_group_idx')
      .on(t.mistakeGroupId, t.id)
      .where(sql`${t.mistakeGroupId} is not null`),
    check('code_submissions_counts', sql`${t.attempts} >= 1 and ${t.timeSpent} >= 0 and ${t.hintsUsed} >= 0`),
    check('code_submissions_verdict', sql`${t.isCorrect} = (${t.verdict} = 'pass')`),
    oneOf('code_submissions_language_value', t.language),
    oneOf('code_submissions_verdict_value', t.verdict),
  ],
);

export const groupHintOffers = pgTable(
  'group_hint_offers',
  {
    groupId: integer()
      .notNull()
      .references(() => mistakeGroups.id, { onDelete: 'cascade' }),
    userId: ofUser(),
    attempt: integer().notNull(),
    // Only the release before reads it.
    heldOut: boolean().notNull().default(false),
    offeredAt: momentNow(),
    /** Then it counts as a hint. */
    shownAt: moment(),
  },
  (t) => [primaryKey({ columns: [t.groupId, t.userId] }), index('group_hint_offers_user_idx').on(t.userId)],
);
