import { eq, sql } from 'drizzle-orm';
import { afterAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { auditLog } from '#db/schema/account.ts';
import { lessonProgress, previewLearners } from '#db/schema/learn.ts';
import { codeSubmissions, groupHintOffers, mistakeGroups } from '#db/schema/practice.ts';
import { proveLesson } from '#src/features/authoring/publishing/check-lessons.server.ts';
import { readLesson } from '#src/features/authoring/publishing/lesson-check.server.ts';
import { groupingJob, groupSubmission, seedGroups } from '#src/features/practice/groups/groups.server.ts';
import { stopJudge } from '#src/judge/client.ts';
import { findWorkbench } from '#src/features/practice/practice.server.ts';
import { findLessonGroups, stuckLearners, stuckLessons } from '#src/features/practice/groups/stuck.server.ts';
import { PUT as writeRoute } from '#src/pages/api/admin/mistake-groups/[id].ts';
import { POST as openRoute } from '#src/pages/api/group-hints/[id]/open.ts';
import { POST as askRoute } from '#src/pages/api/submissions/[id]/group-hint.ts';
import { POST as hintsRoute } from '#src/pages/api/lessons/[id]/hints.ts';
import * as executeRoute from '#src/pages/api/execute-code.ts';
import { callRoute, signIn } from '../../support/api.ts';

afterAll(() => stopJudge());

const SOLUTION = 'function sum(n) {\n  let s = 0;\n  for (let i = 0; i < n; i++) s += i;\n  return s;\n}';
const OFF_BY_ONE = SOLUTION.replace('i < n', 'i <= n');
/** The same mistake in other words, and in a program that does more. */
const OFF_BY_ONE_TOO =
  'const sum = (count) => {\n  // mine\n  let total = 0;\n  for (let k = 0; k <= count; k++) {\n    total += k;\n  }\n  return total;\n};';
const NO_RETURN = SOLUTION.replace('  return s;\n', '');
const HINT = 'Count the rounds of your loop on **paper**.';

async function codingLesson(values: Parameters<typeof makeLesson>[1] = {}) {
  const course = await makeCourse();
  const lesson = await makeLesson(course.id, {
    type: 'interactive_coding',
    codingLanguage: 'javascript',
    instructions: 'Add up the numbers below n.',
    starterCode: 'function sum(n) {\n  return null;\n}',
    solution: SOLUTION,
    hints: ['First'],
    testCases: [
      { input: 'sum(3)', expectedOutput: '3' },
      { input: 'sum(5)', expectedOutput: '10', hidden: true, description: 'Five' },
    ],
    content: '',
    ...values,
  });
  return { course, lesson };
}

async function learner(courseId: number) {
  const user = await makeUser();
  await makeEnrollment(user.id, courseId);
  return { user, as: await signIn(user) };
}

/** Hands a program in, and does what the worker does with its job. */
async function run(lessonId: number, as: Awaited<ReturnType<typeof signIn>>, code: string) {
  const answer = await callRoute(executeRoute.POST, {
    body: { lessonId, code, language: 'javascript', timeSpent: 0, hintsUsed: 0 },
    as,
  });
  expect(answer.status, answer.text).toBe(200);
  const jobs = await db().execute<{ data: { submissionId: number } }>(
    sql`delete from pgboss.job where name = ${groupingJob.name} and data->>'submissionId' = ${String(answer.body.submissionId)} returning data`,
  );
  expect(jobs.length).toBe(answer.body.isCorrect ? 0 : 1);
  for (const { data } of jobs) await groupingJob.run(data, { isLast: true });
  return answer.body as { submissionId: number; isCorrect: boolean };
}

/** A submission as it is kept, without a judge. */
async function keep(
  lessonId: number,
  userId: number,
  code: string,
  values: Partial<typeof codeSubmissions.$inferInsert> = {},
) {
  const [row] = await db()
    .insert(codeSubmissions)
    .values({
      ...{ lessonId, userId, submittedCode: code, language: 'javascript', attempts: 1 },
      ...{ isCorrect: false, verdict: 'wrong_answer' },
      results: [
        { description: '', hidden: false, mode: 'call', passed: false, verdict: 'wrong_answer', got: '6' },
      ],
      ...values,
    })
    .returning({ id: codeSubmissions.id });
  return row!.id;
}

const groupsOf = (lessonId: number) =>
  db().select().from(mistakeGroups).where(eq(mistakeGroups.lessonId, lessonId)).orderBy(mistakeGroups.id);
const groupOf = async (submissionId: number) =>
  (await db().select().from(codeSubmissions).where(eq(codeSubmissions.id, submissionId)))[0]!.mistakeGroupId;
const offersOf = (userId: number) =>
  db().select().from(groupHintOffers).where(eq(groupHintOffers.userId, userId));
const writeHint = (groupId: number) =>
  db().update(mistakeGroups).set({ hint: HINT, hintAt: sql`now()` }).where(eq(mistakeGroups.id, groupId));

describe('wrong programs', () => {
  it('that make one mistake come together, whoever wrote them and however; right ones have no group', async () => {
    const { course, lesson } = await codingLesson();
    const [ada, bob] = [await learner(course.id), await learner(course.id)];
    const first = await run(lesson.id, ada.as, OFF_BY_ONE);
    const second = await run(lesson.id, bob.as, OFF_BY_ONE_TOO);
    const other = await run(lesson.id, bob.as, NO_RETURN);
    const unreadable = await run(lesson.id, bob.as, SOLUTION.replace('return', 'retrun'));
    const right = await run(lesson.id, bob.as, SOLUTION);
    const found = await Promise.all(
      [first, second, other, unreadable].map((one) => groupOf(one.submissionId)),
    );
    expect(found[0]).not.toBeNull();
    expect(found[1]).toBe(found[0]);
    expect(new Set(found).size).toBe(3);
    expect(await groupOf(right.submissionId)).toBeNull();
    expect((await groupsOf(lesson.id)).map(({ failures }) => failures)).toEqual([2, 1, 1]);
  });

  it('are counted once, however often the job runs, and several at once', async () => {
    const { lesson } = await codingLesson();
    const users = await Promise.all([makeUser(), makeUser(), makeUser()]);
    const ids = await Promise.all(users.map(({ id }) => keep(lesson.id, id, OFF_BY_ONE)));
    await Promise.all([...ids, ...ids].map((id) => groupSubmission(id)));
    expect(await groupsOf(lesson.id)).toMatchObject([{ failures: 3 }]);
    await groupSubmission(2_000_000_000);
  });

  it('of administrators who look at a course as a learner do not count', async () => {
    const { course, lesson } = await codingLesson();
    const [admin, user] = [await makeAdmin(), await makeUser()];
    await db().insert(previewLearners).values({ userId: user.id, adminId: admin.id, courseId: course.id });
    const id = await keep(lesson.id, user.id, OFF_BY_ONE);
    await groupSubmission(id);
    expect(await groupOf(id)).toBeNull();
    expect(await groupsOf(lesson.id)).toEqual([]);
  });

  it('of very many kinds leave a bounded number of groups, and hints and large groups stay', async () => {
    const { lesson } = await codingLesson();
    const user = await makeUser();
    const large = await keep(lesson.id, user.id, OFF_BY_ONE);
    await groupSubmission(large);
    await groupSubmission(await keep(lesson.id, user.id, OFF_BY_ONE_TOO));
    const hinted = await keep(lesson.id, user.id, NO_RETURN);
    await groupSubmission(hinted);
    await writeHint((await groupOf(hinted))!);
    // As if 198 others had come before, each of its own kind.
    await db().execute(sql`
      with made as (
        insert into mistake_groups (lesson_id, key, failures, last_at)
        select ${lesson.id}, 'kind ' || n, 1, now() - interval '1 day' from generate_series(1, 198) n returning id
      )
      insert into code_submissions (lesson_id, user_id, language, submitted_code, is_correct, verdict, attempts, mistake_group_id)
      select ${lesson.id}, ${user.id}, 'javascript', 'x', false, 'wrong_answer', 1, id from made`);
    expect((await groupsOf(lesson.id)).length).toBe(200);
    await groupSubmission(await keep(lesson.id, user.id, 'console.log(1)'));
    const groups = await groupsOf(lesson.id);
    // Fifty went, one came for them.
    expect(groups.length).toBe(152);
    expect(groups.reduce((sum, { failures }) => sum + failures, 0)).toBe(202);
    const [rest] = groups.filter(({ key }) => key === 'rest');
    expect(rest!.failures).toBe(50);
    expect(await db().$count(codeSubmissions, eq(codeSubmissions.mistakeGroupId, rest!.id))).toBe(
      rest!.failures,
    );
    expect(await groupOf(large)).not.toBe(rest!.id);
    expect(await groupOf(hinted)).not.toBe(rest!.id);
  });
});

describe('the first groups of a lesson', () => {
  it('are its starter and the changes that its publish check made', async () => {
    const { course, lesson } = await codingLesson();
    const found = (await readLesson(lesson.id))!;
    const { wrongPrograms } = await proveLesson(found);
    const seed = () =>
      seedGroups({ id: lesson.id, language: 'javascript', solution: SOLUTION }, wrongPrograms!);
    await seed();
    const groups = await groupsOf(lesson.id);
    expect(groups.length).toBeGreaterThan(1);
    expect(groups[0]).toMatchObject({ seed: lesson.starterCode, failures: 0 });
    await seed();
    expect(await groupsOf(lesson.id)).toEqual(groups);

    const ada = await learner(course.id);
    const group = groups[1]!;
    const { submissionId } = await run(lesson.id, ada.as, `// Mine\n${group.seed}`);
    expect(await groupOf(submissionId)).toBe(group.id);
    // A later check that makes other changes takes away what nobody fell into.
    await seedGroups({ id: lesson.id, language: 'javascript', solution: SOLUTION }, []);
    expect(await groupsOf(lesson.id)).toMatchObject([{ id: group.id, failures: 1 }]);
  });
});

describe('a group’s hint', () => {
  it('is offered after the second failure, once', async () => {
    const { lesson } = await codingLesson();
    const first = await keep(lesson.id, (await makeUser()).id, OFF_BY_ONE);
    await groupSubmission(first);
    const groupId = (await groupOf(first))!;
    await writeHint(groupId);
    const { id: userId } = await makeUser();
    await groupSubmission(await keep(lesson.id, userId, NO_RETURN));
    expect(await offersOf(userId)).toEqual([]);
    await groupSubmission(await keep(lesson.id, userId, OFF_BY_ONE, { attempts: 2 }));
    await groupSubmission(await keep(lesson.id, userId, OFF_BY_ONE, { attempts: 3 }));
    expect(await offersOf(userId)).toMatchObject([{ groupId, attempt: 2, shownAt: null }]);
  });

  it('is not offered after the first failure, to who has passed, or where there is none', async () => {
    const { lesson } = await codingLesson();
    const { id: userId } = await makeUser();
    const first = await keep(lesson.id, userId, OFF_BY_ONE);
    await groupSubmission(first);
    await groupSubmission(await keep(lesson.id, userId, OFF_BY_ONE, { attempts: 2 }));
    expect(await offersOf(userId)).toEqual([]);
    await writeHint((await groupOf(first))!);
    await keep(lesson.id, userId, SOLUTION, { attempts: 3, isCorrect: true, verdict: 'pass' });
    await groupSubmission(await keep(lesson.id, userId, OFF_BY_ONE, { attempts: 4 }));
    expect(await db().$count(groupHintOffers, eq(groupHintOffers.userId, userId))).toBe(0);
  });
});

type SignIn = Awaited<ReturnType<typeof signIn>>;
const write = (id: number, body: unknown, as: SignIn) =>
  callRoute(writeRoute, { method: 'PUT', params: { id: String(id) }, body, as });
const ask = (id: number, as: SignIn | null) =>
  callRoute(askRoute, { method: 'POST', params: { id: String(id) }, as });
const open = (id: number, as: SignIn | null) =>
  callRoute(openRoute, { method: 'POST', params: { id: String(id) }, as });

describe('two learners with one mistake', () => {
  it('are helped by one sentence, which counts as a hint', async () => {
    const { course, lesson } = await codingLesson();
    const ada = await learner(course.id);
    const first = await run(lesson.id, ada.as, OFF_BY_ONE);
    const { groups: before } = (await findLessonGroups(course.id, lesson.id))!;
    expect(before).toMatchObject([{ failures: 1, now: 1, code: OFF_BY_ONE, isSeed: false, hint: '' }]);
    const { id } = before[0]!;
    const admin = await makeAdmin();
    const author = await signIn(admin);
    const wrote = await write(id, { hint: `  ${HINT}\n`, before: '' }, author);
    expect([wrote.status, wrote.body]).toEqual([200, { hint: HINT }]);

    const bob = await learner(course.id);
    const early = await run(lesson.id, bob.as, OFF_BY_ONE_TOO);
    expect((await ask(early.submissionId, bob.as)).body).toEqual({ hints: [] });
    expect((await open(id, bob.as)).status).toBe(404);
    const second = await run(lesson.id, bob.as, OFF_BY_ONE_TOO);
    const offer = await ask(second.submissionId, bob.as);
    expect([offer.status, offer.body]).toEqual([200, { hints: [{ id, html: null }] }]);
    const workbench = await findWorkbench(bob.user, lesson.id);
    expect(workbench).toMatchObject({ groupHints: [{ id, html: null }] });
    // Somebody else's run, offer, and nobody's.
    expect((await ask(second.submissionId, ada.as)).status).toBe(404);
    expect((await ask(second.submissionId, null)).status).toBe(401);
    expect((await open(id, ada.as)).status).toBe(404);
    expect((await open(id, null)).status).toBe(401);

    const opened = await Promise.all([open(id, bob.as), open(id, bob.as)]);
    expect(opened.map(({ status }) => status)).toEqual([200, 200]);
    expect(opened[0]!.body.html).toContain('<strong>paper</strong>');
    const hintsUsed = async () =>
      (await db().select().from(lessonProgress).where(eq(lessonProgress.userId, bob.user.id)))[0]!.hintsUsed;
    expect(await hintsUsed()).toBe(1);
    // With the lesson's only hint there are two that he can have seen.
    await callRoute(hintsRoute, { params: { id: String(lesson.id) }, body: { shown: 9 }, as: bob.as });
    expect(await hintsUsed()).toBe(2);
    const right = await run(lesson.id, bob.as, SOLUTION);
    expect(right).toMatchObject({ isCorrect: true, hintsUsed: 2 });

    const eve = await learner(course.id);
    await run(lesson.id, eve.as, OFF_BY_ONE);
    const last = await run(lesson.id, eve.as, OFF_BY_ONE);
    expect((await ask(last.submissionId, eve.as)).body).toEqual({ hints: [{ id, html: null }] });
    for (let more = 0; more < 3; more += 1) await run(lesson.id, eve.as, NO_RETURN);

    const { groups } = (await findLessonGroups(course.id, lesson.id))!;
    expect(groups.find((one) => one.id === id)).toMatchObject({
      ...{ failures: 5, now: 1, hint: HINT, opened: 1 },
      ...{ offered: 2, passed: 1 },
    });
    expect(await stuckLessons(course.id)).toMatchObject([
      { id: lesson.id, place: 1, tried: 3, stuck: 1, groups: 2, hints: 1 },
    ]);
    // With its learner their program goes, and another one stands for the group.
    await db().delete(codeSubmissions).where(eq(codeSubmissions.id, first.submissionId));
    await db().delete(codeSubmissions).where(eq(codeSubmissions.userId, eve.user.id));
    expect((await findLessonGroups(course.id, lesson.id))!.groups[0]).toMatchObject({
      id,
      code: OFF_BY_ONE_TOO,
    });
  });

  it('see no text that was taken away, and none before their run has its group', async () => {
    const { course, lesson } = await codingLesson();
    const first = await keep(lesson.id, (await makeUser()).id, OFF_BY_ONE);
    await groupSubmission(first);
    const id = (await groupOf(first))!;
    await writeHint(id);
    const bob = await learner(course.id);
    await keep(lesson.id, bob.user.id, OFF_BY_ONE);
    // The background work has not come to it: asking finds the group.
    const second = await keep(lesson.id, bob.user.id, OFF_BY_ONE, { attempts: 2 });
    expect((await ask(second, bob.as)).body).toEqual({ hints: [{ id, html: null }] });
    const author = await signIn(await makeAdmin());
    expect((await write(id, { hint: ' ', before: HINT }, author)).body).toEqual({ hint: '' });
    expect((await open(id, bob.as)).status).toBe(404);
    expect((await ask(second, bob.as)).body).toEqual({ hints: [] });
  });
});

describe('writing a group’s hint', () => {
  it('is for administrators, audited, bounded, and never overwrites a colleague’s', async () => {
    const { course, lesson } = await codingLesson();
    const { user, as } = await learner(course.id);
    const run = await keep(lesson.id, user.id, OFF_BY_ONE);
    await groupSubmission(run);
    const id = (await groupOf(run))!;
    const admin = await makeAdmin();
    const author = await signIn(admin);
    expect((await write(id, { hint: HINT, before: '' }, as)).status).toBe(403);
    expect((await write(2_000_000_000, { hint: HINT, before: '' }, author)).status).toBe(404);
    const long = await write(id, { hint: 'x'.repeat(2001), before: '' }, author);
    expect([long.status, long.text]).toEqual([400, expect.stringContaining('Hint must be at most 2000')]);
    expect((await write(id, { hint: 'a\0b', before: '' }, author)).status).toBe(400);
    expect((await write(id, { hint: HINT, before: '' }, author)).status).toBe(200);
    // The same again, as a retry sends it, is no change.
    expect((await write(id, { hint: HINT, before: '' }, author)).status).toBe(200);
    expect((await write(id, { hint: 'Another', before: 'Unseen' }, author)).status).toBe(409);
    expect((await write(id, { hint: '', before: HINT }, author)).status).toBe(200);
    const log = await db().select().from(auditLog).where(eq(auditLog.actorId, admin.id)).orderBy(auditLog.id);
    expect(log.map(({ action }) => action)).toEqual([
      'lesson.group_hint_written',
      'lesson.group_hint_removed',
    ]);
    expect(await findLessonGroups(course.id + 1, lesson.id)).toBeNull();
  });
});

describe('who is stuck', () => {
  it('has failed five times and not passed within a day of the first run', async () => {
    const { course, lesson } = await codingLesson();
    const hours = (ago: number) => ({ submittedAt: new Date(Date.now() - ago * 3_600_000) });
    const fail = async (userId: number, times: number) => {
      for (let n = 1; n <= times; n += 1) {
        await keep(lesson.id, userId, OFF_BY_ONE, { attempts: n, ...hours(100 - n) });
      }
    };
    const pass = (userId: number, ago: number) =>
      keep(lesson.id, userId, SOLUTION, { attempts: 9, isCorrect: true, verdict: 'pass', ...hours(ago) });
    const people = await Promise.all(Array.from({ length: 5 }, () => makeUser()));
    const [four, five, soon, late, preview] = people.map(({ id }) => id) as [
      number,
      number,
      number,
      number,
      number,
    ];
    await fail(four, 4);
    for (const id of [five, soon, late, preview]) await fail(id, 5);
    await pass(soon, 80);
    await pass(late, 70);
    const admin = await makeAdmin();
    await db().insert(previewLearners).values({ userId: preview, adminId: admin.id, courseId: course.id });
    expect(await stuckLessons(course.id)).toMatchObject([{ tried: 4, stuck: 2 }]);
    // By name only learners of the course, whom its gradebook shows, and until they pass.
    expect(await stuckLearners(course.id, lesson.id)).toEqual([]);
    for (const id of [four, five, soon, late]) await makeEnrollment(id, course.id);
    const learners = await stuckLearners(course.id, lesson.id);
    expect(learners).toEqual([{ id: five, username: expect.any(String), failures: 5 }]);
    expect(await stuckLearners((await makeCourse()).id, lesson.id)).toEqual([]);
    expect(await stuckLessons(2_000_000_000)).toEqual([]);
  });
});
