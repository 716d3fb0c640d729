import { and, asc, desc, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { auditLog } from '#db/schema/account.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { enrollments, lessonProgress, quizQuestions } from '#db/schema/learn.ts';
import { findCourseContent, findLessonFields } from '#src/features/authoring/lesson-editor/lessons.server.ts';
import { POST as create } from '#src/pages/api/admin/courses/[id]/lessons.ts';
import { PUT as reorder } from '#src/pages/api/admin/courses/[id]/lesson-order.ts';
import { DELETE as remove, PUT as update } from '#src/pages/api/admin/lessons/[id].ts';
import { POST as preview } from '#src/pages/api/admin/preview.ts';
import { saveFile } from '#src/server/files/files.ts';
import { callRoute, signIn } from '../../support/api.ts';

let admin: Awaited<ReturnType<typeof makeAdmin>>;
beforeAll(async () => {
  admin = await makeAdmin({ username: 'Grace Hopper' });
});

type Route = Parameters<typeof callRoute>[0];
const send = async (route: Route, method: string, id: number, body?: unknown) =>
  callRoute(route, {
    method,
    params: { id: String(id) },
    as: await signIn(admin),
    ...(body === undefined ? {} : { body }),
  });
const add = (courseId: number, body: unknown) => send(create, 'POST', courseId, body);
const change = (lessonId: number, body: unknown) => send(update, 'PUT', lessonId, body);
const rowOf = async (id: number) => (await db().select().from(lessons).where(eq(lessons.id, id)))[0];
const orderOf = async (courseId: number) =>
  (
    await db()
      .select()
      .from(lessons)
      .where(eq(lessons.courseId, courseId))
      .orderBy(asc(lessons.order), asc(lessons.id))
  ).map(({ title, section, order }) => `${order} ${section}/${title}`);
const auditOf = (subjectType: string, id: number) =>
  db()
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.subjectType, subjectType), eq(auditLog.subjectId, String(id))))
    .orderBy(desc(auditLog.id));

const TEXT = { type: 'text', title: 'Values', content: '# Values\n\nA value has a type.' };
const QUESTION = { question: 'What is 2 + 2?', options: ['3', '4'], correctAnswer: 1, explanation: 'Sums.' };

