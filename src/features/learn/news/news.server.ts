import { and, asc, count, desc, eq, gt, isNotNull, lte, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '#db/client.ts';
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

/** Learners whose mails one job queues; then it leaves the rest to the next one. */
const BATCH = 200;

/** News of a course, as its learners read them. */
export interface ShownNews {
  id: number;
  title: string;
  body: string;
  sentAt: Date;
}

/** A course and what its learners were told, the newest first; null where this user has no access to it. */
export async function findCourseNews(
  userId: number,
  courseId: number,
): Promise<{ courseTitle: string; news: ShownNews[] } | null> {
  const [seat] = await db()
    .select({ courseTitle: courses.title })
    .from(enrollments)
    .innerJoin(courses, eq(courses.id, enrollments.courseId))
    .where(givesAccess(userId, courseId));
  if (!seat) return null;
  const news = await db()
    .select({ id: courseNews.id, title: courseNews.title, body: courseNews.body, sentAt: courseNews.sentAt })
    .from(courseNews)
    .where(and(eq(courseNews.courseId, courseId), isNotNull(courseNews.sentAt)))
    .orderBy(desc(courseNews.sentAt), desc(courseNews.id));
  return { ...seat, news: news.map(({ sentAt, ...one }) => ({ ...one, sentAt: sentAt! })) };
}

/** How many learners would read news of this course, and how many of them by mail. */
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

/** The mail that tells one learner of the news. */
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
 * Queues the mails of sent news for the next learners who had access when they were sent and still do.
 *
 * @param after id of the last enrollment that was looked at
 * @returns the last enrollment looked at, or null when there are no more
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
  // Deleted meanwhile.
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

/** The mails of news, in batches that follow each other; each learner gets one however often a batch is repeated. */
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
