import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { auditLog, users } from '#db/schema/account.ts';
import { courseRatingAnswers, courseRatings } from '#db/schema/catalogue.ts';
import { lessonProgress } from '#db/schema/learn.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { findCoursePage } from '#src/features/catalogue/course-page/course-page.server.ts';
import { ANSWER_MAX } from '#src/features/catalogue/ratings/ratings.ts';
import {
  deleteRating,
  hideRating,
  listRatingsForAdmin,
  ownRatingOf,
  saveRating,
} from '#src/features/catalogue/ratings/ratings.server.ts';
import * as exportRoute from '#src/pages/api/account/export.ts';
import * as hideRoute from '#src/pages/api/admin/reviews/[id]/answer/hide.ts';
import * as showRoute from '#src/pages/api/admin/reviews/[id]/answer/show.ts';
import * as deleteUserRoute from '#src/pages/api/admin/users/[id]/delete.ts';
import * as answerRoute from '#src/pages/api/course-reviews/[id]/answer.ts';
import * as reviewsRoute from '#src/pages/api/courses/[id]/reviews.ts';
import { callRoute, signIn } from '../../support/api.ts';

type User = Awaited<ReturnType<typeof makeUser>>;

/** A course with its author, and a learner's review of it. */
async function reviewed(values: Partial<User> = {}) {
  const author = await makeUser({ username: 'Ada Author' });
  const course = await makeCourse({ createdBy: author.id });
  const learner = await makeUser({ emailVerifiedAt: new Date(), ...values });
  await makeEnrollment(learner.id, course.id);
  const lesson = await makeLesson(course.id);
  await db()
    .insert(lessonProgress)
    .values({ userId: learner.id, courseId: course.id, lessonId: lesson.id, completed: true });
  const { id } = await saveRating(learner, course.id, { rating: 4, review: 'Clear.' });
  return { author, course, learner, id };
}

const put = async (as: User | null, id: unknown, body: unknown) =>
  callRoute(answerRoute.PUT, {
    method: 'PUT',
    params: { id: String(id) },
    body: { body },
    as: as && (await signIn(as)),
  });
const remove = async (as: User, id: number) =>
  callRoute(answerRoute.DELETE, { method: 'DELETE', params: { id: String(id) }, as: await signIn(as) });
const moderate = async (as: User, id: number, hide: boolean) =>
  callRoute(hide ? hideRoute.POST : showRoute.POST, {
    params: { id: String(id) },
    body: hide ? { reason: 'Not kind.' } : undefined,
    method: 'POST',
    as: await signIn(as),
  });
const answers = async (courseId: number) =>
  (await callRoute(reviewsRoute.GET, { params: { id: String(courseId) } })).body.reviews.map(
    (one: { answer: object | null }) => one.answer,
  );
const mailsTo = (email: string) => db().select().from(mailOutbox).where(eq(mailOutbox.recipient, email));

