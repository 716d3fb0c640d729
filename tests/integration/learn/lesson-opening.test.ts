import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { lessons, type LessonOpening } from '#db/schema/catalogue.ts';
import { enrollments, quizQuestions } from '#db/schema/learn.ts';
import { scenarios } from '#db/schema/scenario.ts';
import { completeLesson } from '#src/features/learn/progress/completion.server.ts';
import { findClassroom } from '#src/features/learn/classroom/classroom.server.ts';
import { openLesson } from '../../support/open-lesson.ts';
import { findNextStep } from '#src/features/learn/progress/next-step.server.ts';
import { listEnrollments } from '#src/features/learn/progress/enrollments.server.ts';
import { openingInput, openingText, opensSentence } from '#src/features/lessons/opening.ts';
import { findWorkbench } from '#src/features/practice/practice.server.ts';
import { findScenarioPage } from '#src/features/scenario/scenario.server.ts';
import { POST as uploadFile } from '#src/pages/api/admin/files.ts';
import { POST as createLesson } from '#src/pages/api/admin/courses/[id]/lessons.ts';
import { GET as getCourse } from '#src/pages/api/courses/[id].ts';
import { POST as complete } from '#src/pages/api/courses/[id]/content/[lessonId]/complete.ts';
import { POST as executeCode } from '#src/pages/api/execute-code.ts';
import { POST as activity } from '#src/pages/api/lessons/[id]/activity.ts';
import { POST as handIn } from '#src/pages/api/lessons/[id]/assignment.ts';
import { POST as hints } from '#src/pages/api/lessons/[id]/hints.ts';
import { PUT as notes } from '#src/pages/api/lessons/[id]/notes.ts';
import { GET as getQuiz, POST as submitQuiz } from '#src/pages/api/lessons/[id]/quiz.ts';
import { GET as getLesson } from '#src/pages/api/lessons/[id].ts';
import { GET as getEnrollment } from '#src/pages/api/my-enrollments/[courseId].ts';
import { GET as getScenario } from '#src/pages/api/scenarios/[id].ts';
import { GET as getFile } from '#src/pages/files/[...path].ts';
import { callRoute, signIn } from '../../support/api.ts';

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const dayFrom = (days: number) => daysAgo(-days).toISOString().slice(0, 10);

/** A course whose second lesson opens as given, with somebody who is enrolled. */
async function course(opening: LessonOpening, values: Partial<typeof lessons.$inferInsert> = {}) {
  const user = await makeUser();
  const made = await makeCourse();
  const first = await makeLesson(made.id);
  const second = await makeLesson(made.id, { content: 'The secret.', ...values, opening });
  await makeEnrollment(user.id, made.id);
  return { user, as: await signIn(user), course: made, first, second };
}
type Made = Awaited<ReturnType<typeof course>>;

/** What keeps the second lesson closed. */
const closed = async ({ user, course: { id }, second }: Made) =>
  (await findClassroom(user, id))!.lessons.find((one) => one.id === second.id)!.closed;
const enrolledAt = (made: Made, moment: Date) =>
  db().update(enrollments).set({ enrolledAt: moment }).where(eq(enrollments.userId, made.user.id));
const change = (made: Made, values: Partial<typeof lessons.$inferInsert>) =>
  db().update(lessons).set(values).where(eq(lessons.id, made.second.id));

