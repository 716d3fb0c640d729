import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeCourse, makeEnrollment, makeLesson, makeUser } from '#db/factories.ts';
import { enrollments } from '#db/schema/learn.ts';
import { findEndedAccess } from '#src/features/store/orders/ended-access.server.ts';
import { refundLine } from '#src/features/store/refunds/refunds.server.ts';
import { checkOut, itemsOfOrder, makeBuyer, type Payments, pay, startPayments } from '../support/payments.ts';

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
