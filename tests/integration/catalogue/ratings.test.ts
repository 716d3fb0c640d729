import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { auditLog, users } from '#db/schema/account.ts';
import { courseRatings, courses } from '#db/schema/catalogue.ts';
import { enrollments, lessonProgress } from '#db/schema/learn.ts';
import {
  deleteRating,
  hideRating,
  listRatings,
  listRatingsForAdmin,
  ownRatingOf,
  saveRating,
  showRating,
} from '#src/features/catalogue/ratings/ratings.server.ts';
import { findCoursePage } from '#src/features/catalogue/course-page/course-page.server.ts';
import { RATINGS_PAGE_SIZE } from '#src/features/catalogue/ratings/ratings.ts';
import * as deleteRoute from '#src/pages/api/admin/users/[id]/delete.ts';
import * as hideRoute from '#src/pages/api/admin/reviews/[id]/hide.ts';
import * as showRoute from '#src/pages/api/admin/reviews/[id]/show.ts';
import * as reviewRoute from '#src/pages/api/courses/[id]/review.ts';
import * as reviewsRoute from '#src/pages/api/courses/[id]/reviews.ts';
import { callRoute, signIn } from '../../support/api.ts';

type User = Awaited<ReturnType<typeof makeUser>>;

async function learnerOf(courseId: number, done = true): Promise<User> {
  const user = await makeUser();
  await makeEnrollment(user.id, courseId);
  if (done) {
    const lesson = await makeLesson(courseId);
    await db()
      .insert(lessonProgress)
      .values({ userId: user.id, courseId, lessonId: lesson.id, completed: true });
  }
  return user;
}

async function ratingOf(courseId: number): Promise<[number, number]> {
  const [row] = await db().select().from(courses).where(eq(courses.id, courseId));
  return [Number(row!.rating), row!.reviewCount];
}

const put = async (user: User | null, courseId: unknown, body: unknown) =>
  callRoute(reviewRoute.PUT, {
    method: 'PUT',
    path: `/api/courses/${courseId}/review`,
    params: { id: String(courseId) },
    body,
    as: user && (await signIn(user)),
  });
const remove = async (user: User, courseId: number) =>
  callRoute(reviewRoute.DELETE, {
    method: 'DELETE',
    params: { id: String(courseId) },
    as: await signIn(user),
  });

