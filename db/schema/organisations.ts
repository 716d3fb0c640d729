import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { moment, users } from './account.ts';
import { oneOf } from './one-of.ts';

const ORGANISATION_ROLES = ['owner', 'manager'] as const;

export interface Billing {
  company: string;
  address: string;
  country: string;
  purchaseOrder: string;
  costCentre: string;
  vatNumber?: string;
  taxNote?: string;
}

export const organisations = pgTable(
  'organisations',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    name: text().notNull(),
    billing: jsonb().$type<Billing>(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [check('organisations_name', sql`length(${t.name}) between 2 and 120`)],
);

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

/** `token` is a SHA-256. */
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
