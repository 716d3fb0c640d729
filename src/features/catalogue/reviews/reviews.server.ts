import { and, count, desc, eq, exists, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { givesAccess } from '#src/features/catalogue/access.server.ts';
import { db, prepared, type Tx } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { courseReviewAnswers, courseReviews, courses } from '#db/schema/catalogue.ts';
import { enrollments, lessonProgress } from '#db/schema/learn.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { AppError } from '#src/shared/errors.ts';
import { getCourse, type Viewer } from '#src/features/catalogue/catalogue.server.ts';
import { type AnswerRow, answerJson, toShownAnswer } from './answers.server.ts';
import {
  type MayReview,
  type OwnReview,
  type RatingSummary,
  REVIEWS_PAGE_SIZE,
  type ShownReview,
  summarise,
} from './reviews.ts';

const isShown = isNull(courseReviews.hiddenAt);

const reviewColumns = {
  id: courseReviews.id,
  rating: courseReviews.rating,
  review: courseReviews.review,
  username: users.username,
  createdAt: courseReviews.createdAt,
  updatedAt: courseReviews.updatedAt,
  answer: sql<AnswerRow | null>`${sql.raw(answerJson('"course_reviews"."id"'))}`,
};

type ReviewRow = Omit<ShownReview, 'createdAt' | 'isEdited' | 'answer'> & {
  createdAt: Date;
  updatedAt: Date;
  answer: AnswerRow | null;
};

/** A row as it is shown; to the team of its course with an answer that is hidden too. */
export function toShown({ updatedAt, createdAt, answer, ...row }: ReviewRow, isTeam = false): ShownReview {
  return {
    ...row,
    createdAt: createdAt.toISOString(),
    isEdited: updatedAt.getTime() > createdAt.getTime(),
    answer: toShownAnswer(answer, isTeam),
  };
}

const ratingCounts = prepared((database) =>
  database
    .select({
      rating: courseReviews.rating,
      count: count(),
    })
    .from(courseReviews)
    .where(and(eq(courseReviews.courseId, sql.placeholder('courseId')), isShown))
    .groupBy(courseReviews.rating)
    .prepare('rating_counts'),
);

const pageOfReviews = prepared((database) =>
  database
    .select(reviewColumns)
    .from(courseReviews)
    .innerJoin(users, eq(users.id, courseReviews.userId))
    .where(and(eq(courseReviews.courseId, sql.placeholder('courseId')), isShown))
    .orderBy(desc(courseReviews.createdAt), desc(courseReviews.id))
    .limit(REVIEWS_PAGE_SIZE)
    .offset(sql.placeholder('offset'))
    .prepare('page_of_reviews'),
);

/**
 * One page of a course's reviews and how all of them spread over the stars. A page past the end is empty; hidden
 * reviews neither count nor show. The course must be one that the viewer may see.
 */
export async function listReviews(
  courseId: number,
  page = 1,
): Promise<{ summary: RatingSummary; reviews: ShownReview[] }> {
  const [ratings, rows] = await Promise.all([
    ratingCounts().execute({ courseId }),
    pageOfReviews().execute({ courseId, offset: (page - 1) * REVIEWS_PAGE_SIZE }),
  ]);
  return {
    summary: summarise(new Map(ratings.map((row) => [row.rating, row.count]))),
    reviews: rows.map((row) => toShown(row)),
  };
}

/** The viewer's own review of a course, hidden or not, and whether they may write one (decision 38). */
export async function reviewOf(
  viewer: Viewer,
  courseId: number,
): Promise<{ own: OwnReview | null; may: MayReview }> {
  if (!viewer) return { own: null, may: 'signed-out' };
  const [[row], may] = await Promise.all([
    db()
      .select({
        ...reviewColumns,
        hiddenAt: courseReviews.hiddenAt,
        hiddenReason: courseReviews.hiddenReason,
      })
      .from(courseReviews)
      .innerJoin(users, eq(users.id, courseReviews.userId))
      .where(and(eq(courseReviews.courseId, courseId), eq(courseReviews.userId, viewer.id))),
    mayReview(viewer.id, courseId),
  ]);
  if (!row) return { own: null, may };
  const { hiddenAt, hiddenReason, ...review } = row;
  return { own: { ...toShown(review), hiddenReason: hiddenAt ? (hiddenReason ?? '') : null }, may };
}

async function mayReview(userId: number, courseId: number): Promise<Exclude<MayReview, 'signed-out'>> {
  const learned = db()
    .select({ one: sql`1` })
    .from(lessonProgress)
    .where(
      and(
        eq(lessonProgress.userId, userId),
        eq(lessonProgress.courseId, courseId),
        eq(lessonProgress.completed, true),
      ),
    );
  const [row] = await db()
    .select({ learned: exists(learned).mapWith(Boolean) })
    .from(enrollments)
    .where(givesAccess(userId, courseId));
  if (!row) return 'not-enrolled';
  return row.learned ? 'yes' : 'lessons';
}

/**
 * Writes or changes the caller's one review of a course; rating and count of the course follow in the same
 * transaction. A hidden review stays hidden when it is changed.
 *
 * @throws {AppError} not_found for a course that they may not see; forbidden where they are not enrolled or have
 *   completed no lesson yet (decision 38)
 */
export async function saveReview(
  user: NonNullable<Viewer>,
  courseId: number,
  { rating, review }: { rating: number; review: string },
): Promise<OwnReview> {
  await getCourse(courseId, user);
  const may = await mayReview(user.id, courseId);
  if (may === 'not-enrolled') {
    throw new AppError('forbidden', 'Only learners who are enrolled in this course can review it.');
  }
  if (may === 'lessons') {
    throw new AppError('forbidden', 'Complete a lesson of this course first, then review it.');
  }
  await db().transaction(async (tx) => {
    await lockCourse(tx, courseId);
    await tx
      .insert(courseReviews)
      .values({ userId: user.id, courseId, rating, review })
      .onConflictDoUpdate({
        target: [courseReviews.userId, courseReviews.courseId],
        set: { rating, review, updatedAt: sql`now()` },
        setWhere: sql`(${courseReviews.rating}, ${courseReviews.review}) is distinct from (excluded.rating, excluded.review)`,
      });
    await followReviews(tx, courseId);
  });
  const { own } = await reviewOf(user, courseId);
  if (!own) throw new AppError('conflict', 'The review was deleted meanwhile. Please try again.');
  return own;
}

/**
 * Deletes the caller's review of a course, enrolled or not any more; without one it does nothing. Of a hidden one the
 * text goes and the place stays hidden: it could be written again for everybody to read otherwise (decision 38). The
 * team's answer goes with it in any case.
 */
export async function deleteReview(user: NonNullable<Viewer>, courseId: number): Promise<void> {
  await db().transaction(async (tx) => {
    await lockCourse(tx, courseId);
    const own = and(eq(courseReviews.userId, user.id), eq(courseReviews.courseId, courseId));
    await tx.delete(courseReviews).where(and(own, isShown));
    const emptied = tx.select({ id: courseReviews.id }).from(courseReviews).where(own);
    await tx.delete(courseReviewAnswers).where(inArray(courseReviewAnswers.reviewId, emptied));
    await tx.update(courseReviews).set({ review: '', updatedAt: sql`now()` }).where(own);
    await followReviews(tx, courseId);
  });
}

/** Whoever changes a course's reviews waits here, so that each computes the rating from what the one before left. */
async function lockCourse(tx: Tx, courseId: number): Promise<void> {
  const found = await tx
    .select({ id: courses.id })
    .from(courses)
    .where(eq(courses.id, courseId))
    .for('no key update');
  if (found.length === 0) throw new AppError('not_found', 'Course not found');
}

async function followReviews(tx: Tx, courseId: number): Promise<void> {
  await tx.execute(sql`
    update courses set rating = now.rating, review_count = now.reviews
    from (
      select coalesce(round(avg(rating), 2), 0) as rating, count(*)::int as reviews
      from course_reviews where course_id = ${courseId} and hidden_at is null
    ) as now
    where courses.id = ${courseId} and (courses.rating, courses.review_count) is distinct from (now.rating, now.reviews)`);
}

/** Reviews on one page of the administrators' list. */
export const ADMIN_REVIEWS_PAGE_SIZE = 20;

/** A review as administrators see it. */
export interface AdminReview extends ShownReview {
  courseId: number;
  courseTitle: string;
  userId: number;
  email: string;
  /** ISO 8601; null while everybody can read it. */
  hiddenAt: string | null;
  hiddenByName: string | null;
  hiddenReason: string | null;
}

/**
 * One page of all reviews, newest first. A page past the end counts as the last.
 *
 * @param query `search` is looked for in texts, course titles and authors' names; `state` and `rating` null list all
 */
export async function listReviewsForAdmin({
  search = '',
  state = null,
  rating = null,
  page: asked = 1,
}: {
  search?: string;
  state?: 'shown' | 'hidden' | null;
  rating?: number | null;
  page?: number;
}): Promise<{ reviews: AdminReview[]; total: number; page: number }> {
  const text = search.toLowerCase();
  const holds = (column: SQL.Aliased | SQL | typeof users.username) =>
    sql`strpos(lower(${column}), ${text}) > 0`;
  const matching = and(
    state === null ? undefined : state === 'shown' ? isShown : isNotNull(courseReviews.hiddenAt),
    rating === null ? undefined : eq(courseReviews.rating, rating),
    search
      ? sql`(${holds(sql`${courseReviews.review}`)} or ${holds(sql`${courses.title}`)} or ${holds(users.username)})`
      : undefined,
  );
  const [found] = await db()
    .select({ total: count() })
    .from(courseReviews)
    .innerJoin(users, eq(users.id, courseReviews.userId))
    .innerJoin(courses, eq(courses.id, courseReviews.courseId))
    .where(matching);
  const total = found!.total;
  const page = Math.min(asked, Math.max(1, Math.ceil(total / ADMIN_REVIEWS_PAGE_SIZE)));
  const rows = await db()
    .select({
      ...reviewColumns,
      courseId: courseReviews.courseId,
      courseTitle: courses.title,
      userId: courseReviews.userId,
      email: users.email,
      hiddenAt: courseReviews.hiddenAt,
      hiddenByName: sql<
        string | null
      >`(select h.username from users h where h.id = ${courseReviews.hiddenBy})`,
      hiddenReason: courseReviews.hiddenReason,
    })
    .from(courseReviews)
    .innerJoin(users, eq(users.id, courseReviews.userId))
    .innerJoin(courses, eq(courses.id, courseReviews.courseId))
    .where(matching)
    .orderBy(desc(courseReviews.createdAt), desc(courseReviews.id))
    .limit(ADMIN_REVIEWS_PAGE_SIZE)
    .offset((page - 1) * ADMIN_REVIEWS_PAGE_SIZE);
  const reviews = rows.map(
    ({ courseId, courseTitle, userId, email, hiddenAt, hiddenByName, hiddenReason, ...row }) => ({
      ...toShown(row, true),
      ...{ courseId, courseTitle, userId, email, hiddenByName, hiddenReason },
      hiddenAt: hiddenAt?.toISOString() ?? null,
    }),
  );
  return { reviews, total, page };
}

/**
 * Takes a review out of the course's page, rating and count. Its author still sees it, with the reason; the audit log
 * keeps who did it. Hiding it again only changes the reason.
 *
 * @throws {AppError} not_found
 */
export function hideReview(admin: Actor, reviewId: number, reason: string): Promise<void> {
  return moderate(reviewId, async (tx, review) => {
    await tx
      .update(courseReviews)
      .set({ hiddenAt: review.hiddenAt ?? new Date(), hiddenBy: admin.id, hiddenReason: reason })
      .where(eq(courseReviews.id, reviewId));
    await recordAudit(tx, admin, { ...about(review), action: 'review.hidden', reason });
  });
}

/** Shows a hidden review again; for one that shows already it does nothing. Throws not_found. */
export function showReview(admin: Actor, reviewId: number): Promise<void> {
  return moderate(reviewId, async (tx, review) => {
    if (!review.hiddenAt) return;
    await tx
      .update(courseReviews)
      .set({ hiddenAt: null, hiddenBy: null, hiddenReason: null })
      .where(eq(courseReviews.id, reviewId));
    await recordAudit(tx, admin, { ...about(review), action: 'review.shown' });
  });
}

type Moderated = Pick<
  typeof courseReviews.$inferSelect,
  'id' | 'courseId' | 'userId' | 'rating' | 'hiddenAt'
>;

const about = ({ id, courseId, userId, rating }: Moderated) => ({
  subjectType: 'review' as const,
  subjectId: id,
  details: { courseId, userId, rating },
});

async function moderate(id: number, change: (tx: Tx, review: Moderated) => Promise<void>): Promise<void> {
  await db().transaction(async (tx) => {
    const find = () => tx.select().from(courseReviews).where(eq(courseReviews.id, id));
    const [named] = await find();
    if (named) await lockCourse(tx, named.courseId);
    // Read again: it may have gone while its course was waited for.
    const [review] = named ? await find() : [];
    if (!review) throw new AppError('not_found', 'Review not found');
    await change(tx, review);
    await followReviews(tx, review.courseId);
  });
}