describe('a lesson opens', () => {
  it('at once where nothing is said', async () => {
    expect(await closed(await course({}))).toBeNull();
  });

  it('a number of days after its learner got access', async () => {
    const made = await course({ afterDays: 3 });
    const moment = daysAgo(2.9);
    await enrolledAt(made, moment);
    expect(await closed(made)).toEqual({
      until: new Date(moment.getTime() + 3 * DAY_MS).toISOString(),
      needsEarlier: false,
      needs: [],
    });
    await enrolledAt(made, daysAgo(3.1));
    expect(await closed(made)).toBeNull();
  });

  it('on a day', async () => {
    expect(await closed(await course({ on: dayFrom(0) }))).toBeNull();
    const made = await course({ on: dayFrom(1) });
    expect(await closed(made)).toEqual({
      until: `${dayFrom(1)}T00:00:00.000Z`,
      needsEarlier: false,
      needs: [],
    });
  });

  it('by the later of both', async () => {
    const made = await course({ on: dayFrom(5), afterDays: 1 });
    expect((await closed(made))!.until).toBe(`${dayFrom(5)}T00:00:00.000Z`);
    await change(made, { opening: { on: dayFrom(-5), afterDays: 9 } });
    expect(new Date((await closed(made))!.until!).getTime()).toBeGreaterThan(Date.now() + 8 * DAY_MS);
  });

  it('once the required lessons before it are completed', async () => {
    const made = await course({ afterEarlier: true });
    const optional = await makeLesson(made.course.id, { requiredToComplete: false, order: 1 });
    expect(await closed(made)).toEqual({ until: null, needsEarlier: true, needs: [] });
    await completeLesson({ id: made.user.id, role: 'student' }, made.course.id, optional.id);
    expect(await closed(made)).not.toBeNull();
    await completeLesson({ id: made.user.id, role: 'student' }, made.course.id, made.first.id);
    expect(await closed(made)).toBeNull();
    // A lesson that is added later takes nothing away once this one is done.
    await completeLesson({ id: made.user.id, role: 'student' }, made.course.id, made.second.id);
    await makeLesson(made.course.id, { order: 0 });
    expect(await closed(made)).toBeNull();
  });

  it('to everybody who may try it', async () => {
    expect(await closed(await course({ on: dayFrom(9) }, { isPreview: true }))).toBeNull();
  });
});

describe('a closed lesson', () => {
  const OPENING = { on: dayFrom(9), afterEarlier: true };
  const SENTENCE = opensSentence({ until: `${OPENING.on}T00:00:00Z`, needsEarlier: true, needs: [] });

  it('refuses everything that a learner could do in it, and says when it opens', async () => {
    const made = await course(OPENING, { type: 'assignment' });
    const params = { id: String(made.second.id) };
    const { as } = made;
    const quiz = await makeLesson(made.course.id, { type: 'quiz', opening: OPENING });
    await db()
      .insert(quizQuestions)
      .values({ lessonId: quiz.id, question: 'Q?', options: ['a', 'b'], correctAnswer: 0, order: 1 });
    const coding = await makeLesson(made.course.id, {
      type: 'interactive_coding',
      codingLanguage: 'javascript',
      expectedOutput: '1',
      opening: OPENING,
    });
    const both = { id: String(made.course.id), lessonId: String(made.second.id) };
    const answers = [
      await callRoute(complete, { method: 'POST', params: both, as }),
      await callRoute(activity, { params, body: { seconds: 5 }, as }),
      await callRoute(notes, { method: 'PUT', params, body: { notes: 'x', version: 0 }, as }),
      await callRoute(handIn, { params, body: { submission: 'x' }, as }),
      await callRoute(getLesson, { params, as }),
      await callRoute(getQuiz, { params: { id: String(quiz.id) }, as }),
      await callRoute(submitQuiz, { params: { id: String(quiz.id) }, body: { answers: {} }, as }),
      await callRoute(hints, { params: { id: String(coding.id) }, body: { shown: 1 }, as }),
      await callRoute(executeCode, {
        body: { lessonId: coding.id, code: 'console.log(1)', language: 'javascript' },
        as,
      }),
    ];
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual(
      answers.map(() => [403, SENTENCE]),
    );
    expect(await findWorkbench(made.user, coding.id)).toEqual({
      elsewhere: `/learn/${made.course.id}?lesson=${coding.id}`,
    });
  });

  it('keeps its scenario to itself', async () => {
    const made = await course(OPENING, { type: 'scenario' });
    const [scenario] = await db()
      .insert(scenarios)
      .values({
        lessonId: made.second.id,
        title: 'S',
        description: 'D',
        scenarioType: 'debugging',
        initialState: {},
        goals: [],
        resources: [],
        definition: {},
        timeLimit: 600,
      })
      .returning();
    const answer = await callRoute(getScenario, { params: { id: String(scenario!.id) }, as: made.as });
    expect([answer.status, answer.body.message]).toEqual([403, SENTENCE]);
    expect(await findScenarioPage(made.user, scenario!.id)).toEqual({
      elsewhere: `/learn/${made.course.id}?lesson=${made.second.id}`,
    });
  });

  it('gives its outline and no more', async () => {
    const made = await course(OPENING);
    for (const [route, params] of [
      [getEnrollment, { courseId: String(made.course.id) }],
      [getCourse, { id: String(made.course.id) }],
    ] as const) {
      const answer = await callRoute(route, { params, as: made.as });
      expect(answer.status).toBe(200);
      const content = (answer.body.course ?? answer.body).content as { id: number; content?: string }[];
      expect(content.map((one) => [one.id, one.content])).toEqual([
        [made.first.id, expect.any(String)],
        [made.second.id, undefined],
      ]);
      expect(answer.text).not.toContain('The secret.');
    }
  });

  it('is none to administrators', async () => {
    const made = await course(OPENING);
    const as = await signIn(await makeAdmin());
    expect((await callRoute(getLesson, { params: { id: String(made.second.id) }, as })).status).toBe(200);
  });

  it('is not where a learner goes on', async () => {
    const made = await course(OPENING);
    await openLesson(made.user.id, made.course.id, made.first.id);
    await completeLesson({ id: made.user.id, role: 'student' }, made.course.id, made.first.id);
    const next = await findNextStep(made.user.id, await listEnrollments(made.user.id));
    expect(next).toMatchObject({ lessonId: made.first.id });
    await change(made, { opening: {} });
    expect(await findNextStep(made.user.id, await listEnrollments(made.user.id))).toMatchObject({
      lessonId: made.second.id,
    });
  });

  it('keeps its file until it opens', async () => {
    const made = await course(OPENING);
    const body = new FormData();
    body.append('file', new Blob(['%PDF-1.7\n1 0 obj\n<<>>\nendobj\n']), 'a.pdf');
    const kept = await callRoute(uploadFile, { method: 'POST', body, as: await signIn(await makeAdmin()) });
    expect(kept.status).toBe(201);
    const path: string = kept.body.fileUrl;
    await change(made, { type: 'document', fileUrl: path });
    const read = async () =>
      (await callRoute(getFile, { path, params: { path: path.replace('/files/', '') }, withCookie: made.as }))
        .status;
    expect(await read()).toBe(404);
    await change(made, { opening: {} });
    expect(await read()).toBe(200);
  });
});

