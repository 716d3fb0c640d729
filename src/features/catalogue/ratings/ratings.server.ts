import { and, count, desc, eq, exists, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { givesAccess } from '#src/features/catalogue/access.server.ts';
import { db, prepared, type Tx } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { courseRatingAnswers, courseRatings, courses } from '#db/schema/catalogue.ts';
import { enrollments, lessonProgress } from '#db/schema/learn.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { AppError } from '#src/shared/errors.ts';
import { getCourse, type Viewer } from '#src/features/catalogue/catalogue.server.ts';
import { type AnswerRow, answerJson, toShownAnswer } from './answers.server.ts';
import {
  type MayRate,
  type OwnRating,
  type RatingSummary,
  RATINGS_PAGE_SIZE,
  type ShownRating,
  summarise,
} from './ratings.ts';

const isShown = isNull(courseRatings.hiddenAt);

const ratingColumns = {
  id: courseRatings.id,
  rating: courseRatings.rating,
  review: courseRatings.review,
  username: users.username,
  createdAt: courseRatings.createdAt,
  updatedAt: courseRatings.updatedAt,
  answer: sql<AnswerRow | null>`${sql.raw(answerJson('"course_reviews"."id"'))}`,
};

type RatingRow = Omit<ShownRating, 'createdAt' | 'isEdited' | 'answer'> & {
  createdAt: Date;
  updatedAt: Date;
  answer: AnswerRow | null;
};

/** A row as it is shown; to the team of its course with an answer that is hidden too. */
export function toShown({ updatedAt, createdAt, answer, ...row }: RatingRow, isTeam = false): ShownRating {
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
      rating: courseRatings.rating,
      count: count(),
    })
    .from(courseRatings)
    .where(and(eq(courseRatings.courseId, sql.placeholder('courseId')), isShown))
    .groupBy(courseRatings.rating)
    .prepare('rating_counts'),
);

const pageOfRatings = prepared((database) =>
  database
    .select(ratingColumns)
    .from(courseRatings)
    .innerJoin(users, eq(users.id, courseRatings.userId))
    .where(and(eq(courseRatings.courseId, sql.placeholder('courseId')), isShown))
    .orderBy(desc(courseRatings.createdAt), desc(courseRatings.id))
    .limit(RATINGS_PAGE_SIZE)
    .offset(sql.placeholder('offset'))
    .prepare('page_of_ratings'),
);

/**
 * One page of a course's ratings and how all of them spread over the stars. A page past the end is empty; hidden
 * reviews neither count nor show. The course must be one that the viewer may see.
 */
export async function listRatings(
  courseId: number,
  page = 1,
): Promise<{ summary: RatingSummary; reviews: ShownRating[] }> {
  const [ratings, rows] = await Promise.all([
    ratingCounts().execute({ courseId }),
    pageOfRatings().execute({ courseId, offset: (page - 1) * RATINGS_PAGE_SIZE }),
  ]);
  return {
    summary: summarise(new Map(ratings.map((row) => [row.rating, row.count]))),
    reviews: rows.map((row) => toShown(row)),
  };
}

/** The viewer's own rating of a course, hidden or not, and whether they may write one (decision 38). */
export async function ownRatingOf(
  viewer: Viewer,
  courseId: number,
): Promise<{ own: OwnRating | null; may: MayRate }> {
  if (!viewer) return { own: null, may: 'signed-out' };
  const [[row], may] = await Promise.all([
    db()
      .select({
        ...ratingColumns,
        hiddenAt: courseRatings.hiddenAt,
        hiddenReason: courseRatings.hiddenReason,
      })
      .from(courseRatings)
      .innerJoin(users, eq(users.id, courseRatings.userId))
      .where(and(eq(courseRatings.courseId, courseId), eq(courseRatings.userId, viewer.id))),
    mayRate(viewer.id, courseId),
  ]);
  if (!row) return { own: null, may };
  const { hiddenAt, hiddenReason, ...rating } = row;
  return { own: { ...toShown(rating), hiddenReason: hiddenAt ? (hiddenReason ?? '') : null }, may };
}

