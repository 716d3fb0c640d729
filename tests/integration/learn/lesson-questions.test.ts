import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { auditLog, users } from '#db/schema/account.ts';
import { enrollments, previewLearners } from '#db/schema/learn.ts';
import { codeSubmissions } from '#db/schema/practice.ts';
import { lessonQuestionReplies, lessonQuestions } from '#db/schema/questions.ts';
import type { SignIn } from '#src/features/account/session.server.ts';
import { deletePerson, personalData } from '#src/features/admin/people/personal-data.server.ts';
import { mailTeam } from '#src/features/learn/questions/question-mails.server.ts';
import { closedChoicesUrl, setMailChoices } from '#src/server/mail/mail-choices.ts';
import {
  countWaiting,
  listTeamQuestions,
  questionFigures,
} from '#src/features/learn/questions/team-questions.server.ts';
import { POST as hideRoute } from '#src/pages/api/admin/lesson-questions/[id]/hide.ts';
import { POST as answerRoute } from '#src/pages/api/admin/lesson-questions/[id]/replies.ts';
import { PUT as teamShareRoute } from '#src/pages/api/admin/lesson-questions/[id]/shared.ts';
import { POST as showRoute } from '#src/pages/api/admin/lesson-questions/[id]/show.ts';
import { DELETE as deleteRoute, PUT as changeRoute } from '#src/pages/api/lesson-questions/[id].ts';
import { POST as addRoute } from '#src/pages/api/lesson-questions/[id]/replies.ts';
import { POST as reportRoute } from '#src/pages/api/lesson-questions/[id]/reports.ts';
import { PUT as shareRoute } from '#src/pages/api/lesson-questions/[id]/shared.ts';
import { PUT as solveRoute } from '#src/pages/api/lesson-questions/[id]/solved.ts';
import { GET as listRoute, POST as askRoute } from '#src/pages/api/lessons/[id]/questions.ts';
import { mailsTo } from '../../support/account.ts';
import { callRoute, signIn } from '../../support/api.ts';

let admin: SignIn;
let adminId: number;
beforeAll(async () => {
  const user = await makeAdmin();
  adminId = user.id;
  admin = await signIn(user);
});

let keys = 0;
const newKey = () => `test-key-${++keys}`;
const params = (id: number) => ({ id: String(id) });

type Learner = Awaited<ReturnType<typeof makeUser>> & { as: SignIn };
async function learner(courseId: number | null): Promise<Learner> {
  const user = await makeUser({ emailVerifiedAt: new Date() });
  if (courseId !== null) await makeEnrollment(user.id, courseId);
  return { ...user, as: await signIn(user) };
}

async function classroom() {
  const course = await makeCourse({ createdBy: adminId });
  const lesson = await makeLesson(course.id);
  return { course, lesson, asker: await learner(course.id), other: await learner(course.id) };
}

const ask = (as: SignIn | null, lessonId: number, body: Record<string, unknown> = {}) =>
  callRoute(askRoute, { params: params(lessonId), body: { key: newKey(), body: 'Why?', ...body }, as });
const list = (as: SignIn | null, lessonId: number) => callRoute(listRoute, { params: params(lessonId), as });
const change = (as: SignIn, id: number, body: unknown) =>
  callRoute(changeRoute, { method: 'PUT', params: params(id), body, as });
const remove = (as: SignIn, id: number) =>
  callRoute(deleteRoute, { method: 'DELETE', params: params(id), as });
const add = (as: SignIn, id: number, body: Record<string, unknown> = {}) =>
  callRoute(addRoute, { params: params(id), body: { key: newKey(), body: 'And then?', ...body }, as });
const solve = (as: SignIn, id: number, solved: boolean) =>
  callRoute(solveRoute, { method: 'PUT', params: params(id), body: { solved }, as });
const share = (as: SignIn, id: number, shared: boolean) =>
  callRoute(shareRoute, { method: 'PUT', params: params(id), body: { shared }, as });
const report = (as: SignIn, id: number, reason = 'Rude.') =>
  callRoute(reportRoute, { params: params(id), body: { reason }, as });
