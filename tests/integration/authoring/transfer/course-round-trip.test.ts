import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeLesson } from '../../../support/factories.ts';
import { FIXED_CATEGORIES } from '#src/shared/content/categories.ts';
import { categories, courses, lessons, videos } from '#db/schema/catalogue.ts';
import { newPath, storeFile } from '#db/stored-files.ts';
import { quizQuestions } from '#db/schema/learn.ts';
import { questionInput, rowOfQuestion } from '#src/features/lessons/types/quiz/question.ts';
import { exportCourse } from '#src/features/authoring/transfer/course-export.server.ts';
import type { CourseFileError } from '#src/features/authoring/transfer/course-format.server.ts';
import { listVideos } from '#src/features/authoring/media/videos.server.ts';
import { findStoredVideo } from '#src/features/lessons/videos.server.ts';
import { fileStore, findFile } from '#src/server/files/files.ts';
import { importCourse } from '#src/features/authoring/transfer/course-import.server.ts';
import { withUnpackedCourse } from '#src/features/authoring/transfer/course-zip.server.ts';
import { proveCourseFiles } from '#src/features/authoring/transfer/prove-files.server.ts';
import { unzip, zipOf } from '../../../support/archives.ts';

const DEMO = resolve(import.meta.dirname, '../../../../db/seed/courses');

let folder: string;
let actor: { id: number; name: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'round-trip-'));
  const { id, username } = await makeAdmin();
  actor = { id, name: username };
  await db()
    .insert(categories)
    .values(FIXED_CATEGORIES.map((one) => ({ ...one })))
    .onConflictDoNothing();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const exported = async (id: number) =>
  Buffer.from(await new Response((await exportCourse(id)).body).arrayBuffer());

async function read(bytes: Buffer, target: number | null) {
  const zip = join(folder, randomUUID());
  await writeFile(zip, bytes);
  return withUnpackedCourse(zip, `${zip}.unpacked`, async (files) => {
    const { plan } = await importCourse(actor, files, { target, digest: '' });
    if (target !== null) return { id: target, plan };
    const { appliedTo } = await importCourse(actor, files, { target, digest: plan.digest });
    return { id: appliedTo!, plan };
  });
}

async function changes(bytes: Buffer, id: number) {
  const { plan } = await read(bytes, id);
  return plan.rows
    .filter(({ change }) => change !== 'unchanged')
    .map(({ title, change, details }) => [title, change, ...details]);
}

async function proven(bytes: Buffer) {
  const zip = join(folder, randomUUID());
  await writeFile(zip, bytes);
  return withUnpackedCourse(zip, `${zip}.unpacked`, proveCourseFiles);
}

async function filesOf(bytes: Buffer) {
  const files = [...(await unzip(bytes))].map(([path, content]) => [
    path,
    content.toString('latin1').replace(/^exportedFrom: .*\n/m, ''),
  ]);
  return Object.fromEntries(files) as Record<string, string>;
}

async function zipFolder(root: string): Promise<Buffer> {
  const found = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const files = paths.map(async (path) => {
    return [relative(root, path).split(sep).join('/'), await readFile(path)] as const;
  });
  return zipOf(await Promise.all(files));
}

