import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { oneOf } from './one-of.ts';

/** The precision of a JavaScript Date. */
export const moment = () => timestamp({ withTimezone: true, precision: 3, mode: 'date' });

export const momentNow = () => moment().notNull().defaultNow();
export const identity = () => integer().primaryKey().generatedAlwaysAsIdentity();
export const counter = () => integer().notNull().default(0);
export const flag = () => boolean().notNull().default(false);
/** The row goes with its user. */
export const ofUser = () =>
  integer()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' });
/** The row outlives its user. */
export const byUser = () => integer().references(() => users.id, { onDelete: 'set null' });

/** Rounded like `moment`, or `now()` may precede what was stored. */
export const currentMoment = sql`now()::timestamptz(3)`;

export const SCENARIO_TIMES = ['usual', 'half_more', 'double', 'none'] as const;

export const MAIL_CHOICES = ['daily', 'at_once', 'off'] as const;

/** Normalised, so that uniqueness ignores case. */
export const users = pgTable(
  'users',
  {
    id: identity(),
    username: text().notNull(),
    email: text().notNull(),
    passwordHash: text(),
    role: text({ enum: ['student', 'admin'] })
      .notNull()
      .default('student'),
    emailVerifiedAt: moment(),
    weeklyGoal: smallint().notNull().default(3),
    learningMail: text({ enum: MAIL_CHOICES }).notNull().default('daily'),
    teachingMail: text({ enum: MAIL_CHOICES }).notNull().default('daily'),
    organisationMail: text({ enum: MAIL_CHOICES }).notNull().default('daily'),
    scenarioTime: text({ enum: SCENARIO_TIMES }).notNull().default('usual'),
    hidesPrograms: flag(),
    instructorWords: text().notNull().default(''),
    instructorPortrait: text(),
    createdAt: momentNow(),
  },
  (t) => [
    uniqueIndex('users_email_key').on(t.email),
    index('users_created_at_idx').on(t.createdAt),
    index('users_role_idx').on(t.role, t.createdAt),
    index('users_name_idx').on(sql`lower(${t.username})`, t.id),
    check('users_email_normalised', sql`${t.email} = lower(${t.email}) and length(${t.email}) <= 254`),
    check('users_weekly_goal_range', sql`${t.weeklyGoal} between 1 and 7`),
    check('users_username_length', sql`length(${t.username}) between 1 and 80`),
    oneOf('users_role_value', t.role),
    oneOf('users_learning_mail_value', t.learningMail),
    oneOf('users_teaching_mail_value', t.teachingMail),
    oneOf('users_organisation_mail_value', t.organisationMail),
    oneOf('users_scenario_time_value', t.scenarioTime),
  ],
);

export type UserRow = typeof users.$inferSelect;

/** Decision 9: `id` is the secret's SHA-256; `signInId` joins the pair. */
export const sessions = pgTable(
  'sessions',
  {
    id: text().primaryKey(),
    signInId: text().notNull(),
    kind: text({ enum: ['bearer', 'cookie'] }).notNull(),
    userId: ofUser(),
    expiresAt: moment().notNull(),
    absoluteExpiresAt: moment().notNull(),
    createdAt: momentNow(),
    userAgent: text(),
    secondFactor: flag(),
    commonPassword: flag(),
    provenAt: moment(),
  },
  (t) => [
    index('sessions_user_id_idx').on(t.userId),
    index('sessions_sign_in_id_idx').on(t.signInId),
    index('sessions_expires_at_idx').on(t.expiresAt),
    oneOf('sessions_kind_value', t.kind),
  ],
);

/** `token` is a SHA-256 (decision 12). */
export const passwordResetTokens = pgTable(
  'password_reset_tokens',
  {
    id: identity(),
    userId: ofUser(),
    token: text().notNull().unique(),
    expiresAt: moment().notNull(),
    used: flag(),
    createdAt: momentNow(),
  },
  (t) => [index('password_reset_tokens_user_id_idx').on(t.userId)],
);