const answer = (id: number, version: number, body: Record<string, unknown> = {}) =>
  callRoute(answerRoute, {
    params: params(id),
    body: { key: newKey(), body: 'Because.', version, ...body },
    as: admin,
  });
const teamShare = (id: number, shared: boolean) =>
  callRoute(teamShareRoute, { method: 'PUT', params: params(id), body: { shared }, as: admin });
const hide = (id: number) =>
  callRoute(hideRoute, { params: params(id), body: { reason: 'Rude.' }, as: admin });
const show = (id: number) => callRoute(showRoute, { method: 'POST', params: params(id), as: admin });
const rowOf = async (id: number) =>
  (await db().select().from(lessonQuestions).where(eq(lessonQuestions.id, id)))[0];

async function run(userId: number, lessonId: number) {
  const [made] = await db()
    .insert(codeSubmissions)
    .values({
      userId,
      lessonId,
      language: 'javascript',
      submittedCode: 'let x;',
      isCorrect: false,
      verdict: 'wrong_answer',
      attempts: 1,
    })
    .returning();
  return made!;
}

describe('a question', () => {
  it('is asked about a lesson, a line and an attempt, and its asker alone reads it', async () => {
    const { lesson, asker, other } = await classroom();
    const plain = await ask(asker.as, lesson.id);
    expect([plain.status, plain.body]).toMatchObject([
      201,
      { isOwn: true, body: 'Why?', state: 'waiting', line: null, attempt: null, mayChange: true, version: 1 },
    ]);
    const attempt = await run(asker.id, lesson.id);
    const about = { line: 3, quote: '  let x;', submissionId: attempt.id };
    expect((await ask(asker.as, lesson.id, about)).body).toMatchObject({
      line: 3,
      quote: '  let x;',
      attempt: { number: 1, passed: false, code: 'let x;' },
    });
    const mine = await list(asker.as, lesson.id);
    expect([mine.body.own.length, mine.body.shared, mine.body.mayAsk]).toEqual([2, [], true]);
    expect((await list(other.as, lesson.id)).body).toEqual({
      own: [],
      shared: [],
      more: null,
      mayAsk: true,
    });
    for (const call of [
      change(other.as, plain.body.id, { body: 'Mine', version: 1 }),
      remove(other.as, plain.body.id),
    ])
      expect((await call).status).toBe(404);
    expect((await add(other.as, plain.body.id)).status).toBe(404);
    expect((await solve(other.as, plain.body.id, true)).status).toBe(404);
    expect((await share(other.as, plain.body.id, true)).status).toBe(404);
    expect((await report(other.as, plain.body.id)).status).toBe(404);
  });

  it('is for those who may study the lesson', async () => {
    const { course, lesson } = await classroom();
    expect((await ask(null, lesson.id)).status).toBe(401);
    expect((await ask((await learner(null)).as, lesson.id)).status).toBe(404);
    expect((await ask(admin, lesson.id)).status).toBe(404);
    expect((await list(admin, lesson.id)).body.mayAsk).toBe(false);
    expect((await list(null, lesson.id)).status).toBe(404);
    const former = await learner(course.id);
    const { body } = await ask(former.as, lesson.id);
    await db().update(enrollments).set({ status: 'revoked' }).where(eq(enrollments.userId, former.id));
    expect((await ask(former.as, lesson.id)).status).toBe(404);
    expect((await add(former.as, body.id)).status).toBe(404);
    expect((await remove(former.as, body.id)).status).toBe(204);
    const closed = await makeLesson(course.id, { opening: { on: '2999-01-01' } });
    expect((await ask((await learner(course.id)).as, closed.id)).status).toBe(403);
  });

  it.each([
    [{ body: ' ' }, { body: 'Text is required' }],
    [{ body: 'x'.repeat(4001) }, { body: 'Text must be at most 4000 characters' }],
    [{ body: 'a\0b' }, { body: 'Text contains characters that cannot be stored' }],
    [{ quote: 'x'.repeat(301) }, { quote: 'The line it is about must be at most 300 characters' }],
    [{ line: 0 }, { line: 'Line must be at least 1' }],
    [{ line: 1.5 }, { line: 'Line must be a whole number' }],
    [{ key: 'short' }, { key: 'Key must be 8 to 64 letters or digits' }],
    [{ shared: 'yes' }, { shared: 'Shared must be true or false' }],
  ])('names what is wrong with %j', async (body, fields) => {
    const { lesson, asker } = await classroom();
    const refused = await ask(asker.as, lesson.id, body);
    expect([refused.status, refused.body.fields]).toEqual([400, fields]);
    expect((await list(asker.as, lesson.id)).body.own).toEqual([]);
  });

  it('takes the longest text, and shows a hostile one harmless and without pictures', async () => {
    const { lesson, asker } = await classroom();
    expect((await ask(asker.as, lesson.id, { body: 'é'.repeat(4000) })).status).toBe(201);
    const evil =
      '<script>x</script> ![spy](https://evil.test/a.png) [go](javascript:x) <img src=x onerror=y> # `<b>`';
    const { html } = (await ask(asker.as, lesson.id, { body: evil })).body;
    expect(html).not.toMatch(/<script|<img|<picture|href="javascript|<b>/);
    expect(html).toContain('spy');
  });

  it('names no attempt of another learner or another lesson', async () => {
    const { course, lesson, asker, other } = await classroom();
    const elsewhere = await makeLesson(course.id);
    for (const { id } of [await run(other.id, lesson.id), await run(asker.id, elsewhere.id)])
      expect((await ask(asker.as, lesson.id, { submissionId: id })).status).toBe(404);
  });

  it('is asked once, however often and at once it is sent', async () => {
    const { course, lesson, asker, other } = await classroom();
    const key = newKey();
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask(asker.as, lesson.id, { key })));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect((await list(asker.as, lesson.id)).body.own).toHaveLength(1);
    expect((await ask(other.as, lesson.id, { key })).body.id).not.toBe(answers[0]!.body.id);
    const elsewhere = await makeLesson(course.id);
    expect((await ask(asker.as, elsewhere.id, { key })).status).toBe(409);
  });

  it('is changed and taken back by its asker until it is answered', async () => {
    const { lesson, asker } = await classroom();
    const { id } = (await ask(asker.as, lesson.id)).body;
    const changed = await change(asker.as, id, { body: 'Why so?', version: 1 });
    expect(changed.body).toMatchObject({ body: 'Why so?', version: 2, editedAt: expect.any(String) });
    expect((await change(asker.as, id, { body: 'Why so?', version: 1 })).body.version).toBe(2);
    const late = await change(asker.as, id, { body: 'Late.', version: 1 });
    expect([late.status, late.body]).toMatchObject([409, { body: 'Why so?', version: 2 }]);
    expect((await answer(id, 2)).status).toBe(200);
    expect((await change(asker.as, id, { body: 'Other.', version: 3 })).status).toBe(409);
    expect((await remove(asker.as, id)).status).toBe(409);
    const other = (await ask(asker.as, lesson.id)).body.id;
    expect((await remove(asker.as, other)).status).toBe(204);
    expect((await remove(asker.as, other)).status).toBe(404);
  });
});

