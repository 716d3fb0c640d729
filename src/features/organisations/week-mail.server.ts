import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { organisationMembers, organisations } from '#db/schema/organisations.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { type JobDefinition, sendJob } from '#src/server/jobs.ts';
import { queueMail } from '#src/server/mail/mail.ts';
import { siteName } from '#src/server/mail/mail-layout.ts';
import { getsMail } from '#src/server/mail/mail-choices.ts';
import { env } from '#src/server/start/env.ts';
import { mailedName } from '#src/shared/names.ts';
import { weekOfSeats, type WeekOfThing } from './seats/seat-lists.server.ts';

/** Organizations for one job. */
const BATCH = 50;

/** "3 invited, 1 completed"; '' for nothing. */
export function weekInWords({ invited, taken, active, completed, late }: Omit<WeekOfThing, 'title'>): string {
  return [
    [invited, 'invited'],
    [taken, 'took their seat'],
    [active, 'learning'],
    [completed, 'completed'],
    [late, 'late'],
  ]
    .filter(([number]) => number !== 0)
    .map(([number, what]) => `${number!.toLocaleString('en-US')} ${what}`)
    .join(', ');
}

/**
 * For organizations with changes in seven days, to those with a proven address who want it.
 * @param week ISO week, such as `2026-W31`; one mail for each
 * @param after last id of the batch before
 */
export async function queueOrganisationMails(week: string, after: number): Promise<void> {
  const due = await db()
    .select({ id: organisations.id, name: organisations.name })
    .from(organisations)
    .where(gt(organisations.id, after))
    .orderBy(asc(organisations.id))
    .limit(BATCH);
  for (const organisation of due) await queueMailsOf(organisation, week);
  if (due.length < BATCH) return;
  await db().transaction((tx) => sendJob(tx, organisationMailJob, { week, after: due.at(-1)!.id }));
}

async function queueMailsOf(organisation: { id: number; name: string }, week: string): Promise<void> {
  const things = (await weekOfSeats(organisation.id)).filter(
    ({ invited, taken, active, completed }) => invited + taken + active + completed > 0,
  );
  if (things.length === 0) return;
  const key = `organisation-week:${week}:${organisation.id}:`;
  const title = 'A week of your people';
  await db().transaction(async (tx) => {
    const wanting = await tx
      .select({ id: users.id, username: users.username, email: users.email })
      .from(organisationMembers)
      .innerJoin(users, eq(users.id, organisationMembers.userId))
      .where(
        and(
          eq(organisationMembers.organisationId, organisation.id),
          getsMail('organisation'),
          sql`not exists (select from ${mailOutbox} where ${mailOutbox.dedupeKey} = ${key} || ${users.id})`,
        ),
      )
      .orderBy(asc(users.id));
    for (const { id, username, email } of wanting) {
      await queueMail(tx, {
        template: 'organisation-week',
        to: email,
        subject: `${title} | ${siteName()}`,
        content: {
          title,
          paragraphs: [
            `Hello ${username},`,
            `This happened in the last seven days with the seats of ${mailedName(organisation.name, 'your organisation')}:`,
          ],
          figures: things.map(({ title: label, ...thing }) => ({ label, value: weekInWords(thing) })),
          action: {
            label: 'See your people',
            url: `${env().siteUrl}/organisations/${organisation.id}#people`,
          },
          notes: [
            'You get this mail because you run the organisation. It comes in weeks in which something happened.',
          ],
        },
        dedupeKey: key + id,
      });
    }
  });
}

/** Monday mornings, in batches. */
export const organisationMailJob: JobDefinition<
  z.ZodOptional<z.ZodObject<{ week: z.ZodString; after: z.ZodNumber }>>
> = {
  name: 'organisations.weekly-mail',
  data: z.object({ week: z.string(), after: z.number().int() }).optional(),
  retries: 5,
  retryDelaySeconds: 60,
  leaseSeconds: 300,
  cron: '30 7 * * 1',
  run: async (data) => {
    const [now] = await db().execute<{ week: string }>(
      sql`select to_char(now() at time zone 'UTC', 'IYYY-"W"IW') as week`,
    );
    await queueOrganisationMails(data?.week ?? now!.week, data?.after ?? 0);
  },
};