describe('adding a lesson', () => {
  it('puts it at the end of its section, or where it was asked for', async () => {
    const course = await makeCourse({ isActive: false, title: 'JavaScript' });
    expect((await add(course.id, { ...TEXT, title: 'A', section: 'One' })).body).toMatchObject({ order: 1 });
    expect((await add(course.id, { ...TEXT, title: 'B', section: 'Two' })).body).toMatchObject({ order: 2 });
    expect((await add(course.id, { ...TEXT, title: 'C', section: 'One' })).body).toMatchObject({ order: 2 });
    const first = await add(course.id, { ...TEXT, title: 'D', section: 'Zero', order: 1 });
    expect(first.status, first.text).toBe(201);
    expect((await add(course.id, { ...TEXT, title: 'E', order: 999 })).body).toMatchObject({ order: 5 });
    expect(await orderOf(course.id)).toEqual(['1 Zero/D', '2 One/A', '3 One/C', '4 Two/B', '5 /E']);
    expect(await auditOf('lesson', first.body.id)).toMatchObject([
      { action: 'lesson.created', details: { title: 'D', course: 'JavaScript', courseId: course.id } },
    ]);
  });

  it('done many times at once leaves one order without gaps', async () => {
    const course = await makeCourse({ isActive: false });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => add(course.id, { ...TEXT, title: `L${index}` })),
    );
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    expect((await orderOf(course.id)).map((line) => Number(line.split(' ')[0]))).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8,
    ]);
  });

  it('reads size and type of a file from what is stored, whatever is claimed', async () => {
    const course = await makeCourse({ isActive: false });
    const file = await saveFile({
      area: 'files',
      originalName: 'sheet.pdf',
      bytes: new TextEncoder().encode('%PDF-1.7 hello'),
    });
    const answer = await add(course.id, {
      type: 'document',
      title: 'Sheet',
      fileUrl: file.path,
      fileSize: 99_999_999,
      mimeType: 'text/html',
      solution: 'x',
      courseId: 1,
    });
    expect(answer.status, answer.text).toBe(201);
    expect(await rowOf(answer.body.id)).toMatchObject({
      fileUrl: file.path,
      fileSize: 14,
      mimeType: 'application/pdf',
      courseId: course.id,
      solution: null,
    });
    const elsewhere = await add(course.id, {
      type: 'video',
      title: 'Talk',
      fileUrl: 'https://videos.example.com/talk.mp4?x=1',
      durationSeconds: 60,
      watchRequired: true,
      assignmentSettings: { dueNote: 'Soon' },
      chapters: '0:00  Hello\r\n\r\n0:30 Bye',
    });
    const text = await add(course.id, { ...TEXT, chapters: '0:00 Of a text' });
    expect(await rowOf(text.body.id)).toMatchObject({ chapters: '' });
    expect(await rowOf(elsewhere.body.id)).toMatchObject({
      chapters: '0:00 Hello\n0:30 Bye',
      fileSize: null,
      mimeType: 'video/mp4',
      watchRequired: true,
      assignmentSettings: {},
    });
  });

  it.each([
    [{ ...TEXT, title: '' }, { title: 'Title is required' }],
    [{ ...TEXT, title: undefined }, { title: 'Title is required' }],
    [{ ...TEXT, content: '  ' }, { content: 'Content is required' }],
    [{ ...TEXT, type: 'podcast' }, { type: 'There is no such type' }],
    [{ ...TEXT, points: -1 }, { points: 'Points must be at least 0' }],
    [{ ...TEXT, points: 10_001 }, { points: 'Points must be at most 10000' }],
    [{ ...TEXT, points: 1.5 }, { points: 'Points must be a whole number' }],
    [{ ...TEXT, points: '5' }, { points: 'Points must be a whole number' }],
    [{ ...TEXT, order: 0 }, { order: 'Order must be at least 1' }],
    [{ ...TEXT, order: 1e9 }, { order: 'Order must be at most 1000' }],
    [{ ...TEXT, isPreview: 'yes' }, { isPreview: 'isPreview must be true or false' }],
    [{ ...TEXT, section: 'x'.repeat(101) }, { section: 'Section must be at most 100 characters' }],
    [{ ...TEXT, difficulty: 'hard' }, { difficulty: 'Choose Beginner, Intermediate or Advanced' }],
    [{ type: 'assignment', title: 'A' }, { content: 'The task is required' }],
    [
      {
        type: 'assignment',
        title: 'A',
        content: 'x',
        assignmentSettings: { rubric: [{ name: '', points: 1 }] },
      },
      { 'assignmentSettings.rubric.0.name': 'Criterion is required' },
    ],
    [{ type: 'video', title: 'V' }, { fileUrl: 'File URL is required' }],
    [{ type: 'document', title: 'D', fileUrl: '' }, { fileUrl: 'File URL is required' }],
    [
      { type: 'document', title: 'D', fileUrl: 'javascript:alert(1)' },
      { fileUrl: 'File URL must be an https:// address or a path of this site' },
    ],
    [
      { type: 'video', title: 'V', fileUrl: 'http://169.254.169.254/x.mp4' },
      { fileUrl: 'File URL must be an https:// address or a path of this site' },
    ],
    [
      { type: 'document', title: 'D', fileUrl: '/files/nothing/here.pdf' },
      { fileUrl: 'There is no such file on this site. Upload it, or give an https:// address.' },
    ],
    [
      { type: 'video', title: 'V', fileUrl: 'https://example.com/v.mp4', captionsUrl: '/files/no/c.vtt' },
      { captionsUrl: 'There is no such file on this site. Upload it, or give an https:// address.' },
    ],
    [
      { type: 'video', title: 'V', fileUrl: 'https://example.com/v.mp4', chapters: '0:10 A\nB\n0:05 C' },
      {
        chapters:
          'Line 2 needs a time and a title, such as 1:30 The first knot. Line 3 does not begin after the chapter before it.',
      },
    ],
    [
      {
        ...{ type: 'video', title: 'V', fileUrl: 'https://example.com/v.mp4' },
        ...{ durationSeconds: 60, chapters: '1:00 A' },
      },
      { chapters: 'The last chapter begins after the end of the video' },
    ],
    [
      { type: 'video', title: 'V', fileUrl: 'https://youtu.be/dQw4w9WgXcQ', chapters: '0:00 A' },
      {
        chapters:
          'A YouTube or Vimeo video shows the chapters that it has there. Upload it to give it chapters here.',
      },
    ],
    [
      { type: 'video', title: 'V', fileUrl: 'https://example.com/v.mp4', durationSeconds: 0 },
      { durationSeconds: 'Length in seconds must be at least 1' },
    ],
    [{ type: 'quiz', title: 'Q' }, { questions: 'A quiz needs at least one question' }],
    [
      { type: 'quiz', title: 'Q', questions: [{ ...QUESTION, options: ['1'], correctAnswer: 0 }] },
      { 'questions.0.options': 'A question needs at least 2 options' },
    ],
    [
      { type: 'quiz', title: 'Q', questions: [QUESTION, { ...QUESTION, correctAnswer: 2 }] },
      { 'questions.1.correctAnswer': 'Choose the correct option' },
    ],
    [
      { type: 'quiz', title: 'Q', questions: [{ ...QUESTION, correctAnswer: -1 }] },
      { 'questions.0.correctAnswer': 'Choose the correct option' },
    ],
    [
      { type: 'quiz', title: 'Q', questions: [{ ...QUESTION, options: ['4', ' 4'] }] },
      { 'questions.0.options': 'Two options are the same' },
    ],
    [
      { type: 'quiz', title: 'Q', questions: [{ ...QUESTION, question: ' ' }] },
      { 'questions.0.question': 'Question is required' },
    ],
  ])('refuses %j at the field', async (body, fields) => {
    const course = await makeCourse({ isActive: false });
    const answer = await add(course.id, body);
    expect(answer.status).toBe(400);
    expect(answer.body.fields).toEqual(fields);
    expect(await orderOf(course.id)).toEqual([]);
  });

  it('is 404 for an unknown course', async () => {
    expect((await add(2_147_483_647, TEXT)).status).toBe(404);
  });
});

