import { asc, eq, inArray, sql } from 'drizzle-orm';
import type { Executor, Tx } from '#db/client.ts';
import { courseRatingAnswers, courseRatings, courses } from '#db/schema/catalogue.ts';
import type { Person, PersonalDataPart } from '#src/server/personal-data.ts';

async function rows(tx: Executor, { id: userId }: Person) {
  const reviews = await tx
    .select({
      course: courses.title,
      rating: courseRatings.rating,
      review: courseRatings.review,
      hiddenReason: courseRatings.hiddenReason,
      createdAt: courseRatings.createdAt,
      updatedAt: courseRatings.updatedAt,
    })
    .from(courseRatings)
    .innerJoin(courses, eq(courses.id, courseRatings.courseId))
    .where(eq(courseRatings.userId, userId))
    .orderBy(asc(courseRatings.id));
  const answers = await tx
    .select({
      course: courses.title,
      answer: courseRatingAnswers.body,
      hiddenReason: courseRatingAnswers.hiddenReason,
      createdAt: courseRatingAnswers.createdAt,
      updatedAt: courseRatingAnswers.updatedAt,
    })
    .from(courseRatingAnswers)
    .innerJoin(courses, eq(courses.id, courseRatingAnswers.courseId))
    .where(eq(courseRatingAnswers.writtenBy, userId))
    .orderBy(asc(courseRatingAnswers.reviewId));
  return { reviews, answersToReviews: answers };
}

async function erase(tx: Tx, { id }: Person): Promise<void> {
  const gone = await tx
    .delete(courseRatings)
    .where(eq(courseRatings.userId, id))
    .returning({ courseId: courseRatings.courseId });
  await rateAnew(
    tx,
    gone.map(({ courseId }) => courseId),
  );
}

/** Decision 38. */
async function rateAnew(tx: Executor, courseIds: readonly number[]): Promise<void> {
  if (courseIds.length === 0) return;
  // Serialises with all other rating changes.
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

/** Answers to others' ratings stay without a name. */
export const ratingData: PersonalDataPart = { rows, erase };
