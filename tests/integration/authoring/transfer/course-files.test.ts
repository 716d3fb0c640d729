import { createHash, randomBytes } from 'node:crypto';
import { and, asc, desc, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../../support/factories.ts';
import { auditLog } from '#db/schema/account.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { lessonProgress, quizQuestions } from '#db/schema/learn.ts';
import { storedFiles } from '#db/schema/machinery.ts';
import { scenarios } from '#db/schema/scenario.ts';
import { findCourseContent, findLessonFields } from '#src/features/authoring/lesson-editor/lessons.server.ts';
import { questionsOf } from '#src/features/lessons/lesson-store.server.ts';
import { questionInput, rowOfQuestion } from '#src/features/lessons/types/quiz/question.ts';
import { seedDemo } from '#src/features/authoring/transfer/demo-courses.server.ts';
import { ZIP_LIMITS } from '#src/features/authoring/transfer/course-zip.server.ts';
import { GET as exportRoute } from '#src/pages/admin/courses/[id]/export.zip.ts';
import { setEnvironment } from '#src/server/start/env.ts';
import { saveFile } from '#src/server/files/files.ts';
import { signIn } from '../../../support/api.ts';
import { type ArchiveFiles as Files, unzip, zipOf } from '../../../support/archives.ts';
import {
  type ImportFields,
  readArchive,
  sendArchive,
  uploadArchive,
} from '../../../support/course-imports.ts';

let as: Awaited<ReturnType<typeof signIn>>;
let admin: Awaited<ReturnType<typeof makeAdmin>>;
beforeAll(async () => {
  await seedDemo();
  admin = await makeAdmin({ username: 'Grace Hopper' });
  as = await signIn(admin);
});

async function download(id: number): Promise<Buffer> {
  const answer = await (exportRoute as unknown as (context: object) => Promise<Response>)({
    locals: { user: { id: admin.id, role: 'admin' }, requestId: 'test' },
    params: { id: String(id) },
    redirect: (to: string) => new Response(null, { status: 302, headers: { location: to } }),
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="[a-z0-9-]+\.zip"$/);
  return Buffer.from(await answer.arrayBuffer());
}

const send = (bytes: Buffer, fields?: ImportFields) => sendArchive(as, bytes, fields);

async function importCourse(bytes: Buffer, courseId?: number) {
  const target = courseId === undefined ? {} : { courseId };
  const upload = await uploadArchive(as, bytes);
  const looked = await readArchive(as, upload, target);
  expect(looked.status, looked.text).toBe(200);
  expect(looked.body.appliedTo).toBeNull();
  const done = await readArchive(as, upload, { ...target, digest: looked.body.plan.digest });
  expect(done.status, done.text).toBe(200);
  expect(done.body.plan).toEqual(looked.body.plan);
  return { plan: looked.body.plan, id: done.body.appliedTo as number };
}

const changesOf = ({ rows }: { rows: { title: string; change: string; details: string[] }[] }) =>
  rows
    .filter(({ change }) => change !== 'unchanged')
    .map(({ title, change, details }) => [title, change, ...details]);

const lessonsOf = (id: number) =>
  db().select().from(lessons).where(eq(lessons.courseId, id)).orderBy(asc(lessons.order));
const edit = (files: Files, path: string, change: (source: string) => string): Files =>
  new Map(files).set(path, Buffer.from(change(files.get(path)!.toString())));
const same = (a: Files, b: Files) => {
  expect([...a.keys()]).toEqual([...b.keys()]);
  const plain = (bytes: Buffer) => bytes.toString('latin1').replace(/^exportedFrom: .*\n/m, '');
  for (const [path, bytes] of a) expect([path, plain(bytes) === plain(b.get(path)!)]).toEqual([path, true]);
};

describe('export → import → export', () => {
  it('gives every course of the demo back, byte for byte, hidden and unproven', async () => {
    const demo = await db().select().from(courses).orderBy(asc(courses.id));
    expect(demo.length).toBeGreaterThan(20);
    let lessonCount = 0;
    for (const course of demo) {
      const first = await download(course.id);
      expect(first.equals(await download(course.id))).toBe(true);
      const { id, plan } = await importCourse(first);
      expect(id).not.toBe(course.id);
      expect(new Set(plan.rows.map(({ change }: { change: string }) => change))).toEqual(new Set(['new']));
      same(await unzip(first), await unzip(await download(id)));
      const [copy] = await db().select().from(courses).where(eq(courses.id, id));
      expect(copy).toMatchObject({ title: course.title, isActive: false, createdBy: admin.id, slug: null });
      const [before, after] = [await lessonsOf(course.id), await lessonsOf(id)];
      lessonCount += after.length;
      const plain = (row: (typeof before)[number]) => ({
        ...row,
        ...{ id: 0, courseId: 0, createdAt: 0, updatedAt: 0, revision: 0, provenRevision: 0 },
        ...{ fileUrl: row.fileUrl && 'file', captionsUrl: row.captionsUrl && 'file' },
      });
      expect(after.map(plain)).toEqual(before.map(plain));
      expect(after.every(({ provenRevision }) => provenRevision === null)).toBe(true);
      const looked = await send(first, { courseId: course.id });
      expect(changesOf(looked.body.plan)).toEqual([]);
    }
    expect(lessonCount).toBeGreaterThan(150);
    const kinds = await db().select({ type: lessons.type }).from(lessons);
    expect(new Set(kinds.map(({ type }) => type)).size).toBe(7);
  }, 120_000);

  it('keeps sections without lessons, and says where they change', async () => {
    const course = await makeCourse({ isActive: false, title: 'In sections', thumbnail: '' });
    const [one, two] = [
      await makeLesson(course.id, { title: 'One', order: 1, section: 'A' }),
      await makeLesson(course.id, { title: 'Two', order: 2, section: 'B' }),
    ];
    const empty = [
      { title: 'First', before: one.id },
      { title: 'Between', before: two.id },
      { title: 'Last', before: null },
    ];
    await db().update(courses).set({ emptySections: empty }).where(eq(courses.id, course.id));
    const files = await unzip(await download(course.id));
    const { id } = await importCourse(await zipOf(files));
    same(files, await unzip(await download(id)));
    const copy = (await findCourseContent(id))!;
    const [first, second] = copy.lessons.map((lesson) => lesson.id);
    expect(copy.empty).toEqual([
      { title: 'First', before: first },
      { title: 'Between', before: second },
      { title: 'Last', before: null },
    ]);
    expect(changesOf((await send(await zipOf(files), { courseId: course.id })).body.plan)).toEqual([]);
    const path = [...files.keys()].find((one) => one.endsWith('course.yaml'))!;
    const renamed = edit(files, path, (yaml) => yaml.replace('section: Between', 'section: Amid'));
    const { plan } = await importCourse(await zipOf(renamed), course.id);
    expect(changesOf(plan)).toEqual([['In sections', 'changed', 'Sections']]);
    expect((await findCourseContent(course.id))!.empty[1]).toEqual({ title: 'Amid', before: two.id });
  });

  it('takes a course back that has no picture yet', async () => {
    const course = await makeCourse({ isActive: false, title: 'Without a picture', thumbnail: '' });
    await makeLesson(course.id);
    const first = await download(course.id);
    const { id } = await importCourse(first);
    same(await unzip(first), await unzip(await download(id)));
    const [copy] = await db().select().from(courses).where(eq(courses.id, id));
    expect(copy!.thumbnail).toBe('');
  });

  it('keeps what no demo course has', async () => {
    const course = await makeCourse({
      title: 'Ünïcode: "quotes" & # signs',
      description: '- not a list\n\n```yaml\n---\n: [\n```\n',
      thumbnail: 'https://example.com/a.png',
      certificateMonths: 24,
      outcomes: 'Say "no": politely\n# Count',
      audience: '- those who ask',
      originalPriceCents: 999_999_900,
      duration: '',
      isActive: false,
    });
    await makeLesson(course.id, {
      title: 'yes',
      section: '',
      duration: '',
      content: '---\nkey: value\n---\n\n    code',
      difficulty: 'advanced',
      type: 'assignment',
      assignmentSettings: {
        rubric: [{ name: 'A: b', points: 5 }],
        dueDays: 14,
        dueNote: '# soon',
        completeFrom: 60,
      },
    });
    await makeLesson(course.id, {
      title: 'yes',
      section: '',
      type: 'video',
      fileUrl: 'https://example.com/film.mp4',
      content: '',
      chapters: '0:00 A: b\n1:02:03 # c',
    });
    await makeLesson(course.id, {
      title: '  \u202fspaces',
      type: 'interactive_coding',
      codingLanguage: 'python',
      content: 'Further text',
      instructions: 'Do it',
      starterCode: '\ufeff# mark\r\n\tx = 1',
      solution: null,
      expectedOutput: ' 1\n2 \n',
      testCases: [
        { input: 'f("a: b")\n# x', expectedOutput: '"yes"', description: '', hidden: false, mode: 'call' },
        { input: '1', expectedOutput: 'no', hidden: true, description: 'h', mode: 'stdin' },
        { input: 'g()', expectedOutput: '', expectsEmpty: true },
        { input: 'h()', expectedOutput: '"3"', strict: true },
      ],
      codeLimits: { seconds: 3 },
      expectedMistakes: [
        {
          say: '- `+` joins: "texts"',
          code: ' a +\tb',
          result: 'None ',
          program: '\r\n# a + b\n\tprint()  \n',
        },
        { say: '#', result: 'TypeError', program: 'x' },
      ],
      hints: ['> a', '* b'],
      solutionNotes: '- [no](loop): "at all"\n\n# b',
      showsPrograms: true,
    });
    const one = await saveFile({ area: 'files', originalName: 'notes.txt', bytes: Buffer.from('one') });
    const two = await saveFile({ area: 'files', originalName: 'notes.txt', bytes: Buffer.from('two') });
    for (const { path } of [one, two, one]) await makeLesson(course.id, { type: 'document', fileUrl: path });
    const quiz = await makeLesson(course.id, { type: 'quiz', content: '', title: 'empty quiz' });
    await makeLesson(course.id, {
      type: 'quiz',
      content: '',
      title: 'drawn quiz',
      quizSettings: { passPercent: 60, attempts: 3, draw: [{ tag: 'a', count: 2, from: 'course' }] },
    });
    await makeLesson(course.id, { type: 'document', fileUrl: '/files/gone/notes.txt', content: '' });
    const first = await download(course.id);
    const files = await unzip(first);
    expect([...files.keys()].filter((path) => path.startsWith('files/'))).toEqual([
      'files/notes.txt',
      'files/notes-2.txt',
    ]);
    const { id } = await importCourse(first);
    same(files, await unzip(await download(id)));
    const rows = await lessonsOf(id);
    expect(rows[2]).toMatchObject({
      starterCode: '\ufeff# mark\r\n\tx = 1',
      expectedOutput: ' 1\n2 \n',
      content: 'Further text',
      codeLimits: { seconds: 3 },
      expectedMistakes: [
        {
          say: '- `+` joins: "texts"',
          code: ' a +\tb',
          result: 'None ',
          program: '\r\n# a + b\n\tprint()  \n',
        },
        { say: '#', result: 'TypeError', program: 'x' },
      ],
      solutionNotes: '- [no](loop): "at all"\n\n# b',
      showsPrograms: true,
      testCases: [{}, {}, {}, { expectedOutput: '"3"', strict: true }],
    });
    expect(rows[3]!.fileUrl).not.toBe(one.path);
    expect(rows[5]!.fileUrl).toBe(rows[3]!.fileUrl);
    expect(changesOf((await send(first, { courseId: course.id })).body.plan)).toEqual([]);
    expect(quiz.type).toBe('quiz');
  });

  it('keeps every kind of question and how a quiz is asked', async () => {
    const course = await makeCourse({ isActive: false, title: 'Kinds of questions' });
    const quizSettings = {
      passPercent: 80,
      attempts: 3,
      waitMinutes: 30,
      shuffleOptions: true,
      draw: [{ tag: 'bank', count: 1 }],
    };
    const lesson = await makeLesson(course.id, { type: 'quiz', title: 'All of them', quizSettings });
    const questions = [
      {
        question: 'Single',
        options: ['a', 'b'],
        correctAnswer: 1,
        feedback: ['no', ''],
        points: 2,
        tags: ['bank'],
      },
      { kind: 'several_answers', question: 'Several', options: ['a', 'b', 'c'], correctAnswers: [0, 2] },
      { kind: 'true_false', question: 'True', isTrue: true },
      { kind: 'short_text', question: 'Text', accepted: ['x', 'y'], forgiveTypos: true },
      { kind: 'number', question: 'Number', value: 3.5, tolerance: 0.1, unit: 'kg' },
      { kind: 'ordering', question: 'Order', items: ['b', 'a'] },
      {
        kind: 'matching',
        question: 'Match',
        pairs: [
          { prompt: 'a', match: '1' },
          { prompt: 'b', match: '2' },
        ],
        distractors: ['3'],
      },
      { kind: 'gaps', question: 'Gaps', text: 'A [[gap|hole]].' },
    ].map((one) => questionInput.parse(one));
    await db()
      .insert(quizQuestions)
      .values(questions.map((one, order) => ({ ...rowOfQuestion(one), lessonId: lesson.id, order })));
    const { id } = await importCourse(await download(course.id));
    const [copy] = await db().select().from(lessons).where(eq(lessons.courseId, id));
    expect(copy!.quizSettings).toEqual(quizSettings);
    const copied = await questionsOf(copy!.id, db());
    expect(copied.map(({ id: _, ...one }) => one)).toEqual(questions);
    const again = await unzip(await download(id));
    const first = await unzip(await download(course.id));
    const name = 'lessons/01-all-of-them.md';
    expect(again.get(name)!.toString()).toBe(first.get(name)!.toString());
  });
});

describe('an import into a course', () => {
  async function school() {
    const course = await makeCourse({
      isActive: false,
      title: 'School',
      description: 'A course that changes.',
    });
    const [intro, old, quiz] = [
      await makeLesson(course.id, { title: 'Introduction', section: 'One', provenRevision: 1 }),
      await makeLesson(course.id, { title: 'Old', section: 'One' }),
      await makeLesson(course.id, { title: 'Quiz', section: 'Two', type: 'quiz', content: '' }),
    ];
    const [first, second] = await db()
      .insert(quizQuestions)
      .values(
        ['First?', 'Second?'].map((question, order) => ({
          lessonId: quiz.id,
          question,
          options: ['a', 'b'],
          correctAnswer: 0,
          explanation: 'So.',
          order: order + 1,
        })),
      )
      .returning();
    const learner = await makeUser();
    await makeEnrollment(learner.id, course.id);
    await db().insert(lessonProgress).values({
      userId: learner.id,
      lessonId: old.id,
      courseId: course.id,
      completed: true,
      completedAt: new Date(),
    });
    return {
      course,
      intro,
      old,
      quiz,
      first: first!,
      second: second!,
      files: await unzip(await download(course.id)),
    };
  }

  it('shows row by row what would change, does it in one piece, and is audited', async () => {
    const { course, intro, quiz, first, second, files } = await school();
    let changed = edit(files, 'course.yaml', (yaml) =>
      yaml.replace('price: "49.00"', 'price: "59.00"').replace('      - 02-old\n', '      - added\n'),
    );
    changed = edit(changed, 'lessons/03-quiz.md', (source) => source.replace('First?', 'First of all?'));
    changed.delete('lessons/02-old.md');
    changed.set(
      'lessons/added.md',
      Buffer.from(`${changed.get('lessons/01-introduction.md')!}`.replace('Introduction', 'Added')),
    );
    const { plan, id } = await importCourse(await zipOf(changed), course.id);
    expect(id).toBe(course.id);
    expect(plan.rows).toEqual([
      { kind: 'course', title: 'School', change: 'changed', details: ['Price'] },
      { kind: 'lesson', title: 'Introduction', change: 'unchanged', details: [] },
      { kind: 'lesson', title: 'Added', change: 'new', details: [] },
      { kind: 'lesson', title: 'Quiz', change: 'changed', details: ['Questions'] },
      {
        kind: 'lesson',
        title: 'Old',
        change: 'removed',
        details: ['1 learner completed it: their results and points for it go with it'],
      },
    ]);
    const rows = await lessonsOf(course.id);
    expect(rows.map(({ title, order }) => [title, order])).toEqual([
      ['Introduction', 1],
      ['Added', 2],
      ['Quiz', 3],
    ]);
    expect(rows[0]).toMatchObject({ id: intro.id, version: 1, revision: 1, provenRevision: 1 });
    expect(rows[2]).toMatchObject({ id: quiz.id, version: 2 });
    const questions = await db()
      .select()
      .from(quizQuestions)
      .where(eq(quizQuestions.lessonId, quiz.id))
      .orderBy(asc(quizQuestions.order));
    expect(questions.map(({ question }) => question)).toEqual(['First of all?', 'Second?']);
    expect([questions[0]!.id === first.id, questions[1]!.id]).toEqual([false, second.id]);
    expect((await db().select().from(courses).where(eq(courses.id, course.id)))[0]).toMatchObject({
      priceCents: 5900,
      isActive: false,
      version: 2,
    });
    const [entry] = await db()
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.subjectType, 'course'), eq(auditLog.subjectId, String(course.id))))
      .orderBy(desc(auditLog.id));
    expect(entry).toMatchObject({
      action: 'course.imported',
      actorId: admin.id,
      details: { changes: 'the course’s own fields, 1 new lesson, 1 changed lesson, 1 removed lesson' },
    });
  });

  it('tells those who completed a changed lesson only where it is called a new version', async () => {
    const { course, old, quiz, files } = await school();
    let changed = edit(files, 'lessons/02-old.md', (source) => `${source}\nOne more sentence.\n`);
    changed = edit(changed, 'lessons/03-quiz.md', (source) => source.replace('First?', 'First of all?'));
    const bytes = await zipOf(changed);
    const { body } = await send(bytes, { courseId: course.id });
    const rows = body.plan.rows as { title: string; completed?: unknown }[];
    expect(rows.flatMap(({ title, completed }) => (completed ? [[title, completed]] : []))).toEqual([
      ['Old', { lessonId: old.id, name: '02-old', learners: 1 }],
    ]);
    const apply = (newVersions: unknown) =>
      send(bytes, { courseId: course.id, digest: body.plan.digest, newVersions });
    for (const wrong of ['x', null, [-1], ['1'], [quiz.id], [999_999]]) {
      const refused = await apply(wrong);
      expect([refused.status, Object.keys(refused.body.fields)[0]]).toEqual([
        400,
        expect.stringMatching(/^newVersions/),
      ]);
    }
    const changedAt = async () =>
      new Map((await lessonsOf(course.id)).map(({ id, changedAt }) => [id, changedAt !== null]));
    expect((await changedAt()).get(old.id)).toBe(false);
    expect((await apply([old.id])).status).toBe(200);
    const after = await changedAt();
    expect([after.get(old.id), after.get(quiz.id)]).toEqual([true, false]);

    const corrected = edit(changed, 'lessons/02-old.md', (source) => `${source}\nAnd another.\n`);
    const before = (await lessonsOf(course.id)).find(({ id }) => id === old.id)!.changedAt;
    await importCourse(await zipOf(corrected), course.id);
    expect((await lessonsOf(course.id)).find(({ id }) => id === old.id)!.changedAt).toEqual(before);
  });

  it('tells a moved lesson and a new title from new lessons', async () => {
    const { course, files, old } = await school();
    let changed = edit(files, 'course.yaml', (yaml) =>
      yaml.replace('      - 01-introduction\n      - 02-old\n', '      - 02-old\n      - 01-introduction\n'),
    );
    changed = edit(changed, 'lessons/02-old.md', (source) => source.replace('title: Old', 'title: Renamed'));
    const { plan } = await importCourse(await zipOf(changed), course.id);
    expect(changesOf(plan)).toEqual([
      ['Renamed', 'changed', 'Title', 'Place'],
      ['Introduction', 'changed', 'Place'],
    ]);
    expect((await lessonsOf(course.id))[0]).toMatchObject({ id: old.id, title: 'Renamed' });
  });

  it('does only what was shown: a colleague’s change meanwhile is a conflict, and nothing is half done', async () => {
    const { course, files, intro } = await school();
    const bytes = await zipOf(
      edit(files, 'course.yaml', (yaml) => yaml.replace('title: School', 'title: Academy')),
    );
    const looked = await send(bytes, { courseId: course.id });
    await db().update(lessons).set({ content: 'Changed by somebody else.' }).where(eq(lessons.id, intro.id));
    const refused = await send(bytes, { courseId: course.id, digest: looked.body.plan.digest });
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
    // Now it would take the colleague's change back, and says so.
    expect(changesOf(refused.body.plan)).toEqual([
      ['Academy', 'changed', 'Title'],
      ['Introduction', 'changed', 'Content'],
    ]);
    expect((await db().select().from(courses).where(eq(courses.id, course.id)))[0]!.title).toBe('School');
    expect((await send(bytes, { courseId: 2_147_483_647 })).status).toBe(404);
    for (const courseId of ['abc', 0, -1, 9_999_999_999, '7'])
      expect((await send(bytes, { courseId })).status).toBe(400);
  });

  it('keeps a file whose bytes are the same, and replaces one whose bytes are not', async () => {
    const file = await saveFile({ area: 'files', originalName: 'plan.txt', bytes: Buffer.from('Plan A') });
    const course = await makeCourse({ isActive: false });
    await makeLesson(course.id, {
      type: 'document',
      fileUrl: file.path,
      fileSize: file.size,
      mimeType: file.mimeType,
      content: '',
    });
    const files = await unzip(await download(course.id));
    const other = await importCourse(
      await zipOf(new Map(files).set('files/plan.txt', Buffer.from('Plan B'))),
      course.id,
    );
    expect(changesOf(other.plan).map(([, ...rest]) => rest)).toEqual([['changed', 'File']]);
    const [lesson] = await lessonsOf(course.id);
    const [stored] = await db().select().from(storedFiles).where(eq(storedFiles.path, lesson!.fileUrl!));
    expect(stored!.sha256).toBe(createHash('sha256').update('Plan B').digest('hex'));
    expect(lesson).toMatchObject({ fileSize: 6, mimeType: 'text/plain' });
    const renamed = edit(files, [...files.keys()].find((path) => path.startsWith('lessons/'))!, (source) =>
      source.replace(/title: .*/, 'title: Other'),
    );
    await importCourse(await zipOf(new Map(renamed).set('files/plan.txt', Buffer.from('Plan B'))), course.id);
    expect((await lessonsOf(course.id))[0]).toMatchObject({ title: 'Other', fileUrl: lesson!.fileUrl });
  });

  it('brings a scenario up to date, and learners’ runs keep theirs', async () => {
    const [demo] = await db().select().from(scenarios);
    const [lesson] = await db().select().from(lessons).where(eq(lessons.id, demo!.lessonId));
    // As a course that the store never had: what is changed in it does not wait.
    const unpublished = { isActive: false, publishedAt: null };
    await db().update(courses).set(unpublished).where(eq(courses.id, lesson!.courseId));
    const files = await unzip(await download(lesson!.courseId));
    const path = [...files.keys()].find((name) => name.startsWith('scenarios/'))!;
    const { plan } = await importCourse(
      await zipOf(edit(files, path, (yaml) => yaml.replace('timeLimit: 30', 'timeLimit: 25'))),
      lesson!.courseId,
    );
    expect(changesOf(plan)).toEqual([[lesson!.title, 'changed', 'Scenario']]);
    expect((await db().select().from(scenarios).where(eq(scenarios.id, demo!.id)))[0]).toMatchObject({
      timeLimit: 25,
      version: demo!.version + 1,
    });
    expect((await lessonsOf(lesson!.courseId)).find(({ id }) => id === lesson!.id)!.provenRevision).not.toBe(
      lesson!.revision + 1,
    );
  });
});