describe('an answer', () => {
  it('is given once, mailed to its asker, and what was read in another version is refused', async () => {
    const { course, lesson, asker } = await classroom();
    const { id } = (await ask(asker.as, lesson.id)).body;
    const key = newKey();
    const given = await Promise.all([1, 2, 3].map(() => answer(id, 1, { key })));
    expect(given.map(({ status, body }) => [status, body.version])).toEqual(Array(3).fill([200, 2]));
    expect((await answer(id, 1)).status).toBe(409);
    const [own] = (await list(asker.as, lesson.id)).body.own;
    expect(own).toMatchObject({ state: 'answered', mayChange: false, replies: [{ byTeam: true }] });
    const mails = (await mailsTo(asker.email)).filter(({ template }) => template === 'question-answered');
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ unsubscribeUrl: closedChoicesUrl(['learning']) });
    expect(mails[0]!.text).toContain('Because.');
    expect(mails[0]!.text).toContain(`/learn/${course.id}?lesson=${lesson.id}&view=course#question-${id}`);
  });

  it('of two colleagues at once, the second sees that the first was faster', async () => {
    const { lesson, asker } = await classroom();
    const { id } = (await ask(asker.as, lesson.id)).body;
    const given = await Promise.all([answer(id, 1), answer(id, 1)]);
    expect(given.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('is followed by what its asker adds, who then waits again', async () => {
    const { lesson, asker } = await classroom();
    const { id } = (await ask(asker.as, lesson.id)).body;
    await answer(id, 1);
    const key = newKey();
    await Promise.all([1, 2, 3].map(() => add(asker.as, id, { key })));
    const added = await add(asker.as, id, { key });
    expect(added.body).toMatchObject({ state: 'waiting', version: 3 });
    expect(added.body.replies.map(({ byTeam }: { byTeam: boolean }) => byTeam)).toEqual([true, false]);
    expect((await solve(asker.as, id, true)).body.state).toBe('solved');
    expect((await solve(asker.as, id, true)).body.version).toBe(4);
    expect((await solve(asker.as, id, false)).body.state).toBe('waiting');
  });

  it('sends nothing to those who want no mail, have no proven address, lost the course or only look at it', async () => {
    const { course, lesson } = await classroom();
    const people = [1, 2, 3, 4].map(() => learner(course.id));
    const [off, unproven, former, preview] = (await Promise.all(people)) as [
      Learner,
      Learner,
      Learner,
      Learner,
    ];
    const ids = [];
    for (const { as } of [off, unproven, former, preview]) ids.push((await ask(as, lesson.id)).body.id);
    await setMailChoices(off.id, { learning: 'off' });
    await db().update(users).set({ emailVerifiedAt: null }).where(eq(users.id, unproven.id));
    await db().update(enrollments).set({ status: 'revoked' }).where(eq(enrollments.userId, former.id));
    await db().insert(previewLearners).values({ userId: preview.id, adminId, courseId: course.id });
    for (const id of ids) expect((await answer(id, 1)).status).toBe(200);
    for (const { email } of [off, unproven, former, preview])
      expect((await mailsTo(email)).filter(({ template }) => template === 'question-answered')).toEqual([]);
    await mailTeam(course.id);
    expect((await listTeamQuestions({ questionId: ids[3]! })).total).toBe(0);
  });
});

describe('a question for others', () => {
  it('is shown where both its asker and the team let it, without a name, and can be reported', async () => {
    const { lesson, asker, other } = await classroom();
    const { id } = (
      await ask(asker.as, lesson.id, { shared: true, submissionId: (await run(asker.id, lesson.id)).id })
    ).body;
    const shown = async () => (await list(other.as, lesson.id)).body.shared;
    expect(await shown()).toEqual([]);
    await teamShare(id, true);
    const [seen] = await shown();
    expect(seen).toMatchObject({ id, isOwn: false, body: '', attempt: null, mayChange: false });
    expect(JSON.stringify(seen)).not.toContain(asker.username);
    expect((await list(admin, lesson.id)).body.shared).toHaveLength(1);
    await share(asker.as, id, false);
    expect(await shown()).toEqual([]);
    await share(asker.as, id, true);

    expect((await report(other.as, id)).body).toEqual({ reported: true });
    expect((await report(other.as, id)).body).toEqual({ reported: true });
    expect((await report(asker.as, id)).status).toBe(404);
    expect((await report((await learner(null)).as, id)).status).toBe(404);
    expect((await shown())[0].reported).toBe(true);
    const reported = await listTeamQuestions({ state: 'reported', questionId: id });
    expect(reported.questions[0]!.reports).toMatchObject([{ reason: 'Rude.', userId: other.id }]);

    expect((await hide(id)).status).toBe(204);
    expect(await shown()).toEqual([]);
    expect((await list(asker.as, lesson.id)).body.own[0].hiddenReason).toBe('Rude.');
    expect((await answer(id, (await rowOf(id))!.version)).status).toBe(409);
    expect((await add(asker.as, id)).status).toBe(409);
    expect((await show(id)).status).toBe(204);
    expect((await show(id)).status).toBe(204);
    expect(await shown()).toHaveLength(1);
    const audited = await db()
      .select({ action: auditLog.action })
      .from(auditLog)
      .where(and(eq(auditLog.subjectType, 'lesson_question'), eq(auditLog.subjectId, String(id))));
    expect(audited.map(({ action }) => action)).toEqual(['question.hidden', 'question.shown']);
  });

  it('of a preview lesson is read by everybody, who cannot ask', async () => {
    const course = await makeCourse();
    const lesson = await makeLesson(course.id, { isPreview: true });
    const asker = await learner(course.id);
    const { id } = (await ask(asker.as, lesson.id, { shared: true })).body;
    await teamShare(id, true);
    const seen = await list(null, lesson.id);
    expect([seen.status, seen.body.shared.length, seen.body.mayAsk]).toEqual([200, 1, false]);
  });
});

describe('the team', () => {
  it('is told of all that was asked meanwhile in one mail, and of nothing twice', async () => {
    const author = await makeAdmin({ emailVerifiedAt: new Date() });
    const course = await makeCourse({ createdBy: author.id, title: 'Kites' });
    const lesson = await makeLesson(course.id);
    const asker = await learner(course.id);
    const told = async () =>
      (await mailsTo(author.email)).filter(({ template }) => template === 'lesson-questions');
    const { id } = (await ask(asker.as, lesson.id, { body: 'Why do they fly?' })).body;
    await ask(asker.as, lesson.id, { body: 'Why do they fall?' });
    const gone = (await ask(asker.as, lesson.id, { body: 'Taken back.' })).body.id;
    await remove(asker.as, gone);
    await Promise.all([mailTeam(course.id), mailTeam(course.id)]);
    await mailTeam(course.id);
    const [mail, ...more] = await told();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      subject: '2 questions of learners (Kites)',
      unsubscribeUrl: closedChoicesUrl(['teaching']),
    });
    expect(mail!.text).toMatch(/Why do they fly\?[\s\S]*Why do they fall\?/);
    expect(mail!.text).not.toContain('Taken back');
    // Added while the team is asked already: no further mail; after an answer: one.
    await add(asker.as, id);
    await mailTeam(course.id);
    expect(await told()).toHaveLength(1);
    await answer(id, (await rowOf(id))!.version);
    await add(asker.as, id);
    await mailTeam(course.id);
    expect(await told()).toHaveLength(2);
    await setMailChoices(author.id, { teaching: 'off' });
    await ask(asker.as, lesson.id);
    await mailTeam(course.id);
    expect(await told()).toHaveLength(2);
  });

  it('sees those that wait first, finds them by text, and how long answers take', async () => {
    const { lesson, asker } = await classroom();
    const word = `zeppelin${Date.now()}`;
    const first = (await ask(asker.as, lesson.id, { body: `First ${word}` })).body.id;
    const second = (await ask(asker.as, lesson.id, { body: `Second ${word}` })).body.id;
    const third = (await ask(asker.as, lesson.id, { body: `Third ${word}` })).body.id;
    await answer(first, 1);
    await solve(asker.as, third, true);
    const ids = async (state?: 'waiting' | 'answered' | 'solved') =>
      (await listTeamQuestions({ search: word.toUpperCase(), ...(state && { state }) })).questions.map(
        ({ id }) => id,
      );
    expect(await ids()).toEqual([second, third, first]);
    expect(await ids('waiting')).toEqual([second]);
    expect(await ids('answered')).toEqual([first]);
    expect(await ids('solved')).toEqual([third]);
    expect(await countWaiting()).toBe((await questionFigures()).waiting);
    const figures = await questionFigures();
    expect(figures.waiting).toBeGreaterThan(0);
    expect(figures.medianSeconds).toBeGreaterThanOrEqual(0);
  });
});

