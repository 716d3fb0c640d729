import { and, asc, count, desc, eq, gt, isNotNull, lte, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { courses } from '#db/schema/catalogue.ts';
import { courseNews, enrollments } from '#db/schema/learn.ts';
import { givesAccess, isPerson } from '#src/features/catalogue/access.server.ts';
import { isMailLinkToken, mailLinkToken } from '#src/server/mail/mail-links.ts';
import { type JobDefinition, sendJob } from '#src/server/jobs.ts';
import { type Mail, queueMail } from '#src/server/mail/mail.ts';
import { mailLayout } from '#src/server/mail/mail-layout.ts';
import { mailMarkdown } from '#src/server/mail/mail-markdown.ts';
import { env } from '#src/server/start/env.ts';

/** Learners whose mails one job queues; then it leaves the rest to the next one. */
const BATCH = 200;

/** News of a course, as its learners read them. */
export interface ShownNews {
  id: number;
  title: string;
  /** Markdown. */
  body: string;
  sentAt: Date;
}

/** A course and what its learners were told, the newest first; null where this user has no access to it. */
export async function findCourseNews(
  userId: number,
  courseId: number,
): Promise<{ courseTitle: string; wantsMail: boolean; news: ShownNews[] } | null> {
  const [seat] = await db()
    .select({ courseTitle: courses.title, wantsMail: enrollments.newsMail })
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

/**
 * SQL: whether an enrollment gets news of its course by mail, in a query that has `users` beside it. Only to addresses
 * that are proven (decision 13).
 */
function getsMail(courseId: number): SQL {
  return and(
    givesAccess(undefined, courseId),
    eq(enrollments.newsMail, true),
    isNotNull(users.emailVerifiedAt),
  )!;
}

/** How many learners would read news of this course, and how many of them by mail. */
export async function newsReaders(
  courseId: number,
  executor: Executor = db(),
): Promise<{ learners: number; mails: number }> {
  const [found] = await executor
    .select({
      learners: count(),
      mails: sql<number>`count(*) filter (where ${getsMail(courseId)})`.mapWith(Number),
    })
    .from(enrollments)
    .innerJoin(users, eq(users.id, enrollments.userId))
    .where(and(givesAccess(undefined, courseId), isPerson(enrollments.userId)));
  return found!;
}

/** The mail that tells one learner of the news. */
export async function newsMail(
  news: { id: number; courseId: number; courseTitle: string; title: string; body: string },
  learner: { userId: number; email: string },
): Promise<Mail> {
  const off = await newsMailUrl(learner.userId, news.courseId);
  return {
    template: 'course-news',
    to: learner.email,
    subject: `${news.title} (${news.courseTitle})`,
    ...mailLayout({
      title: news.title,
      paragraphs: [],
      body: mailMarkdown(news.body),
      action: {
        label: 'Read it in the course',
        url: `${env().siteUrl}/learn/${news.courseId}/news#news-${news.id}`,
      },
      links: [{ label: 'Stop mails about this course', url: off }],
      notes: [`You get this mail because you are enrolled in “${news.courseTitle}”.`],
    }),
    unsubscribeUrl: off,
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
    .where(and(getsMail(news.courseId), lte(enrollments.enrolledAt, news.sentAt), gt(enrollments.id, after)))
    .orderBy(asc(enrollments.id))
    .limit(BATCH);
  const mails = await Promise.all(learners.map((learner) => newsMail(news, learner)));
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

const linkPurpose = (userId: number, courseId: number) => `course-news:${userId}:${courseId}`;

/** The address that switches the mails about a course off and on without a sign-in; it never ends. */
export async function newsMailUrl(userId: number, courseId: number): Promise<string> {
  const token = await mailLinkToken(linkPurpose(userId, courseId));
  return `${env().siteUrl}/course-news?user=${userId}&course=${courseId}&token=${token}`;
}

const ID = /^[1-9]\d{0,8}$/;

/** Whose link this is and for which course; null where the link is not ours, or its enrollment is gone. */
export async function readNewsMailLink(
  address: URL,
): Promise<{ userId: number; courseId: number; email: string; courseTitle: string; isOn: boolean } | null> {
  const [user, course] = ['user', 'course'].map((name) => address.searchParams.get(name) ?? '');
  if (!ID.test(user!) || !ID.test(course!)) return null;
  const [userId, courseId] = [Number(user), Number(course)];
  if (!(await isMailLinkToken(linkPurpose(userId, courseId), address.searchParams.get('token')))) return null;
  const [found] = await db()
    .select({ email: users.email, courseTitle: courses.title, isOn: enrollments.newsMail })
    .from(enrollments)
    .innerJoin(users, eq(users.id, enrollments.userId))
    .innerJoin(courses, eq(courses.id, enrollments.courseId))
    .where(and(eq(enrollments.userId, userId), eq(enrollments.courseId, courseId)));
  return found ? { userId, courseId, ...found } : null;
}

/** Switches the mails about a course on or off for a learner. */
export async function setNewsMail(userId: number, courseId: number, isOn: boolean): Promise<void> {
  await db()
    .update(enrollments)
    .set({ newsMail: isOn })
    .where(and(eq(enrollments.userId, userId), eq(enrollments.courseId, courseId)));
}