describe('changing a lesson', () => {
  it('saves it, names what changed, and moves it with its section', async () => {
    const course = await makeCourse({ isActive: false });
    const [a, b] = [
      await makeLesson(course.id, { title: 'A', section: 'One', order: 1 }),
      await makeLesson(course.id, { title: 'B', section: 'Two', order: 2 }),
    ];
    const answer = await change(a.id, { ...TEXT, title: 'A2', section: 'Two', points: 5, version: 1 });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ order: 2, version: 2 });
    expect(await orderOf(course.id)).toEqual(['1 Two/B', '2 Two/A2']);
    expect((await auditOf('lesson', a.id))[0]!.details.changed).toBe(
      'title, section, content, duration, points, place',
    );
    expect(
      (await change(b.id, { ...TEXT, title: 'B', section: 'Two', order: 2, version: 1 })).body,
    ).toMatchObject({
      order: 2,
    });
    expect(await orderOf(course.id)).toEqual(['1 Two/A2', '2 Two/B']);
    const fields = (await findLessonFields(course.id, a.id))!;
    expect(fields).toMatchObject({ title: 'A2', order: 1, points: 5, version: 2 });
    expect(await findLessonFields((await makeCourse({ isActive: false })).id, a.id)).toBeNull();
  });

  it('warns instead of overwriting a newer change', async () => {
    const course = await makeCourse({ isActive: false });
    const lesson = await makeLesson(course.id, { title: 'Old', content: 'Old text' });
    const mine = { ...TEXT, title: 'Mine', content: 'Old text', version: 1 };
    expect(
      (await change(lesson.id, { ...TEXT, title: 'Theirs', content: 'New text', version: 1 })).status,
    ).toBe(200);
    const answer = await change(lesson.id, mine);
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({
      message: 'Somebody else changed this lesson meanwhile.',
      version: 2,
      changed: [
        { field: 'title', label: 'Title', value: 'Theirs' },
        { field: 'content', label: 'Content', value: 'New text' },
      ],
    });
    expect((await rowOf(lesson.id))!.title).toBe('Theirs');
    expect((await change(lesson.id, { ...mine, version: 2 })).status).toBe(200);
    expect((await rowOf(lesson.id))!.title).toBe('Mine');
    expect((await change(lesson.id, { ...mine, version: undefined })).body.fields).toHaveProperty('version');
  });

  it('keeps the type, and changes a coding lesson as a whole', async () => {
    const course = await makeCourse({ isActive: false });
    const lesson = await makeLesson(course.id, {
      type: 'interactive_coding',
      codingLanguage: 'javascript',
      starterCode: 'start',
      solution: 'done',
      content: 'Fixture',
      instructions: 'Do it',
      hints: ['Old'],
    });
    expect((await change(lesson.id, { ...TEXT, version: 1 })).status).toBe(409);
    const answer = await change(lesson.id, {
      type: 'interactive_coding',
      title: 'Sum',
      points: 20,
      codingLanguage: 'python',
      instructions: 'Do it well',
      content: 'Fixture',
      starterCode: 'begin',
      solution: 'done',
      version: 1,
    });
    expect(answer.status, answer.text).toBe(200);
    expect(await rowOf(lesson.id)).toMatchObject({
      title: 'Sum',
      points: 20,
      codingLanguage: 'python',
      starterCode: 'begin',
      solution: 'done',
      content: 'Fixture',
      instructions: 'Do it well',
      hints: [],
      version: 2,
    });
  });

  it('keeps the ids of a quiz’s questions, and takes none of another quiz', async () => {
    const course = await makeCourse({ isActive: false });
    const quiz = (await add(course.id, { type: 'quiz', title: 'Quiz', questions: [QUESTION, QUESTION] }))
      .body;
    const other = (await add(course.id, { type: 'quiz', title: 'Other', questions: [QUESTION] })).body;
    const questionsOf = (lessonId: number) =>
      db()
        .select()
        .from(quizQuestions)
        .where(eq(quizQuestions.lessonId, lessonId))
        .orderBy(asc(quizQuestions.order));
    const [first, second] = await questionsOf(quiz.id);
    const body = { type: 'quiz', title: 'Quiz', version: 1 };
    const answer = await change(quiz.id, {
      ...body,
      questions: [
        { ...QUESTION, question: 'New?' },
        { ...QUESTION, id: second!.id, question: 'Second, changed?' },
      ],
    });
    expect(answer.status, answer.text).toBe(200);
    const after = await questionsOf(quiz.id);
    expect(after.map(({ question }) => question)).toEqual(['New?', 'Second, changed?']);
    expect(after[1]!.id).toBe(second!.id);
    expect(after.map(({ id }) => id)).not.toContain(first!.id);

    const [foreign] = await questionsOf(other.id);
    for (const questions of [
      [{ ...QUESTION, id: foreign!.id }],
      [
        { ...QUESTION, id: second!.id },
        { ...QUESTION, id: second!.id },
      ],
    ]) {
      const refused = await change(quiz.id, { ...body, version: 2, questions });
      expect(refused.status).toBe(400);
      expect(refused.body.fields).toHaveProperty('questions');
    }
    expect(await questionsOf(other.id)).toHaveLength(1);
    expect(await questionsOf(quiz.id)).toEqual(after);
    const same = after.map(({ id, question, options, correctAnswer, explanation }) => ({
      id,
      question,
      options,
      correctAnswer,
      explanation,
    }));
    expect((await change(quiz.id, { ...body, version: 2, questions: same })).body.version).toBe(2);
  });

  it('brings everybody’s progress along when it counts differently (fault S6)', async () => {
    const course = await makeCourse({ isActive: false });
    const [a, b] = [await makeLesson(course.id, { title: 'A' }), await makeLesson(course.id, { title: 'B' })];
    const learner = await makeUser();
    await makeEnrollment(learner.id, course.id, { progress: 50 });
    await db()
      .insert(lessonProgress)
      .values({ userId: learner.id, lessonId: a.id, courseId: course.id, completed: true });
    const progress = async () =>
      (await db().select().from(enrollments).where(eq(enrollments.userId, learner.id)))[0]!.progress;
    const { version: _, ...fields } = (await findLessonFields(course.id, b.id))!;
    await change(b.id, { ...fields, requiredToComplete: false, version: 1 });
    expect(await progress()).toBe(100);
    await add(course.id, TEXT);
    expect(await progress()).toBe(50);
  });
});

