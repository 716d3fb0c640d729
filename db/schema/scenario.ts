import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { moment, SCENARIO_TIMES, users } from './account.ts';
import { COURSE_LEVELS, lessons } from './catalogue.ts';
import { oneOf } from './one-of.ts';

/** Decision 52. */
export const scenarios = pgTable(
  'scenarios',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    lessonId: integer()
      .notNull()
      .references(() => lessons.id, { onDelete: 'cascade' }),
    title: text().notNull(),
    description: text().notNull().default(''),
    scenarioType: text({ enum: ['debugging', 'project_building', 'problem_solving', 'others'] }).notNull(),
    initialState: jsonb().$type<Record<string, unknown>>().notNull(),
    goals: jsonb().$type<Record<string, unknown>[]>().notNull(),
    resources: jsonb().$type<Record<string, unknown>[]>().notNull().default([]),
    definition: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    /** Minutes. */
    timeLimit: integer().notNull(),
    difficulty: text({ enum: COURSE_LEVELS }).notNull().default('intermediate'),
    version: integer().notNull().default(1),
    solution: jsonb().$type<{ version: number; actions: string[]; minutes: number }>(),
  },
  (t) => [
    uniqueIndex('scenarios_lesson_key').on(t.lessonId),
    check('scenarios_time_limit', sql`${t.timeLimit} between 1 and 1440`),
    oneOf('scenarios_scenario_type_value', t.scenarioType),
    oneOf('scenarios_difficulty_value', t.difficulty),
  ],
);

/** Decision 51. */
export const scenarioProgress = pgTable(
  'scenario_progress',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    scenarioId: integer()
      .notNull()
      .references(() => scenarios.id, { onDelete: 'cascade' }),
    currentState: jsonb().$type<Record<string, unknown>>().notNull(),
    engineRun: jsonb().$type<Record<string, unknown>>().notNull(),
    /** An edit changes no run. */
    definition: jsonb().$type<Record<string, unknown>>().notNull(),
    completed: boolean().notNull().default(false),
    score: smallint().notNull().default(0),
    feedback: text().notNull().default(''),
    /** Simulated. */
    minutesSpent: integer().notNull().default(0),
    startedAt: moment().notNull().defaultNow(),
    time: text({ enum: SCENARIO_TIMES }).notNull().default('usual'),
    deadline: moment(),
    completedAt: moment(),
    passed: boolean().notNull().default(false),
    /** Optimistic lock (fault S3). */
    version: integer().notNull().default(0),
  },
  (t) => [
    index('scenario_progress_user_scenario_idx').on(t.userId, t.scenarioId, t.startedAt.desc()),
    uniqueIndex('scenario_progress_one_open_run').on(t.userId, t.scenarioId).where(sql`not ${t.completed}`),
    index('scenario_progress_scenario_idx').on(t.scenarioId),
    check('scenario_progress_deadline', sql`(${t.deadline} is null) = (${t.time} = 'none')`),
    check('scenario_progress_score', sql`${t.score} between 0 and 100`),
    oneOf('scenario_progress_time_value', t.time),
  ],
);

/** Spec 3 `actions_taken`: enough to replay a run. */
export const scenarioActions = pgTable(
  'scenario_actions',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    progressId: integer()
      .notNull()
      .references(() => scenarioProgress.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    action: text().notNull(),
    /** Null for an unknown text. */
    rule: text(),
    feedback: text().notNull().default(''),
    stateAfter: jsonb().$type<Record<string, unknown>>().notNull(),
    scoreAfter: smallint().notNull(),
    at: moment().notNull().defaultNow(),
  },
  (t) => [uniqueIndex('scenario_actions_position_key').on(t.progressId, t.position)],
);