describe('a person who goes', () => {
  it('takes their questions along, and is mailed no answer', async () => {
    const { lesson, asker } = await classroom();
    const { id } = (await ask(asker.as, lesson.id)).body;
    await add(asker.as, id);
    const data = await personalData(asker.id);
    expect(data.lessonQuestions).toMatchObject([{ body: 'Why?', lesson: lesson.title }]);
    expect(data.lessonQuestionReplies).toMatchObject([{ body: 'And then?', asTeam: false }]);
    await deletePerson({ id: adminId, name: 'Admin' }, asker.id, {
      confirmation: asker.email,
      reason: 'Asked.',
    });
    expect(await rowOf(id)).toBeUndefined();
    expect((await answer(id, 2)).status).toBe(404);
    expect((await hide(id)).status).toBe(404);
    expect(
      await db().select().from(lessonQuestionReplies).where(eq(lessonQuestionReplies.questionId, id)),
    ).toEqual([]);
    expect((await mailsTo(asker.email)).filter(({ template }) => template === 'question-answered')).toEqual(
      [],
    );
  });
});

describe('a lesson with many large questions (fault U10)', () => {
  const wideTable = `${'|a'.repeat(100)}|\n${'|-'.repeat(100)}|\n${'|x\n'.repeat(1_190)}`;
  /** The most that code comes to: nearly each sign has a color of its own. */
  const colored = `\`\`\`css\n${'ab{c:1px}'.repeat(430)}\n\`\`\``;

  it('takes no table of a learner, however wide', async () => {
    const { lesson, asker } = await classroom();
    const asked = await ask(asker.as, lesson.id, { body: wideTable });
    expect(asked.status).toBe(201);
    expect(asked.body.html).not.toContain('<td');
    expect(asked.body.html.length).toBeLessThan(8_000);
  });

  it('is given in parts, none of which is large, and each question once', { timeout: 120_000 }, async () => {
    const { lesson, asker, other } = await classroom();
    const bodies = Array.from({ length: 30 }, (_, index) => `${index}\n\n${index % 2 ? colored : wideTable}`);
    const values = (userId: number, by: string, body: string, index: number) => ({
      ...{ userId, lessonId: lesson.id, key: `${by}-many-${index}`, body },
      ...{ line: null, quote: '', submissionId: null, sharedByAsker: true, sharedByTeam: true },
    });
    const rows = await db()
      .insert(lessonQuestions)
      .values([
        ...bodies.map((body, index) => values(asker.id, 'asker', body, index)),
        ...bodies.slice(0, 15).map((body, index) => values(other.id, 'other', body, index)),
      ])
      .returning();
    // One has more below it than any page shows.
    const busy = rows[10]!;
    await db()
      .insert(lessonQuestionReplies)
      .values(
        Array.from({ length: 60 }, (_, index) => ({
          ...{ questionId: busy.id, writtenBy: asker.id, byTeam: false, key: `reply-${index}-x` },
          body: `${index}\n\n${colored}`,
        })),
      );
    const seen: number[] = [];
    let after: string | null = null;
    let parts = 0;
    do {
      const part = await callRoute(listRoute, {
        params: params(lesson.id),
        as: asker.as,
        path: `/api/lessons/${lesson.id}/questions${after ? `?after=${after}` : ''}`,
      });
      expect(part.status, part.text.slice(0, 300)).toBe(200);
      expect(part.text.length).toBeLessThan(2_000_000);
      const listed = [...part.body.own, ...part.body.shared];
      expect(listed.length).toBeLessThanOrEqual(20);
      for (const one of listed) {
        expect(one.replies.length).toBeLessThanOrEqual(30);
        expect(one.hasOlderReplies).toBe(one.id === busy.id);
      }
      seen.push(...listed.map(({ id }: { id: number }) => id));
      after = part.body.more;
      parts += 1;
    } while (after !== null && parts < 50);
    expect(parts).toBeGreaterThan(2);
    const newestFirst = (of: number) =>
      rows
        .filter(({ userId }) => userId === of)
        .map(({ id }) => id)
        .reverse();
    expect(seen).toEqual([...newestFirst(asker.id), ...newestFirst(other.id)]);

    const team = await listTeamQuestions({ search: lesson.title, page: 2 });
    expect(JSON.stringify(team).length).toBeLessThan(2_000_000);
    const alone = await listTeamQuestions({ questionId: busy.id });
    expect(alone.questions).toMatchObject([{ isShortened: false, hasOlderReplies: true }]);
  });

  it.each(['own', 'own--1', 'shared-99999999999', 'own-9999999999', "own-1'"])(
    'has no part after %s',
    async (after) => {
      const { lesson, asker } = await classroom();
      const answer = await callRoute(listRoute, {
        params: params(lesson.id),
        as: asker.as,
        path: `/api/x?after=${encodeURIComponent(after)}`,
      });
      expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, ['after']]);
    },
  );
});
