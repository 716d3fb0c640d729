import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { counter, flag, identity, moment, momentNow, users } from './account.ts';
import { organisations } from './organisations.ts';
import { listed, oneOf } from './one-of.ts';

export const WEBHOOK_KINDS = [
  'enrolled',
  'completed',
  'certificate',
  'order',
  'refund',
  'seat',
  'test',
] as const;

/** Decision 105. */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: identity(),
    organisationId: integer()
      .notNull()
      .references(() => organisations.id, { onDelete: 'cascade' }),
    url: text().notNull(),
    kinds: text({ enum: WEBHOOK_KINDS }).array().notNull(),
    /** Signs, so it cannot be hashed. */
    secret: text().notNull(),
    paused: flag(),
    failures: counter(),
    restedAt: moment(),
    restReason: text(),
    createdAt: momentNow(),
  },
  (t) => [
    index('webhook_endpoints_organisation_idx').on(t.organisationId),
    check('webhook_endpoints_kinds', sql`cardinality(${t.kinds}) > 0`),
    check(
      'webhook_endpoints_rest',
      sql`(${t.restedAt} is null) = (${t.restReason} is null) and (${t.restedAt} is null or ${t.paused})`,
    ),
    check('webhook_endpoints_kinds_value', sql`${t.kinds} <@ array[${listed(WEBHOOK_KINDS)}]`),
  ],
);

/** In the transaction of its occasion, which `dedupeKey` names. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    id: uuid().primaryKey().defaultRandom(),
    organisationId: integer()
      .notNull()
      .references(() => organisations.id, { onDelete: 'cascade' }),
    kind: text({ enum: WEBHOOK_KINDS }).notNull(),
    endpointId: integer().references(() => webhookEndpoints.id, { onDelete: 'cascade' }),
    userId: integer().references(() => users.id, { onDelete: 'cascade' }),
    email: text(),
    data: jsonb().$type<Record<string, unknown>>().notNull(),
    dedupeKey: text(),
    spread: flag(),
    createdAt: momentNow(),
  },
  (t) => [
    uniqueIndex('webhook_events_dedupe_key').on(t.organisationId, t.dedupeKey),
    index('webhook_events_unspread_idx').on(t.organisationId).where(sql`not ${t.spread}`),
    index('webhook_events_user_idx').on(t.userId),
    index('webhook_events_email_idx').on(t.email),
    index('webhook_events_endpoint_idx').on(t.endpointId),
    index('webhook_events_created_at_idx').on(t.createdAt),
    oneOf('webhook_events_kind_value', t.kind),
  ],
);

export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: identity(),
    eventId: uuid()
      .notNull()
      .references(() => webhookEvents.id, { onDelete: 'cascade' }),
    endpointId: integer()
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: 'cascade' }),
    status: text({ enum: ['queued', 'delivered', 'failed'] })
      .notNull()
      .default('queued'),
    attempts: counter(),
    answerCode: integer(),
    answerText: text(),
    lastError: text(),
    tookMs: integer(),
    triedAt: moment(),
    /** A pause after a failed try, or a sender's lease. */
    dueAt: momentNow(),
    leasedUntil: moment(),
    endsAt: moment().notNull().default(sql`now() + interval '3 days'`),
    createdAt: momentNow(),
  },
  (t) => [
    uniqueIndex('webhook_deliveries_open_key').on(t.eventId, t.endpointId).where(sql`${t.status} = 'queued'`),
    index('webhook_deliveries_due_idx').on(t.dueAt).where(sql`${t.status} = 'queued'`),
    index('webhook_deliveries_leased_idx').on(t.leasedUntil).where(sql`${t.leasedUntil} is not null`),
    index('webhook_deliveries_waiting_idx').on(t.endpointId, t.dueAt).where(sql`${t.status} = 'queued'`),
    index('webhook_deliveries_endpoint_idx').on(t.endpointId, t.id),
    index('webhook_deliveries_event_idx').on(t.eventId),
    oneOf('webhook_deliveries_status_value', t.status),
  ],
);
