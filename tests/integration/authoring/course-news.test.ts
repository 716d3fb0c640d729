import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeUser } from '../../support/factories.ts';
import { auditLog } from '#db/schema/account.ts';
import { courseNews, type enrollments } from '#db/schema/learn.ts';
import { findCourseNews, newsMailJob, queueNewsMails } from '#src/features/learn/news/news.server.ts';
import { listNews } from '#src/features/authoring/news/news.server.ts';
import { POST as writeNews } from '#src/pages/api/admin/courses/[id]/news.ts';
import { DELETE as deleteNews, PUT as changeNews } from '#src/pages/api/admin/news/[id].ts';
import { POST as sendNews } from '#src/pages/api/admin/news/[id]/send.ts';
import type { SignIn } from '#src/features/account/session.server.ts';
import { closedChoicesUrl, setMailChoices } from '#src/server/mail/mail-choices.ts';
import { env } from '#src/server/start/env.ts';
import { mailsTo } from '../../support/account.ts';
import { callRoute, signIn } from '../../support/api.ts';

let admin: SignIn;
beforeAll(async () => {
  admin = await signIn(await makeAdmin());
});

const NEWS = {
  title: 'A new lesson',
  body: '## Soon\n\nLook [here](https://example.com/a).\n\n- one\n- two',
};
const write = (courseId: number, body: unknown = NEWS, as: SignIn | null = admin) =>
  callRoute(writeNews, { body, as, params: { id: String(courseId) } });
const change = (id: number, body: unknown) =>
  callRoute(changeNews, { method: 'PUT', body, as: admin, params: { id: String(id) } });
const remove = (id: number) =>
  callRoute(deleteNews, { method: 'DELETE', as: admin, params: { id: String(id) } });
const send = (id: number, version = 1) =>
  callRoute(sendNews, { body: { version }, as: admin, params: { id: String(id) } });

async function learner(
  courseId: number,
  values: Partial<typeof enrollments.$inferInsert> = {},
  verified = true,
) {
  const user = await makeUser({ emailVerifiedAt: verified ? new Date() : null });
  await makeEnrollment(user.id, courseId, values);
  return user;
}

const newsTo = async (email: string) =>
  (await mailsTo(email)).filter(({ template }) => template === 'course-news');

describe('a draft', () => {
  it('is kept, changed and deleted, and no learner sees it', async () => {
    const course = await makeCourse();
    const user = await learner(course.id);
    const made = await write(course.id);
    expect([made.status, made.body]).toEqual([201, { id: expect.any(Number), ...NEWS, version: 1 }]);
    const changed = await change(made.body.id, { ...NEWS, title: ' Better ', version: 1 });
    expect([changed.status, changed.body]).toMatchObject([200, { title: 'Better', version: 2 }]);
    expect((await findCourseNews(user.id, course.id))!.news).toEqual([]);
    expect((await remove(made.body.id)).body).toEqual({ deleted: true });
    expect((await listNews(course.id))!.news).toEqual([]);
    expect((await remove(made.body.id)).status).toBe(404);
  });

  it.each([
    [{ ...NEWS, title: ' ' }, { title: 'Title is required' }],
    [{ ...NEWS, title: 'x'.repeat(121) }, { title: 'Title must be at most 120 characters' }],
    [{ ...NEWS, title: 'a\nb' }, { title: 'Title must be a single line' }],
    [{ ...NEWS, body: '' }, { body: 'Text is required' }],
    [{ ...NEWS, body: 'x'.repeat(10_001) }, { body: 'Text must be at most 10000 characters' }],
  ])('%# says what is wrong with it', async (body, fields) => {
    const answer = await write((await makeCourse()).id, body);
    expect([answer.status, answer.body.fields]).toEqual([400, fields]);
  });

  it('belongs to a course that exists, and to administrators', async () => {
    expect((await write(2147483647)).status).toBe(404);
    const course = await makeCourse();
    expect((await write(course.id, NEWS, null)).status).toBe(401);
    expect((await write(course.id, NEWS, await signIn(await makeUser()))).status).toBe(403);
  });

  it('that a colleague changed meanwhile is neither overwritten nor sent', async () => {
    const { body } = await write((await makeCourse()).id);
    await change(body.id, { ...NEWS, title: 'Theirs', version: 1 });
    const late = await change(body.id, { ...NEWS, title: 'Mine', version: 1 });
    expect([late.status, late.body.message]).toEqual([
      409,
      'Somebody else changed this draft meanwhile. Look at it again first.',
    ]);
    expect((await send(body.id, 1)).status).toBe(409);
    expect((await db().select().from(courseNews).where(eq(courseNews.id, body.id)))[0]).toMatchObject({
      title: 'Theirs',
      sentAt: null,
    });
  });
});

