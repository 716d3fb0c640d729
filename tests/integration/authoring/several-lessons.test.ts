import { asc, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeLesson, makeUser } from '../../support/factories.ts';
import { auditLog } from '#db/schema/account.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { lessonProgress } from '#db/schema/learn.ts';
import { duplicateCourse } from '#src/features/authoring/transfer/copies.server.ts';
import { putStaff } from '#src/features/authoring/staff/staff.server.ts';
import { createLesson, findCourseContent } from '#src/features/authoring/lesson-editor/lessons.server.ts';
import { createLessonCall } from '#src/features/authoring/lesson-editor/schema.ts';
import { PUT as orderRoute } from '#src/pages/api/admin/courses/[id]/lesson-order.ts';
import { POST as severalRoute } from '#src/pages/api/admin/courses/[id]/lessons/several.ts';
import { callRoute, signIn } from '../../support/api.ts';

let admin: Awaited<ReturnType<typeof makeAdmin>>;
let as: Awaited<ReturnType<typeof signIn>>;
let actor: { id: number; name: string };
beforeAll(async () => {
  admin = await makeAdmin();
  as = await signIn(admin);
  actor = { id: admin.id, name: admin.username };
});

const several = (courseId: number, lessonIds: number[], action: unknown, who: typeof as | null = as) =>
  callRoute(severalRoute, {
    method: 'POST',
    params: { id: String(courseId) },
    body: { lessonIds, action },
    as: who,
  });
const order = (courseId: number, body: unknown) =>
  callRoute(orderRoute, { method: 'PUT', params: { id: String(courseId) }, body, as });
const titlesOf = async (courseId: number) =>
  (await db().select().from(lessons).where(eq(lessons.courseId, courseId)).orderBy(asc(lessons.order))).map(
    ({ order: place, title }) => `${place} ${title}`,
  );
async function courseOf(...titles: string[]) {
  const course = await makeCourse({ isActive: false });
  const made = [];
  for (const [index, title] of titles.entries())
    made.push(await makeLesson(course.id, { title, order: index + 1, section: 'S' }));
  return { id: course.id, made, ids: made.map(({ id }) => id) };
}

