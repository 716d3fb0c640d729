import { and, eq, isNull, sql } from 'drizzle-orm';
import { db, type Tx } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { courseRatingAnswers, courseRatings, courses } from '#db/schema/catalogue.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { isPerson } from '#src/features/catalogue/access.server.ts';
import { getsMail } from '#src/server/mail/mail-choices.ts';
import { queueMail } from '#src/server/mail/mail.ts';
import { env } from '#src/server/start/env.ts';
import { AppError } from '#src/shared/errors.ts';
import type { ShownAnswer } from './ratings.ts';

export interface AnswerRow {
  body: string;
  name: string | null;
  createdAt: string;
  updatedAt: string;
  hiddenAt: string | null;
  hiddenReason: string | null;
}

/** SQL: JSON of `AnswerRow` or null; names only the course's author. */
export const answerJson = (reviewId: 'r.id' | '"course_reviews"."id"'): string => `(
  select json_build_object('body', ra.body, 'name', case when ra.written_by = rc.created_by then rw.username end,
    'createdAt', ra.created_at, 'updatedAt', ra.updated_at, 'hiddenAt', ra.hidden_at, 'hiddenReason', ra.hidden_reason)
  from course_review_answers ra join courses rc on rc.id = ra.course_id left join users rw on rw.id = ra.written_by
  where ra.review_id = ${reviewId})`;

export function toShownAnswer(row: AnswerRow | null, isTeam: boolean): ShownAnswer | null {
  if (!row || (row.hiddenAt && !isTeam)) return null;
  const [createdAt, updatedAt] = [new Date(row.createdAt), new Date(row.updatedAt)];
  return {
    body: row.body,
    name: row.name,
    createdAt: createdAt.toISOString(),
    isEdited: updatedAt.getTime() > createdAt.getTime(),
    hiddenReason: row.hiddenAt ? (row.hiddenReason ?? '') : null,
  };
}

interface Member {
  id: number;
  username: string;
  role: 'student' | 'admin';
}

/** @throws {AppError} not_found, forbidden */
async function lockForTeam(tx: Tx, member: Member, reviewId: number) {
  const [rating] = await tx
    .select({
      id: courseRatings.id,
      courseId: courseRatings.courseId,
      userId: courseRatings.userId,
      rating: courseRatings.rating,
      hiddenAt: courseRatings.hiddenAt,
      title: courses.title,
      madeBy: courses.createdBy,
    })
    .from(courseRatings)
    .innerJoin(courses, eq(courses.id, courseRatings.courseId))
    .where(eq(courseRatings.id, reviewId))
    .for('update', { of: courseRatings });
  if (!rating) throw noRating();
  if (member.role !== 'admin' && rating.madeBy !== member.id) {
    throw new AppError('forbidden', 'Only the team of a course answers its reviews.');
  }
  return rating;
}

const noRating = () => new AppError('not_found', 'Review not found');

/**
 * A hidden answer stays hidden. Mails the first answer where wanted.
 * @throws {AppError} not_found, forbidden, conflict while the rating is hidden
 */
export async function answerRating(
  member: Member,
  reviewId: number,
  { body }: { body: string },
): Promise<void> {
  await db().transaction(async (tx) => {
    const rating = await lockForTeam(tx, member, reviewId);
    if (rating.hiddenAt)
      throw new AppError('conflict', 'This review is hidden. Nobody would read an answer.');
    const [before] = await tx
      .select({ body: courseRatingAnswers.body, hiddenAt: courseRatingAnswers.hiddenAt })
      .from(courseRatingAnswers)
      .where(eq(courseRatingAnswers.reviewId, reviewId));
    if (!before) {
      const row = { reviewId, courseId: rating.courseId, writtenBy: member.id, body };
      await tx.insert(courseRatingAnswers).values(row);
      if (rating.userId !== member.id) await mailAnswer(tx, { ...rating, body });
    } else if (before.body !== body) {
      await tx
        .update(courseRatingAnswers)
        .set({ body, writtenBy: member.id, updatedAt: sql`now()` })
        .where(eq(courseRatingAnswers.reviewId, reviewId));
    }
  });
}

