import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';

/** A moment in UTC with millisecond precision, the precision a JavaScript Date can hold. */
export const moment = () => timestamp({ withTimezone: true, precision: 3, mode: 'date' });

export const userRole = pgEnum('user_role', ['student', 'admin']);

/** Spec 3 `user`. Email is kept normalised (trimmed, NFC, lower case), so that plain uniqueness ignores case. */
export const users = pgTable(
  'users',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    username: text().notNull(),
    email: text().notNull(),
    /** argon2id in PHC form; null for accounts that can sign in only after a reset. */
    passwordHash: text(),
    role: userRole().notNull().default('student'),
    emailVerifiedAt: moment(),
    weeklyMail: boolean().notNull().default(true),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('users_email_key').on(t.email),
    index('users_created_at_idx').on(t.createdAt),
    index('users_role_idx').on(t.role, t.createdAt),
    index('users_name_idx').on(sql`lower(${t.username})`, t.id),
    check('users_email_normalised', sql`${t.email} = lower(${t.email}) and length(${t.email}) <= 254`),
    check('users_username_length', sql`length(${t.username}) between 1 and 80`),
  ],
);

export const sessionKind = pgEnum('session_kind', ['bearer', 'cookie']);

/** One secret of one sign-in (decision 9): `id` is the SHA-256 of the secret, `signInId` joins the pair. */
export const sessions = pgTable(
  'sessions',
  {
    id: text().primaryKey(),
    signInId: text().notNull(),
    kind: sessionKind().notNull(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: moment().notNull(),
    absoluteExpiresAt: moment().notNull(),
    createdAt: moment().notNull().defaultNow(),
    userAgent: text(),
  },
  (t) => [
    index('sessions_user_id_idx').on(t.userId),
    index('sessions_sign_in_id_idx').on(t.signInId),
    index('sessions_expires_at_idx').on(t.expiresAt),
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

export const adminRequestStatus = pgEnum('admin_request_status', ['open', 'approved', 'declined']);

/** Asked for by choosing "admin" at registration; decided by an existing admin (decision 10). */
export const adminRequests = pgTable(
  'admin_requests',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    status: adminRequestStatus().notNull().default('open'),
    createdAt: moment().notNull().defaultNow(),
    decidedAt: moment(),
    decidedBy: integer().references(() => users.id, { onDelete: 'set null' }),
  },
  (t) => [
    uniqueIndex('admin_requests_one_open_per_user').on(t.userId).where(sql`${t.status} = 'open'`),
    index('admin_requests_status_idx').on(t.status, t.createdAt),
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