describe('a course that nobody touched', () => {
  it('reads back as it was: every course of the demo', { timeout: 300_000 }, async () => {
    for (const name of await readdir(DEMO)) {
      const written = await zipFolder(join(DEMO, name));
      const { id } = await read(written, null);
      const first = await exported(id);
      expect([name, await changes(written, id)]).toEqual([name, []]);
      expect([name, await changes(first, id)]).toEqual([name, []]);
      await db().update(courses).set({ slug: null }).where(eq(courses.id, id));
      const again = await exported((await read(first, null)).id);
      expect(await filesOf(again)).toEqual(await filesOf(first));
    }
  });

  it('reads back as it was: every type of lesson and kind of question with all that they can have', async () => {
    const course = await makeCourse({ isActive: false, title: 'All of it' });
    const opening = { afterDays: 3, on: '2026-01-31', afterEarlier: true as const };
    const lesson = await makeLesson(course.id, {
      type: 'quiz',
      title: 'Questions',
      opening,
      quizSettings: {
        passPercent: 80,
        attempts: 3,
        waitMinutes: 30,
        shuffleOptions: true,
        feedback: 'each',
        draw: [{ tag: 'bank', count: 1, from: 'course' as const }],
      },
    });
    const more = { explanation: 'So.', points: 2, tags: ['bank', 'a'] };
    const questions = [
      { question: 'Single', options: ['a', 'b'], correctAnswer: 1, feedback: ['no', ''] },
      { kind: 'several_answers', question: 'Several', options: ['a', 'b', 'c'], correctAnswers: [0, 2] },
      { kind: 'true_false', question: 'True', isTrue: true },
      { kind: 'short_text', question: 'Text', accepted: ['x', 'y'], forgiveTypos: true },
      { kind: 'number', question: 'Number', value: 3.5, tolerance: 0.1, unit: 'kg' },
      { kind: 'ordering', question: 'Order', items: ['b', 'a'] },
      {
        ...{ kind: 'matching', question: 'Match', distractors: ['3'] },
        pairs: [
          { prompt: 'a', match: '1' },
          { prompt: 'b', match: '2' },
        ],
      },
      { kind: 'gaps', question: 'Gaps', text: 'A [[gap|hole]].' },
    ].map((one) => rowOfQuestion(questionInput.parse({ ...one, ...more })));
    await db()
      .insert(quizQuestions)
      .values(questions.map((one, order) => ({ ...one, lessonId: lesson.id, order })));
    await makeLesson(course.id, {
      type: 'assignment',
      title: 'Hand in',
      opening,
      assignmentSettings: {
        rubric: [{ name: 'A: b', description: 'Why', points: 5 }],
        dueDay: '2027-01-31',
        dueNote: '# soon',
        completeFrom: 60,
      },
    });
    await makeLesson(course.id, {
      type: 'interactive_coding',
      title: 'Program',
      codingLanguage: 'javascript',
      instructions: 'Do it',
      solution: 'x\n',
      testCases: [
        { input: 'f()', expectedOutput: '1', hidden: true, description: 'one', strict: true, mode: 'call' },
      ],
      codeLimits: { seconds: 3, memoryMb: 128 },
      hints: ['a'],
    });
    await makeLesson(course.id, {
      type: 'video',
      title: 'Film',
      fileUrl: 'https://example.com/film.mp4',
      captionsUrl: 'https://example.com/film.vtt',
      captionsLanguage: 'pt-BR',
      moreCaptions: [{ language: 'de', url: 'https://example.com/film.de.vtt' }],
      chapters: '0:00 A',
      durationSeconds: 60,
      watchRequired: true,
    });
    const first = await exported(course.id);
    expect(await changes(first, course.id)).toEqual([]);
    const again = await exported((await read(first, null)).id);
    expect(await filesOf(again)).toEqual(await filesOf(first));
  });

  it('keeps captions in several languages with their files, and names what is wrong with them', async () => {
    const course = await makeCourse({ isActive: false, title: 'Captions' });
    const keep = async (said: string) => {
      const bytes = Buffer.from(`WEBVTT\n\n00:00.000 --> 00:01.000\n${said}\n`);
      return (
        await storeFile(db(), fileStore(), {
          ...{ area: 'files', path: newPath('files', 'words.vtt'), originalName: 'words.vtt' },
          ...{ mimeType: 'text/vtt', bytes },
        })
      ).path;
    };
    await makeLesson(course.id, {
      ...{ type: 'video', title: 'Film', fileUrl: 'https://example.com/film.mp4' },
      ...{ captionsUrl: await keep('Hello'), moreCaptions: [{ language: 'de', url: await keep('Hallo') }] },
    });
    const first = await exported(course.id);
    expect(await changes(first, course.id)).toEqual([]);
    const { id } = await read(first, null);
    expect(await filesOf(await exported(id))).toEqual(await filesOf(first));
    const [copy] = await db().select().from(lessons).where(eq(lessons.courseId, id));
    expect(copy!.moreCaptions).toEqual([{ language: 'de', url: expect.stringMatching(/^\/files\//) }]);
    expect(await findFile(copy!.moreCaptions[0]!.url)).toMatchObject({ mimeType: 'text/vtt' });
    const files = await unzip(first);
    const path = [...files.keys()].find((name) => name.startsWith('lessons/'))!;
    const source = files.get(path)!.toString();
    expect(source).not.toContain('captionsLanguage');
    const changed = (written: string) =>
      zipOf([...files].map(([name, bytes]) => [name, name === path ? Buffer.from(written) : bytes]));
    const faultsOf = async (written: string) => {
      const zip = await changed(written);
      const error = await read(zip, null).catch((thrown: CourseFileError) => thrown);
      return String((error as Error).message);
    };
    expect(await faultsOf(source.replace('language: de', 'language: en'))).toContain(
      'moreCaptions: have a language twice',
    );
    expect(await faultsOf(source.replace('language: de', 'language: xx'))).toContain(
      'There is no such language',
    );
    expect(await faultsOf(source.replace(/file: words-2\.vtt/, 'file: gone.vtt'))).toContain(
      'moreCaptions.0.file: names a file that is missing: files/gone.vtt',
    );
    expect(
      await faultsOf(source.replace('https://example.com/film.mp4', 'https://youtu.be/dQw4w9WgXcQ')),
    ).toContain('captions: A YouTube or Vimeo video shows the captions that it has there');
    // Another file in another language is a change that is told.
    expect(await changes(await changed(source.replace('language: de', 'language: fr')), course.id)).toEqual([
      ['Film', 'changed', 'Captions in other languages'],
    ]);
  });

  it.each(['mov', 'mkv'])('keeps what a .%s was converted to', async (ending) => {
    const course = await makeCourse({ isActive: false, title: `A converted ${ending}` });
    const path = newPath('files', `film.${ending}`);
    const keep = (below: string, mimeType: string, bytes: Uint8Array) =>
      storeFile(db(), fileStore(), {
        ...{ area: 'files', path: `${path}${below}`, originalName: `Film${below}`, mimeType, bytes },
      });
    const film = await readFile(join(DEMO, 'accessible-web-design/files/focus-path.mp4'));
    await keep('', 'video/mp4', Buffer.from(`as it came, ${ending}`));
    await keep('/720.mp4', 'video/mp4', film);
    await keep('/480.mp4', 'video/mp4', Buffer.concat([film, Buffer.from('small')]));
    await keep('/poster.jpg', 'image/jpeg', Buffer.from('ffd8ffe000104a46494600', 'hex'));
    await db()
      .insert(videos)
      .values({
        ...{ id: randomUUID(), courseId: course.id, createdBy: actor.id, name: `Film.${ending}`, size: 20 },
        ...{ status: 'ready', percent: 100, path, isPlayable: false, posterPath: `${path}/poster.jpg` },
        ...{ duration: 8, height: 720 },
        sizes: [720, 480].map((height) => ({ path: `${path}/${height}.mp4`, height })),
      });
    const film1 = { type: 'video', fileUrl: path, durationSeconds: 8 } as const;
    await makeLesson(course.id, { ...film1, title: 'Film' });
    await makeLesson(course.id, { ...film1, title: 'The same again' });
    const first = await exported(course.id);
    expect(Object.keys(await filesOf(first)).filter((name) => name.startsWith('files/'))).toEqual(
      ['', '-720.mp4', '-480.mp4', '-poster.jpg'].map((below) => `files/film.${ending}${below}`),
    );
    expect(await changes(first, course.id)).toEqual([]);
    expect(await proven(first)).toEqual([]);
    const { id } = await read(first, null);
    const [copy] = await db().select().from(lessons).where(eq(lessons.courseId, id));
    expect(copy!.fileUrl).not.toBe(path);
    expect(copy!.mimeType).toMatch(/^video\//);
    expect(await findStoredVideo(copy!.fileUrl!)).toEqual({
      poster: `${copy!.fileUrl}/poster.jpg`,
      files: [
        { src: `${copy!.fileUrl}/480.mp4`, mimeType: 'video/mp4', media: '(max-width: 40rem)' },
        { src: `${copy!.fileUrl}/720.mp4`, mimeType: 'video/mp4', media: null },
      ],
    });
    expect(await findFile(`${copy!.fileUrl}/480.mp4`)).toMatchObject({ size: film.length + 5 });
    expect(await listVideos(id)).toMatchObject({
      videos: [
        { status: 'ready', percent: 100, duration: 8, height: 720, size: `as it came, ${ending}`.length },
      ],
    });
    expect(await filesOf(await exported(id))).toEqual(await filesOf(first));

    // A course that was read in before its files had them gets them.
    await db().update(videos).set({ sizes: [], posterPath: null }).where(eq(videos.courseId, id));
    expect(await changes(first, id)).toEqual([
      ['Film', 'changed', 'Sizes'],
      ['The same again', 'changed', 'Sizes'],
    ]);
  });

  it('names a size of a video that is not among its files', async () => {
    const course = await makeCourse({ isActive: false, title: 'Lost sizes' });
    await makeLesson(course.id, { type: 'video', title: 'Film', fileUrl: 'https://example.com/film.mp4' });
    const files = await unzip(await exported(course.id));
    const path = 'lessons/01-film.md';
    const written = files.get(path)!.toString();
    const sizes = 'sizes: [{ file: film-480.mp4, height: 480 }]\nposter: film.png\n';
    files.set(path, Buffer.from(written.replace(/^file: .*\n/m, `$&${sizes}`)));
    const refused = await read(await zipOf(files), course.id).catch((error: unknown) => error);
    expect((refused as CourseFileError).faults.map(({ field, message }) => `${field}: ${message}`)).toEqual([
      'poster: must be a .jpg file of the course',
    ]);
    files.set(path, Buffer.from(files.get(path)!.toString().replace('film.png', 'film.jpg')));
    const lost = await read(await zipOf(files), course.id).catch((error: unknown) => error);
    expect((lost as CourseFileError).faults.map(({ field, message }) => `${field}: ${message}`)).toEqual([
      'sizes: belong to a file of the course',
      'sizes: names a file that is missing: files/film-480.mp4',
      'poster: names a file that is missing: files/film.jpg',
    ]);
  });
});
