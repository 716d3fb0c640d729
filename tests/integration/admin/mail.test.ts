import { and, desc, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { auditLog } from '#db/schema/account.ts';
import { assignments } from '#db/schema/learn.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { changeText } from '#src/features/admin/shell/admin.ts';
import { thingsToDo } from '#src/features/admin/insights/analytics.server.ts';
import { listChanges } from '#src/features/admin/operations/audit-log.server.ts';
import { listMails } from '#src/features/admin/operations/mail-outbox.server.ts';
import { POST as grade } from '#src/pages/api/admin/assignments/[id]/grade.ts';
import { POST as retry } from '#src/pages/api/admin/mail/[id]/retry.ts';
import { deliverMail } from '#src/server/mail/mail.ts';
import { callRoute, signIn } from '../../support/api.ts';

let admin: Awaited<ReturnType<typeof makeAdmin>>;
beforeAll(async () => {
  admin = await makeAdmin({ username: 'Grace Hopper' });
});

const act = async (route: Parameters<typeof callRoute>[0], id: number, body?: unknown) =>
  callRoute(route, {
    method: 'POST',
    params: { id: String(id) },
    as: await signIn(admin),
    ...(body === undefined ? {} : { body }),
  });

async function makeMail(values: Partial<typeof mailOutbox.$inferInsert> = {}) {
  const [mail] = await db()
    .insert(mailOutbox)
    .values({
      template: 'receipt',
      recipient: 'ada@example.com',
      subject: 'Your receipt',
      text: 'Thank you.',
      status: 'failed',
      attempts: 13,
      lastError: '421 later',
      ...values,
    })
    .returning();
  return mail!;
}
const mailOf = async (id: number) => (await db().select().from(mailOutbox).where(eq(mailOutbox.id, id)))[0]!;

describe('the outbox', () => {
  it('lists mails by state and recipient, without their text', async () => {
    const mail = await makeMail({ recipient: 'only@example.com', text: 'a secret link' });
    await makeMail({ status: 'sent' });
    const list = await listMails({ search: ' Only@Example.com ', status: 'failed', page: 1 });
    expect(list.total).toBe(1);
    expect(list.mails).toMatchObject([{ id: mail.id, error: '421 later', canRetry: true }]);
    expect(JSON.stringify(list)).not.toContain('secret');
    expect((await listMails({ search: 'only@example.com', status: 'sent', page: 1 })).mails).toEqual([]);
    expect((await listMails({ search: '', status: null, page: 999 })).page).toBe(1);
  });

  it('says of a mail that had no mail server that it is kept, with its text and without its secrets', async () => {
    const words = { recipient: 'kept@example.com', text: 'Open https://site.test/?token=secret-1 now.' };
    const mail = await makeMail({ ...words, status: 'queued', attempts: 0, lastError: null });
    await makeMail({ ...words, status: 'sent', sentAt: new Date() });
    await deliverMail.run({ outboxId: mail.id }, { isLast: true });
    const { mails } = await listMails({ search: words.recipient, status: 'sent', page: 1 });
    expect(mails).toMatchObject([
      { text: null, sentAt: expect.any(String) },
      { id: mail.id, sentAt: null, text: 'Open https://site.test/?token=removed now.' },
    ]);
  });

  it('sends a mail again that was given up, and says who had it done', async () => {
    const mail = await makeMail();
    const answer = await act(retry, mail.id);
    expect(answer.body).toEqual({ message: 'The mail to ada@example.com is on its way again.' });
    expect(await mailOf(mail.id)).toMatchObject({ status: 'queued', attempts: 0 });
    const [entry] = await db()
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.subjectType, 'mail'), eq(auditLog.subjectId, String(mail.id))))
      .orderBy(desc(auditLog.id));
    expect(changeText(entry!)).toBe('had the mail “Your receipt” to ada@example.com sent again');
    expect((await act(retry, mail.id)).status).toBe(409);
  });

  it.each(['https://example.com/claim?token=removed', 'https://example.com/x?a=token%3Dremoved'])(
    'does not send one whose link was taken out: %s',
    async (link) => {
      const mail = await makeMail({ text: `Open ${link}` });
      expect((await listMails({ search: '', status: 'failed', page: 1 })).mails[0]).toMatchObject({
        id: mail.id,
        canRetry: false,
      });
      const answer = await act(retry, mail.id);
      expect(answer.status).toBe(409);
      expect(answer.body.message).toContain('Have a new one sent instead.');
      expect((await mailOf(mail.id)).status).toBe('failed');
    },
  );
});

describe('grading', () => {
  it('takes a grade from 0 to 100 for the submission that was read', async () => {
    const course = await makeCourse();
    const lesson = await makeLesson(course.id, { type: 'assignment' });
    const learner = await makeUser();
    await makeEnrollment(learner.id, course.id);
    const before = (await thingsToDo()).ungraded;
    const [work] = await db()
      .insert(assignments)
      .values({ userId: learner.id, lessonId: lesson.id, submission: 'My essay' })
      .returning();
    expect((await thingsToDo()).ungraded - before).toBe(1);
    const submittedAt = work!.submittedAt.toISOString();
    for (const [body, field] of [
      [{ grade: 101, feedback: '', submittedAt }, 'grade'],
      [{ grade: -1, feedback: '', submittedAt }, 'grade'],
      [{ grade: 9.5, feedback: '', submittedAt }, 'grade'],
      [{ grade: '90', feedback: '', submittedAt }, 'grade'],
      [{ grade: 90, feedback: 'x'.repeat(30_001), submittedAt }, 'feedback'],
      [{ grade: 90, feedback: '', submittedAt: 'yesterday' }, 'submittedAt'],
    ] as const) {
      expect(Object.keys((await act(grade, work!.id, body)).body.fields)).toEqual([field]);
    }
    const older = { grade: 90, feedback: '', submittedAt: '2020-01-01T00:00:00.000Z' };
    expect((await act(grade, work!.id, older)).status).toBe(409);
    const answer = await act(grade, work!.id, { grade: 90, feedback: ' Well done ', submittedAt });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ grade: 90, feedback: 'Well done' });
    expect((await thingsToDo()).ungraded).toBe(before);
  });
});

describe('the audit log', () => {
  it('is searched by who acted and why, and narrowed to one kind of thing', async () => {
    await db()
      .insert(auditLog)
      .values([
        { actorName: 'Katherine Johnson', action: 'course.hidden', subjectType: 'course', subjectId: '1' },
        {
          actorName: 'Nobody',
          action: 'moon.landed',
          subjectType: 'order',
          subjectId: '2',
          reason: 'For Katherine',
        },
      ]);
    const find = async (search: string, subject: string | null = null) =>
      (await listChanges({ search, subject, page: 1 })).changes.map(({ action }) => action);
    expect(await find('KATHERINE')).toEqual(['moon.landed', 'course.hidden']);
    expect(await find('katherine', 'course')).toEqual(['course.hidden']);
    expect(await find("' or 1=1 --")).toEqual([]);
    expect((await listChanges({ search: 'katherine', subject: null, page: 99 })).page).toBe(1);
  });
});
