import { eq, sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { users } from '#db/schema/account.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { previewLearners } from '#db/schema/learn.ts';
import { codeSubmissions } from '#db/schema/practice.ts';
import { deletePerson, personalData } from '#src/features/admin/people/personal-data.server.ts';
import * as programShape from '#src/features/practice/groups/program-shape.server.ts';
import { findWorkbench } from '#src/features/practice/practice.server.ts';
import { PUT as hideRoute } from '#src/pages/api/hidden-programs.ts';
import { GET as compareRoute } from '#src/pages/api/lessons/[id]/comparison.ts';
import { type CallOptions, callRoute, signIn } from '../../support/api.ts';

// Programs are read as always; one test counts when.
vi.mock('#src/features/practice/groups/program-shape.server.ts', { spy: true });

const LOOP = 'function sum(n) {\n  let s = 0;\n  for (let i = 0; i < n; i++) s += i;\n  return s;\n}';
const WHILE = 'function sum(n) {\n  let s = 0;\n  while (n-- > 0) s += n;\n  return s;\n}';
const FORMULA = 'const sum = (n) => (n * (n - 1)) / 2;';

async function codingLesson(values: Parameters<typeof makeLesson>[1] = {}) {
  const course = await makeCourse();
  const lesson = await makeLesson(course.id, {
    type: 'interactive_coding',
    codingLanguage: 'javascript',
    instructions: 'Add up the numbers below n.',
    starterCode: '',
    solution: `${FORMULA} // Gauss`,
    testCases: [{ input: 'sum(3)', expectedOutput: '3' }],
    content: '',
    showsPrograms: true,
    ...values,
  });
  return { course, lesson };
}

async function learner(courseId: number) {
  const user = await makeUser();
  await makeEnrollment(user.id, courseId);
  return { user, as: await signIn(user) };
}

/** A submission as it is kept, without a judge. */
async function pass(
  lessonId: number,
  userId: number,
  code: string,
  values: Partial<typeof codeSubmissions.$inferInsert> = {},
) {
  await db()
    .insert(codeSubmissions)
    .values({
      ...{ lessonId, userId, submittedCode: code, language: 'javascript', attempts: 1 },
      ...{ isCorrect: true, verdict: 'pass', ...values },
    });
}

const compare = (id: number, options: CallOptions = {}) =>
  callRoute(compareRoute, { ...options, params: { id: String(id) } });

/** A learner who has passed by a loop, and what they may compare it with. */
async function passed(values: Parameters<typeof codingLesson>[0] = {}) {
  const { course, lesson } = await codingLesson(values);
  const own = await learner(course.id);
  await pass(lesson.id, own.user.id, LOOP);
  const other = async (code: string, more: Parameters<typeof pass>[3] = {}) => {
    const { user, as } = await learner(course.id);
    await pass(lesson.id, user.id, code, more);
    return { user, as };
  };
  return { course, lesson, own, other, see: async () => (await compare(lesson.id, { as: own.as })).body };
}

describe('what a program that passed is compared with', () => {
  it('is the solution with what its author says of it, safe to show', async () => {
    const { see } = await passed({
      solutionNotes: 'No **loop** at all. <script>x</script>',
      showsPrograms: false,
    });
    const seen = (await see()) as { solution: { notes: string } };
    expect(seen).toMatchObject({ own: LOOP, solution: { code: `${FORMULA} // Gauss` }, others: null });
    expect(seen.solution.notes).toContain('<strong>loop</strong>');
    expect(seen.solution.notes).not.toContain('<script');
  });

  it('says nothing of a solution where there is none', async () => {
    const { see } = await passed({ solution: ' ', solutionNotes: 'Left over' });
    expect(await see()).toEqual({ own: LOOP, solution: null, others: { alike: 0, groups: [] } });
  });

  it('is for those alone who have passed this lesson and may read it', async () => {
    const { course, lesson, own } = await passed();
    const failed = await learner(course.id);
    await pass(lesson.id, failed.user.id, LOOP, { isCorrect: false, verdict: 'wrong_answer' });
    const elsewhere = await learner((await makeCourse()).id);
    const admin = await signIn(await makeAdmin());
    expect((await compare(lesson.id)).status).toBe(401);
    expect((await compare(lesson.id, { as: failed.as })).status).toBe(403);
    expect((await compare(lesson.id, { as: admin })).status).toBe(403);
    const [stranger, missing] = [
      await compare(lesson.id, { as: elsewhere.as }),
      await compare(2_000_000_000, { as: own.as }),
    ];
    expect([stranger.status, missing.status]).toEqual([404, 404]);
    expect(stranger.body.message).toBe(missing.body.message);
    // Whoever passed and lost access sees no more than any stranger.
    await pass(lesson.id, elsewhere.user.id, LOOP);
    expect((await compare(lesson.id, { as: elsewhere.as })).status).toBe(404);
    const another = await codingLesson();
    await makeEnrollment(own.user.id, another.course.id);
    expect((await compare(another.lesson.id, { as: own.as })).status).toBe(403);
  });

  it('is what others wrote, alike together, the most different first, without comments', async () => {
    const { other, see } = await passed();
    await other(LOOP.replaceAll('s', 'total'));
    await other(WHILE);
    await other(`// Ada Lovelace\n${FORMULA}`);
    await other('/* Bob */ const total = (count) => (count * (count - 1)) / 2;');
    expect(await see()).toMatchObject({
      own: LOOP,
      others: {
        alike: 1,
        groups: [
          { code: 'const total = (count) => (count * (count - 1)) / 2;', learners: 2 },
          { code: WHILE, learners: 1 },
        ],
      },
    });
    expect(JSON.stringify(await see())).not.toMatch(/Ada|Bob/);
  });

  it('has of each learner the newest that passed, and at most ten ways', async () => {
    const { lesson, other, see } = await passed();
    const ada = await other(WHILE, { submittedAt: sql`now() + interval '1 second'` as never });
    await pass(lesson.id, ada.user.id, FORMULA, {
      submittedAt: sql`now() + interval '2 seconds'` as never,
      attempts: 2,
    });
    expect(await see()).toMatchObject({ others: { groups: [{ code: FORMULA, learners: 1 }] } });
    for (let n = 0; n < 11; n++) await other(`${'f();'.repeat(n + 1)}${LOOP}`);
    const seen = (await see()) as { others: { groups: unknown[] } };
    expect(seen.others.groups).toHaveLength(10);
  });

  it('has room for everybody, however often somebody else hands in', async () => {
    const { lesson, other, see } = await passed();
    await other(WHILE);
    const often = await other(FORMULA);
    await db()
      .insert(codeSubmissions)
      .values(
        Array.from({ length: 500 }, (_, n) => ({
          ...{
            lessonId: lesson.id,
            userId: often.user.id,
            submittedCode: FORMULA,
            language: 'javascript' as const,
          },
          ...{ isCorrect: true, verdict: 'pass' as const, attempts: n + 2 },
        })),
      );
    expect(await see()).toMatchObject({
      others: { groups: expect.arrayContaining([{ code: WHILE, learners: 1 }]) },
    });
  });

  it('holds everybody else up for one program at a time, however many compare', async () => {
    const { other, see } = await passed();
    for (const code of [WHILE, FORMULA, LOOP]) await other(code);
    const reads = vi.mocked(programShape.shapeOf);
    reads.mockClear();
    const readInTurn = [0];
    let isOver = false;
    const nextTurn = () => {
      readInTurn.push(reads.mock.calls.length);
      if (!isOver) setImmediate(nextTurn);
    };
    nextTurn();
    await Promise.all(Array.from({ length: 6 }, () => see()));
    isOver = true;
    expect(reads).toHaveBeenCalledTimes(24);
    const perTurn = readInTurn.slice(1).map((count, at) => count - readInTurn[at]!);
    // There may be more turns than a call takes arguments.
    expect(perTurn.filter((count) => count > 1)).toEqual([]);
  });

  it('is nothing of those who keep theirs out, were not told, are gone, or are of the staff', async () => {
    const { course, lesson, other, see } = await passed();
    const nothing = { others: { alike: 0, groups: [] } };
    const [hides, goes] = [await other(WHILE), await other(FORMULA)];
    expect((await callRoute(hideRoute, { as: hides.as, body: { hidden: true } })).status).toBe(200);
    const admin = await makeAdmin();
    await deletePerson({ id: admin.id, name: admin.username }, goes.user.id, {
      confirmation: goes.user.email,
      reason: 'Asked for',
    });
    expect(await see()).toMatchObject(nothing);
    await other(WHILE, { submittedAt: new Date(0) });
    await other(WHILE, { language: 'python' });
    await other(`${WHILE}//${'x'.repeat(10_000)}`);
    await other('function (');
    await pass(lesson.id, admin.id, WHILE);
    const looks = await other(WHILE);
    await db()
      .insert(previewLearners)
      .values({ userId: looks.user.id, adminId: admin.id, courseId: course.id });
    expect(await see()).toMatchObject(nothing);
    await callRoute(hideRoute, { as: hides.as, body: { hidden: false } });
    expect(await see()).toMatchObject({ others: { groups: [{ code: WHILE, learners: 1 }] } });
  });

  it('begins when it is switched on, and is not begun again by saving', async () => {
    const { lesson } = await codingLesson({ showsPrograms: false });
    const set = async (values: Partial<typeof lessons.$inferInsert>) => {
      await db().update(lessons).set(values).where(eq(lessons.id, lesson.id));
      const [row] = await db().select().from(lessons).where(eq(lessons.id, lesson.id));
      return row!.programsShownSince;
    };
    expect(await set({ title: 'Sums' })).toBeNull();
    const since = await set({ showsPrograms: true });
    expect(since).not.toBeNull();
    expect(await set({ showsPrograms: true, programsShownSince: null, title: 'More sums' })).toEqual(since);
    expect(await set({ showsPrograms: false })).toBeNull();
  });

  it('is told before, and the choice is in the file of what is held about a person', async () => {
    const { lesson, own } = await passed();
    const viewer = { ...own.user };
    expect(await findWorkbench(viewer, lesson.id)).toMatchObject({ programsSeen: { hidden: false } });
    expect((await callRoute(hideRoute, { body: { hidden: true } })).status).toBe(401);
    expect((await callRoute(hideRoute, { as: own.as, body: { hidden: 'yes' } })).status).toBe(400);
    await callRoute(hideRoute, { as: own.as, body: { hidden: true } });
    expect(await findWorkbench(viewer, lesson.id)).toMatchObject({ programsSeen: { hidden: true } });
    expect(await personalData(own.user.id)).toMatchObject({ hidesPrograms: true });
    await db().update(lessons).set({ showsPrograms: false }).where(eq(lessons.id, lesson.id));
    expect(await findWorkbench(viewer, lesson.id)).toMatchObject({ programsSeen: null });
    expect(await db().$count(users, eq(users.hidesPrograms, true))).toBeGreaterThan(0);
  });
});
