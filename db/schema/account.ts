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

/** A moment in UTC with millisecond precision, the precision a JavaScript Date can hold. */
export const moment = () => timestamp({ withTimezone: true, precision: 3, mode: 'date' });

/**
 * Now, rounded as a column of `moment` rounds it. What was set to `now()` may lie half a millisecond ahead of a later
 * `now()`, never of a later one of these: whatever has to count as past is compared with this.
 */
export const currentMoment = sql`now()::timestamptz(3)`;

/** What a learner chooses of the time that scenarios give. */
export const SCENARIO_TIMES = ['usual', 'half_more', 'double', 'none'] as const;

/** How a person gets mails of a category: news gathered into one a day, each at once, or none. */
export const MAIL_CHOICES = ['daily', 'at_once', 'off'] as const;

/** Spec 3 `user`. Email is kept normalised (trimmed, NFC, lower case), so that plain uniqueness ignores case. */
export const users = pgTable(
  'users',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    username: text().notNull(),
    email: text().notNull(),
    /** argon2id in PHC form; null for accounts that can sign in only after a reset. */
    passwordHash: text(),
    role: text({ enum: ['student', 'admin'] })
      .notNull()
      .default('student'),
    emailVerifiedAt: moment(),
    /** Days on which they want to study in a week. */
    weeklyGoal: smallint().notNull().default(3),
    learningMail: text({ enum: MAIL_CHOICES }).notNull().default('daily'),
    teachingMail: text({ enum: MAIL_CHOICES }).notNull().default('daily'),
    organisationMail: text({ enum: MAIL_CHOICES }).notNull().default('daily'),
    /** How much of a scenario's time limit they are given. */
    scenarioTime: text({ enum: SCENARIO_TIMES }).notNull().default('usual'),
    /** They keep their programs from other learners, in lessons whose authors let those who have passed see them. */
    hidesPrograms: boolean().notNull().default(false),
    /** What the pages of the courses that they made say of them, and the address of their portrait there. */
    instructorWords: text().notNull().default(''),
    instructorPortrait: text(),
    createdAt: moment().notNull().defaultNow(),
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

/** One secret of one sign-in (decision 9): `id` is the SHA-256 of the secret, `signInId` joins the pair. */
export const sessions = pgTable(
  'sessions',
  {
    id: text().primaryKey(),
    signInId: text().notNull(),
    kind: text({ enum: ['bearer', 'cookie'] }).notNull(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: moment().notNull(),
    absoluteExpiresAt: moment().notNull(),
    createdAt: moment().notNull().defaultNow(),
    userAgent: text(),
    /** A passkey, a one-time code or a recovery code took part in this sign-in. */
    secondFactor: boolean().notNull().default(false),
    /** It began with one of the commonest passwords; an administrator's rights wait until there is a better one. */
    commonPassword: boolean().notNull().default(false),
    /** When its holder last proved who they are for a sensitive change; each proof serves one change. */
    provenAt: moment(),
  },
  (t) => [
    index('sessions_user_id_idx').on(t.userId),
    index('sessions_sign_in_id_idx').on(t.signInId),
    index('sessions_expires_at_idx').on(t.expiresAt),
    oneOf('sessions_kind_value', t.kind),
  ],
);

/** Spec 3 `password reset token`; `token` holds the SHA-256 of the mailed secret (decision 12). */
export const passwordResetTokens = pgTable(
  'password_reset_tokens',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    token: text().notNull().unique(),
    expiresAt: moment().notNull(),
    used: boolean().notNull().default(false),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [index('password_reset_tokens_user_id_idx').on(t.userId)],
);

/** Mailed proof of an address; `token` holds the SHA-256 of the secret, `email` the address that it proves. */
export const emailVerificationTokens = pgTable(
  'email_verification_tokens',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    email: text().notNull(),
    token: text().notNull().unique(),
    expiresAt: moment().notNull(),
    used: boolean().notNull().default(false),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [index('email_verification_tokens_user_id_idx').on(t.userId)],
);

/** A WebAuthn credential of an account; `credentialId` and `publicKey` are base64url, as browsers send them. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    credentialId: text().notNull().unique(),
    publicKey: text().notNull(),
    /** How often its device says it was used; 0 where the device does not count. */
    counter: bigint({ mode: 'number' }).notNull(),
    transports: text().array().notNull().default([]),
    /** How its owner calls it. */
    name: text().notNull(),
    createdAt: moment().notNull().defaultNow(),
    lastUsedAt: moment(),
  },
  (t) => [index('passkeys_user_id_idx').on(t.userId)],
);