describe('an answer to a review', () => {
  it('is written, changed and removed by the course’s team, one for a review', async () => {
    const { author, course, learner, id } = await reviewed();
    expect((await put(author, id, ' Thank you.\n\nMore is coming. ')).status).toBe(204);
    expect(await answers(course.id)).toMatchObject([
      { body: 'Thank you.\n\nMore is coming.', name: 'Ada Author', isEdited: false, hiddenReason: null },
    ]);
    expect((await ownRatingOf(learner, course.id)).own!.answer).toMatchObject({ name: 'Ada Author' });
    const admin = await makeAdmin();
    expect((await put(admin, id, 'More is here.')).status).toBe(204);
    expect(await answers(course.id)).toMatchObject([{ body: 'More is here.', name: null, isEdited: true }]);
    expect((await remove(author, id)).status).toBe(204);
    expect((await remove(author, id)).status).toBe(204);
    expect(await answers(course.id)).toEqual([null]);
    const log = await db().select().from(auditLog).where(eq(auditLog.actorId, author.id));
    expect(log.map(({ action }) => action)).toEqual(['review_answer.removed']);

    await Promise.all(['One', 'Two', 'Three'].map((body) => put(author, id, body)));
    expect(await db().$count(courseRatingAnswers, eq(courseRatingAnswers.reviewId, id))).toBe(1);
  });

  it('is nobody else’s to write or to remove', async () => {
    const { author, course, learner, id } = await reviewed();
    const other = await makeUser();
    await makeCourse({ createdBy: other.id });
    for (const stranger of [learner, other]) {
      const refused = await put(stranger, id, 'Mine.');
      expect([refused.status, refused.body.message]).toEqual([
        403,
        'Only the team of a course answers its reviews.',
      ]);
      expect((await remove(stranger, id)).status).toBe(403);
    }
    expect((await put(null, id, 'Mine.')).status).toBe(401);
    expect((await put(author, 2_000_000_000, 'x')).status).toBe(404);
    expect((await put(author, 'x', 'x')).status).toBe(404);
    const lengths = await Promise.all(
      ['', '  ', 'a'.repeat(ANSWER_MAX + 1), 3, null].map((body) => put(author, id, body)),
    );
    expect(lengths.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect(lengths[2]!.body.fields).toEqual({ body: `Answer must be at most ${ANSWER_MAX} characters` });
    expect((await put(author, id, '🙂'.repeat(ANSWER_MAX))).status).toBe(204);
    const [page, seen] = [await findCoursePage(course.id, learner), await findCoursePage(course.id, author)];
    expect([page!.answers, seen!.answers]).toEqual([false, true]);
  });

  it('is mailed once to who wrote the review, if they want such mails at a proven address', async () => {
    const wants = await reviewed();
    await put(wants.author, wants.id, 'Thank you.');
    await put(wants.author, wants.id, 'Thank you very much.');
    await remove(wants.author, wants.id);
    await put(wants.author, wants.id, 'Thanks.');
    const [mail, ...more] = await mailsTo(wants.learner.email);
    expect([mail!.template, mail!.subject, more]).toEqual([
      'review-answered',
      `Your review has an answer (${wants.course.title})`,
      [],
    ]);
    expect(mail!.text).toContain('Thank you.');
    expect(mail!.text).toContain(`/courses/${wants.course.id}#reviews`);
    expect(mail!.text).toMatch(/\/mail-choices\?stop=learning/);
    for (const values of [{ learningMail: 'off' as const }, { emailVerifiedAt: null }]) {
      const spared = await reviewed(values);
      await put(spared.author, spared.id, 'Thank you.');
      expect(await mailsTo(spared.learner.email)).toEqual([]);
    }
    const own = await reviewed();
    await db().update(users).set({ role: 'admin' }).where(eq(users.id, own.learner.id));
    await put({ ...own.learner, role: 'admin' }, own.id, 'I answer myself.');
    expect(await mailsTo(own.learner.email)).toEqual([]);
  });

  it('is hidden and shown by administrators, with the reason for the team', async () => {
    const { author, course, learner, id } = await reviewed();
    const admin = await makeAdmin();
    expect((await moderate(admin, id, true)).status).toBe(404);
    await put(author, id, 'Nonsense.');
    expect((await moderate(author, id, true)).status).toBe(403);
    expect((await moderate(admin, id, true)).status).toBe(204);
    const hidden = { body: 'Nonsense.', hiddenReason: 'Not kind.' };
    expect(await answers(course.id)).toEqual([null]);
    expect((await findCoursePage(course.id, null))!.reviews[0]!.answer).toBe(null);
    expect((await ownRatingOf(learner, course.id)).own!.answer).toBe(null);
    expect((await findCoursePage(course.id, author))!.reviews[0]!.answer).toMatchObject(hidden);
    const { reviews } = await listRatingsForAdmin({ search: course.title });
    expect(reviews[0]!.answer).toMatchObject(hidden);
    // Changed, it stays hidden: it could say the same in other words.
    await put(author, id, 'Other nonsense.');
    expect(await answers(course.id)).toEqual([null]);
    expect((await moderate(admin, id, false)).status).toBe(204);
    expect((await moderate(admin, id, false)).status).toBe(204);
    expect(await answers(course.id)).toMatchObject([{ body: 'Other nonsense.' }]);
    const log = await db().select().from(auditLog).where(eq(auditLog.actorId, admin.id)).orderBy(auditLog.id);
    expect(log.map(({ action, reason }) => [action, reason])).toEqual([
      ['review_answer.hidden', 'Not kind.'],
      ['review_answer.shown', null],
    ]);
    await hideRating({ id: admin.id, name: admin.username }, id, 'Rude.');
    expect((await put(author, id, 'Still here.')).status).toBe(409);
  });

  it('goes with its review, deleted or emptied', async () => {
    const shown = await reviewed();
    await put(shown.author, shown.id, 'Thank you.');
    await deleteRating(shown.learner, shown.course.id);
    const hidden = await reviewed();
    await put(hidden.author, hidden.id, 'Thank you.');
    await hideRating({ id: (await makeAdmin()).id, name: 'A' }, hidden.id, 'Rude.');
    await deleteRating(hidden.learner, hidden.course.id);
    for (const { id } of [shown, hidden]) {
      expect(await db().$count(courseRatingAnswers, eq(courseRatingAnswers.reviewId, id))).toBe(0);
    }
    expect(await db().$count(courseRatings, eq(courseRatings.id, hidden.id))).toBe(1);
  });

  it('is in the file of its writer, and stays without a name when they go', async () => {
    const { author, course, id } = await reviewed();
    await put(author, id, 'Thank you.');
    const data = JSON.parse((await callRoute(exportRoute.GET, { as: await signIn(author) })).text);
    expect(data.answersToReviews).toMatchObject([{ course: course.title, answer: 'Thank you.' }]);
    const gone = await callRoute(deleteUserRoute.POST, {
      params: { id: String(author.id) },
      body: { confirmation: author.email, reason: 'Asked.' },
      as: await signIn(await makeAdmin()),
    });
    expect(gone.status, gone.text).toBe(200);
    expect(await answers(course.id)).toMatchObject([{ body: 'Thank you.', name: null }]);
  });
});
