import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { counter, identity, moment, momentNow } from './account.ts';
import { oneOf } from './one-of.ts';

/** In the transaction of the mail's occasion. */
export const mailOutbox = pgTable(
  'mail_outbox',
  {
    id: identity(),
    dedupeKey: text().unique(),
    template: text().notNull(),
    recipient: text().notNull(),
    replyTo: text(),
    subject: text().notNull(),
    text: text().notNull(),
    html: text(),
    /** RFC 8058; null for mail that must arrive. */
    unsubscribeUrl: text(),
    papers: jsonb().$type<{ kind: string; id: number }[]>(),
    item: jsonb().$type<{ userId: number; label: string; url: string; note: string }>(),
    status: text({ enum: ['queued', 'sent', 'failed', 'gathered'] })
      .notNull()
      .default('queued'),
    attempts: counter(),
    lastError: text(),
    /** A pause after a failed try, or a sender's lease. */
    dueAt: momentNow(),
    createdAt: momentNow(),
    sentAt: moment(),
  },
  (t) => [
    index('mail_outbox_due_idx').on(t.dueAt).where(sql`${t.status} = 'queued'`),
    index('mail_outbox_gathered_idx').on(t.id).where(sql`${t.status} = 'gathered'`),
    index('mail_outbox_failed_idx').on(t.id).where(sql`${t.status} = 'failed'`),
    index('mail_outbox_created_at_idx').on(t.createdAt.desc()),
    index('mail_outbox_recipient_idx').on(t.recipient),
    check('mail_outbox_recipient_one_line', sql`${t.recipient} !~ '[\\r\\n]' and ${t.subject} !~ '[\\r\\n]'`),
    oneOf('mail_outbox_status_value', t.status),
  ],
);

/** Its library's shape; unlogged. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    key: text().primaryKey(),
    points: counter(),
    expire: moment(),
  },
  (t) => [index('rate_limits_expire_idx').on(t.expire)],
);

/** A reader can sign in the site's name; backups contain it. */
export const siteSecrets = pgTable('site_secrets', {
  name: text().primaryKey(),
  value: text().notNull(),
  createdAt: momentNow(),
});

export const storedFiles = pgTable(
  'stored_files',
  {
    id: identity(),
    path: text().notNull().unique(),
    originalName: text().notNull(),
    mimeType: text().notNull(),
    size: integer().notNull(),
    sha256: text().notNull(),
    details: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    createdAt: momentNow(),
  },
  (t) => [check('stored_files_size', sql`${t.size} >= 0`)],
);
