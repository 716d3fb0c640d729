import { asc, eq } from 'drizzle-orm';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { FIXED_CATEGORIES } from '#src/shared/content/categories.ts';
import { categories, lessons, pictures } from '#db/schema/catalogue.ts';
import { quizQuestions } from '#db/schema/learn.ts';
import { proveLesson } from '#src/features/authoring/publishing/check-lessons.server.ts';
import { exportCourse } from '#src/features/authoring/transfer/course-export.server.ts';
import { findCoursePage } from '#src/features/catalogue/course-page/course-page.server.ts';
import { partsOf } from '#src/features/lessons/lesson-store.server.ts';
import { type Question, questionInput, rowOfQuestion } from '#src/features/lessons/types/quiz/question.ts';
import { GET as listPictures, POST as addPicture } from '#src/pages/api/admin/courses/[id]/pictures.ts';
import { POST as move } from '#src/pages/api/admin/lessons/[id]/move.ts';
import { DELETE as removePicture } from '#src/pages/api/admin/pictures/[id].ts';
import * as quizRoute from '#src/pages/api/lessons/[id]/quiz.ts';
import { POST as tryQuiz } from '#src/pages/api/lessons/[id]/quiz-preview.ts';
import { GET as readPicture } from '#src/pages/pictures/[...path].ts';
import { callRoute, signIn } from '../../support/api.ts';
import { unzip } from '../../support/archives.ts';
import { sendArchive } from '../../support/course-imports.ts';

let as: Awaited<ReturnType<typeof signIn>>;
beforeAll(async () => {
  as = await signIn(await makeAdmin());
  await db()
    .insert(categories)
    .values(FIXED_CATEGORIES.map((one) => ({ ...one })))
    .onConflictDoNothing();
});

/** A course with a quiz whose one question has a picture in its text, an option and its explanation. */
async function formatted(lesson: Partial<typeof lessons.$inferInsert> = {}, isFormatted = true) {
  const format = isFormatted ? 'markdown' : undefined;
  const course = await makeCourse();
  const made = [];
  for (const [name, background] of [
    ['asked', '#cc3366'],
    ['offered', '#33cc66'],
    ['told', '#3366cc'],
    ['listed', '#ccccff'],
  ] as const) {
    const body = new FormData();
    const picture = sharp({ create: { width: 600, height: 400, channels: 3, background } });
    body.append('file', new Blob([new Uint8Array(await picture.png().toBuffer())]), `${name}.png`);
    const answer = await callRoute(addPicture, {
      params: { id: String(course.id) },
      method: 'POST',
      body,
      as,
    });
    expect(answer.status, answer.text).toBe(201);
    made.push({ id: answer.body.id as number, path: answer.body.path as string });
  }
  const [question, option, explanation, listed] = made as [
    (typeof made)[0],
    (typeof made)[0],
    (typeof made)[0],
    (typeof made)[0],
  ];
  const quiz = await makeLesson(course.id, { type: 'quiz', title: 'Formatted', content: '', ...lesson });
  const shows = format ? '\n' : ' ';
  const written: Question[] = [
    {
      question: `## Which *one*?\n\n![Asked](${question.path})\n\n$a^2$`,
      format,
      options: [`![Offered](${option.path})`, `\`right\`${shows}way`],
      correctAnswer: 1,
      explanation: `**Secret why** ![Told](${explanation.path})`,
    },
    {
      kind: 'several_answers',
      question: 'All',
      format,
      options: ['a', `![Listed](${listed.path})`],
      correctAnswers: [0, 1],
      explanation: 'Secret',
    },
  ].map((one) => questionInput.parse(one));
  const ids = await db()
    .insert(quizQuestions)
    .values(written.map((one, order) => ({ ...rowOfQuestion(one), lessonId: quiz.id, order })))
    .returning({ id: quizQuestions.id });
  return { course, quiz, written, ids: ids.map(({ id }) => id), pictures: made };
}

const statusOf = async (path: string, withCookie?: Awaited<ReturnType<typeof signIn>>) => {
  const params = { path: path.replace('/pictures/', '') };
  return (await callRoute(readPicture, { path, params, ...(withCookie ? { withCookie } : {}) })).status;
};
const statuses = (all: { path: string }[], withCookie?: Awaited<ReturnType<typeof signIn>>) =>
  Promise.all(all.map(({ path }) => statusOf(path, withCookie)));

