import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import type { AssignmentSettings } from '#db/schema/catalogue.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { assignments, enrollments, lessonProgress } from '#db/schema/learn.ts';
import { getCell } from '#src/features/admin/grading/cell.server.ts';
import { findGradebook, gradebookCsv } from '#src/features/admin/grading/gradebook.server.ts';
import {
  getAssignment,
  listUngraded,
  submitText,
} from '#src/features/learn/assignments/assignments.server.ts';
import { findClassroom } from '#src/features/learn/classroom/classroom.server.ts';
import { openLesson } from '../../support/open-lesson.ts';
import { readDashboard } from '#src/features/learn/dashboard/dashboard.server.ts';
import { openedAssignment } from '#src/features/lessons/types/assignment/opened.server.ts';
import * as createLessonRoute from '#src/pages/api/admin/courses/[id]/lessons.ts';
import * as duplicateRoute from '#src/pages/api/admin/lessons/[id]/duplicate.ts';
import * as assignmentRoute from '#src/pages/api/lessons/[id]/assignment.ts';
import { callRoute, signIn } from '../../support/api.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';

/** A course with one assignment, and a learner who was enrolled late on the first of March. */
async function taught(assignmentSettings: AssignmentSettings) {
  const course = await makeCourse();
  const lesson = await makeLesson(course.id, { type: 'assignment', title: 'Audit', assignmentSettings });
  const user = await makeUser({ emailVerifiedAt: new Date() });
  await makeEnrollment(user.id, course.id);
  const enroll = (at: string) =>
    db()
      .update(enrollments)
      .set({ enrolledAt: new Date(at) })
      .where(eq(enrollments.userId, user.id));
  await enroll('2026-03-01T23:30:00Z');
  const mine = and(eq(assignments.userId, user.id), eq(assignments.lessonId, lesson.id));
  return {
    ...{ course, lesson, user, enroll },
    handIn: () => submitText(user.id, lesson.id, 'My work'),
    handedInAt: (at: string) =>
      db()
        .update(assignments)
        .set({ submittedAt: new Date(at) })
        .where(mine),
    work: () => getAssignment(user.id, lesson.id),
    outline: async () => (await findClassroom(user, course.id))!.lessons[0]!.dueAt,
    opened: async () =>
      openedAssignment((await openLesson(user.id, course.id, lesson.id))!, user.id).then(
        ({ dueAt }) => dueAt,
      ),
    waits: async () => (await readDashboard(user.id)).due,
  };
}

const LIST = { search: '', page: 1, filter: '', sort: 'name' } as const;

