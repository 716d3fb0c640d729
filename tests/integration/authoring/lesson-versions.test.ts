import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeLesson } from '../../support/factories.ts';
import { lessons, lessonVersions } from '#db/schema/catalogue.ts';
import { findLessonFields } from '#src/features/authoring/lesson-editor/lessons.server.ts';
import {
  differencesOf,
  findLessonVersions,
  findVersionFields,
} from '#src/features/authoring/lesson-editor/versions/versions.server.ts';
import { SCENARIO_EXAMPLE } from '#src/features/authoring/scenario-editor/scenario-example.ts';
import { VERSIONS_KEPT } from '#src/features/lessons/lesson-store.server.ts';
import { POST as create } from '#src/pages/api/admin/courses/[id]/lessons.ts';
import { PUT as change } from '#src/pages/api/admin/lessons/[id].ts';
import { POST as move } from '#src/pages/api/admin/lessons/[id]/move.ts';
import { callRoute, signIn } from '../../support/api.ts';

let admin: Awaited<ReturnType<typeof makeAdmin>>;
beforeAll(async () => {
  admin = await makeAdmin({ username: 'Grace Hopper' });
});

type Body = Record<string, unknown>;

async function make(courseId: number, body: Body): Promise<number> {
  const answer = await callRoute(create, {
    method: 'POST',
    params: { id: String(courseId) },
    body,
    as: await signIn(admin),
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id;
}
const save = async (id: number, body: Body) =>
  callRoute(change, { method: 'PUT', params: { id: String(id) }, body, as: await signIn(admin) });

describe('versions of a lesson', () => {
  it('are kept with who saved each and what it changed', async () => {
    const course = await makeCourse({ isActive: false });
    const text = { type: 'text', title: 'Knots' };
    const id = await make(course.id, { ...text, content: 'One\nTwo\nThree' });
    expect(await findLessonVersions(course.id, id)).toMatchObject([
      { version: 1, savedBy: null, changed: null },
    ]);
    expect((await save(id, { ...text, content: 'One\nTwo and a half\nThree', version: 1 })).status).toBe(200);
    await save(id, { ...text, content: 'One\nTwo and a half\nThree', version: 2 });
    await save(id, { ...text, title: 'Bends', content: 'One\nTwo and a half\nThree', version: 2 });

    const versions = (await findLessonVersions(course.id, id))!;
    expect(versions.map(({ version, savedBy, changed }) => [version, savedBy, changed])).toEqual([
      [3, 'Grace Hopper', ['Title']],
      [2, 'Grace Hopper', ['Content']],
      [1, null, null],
    ]);
    const [third, second, first] = versions;
    expect(differencesOf(first!.fields, second!.fields)).toMatchObject([
      { label: 'Content', hunks: [{ lines: [' One', '-Two', '+Two and a half', ' Three'] }] },
    ]);
    expect(differencesOf(first!.fields, third!.fields).map(({ label }) => label)).toEqual([
      'Title',
      'Content',
    ]);
    expect(differencesOf(third!.fields, third!.fields)).toEqual([]);
  });

  it('that are refused leave no version behind', async () => {
    const course = await makeCourse({ isActive: false });
    const id = await make(course.id, { type: 'text', title: 'Knots', content: 'One' });
    expect((await save(id, { type: 'text', title: '', content: 'Two', version: 1 })).status).toBe(400);
    expect((await save(id, { type: 'text', title: 'Old', content: 'Two', version: 7 })).status).toBe(409);
    expect(await db().$count(lessonVersions, eq(lessonVersions.lessonId, id))).toBe(0);
  });

  it('bring questions back: those that are there keep their ids, removed ones are new', async () => {
    const course = await makeCourse({ isActive: false });
    const question = (text: string) => ({
      question: text,
      options: ['3', '4'],
      correctAnswer: 1,
      explanation: '',
    });
    const quiz = { type: 'quiz', title: 'Sums', content: 'Count.' };
    const id = await make(course.id, { ...quiz, questions: [question('2 + 2?'), question('1 + 3?')] });
    const before = (await findLessonFields(course.id, id))!;
    const kept = { ...question('2 + 2, what is it?'), id: before.questions[0]!.id };
    expect((await save(id, { ...quiz, questions: [kept], version: 1 })).status).toBe(200);

    const now = (await findLessonFields(course.id, id))!;
    const back = (await findVersionFields(id, now, 1))!;
    expect(back).toMatchObject({ version: 2, order: now.order, title: 'Sums' });
    expect(back.questions).toMatchObject([
      { id: before.questions[0]!.id, question: '2 + 2?' },
      { id: null, question: '1 + 3?' },
    ]);
    const saved = await save(id, { ...quiz, questions: back.questions, version: 2 });
    expect(saved.status, saved.text).toBe(200);
    const again = (await findLessonVersions(course.id, id))!;
    expect(again.map(({ version }) => version)).toEqual([3, 2, 1]);
    expect(differencesOf(again[2]!.fields, again[0]!.fields)).toEqual([]);
  });

  it('hold a scenario as its author wrote it', async () => {
    const course = await makeCourse({ isActive: false });
    const shared = { type: 'scenario', title: 'Outage', instructions: 'Go.' };
    const id = await make(course.id, { ...shared, scenario: SCENARIO_EXAMPLE });
    const other = { ...SCENARIO_EXAMPLE, title: 'Another outage' };
    expect((await save(id, { ...shared, scenario: other, version: 1 })).status).toBe(200);
    const now = (await findLessonFields(course.id, id))!;
    expect((await findVersionFields(id, now, 1))!.scenario!.title).toBe(SCENARIO_EXAMPLE.title);
    const [second, first] = (await findLessonVersions(course.id, id))!;
    expect(differencesOf(first!.fields, second!.fields)).toMatchObject([{ label: 'Scenario' }]);
  });

  it('come along to another course, and are not shown under a foreign one', async () => {
    const [from, to] = [await makeCourse({ isActive: false }), await makeCourse()];
    const id = await make(from.id, { type: 'text', title: 'Knots', content: 'One' });
    await save(id, { type: 'text', title: 'Bends', content: 'One', version: 1 });
    expect(await findLessonVersions(to.id, id)).toBeNull();
    const moved = await callRoute(move, {
      method: 'POST',
      params: { id: String(id) },
      body: { courseId: to.id },
      as: await signIn(admin),
    });
    expect(moved.status, moved.text).toBe(200);
    expect((await findLessonVersions(to.id, id))!.map(({ changed }) => changed)).toEqual([
      [],
      ['Title'],
      null,
    ]);
    expect(await findLessonVersions(from.id, id)).toBeNull();
  });

  it('are read where the lesson has more columns by now, and are none where none is kept', async () => {
    const course = await makeCourse({ isActive: false });
    const lesson = await makeLesson(course.id, { title: 'Now', points: 30 });
    await db()
      .insert(lessonVersions)
      .values({
        lessonId: lesson.id,
        version: 0,
        written: { title: 'Then', questions: [], scenario: null },
        replacedBy: null,
      });
    const now = (await findLessonFields(course.id, lesson.id))!;
    expect(await findVersionFields(lesson.id, now, 0)).toMatchObject({ title: 'Then', points: 30 });
    expect(await findVersionFields(lesson.id, now, 5)).toBeNull();
  });

  it('are the last fifty, and go with the lesson', async () => {
    const course = await makeCourse({ isActive: false });
    const id = await make(course.id, { type: 'text', title: 'Knots', content: '0' });
    for (let version = 1; version <= VERSIONS_KEPT + 2; version += 1) {
      const answer = await save(id, { type: 'text', title: 'Knots', content: String(version), version });
      expect(answer.status, answer.text).toBe(200);
    }
    const versions = (await findLessonVersions(course.id, id))!;
    expect(versions).toHaveLength(VERSIONS_KEPT + 1);
    expect(versions.at(-1)).toMatchObject({ version: 3, changed: null });
    await db().delete(lessons).where(eq(lessons.id, id));
    expect(await db().$count(lessonVersions, eq(lessonVersions.lessonId, id))).toBe(0);
  });

  it('keep one of two saves that come at once', async () => {
    const course = await makeCourse({ isActive: false });
    const id = await make(course.id, { type: 'text', title: 'Knots', content: '0' });
    const answers = await Promise.all(
      ['a', 'b'].map((content) => save(id, { type: 'text', title: 'Knots', content, version: 1 })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await db().$count(lessonVersions, eq(lessonVersions.lessonId, id))).toBe(1);
  });
});
