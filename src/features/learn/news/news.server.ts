import { and, asc, count, eq, gt, lte, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '#db/client.ts';
import { jsonArray, jsonFields, jsonTime } from '#db/json.ts';
import { users } from '#db/schema/account.ts';
import { courses } from '#db/schema/catalogue.ts';
import { courseNews, enrollments } from '#db/schema/learn.ts';
import { givesAccess, isPerson } from '#src/features/catalogue/access.server.ts';
import type { MailContent } from '#src/server/mail/mail-layout.ts';
import { getsMail } from '#src/server/mail/mail-choices.ts';
import { type JobDefinition, sendJob } from '#src/server/jobs.ts';
import { type Mail, queueMail } from '#src/server/mail/mail.ts';
import { mailMarkdown } from '#src/server/mail/mail-markdown.ts';
import { env } from '#src/server/start/env.ts';

/** Learners for one job. */
const BATCH = 200;

export interface ShownNews {
  id: number;
  title: string;
  body: string;
  /** ISO. */
  sentAt: string;
}

/** Newest first; null without access. */
export async function findCourseNews(
  userId: number,
  courseId: number,
): Promise<{ courseTitle: string; news: ShownNews[] } | null> {
  const [found] = await db()
    .select({
      courseTitle: courses.title,
      news: jsonArray(sql`
        select ${jsonFields({
          id: courseNews.id,
          title: courseNews.title,
          body: courseNews.body,
          sentAt: jsonTime(courseNews.sentAt),
        })}
        from ${courseNews} where ${courseNews.courseId} = ${courses.id} and ${courseNews.sentAt} is not null
        order by ${courseNews.sentAt} desc, ${courseNews.id} desc`) as SQL<ShownNews[]>,
    })
    .from(enrollments)
    .innerJoin(courses, eq(courses.id, enrollments.courseId))
    .where(givesAccess(userId, courseId));
  return found ?? null;
}

/** Learners with access, and those of them with mail. */
export async function newsReaders(
  courseId: number,
  executor: Executor = db(),
): Promise<{ learners: number; mails: number }> {
  const [found] = await executor
    .select({
      learners: count(),
      mails: sql<number>`count(*) filter (where ${getsMail('learning')})`.mapWith(Number),
    })
    .from(enrollments)
    .innerJoin(users, eq(users.id, enrollments.userId))
    .where(and(givesAccess(undefined, courseId), isPerson(enrollments.userId)));
  return found!;
}

export function newsMail(
  news: { id: number; courseId: number; courseTitle: string; title: string; body: string },
  learner: { userId: number; email: string },
): Mail & { content: MailContent } {
  return {
    template: 'course-news',
    to: learner.email,
    subject: `${news.title} (${news.courseTitle})`,
    content: {
      title: news.title,
      paragraphs: [],
      body: mailMarkdown(news.body),
      action: {
        label: 'Read it in the course',
        url: `${env().siteUrl}/learn/${news.courseId}/news#news-${news.id}`,
      },
      notes: [`You get this mail because you are enrolled in “${news.courseTitle}”.`],
    },
    dedupeKey: `course-news:${news.id}:${learner.userId}`,
  };
}

/**
 * For learners who had access when the news were sent and have it now.
 * @param after last enrollment id of the batch before
 * @returns the last enrollment id, or null at the end
 */
export async function queueNewsMails(newsId: number, after: number): Promise<number | null> {
  const [news] = await db()
    .select({
      id: courseNews.id,
      courseId: courseNews.courseId,
      courseTitle: courses.title,
      title: courseNews.title,
      body: courseNews.body,
      sentAt: courseNews.sentAt,
    })
    .from(courseNews)
    .innerJoin(courses, eq(courses.id, courseNews.courseId))
    .where(eq(courseNews.id, newsId));
  if (!news?.sentAt) return null;
  const learners = await db()
    .select({ enrollmentId: enrollments.id, userId: users.id, email: users.email })
    .from(enrollments)
    .innerJoin(users, eq(users.id, enrollments.userId))
    .where(
      and(
        givesAccess(undefined, news.courseId),
        getsMail('learning'),
        lte(enrollments.enrolledAt, news.sentAt),
        gt(enrollments.id, after),
      ),
    )
    .orderBy(asc(enrollments.id))
    .limit(BATCH);
  const mails = learners.map((learner) => newsMail(news, learner));
  const last = learners.length === BATCH ? learners.at(-1)!.enrollmentId : null;
  await db().transaction(async (tx) => {
    for (const mail of mails) await queueMail(tx, mail);
    if (last !== null) await sendJob(tx, newsMailJob, { newsId, after: last });
  });
  return last;
}

/** In batches; a repeated batch sends no second mail. */
export const newsMailJob: JobDefinition<z.ZodObject<{ newsId: z.ZodNumber; after: z.ZodNumber }>> = {
  name: 'learn.news-mail',
  data: z.object({ newsId: z.number().int(), after: z.number().int() }),
  retries: 5,
  retryDelaySeconds: 60,
  leaseSeconds: 300,
  run: async ({ newsId, after }) => {
    await queueNewsMails(newsId, after);
  },
};