describe('several lessons at once', () => {
  it('are copied, each below itself', async () => {
    const { id, ids } = await courseOf('a', 'b', 'c');
    expect((await several(id, [ids[2]!, ids[0]!], { do: 'copy' })).body).toEqual({ changed: 2 });
    expect(await titlesOf(id)).toEqual(['1 a', '2 Copy of a', '3 b', '4 c', '5 Copy of c']);
  });

  it('are moved, all or none of them', async () => {
    const [from, to, user] = [await courseOf('a', 'b', 'c'), await courseOf('x'), await makeUser()];
    const [a, b, c] = from.ids;
    await db()
      .insert(lessonProgress)
      .values({ userId: user.id, lessonId: b!, courseId: from.id, completed: true });
    const refused = await several(from.id, [a!, b!], { do: 'move', courseId: to.id });
    expect([refused.status, refused.body.message]).toEqual([
      409,
      '1 learner has worked on this lesson here: it stays here.',
    ]);
    expect(await titlesOf(from.id)).toEqual(['1 a', '2 b', '3 c']);
    expect((await several(from.id, [a!, c!], { do: 'move', courseId: to.id })).status).toBe(200);
    expect([await titlesOf(from.id), await titlesOf(to.id)]).toEqual([['1 b'], ['1 x', '2 a', '3 c']]);
    expect((await several(from.id, [b!], { do: 'move', courseId: from.id })).status).toBe(409);
  });

  it('are deleted, and open by one rule, each audited', async () => {
    const { id, ids } = await courseOf('a', 'b', 'c');
    const opening = { afterDays: 7, afterEarlier: true };
    expect((await several(id, ids, { do: 'open', opening })).status).toBe(200);
    expect(
      (await db().select().from(lessons).where(eq(lessons.courseId, id))).map((one) => one.opening),
    ).toEqual([opening, opening, opening]);
    expect((await several(id, ids, { do: 'open', opening: {} })).status).toBe(200);
    expect((await several(id, ids.slice(1), { do: 'delete' })).body).toEqual({ changed: 2 });
    expect(await titlesOf(id)).toEqual(['1 a']);
    expect((await several(id, ids, { do: 'delete' })).status).toBe(404);
    expect(await titlesOf(id)).toEqual(['1 a']);
    const logged = await db().select().from(auditLog).where(eq(auditLog.actorId, admin.id));
    expect(
      logged.filter(({ action, details }) => action === 'lesson.deleted' && details.courseId === id),
    ).toHaveLength(2);
  });

  it('waits in a published course until the changes are published', async () => {
    const course = await makeCourse({ isActive: true, publishedAt: new Date() });
    const lesson = await makeLesson(course.id, { title: 'a' });
    expect((await several(course.id, [lesson.id], { do: 'delete' })).status).toBe(200);
    expect(await titlesOf(course.id)).toEqual(['1 a']);
    expect((await findCourseContent(course.id))!.lessons).toEqual([]);
  });

  it('refuses what is nothing to do, other courses, and who does not write in both', async () => {
    const [one, other] = [await courseOf('a'), await courseOf('x')];
    for (const [action, field] of [
      [{ do: 'burn' }, 'action.do'],
      [{ do: 'move' }, 'action.courseId'],
      [{ do: 'copy', courseId: other.id }, 'action'],
      [{ do: 'open', opening: { afterDays: 0 } }, 'action.opening.afterDays'],
    ] as const) {
      const answer = await several(one.id, one.ids, action);
      expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, [field]]);
    }
    expect((await several(one.id, [], { do: 'delete' })).body.fields).toEqual({
      lessonIds: 'Choose at least one lesson',
    });
    expect((await several(one.id, other.ids, { do: 'delete' })).status).toBe(404);
    expect((await several(one.id, one.ids, { do: 'delete' }, null)).status).toBe(401);
    const author = await makeUser({ emailVerifiedAt: new Date() });
    await putStaff(actor, one.id, { email: author.email, role: 'author' });
    const theirs = await signIn(author);
    expect((await several(one.id, one.ids, { do: 'move', courseId: other.id }, theirs)).status).toBe(404);
    expect((await several(other.id, other.ids, { do: 'delete' }, theirs)).status).toBe(404);
    expect((await several(one.id, one.ids, { do: 'copy' }, theirs)).status).toBe(200);
  });

  it('lets two who exchange lessons both have theirs', async () => {
    const [one, other] = [await courseOf('a', 'b'), await courseOf('x', 'y')];
    const both = await Promise.all([
      several(one.id, one.ids, { do: 'move', courseId: other.id }),
      several(other.id, other.ids, { do: 'move', courseId: one.id }),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect((await titlesOf(one.id)).map((title) => title.slice(2)).sort()).toEqual(['x', 'y']);
    expect((await titlesOf(other.id)).map((title) => title.slice(2)).sort()).toEqual(['a', 'b']);
  });
});

