import { and, count, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
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

/** With hidden answers for the team. */
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

/** Without hidden reviews; empty past the end. The caller checks visibility. */
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

const ratingOfUser = prepared((database) =>
  database
    .select({
      ...ratingColumns,
      hiddenAt: courseRatings.hiddenAt,
      hiddenReason: courseRatings.hiddenReason,
      enrollmentId: enrollments.id,
      learned: sql<boolean>`exists (select from ${lessonProgress}
        where ${lessonProgress.userId} = ${users.id} and ${lessonProgress.completed}
          and ${lessonProgress.courseId} = ${sql.placeholder('courseId')})`,
    })
    .from(users)
    .leftJoin(
      courseRatings,
      and(eq(courseRatings.userId, users.id), eq(courseRatings.courseId, sql.placeholder('courseId'))),
    )
    .leftJoin(enrollments, givesAccess(users.id, sql.placeholder('courseId')))
    .where(eq(users.id, sql.placeholder('userId')))
    .prepare('rating_of_user'),
);

/** Decision 38. */
export async function ownRatingOf(
  viewer: Viewer,
  courseId: number,
): Promise<{ own: OwnRating | null; may: MayRate }> {
  const [row] = viewer ? await ratingOfUser().execute({ userId: viewer.id, courseId }) : [];
  if (!row) return { own: null, may: 'signed-out' };
  const { hiddenAt, hiddenReason, enrollmentId, learned, ...rating } = row;
  const may = enrollmentId === null ? 'not-enrolled' : learned ? 'yes' : 'lessons';
  if (rating.id === null) return { own: null, may };
  const own = toShown(rating as RatingRow);
  return { own: { ...own, hiddenReason: hiddenAt ? (hiddenReason ?? '') : null }, may };
}

/**
 * Updates the course's rating in the transaction; a hidden rating stays hidden.
 * @throws {AppError} not_found, forbidden (decision 38)
 */
export async function saveRating(
  user: NonNullable<Viewer>,
  courseId: number,
  { rating, review }: { rating: number; review: string },
): Promise<OwnRating> {
  await getCourse(courseId, user);
  const { may } = await ownRatingOf(user, courseId);
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
 * Also after access ended. A hidden one loses only its text, or a new one could be public (decision 38). The answer
 * is deleted.
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

/** Serialises rating changes, so that each average is current. */
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

const ADMIN_RATINGS_PAGE_SIZE = 20;

interface AdminRating extends ShownRating {
  courseId: number;
  courseTitle: string;
  userId: number;
  email: string;
  /** ISO 8601; null for public. */
  hiddenAt: string | null;
  hiddenByName: string | null;
  hiddenReason: string | null;
}

/** A page past the end counts as the last. @param query searches texts, titles and names; null lists all */
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
 * Out of page, average and count; its author still sees it. A repeat changes the reason.
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

/** A repeat does nothing. @throws {AppError} not_found */
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
    // It may have gone during the wait for the lock.
    const [rating] = named ? await find() : [];
    if (!rating) throw new AppError('not_found', 'Review not found');
    await change(tx, rating);
    await followRatings(tx, rating.courseId);
  });
}
