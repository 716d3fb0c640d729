import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { enrollments } from '#db/schema/learn.ts';
import { LESSON_NOT_FOUND } from '#src/features/catalogue/catalogue.ts';
import { endedText } from '#src/features/store/orders/ended-access.ts';
import { findEndedAccess } from '#src/features/store/orders/ended-access.server.ts';
import { refundLine } from '#src/features/store/refunds/refunds.server.ts';
import * as completeRoute from '#src/pages/api/courses/[id]/content/[lessonId]/complete.ts';
import * as notesRoute from '#src/pages/api/lessons/[id]/notes.ts';
import * as quizRoute from '#src/pages/api/lessons/[id]/quiz.ts';
import * as lessonRoute from '#src/pages/api/lessons/[id].ts';
import { callRoute, signIn } from '../../support/api.ts';
import {
  checkOut,
  itemsOfOrder,
  makeBuyer,
  type Payments,
  pay,
  startPayments,
} from '../../support/payments.ts';

let payments: Payments;
beforeAll(async () => {
  payments = await startPayments();
});
afterAll(() => payments.close());

const setStatus = (userId: number, courseId: number, status: 'active' | 'suspended' | 'revoked') =>
  db()
    .update(enrollments)
    .set({ status })
    .where(and(eq(enrollments.userId, userId), eq(enrollments.courseId, courseId)));

describe('access that has ended', () => {
  it('is told with its reason: given by hand, paused, and never to those who have it or never had it', async () => {
    const [user, course] = [await makeUser(), await makeCourse()];
    const lesson = await makeLesson(course.id);
    await makeEnrollment(user.id, course.id);
    expect(await findEndedAccess(user.id, { courseId: course.id })).toBeNull();
    await setStatus(user.id, course.id, 'suspended');
    expect(await findEndedAccess(user.id, { lessonId: lesson.id })).toMatchObject({
      courseId: course.id,
      courseTitle: course.title,
      why: 'disputed',
      orderId: null,
    });
    await setStatus(user.id, course.id, 'revoked');
    expect(await findEndedAccess(user.id, { courseId: course.id })).toMatchObject({ why: 'ended' });
    const stranger = await makeUser();
    expect(await findEndedAccess(stranger.id, { courseId: course.id })).toBeNull();
    expect(await findEndedAccess(user.id, { courseId: 2_000_000_000 })).toBeNull();
    expect(await findEndedAccess(user.id, { lessonId: 2_000_000_000 })).toBeNull();
    expect(await findEndedAccess(user.id, { scenarioId: 2_000_000_000 })).toBeNull();
  });

  it('is what open pages of the course are told then, instead of a lesson that is not found', async () => {
    const [user, course] = [await makeUser(), await makeCourse({ title: 'Knots' })];
    const text = await makeLesson(course.id);
    const coding = await makeLesson(course.id, { type: 'interactive_coding', codingLanguage: 'javascript' });
    await makeEnrollment(user.id, course.id);
    const as = await signIn(user);
    const refusals = async (id: string) => {
      const notes = { body: { notes: 'Kept', version: 0 } };
      const answers = [
        await callRoute(notesRoute.PUT, { as, params: { id }, ...notes }),
        await callRoute(quizRoute.GET, { as, params: { id } }),
        await callRoute(lessonRoute.GET, { as, params: { id } }),
        await callRoute(completeRoute.POST, { as, params: { id: String(course.id), lessonId: id } }),
      ];
      return answers.map(({ status, body }) => [status, body.message]);
    };
    await setStatus(user.id, course.id, 'suspended');
    for (const id of [text.id, coding.id]) {
      for (const [status, message] of await refusals(String(id))) {
        expect([403, 404]).toContain(status);
        expect(message).toBe(endedText({ courseTitle: 'Knots', why: 'disputed' }));
      }
    }
    await setStatus(user.id, course.id, 'revoked');
    for (const [, message] of await refusals(String(coding.id))) {
      expect(message).toBe(endedText({ courseTitle: 'Knots', why: 'ended' }));
    }
    // Who never had it learns nothing of it.
    const stranger = await callRoute(lessonRoute.GET, {
      as: await signIn(await makeUser()),
      params: { id: String(coding.id) },
    });
    expect(stranger.body.message).toBe(LESSON_NOT_FOUND);
  });

  it('names the order of a course that was refunded', async () => {
    const buyer = await makeBuyer(4900);
    const { orderId, intentId } = await checkOut(buyer);
    expect(await pay(payments, intentId)).toBe('succeeded');
    await payments.sandbox.control.settled();
    const [item] = await itemsOfOrder(orderId);
    expect(await findEndedAccess(buyer.user.id, { courseId: item!.courseId })).toBeNull();
    await refundLine(orderId, item!.id, { reason: 'Did not fit', source: 'admin' });
    await payments.sandbox.control.settled();
    expect(await findEndedAccess(buyer.user.id, { courseId: item!.courseId })).toMatchObject({
      orderId,
      why: 'refunded',
    });
  });
});
