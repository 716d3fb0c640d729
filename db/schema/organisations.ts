import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { identity, moment, momentNow, ofUser } from './account.ts';
import { courses } from './catalogue.ts';
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
    id: identity(),
    name: text().notNull(),
    billing: jsonb().$type<Billing>(),
    createdAt: momentNow(),
  },
  (t) => [check('organisations_name', sql`length(${t.name}) between 2 and 120`)],
);

export const organisationMembers = pgTable(
  'organisation_members',
  {
    organisationId: integer()
      .notNull()
      .references(() => organisations.id, { onDelete: 'cascade' }),
    userId: ofUser(),
    role: text({ enum: ORGANISATION_ROLES }).notNull(),
    createdAt: momentNow(),
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
    id: identity(),
    organisationId: integer().references(() => organisations.id, { onDelete: 'cascade' }),
    courseId: integer().references(() => courses.id, { onDelete: 'cascade' }),
    email: text().notNull(),
    role: text({ enum: [...ORGANISATION_ROLES, 'author', 'grader'] }).notNull(),
    token: text().notNull().unique(),
    invitedBy: ofUser(),
    expiresAt: moment().notNull(),
    createdAt: momentNow(),
  },
  (t) => [
    uniqueIndex('organisation_invitations_email_key').on(t.organisationId, t.email),
    uniqueIndex('organisation_invitations_course_key').on(t.courseId, t.email),
    check('organisation_invitations_of', sql`num_nonnulls(${t.organisationId}, ${t.courseId}) = 1`),
    index('organisation_invitations_invited_by_idx').on(t.invitedBy),
    check('organisation_invitations_email', sql`${t.email} = lower(${t.email})`),
    oneOf('organisation_invitations_role_value', t.role),
  ],
);