/** `token` is a SHA-256. */
export const emailVerificationTokens = pgTable(
  'email_verification_tokens',
  {
    id: identity(),
    userId: ofUser(),
    email: text().notNull(),
    token: text().notNull().unique(),
    expiresAt: moment().notNull(),
    used: flag(),
    createdAt: momentNow(),
  },
  (t) => [index('email_verification_tokens_user_id_idx').on(t.userId)],
);

/** `credentialId` and `publicKey` are base64url. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: identity(),
    userId: ofUser(),
    credentialId: text().notNull().unique(),
    publicKey: text().notNull(),
    /** 0 where the device does not count. */
    counter: bigint({ mode: 'number' }).notNull(),
    transports: text().array().notNull().default([]),
    name: text().notNull(),
    createdAt: momentNow(),
    lastUsedAt: moment(),
  },
  (t) => [index('passkeys_user_id_idx').on(t.userId)],
);

/** RFC 6238. */
export const authenticatorApps = pgTable('authenticator_apps', {
  userId: integer()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Codes are computed from it, so it cannot be hashed. */
  secret: text().notNull(),
  confirmedAt: moment(),
  /** This 30-second step and earlier ones are used up. */
  lastStep: bigint({ mode: 'number' }),
  createdAt: momentNow(),
});

/** SHA-256. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    id: identity(),
    userId: ofUser(),
    codeHash: text().notNull().unique(),
    usedAt: moment(),
  },
  (t) => [index('recovery_codes_user_id_idx').on(t.userId)],
);

/** `id` is the SHA-256 of a cookie's secret. */
export const authChallenges = pgTable(
  'auth_challenges',
  {
    id: text().primaryKey(),
    purpose: text({ enum: ['second_factor', 'passkey_sign_in', 'add_passkey', 'proof'] }).notNull(),
    userId: integer().references(() => users.id, { onDelete: 'cascade' }),
    signInId: text(),
    /** base64url; null where none may answer, or one has. */
    passkeyChallenge: text(),
    commonPassword: flag(),
    attempts: counter(),
    expiresAt: moment().notNull(),
  },
  (t) => [
    index('auth_challenges_user_id_idx').on(t.userId),
    index('auth_challenges_expires_at_idx').on(t.expiresAt),
    oneOf('auth_challenges_purpose_value', t.purpose),
  ],
);

/** `token` is a SHA-256. */
export const emailChanges = pgTable(
  'email_changes',
  {
    id: identity(),
    userId: ofUser(),
    email: text().notNull(),
    token: text().notNull().unique(),
    expiresAt: moment().notNull(),
    used: flag(),
    createdAt: momentNow(),
  },
  (t) => [index('email_changes_user_id_idx').on(t.userId)],
);

/** Decision 10. */
export const adminRequests = pgTable(
  'admin_requests',
  {
    id: identity(),
    userId: ofUser(),
    status: text({ enum: ['open', 'approved', 'declined'] })
      .notNull()
      .default('open'),
    createdAt: momentNow(),
    decidedAt: moment(),
    decidedBy: byUser(),
  },
  (t) => [
    uniqueIndex('admin_requests_one_open_per_user').on(t.userId).where(sql`${t.status} = 'open'`),
    index('admin_requests_status_idx').on(t.status, t.createdAt),
    oneOf('admin_requests_status_value', t.status),
  ],
);

/** Decision 11: counted over 15 minutes. */
export const signInFailures = pgTable(
  'sign_in_failures',
  {
    id: identity(),
    /** SHA-256 of email and client address. */
    key: text().notNull(),
    at: momentNow(),
  },
  (t) => [index('sign_in_failures_key_at_idx').on(t.key, t.at)],
);

/** Never changed afterwards (decision 10). */
export const auditLog = pgTable(
  'audit_log',
  {
    id: identity(),
    actorId: byUser(),
    actorName: text().notNull(),
    action: text().notNull(),
    subjectType: text().notNull(),
    subjectId: text(),
    reason: text(),
    details: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    at: momentNow(),
  },
  (t) => [
    index('audit_log_at_idx').on(t.at),
    index('audit_log_subject_idx').on(t.subjectType, t.subjectId),
    index('audit_log_actor_idx').on(t.actorId),
  ],
);