/** A repeat does nothing; another member's answer is audited. @throws {AppError} not_found, forbidden */
export async function removeAnswer(member: Member, reviewId: number): Promise<void> {
  await db().transaction(async (tx) => {
    const rating = await lockForTeam(tx, member, reviewId);
    const [gone] = await tx
      .delete(courseRatingAnswers)
      .where(eq(courseRatingAnswers.reviewId, reviewId))
      .returning({ writtenBy: courseRatingAnswers.writtenBy });
    if (gone && gone.writtenBy !== member.id) {
      const actor = { id: member.id, name: member.username };
      await recordAudit(tx, actor, { ...about(rating), action: 'review_answer.removed' });
    }
  });
}

type Rating = Awaited<ReturnType<typeof lockForTeam>>;

const about = ({ id, courseId, userId, rating }: Pick<Rating, 'id' | 'courseId' | 'userId' | 'rating'>) => ({
  subjectType: 'review' as const,
  subjectId: id,
  details: { courseId, userId, rating },
});

/** Only verified addresses (decision 13). */
async function mailAnswer(tx: Tx, rating: Rating & { body: string }): Promise<void> {
  const [reader] = await tx
    .update(courseRatings)
    .set({ answerMailedAt: sql`now()` })
    .from(users)
    .where(
      and(
        eq(courseRatings.id, rating.id),
        isNull(courseRatings.answerMailedAt),
        eq(users.id, courseRatings.userId),
        getsMail('learning'),
        isPerson(users.id),
      ),
    )
    .returning({ email: users.email });
  if (!reader) return;
  await queueMail(tx, {
    template: 'review-answered',
    to: reader.email,
    subject: `Your review has an answer (${rating.title})`,
    content: {
      title: 'Your review has an answer',
      paragraphs: [
        `The team of “${rating.title}” answered what you wrote about it:`,
        ...rating.body.split(/\n+/),
      ],
      action: {
        label: 'Read it on the course’s page',
        url: `${env().siteUrl}/courses/${rating.courseId}#reviews`,
      },
      notes: ['Answers to this mail are not read. You can change your review at any time.'],
    },
  });
}

/** The team still sees it; a repeat changes the reason. @throws {AppError} not_found */
export function hideAnswer(admin: Actor, reviewId: number, reason: string): Promise<void> {
  return moderate(reviewId, async (tx, rating, answer) => {
    await tx
      .update(courseRatingAnswers)
      .set({ hiddenAt: answer.hiddenAt ?? new Date(), hiddenBy: admin.id, hiddenReason: reason })
      .where(eq(courseRatingAnswers.reviewId, reviewId));
    await recordAudit(tx, admin, { ...about(rating), action: 'review_answer.hidden', reason });
  });
}

/** A repeat does nothing. @throws {AppError} not_found */
export function showAnswer(admin: Actor, reviewId: number): Promise<void> {
  return moderate(reviewId, async (tx, rating, answer) => {
    if (!answer.hiddenAt) return;
    await tx
      .update(courseRatingAnswers)
      .set({ hiddenAt: null, hiddenBy: null, hiddenReason: null })
      .where(eq(courseRatingAnswers.reviewId, reviewId));
    await recordAudit(tx, admin, { ...about(rating), action: 'review_answer.shown' });
  });
}

async function moderate(
  reviewId: number,
  change: (
    tx: Tx,
    rating: typeof courseRatings.$inferSelect,
    answer: typeof courseRatingAnswers.$inferSelect,
  ) => Promise<void>,
): Promise<void> {
  await db().transaction(async (tx) => {
    const [rating] = await tx
      .select()
      .from(courseRatings)
      .where(eq(courseRatings.id, reviewId))
      .for('update');
    const [answer] = await tx
      .select()
      .from(courseRatingAnswers)
      .where(eq(courseRatingAnswers.reviewId, reviewId));
    if (!rating || !answer) throw new AppError('not_found', 'Answer not found');
    await change(tx, rating, answer);
  });
}