describe('the due date of an assignment', () => {
  it('is the end of a day so many days after the enrollment, and moves with it', async () => {
    const { course, lesson, enroll, outline, opened, waits } = await taught({ dueDays: 1 });
    expect([await outline(), await opened()]).toEqual(Array(2).fill('2026-03-02T23:59:59.999Z'));
    const href = `/learn/${course.id}?lesson=${lesson.id}`;
    expect(await waits()).toEqual([{ text: '“Audit” is due Mar 2, 2026', href }]);
    await enroll('2026-03-02T00:00:00Z');
    expect([await outline(), await opened()]).toEqual(Array(2).fill('2026-03-03T23:59:59.999Z'));
  });

  it('is a fixed day for all, whenever they were enrolled', async () => {
    const { enroll, outline, opened } = await taught({ dueDay: '2028-02-29' });
    await enroll('2028-06-01T00:00:00Z');
    expect([await outline(), await opened()]).toEqual(Array(2).fill('2028-02-29T23:59:59.999Z'));
  });

  it('marks work late by a second, and refuses none', async () => {
    const { course, lesson, user, handIn, handedInAt, work } = await taught({ dueDays: 1 });
    expect(await handIn()).toMatchObject({ dueAt: '2026-03-02T23:59:59.999Z', late: true });
    const seen = async () => {
      const place = { courseId: course.id, userId: user.id, lessonId: lesson.id };
      const queue = await listUngraded({ page: 1, pageSize: 10, courseIds: [course.id] });
      return [
        (await work())!.late,
        queue.rows[0]!.late,
        (await getCell(place)).late,
        (await findGradebook(course.id, LIST))!.learners[0]!.cells[0]!.late,
        (await gradebookCsv(course.id))!.includes('"Waits for a grade, late"'),
      ];
    };
    await handedInAt('2026-03-03T00:00:00Z');
    expect(await seen()).toEqual(Array(5).fill(true));
    await handedInAt('2026-03-02T23:59:59Z');
    expect(await seen()).toEqual(Array(5).fill(false));
  });

  it('is none where the author gives none', async () => {
    const { outline, opened, waits, handIn } = await taught({});
    expect([await outline(), await opened(), await waits()]).toEqual([null, null, []]);
    expect(await handIn()).toMatchObject({ dueAt: null, late: false });
  });

  it('waits on the dashboard until something is handed in, the lesson is excused or it is closed again', async () => {
    const [one, other, closed] = [
      await taught({ dueDays: 1 }),
      await taught({ dueDays: 1 }),
      await taught({ dueDays: 1 }),
    ];
    await one.handIn();
    expect(await one.waits()).toEqual([]);
    const { user, course, lesson } = other;
    expect(await other.waits()).toHaveLength(1);
    await db().insert(lessonProgress).values({
      userId: user.id,
      courseId: course.id,
      lessonId: lesson.id,
      excusedAt: new Date(),
      excusedReason: 'Ill',
    });
    expect(await other.waits()).toEqual([]);
    await db()
      .update(lessons)
      .set({ opening: { on: '2999-01-01' } })
      .where(eq(lessons.id, closed.lesson.id));
    expect(await closed.waits()).toEqual([]);
  });

  it('is told to its learner alone', async () => {
    const { lesson, user, handIn } = await taught({ dueDay: '2026-03-02' });
    await handIn();
    const read = async (who?: typeof user) => {
      const as = who && (await signIn(who));
      const { status, body } = await callRoute(assignmentRoute.GET, {
        params: { id: String(lesson.id) },
        ...(as && { as }),
      });
      return [status, body.dueAt];
    };
    expect(await read(user)).toEqual([200, '2026-03-02T23:59:59.999Z']);
    expect(await read()).toEqual([401, undefined]);
    expect(await read(await makeUser())).toEqual([404, undefined]);
  });
});

describe('what an author says of a due date', () => {
  const create = async (assignmentSettings: unknown) => {
    const { id } = await makeCourse();
    return callRoute(createLessonRoute.POST, {
      params: { id: String(id) },
      body: { type: 'assignment', title: 'One', content: 'Do it.', assignmentSettings },
      as: await signIn(await makeAdmin()),
    });
  };

  it.each([
    [{ dueDays: 0 }, 'dueDays', 'Due days must be at least 1'],
    [{ dueDays: 3651 }, 'dueDays', 'Due days must be at most 3650'],
    [{ dueDays: null }, 'dueDays', 'Due days must be a whole number'],
    [{ dueDay: '' }, 'dueDay', 'Due day must be a date such as 2027-01-31'],
    [{ dueDay: '2027-02-30' }, 'dueDay', 'Due day must be a date such as 2027-01-31'],
    [{ dueDay: '0000-01-01' }, 'dueDay', 'Due day must be a date such as 2027-01-31'],
    [{ dueDays: 1, dueDay: '2027-01-31' }, 'dueDay', 'Due day and due days exclude each other'],
  ])('%j is refused by name', async (settings, field, message) => {
    const { status, body } = await create(settings);
    expect([status, body.fields]).toEqual([400, { [`assignmentSettings.${field}`]: message }]);
  });

  it.each([{ dueDays: 3650 }, { dueDay: '2020-01-31' }])('%j is kept, and copied', async (settings) => {
    const { status, body } = await create(settings);
    expect(status).toBe(201);
    const copy = await callRoute(duplicateRoute.POST, {
      params: { id: String(body.id) },
      body: {},
      as: await signIn(await makeAdmin()),
    });
    for (const id of [body.id, copy.body.id]) {
      const [row] = await db().select().from(lessons).where(eq(lessons.id, id));
      expect(row!.assignmentSettings).toEqual(settings);
    }
  });
});