describe('sent news', () => {
  it('reach those who are enrolled, by mail where they want mail and it is theirs', async () => {
    const course = await makeCourse({ title: 'Kites' });
    const reader = await learner(course.id);
    const unproven = await learner(course.id, {}, false);
    const without = await learner(course.id);
    await setMailChoices(without.id, { learning: 'off' });
    const former = await learner(course.id, { status: 'revoked' });
    const { body } = await write(course.id);
    const sent = await send(body.id);
    expect([sent.status, sent.body]).toEqual([200, { id: body.id, sentAt: expect.any(String), mails: 1 }]);
    const late = await learner(course.id, { enrolledAt: new Date(Date.now() + 60_000) });
    await newsMailJob.run({ newsId: body.id, after: 0 }, { isLast: false });
    const [mail, ...more] = await newsTo(reader.email);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      subject: 'A new lesson (Kites)',
      status: 'gathered',
      unsubscribeUrl: closedChoicesUrl(['learning']),
    });
    expect(mail!.text).toContain('Soon\n\nLook here (https://example.com/a).\n\n• one\n\n• two');
    expect(mail!.text).toContain(`${env().siteUrl}/learn/${course.id}/news#news-${body.id}`);
    for (const { email } of [unproven, without, former, late]) expect(await newsTo(email)).toEqual([]);
    for (const { id } of [reader, unproven, without, late]) {
      expect((await findCourseNews(id, course.id))!.news).toMatchObject([{ title: 'A new lesson' }]);
    }
    expect(await findCourseNews(former.id, course.id)).toBeNull();
    expect(await findCourseNews((await makeUser()).id, course.id)).toBeNull();
  });

  it('are sent once, however often and at once they are sent and their job is run', async () => {
    const course = await makeCourse();
    const user = await learner(course.id);
    const { body } = await write(course.id);
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(body.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    await Promise.all([1, 2, 3].map(() => queueNewsMails(body.id, 0)));
    expect(await newsTo(user.email)).toHaveLength(1);
    expect((await change(body.id, { ...NEWS, version: 1 })).body.message).toBe(
      'These news were sent already. Write further ones.',
    );
    const rows = await db()
      .select({ details: auditLog.details })
      .from(auditLog)
      .where(and(eq(auditLog.action, 'course.news_sent'), eq(auditLog.subjectId, String(course.id))));
    expect(rows).toEqual([{ details: { title: course.title, news: 'A new lesson' } }]);
  });

  it('go in batches, and stop where they are deleted meanwhile', async () => {
    const course = await makeCourse();
    const users = [];
    for (let made = 0; made < 201; made += 1) users.push(await learner(course.id));
    const { body } = await write(course.id);
    await send(body.id);
    const last = await queueNewsMails(body.id, 0);
    expect(last).not.toBeNull();
    expect(await newsTo(users.at(-1)!.email)).toEqual([]);
    expect(await queueNewsMails(body.id, last!)).toBeNull();
    expect(await newsTo(users.at(-1)!.email)).toHaveLength(1);
    await remove(body.id);
    expect(await queueNewsMails(body.id, 0)).toBeNull();
  });
});
