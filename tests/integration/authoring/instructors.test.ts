import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeUser } from '../../support/factories.ts';
import { auditLog, users } from '#db/schema/account.ts';
import { storedFiles } from '#db/schema/machinery.ts';
import { instructorOf } from '#src/features/authoring/instructors/instructors.server.ts';
import { INSTRUCTOR_WORDS_MAX } from '#src/features/authoring/instructors/schema.ts';
import { instructorAsData, PORTRAIT_PIXELS } from '#src/features/catalogue/course-page/instructor.ts';
import { findCoursePage, listInstructors } from '#src/features/catalogue/course-page/course-page.server.ts';
import * as exportRoute from '#src/pages/api/account/export.ts';
import * as deleteRoute from '#src/pages/api/admin/users/[id]/delete.ts';
import * as wordsRoute from '#src/pages/api/instructors/[id].ts';
import * as portraitRoute from '#src/pages/api/instructors/[id]/portrait.ts';
import { findFile } from '#src/server/files/files.ts';
import { callRoute, signIn } from '../../support/api.ts';

type User = Awaited<ReturnType<typeof makeUser>>;

const save = async (as: User | null, id: unknown, words: unknown) =>
  callRoute(wordsRoute.PUT, {
    method: 'PUT',
    params: { id: String(id) },
    body: { words },
    as: as && (await signIn(as)),
  });
const picture = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
async function send(as: User, id: number, name = 'me.png', bytes?: Buffer) {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(bytes ?? (await picture(900, 600, 'red')))]), name);
  return callRoute(portraitRoute.POST, { params: { id: String(id) }, body, as: await signIn(as) });
}
const drop = async (as: User, id: number) =>
  callRoute(portraitRoute.DELETE, { method: 'DELETE', params: { id: String(id) }, as: await signIn(as) });

