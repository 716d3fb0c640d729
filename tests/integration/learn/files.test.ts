import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer as httpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import S3rver from 's3rver';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { localFileStore, s3FileStore, storedFileLocation } from '#db/file-store.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { assignments, enrollments, lessonProgress, pointsLedger } from '#db/schema/learn.ts';
import { mailOutbox, storedFiles } from '#db/schema/machinery.ts';
import { gradeAssignment, listUngraded } from '#src/features/learn/assignments/assignments.server.ts';
import * as gradeRoute from '#src/pages/api/admin/assignments/[id]/grade.ts';
import * as adminFilesRoute from '#src/pages/api/admin/files.ts';
import * as completeRoute from '#src/pages/api/courses/[id]/content/[lessonId]/complete.ts';
import * as submitFileRoute from '#src/pages/api/lessons/[id]/assignment/files.ts';
import * as assignmentRoute from '#src/pages/api/lessons/[id]/assignment.ts';
import * as filesRoute from '#src/pages/files/[...path].ts';
import * as mediaRoute from '#src/pages/media/[...path].ts';
import type { AssignmentSettings } from '#src/features/lessons/types/assignment/settings.ts';
import { env, setEnvironment } from '#src/server/start/env.ts';
import { forgetBytes } from '#src/server/files/files.ts';
import { type CallOptions, callRoute, signIn } from '../../support/api.ts';
import { freePort } from '../../support/site.ts';

const MB = 1_048_576;
const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n');

function form(name: string, bytes: Uint8Array, field = 'file'): FormData {
  const data = new FormData();
  data.append(field, new Blob([bytes as BlobPart]), name);
  return data;
}

const handIn = (lessonId: unknown, body: unknown, options: CallOptions = {}) =>
  callRoute(submitFileRoute.POST, { method: 'POST', params: { id: String(lessonId) }, body, ...options });
const handInText = (lessonId: unknown, body: unknown, options: CallOptions = {}) =>
  callRoute(assignmentRoute.POST, { method: 'POST', params: { id: String(lessonId) }, body, ...options });
const getAssignment = (lessonId: unknown, options: CallOptions = {}) =>
  callRoute(assignmentRoute.GET, { params: { id: String(lessonId) }, ...options });
const download = (path: string, options: CallOptions = {}) =>
  callRoute(filesRoute.GET, {
    path,
    params: { path: path.replace('/files/', '').split('?')[0]! },
    ...options,
  });
const uploadByAdmin = (body: unknown, options: CallOptions = {}) =>
  callRoute(adminFilesRoute.POST, { method: 'POST', body, ...options });

async function assignment(assignmentSettings: AssignmentSettings = {}) {
  const user = await makeUser({ emailVerifiedAt: new Date() });
  const course = await makeCourse();
  const lesson = await makeLesson(course.id, { type: 'assignment', points: 10, assignmentSettings });
  await makeEnrollment(user.id, course.id);
  return { user, course, lesson, as: await signIn(user) };
}

async function admin() {
  const user = await makeAdmin();
  return { user, as: await signIn(user), actor: { id: user.id, name: user.username } };
}

/** Asks for a public picture that has these bytes. */
async function showPicture(sha256: string) {
  const name = `${sha256.slice(0, 20)}/cover.png`;
  await db()
    .insert(storedFiles)
    .values({
      path: `/media/${name}`,
      sha256,
      size: 5,
      mimeType: 'image/png',
      originalName: 'cover.png',
    });
  const answer = await callRoute(mediaRoute.GET, { path: `/media/${name}`, params: { path: name } });
  // Its bytes are another file's, which may be forgotten.
  await db()
    .delete(storedFiles)
    .where(eq(storedFiles.path, `/media/${name}`));
  return answer;
}

/** Does what the background does with the bytes of a file that is gone, for those that were queued. */
async function runForgetting(sha256: string): Promise<void> {
  const jobs = await db().execute<{ data: { sha256: string } }>(
    sql`delete from pgboss.job where name = ${forgetBytes.name} and data->>'sha256' = ${sha256} returning data`,
  );
  expect(jobs.length).toBeGreaterThan(0);
  for (const { data } of jobs) await forgetBytes.run(data, { isLast: false });
}