describe('a formatted question', () => {
  it('reaches its learner as HTML, and of the explanation nothing before the answer', async () => {
    const { course, quiz, ids, pictures: shown } = await formatted();
    const learner = await makeUser();
    await makeEnrollment(learner.id, course.id);
    const own = await signIn(learner);
    const params = { id: String(quiz.id) };
    const before = await callRoute(quizRoute.GET, { params, as: own });
    expect(before.body.questions[0]).toMatchObject({
      questionHtml: expect.stringMatching(
        /^<p><strong>Which <em>one<\/em>\?<\/strong><\/p>\n<p><picture>.*<math/s,
      ),
      optionsHtml: [
        expect.stringContaining('alt="Offered"'),
        '<span class="block"><code>right</code>\nway</span>',
      ],
    });
    expect(before.text).not.toMatch(/Secret|explanationHtml|correctAnswer/);
    expect(await statuses(shown, own)).toEqual([200, 200, 200, 200]);
    const stranger = await signIn(await makeUser());
    expect(await statuses(shown, stranger)).toEqual([404, 404, 404, 404]);

    const answers = { [ids[0]!]: 1, [ids[1]!]: before.body.questions[1].options };
    const marked = await callRoute(quizRoute.POST, { method: 'POST', params, body: { answers }, as: own });
    expect(marked.body).toMatchObject({ attempt: { score: 100 } });
    expect(marked.body.answers[0].explanationHtml).toMatch(/^<p><strong>Secret why<\/strong> <picture>/);
  });

  it('is tried by anyone in a preview lesson, with its pictures; a plain one shows none', async () => {
    const { course, quiz, ids, pictures: shown } = await formatted({ isPreview: true });
    const page = await findCoursePage(course.id, null);
    expect(page?.previews[0]?.questions[0]?.questionHtml).toContain('<strong>Which');
    expect(JSON.stringify(page)).not.toMatch(/Secret|explanationHtml/);
    expect(await statuses(shown)).toEqual([200, 200, 200, 200]);
    const tried = await callRoute(tryQuiz, {
      path: `/api/lessons/${quiz.id}/quiz-preview`,
      params: { id: String(quiz.id) },
      body: { answers: { [ids[0]!]: 0, [ids[1]!]: ['a'] } },
      ip: '198.51.100.7',
    });
    expect(tried.body.answers[0].explanationHtml).toContain('<strong>Secret why</strong>');

    const plain = await formatted({ isPreview: true }, false);
    expect(await statuses(plain.pictures)).toEqual([404, 404, 404, 404]);
  });

  it('keeps its pictures in the library while it shows them', async () => {
    const { course, pictures: shown } = await formatted();
    const list = await callRoute(listPictures, { params: { id: String(course.id) }, as });
    expect(list.status, list.text).toBe(200);
    for (const { id } of shown) {
      const removed = await callRoute(removePicture, { method: 'DELETE', params: { id: String(id) }, as });
      expect([removed.status, removed.body.message]).toEqual([409, 'The picture is shown in: Formatted.']);
    }
  });

  it('has its pictures in another course that it is moved to', async () => {
    const { quiz, pictures: shown } = await formatted();
    const target = await makeCourse({ isActive: false });
    const moved = await callRoute(move, {
      method: 'POST',
      params: { id: String(quiz.id) },
      body: { courseId: target.id },
      as,
    });
    expect(moved.status, moved.text).toBe(200);
    const own = await db().select().from(pictures).where(eq(pictures.courseId, target.id));
    expect(own).toHaveLength(4);
    const text = JSON.stringify(await partsOf({ id: moved.body.id, type: 'quiz' }, db()));
    for (const { path } of own) expect(text).toContain(path);
    for (const { path } of shown) expect(text).not.toContain(path);
  });

  it('goes through an archive as it was', async () => {
    const { course, written } = await formatted();
    const archive = Buffer.from(await new Response((await exportCourse(course.id)).body).arrayBuffer());
    const text = (await unzip(archive)).get('lessons/01-formatted.md')!.toString();
    expect(text).toContain('format: markdown');
    expect(text).toContain('![Listed](../pictures/listed.png)');
    const own = await sendArchive(as, archive, { courseId: course.id });
    expect(own.body.plan.rows.map(({ change }: { change: string }) => change)).not.toContain('changed');
    const looked = await sendArchive(as, archive, {});
    const done = await sendArchive(as, archive, { digest: looked.body.plan.digest });
    expect(done.status, done.text).toBe(200);
    const [lesson] = await db().select().from(lessons).where(eq(lessons.courseId, done.body.appliedTo));
    const { questions } = await partsOf(lesson!, db());
    const withoutPaths = (all: object[]) =>
      JSON.parse(JSON.stringify(all).replace(/\/pictures\/[\w-]+\//g, '/pictures/'));
    expect(withoutPaths(questions.map(({ id: _, ...one }) => one))).toEqual(withoutPaths(written));
    const library = await db()
      .select()
      .from(pictures)
      .where(eq(pictures.courseId, done.body.appliedTo))
      .orderBy(asc(pictures.id));
    expect(library.map(({ alt }) => alt).toSorted()).toEqual(['Asked', 'Listed', 'Offered', 'Told']);
  });

  it('is checked for its pictures before it is published', async () => {
    const { course, quiz } = await formatted();
    const lost = '/pictures/none/lost-600x400.png';
    const question = questionInput.parse({
      question: 'Q',
      format: 'markdown',
      options: [`![](${lost})`, 'b'],
      correctAnswer: 1,
      explanation: 'Why',
    });
    const lesson = { ...quiz, courseId: course.id };
    const { findings } = await proveLesson({
      lesson,
      questions: [question],
      bank: [],
      scenario: null,
    } as never);
    expect(findings.map(({ message }) => message)).toEqual([
      'Question 1 has no words in option 1: say what its picture shows.',
      `Line 1: ${lost} is no file of this site.`,
    ]);
  });
});
