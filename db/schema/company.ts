import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from './account.ts';
import { oneOf } from './one-of.ts';

/** Decision 5. */
export const contactMessages = pgTable(
  'contact_messages',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    firstName: text().notNull(),
    lastName: text().notNull(),
    email: text().notNull(),
    subject: text().notNull(),
    message: text().notNull(),
    status: text({ enum: ['new', 'read', 'replied', 'spam'] })
      .notNull()
      .default('new'),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [
    index('contact_messages_status_idx').on(t.status, t.createdAt.desc()),
    check(
      'contact_messages_lengths',
      sql`length(${t.firstName}) between 1 and 80 and length(${t.lastName}) between 1 and 80
        and length(${t.email}) <= 254 and length(${t.subject}) between 1 and 150 and length(${t.message}) between 10 and 5000`,
    ),
    oneOf('contact_messages_status_value', t.status),
  ],
);
