import { givesAccess } from '#src/features/catalogue/access.server.ts';
import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { enrollments, studyDays } from '#db/schema/learn.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { env } from '#src/server/start/env.ts';
import { type JobDefinition, sendJob } from '#src/server/jobs.ts';
import { type Mail, queueMail } from '#src/server/mail/mail.ts';
import type { MailContent } from '#src/server/mail/mail-layout.ts';
import { getsMail } from '#src/server/mail/mail-choices.ts';
import { findNextStep } from '#src/features/learn/progress/next-step.server.ts';
import { listEnrollments } from '#src/features/learn/progress/enrollments.server.ts';
import { countedQueue, readDue } from '#src/features/review/due/due.server.ts';
import { counted } from '#src/shared/counted.ts';
import { weekSentence } from './weekly-mail.ts';

/** Learners for one job. */
const BATCH = 200;
const MOST_OTHERS = 4;

/**
 * Null for a learner with nothing to finish and no study.
 * @param week ISO week, such as `2026-W31`; one mail for each
 */
export async function weeklyMail(
  user: { id: number; username: string; email: string },
  week: string,
): Promise<(Mail & { content: MailContent }) | null> {
  const owned = await listEnrollments(user.id);
  const [studied] = await db()
    .select({
      seconds: sql<number>`coalesce(sum(${studyDays.seconds}), 0)::int`,
      days: sql<number>`count(*)::int`,
      lessons: sql<number>`coalesce(sum(${studyDays.lessonsCompleted}), 0)::int`,
    })
    .from(studyDays)
    .where(and(eq(studyDays.userId, user.id), gt(studyDays.day, sql`(now() at time zone 'UTC')::date - 7`)));
  const sentence = weekSentence(studied!);
  const unfinished = owned.filter(({ progress, completedAt }) => progress < 100 && completedAt === null);
  const next = await findNextStep(user.id, unfinished);
  const current = unfinished.find(({ courseId }) => courseId === next?.courseId) ?? unfinished[0];
  if (!current && !sentence) return null;

  const { siteUrl } = env();
  const title = current?.course.title;
  const paragraphs = [
    `Hello ${user.username},`,
    ...(sentence ? [sentence] : []),
    ...(next && !next.isNew && next.courseId === current?.courseId
      ? [
          `Next in “${title}” is “${next.lessonTitle}”, lesson ${next.place} of ${next.lessonCount}. You have completed ${next.progress}% of the course.`,
        ]
      : current
        ? [`“${title}” is yours and waits for its first lesson.`]
        : ['You have finished every course that you own. There are more where they came from.']),
  ];
  const { dueCount, minutes } = countedQueue(await readDue(user.id));
  if (dueCount > 0) {
    paragraphs.push(
      `${counted(dueCount, 'thing')} that you learned ${dueCount === 1 ? 'is' : 'are'} due for review. Today’s part takes about ${counted(minutes, 'minute')}.`,
    );
  }
  const others = unfinished.filter((one) => one !== current).slice(0, MOST_OTHERS);
  const content = {
    title: current ? 'What is next for you' : 'A week well spent',
    paragraphs,
    ...(others.length > 0
      ? {
          figures: others.map(({ course, progress }) => ({
            label: course.title,
            value: progress > 0 ? `${progress}% done` : 'Not started',
          })),
        }
      : {}),
    action: current
      ? {
          label: next && !next.isNew ? 'Continue learning' : 'Start the course',
          url: `${siteUrl}/learn/${current.courseId}${next ? `?lesson=${next.lessonId}` : ''}`,
        }
      : { label: 'Find your next course', url: `${siteUrl}/courses` },
    links: dueCount > 0 ? [{ label: 'Review', url: `${siteUrl}/review` }] : [],
    notes: ['You get this mail once a week because you are learning with us.'],
  };

  return {
    template: 'weekly-next',
    to: user.email,
    subject: title ? `What is next in ${title}` : 'Your week of learning',
    content,
    dedupeKey: dedupeKey(week, user.id),
  };
}

const dedupeKey = (week: string, userId: number) => `weekly-next:${week}:${userId}`;

/** UTC, such as `2026-W31`. */
async function currentWeek(): Promise<string> {
  const [row] = await db().execute<{ week: string }>(
    sql`select to_char(now() at time zone 'UTC', 'IYYY-"W"IW') as week`,
  );
  return row!.week;
}

/**
 * For learners with an unfinished course or study in seven days, at verified addresses only (decision 13).
 * @param after last user id of the batch before
 * @returns the last user id, or null at the end
 */
export async function queueWeeklyMails(week: string, after: number): Promise<number | null> {
  const due = await db()
    .select({ id: users.id, username: users.username, email: users.email })
    .from(users)
    .where(
      and(
        gt(users.id, after),
        getsMail('learning'),
        sql`(exists (select from ${enrollments} where ${givesAccess(users.id)}
            and ${enrollments.completedAt} is null)
          or exists (select from ${studyDays} where ${studyDays.userId} = ${users.id}
            and ${studyDays.day} > (now() at time zone 'UTC')::date - 7))`,
        sql`not exists (select from ${mailOutbox}
          where ${mailOutbox.dedupeKey} = ${`weekly-next:${week}:`} || ${users.id})`,
      ),
    )
    .orderBy(asc(users.id))
    .limit(BATCH);
  const mails: Mail[] = [];
  for (const user of due) {
    const mail = await weeklyMail(user, week);
    if (mail) mails.push(mail);
  }
  const last = due.length === BATCH ? due.at(-1)!.id : null;
  await db().transaction(async (tx) => {
    for (const mail of mails) await queueMail(tx, mail);
    if (last !== null) await sendJob(tx, weeklyMailJob, { week, after: last });
  });
  return last;
}

/** Monday mornings, in batches. */
export const weeklyMailJob: JobDefinition<
  z.ZodOptional<z.ZodObject<{ week: z.ZodString; after: z.ZodNumber }>>
> = {
  name: 'learn.weekly-mail',
  data: z.object({ week: z.string(), after: z.number().int() }).optional(),
  retries: 5,
  retryDelaySeconds: 60,
  leaseSeconds: 300,
  cron: '0 8 * * 1',
  run: async (data) => {
    await queueWeeklyMails(data?.week ?? (await currentWeek()), data?.after ?? 0);
  },
};
