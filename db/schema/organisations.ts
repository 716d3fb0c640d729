import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { moment, users } from './account.ts';
import { oneOf } from './one-of.ts';

/** An owner also names the people who may manage; both buy and give seats. */
export const ORGANISATION_ROLES = ['owner', 'manager'] as const;

/** Whom an invoice names. Empty text where something was not given. */
export interface Billing {
  company: string;
  /** Street, postal code and town, line by line. */
  address: string;
  /** Two letters. */
  country: string;
  /** The buyer's own number of the order, and where it books the cost. */
  purchaseOrder: string;
  costCentre: string;
  /** Of an invoice that was issued when buyers gave one, and what it said of the tax. */
  vatNumber?: string;
  taxNote?: string;
}

/** A company that buys courses for its people. */
export const organisations = pgTable(
  'organisations',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    name: text().notNull(),
    /** For its next invoices. */
    billing: jsonb().$type<Billing>(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [check('organisations_name', sql`length(${t.name}) between 2 and 120`)],
);

/** Who runs an organisation. Those who only learn with one of its seats are no members. */
export const organisationMembers = pgTable(
  'organisation_members',
  {
    organisationId: integer()
      .notNull()
      .references(() => organisations.id, { onDelete: 'cascade' }),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text({ enum: ORGANISATION_ROLES }).notNull(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.organisationId, t.userId] }),
    index('organisation_members_user_idx').on(t.userId),
    oneOf('organisation_members_role_value', t.role),
  ],
);

/** A mailed link that makes its reader an owner or a manager; `token` is a SHA-256. */
export const organisationInvitations = pgTable(
  'organisation_invitations',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    organisationId: integer()
      .notNull()
      .references(() => organisations.id, { onDelete: 'cascade' }),
    email: text().notNull(),
    role: text({ enum: ORGANISATION_ROLES }).notNull(),
    token: text().notNull().unique(),
    /** The owner in whose name it was mailed: it ends with them. */
    invitedBy: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: moment().notNull(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('organisation_invitations_email_key').on(t.organisationId, t.email),
    index('organisation_invitations_invited_by_idx').on(t.invitedBy),
    check('organisation_invitations_email', sql`${t.email} = lower(${t.email})`),
    oneOf('organisation_invitations_role_value', t.role),
  ],
);
