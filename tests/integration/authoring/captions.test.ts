import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { findLessonFields } from '#src/features/authoring/lesson-editor/lessons.server.ts';
import { placesOf, proveLesson } from '#src/features/authoring/publishing/check-lessons.server.ts';
import { openedVideo } from '#src/features/lessons/types/video/opened.server.ts';
import { POST as create } from '#src/pages/api/admin/courses/[id]/lessons.ts';
import { PUT as update } from '#src/pages/api/admin/lessons/[id].ts';
import { POST as duplicate } from '#src/pages/api/admin/lessons/[id]/duplicate.ts';
import { GET as file } from '#src/pages/files/[...path].ts';
import { saveFile } from '#src/server/files/files.ts';
import { housekeeping } from '#src/server/start/housekeeping.ts';
import { callRoute, signIn } from '../../support/api.ts';

let admin: Awaited<ReturnType<typeof makeAdmin>>;
beforeAll(async () => {
  admin = await makeAdmin();
});

const VIDEO = { type: 'video', title: 'Knots', fileUrl: 'https://example.com/v.mp4' };
const upload = async (said: string) =>
  (
    await saveFile({
      area: 'files',
      originalName: 'words.vtt',
      bytes: Buffer.from(`WEBVTT\n\n00:00.000 --> 00:02.000\n${said}\n`),
    })
  ).path;
const add = async (courseId: number, body: object) =>
  callRoute(create, { method: 'POST', params: { id: String(courseId) }, as: await signIn(admin), body });
const rowOf = async (id: number) => (await db().select().from(lessons).where(eq(lessons.id, id)))[0]!;
const fileAt = (path: string, who = {}) =>
  callRoute(file, { path, params: { path: path.replace('/files/', '') }, ...who });