describe('a review', () => {
  it('is written, changed and deleted by its author, and the course follows', async () => {
    const course = await makeCourse();
    const user = await learnerOf(course.id);
    const written = await put(user, course.id, { rating: 5, review: ' Clear and short.\n\nThank you. ' });
    expect(written.status).toBe(200);
    expect(written.body).toMatchObject({
      rating: 5,
      review: 'Clear and short.\n\nThank you.',
      isEdited: false,
    });
    expect(await ratingOf(course.id)).toEqual([5, 1]);

    const other = await learnerOf(course.id);
    await put(other, course.id, { rating: 4 });
    expect(await ratingOf(course.id)).toEqual([4.5, 2]);

    const changed = await put(user, course.id, { rating: 2, review: 'Not any more.' });
    expect(changed.body).toMatchObject({ id: written.body.id, rating: 2, isEdited: true });
    expect(await ratingOf(course.id)).toEqual([3, 2]);

    expect((await remove(user, course.id)).status).toBe(204);
    expect((await remove(user, course.id)).status).toBe(204);
    expect(await ratingOf(course.id)).toEqual([4, 1]);
    await remove(other, course.id);
    expect(await ratingOf(course.id)).toEqual([0, 0]);
  });

  it('is for those enrolled who have completed a lesson (decision 38)', async () => {
    const course = await makeCourse();
    const body = { rating: 5 };
    expect((await put(null, course.id, body)).status).toBe(401);
    const stranger = await put(await makeUser(), course.id, body);
    expect([stranger.status, stranger.body.message]).toEqual([
      403,
      'Only learners who are enrolled in this course can review it.',
    ]);
    const beginner = await put(await learnerOf(course.id, false), course.id, body);
    expect([beginner.status, beginner.body.message]).toEqual([
      403,
      'Complete a lesson of this course first, then review it.',
    ]);
    const refunded = await learnerOf(course.id);
    expect((await put(refunded, course.id, body)).status).toBe(200);
    await db().update(enrollments).set({ status: 'revoked' }).where(eq(enrollments.userId, refunded.id));
    expect((await put(refunded, course.id, body)).status).toBe(403);
    expect((await remove(refunded, course.id)).status).toBe(204);
    expect((await put(await makeAdmin(), course.id, body)).status).toBe(403);
    expect((await put(await makeUser(), 2_000_000_000, body)).status).toBe(404);
    const hidden = await makeCourse({ isActive: false });
    expect((await put(await makeUser(), hidden.id, body)).status).toBe(404);
    expect(await ratingOf(course.id)).toEqual([0, 0]);
  });

  it('refuses anything but one to five whole stars and a text that fits (N10, A17)', async () => {
    const course = await makeCourse();
    const user = await learnerOf(course.id);
    for (const rating of [0, 6, -1, 4.5, '5', null, undefined, 1e9]) {
      const answer = await put(user, course.id, { rating });
      expect([rating, answer.status, answer.body.fields]).toEqual([
        rating,
        400,
        { rating: 'Choose one to five stars' },
      ]);
    }
    expect((await put(user, course.id, { rating: 5, review: 'x'.repeat(4001) })).body.fields).toEqual({
      review: 'Review must be at most 4000 characters',
    });
    expect((await put(user, course.id, { rating: 5, review: 'a\0b' })).status).toBe(400);
    const stranger = await makeUser();
    await put(user, course.id, { rating: 3, userId: stranger.id, hiddenAt: null, createdAt: '2001-01-01' });
    const { reviews } = await listRatings(course.id);
    expect(reviews).toMatchObject([{ rating: 3, username: user.username }]);
  });

  it('keeps rating and count right when fifteen learners write, change and delete at once', async () => {
    const course = await makeCourse();
    const learners = await Promise.all(Array.from({ length: 15 }, () => learnerOf(course.id)));
    await Promise.all(
      learners.flatMap((user, index) => [
        saveRating(user, course.id, { rating: 1 + (index % 5), review: '' }),
        saveRating(user, course.id, { rating: 5 - (index % 5), review: 'Again.' }),
        index % 3 === 0 ? deleteRating(user, course.id) : null,
      ]),
    ).catch((error: unknown) => {
      // Deleted between writing and reading back is the one outcome that is not a success.
      expect(error).toMatchObject({ code: 'conflict' });
    });
    await expect
      .poll(async () => {
        const { summary } = await listRatings(course.id);
        const [rating, count] = await ratingOf(course.id);
        return Math.abs(summary.rating - rating) < 0.006 && summary.count === count && count >= 10;
      })
      .toBe(true);
  });

  it('is listed newest first with how all of them spread, page by page', async () => {
    const course = await makeCourse();
    for (const rating of [5, 5, 4, 5, 1, 5, 3]) {
      await saveRating(await learnerOf(course.id), course.id, { rating, review: `${rating}` });
    }
    const answer = await callRoute(reviewsRoute.GET, {
      path: `/api/courses/${course.id}/reviews`,
      params: { id: String(course.id) },
    });
    expect(answer.body.summary).toEqual({
      rating: 4,
      count: 7,
      distribution: [5, 4, 3, 2, 1].map((stars, at) => ({ stars, count: [4, 1, 1, 0, 1][at] })),
    });
    expect(answer.body.reviews).toHaveLength(6);
    expect(answer.body.reviews[0]).toMatchObject({ rating: 3 });
    expect(answer.headers.get('x-total-count')).toBe('7');
    expect(Object.keys(answer.body.reviews[0]).sort()).toEqual(
      ['id', 'rating', 'review', 'username', 'createdAt', 'isEdited', 'answer'].sort(),
    );
    expect((await listRatings(course.id, 2)).reviews).toHaveLength(1);
    const hidden = await makeCourse({ isActive: false });
    const refused = await callRoute(reviewsRoute.GET, { params: { id: String(hidden.id) } });
    expect(refused.status).toBe(404);
  });
});

