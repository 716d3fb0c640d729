import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import {
  makeAdmin,
  makeCategories,
  makeCourse,
  makeEnrollment,
  makeLesson,
  makeUser,
} from '../../support/factories.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { enrollments, lessonProgress } from '#db/schema/learn.ts';
import { findCoursePage } from '#src/features/catalogue/course-page/course-page.server.ts';
import { firstSteppedCourse } from '#src/features/catalogue/stepped-courses.server.ts';
import { findSteps } from '#src/features/practice/steps/steps.server.ts';

beforeAll(() => makeCategories());
beforeEach(async () => {
  await db().update(courses).set({ isActive: false });
});

type Values = Parameters<typeof makeLesson>[1];
const STEP: Values = {
  type: 'interactive_coding',
  codingLanguage: 'javascript',
  starterCode: 'const answer = 1;',
  expectedOutput: '42',
  isPreview: true,
};

/** A free course of steps, as many as are named. */
async function stepped(count: number, values: Parameters<typeof makeCourse>[0] = {}) {
  const course = await makeCourse({ priceCents: 0, ...values });
  const ids: number[] = [];
  for (let at = 0; at < count; at += 1) {
    ids.push((await makeLesson(course.id, { ...STEP, title: `Step ${at + 1}`, order: at + 1 })).id);
  }
  return { id: course.id, ids };
}

describe('a course is played in small steps', () => {
  it('where it is free, in the store, and all of its lessons are coding lessons to try', async () => {
    const { id, ids } = await stepped(3);
    const shown = await findSteps(null, id, null);
    expect(shown).toMatchObject({
      at: 0,
      enrolled: false,
      bench: { lesson: { id: ids[0] }, lastCode: null },
    });
    expect(shown!.course.steps).toEqual(
      ids.map((lessonId, at) => ({
        id: lessonId,
        title: `Step ${at + 1}`,
        section: expect.any(String),
        done: false,
      })),
    );
  });

  it('and nowhere else', async () => {
    const admin = await makeAdmin();
    const refused = async (id: number) => {
      expect(await findSteps(null, id, null)).toBeNull();
      expect(await findSteps(admin, id, 1)).toBeNull();
    };
    await refused(2_000_000_000);
    await refused((await stepped(0)).id);
    await refused((await stepped(1, { priceCents: 100 })).id);
    await refused((await stepped(1, { isActive: false })).id);
    await refused((await stepped(1, { isActive: false, archivedAt: new Date() })).id);
    for (const other of [{ ...STEP, isPreview: false }, { isPreview: true }] satisfies Values[]) {
      const { id } = await stepped(1);
      await makeLesson(id, other);
      await refused(id);
    }
    expect(await firstSteppedCourse()).toBeNull();
  });

  it('not any more when it costs something or is hidden, not even for who is in it', async () => {
    const [{ id }, user] = [await stepped(2), await makeUser()];
    await makeEnrollment(user.id, id);
    expect(await findSteps(user, id, null)).not.toBeNull();
    await db().update(courses).set({ isActive: false }).where(eq(courses.id, id));
    expect(await findSteps(user, id, null)).toBeNull();
  });
});

describe('the step that is shown', () => {
  it('is the one of the address, the last one past the end, and none behind it', async () => {
    const { id } = await stepped(3);
    const at = async (asked: number | 'end' | null) => (await findSteps(null, id, asked))!.at;
    expect([await at(2), await at(999), await at(null), await at('end')]).toEqual([1, 2, 0, null]);
  });

  it('is the first that the learner has not done, and behind the last one leads on', async () => {
    const [{ id, ids }, user] = [await stepped(3), await makeUser()];
    const { id: other } = await makeCourse({ title: 'More of it', priceCents: 5000 });
    for (let count = 0; count < 4; count += 1) await makeLesson(other, { ...STEP, isPreview: false });
    await makeEnrollment(user.id, id);
    const complete = async (lessonId: number) =>
      db()
        .insert(lessonProgress)
        .values({ userId: user.id, courseId: id, lessonId, completed: true })
        .onConflictDoUpdate({
          target: [lessonProgress.userId, lessonProgress.lessonId],
          set: { completed: true },
        });
    await complete(ids[0]!);
    await complete(ids[2]!);
    const shown = await findSteps(user, id, null);
    expect(shown).toMatchObject({ at: 1, enrolled: true });
    expect(shown!.course.steps.map(({ done }) => done)).toEqual([true, false, true]);
    // What is done stays the learner's alone.
    expect((await findSteps(await makeUser(), id, null))!.at).toBe(0);
    await complete(ids[1]!);
    expect(await findSteps(user, id, null)).toMatchObject({
      at: null,
      bench: null,
      next: { id: other, title: 'More of it' },
    });
    // Opened for reading: their place in the course is kept.
    await findSteps(user, id, 3);
    const [enrollment] = await db().select().from(enrollments).where(eq(enrollments.userId, user.id));
    expect(enrollment!.currentLessonId).toBe(ids[2]);
  });

  it('has the hidden parts of no lesson', async () => {
    const { id, ids } = await stepped(1);
    await db().update(lessons).set({ solution: 'the answer' }).where(eq(lessons.id, ids[0]!));
    expect(JSON.stringify(await findSteps(null, id, 1))).not.toContain('the answer');
  });
});

it('the first of all is the oldest of those that are played so, and one of JavaScript where there is one', async () => {
  const { id: python, ids } = await stepped(1);
  await db().update(lessons).set({ codingLanguage: 'python' }).where(eq(lessons.id, ids[0]!));
  expect((await firstSteppedCourse())!.id).toBe(python);
  await stepped(1, { priceCents: 900 });
  const first = await stepped(2, { title: 'First' });
  await stepped(2);
  expect(await firstSteppedCourse()).toEqual({ id: first.id, title: 'First', steps: 2 });
});

it('the one that leads up to a course is in the languages of its coding lessons', async () => {
  const first = await stepped(1);
  const { id: sql, ids } = await stepped(1, { title: 'SQL' });
  await db()
    .update(lessons)
    .set({ codingLanguage: 'sql', content: 'SELECT 1' })
    .where(eq(lessons.id, ids[0]!));
  const courseIn = async (...languages: NonNullable<Values>['codingLanguage'][]) => {
    const course = await makeCourse();
    await makeLesson(course.id, { type: 'text' });
    for (const codingLanguage of languages) await makeLesson(course.id, { ...STEP, codingLanguage });
    return course.id;
  };
  const before = async (id: number) => (await findCoursePage(id, null))!.steps?.id ?? null;
  expect(await before(await courseIn('sql', 'sql'))).toBe(sql);
  expect(await before(await courseIn('javascript'))).toBe(first.id);
  for (const languages of [['python'], ['sql', 'javascript'], []] as const) {
    expect(await before(await courseIn(...languages))).toBeNull();
  }
  // No course leads up to itself.
  expect(await before(sql)).toBeNull();
});
