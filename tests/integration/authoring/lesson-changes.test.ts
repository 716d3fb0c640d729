import { desc, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { auditLog } from '#db/schema/account.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { enrollments, lessonProgress, pointsLedger } from '#db/schema/learn.ts';
import { changeText } from '#src/features/admin/shell/admin.ts';
import { completeLesson } from '#src/features/learn/progress/completion.server.ts';
import { findClassroom, visitLesson } from '#src/features/learn/classroom/classroom.server.ts';
import { PUT as update } from '#src/pages/api/admin/lessons/[id].ts';
import { callRoute, signIn } from '../../support/api.ts';

let admin: Awaited<ReturnType<typeof makeAdmin>>;
beforeAll(async () => {
  admin = await makeAdmin();
});

async function completed() {
  const course = await makeCourse({ isActive: false });
  const lesson = await makeLesson(course.id, { title: 'Knots', content: 'Old', points: 10 });
  const user = await makeUser();
  await makeEnrollment(user.id, course.id);
  await completeLesson({ id: user.id, role: 'student' }, course.id, lesson.id);
  return { course, lesson, user };
}
type Made = Awaited<ReturnType<typeof completed>>;

const save = async ({ lesson }: Pick<Made, 'lesson'>, content: string, version: number, change?: unknown) =>
  callRoute(update, {
    method: 'PUT',
    params: { id: String(lesson.id) },
    as: await signIn(admin),
    body: { type: 'text', title: 'Knots', content, points: 10, version, change },
  });
const changedFor = async ({ course, lesson }: Made, user: { id: number }) =>
  (await findClassroom({ id: user.id, role: 'student' }, course.id))!.lessons.find(
    ({ id }) => id === lesson.id,
  )!.changedAt;
const earned = async ({ course, user }: Made) => ({
  progress: await db()
    .select({ completed: lessonProgress.completed, at: lessonProgress.completedAt })
    .from(lessonProgress)
    .where(eq(lessonProgress.userId, user.id)),
  points: await db().select().from(pointsLedger).where(eq(pointsLedger.userId, user.id)),
  enrollment: await db().select().from(enrollments).where(eq(enrollments.courseId, course.id)),
});
const lastChange = async ({ lesson }: Made) =>
  (
    await db()
      .select({ action: auditLog.action, details: auditLog.details })
      .from(auditLog)
      .where(eq(auditLog.subjectId, String(lesson.id)))
      .orderBy(desc(auditLog.id))
  )[0]!;

describe('changing a lesson that learners have completed', () => {
  it('is a correction that nobody is told of, asked for or not', async () => {
    const made = await completed();
    expect((await save(made, 'Mended', 1)).status).toBe(200);
    expect((await lastChange(made)).details).not.toHaveProperty('change');
    expect((await save(made, 'Mended again', 2, 'correction')).status).toBe(200);
    expect(await changedFor(made, made.user)).toBeNull();
    expect(changeText(await lastChange(made))).toContain('as a correction: content');
  });

  it('as a new version is told to them until they see it, and takes nothing', async () => {
    const made = await completed();
    const before = await earned(made);
    expect((await save(made, 'New', 1, 'new_version')).status).toBe(200);
    expect(changeText(await lastChange(made))).toContain('as a new version: content');
    const first = await changedFor(made, made.user);
    expect(first).not.toBeNull();
    expect(await earned(made)).toEqual(before);
    await save(made, 'New, mended', 2, 'correction');
    expect(await changedFor(made, made.user)).toBe(first);

    await visitLesson(made.user.id, made.course.id, made.lesson.id, first!);
    expect(await changedFor(made, made.user)).toBeNull();
    expect(await earned(made)).toEqual(before);
    await save(made, 'Newer', 3, 'new_version');
    const second = await changedFor(made, made.user);
    expect(second).not.toBeNull();
    // Who has seen the first one only, is still to be told of the second.
    await visitLesson(made.user.id, made.course.id, made.lesson.id, first!);
    expect(await changedFor(made, made.user)).toBe(second);
  });

  it('is nothing new to those who complete it later, or have not completed it', async () => {
    const made = await completed();
    const [later, never] = [await makeUser(), await makeUser()];
    for (const user of [later, never]) await makeEnrollment(user.id, made.course.id);
    await save(made, 'New', 1, 'new_version');
    await completeLesson({ id: later.id, role: 'student' }, made.course.id, made.lesson.id);
    expect(await changedFor(made, later)).toBeNull();
    expect(await changedFor(made, never)).toBeNull();
    expect(await changedFor(made, made.user)).not.toBeNull();
    // Another learner's look is not one's own.
    await visitLesson(later.id, made.course.id, made.lesson.id, (await changedFor(made, made.user))!);
    expect(await changedFor(made, made.user)).not.toBeNull();
  });

  it('is no new version where nothing changed, and refuses other words', async () => {
    const made = await completed();
    await save(made, 'New', 1);
    await save(made, 'New', 2, 'new_version');
    expect(await changedFor(made, made.user)).toBeNull();
    for (const change of ['rewrite', '', null, 1]) {
      const refused = await save(made, 'Newest', 2, change);
      expect(refused.status).toBe(400);
      expect(refused.body.fields).toEqual({ change: 'change must be correction or new_version' });
    }
    expect((await db().select().from(lessons).where(eq(lessons.id, made.lesson.id)))[0]).toMatchObject({
      content: 'New',
      changedAt: null,
    });
  });

  it('is none of a version that a colleague has replaced', async () => {
    const made = await completed();
    await save(made, 'Theirs', 1);
    expect((await save(made, 'Mine', 1, 'new_version')).status).toBe(409);
    expect(await changedFor(made, made.user)).toBeNull();
  });
});
