import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { counter, flag, identity, moment, momentNow, ofUser, SCENARIO_TIMES } from './account.ts';
import { COURSE_LEVELS, ofLesson } from './catalogue.ts';
import { oneOf } from './one-of.ts';

export const scenarios = pgTable(
  'scenarios',
  {
    id: identity(),
    lessonId: ofLesson(),
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
    id: identity(),
    userId: ofUser(),
    scenarioId: integer()
      .notNull()
      .references(() => scenarios.id, { onDelete: 'cascade' }),
    currentState: jsonb().$type<Record<string, unknown>>().notNull(),
    engineRun: jsonb().$type<Record<string, unknown>>().notNull(),
    definition: jsonb().$type<Record<string, unknown>>().notNull(),
    completed: flag(),
    score: smallint().notNull().default(0),
    feedback: text().notNull().default(''),
    minutesSpent: counter(),
    startedAt: momentNow(),
    time: text({ enum: SCENARIO_TIMES }).notNull().default('usual'),
    deadline: moment(),
    completedAt: moment(),
    passed: flag(),
    /** Optimistic lock (fault S3). */
    version: counter(),
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
    id: identity(),
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
    at: momentNow(),
  },
  (t) => [uniqueIndex('scenario_actions_position_key').on(t.progressId, t.position)],
);