describe('sections without lessons', () => {
  it('are kept in their places, and a first lesson stands there', async () => {
    const { id, ids } = await courseOf('a', 'b');
    const places = (sections: string[]) =>
      ids.map((lesson, index) => ({ id: lesson, section: sections[index] }));
    const empty = [
      { title: 'Between', before: ids[1] },
      { title: 'Last', before: null },
    ];
    const kept = await order(id, { before: ids, lessons: places(['A', 'B']), empty });
    expect(kept.status).toBe(200);
    expect((await findCourseContent(id))!.empty).toEqual(empty);
    await order(id, { before: ids, lessons: places(['A', 'C']) });
    expect((await findCourseContent(id))!.empty).toEqual(empty);
    const input = createLessonCall.input!.parse({
      ...{ type: 'text', title: 'first', content: 'Words.', section: 'Between' },
    });
    await createLesson(actor, id, input);
    expect(await titlesOf(id)).toEqual(['1 a', '2 first', '3 b']);
  });

  it('are not overwritten by whoever did not see a colleague’s', async () => {
    const { id, ids } = await courseOf('a', 'b');
    const lessons = ids.map((lesson) => ({ id: lesson, section: 'S' }));
    const [theirs, mine] = [
      { title: 'Theirs', before: null },
      { title: 'Mine', before: null },
    ];
    const put = (empty: unknown, emptyBefore?: unknown) =>
      order(id, { before: ids, lessons, empty, emptyBefore });
    expect((await put([theirs])).status).toBe(200);
    expect((await put([mine])).status).toBe(409);
    expect((await findCourseContent(id))!.empty).toEqual([theirs]);
    expect((await put([theirs, mine], [theirs])).status).toBe(200);
    // Two at once, on top of the same: one of them is told.
    const both = await Promise.all(
      ['x', 'y'].map((title) => put([theirs, mine, { title, before: null }], [theirs, mine])),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await findCourseContent(id))!.empty).toHaveLength(3);
  });

  it('name no lesson that is not there', async () => {
    const { id, ids } = await courseOf('a', 'b');
    const lessons = ids.map((lesson, at) => ({ id: lesson, section: `S${at}` }));
    const strange = [
      { title: 'Strange', before: 2_000_000_000 },
      { title: 'Between', before: ids[1]! },
    ];
    expect((await order(id, { before: ids, lessons, empty: strange })).status).toBe(200);
    const [kept] = await db().select().from(courses).where(eq(courses.id, id));
    expect(kept!.emptySections).toEqual([
      { title: 'Between', before: ids[1] },
      { title: 'Strange', before: null },
    ]);
    expect((await several(id, [ids[1]!], { do: 'delete' })).status).toBe(200);
    expect((await findCourseContent(id))!.empty.map(({ before }) => before)).toEqual([null, null]);
  });

  it('are in a copy of the course, before the copies of their lessons', async () => {
    const { id, ids } = await courseOf('a', 'b');
    const lessons = ids.map((lesson, at) => ({ id: lesson, section: `S${at}` }));
    const empty = [
      { title: 'Between', before: ids[1]! },
      { title: 'Last', before: null },
    ];
    await order(id, { before: ids, lessons, empty });
    const copy = (await findCourseContent((await duplicateCourse(actor, id)).id))!;
    expect(copy.empty).toEqual([
      { title: 'Between', before: copy.lessons[1]!.id },
      { title: 'Last', before: null },
    ]);
  });

  it.each([
    [[{ title: '', before: null }], 'empty.0.title'],
    [[{ title: 'A', before: 'x' }], 'empty.0.before'],
    ['many', 'empty'],
    [Array.from({ length: 101 }, (_, at) => ({ title: `S${at}`, before: null })), 'empty'],
  ])('%# says what is wrong with them', async (empty, field) => {
    const { id, ids } = await courseOf('a');
    const answer = await order(id, { before: ids, lessons: [{ id: ids[0], section: '' }], empty });
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, [field]]);
    expect((await db().select().from(courses).where(eq(courses.id, id)))[0]!.emptySections).toEqual([]);
  });
});

it('refuses a rule by which one of them could never open, and changes none', async () => {
  const { id, ids } = await courseOf('a', 'b', 'c');
  expect((await several(id, [ids[2]!], { do: 'open', opening: { after: [ids[0]!] } })).status).toBe(200);
  const circle = await several(id, ids.slice(0, 2), { do: 'open', opening: { after: [ids[2]!] } });
  expect([circle.status, circle.body.fields]).toEqual([
    400,
    { 'opening.after': '“c” waits for “a” already' },
  ]);
  const rows = await db().select().from(lessons).where(eq(lessons.courseId, id)).orderBy(asc(lessons.order));
  expect(rows.map(({ opening }) => opening)).toEqual([{}, {}, { after: [ids[0]] }]);
});
