import { sql } from 'drizzle-orm';
import { check, index, pgTable, text } from 'drizzle-orm/pg-core';
import { identity, momentNow } from './account.ts';
import { oneOf } from './one-of.ts';

export const contactMessages = pgTable(
  'contact_messages',
  {
    id: identity(),
    firstName: text().notNull(),
    lastName: text().notNull(),
    email: text().notNull(),
    subject: text().notNull(),
    message: text().notNull(),
    status: text({ enum: ['new', 'read', 'replied', 'spam'] })
      .notNull()
      .default('new'),
    createdAt: momentNow(),
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
