import { asc, eq, inArray, sql } from 'drizzle-orm';
import type { Executor, Tx } from '#db/client.ts';
import { courseReviewAnswers, courseReviews, courses } from '#db/schema/catalogue.ts';
import type { Person, PersonalDataPart } from '#src/server/personal-data.ts';

async function rows(tx: Executor, { id: userId }: Person) {
  const reviews = await tx
    .select({
      course: courses.title,
      rating: courseReviews.rating,
      review: courseReviews.review,
      hiddenReason: courseReviews.hiddenReason,
      createdAt: courseReviews.createdAt,
      updatedAt: courseReviews.updatedAt,
    })
    .from(courseReviews)
    .innerJoin(courses, eq(courses.id, courseReviews.courseId))
    .where(eq(courseReviews.userId, userId))
    .orderBy(asc(courseReviews.id));
  const answers = await tx
    .select({
      course: courses.title,
      answer: courseReviewAnswers.body,
      hiddenReason: courseReviewAnswers.hiddenReason,
      createdAt: courseReviewAnswers.createdAt,
      updatedAt: courseReviewAnswers.updatedAt,
    })
    .from(courseReviewAnswers)
    .innerJoin(courses, eq(courses.id, courseReviewAnswers.courseId))
    .where(eq(courseReviewAnswers.writtenBy, userId))
    .orderBy(asc(courseReviewAnswers.reviewId));
  return { reviews, answersToReviews: answers };
}

async function erase(tx: Tx, { id }: Person): Promise<void> {
  const gone = await tx
    .delete(courseReviews)
    .where(eq(courseReviews.userId, id))
    .returning({ courseId: courseReviews.courseId });
  await rateAnew(
    tx,
    gone.map(({ courseId }) => courseId),
  );
}

/** A course's rating is of the reviews that there are (decision 38). */
async function rateAnew(tx: Executor, courseIds: readonly number[]): Promise<void> {
  if (courseIds.length === 0) return;
  // Whoever changes a review of these waits, as they do for one another: none computes from what is about to change.
  await tx
    .select({ id: courses.id })
    .from(courses)
    .where(inArray(courses.id, [...courseIds]))
    .orderBy(asc(courses.id))
    .for('no key update');
  await tx.execute(sql`
    update courses c set
      rating = coalesce((select round(avg(r.rating), 2) from course_reviews r where r.course_id = c.id and r.hidden_at is null), 0),
      review_count = (select count(*) from course_reviews r where r.course_id = c.id and r.hidden_at is null)
    where c.id in ${[...courseIds]}`);
}

/** A person's reviews, and their answers to those of others, which stay below them without a name. */
export const reviewData: PersonalDataPart = { rows, erase };