describe('an instructor', () => {
  it('writes words and a portrait that the pages of their courses show, and nobody else does', async () => {
    const author = await makeUser({ username: 'Ada Author' });
    const course = await makeCourse({ createdBy: author.id });
    const shown = async () => (await findCoursePage(course.id, null))!.instructor;
    expect(await shown()).toBe(null);

    const saved = await save(author, author.id, '  I build things.\n\nAnd teach it. ');
    expect([saved.status, saved.body]).toEqual([
      200,
      { words: 'I build things.\n\nAnd teach it.', portrait: null },
    ]);
    const sent = await send(author, author.id);
    expect(sent.status, sent.text).toBe(201);
    const { portrait } = sent.body;
    expect(portrait).toMatch(/^\/media\/[\w-]+\/portrait\.webp$/);
    expect(await shown()).toEqual({
      name: 'Ada Author',
      words: 'I build things.\n\nAnd teach it.',
      portrait,
    });
    const file = (await findFile(portrait))!;
    expect(file.mimeType).toBe('image/webp');

    const other = await makeUser();
    await makeCourse({ createdBy: other.id });
    expect((await save(other, author.id, 'Mine')).status).toBe(404);
    expect((await send(other, author.id)).status).toBe(404);
    expect((await drop(other, author.id)).status).toBe(404);
    expect((await save(null, author.id, 'Mine')).status).toBe(401);
    expect(await shown()).toMatchObject({ words: 'I build things.\n\nAnd teach it.', portrait });

    await save(author, author.id, '');
    expect((await drop(author, author.id)).body).toEqual({ words: '', portrait: null });
    expect((await drop(author, author.id)).status).toBe(200);
    expect(await shown()).toBe(null);
    expect(await findFile(portrait)).toBe(null);
  });

  it('is somebody who makes courses; administrators edit anybody who does, in the log', async () => {
    const learner = await makeUser();
    expect(await instructorOf(learner.id)).toBe(null);
    const refused = await save(learner, learner.id, 'I learn.');
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'Only those who make courses are shown as instructors.',
    ]);
    const admin = await makeAdmin();
    expect((await save(admin, learner.id, 'They learn.')).status).toBe(404);
    expect((await save(admin, 2_000_000_000, 'x')).status).toBe(404);
    expect((await save(admin, 'x', 'x')).status).toBe(404);
    expect((await save(admin, admin.id, 'I run it.')).status).toBe(200);
    const author = await makeUser();
    await makeCourse({ createdBy: author.id });
    expect((await save(admin, author.id, 'They teach.')).status).toBe(200);
    expect((await send(admin, author.id)).status).toBe(201);
    const log = await db()
      .select({ action: auditLog.action, details: auditLog.details, subject: auditLog.subjectId })
      .from(auditLog)
      .where(eq(auditLog.actorId, admin.id));
    expect(log).toEqual(
      ['words', 'portrait'].map((what) => ({
        action: 'user.instructor_changed',
        details: { email: author.email, what },
        subject: String(author.id),
      })),
    );
  });

  it('has words of a bearable length and a portrait that is a picture', async () => {
    const admin = await makeAdmin();
    expect((await save(admin, admin.id, 'a'.repeat(INSTRUCTOR_WORDS_MAX))).status).toBe(200);
    const long = await save(admin, admin.id, 'a'.repeat(INSTRUCTOR_WORDS_MAX + 1));
    expect([long.status, long.body.fields]).toEqual([
      400,
      { words: `Words must be at most ${INSTRUCTOR_WORDS_MAX} characters` },
    ]);
    expect((await save(admin, admin.id, 3)).status).toBe(400);
    expect((await send(admin, admin.id, 'me.png', Buffer.from('<svg/>'))).status).toBe(415);
    expect((await send(admin, admin.id, 'me.svg', Buffer.from('<svg/>'))).status).toBe(415);
    expect((await send(admin, admin.id, 'me.png', Buffer.alloc(0))).status).toBe(400);
    const whole = await picture(600, 400, 'blue');
    expect((await send(admin, admin.id, 'me.png', whole.subarray(0, 60))).status).toBe(400);
    expect(await instructorOf(admin.id)).toMatchObject({ portrait: null });
    const small = await send(admin, admin.id, 'me.png', await picture(40, 90, 'blue'));
    const [kept] = await db().select().from(storedFiles).where(eq(storedFiles.path, small.body.portrait));
    expect(kept!.size).toBeGreaterThan(0);
  });

  it('keeps one portrait when several arrive at once', async () => {
    const admin = await makeAdmin();
    const answers = await Promise.all(
      ['red', 'green', 'blue', 'white'].map(async (color) =>
        send(admin, admin.id, 'me.png', await picture(400, 400, color)),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const { portrait } = (await instructorOf(admin.id))!;
    const kept = await Promise.all(answers.map(({ body }) => findFile(body.portrait)));
    expect(kept.filter(Boolean).map((file) => file!.path)).toEqual([portrait]);
  });

  it('gets all of it in the file of their data, and takes it along when they go', async () => {
    const author = await makeUser({ emailVerifiedAt: new Date() });
    const course = await makeCourse({ createdBy: author.id });
    await save(author, author.id, 'I build things.');
    const { portrait } = (await send(author, author.id)).body;
    const data = await callRoute(exportRoute.GET, { as: await signIn(author) });
    expect(JSON.parse(data.text).account).toMatchObject({
      instructorWords: 'I build things.',
      instructorPortrait: portrait,
    });
    const gone = await callRoute(deleteRoute.POST, {
      params: { id: String(author.id) },
      body: { confirmation: author.email, reason: 'Asked.' },
      as: await signIn(await makeAdmin()),
    });
    expect(gone.status, gone.text).toBe(200);
    expect(await db().select().from(users).where(eq(users.id, author.id))).toEqual([]);
    expect(await findFile(portrait)).toBe(null);
    expect((await findCoursePage(course.id, null))!.instructor).toBe(null);
  });

  it('stands on the page of instructors with the active courses, once there is something to show', async () => {
    const [author, silent] = [await makeUser(), await makeUser()];
    const course = await makeCourse({ title: 'B course', createdBy: author.id });
    await makeCourse({ title: 'A course', createdBy: author.id });
    await makeCourse({ title: 'Hidden', createdBy: author.id, isActive: false });
    await makeCourse({ createdBy: silent.id });
    const listed = async () =>
      (await listInstructors()).filter(({ name }) => [author.username, silent.username].includes(name));
    expect(await listed()).toEqual([]);
    await save(author, author.id, 'I teach.');
    expect(await listed()).toEqual([
      {
        name: author.username,
        words: 'I teach.',
        portrait: null,
        courses: [expect.objectContaining({ title: 'A course' }), { id: course.id, title: 'B course' }],
      },
    ]);
  });

  it('is named to search engines with what there is', () => {
    const site = 'https://academy.example';
    expect(
      instructorAsData({ name: 'Ada', words: 'One.\nTwo.', portrait: '/media/a/portrait.webp' }, site),
    ).toEqual({
      '@type': 'Person',
      name: 'Ada',
      description: 'One. Two.',
      image: 'https://academy.example/media/a/portrait.webp',
    });
    expect(instructorAsData({ name: 'Ada', words: '', portrait: null }, site)).toEqual({
      '@type': 'Person',
      name: 'Ada',
    });
    expect(PORTRAIT_PIXELS).toBeGreaterThanOrEqual(2 * 96);
  });
});