/** The app that makes one-time codes (RFC 6238) for an account; it counts once a code has been typed. */
export const authenticatorApps = pgTable('authenticator_apps', {
  userId: integer()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Base32; it cannot be hashed, because codes are computed from it. */
  secret: text().notNull(),
  confirmedAt: moment(),
  /** The 30-second step of the last code that was taken: neither it nor an earlier one works again. */
  lastStep: bigint({ mode: 'number' }),
  createdAt: moment().notNull().defaultNow(),
});

/** SHA-256 of codes that stand in for a lost second factor, each once. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    codeHash: text().notNull().unique(),
    usedAt: moment(),
  },
  (t) => [index('recovery_codes_user_id_idx').on(t.userId)],
);

/** What a browser is to answer within minutes, once; `id` is the SHA-256 of a cookie's secret. */
export const authChallenges = pgTable(
  'auth_challenges',
  {
    id: text().primaryKey(),
    purpose: text({ enum: ['second_factor', 'passkey_sign_in', 'add_passkey', 'proof'] }).notNull(),
    /** Null while nobody has said who they are. */
    userId: integer().references(() => users.id, { onDelete: 'cascade' }),
    /** The sign-in that asked, where somebody is signed in. */
    signInId: text(),
    /** What a passkey is to sign, base64url; null where none may answer, or one has. */
    passkeyChallenge: text(),
    commonPassword: boolean().notNull().default(false),
    attempts: integer().notNull().default(0),
    expiresAt: moment().notNull(),
  },
  (t) => [
    index('auth_challenges_user_id_idx').on(t.userId),
    index('auth_challenges_expires_at_idx').on(t.expiresAt),
    oneOf('auth_challenges_purpose_value', t.purpose),
  ],
);

/** A new address that an account asked for; `token` holds the SHA-256 of the secret mailed to it. */
export const emailChanges = pgTable(
  'email_changes',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    email: text().notNull(),
    token: text().notNull().unique(),
    expiresAt: moment().notNull(),
    used: boolean().notNull().default(false),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [index('email_changes_user_id_idx').on(t.userId)],
);

/** Asked for by choosing "admin" at registration; decided by an existing admin (decision 10). */
export const adminRequests = pgTable(
  'admin_requests',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    status: text({ enum: ['open', 'approved', 'declined'] })
      .notNull()
      .default('open'),
    createdAt: moment().notNull().defaultNow(),
    decidedAt: moment(),
    decidedBy: integer().references(() => users.id, { onDelete: 'set null' }),
  },
  (t) => [
    uniqueIndex('admin_requests_one_open_per_user').on(t.userId).where(sql`${t.status} = 'open'`),
    index('admin_requests_status_idx').on(t.status, t.createdAt),
    oneOf('admin_requests_status_value', t.status),
  ],
);

/** Failed sign-ins of one account + address pair (decision 11), counted over 15 minutes. */
export const signInFailures = pgTable(
  'sign_in_failures',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** SHA-256 of normalised email and client address: the log keeps no addresses. */
    key: text().notNull(),
    at: moment().notNull().defaultNow(),
  },
  (t) => [index('sign_in_failures_key_at_idx').on(t.key, t.at)],
);

/** What administrators and the command line did, never changed afterwards (decision 10). */
export const auditLog = pgTable(
  'audit_log',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** Null for the command line and for accounts that are gone. */
    actorId: integer().references(() => users.id, { onDelete: 'set null' }),
    actorName: text().notNull(),
    action: text().notNull(),
    subjectType: text().notNull(),
    subjectId: text(),
    reason: text(),
    details: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    at: moment().notNull().defaultNow(),
  },
  (t) => [
    index('audit_log_at_idx').on(t.at),
    index('audit_log_subject_idx').on(t.subjectType, t.subjectId),
    index('audit_log_actor_idx').on(t.actorId),
  ],
);