describe('deleting a lesson', () => {
  it('removes it, closes the gap, and brings progress along', async () => {
    const course = await makeCourse({ isActive: false, title: 'JavaScript' });
    const made = [];
    for (const title of ['A', 'B', 'C']) made.push(await makeLesson(course.id, { title }));
    const learner = await makeUser();
    await makeEnrollment(learner.id, course.id, { progress: 66 });
    for (const lesson of made.slice(0, 2)) {
      await db()
        .insert(lessonProgress)
        .values({ userId: learner.id, lessonId: lesson.id, courseId: course.id, completed: true });
    }
    expect((await findCourseContent(course.id))!.lessons.map(({ completions }) => completions)).toEqual([
      1, 1, 0,
    ]);
    const answer = await send(remove, 'DELETE', made[2]!.id);
    expect(answer.body).toEqual({ deleted: true });
    expect(await orderOf(course.id)).toEqual(['1 /A', '2 /B']);
    const [enrollment] = await db().select().from(enrollments).where(eq(enrollments.userId, learner.id));
    expect(enrollment).toMatchObject({ progress: 100 });
    expect(enrollment!.completedAt).not.toBeNull();
    expect(await auditOf('lesson', made[2]!.id)).toMatchObject([
      { action: 'lesson.deleted', details: { title: 'C', course: 'JavaScript' } },
    ]);
    expect((await send(remove, 'DELETE', made[2]!.id)).status).toBe(404);
  });
});

