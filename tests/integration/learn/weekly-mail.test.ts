import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { studyDays } from '#db/schema/learn.ts';
import { completeLesson } from '#src/features/learn/progress/completion.server.ts';
import { openLesson } from '../../support/open-lesson.ts';
import { queueWeeklyMails, weeklyMailJob } from '#src/features/learn/dashboard/weekly-mail.server.ts';
import { env } from '#src/server/start/env.ts';
import { mailsTo } from '../../support/account.ts';

const WEEK = '2026-W31';

async function learner(values: Parameters<typeof makeUser>[0] = {}) {
  const user = await makeUser({ emailVerifiedAt: new Date(), ...values });
  const course = await makeCourse();
  const lessons = [await makeLesson(course.id), await makeLesson(course.id, { title: 'The second lesson' })];
  await makeEnrollment(user.id, course.id);
  return { user, course, lessons };
}

async function queueAll(week = WEEK): Promise<void> {
  for (let after: number | null = 0; after !== null; ) after = await queueWeeklyMails(week, after);
}

const weekly = async (email: string) =>
  (await mailsTo(email)).filter(({ template }) => template === 'weekly-next');

describe('the weekly mail', () => {
  it('says what is next, once per week and learner', async () => {
    const { user, course, lessons } = await learner();
    await openLesson(user.id, course.id, lessons[0]!.id);
    await completeLesson({ id: user.id, role: 'student' }, course.id, lessons[0]!.id);
    await Promise.all([queueAll(), queueAll(), queueAll()]);
    await queueAll();
    const [mail, ...others] = await weekly(user.email);
    expect(others).toEqual([]);
    expect(mail!.subject).toBe(`What is next in ${course.title}`);
    expect(mail!.text).toContain('“The second lesson”, lesson 2 of 2. You have completed 50% of the course.');
    expect(mail!.text).toContain('you studied on 1 day and completed 1 lesson.');
    expect(mail!.text).toContain(`${env().siteUrl}/learn/${course.id}?lesson=${lessons[1]!.id}`);
    await queueAll('2026-W32');
    expect(await weekly(user.email)).toHaveLength(2);
  });

  it('goes to learners who have something to finish or have studied, and to nobody else', async () => {
    const fresh = await learner();
    const without = await makeUser({ emailVerifiedAt: new Date() });
    const unproven = await learner({ emailVerifiedAt: null });
    const off = await learner({ learningMail: 'off' });
    const finished = await learner();
    for (const lesson of finished.lessons)
      await completeLesson({ id: finished.user.id, role: 'student' }, finished.course.id, lesson.id);
    const longAgo = await learner();
    for (const lesson of longAgo.lessons)
      await completeLesson({ id: longAgo.user.id, role: 'student' }, longAgo.course.id, lesson.id);
    await db().update(studyDays).set({ day: '2020-01-01' }).where(eq(studyDays.userId, longAgo.user.id));
    await queueAll();
    const count = async (email: string) => (await weekly(email)).length;
    expect(await count(fresh.user.email)).toBe(1);
    expect((await weekly(fresh.user.email))[0]!.text).toContain('waits for its first lesson');
    expect(await count(finished.user.email)).toBe(1);
    expect((await weekly(finished.user.email))[0]!.text).toContain(
      'You have finished every course that you own.',
    );
    for (const { email } of [without, unproven.user, off.user, longAgo.user])
      expect(await count(email)).toBe(0);
  });

  it('comes by the job of every Monday, in batches', async () => {
    const { user } = await learner();
    expect(weeklyMailJob.cron).toBe('0 8 * * 1');
    await weeklyMailJob.run(undefined, { isLast: false });
    const [mail] = await weekly(user.email);
    expect(mail!.dedupeKey).toMatch(new RegExp(`^weekly-next:\\d{4}-W\\d{2}:${user.id}$`));
  });

  it('keeps names of people and courses to their line (U5)', async () => {
    const user = await makeUser({ emailVerifiedAt: new Date(), username: 'Ada\r\nBcc: all@example.com' });
    const course = await makeCourse({ title: 'One\r\nBcc: all@example.com' });
    await makeEnrollment(user.id, course.id);
    await queueAll();
    const [mail] = await weekly(user.email);
    expect(mail!.subject).toBe('What is next in One Bcc: all@example.com');
    expect(mail!.text).not.toMatch(/^Bcc:/m);
  });
});
