import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { db, type Tx } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { courses } from '#db/schema/catalogue.ts';
import { courseNews } from '#db/schema/learn.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { newsMail, newsMailJob, newsReaders } from '#src/features/learn/news/news.server.ts';
import { sendJob } from '#src/server/jobs.ts';
import { requireRenderable } from '#src/server/markdown.ts';
import { mailLayout } from '#src/server/mail/mail-layout.ts';
import { AppError } from '#src/shared/errors.ts';
import type { newsInput } from './schema.ts';

type NewsInput = z.output<typeof newsInput>;

type Draft = NewsInput & { id: number; version: number };

export interface AuthoredNews extends Draft {
  createdAt: Date;
  sentAt: Date | null;
  writtenBy: string | null;
}

/** The mail as a learner would get it; null where the course has no such news. */
export async function previewNewsMail(
  reader: { id: number; email: string },
  courseId: number,
  newsId: number,
): Promise<string | null> {
  const [news] = await db()
    .select({ ...draftColumns, courseId: courseNews.courseId, courseTitle: courses.title })
    .from(courseNews)
    .innerJoin(courses, eq(courses.id, courseNews.courseId))
    .where(and(eq(courseNews.id, newsId), eq(courseNews.courseId, courseId)));
  return news ? mailLayout(newsMail(news, { userId: reader.id, email: reader.email }).content).html : null;
}

const missing = () => new AppError('not_found', 'There are no such news.');

const draftColumns = {
  id: courseNews.id,
  title: courseNews.title,
  body: courseNews.body,
  version: courseNews.version,
};

/** Drafts first, then the newest; null without such a course. */
export async function listNews(
  courseId: number,
): Promise<{ courseTitle: string; news: AuthoredNews[] } | null> {
  const [course] = await db().select({ title: courses.title }).from(courses).where(eq(courses.id, courseId));
  if (!course) return null;
  const news = await db()
    .select({
      ...draftColumns,
      createdAt: courseNews.createdAt,
      sentAt: courseNews.sentAt,
      writtenBy: users.username,
    })
    .from(courseNews)
    .leftJoin(users, eq(users.id, courseNews.writtenBy))
    .where(eq(courseNews.courseId, courseId))
    .orderBy(sql`${courseNews.sentAt} desc nulls first`, desc(courseNews.id));
  return { courseTitle: course.title, news };
}

/** @throws {AppError} not_found */
export async function writeNews(actor: { id: number }, courseId: number, input: NewsInput): Promise<Draft> {
  requireRenderable('body', 'Text', input.body);
  const [course] = await db().select({ id: courses.id }).from(courses).where(eq(courses.id, courseId));
  if (!course) throw new AppError('not_found', 'Course not found');
  const [made] = await db()
    .insert(courseNews)
    .values({ ...input, courseId, writtenBy: actor.id })
    .returning(draftColumns);
  return made!;
}

async function lockDraft(tx: Tx, id: number, version: number) {
  const [news] = await tx
    .select({ ...draftColumns, courseId: courseNews.courseId, sentAt: courseNews.sentAt })
    .from(courseNews)
    .where(eq(courseNews.id, id))
    .for('update');
  if (!news) throw missing();
  if (news.sentAt) throw new AppError('conflict', 'These news were sent already. Write further ones.');
  if (news.version !== version) {
    throw new AppError('conflict', 'Somebody else changed this draft meanwhile. Look at it again first.');
  }
  return news;
}

/** @throws {AppError} not_found; conflict for sent news, or after a colleague's change */
export async function changeNews(
  id: number,
  { version, ...input }: NewsInput & { version: number },
): Promise<Draft> {
  requireRenderable('body', 'Text', input.body);
  return db().transaction(async (tx) => {
    await lockDraft(tx, id, version);
    const [saved] = await tx
      .update(courseNews)
      .set({ ...input, version: version + 1 })
      .where(eq(courseNews.id, id))
      .returning(draftColumns);
    return saved!;
  });
}

/**
 * Deletes news; sent ones audited, though their mails stay out.
 * @throws {AppError} not_found
 */
export async function deleteNews(actor: Actor, id: number): Promise<{ deleted: true }> {
  return db().transaction(async (tx) => {
    const [gone] = await tx
      .delete(courseNews)
      .where(eq(courseNews.id, id))
      .returning({ courseId: courseNews.courseId, title: courseNews.title, sentAt: courseNews.sentAt });
    if (!gone) throw missing();
    if (gone.sentAt) await auditNews(tx, actor, 'course.news_deleted', gone);
    return { deleted: true };
  });
}

/**
 * Shows a draft on its course's page and mails it. Audited.
 * @returns `mails`: learners who get one
 * @throws {AppError} not_found; conflict for sent news, or after a colleague's change
 */
export async function sendNews(
  actor: Actor,
  id: number,
  version: number,
): Promise<{ id: number; sentAt: string; mails: number }> {
  return db().transaction(async (tx) => {
    const news = await lockDraft(tx, id, version);
    const [sent] = await tx
      .update(courseNews)
      .set({ sentAt: sql`now()` })
      .where(and(eq(courseNews.id, id), isNull(courseNews.sentAt)))
      .returning({ sentAt: courseNews.sentAt });
    await sendJob(tx, newsMailJob, { newsId: id, after: 0 });
    await auditNews(tx, actor, 'course.news_sent', news);
    const { mails } = await newsReaders(news.courseId, tx);
    return { id, sentAt: sent!.sentAt!.toISOString(), mails };
  });
}

async function auditNews(
  tx: Tx,
  actor: Actor,
  action: 'course.news_sent' | 'course.news_deleted',
  { courseId, title }: { courseId: number; title: string },
): Promise<void> {
  const [course] = await tx.select({ title: courses.title }).from(courses).where(eq(courses.id, courseId));
  await recordAudit(tx, actor, {
    action,
    subjectType: 'course',
    subjectId: courseId,
    details: { title: course!.title, news: title },
  });
}