describe('an administrator', () => {
  const act = async (route: typeof hideRoute.POST, id: number, who: User | null, body?: unknown) =>
    callRoute(route, {
      method: 'POST',
      params: { id: String(id) },
      ...(body === undefined ? {} : { body }),
      as: who && (await signIn(who)),
    });

  it('has hidden a review for good: its author cannot delete it and write it again for all to read', async () => {
    const course = await makeCourse();
    const author = await learnerOf(course.id);
    const { id } = await saveRating(author, course.id, { rating: 1, review: 'spam.example' });
    await act(hideRoute.POST, id, await makeAdmin(), { reason: 'Advertising' });
    expect((await remove(author, course.id)).status).toBe(204);
    expect((await ownRatingOf(author, course.id)).own).toMatchObject({
      review: '',
      hiddenReason: 'Advertising',
    });
    await put(author, course.id, { rating: 1, review: 'spam.example again' });
    expect((await listRatings(course.id)).reviews).toEqual([]);
    expect(await ratingOf(course.id)).toEqual([0, 0]);
    await act(showRoute.POST, id, await makeAdmin());
    expect((await remove(author, course.id)).status).toBe(204);
    expect((await ownRatingOf(author, course.id)).own).toBeNull();
  });

  it('hides a review with a reason that its author reads, and shows it again; both are audited', async () => {
    const course = await makeCourse({ title: 'Moderated course' });
    const admin = await makeAdmin({ username: 'Mona' });
    const author = await learnerOf(course.id);
    const { id } = await saveRating(author, course.id, {
      rating: 1,
      review: 'Buy my course instead: spam.example',
    });
    await saveRating(await learnerOf(course.id), course.id, { rating: 5, review: 'Good.' });
    expect((await act(hideRoute.POST, id, admin, { reason: '  ' })).body.fields).toEqual({
      reason: 'Reason is required',
    });
    expect((await act(hideRoute.POST, id, author, { reason: 'x' })).status).toBe(403);
    expect((await act(hideRoute.POST, id, admin, { reason: 'Advertising' })).status).toBe(204);
    expect(await ratingOf(course.id)).toEqual([5, 1]);
    expect((await listRatings(course.id)).reviews.map(({ review }) => review)).toEqual(['Good.']);
    expect((await ownRatingOf(author, course.id)).own).toMatchObject({
      hiddenReason: 'Advertising',
      rating: 1,
    });

    await saveRating(author, course.id, { rating: 2, review: 'Changed.' });
    expect(await ratingOf(course.id)).toEqual([5, 1]);

    const list = await listRatingsForAdmin({ state: 'hidden', search: 'moderated' });
    expect(list).toMatchObject({
      total: 1,
      page: 1,
      reviews: [
        {
          id,
          courseTitle: 'Moderated course',
          email: author.email,
          hiddenByName: 'Mona',
          hiddenReason: 'Advertising',
        },
      ],
    });
    expect((await listRatingsForAdmin({ search: 'moderated' })).total).toBe(2);
    expect((await listRatingsForAdmin({ search: 'moderated', rating: 5, page: 99 })).total).toBe(1);

    expect((await act(showRoute.POST, id, admin)).status).toBe(204);
    expect((await act(showRoute.POST, id, admin)).status).toBe(204);
    expect(await ratingOf(course.id)).toEqual([3.5, 2]);
    const log = await db()
      .select()
      .from(auditLog)
      .where(eq(auditLog.subjectId, String(id)));
    expect(log.map(({ action, reason, actorName }) => [action, reason, actorName])).toEqual([
      ['review.hidden', 'Advertising', 'Mona'],
      ['review.shown', null, 'Mona'],
    ]);
    await expect(hideRating({ id: admin.id, name: 'Mona' }, 2_000_000_000, 'x')).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(showRating({ id: admin.id, name: 'Mona' }, 2_000_000_000)).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('related courses', () => {
  it('are those that its learners have too, then the popular ones of the category', async () => {
    const course = await makeCourse({ categoryId: 2 });
    const together = await makeCourse({ categoryId: 1, studentsCount: 1, title: 'Bought together' });
    const hidden = await makeCourse({ categoryId: 2, studentsCount: 900, isActive: false });
    const popular = await makeCourse({ categoryId: 2, studentsCount: 800, title: 'Popular' });
    const next = await makeCourse({ categoryId: 2, studentsCount: 700, title: 'Next' });
    const buyer = await makeUser();
    for (const { id } of [course, together, hidden]) await makeEnrollment(buyer.id, id);
    const seen = async (viewer: typeof buyer | null) =>
      (await findCoursePage(course.id, viewer))?.related.map(({ title }) => title);
    expect(await seen(null)).toEqual(['Bought together', 'Popular', 'Next']);
    expect(await seen(buyer)).toEqual(['Popular', 'Next']);
    await db().update(courses).set({ isActive: false }).where(eq(courses.id, popular.id));
    expect(await seen(null)).toEqual(['Bought together', 'Next']);
    expect(next.isActive).toBe(true);
  });
});

it('a page of a course shows its reviews page by page', async () => {
  const course = await makeCourse();
  for (let n = 0; n < RATINGS_PAGE_SIZE + 1; n += 1) {
    const { id } = await makeUser();
    await db().insert(courseRatings).values({ userId: id, courseId: course.id, rating: 4 });
  }
  const [first, second] = await Promise.all([
    findCoursePage(course.id, null),
    findCoursePage(course.id, null, 2),
  ]);
  expect([first!.reviews.length, second!.reviews.length, second!.summary.count]).toEqual([
    RATINGS_PAGE_SIZE,
    1,
    RATINGS_PAGE_SIZE + 1,
  ]);
});

it('a review counts no more once its account is deleted', async () => {
  const course = await makeCourse();
  const learner = await learnerOf(course.id);
  await put(learner, course.id, { rating: 2 });
  expect(await ratingOf(course.id)).toEqual([2, 1]);
  const [gone] = await db().select().from(users).where(eq(users.id, learner.id));
  await callRoute(deleteRoute.POST, {
    params: { id: String(learner.id) },
    body: { confirmation: gone!.email, reason: 'Asked.' },
    as: await signIn(await makeAdmin()),
  });
  expect(await ratingOf(course.id)).toEqual([0, 0]);
});