/** Nothing that was received is left lying about, whatever came of it. */
afterEach(async () => {
  const folder = join(env().dataDir, 'uploads');
  expect(existsSync(folder) ? await readdir(folder) : []).toEqual([]);
});

describe('an assignment (decision 37)', () => {
  it('takes a text, and another until it is graded', async () => {
    const { lesson, as } = await assignment();
    expect((await getAssignment(lesson.id, { as })).body).toBeNull();
    const first = await handInText(lesson.id, { submission: '  My  report\n' }, { as });
    expect([first.status, first.body]).toEqual([
      200,
      {
        lessonId: lesson.id,
        submission: '  My  report\n',
        file: null,
        submittedAt: expect.any(String),
        dueAt: null,
        late: false,
        grade: null,
        feedback: '',
        feedbackHtml: '',
        marks: null,
        gradedAt: null,
        again: false,
        completion: expect.objectContaining({ lessonId: lesson.id, pointsAwarded: 10, progress: 100 }),
      },
    ]);
    const second = await handInText(lesson.id, { submission: 'Better' }, { as });
    expect(second.body.completion).toMatchObject({ pointsAwarded: 0, progress: 100 });
    expect((await getAssignment(lesson.id, { as })).body.submission).toBe('Better');
  });

  it('is complete only once something was handed in', async () => {
    const { course, lesson, as } = await assignment();
    const complete = () =>
      callRoute(completeRoute.POST, {
        method: 'POST',
        params: { id: String(course.id), lessonId: String(lesson.id) },
        as,
      });
    const early = await complete();
    expect([early.status, early.body.message]).toEqual([409, 'Hand in your work to complete this lesson.']);
    await handInText(lesson.id, { submission: 'My report' }, { as });
    expect((await complete()).status).toBe(200);
  });

  it('is complete by a grade where its author asks for one (decision 59)', async () => {
    const [{ user, course, lesson, as }, grader] = [await assignment({ completeFrom: 60 }), await admin()];
    const progressOf = async () =>
      (await db().select().from(lessonProgress).where(eq(lessonProgress.userId, user.id)))[0];
    const pointsOf = () => db().$count(pointsLedger, eq(pointsLedger.userId, user.id));
    const grade = async (value: number) => {
      const [row] = await db().select().from(assignments).where(eq(assignments.userId, user.id));
      const submittedAt = row!.submittedAt.toISOString();
      return gradeAssignment(grader.actor, row!.id, {
        grade: value,
        feedback: '**More** of it',
        submittedAt,
      });
    };
    const complete = () =>
      callRoute(completeRoute.POST, {
        method: 'POST',
        params: { id: String(course.id), lessonId: String(lesson.id) },
        as,
      });

    const first = await handInText(lesson.id, { submission: 'First' }, { as });
    expect([first.status, first.body.completion]).toEqual([200, null]);
    const marked = await complete();
    expect([marked.status, marked.body.message]).toEqual([
      409,
      'A grade of at least 60 completes this lesson.',
    ]);
    expect(await grade(59)).toMatchObject({
      grade: 59,
      feedbackHtml: '<p><strong>More</strong> of it</p>\n',
    });
    expect(await progressOf()).toMatchObject({ completed: false, score: 59 });

    // Below it the work may be done again, with the feedback beside it.
    const again = await handInText(lesson.id, { submission: 'Again' }, { as });
    expect(again.body).toMatchObject({ grade: null, gradedAt: null, feedback: '**More** of it' });
    await grade(60);
    expect(await progressOf()).toMatchObject({ completed: true, score: 60 });
    expect(await pointsOf()).toBe(1);
    expect((await handInText(lesson.id, { submission: 'Late' }, { as })).status).toBe(409);
    const mails = await db().select().from(mailOutbox).where(eq(mailOutbox.recipient, user.email));
    expect(mails.map(({ text }) => /completes the lesson|you can hand in again/.exec(text)?.[0])).toEqual(
      expect.arrayContaining(['completes the lesson', 'you can hand in again']),
    );
    // Another grade needs a reason (decision 129): it is given in the gradebook.
    await expect(grade(10)).rejects.toMatchObject({ code: 'conflict' });
    expect(await progressOf()).toMatchObject({ completed: true });
    expect(await pointsOf()).toBe(1);
  });

  it('gives no points to whose access has ended, though it is graded', async () => {
    const [{ user, course, lesson, as }, grader] = [await assignment({ completeFrom: 1 }), await admin()];
    await handInText(lesson.id, { submission: 'First' }, { as });
    await db().update(enrollments).set({ status: 'revoked' }).where(eq(enrollments.courseId, course.id));
    const [row] = await db().select().from(assignments).where(eq(assignments.userId, user.id));
    const submittedAt = row!.submittedAt.toISOString();
    await gradeAssignment(grader.actor, row!.id, { grade: 100, feedback: '', submittedAt });
    expect(await db().$count(pointsLedger, eq(pointsLedger.userId, user.id))).toBe(0);
  });

  it('is graded by its rubric, and keeps the one it was graded by', async () => {
    const rubric = [
      { name: 'Findings', points: 40 },
      { name: 'Report', description: 'Clear', points: 20 },
    ];
    const [{ user, lesson, as }, grader] = [await assignment({ rubric }), await admin()];
    await handInText(lesson.id, { submission: 'First' }, { as });
    const [row] = await db().select().from(assignments).where(eq(assignments.userId, user.id));
    const grade = (given: { points?: number[]; grade?: number }) =>
      callRoute(gradeRoute.POST, {
        method: 'POST',
        params: { id: String(row!.id) },
        body: { ...given, feedback: '', submittedAt: row!.submittedAt.toISOString() },
        as: grader.as,
      });
    for (const [given, fields] of [
      [{ grade: 80 }, { points: 'The rubric has changed. Reload the page and grade by the new one.' }],
      [{ points: [40] }, { points: 'The rubric has changed. Reload the page and grade by the new one.' }],
      [{ points: [41, 20] }, { 'points.0': '“Findings” has at most 40 points' }],
      [{ points: [-1, 20] }, { 'points.0': 'Points must be at least 0' }],
      [{ points: [1.5, 20] }, { 'points.0': 'Points must be a whole number' }],
      [
        { points: ['a', null] },
        { 'points.0': 'Points must be a whole number', 'points.1': 'Points must be a whole number' },
      ],
    ] as const) {
      const answer = await grade(given as never);
      expect([answer.status, answer.body.fields]).toEqual([400, fields]);
    }
    const graded = await grade({ points: [30, 15] });
    expect([graded.status, graded.body]).toMatchObject([
      200,
      {
        grade: 75,
        marks: [
          { name: 'Findings', points: 30, of: 40 },
          { name: 'Report', points: 15, of: 20 },
        ],
      },
    ]);
    await db().update(lessons).set({ assignmentSettings: {} }).where(eq(lessons.id, lesson.id));
    expect((await getAssignment(lesson.id, { as })).body.marks).toHaveLength(2);
    const missing = await grade({});
    expect([missing.status, missing.body.fields]).toEqual([400, { grade: 'Grade is required' }]);
  });

  it('takes a file that only its author and administrators can read (I5, I9)', async () => {
    const { course, lesson, as } = await assignment();
    const { status, body } = await handIn(lesson.id, form('../../My Report.PDF', PDF), { as });
    expect([status, body.file]).toEqual([
      200,
      {
        url: expect.stringMatching(/^\/files\/[\w-]{16}\/my-report\.pdf$/),
        name: 'My Report.PDF',
        size: PDF.length,
      },
    ]);
    const mine = await download(body.file.url, { withCookie: as });
    expect([mine.status, mine.text]).toEqual([200, PDF.toString()]);
    expect((await download(body.file.url)).status).toBe(404);
    const classmate = await makeUser();
    await makeEnrollment(classmate.id, course.id);
    expect((await download(body.file.url, { withCookie: await signIn(classmate) })).status).toBe(404);
    expect((await download(body.file.url, { withCookie: (await admin()).as })).status).toBe(200);
    expect((await getAssignment(lesson.id, { as: await signIn(classmate) })).body).toBeNull();
  });

  it('forgets a file that was replaced, unless somebody else handed in the same', async () => {
    const [one, two] = [await assignment(), await assignment()];
    const same = Buffer.concat([PDF, randomBytes(8)]);
    const [a, b] = [
      await handIn(one.lesson.id, form('a.pdf', same), { as: one.as }),
      await handIn(two.lesson.id, form('b.pdf', same), { as: two.as }),
    ];
    const [row] = await db().select().from(storedFiles).where(eq(storedFiles.path, a.body.file.url));
    await handInText(one.lesson.id, { submission: 'Text instead' }, { as: one.as });
    expect((await download(a.body.file.url, { withCookie: one.as })).status).toBe(404);
    await runForgetting(row!.sha256);
    expect((await download(b.body.file.url, { withCookie: two.as })).status).toBe(200);
    await handIn(two.lesson.id, form('c.pdf', PDF), { as: two.as });
    await runForgetting(row!.sha256);
    expect(existsSync(storedFileLocation(env().dataDir, row!.sha256))).toBe(false);
  });

  it('keeps one of 20 files handed in at once, and loses none of its bytes', async () => {
    const { user, lesson, as } = await assignment();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        handIn(lesson.id, form(`v${index}.pdf`, Buffer.concat([PDF, Buffer.from(String(index % 3))])), {
          as,
        }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { body } = await getAssignment(lesson.id, { as });
    expect((await download(body.file.url, { withCookie: as })).status).toBe(200);
    expect(await db().select().from(assignments).where(eq(assignments.userId, user.id))).toHaveLength(1);
    const kept = await db()
      .select()
      .from(storedFiles)
      .where(sql`${storedFiles.originalName} ~ '^v[0-9]+.pdf$'`);
    expect(kept.map(({ path }) => path)).toEqual([body.file.url]);
  });

  it('refuses what is too much, too little or of the wrong kind, saying so (U1)', async () => {
    const { user, lesson, as } = await assignment();
    for (const [submission, status] of [
      ['x'.repeat(20_000), 200],
      ['x'.repeat(20_001), 400],
      ['', 400],
      [' \n ', 400],
      ['a\0b', 400],
      [5, 400],
      [undefined, 400],
    ] as const) {
      expect((await handInText(lesson.id, { submission }, { as })).status).toBe(status);
    }
    for (const [name, bytes, status, message] of [
      ['page.html', Buffer.from('<script>alert(1)</script>'), 415, /^This kind of file is not taken/],
      ['drawing.svg', Buffer.from('<svg onload="alert(1)"/>'), 415, /^This kind of file is not taken/],
      ['program.exe', Buffer.from('MZ'), 415, /^This kind of file is not taken/],
      ['noextension', PDF, 415, /^This kind of file is not taken/],
      ['fake.pdf', Buffer.from('<html><script>alert(1)</script>'), 415, /not what its name says: \.pdf/],
      ['fake.png', PDF, 415, /not what its name says: \.png/],
      ['fake.txt', Buffer.from('MZ\0\0'), 415, /not what its name says: \.txt/],
      ['latin.txt', Buffer.from('Grüße', 'latin1'), 415, /says: \.txt in UTF-8$/],
      ['fake.zip', Buffer.from('no zip'), 415, /not what its name says: \.zip/],
      ['empty.pdf', Buffer.alloc(0), 400, /^The file is empty$/],
      [
        'huge.pdf',
        Buffer.concat([PDF, Buffer.alloc(20 * MB)]),
        413,
        /^The file must not be larger than 20 MB\.$/,
      ],
    ] as const) {
      const answer = await handIn(lesson.id, form(name, bytes), { as });
      expect([name, answer.status, answer.body.message]).toEqual([
        name,
        status,
        expect.stringMatching(message),
      ]);
      expect(answer.body.fields.file).toBe(answer.body.message);
    }
    const most = Buffer.concat([PDF, Buffer.alloc(20 * MB - PDF.length)]);
    expect((await handIn(lesson.id, form('most.pdf', most), { as })).status).toBe(200);
    const before = (await getAssignment(lesson.id, { as })).body;
    for (const body of [new FormData(), form('a.pdf', PDF, 'other')]) {
      const answer = await handIn(lesson.id, body, { as });
      expect([answer.status, answer.body.message]).toEqual([400, 'Choose a file']);
    }
    expect((await handIn(lesson.id, { file: 'x' }, { as })).status).toBe(415);
    expect((await getAssignment(lesson.id, { as })).body).toEqual(before);
    expect(await db().select().from(assignments).where(eq(assignments.userId, user.id))).toHaveLength(1);
  });

  it('survives a form that breaks off, has no end, or holds a name made to harm', async () => {
    const { lesson, as } = await assignment();
    const type = { 'content-type': 'multipart/form-data; boundary=b' };
    const part = (name: string) =>
      `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/html\r\n\r\n%PDF-1.7 x`;
    for (const body of [part('a.pdf'), '--b\r\n', 'nothing of a form', '']) {
      const answer = await handIn(lesson.id, body, { as, headers: type });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
    }
    const noBoundary = { 'content-type': 'multipart/form-data' };
    expect((await handIn(lesson.id, part('a.pdf'), { as, headers: noBoundary })).status).toBe(415);
    for (const [name, kept] of [
      ['..\\..\\boot.pdf', 'boot.pdf'],
      ['/etc/passwd.pdf', 'passwd.pdf'],
      ['a\u202efdp.pdf', 'afdp.pdf'],
      [`${'n'.repeat(400)}.pdf`, `${'n'.repeat(196)}.pdf`],
    ] as const) {
      const answer = await handIn(lesson.id, form(name, PDF), { as });
      expect([answer.status, answer.body.file?.name]).toEqual([200, kept]);
      expect(answer.body.file.url).toMatch(/^\/files\/[\w-]{16}\/[a-z0-9-]+\.pdf$/);
    }
  });

  it('is no lesson’s unless it says so, and no stranger’s', async () => {
    const { course, lesson, as } = await assignment();
    const other = await assignment();
    const plain = await makeLesson(course.id);
    const video = await makeLesson(course.id, { type: 'video' });
    for (const id of [plain.id, video.id, other.lesson.id, 2_000_000_000, 'abc']) {
      expect((await getAssignment(id, { as })).status).toBe(404);
      expect((await handInText(id, { submission: 'x' }, { as })).status).toBe(404);
      expect((await handIn(id, form('a.pdf', PDF), { as })).status).toBe(404);
    }
    expect((await handInText(lesson.id, { submission: 'x' })).status).toBe(401);
    expect((await handIn(lesson.id, form('a.pdf', PDF))).status).toBe(401);
    const foreign = { withCookie: as, headers: { origin: 'https://evil.test' } };
    expect((await handIn(lesson.id, form('a.pdf', PDF), foreign)).status).toBe(403);
    await db().update(enrollments).set({ status: 'suspended' }).where(eq(enrollments.courseId, course.id));
    expect((await handInText(lesson.id, { submission: 'x' }, { as })).status).toBe(404);
  });
});

describe('grading', () => {
  it('lists what waits, the oldest first, and tells the learner', async () => {
    const [one, two, grader] = [await assignment(), await assignment(), await admin()];
    await handInText(one.lesson.id, { submission: 'First' }, { as: one.as });
    await handIn(two.lesson.id, form('second.pdf', PDF), { as: two.as });
    await db()
      .update(assignments)
      .set({ submittedAt: new Date('2020-01-01') })
      .where(eq(assignments.userId, two.user.id));
    const waiting = await listUngraded({ page: 1, pageSize: 100 });
    const mine = waiting.rows.filter(({ learner }) => [one.user.id, two.user.id].includes(learner.id));
    expect(mine.map(({ learner }) => learner.id)).toEqual([two.user.id, one.user.id]);
    expect(mine[0]).toMatchObject({
      learner: { email: two.user.email },
      lessonTitle: two.lesson.title,
      course: { id: two.course.id },
      file: { name: 'second.pdf' },
    });
    expect(waiting.total).toBeGreaterThanOrEqual(2);

    const graded = await gradeAssignment(grader.actor, mine[1]!.id, {
      grade: 85,
      feedback: 'Clear and complete.',
      submittedAt: mine[1]!.submittedAt,
    });
    expect(graded).toMatchObject({
      grade: 85,
      feedback: 'Clear and complete.',
      gradedAt: expect.any(String),
    });
    expect((await getAssignment(one.lesson.id, { as: one.as })).body).toMatchObject({
      grade: 85,
      submission: 'First',
    });
    const [progress] = await db().select().from(lessonProgress).where(eq(lessonProgress.userId, one.user.id));
    expect(progress).toMatchObject({ score: 85, completed: true });
    const mails = await db().select().from(mailOutbox).where(eq(mailOutbox.recipient, one.user.email));
    expect(mails).toMatchObject([{ template: 'assignment-graded' }]);
    expect(mails[0]!.text).toContain(`/learn/${one.course.id}?lesson=${one.lesson.id}`);
    const after = await listUngraded({ page: 1, pageSize: 100 });
    expect(after.rows.map(({ learner }) => learner.id)).not.toContain(one.user.id);
    expect(after.total).toBe(waiting.total - 1);

    for (const answer of [
      await handInText(one.lesson.id, { submission: 'Too late' }, { as: one.as }),
      await handIn(one.lesson.id, form('late.pdf', PDF), { as: one.as }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
    }
    expect((await getAssignment(one.lesson.id, { as: one.as })).body.submission).toBe('First');
  });

  it('does not grade unseen what was handed in meanwhile, nor what is not there', async () => {
    const [{ user, lesson, as }, grader] = [await assignment(), await admin()];
    await handInText(lesson.id, { submission: 'First' }, { as });
    const [row] = await db().select().from(assignments).where(eq(assignments.userId, user.id));
    await handInText(lesson.id, { submission: 'Second' }, { as });
    const grade = { grade: 10, feedback: '', submittedAt: row!.submittedAt.toISOString() };
    await expect(gradeAssignment(grader.actor, row!.id, grade)).rejects.toMatchObject({ code: 'conflict' });
    await expect(gradeAssignment(grader.actor, 2_000_000_000, grade)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('lets either the grade or a new submission come first, never both', async () => {
    const [{ user, lesson, as }, grader] = [await assignment(), await admin()];
    await handInText(lesson.id, { submission: 'First' }, { as });
    const [row] = await db().select().from(assignments).where(eq(assignments.userId, user.id));
    const [graded, replaced] = await Promise.all([
      gradeAssignment(grader.actor, row!.id, {
        grade: 50,
        feedback: '',
        submittedAt: row!.submittedAt.toISOString(),
      }).then(
        () => true,
        () => false,
      ),
      handInText(lesson.id, { submission: 'Second' }, { as }),
    ]);
    expect(graded).not.toBe(replaced.status === 200);
  });
});

describe('POST /api/admin/files', () => {
  it('keeps a file for a lesson, for administrators alone (I7)', async () => {
    const { as } = await admin();
    const { status, body } = await uploadByAdmin(form('Slides.pdf', PDF), { as });
    expect([status, body]).toEqual([
      201,
      {
        fileUrl: expect.stringMatching(/^\/files\/[\w-]{16}\/slides\.pdf$/),
        name: 'Slides.pdf',
        fileSize: PDF.length,
        mimeType: 'application/pdf',
      },
    ]);
    const learner = await makeUser();
    const learnerAs = await signIn(learner);
    expect((await download(body.fileUrl, { withCookie: learnerAs })).status).toBe(404);
    const course = await makeCourse();
    await makeLesson(course.id, { type: 'document', fileUrl: body.fileUrl });
    await makeEnrollment(learner.id, course.id);
    expect((await download(body.fileUrl, { withCookie: learnerAs })).status).toBe(200);
    expect((await uploadByAdmin(form('a.pdf', PDF))).status).toBe(401);
    expect((await uploadByAdmin(form('a.pdf', PDF), { as: learnerAs })).status).toBe(403);
  });

  it('keeps what could run, to be saved only (U1)', async () => {
    const { as } = await admin();
    const { body } = await uploadByAdmin(form('demo.html', Buffer.from('<script>alert(1)</script>')), { as });
    const answer = await download(body.fileUrl, { withCookie: as });
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await uploadByAdmin(form('a.mp4', Buffer.from('no video')), { as })).status).toBe(415);
    expect((await uploadByAdmin(form('a.pdf', Buffer.alloc(24 * MB + 1)), { as })).status).toBe(413);
  });
});

describe('an S3-compatible store', () => {
  let folder: string;
  let server: S3rver;
  let endpoint: string;
  const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'academy-s3-'));
    server = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: folder,
      configureBuckets: [{ name: 'academy', configs: [] }],
    });
    const { port } = await server.run();
    endpoint = `http://127.0.0.1:${port}`;
  });
  afterAll(async () => {
    setEnvironment({
      S3_BUCKET: undefined,
      S3_ENDPOINT: undefined,
      S3_ACCESS_KEY_ID: undefined,
      S3_SECRET_ACCESS_KEY: undefined,
    });
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('does what the folder does', async () => {
    const local = await mkdtemp(join(tmpdir(), 'academy-local-'));
    const file = join(env().dataDir, 'source.bin');
    const { writeFile } = await import('node:fs/promises');
    const bytes = randomBytes(300_000);
    const digest = createHash('sha256').update(bytes).digest('hex');
    await writeFile(file, bytes);
    const s3 = s3FileStore({ endpoint, region: 'us-east-1', bucket: 'academy', ...credentials });
    for (const store of [localFileStore(local), s3]) {
      expect(await store.size(digest)).toBeNull();
      await store.put(digest, { file }, bytes.length);
      await store.put(digest, bytes, bytes.length);
      expect(await store.size(digest)).toBe(bytes.length);
      const part = await (await store.read(digest, { start: 100, end: 199 })).toArray();
      expect(Buffer.concat(part as Buffer[])).toEqual(bytes.subarray(100, 200));
      await store.remove(digest);
      await store.remove(digest);
      expect(await store.size(digest)).toBeNull();
      await expect(store.read(digest, { start: 0, end: 1 })).rejects.toThrow();
      await expect(store.size('../../etc/passwd')).rejects.toThrow('Not the digest of a file.');
    }
    await rm(local, { recursive: true, force: true });
    await rm(file);
  });

  it('keeps the site’s files when it is configured: upload, ranges, replacement', async () => {
    setEnvironment({
      S3_BUCKET: 'academy',
      S3_ENDPOINT: endpoint,
      S3_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    });
    const { lesson, as } = await assignment();
    const bytes = Buffer.concat([PDF, randomBytes(2 * MB)]);
    const { status, body } = await handIn(lesson.id, form('big.pdf', bytes), { as });
    expect(status).toBe(200);
    const [row] = await db().select().from(storedFiles).where(eq(storedFiles.path, body.file.url));
    expect(existsSync(storedFileLocation(env().dataDir, row!.sha256))).toBe(false);
    const part = await download(body.file.url, { withCookie: as, headers: { range: 'bytes=0-7' } });
    expect([part.status, part.text, part.headers.get('content-range')]).toEqual([
      206,
      '%PDF-1.7',
      `bytes 0-7/${bytes.length}`,
    ]);
    const head = await download(body.file.url, { method: 'HEAD', withCookie: as });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
    expect(
      (await download(body.file.url, { withCookie: as, headers: { range: `bytes=${bytes.length}-` } }))
        .status,
    ).toBe(416);
    await handInText(lesson.id, { submission: 'Text instead' }, { as });
    await runForgetting(row!.sha256);
    const store = s3FileStore({ endpoint, region: 'us-east-1', bucket: 'academy', ...credentials });
    expect(await store.size(row!.sha256)).toBeNull();
  });

  it('out of reach, it is 503 with a word to the person, and what was to be forgotten is so later', async () => {
    const settings = { endpoint, region: 'us-east-1', bucket: 'academy', ...credentials };
    setEnvironment({
      S3_BUCKET: 'academy',
      S3_ENDPOINT: endpoint,
      S3_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    });
    const { lesson, as } = await assignment();
    const { body } = await handIn(lesson.id, form('own.pdf', Buffer.concat([PDF, randomBytes(99)])), { as });
    const [row] = await db().select().from(storedFiles).where(eq(storedFiles.path, body.file.url));

    setEnvironment({ S3_ENDPOINT: `http://127.0.0.1:${await freePort()}` });
    const answer = await download(body.file.url, { withCookie: as });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    const picture = await showPicture(row!.sha256);
    expect([picture.status, picture.headers.get('cache-control')]).toEqual([404, 'no-store']);
    const refused = await handIn(lesson.id, form('next.pdf', Buffer.concat([PDF, randomBytes(9)])), { as });
    expect([refused.status, refused.body.message]).toEqual([
      503,
      'Files cannot be reached at the moment. Please try again in a moment.',
    ]);
    expect((await handInText(lesson.id, { submission: 'Text instead' }, { as })).status).toBe(200);

    const store = s3FileStore(settings);
    expect(await store.size(row!.sha256)).toBe(row!.size);
    setEnvironment({ S3_ENDPOINT: endpoint });
    await runForgetting(row!.sha256);
    expect(await store.size(row!.sha256)).toBeNull();
  });

  it('that has lost a file gives 404 for a picture and 503 for a document', async () => {
    setEnvironment({
      S3_BUCKET: 'academy',
      S3_ENDPOINT: endpoint,
      S3_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    });
    const { lesson, as } = await assignment();
    const { body } = await handIn(lesson.id, form('own.pdf', Buffer.concat([PDF, randomBytes(99)])), { as });
    const [row] = await db().select().from(storedFiles).where(eq(storedFiles.path, body.file.url));
    await s3FileStore({ endpoint, region: 'us-east-1', bucket: 'academy', ...credentials }).remove(
      row!.sha256,
    );
    expect((await showPicture(row!.sha256)).status).toBe(404);
    const answer = await download(body.file.url, { withCookie: as });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
  });

  it('names the setting that it refuses', async () => {
    const settings = { endpoint, region: 'us-east-1', bucket: 'academy', ...credentials };
    await s3FileStore(settings).check();
    await expect(s3FileStore({ ...settings, bucket: 'none' }).check()).rejects.toThrow(/^S3_BUCKET: /);
    await expect(s3FileStore({ ...settings, accessKeyId: 'other' }).check()).rejects.toThrow(
      /^S3_ACCESS_KEY_ID: /,
    );
  });

  it.each([
    [200, 'text/html', '<!doctype html><p>Welcome'],
    [404, 'text/html', '<!doctype html><p>Not found'],
    [404, 'application/json', '{"message":"no route"}'],
    [404, 'text/plain', ''],
    [403, 'text/html', '<!doctype html><p>Forbidden'],
    [405, 'text/html', ''],
  ])('names the address of what is no object store and answers %i as %s', async (status, type, body) => {
    const site = httpServer((_, response) => {
      response.writeHead(status, { 'content-type': type });
      response.end(body);
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    const { port } = site.address() as AddressInfo;
    const settings = { region: 'us-east-1', bucket: 'academy', ...credentials };
    const store = s3FileStore({ ...settings, endpoint: `http://127.0.0.1:${port}` });
    await expect(store.check()).rejects.toMatchObject({
      setting: 'S3_ENDPOINT',
      message: expect.stringMatching(
        new RegExp(`^S3_ENDPOINT: .*http://127.0.0.1:${port} is no object store`),
      ),
    });
    site.closeAllConnections();
    site.close();
  });

  it('gives up on one that takes a connection and never answers', async () => {
    const mute = createServer(() => {}).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as AddressInfo;
    const store = s3FileStore({
      ...credentials,
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      bucket: 'academy',
    });
    await expect(store.size('0'.repeat(64))).rejects.toThrow('cannot be reached');
    mute.close();
  });

  it('answers others while many read slowly', async () => {
    const store = s3FileStore({ endpoint, region: 'us-east-1', bucket: 'academy', ...credentials });
    const bytes = randomBytes(4 * MB);
    const digest = createHash('sha256').update(bytes).digest('hex');
    await store.put(digest, bytes, bytes.length);
    const paused = await Promise.all(
      Array.from({ length: 60 }, () => store.read(digest, { start: 0, end: bytes.length - 1 })),
    );
    expect(await store.size(digest)).toBe(bytes.length);
    for (const stream of paused) stream.destroy();
  });
});
