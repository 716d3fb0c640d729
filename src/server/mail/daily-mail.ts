import { and, asc, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Tx } from '#db/client.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import type { JobDefinition } from '#src/server/jobs.ts';
import { counted } from '#src/shared/counted.ts';
import { CHOSEN_CATEGORIES, type ChosenCategory, closedChoicesUrl, readerOf } from './mail-choices.ts';
import { MAIL_KINDS, type MailKind } from './mail-kinds.ts';
import { queueMail } from './mail.ts';

const SHOWN_MAX = 30;

/** Skips what was switched off meanwhile. */
async function queueDailyMail(tx: Tx, userId: number): Promise<void> {
  const news = await tx
    .select({ id: mailOutbox.id, template: mailOutbox.template, item: mailOutbox.item })
    .from(mailOutbox)
    .where(
      and(sql`${mailOutbox.status} = 'gathered'`, sql`(${mailOutbox.item} ->> 'userId')::int = ${userId}`),
    )
    .orderBy(asc(mailOutbox.id))
    .for('update');
  await tx
    .update(mailOutbox)
    .set({ status: 'sent', sentAt: sql`now()`, item: null, unsubscribeUrl: null })
    .where(
      inArray(
        mailOutbox.id,
        news.map(({ id }) => id),
      ),
    );
  const reader = await readerOf(tx, { id: userId });
  if (!reader?.isProven) return;
  const categoryOf = (template: string) => MAIL_KINDS[template as MailKind].category as ChosenCategory;
  const wanted = news.filter(({ template }) => reader[categoryOf(template)] !== 'off');
  if (wanted.length === 0) return;
  const stop = CHOSEN_CATEGORIES.filter((category) =>
    wanted.some(({ template }) => categoryOf(template) === category),
  );
  const url = closedChoicesUrl(stop);
  const more = wanted.length - SHOWN_MAX;
  await queueMail(tx, {
    template: 'daily-digest',
    to: reader.email,
    subject:
      wanted.length === 1
        ? wanted[0]!.item!.label
        : `${counted(wanted.length, 'piece')} of news in your courses`,
    content: {
      title: 'New in your courses',
      paragraphs: [],
      items: wanted.slice(0, SHOWN_MAX).map(({ item }) => item!),
      after: more > 0 ? [`${more} more are on the pages of your courses.`] : [],
      links: [{ label: 'Choose your mails', url }],
      notes: ['News come once a day. You can have each at once, or none.'],
    },
    unsubscribeUrl: url,
  });
}

/** Mornings, for those with news. */
export const dailyMailJob: JobDefinition<z.ZodOptional<z.ZodUnknown>> = {
  name: 'mail.daily',
  data: z.unknown().optional(),
  retries: 5,
  retryDelaySeconds: 60,
  leaseSeconds: 600,
  cron: '0 7 * * *',
  run: async () => {
    const readers = await db()
      .selectDistinct({ id: sql<number>`(${mailOutbox.item} ->> 'userId')::int` })
      .from(mailOutbox)
      .where(sql`${mailOutbox.status} = 'gathered'`);
    for (const { id } of readers) await db().transaction((tx) => queueDailyMail(tx, id));
  },
};