async function mayRate(userId: number, courseId: number): Promise<Exclude<MayRate, 'signed-out'>> {
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
 * Writes or changes the caller's one rating of a course; rating and count of the course follow in the same
 * transaction. A hidden rating stays hidden when it is changed.
 *
 * @throws {AppError} not_found for a course that they may not see; forbidden where they are not enrolled or have
 *   completed no lesson yet (decision 38)
 */
export async function saveRating(
  user: NonNullable<Viewer>,
  courseId: number,
  { rating, review }: { rating: number; review: string },
): Promise<OwnRating> {
  await getCourse(courseId, user);
  const may = await mayRate(user.id, courseId);
  if (may === 'not-enrolled') {
    throw new AppError('forbidden', 'Only learners who are enrolled in this course can review it.');
  }
  if (may === 'lessons') {
    throw new AppError('forbidden', 'Complete a lesson of this course first, then review it.');
  }
  await db().transaction(async (tx) => {
    await lockCourse(tx, courseId);
    await tx
      .insert(courseRatings)
      .values({ userId: user.id, courseId, rating, review })
      .onConflictDoUpdate({
        target: [courseRatings.userId, courseRatings.courseId],
        set: { rating, review, updatedAt: sql`now()` },
        setWhere: sql`(${courseRatings.rating}, ${courseRatings.review}) is distinct from (excluded.rating, excluded.review)`,
      });
    await followRatings(tx, courseId);
  });
  const { own } = await ownRatingOf(user, courseId);
  if (!own) throw new AppError('conflict', 'The review was deleted meanwhile. Please try again.');
  return own;
}

/**
 * Deletes the caller's rating of a course, enrolled or not any more; without one it does nothing. Of a hidden one the
 * text goes and the place stays hidden: it could be written again for everybody to read otherwise (decision 38). The
 * team's answer goes with it in any case.
 */
export async function deleteRating(user: NonNullable<Viewer>, courseId: number): Promise<void> {
  await db().transaction(async (tx) => {
    await lockCourse(tx, courseId);
    const own = and(eq(courseRatings.userId, user.id), eq(courseRatings.courseId, courseId));
    await tx.delete(courseRatings).where(and(own, isShown));
    const emptied = tx.select({ id: courseRatings.id }).from(courseRatings).where(own);
    await tx.delete(courseRatingAnswers).where(inArray(courseRatingAnswers.reviewId, emptied));
    await tx.update(courseRatings).set({ review: '', updatedAt: sql`now()` }).where(own);
    await followRatings(tx, courseId);
  });
}

/** Whoever changes a course's ratings waits here, so that each computes the rating from what the one before left. */
async function lockCourse(tx: Tx, courseId: number): Promise<void> {
  const found = await tx
    .select({ id: courses.id })
    .from(courses)
    .where(eq(courses.id, courseId))
    .for('no key update');
  if (found.length === 0) throw new AppError('not_found', 'Course not found');
}

async function followRatings(tx: Tx, courseId: number): Promise<void> {
  await tx.execute(sql`
    update courses set rating = now.rating, review_count = now.reviews
    from (
      select coalesce(round(avg(rating), 2), 0) as rating, count(*)::int as reviews
      from course_reviews where course_id = ${courseId} and hidden_at is null
    ) as now
    where courses.id = ${courseId} and (courses.rating, courses.review_count) is distinct from (now.rating, now.reviews)`);
}

/** Ratings on one page of the administrators' list. */
export const ADMIN_RATINGS_PAGE_SIZE = 20;

/** A rating as administrators see it. */
export interface AdminRating extends ShownRating {
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
 * One page of all ratings, newest first. A page past the end counts as the last.
 *
 * @param query `search` is looked for in texts, course titles and authors' names; `state` and `rating` null list all
 */
export async function listRatingsForAdmin({
  search = '',
  state = null,
  rating = null,
  page: asked = 1,
}: {
  search?: string;
  state?: 'shown' | 'hidden' | null;
  rating?: number | null;
  page?: number;
}): Promise<{ reviews: AdminRating[]; total: number; page: number }> {
  const text = search.toLowerCase();
  const holds = (column: SQL.Aliased | SQL | typeof users.username) =>
    sql`strpos(lower(${column}), ${text}) > 0`;
  const matching = and(
    state === null ? undefined : state === 'shown' ? isShown : isNotNull(courseRatings.hiddenAt),
    rating === null ? undefined : eq(courseRatings.rating, rating),
    search
      ? sql`(${holds(sql`${courseRatings.review}`)} or ${holds(sql`${courses.title}`)} or ${holds(users.username)})`
      : undefined,
  );
  const [found] = await db()
    .select({ total: count() })
    .from(courseRatings)
    .innerJoin(users, eq(users.id, courseRatings.userId))
    .innerJoin(courses, eq(courses.id, courseRatings.courseId))
    .where(matching);
  const total = found!.total;
  const page = Math.min(asked, Math.max(1, Math.ceil(total / ADMIN_RATINGS_PAGE_SIZE)));
  const rows = await db()
    .select({
      ...ratingColumns,
      courseId: courseRatings.courseId,
      courseTitle: courses.title,
      userId: courseRatings.userId,
      email: users.email,
      hiddenAt: courseRatings.hiddenAt,
      hiddenByName: sql<
        string | null
      >`(select h.username from users h where h.id = ${courseRatings.hiddenBy})`,
      hiddenReason: courseRatings.hiddenReason,
    })
    .from(courseRatings)
    .innerJoin(users, eq(users.id, courseRatings.userId))
    .innerJoin(courses, eq(courses.id, courseRatings.courseId))
    .where(matching)
    .orderBy(desc(courseRatings.createdAt), desc(courseRatings.id))
    .limit(ADMIN_RATINGS_PAGE_SIZE)
    .offset((page - 1) * ADMIN_RATINGS_PAGE_SIZE);
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
 * Takes a rating out of the course's page, rating and count. Its author still sees it, with the reason; the audit log
 * keeps who did it. Hiding it again only changes the reason.
 *
 * @throws {AppError} not_found
 */
export function hideRating(admin: Actor, reviewId: number, reason: string): Promise<void> {
  return moderate(reviewId, async (tx, rating) => {
    await tx
      .update(courseRatings)
      .set({ hiddenAt: rating.hiddenAt ?? new Date(), hiddenBy: admin.id, hiddenReason: reason })
      .where(eq(courseRatings.id, reviewId));
    await recordAudit(tx, admin, { ...about(rating), action: 'review.hidden', reason });
  });
}

/** Shows a hidden rating again; for one that shows already it does nothing. Throws not_found. */
export function showRating(admin: Actor, reviewId: number): Promise<void> {
  return moderate(reviewId, async (tx, rating) => {
    if (!rating.hiddenAt) return;
    await tx
      .update(courseRatings)
      .set({ hiddenAt: null, hiddenBy: null, hiddenReason: null })
      .where(eq(courseRatings.id, reviewId));
    await recordAudit(tx, admin, { ...about(rating), action: 'review.shown' });
  });
}

type Moderated = Pick<
  typeof courseRatings.$inferSelect,
  'id' | 'courseId' | 'userId' | 'rating' | 'hiddenAt'
>;

const about = ({ id, courseId, userId, rating }: Moderated) => ({
  subjectType: 'review' as const,
  subjectId: id,
  details: { courseId, userId, rating },
});

async function moderate(id: number, change: (tx: Tx, rating: Moderated) => Promise<void>): Promise<void> {
  await db().transaction(async (tx) => {
    const find = () => tx.select().from(courseRatings).where(eq(courseRatings.id, id));
    const [named] = await find();
    if (named) await lockCourse(tx, named.courseId);
    // Read again: it may have gone while its course was waited for.
    const [rating] = named ? await find() : [];
    if (!rating) throw new AppError('not_found', 'Review not found');
    await change(tx, rating);
    await followRatings(tx, rating.courseId);
  });
}
