import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { enrollments } from '#db/schema/learn.ts';
import { reviewItems } from '#db/schema/review.ts';
import { recordCompletion } from '#src/features/learn/progress/completion.server.ts';
import { POST as answerRoute } from '#src/pages/api/admin/lesson-questions/[id]/replies.ts';
import { GET as listRoute, POST as askRoute } from '#src/pages/api/lessons/[id]/questions.ts';
import { GET as waitingRoute } from '#src/pages/api/my-learning.ts';
import type { SignIn } from '#src/features/account/session.server.ts';
import { callRoute, signIn } from '../../support/api.ts';

const waiting = async (as: SignIn) => (await callRoute(waitingRoute, { as })).body;

describe('GET /api/my-learning', () => {
  it('counts the answers that a learner has not seen, until the lesson shows them', async () => {
    const course = await makeCourse();
    const lesson = await makeLesson(course.id);
    const [asker, other] = [await makeUser(), await makeUser()];
    for (const { id } of [asker, other]) await makeEnrollment(id, course.id);
    const [as, asOther, asTeam] = [await signIn(asker), await signIn(other), await signIn(await makeAdmin())];
    const params = { id: String(lesson.id) };
    const asked = await callRoute(askRoute, { params, body: { key: 'waiting-key-1', body: 'Why?' }, as });
    expect(asked.status).toBe(201);
    expect(await waiting(as)).toEqual({
      reviewsDue: 0,
      answersWaiting: 0,
      teaches: false,
      inOrganisation: false,
    });

    const answer = async (key: string, version: number) => {
      const replied = await callRoute(answerRoute, {
        params: { id: String((asked.body as { id: number }).id) },
        body: { key, body: 'Because.', version },
        as: asTeam,
      });
      expect(replied.status, JSON.stringify(replied.body)).toBeLessThan(300);
    };
    await answer('waiting-key-2', 1);
    expect(await waiting(as)).toEqual({
      reviewsDue: 0,
      answersWaiting: 1,
      teaches: false,
      inOrganisation: false,
    });
    expect(await waiting(asOther)).toEqual({
      reviewsDue: 0,
      answersWaiting: 0,
      teaches: false,
      inOrganisation: false,
    });
    // Somebody else's look is not theirs.
    await callRoute(listRoute, { params, as: asOther });
    expect(await waiting(as)).toMatchObject({ answersWaiting: 1 });
    await callRoute(listRoute, { params, as });
    expect(await waiting(as)).toMatchObject({ answersWaiting: 0 });
    // A further answer waits again.
    await answer('waiting-key-3', 2);
    expect(await waiting(as)).toMatchObject({ answersWaiting: 1 });
    // Where access has ended nothing can be opened, so nothing waits.
    await db().update(enrollments).set({ status: 'revoked' }).where(eq(enrollments.userId, asker.id));
    expect(await waiting(as)).toMatchObject({ answersWaiting: 0 });
  });

  it('counts the reviews of today, and is for who is signed in', async () => {
    const learner = await makeUser();
    const course = await makeCourse();
    const lesson = await makeLesson(course.id, {
      type: 'interactive_coding',
      codingLanguage: 'javascript',
      instructions: 'Write `add`.',
    });
    await makeEnrollment(learner.id, course.id);
    await db().transaction((tx) =>
      recordCompletion(tx, { userId: learner.id, courseId: course.id, lessonId: lesson.id }),
    );
    const as = await signIn(learner);
    expect(await waiting(as)).toEqual({
      reviewsDue: 0,
      answersWaiting: 0,
      teaches: false,
      inOrganisation: false,
    });
    await db()
      .update(reviewItems)
      .set({ due: sql`now() - interval '1 minute'` })
      .where(eq(reviewItems.userId, learner.id));
    expect(await waiting(as)).toEqual({
      reviewsDue: 1,
      answersWaiting: 0,
      teaches: false,
      inOrganisation: false,
    });
    expect((await callRoute(waitingRoute)).status).toBe(401);
  });
});