describe('what an author says of it', () => {
  it.each([
    [{ afterDays: 0 }, 'opening.afterDays', 'Opens after must be 1 to 3650 days'],
    [{ afterDays: 3651 }, 'opening.afterDays', 'Opens after must be 1 to 3650 days'],
    [{ afterDays: 1.5 }, 'opening.afterDays', 'Opens after must be 1 to 3650 days'],
    [{ on: '2027-02-30' }, 'opening.on', 'Opens on must be a date such as 2027-01-31'],
    [{ on: '0000-01-01' }, 'opening.on', 'Opens on must be a date such as 2027-01-31'],
    [{ on: 'soon' }, 'opening.on', 'Opens on must be a date such as 2027-01-31'],
    [{ afterEarlier: 'yes' }, 'opening.afterEarlier', 'After the lessons before it must be true or false'],
  ])('%j is refused by name', async (opening, field, message) => {
    const { id } = await makeCourse();
    const answer = await callRoute(createLesson, {
      params: { id: String(id) },
      body: { type: 'text', title: 'One', content: 'Words.', opening },
      as: await signIn(await makeAdmin()),
    });
    expect([answer.status, answer.body.fields[field]]).toEqual([400, message]);
  });

  it('is kept, and told in words', async () => {
    const { id } = await makeCourse();
    const opening = openingInput.parse({ afterDays: 1, on: '2027-01-31', afterEarlier: true });
    const answer = await callRoute(createLesson, {
      params: { id: String(id) },
      body: { type: 'text', title: 'One', content: 'Words.', opening },
      as: await signIn(await makeAdmin()),
    });
    const [row] = await db().select().from(lessons).where(eq(lessons.id, answer.body.id));
    expect(row!.opening).toEqual(opening);
    expect(openingText(opening)).toBe(
      '1 day after the purchase, on Jan 31, 2027, after the required lessons before it',
    );
  });
});