describe('putting lessons into order', () => {
  it('takes every lesson once, and a section with each', async () => {
    const course = await makeCourse({ isActive: false });
    const made: number[] = [];
    for (const title of ['A', 'B', 'C']) made.push((await makeLesson(course.id, { title })).id);
    const [a, b, c] = made as [number, number, number];
    const answer = await send(reorder, 'PUT', course.id, {
      before: [a, b, c],
      lessons: [
        { id: c, section: 'First' },
        { id: a, section: 'First' },
        { id: b, section: '' },
      ],
    });
    expect(answer.status, answer.text).toBe(200);
    expect(await orderOf(course.id)).toEqual(['1 First/C', '2 First/A', '3 /B']);
    expect(await auditOf('course', course.id)).toMatchObject([{ action: 'course.lessons_ordered' }]);

    const foreign = await makeLesson((await makeCourse({ isActive: false })).id);
    const place = (id: number) => ({ id, section: '' });
    for (const body of [
      { before: [a, b, c], lessons: [place(a), place(b), place(c)] },
      { before: [c, a, b], lessons: [place(a), place(b)] },
      { before: [c, a, b], lessons: [place(a), place(a), place(b)] },
      { before: [c, a, b], lessons: [place(a), place(b), place(foreign.id)] },
      { before: [], lessons: [] },
    ]) {
      const refused = await send(reorder, 'PUT', course.id, body);
      expect(refused.status).toBe(409);
      expect(refused.body.lessons.map(({ id }: { id: number }) => id)).toEqual([c, a, b]);
    }
    expect((await send(reorder, 'PUT', course.id, { before: 'x', lessons: null })).status).toBe(400);
    expect(await orderOf(course.id)).toEqual(['1 First/C', '2 First/A', '3 /B']);
    expect(await auditOf('course', course.id)).toHaveLength(1);
  });
});

describe('the preview', () => {
  it('renders Markdown and runs nothing (fault U4)', async () => {
    const answer = await callRoute(preview, {
      body: {
        content:
          '# Title\n\n**bold** <script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1)) </textarea> {{ 1 + 1 }}',
      },
      as: await signIn(admin),
    });
    expect(answer.status).toBe(200);
    expect(answer.body.html).toContain('<h2>Title</h2>');
    expect(answer.body.html).toContain('<strong>bold</strong>');
    expect(answer.body.html).not.toMatch(/<script|<img|<textarea|href="javascript/i);
    expect(answer.body.html).toContain('alert(1)');
    expect(answer.body.html).toContain('{{ 1 + 1 }}');
    const long = await callRoute(preview, {
      body: { content: 'x'.repeat(100_001) },
      as: await signIn(admin),
    });
    expect(long.body.fields).toEqual({ content: 'Content must be at most 100000 characters' });
  });
});