describe('captions in several languages', () => {
  it('are kept with their languages, and followed when they change', async () => {
    const course = await makeCourse({ isActive: false });
    const [pt, de] = [await upload('Olá'), await upload('Guten Tag')];
    const made = await add(course.id, {
      ...VIDEO,
      captionsUrl: pt,
      captionsLanguage: 'PT-br',
      moreCaptions: [{ language: 'de', url: de }],
    });
    expect(made.status, made.text).toBe(201);
    const row = await rowOf(made.body.id);
    expect(row).toMatchObject({
      ...{ captionsUrl: pt, captionsLanguage: 'pt-BR', moreCaptions: [{ language: 'de', url: de }] },
    });
    expect(await openedVideo({ ...row, videoPosition: 0 })).toMatchObject({
      captions: [
        { language: 'pt-BR', label: 'Português (Brasil) (Brazilian Portuguese)', src: pt },
        { language: 'de', label: 'Deutsch (German)', src: de },
      ],
    });
    const { exercise: _, ...fields } = (await findLessonFields(course.id, row.id))!;
    const changed = await callRoute(update, {
      ...{ method: 'PUT', params: { id: String(row.id) }, as: await signIn(admin) },
      body: { ...fields, moreCaptions: [] },
    });
    expect(changed.status, changed.text).toBe(200);
    // What proved the lesson proves it no longer.
    expect(await rowOf(row.id)).toMatchObject({ moreCaptions: [], revision: row.revision + 1 });
  });

  it('are English where nobody says otherwise, and of videos alone', async () => {
    const course = await makeCourse({ isActive: false });
    const plain = await add(course.id, { ...VIDEO, captionsUrl: await upload('Hello') });
    expect(await rowOf(plain.body.id)).toMatchObject({ captionsLanguage: 'en', moreCaptions: [] });
    const text = await add(course.id, {
      ...{ type: 'text', title: 'T', content: 'Words.', captionsLanguage: 'de' },
      moreCaptions: [{ language: 'fr', url: 'https://example.com/fr.vtt' }],
    });
    expect(await rowOf(text.body.id)).toMatchObject({ captionsLanguage: 'en', moreCaptions: [] });
  });

  const one = (language: string) => ({ language, url: `https://example.com/${language}.vtt` });
  const unknown = 'There is no such language. Give a tag such as en or pt-BR.';
  it.each([
    [{ captionsLanguage: 'xx' }, { captionsLanguage: unknown }],
    [{ captionsLanguage: 7 }, { captionsLanguage: 'Choose a language' }],
    [{ moreCaptions: [one('german')] }, { 'moreCaptions.0.language': unknown }],
    [
      { moreCaptions: [one('de'), one('DE')] },
      { moreCaptions: 'A video has captions in each language once' },
    ],
    [
      { captionsUrl: 'https://example.com/en.vtt', moreCaptions: [one('en')] },
      { moreCaptions: 'A video has captions in each language once' },
    ],
    [
      { moreCaptions: ['de', 'fr', 'it', 'es', 'nl', 'pl', 'cs', 'da', 'fi'].map(one) },
      { moreCaptions: 'A video has captions in at most 8 other languages' },
    ],
    [{ moreCaptions: [{ language: 'de', url: '' }] }, { 'moreCaptions.0.url': 'Captions URL is required' }],
    [
      { moreCaptions: [one('fr'), { language: 'de', url: '/files/no/de.vtt' }] },
      { 'moreCaptions.1.url': 'There is no such file on this site. Upload it, or give an https:// address.' },
    ],
  ])('are refused: %j', async (fields, told) => {
    const course = await makeCourse({ isActive: false });
    const answer = await add(course.id, { ...VIDEO, ...fields });
    expect([answer.status, answer.body.fields]).toEqual([400, told]);
  });

  it.each(['https://youtu.be/dQw4w9WgXcQ', 'https://vimeo.com/76979871'])(
    'are refused for a video whose player has its own: %s',
    async (fileUrl) => {
      const course = await makeCourse({ isActive: false });
      const captionsUrl = 'https://example.com/en.vtt';
      const answer = await add(course.id, { ...VIDEO, fileUrl, captionsUrl, moreCaptions: [one('de')] });
      const why =
        'A YouTube or Vimeo video shows the captions that it has there. Add them there, or upload the video.';
      expect([answer.status, answer.body.fields]).toEqual([400, { captionsUrl: why, moreCaptions: why }]);
      expect((await add(course.id, { ...VIDEO, fileUrl })).status).toBe(201);
    },
  );

  it('are of those who may read their lesson, and stay where they are used', async () => {
    const course = await makeCourse();
    const [learner, stranger] = [await makeUser(), await makeUser()];
    await makeEnrollment(learner.id, course.id);
    const [de, loose] = [await upload('Guten Tag, Schüler'), await upload('Von niemandem')];
    await makeLesson(course.id, { type: 'video', moreCaptions: [{ language: 'de', url: de }] });
    const statusOf = async (path: string, user: typeof learner) =>
      (await fileAt(path, { withCookie: await signIn(user) })).status;
    expect(await statusOf(de, learner)).toBe(200);
    expect(await statusOf(loose, learner)).toBe(404);
    expect(await statusOf(de, stranger)).toBe(404);
    expect((await fileAt(de)).status).toBe(404);
    await housekeeping.run(undefined, { isLast: true });
    expect(await statusOf(de, learner)).toBe(200);
  });

  it('are named by their language where the check cannot read them', async () => {
    const course = await makeCourse({ isActive: false });
    const words = await saveFile({ area: 'files', originalName: 'w.txt', bytes: Buffer.from('No captions') });
    const lesson = await makeLesson(course.id, {
      ...{ type: 'video', captionsUrl: words.path, captionsLanguage: 'fr' },
      moreCaptions: [{ language: 'de', url: words.path }],
    });
    const found = { lesson, questions: [], scenario: null, bank: [] };
    expect(placesOf(found).map(({ field, where }) => [field, where])).toEqual([
      ['captionsUrl', 'The captions in Français (French)'],
      ['moreCaptions', 'The captions in Deutsch (German)'],
    ]);
    const { findings } = await proveLesson(found);
    expect(findings.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        `The captions in Français (French): ${words.path} is text/plain, not a WebVTT file.`,
        `The captions in Deutsch (German): ${words.path} is text/plain, not a WebVTT file.`,
      ]),
    );
  });

  it('go into a duplicate, and into the copy that waits to be published', async () => {
    const course = await makeCourse();
    const moreCaptions = [{ language: 'de', url: await upload('Noch einmal') }];
    const lesson = await makeLesson(course.id, {
      ...{ type: 'video', title: 'V', fileUrl: 'https://example.com/v.mp4', captionsLanguage: 'fr' },
      moreCaptions,
    });
    const answer = await callRoute(duplicate, {
      ...{ method: 'POST', params: { id: String(lesson.id) }, as: await signIn(admin), body: {} },
    });
    expect(answer.status, answer.text).toBe(201);
    const all = await db()
      .select()
      .from(lessons)
      .where(and(eq(lessons.captionsLanguage, 'fr'), eq(lessons.title, answer.body.title)));
    expect(all.map((row) => row.moreCaptions)).toEqual([moreCaptions]);
  });
});