describe('an import into a published course', () => {
  it('waits to be published with the other changes, and is compared with these', async () => {
    const course = await makeCourse({ title: 'Published school' });
    const lesson = await makeLesson(course.id, { title: 'Read', content: 'Words of before.' });
    const files = await unzip(await download(course.id));
    const path = [...files.keys()].find((name) => name.startsWith('lessons/'))!;
    const archive = await zipOf(edit(files, path, (text) => text.replace('of before', 'of after')));
    const { plan } = await importCourse(archive, course.id);
    expect(plan.waits).toBe(true);
    expect((await lessonsOf(course.id))[0]).toMatchObject({ id: lesson.id, content: 'Words of before.' });
    expect((await findLessonFields(course.id, lesson.id))!.content.trim()).toBe('Words of after.');
    const again = await importCourse(archive, course.id);
    expect(changesOf(again.plan)).toEqual([]);
  });
});

describe('files that are no course', () => {
  const COURSE = `title: Small
description: A course of one lesson.
category: 1
level: beginner
price: "0.00"
thumbnail: /favicon.svg
lessons:
  - section: Only
    items:
      - one
`;
  const LESSON = `---
title: One
type: text
section: Only
isPreview: false
requiredToComplete: true
points: 5
---

Text.
`;
  const small = (more: Iterable<readonly [string, string | Buffer]> = []) =>
    new Map<string, Buffer | string>([['course.yaml', COURSE], ['lessons/one.md', LESSON], ...more]);
  const refused = async (files: Iterable<readonly [string, string | Buffer]>, options = {}) => {
    const before = await db().$count(courses);
    const answer = await send(await zipOf(files, options));
    expect(answer.status, answer.text).toBe(400);
    expect(await db().$count(courses)).toBe(before);
    return answer.body.faults as { file: string; line: number | null; field: string; message: string }[];
  };

  it('are refused with every mistake, its file, line and field', async () => {
    const faults = await refused(
      small([
        [
          'course.yaml',
          COURSE.replace('category: 1', 'category: 77').replace('"0.00"', '12').replace('level', 'levle'),
        ],
        [
          'lessons/one.md',
          LESSON.replace('points: 5', 'points: many').replace('requiredToComplete: true\n', ''),
        ],
      ]),
    );
    expect(faults).toEqual([
      { file: 'course.yaml', line: 1, field: 'level', message: 'must be beginner, intermediate or advanced' },
      {
        file: 'course.yaml',
        line: 5,
        field: 'price',
        message: 'must be an amount in quotes, such as "49.00"',
      },
      { file: 'course.yaml', line: 4, field: 'levle', message: 'is no key of the format' },
      {
        file: 'lessons/one.md',
        line: 2,
        field: 'requiredToComplete',
        message: 'must be true or false',
      },
      { file: 'lessons/one.md', line: 6, field: 'points', message: 'must be a whole number' },
      { file: 'course.yaml', line: 3, field: 'category', message: 'There is no such category' },
    ]);
    const second = await send(
      await zipOf(
        small([
          [
            'lessons/one.md',
            LESSON.replace('points: 5', 'points: many').replace(
              'type: text',
              'type: quiz\nquestions:\n  - question: Why?\n    options: [a, b]\n    correctAnswer: 2',
            ),
          ],
        ]),
      ),
    );
    expect(second.body.faults).toEqual([
      { file: 'lessons/one.md', line: 11, field: 'points', message: 'must be a whole number' },
      {
        file: 'lessons/one.md',
        line: 7,
        field: 'questions.0.correctAnswer',
        message: 'must be the number of an option, counted from 0',
      },
    ]);
    expect(second.body.message).toMatch(/^lessons\/one\.md, line \d+: .* \(and 1 more mistake\)$/);
    expect(await refused(small([['course.yaml', COURSE.replace('category: 1', 'category: 77')]]))).toEqual([
      { file: 'course.yaml', line: 3, field: 'category', message: 'There is no such category' },
    ]);
  });

  it.each([
    ['broken YAML', [['course.yaml', `${COURSE}  : [`]], 'course.yaml', 11],
    ['a key twice', [['course.yaml', `${COURSE}title: Again\n`]], 'course.yaml', 11],
    ['no front matter', [['lessons/one.md', 'Text.']], 'lessons/one.md', 1],
    ['another section', [['lessons/one.md', LESSON.replace('Only', 'Other')]], 'lessons/one.md', 4],
    [
      'a missing file',
      [['lessons/one.md', LESSON.replace('type: text', 'type: document\nfile: plan.pdf')]],
      'lessons/one.md',
      4,
    ],
    [
      'a file with folders',
      [['lessons/one.md', LESSON.replace('type: text', 'type: document\nfile: ../plan.pdf')]],
      'lessons/one.md',
      4,
    ],
    [
      'an address of scripts',
      [['lessons/one.md', LESSON.replace('type: text', 'type: document\nfile: "javascript:alert(1)"')]],
      'lessons/one.md',
      4,
    ],
    [
      'an address of machines',
      [['lessons/one.md', LESSON.replace('type: text', 'type: document\nfile: https://169.254.169.254/x')]],
      'lessons/one.md',
      4,
    ],
    [
      'a text as thumbnail',
      [
        ['course.yaml', COURSE.replace('/favicon.svg', 'a.txt')],
        ['a.txt', 'x'],
      ],
      'course.yaml',
      6,
    ],
    ['a lesson twice', [['course.yaml', `${COURSE}      - one\n`]], 'course.yaml', 11],
    [
      'a scenario that is none',
      [
        ['lessons/one.md', LESSON.replace('type: text', 'type: scenario\nscenario: s.yaml')],
        [
          'scenarios/s.yaml',
          'title: S\ndescription: D\ntype: debugging\ntimeLimit: 5\nstate: {}\ngoals:\n  - id: 5\n',
        ],
      ],
      'scenarios/s.yaml',
      7,
    ],
    [
      'aliases without end',
      [
        [
          'course.yaml',
          `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n`,
        ],
      ],
      'course.yaml',
      null,
    ],
    ['lists in lists', [['course.yaml', `a: ${'['.repeat(20_000)}`]], 'course.yaml', null],
    ['no UTF-8', [['lessons/one.md', Buffer.from([0x2d, 0xff, 0xfe])]], 'lessons/one.md', null],
    [
      'a text that is too large',
      [['lessons/one.md', 'word '.repeat(300_000).replace(/o/g, () => String(Math.random()))]],
      'lessons/one.md',
      null,
    ],
    [
      'a picture that is none',
      [
        ['course.yaml', COURSE.replace('/favicon.svg', 't.png')],
        ['t.png', 'GIF89a'],
      ],
      't.png',
      null,
    ],
    ['a second course', [['other/course.yaml', COURSE]], 'other/course.yaml', null],
  ] as [string, [string, string | Buffer][], string, number | null][])(
    'are refused for %s',
    async (_name, more, file, line) => {
      const [fault] = await refused(small(more));
      expect([fault!.file, line === null ? null : fault!.line, fault!.message.length > 0]).toEqual([
        file,
        line,
        true,
      ]);
    },
  );

  it('are refused without a course, and as something that is no archive', async () => {
    expect(await refused([['readme.txt', 'x']])).toMatchObject([
      { file: 'course.yaml', message: 'is missing' },
    ]);
    for (const bytes of [Buffer.from('PK'), Buffer.from('<html>'), Buffer.alloc(100_000)]) {
      const answer = await send(bytes);
      expect([answer.status, answer.body.faults[0].message]).toEqual([
        400,
        'is no zip file, or is cut off or broken',
      ]);
    }
    const whole = await zipOf(small());
    expect((await send(whole.subarray(0, whole.length - 30))).status).toBe(400);
    expect((await readArchive(as, undefined)).body.fields).toEqual({ upload: 'Choose a file' });
  });

  it.each([
    // Each of these keeps the reader of YAML busy for a minute or longer, unless it is looked at first.
    ['mappings as keys', `${COURSE}${'? '.repeat(400)}a\n`, 'Keys must be plain text'],
    [
      'keys without end',
      `${COURSE}${Array.from({ length: 90_000 }, (_, index) => `k${index}: 1`).join('\n')}`,
      'is too long',
    ],
    ['mistakes without end', `${COURSE}x: "${'\\x'.repeat(40_000)}"`, /^Invalid escape sequence/],
  ])('are refused at once: %s', async (_, source, message) => {
    const [fault] = await refused(small([['course.yaml', source]]));
    expect(fault).toMatchObject({
      file: 'course.yaml',
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
  });

  it('are looked at once for however many mistakes of a scenario', async () => {
    const words = `  - [${'1, '.repeat(29)}1]\n`.repeat(100);
    const scenario = `title: S\ndescription: D\ntype: debugging\ntimeLimit: 5\nstate: {a: 1}\ngoals: []\nsynonyms:\n${words}`;
    const faults = await refused(
      small([
        ['lessons/one.md', LESSON.replace('type: text', 'type: scenario\nscenario: s.yaml')],
        ['scenarios/s.yaml', scenario],
      ]),
    );
    expect(faults[0]).toMatchObject({ file: 'scenarios/s.yaml' });
    expect(faults.length).toBe(100);
  });

  it('may not hold more text than a course has', async () => {
    const texts = Array.from(
      { length: 33 },
      (_, index) => [`lessons/more-${index}.md`, randomBytes(524_288).toString('hex')] as const,
    );
    expect(await refused(small(texts))).toMatchObject([
      { file: 'the archive', message: 'has more than 32 MB of texts' },
    ]);
  });

  it('may lie in folders, with what systems leave behind; other things are ignored and named', async () => {
    const inFolder = [
      ...small([
        ['source/plan.txt', 'x'],
        ['notes.txt', 'y'],
        ['files/unused.pdf', 'z'],
      ]),
    ].map(([path, content]) => [`all/small/${path}`, content] as const);
    const answer = await send(
      await zipOf([
        ...inFolder,
        ['__MACOSX/small/._course.yaml', 'x'],
        ['all/small/.DS_Store', 'x'],
        ['beside.txt', 'x'],
      ]),
    );
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.plan.ignored.sort()).toEqual([
      'beside.txt',
      'files/unused.pdf',
      'notes.txt',
      'source/plan.txt',
    ]);
  });

  /** Writes names that honest tools do not: the same length as the placeholder that the archive was made with. */
  const withName = async (name: string, options: { mode?: number } = {}) => {
    const placeholder = 'x'.repeat(Buffer.byteLength(name));
    const bytes = await zipOf(small([[placeholder, 'evil']]), options);
    let text = bytes.toString('latin1');
    text = text.replaceAll(placeholder, Buffer.from(name).toString('latin1'));
    return Buffer.from(text, 'latin1');
  };

  it.each([
    '../../etc/passwd',
    'lessons/../../one.md',
    '/etc/passwd',
    'C:/windows/system.ini',
    '..\\..\\boot.ini',
    '\\etc\\passwd',
    'files/a\0b.pdf',
    'files/\u202egpj.exe',
  ])('are refused with the name %j', async (name) => {
    const answer = await send(await withName(name));
    expect([answer.status, answer.body.faults?.[0].message]).toEqual([
      400,
      expect.stringMatching(/leads out of its folder|characters that names do not have/),
    ]);
  });

  it('may have the separators of Windows in their names', async () => {
    const { body } = await send(await withName('files\\unused.pdf'));
    expect(body.plan.ignored).toEqual(['files/unused.pdf']);
  });

  it('are refused with links, devices and names that differ in capitals alone', async () => {
    const [link] = await refused(small(), { mode: 0o120_777 });
    expect(link!.message).toBe('is a link to another file, which is not taken');
    expect((await refused(small(), { mode: 0o020_666 }))[0]!.message).toBe('is no plain file');
    expect(
      (
        await refused(
          small([
            ['Lessons/One.md', 'x'],
            ['lessons/ONE.md', LESSON],
          ]),
        )
      )[0],
    ).toMatchObject({ message: 'is there twice' });
  });

  it('are refused as bombs: by ratio, by sum, by number, and where the archive lies about sizes', async () => {
    expect((await refused(small([['files/zeros.bin', Buffer.alloc(5_000_000)]])))[0]).toMatchObject({
      file: 'files/zeros.bin',
      message: `grows to more than ${ZIP_LIMITS.ratio} times its packed size, as only bombs do`,
    });
    const many = Array.from(
      { length: ZIP_LIMITS.entries },
      (_, index) => [`files/${index}.txt`, 'x'] as const,
    );
    expect((await refused(small(many)))[0]!.message).toBe(`has more than ${ZIP_LIMITS.entries} files`);

    // Headers that claim a petabyte, or a byte: sizes are checked before and while unpacking.
    const bytes = await zipOf(small([['files/zeros.bin', Buffer.alloc(200_000)]]));
    const claim = (size: number) => {
      const copy = Buffer.from(bytes);
      for (
        let at = copy.indexOf('PK\x01\x02', 0, 'latin1');
        at !== -1;
        at = copy.indexOf('PK\x01\x02', at + 4, 'latin1')
      ) {
        if (copy.subarray(at + 46, at + 61).toString() === 'files/zeros.bin')
          copy.writeUInt32LE(size, at + 24);
      }
      return copy;
    };
    setEnvironment({ COURSE_MAX_MB: '400' });
    const large = await send(claim(400 * 1_048_576 + 1)).finally(() =>
      setEnvironment({ COURSE_MAX_MB: undefined }),
    );
    expect([large.status, large.body.faults[0].message]).toEqual([400, 'holds more than 400 MB']);
    const little = await send(claim(10));
    expect([little.status, little.body.faults[0]]).toEqual([
      400,
      { file: 'files/zeros.bin', line: null, field: '', message: 'is broken' },
    ]);
  });
});
