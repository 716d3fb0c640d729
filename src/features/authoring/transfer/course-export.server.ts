import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { and, asc, eq, inArray } from 'drizzle-orm';
import { ZipFile } from 'yazl';
import { db, type Executor } from '#db/client.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { quizQuestions } from '#db/schema/learn.ts';
import { storedFiles } from '#db/schema/machinery.ts';
import { scenarios } from '#db/schema/scenario.ts';
import { countingOverrides } from '#src/features/authoring/publishing/finding-overrides.server.ts';
import { valuesOf } from '#src/features/authoring/courses/course-fields.ts';
import type { LessonRow } from '#src/features/lessons/lesson-store.server.ts';
import { questionOfRow } from '#src/features/lessons/types/quiz/question.ts';
import { extensionOf, fileStore } from '#src/server/files/files.ts';
import { env } from '#src/server/start/env.ts';
import { isOwnCourse, shownId, workingId } from '#src/features/lessons/working-copy.server.ts';
import { AppError } from '#src/shared/errors.ts';
import { picturesIn } from '#src/shared/pictures.ts';
import { slugOf } from '#src/shared/slug.ts';
import { emptyAmong, placedBefore } from '#src/features/authoring/lesson-editor/list/sections.ts';
import { convertedVideos, NOT_CONVERTED } from './archive-videos.server.ts';
import { pictureName, toFolder, withTexts } from './archive-pictures.server.ts';
import { type CourseContent, writeCourse } from './course-format.server.ts';
import { lessonOfRow } from './lesson-rows.server.ts';
import { addressesOf } from '#src/features/lessons/lesson-store.server.ts';
import type { ConvertedFiles } from '#src/features/lessons/lesson-format.server.ts';
import type { CourseLesson } from './lesson-formats.server.ts';

export type Stored = typeof storedFiles.$inferSelect;

export interface StoredCourse {
  row: typeof courses.$inferSelect;
  content: CourseContent;
  lessons: { row: LessonRow; lesson: CourseLesson; questions: (typeof quizQuestions.$inferSelect)[] }[];
  files: Map<string, Stored>;
}

const nameFor = (title: string) => slugOf(title, 60) || 'untitled';

/**
 * Reads a course with its lessons, as its files say it.
 * @throws {AppError} not_found
 */
export async function readStored(
  executor: Executor,
  courseId: number,
  state: 'live' | 'worked on' = 'live',
): Promise<StoredCourse> {
  const [row] = await executor
    .select()
    .from(courses)
    .where(and(eq(courses.id, courseId), isOwnCourse));
  if (!row) throw new AppError('not_found', 'Course not found');
  const rows = await executor
    .select()
    .from(lessons)
    .where(eq(lessons.courseId, state === 'live' ? courseId : workingId(courseId)))
    .orderBy(asc(lessons.order), asc(lessons.id));
  const ids = rows.map(({ id }) => id);
  const questions = await executor
    .select()
    .from(quizQuestions)
    .where(inArray(quizQuestions.lessonId, ids))
    .orderBy(asc(quizQuestions.order), asc(quizQuestions.id));
  const definitions = await executor
    .select({ lessonId: scenarios.lessonId, definition: scenarios.definition })
    .from(scenarios)
    .where(inArray(scenarios.lessonId, ids));
  const videos = await convertedVideos(
    executor,
    rows.map(({ fileUrl }) => fileUrl),
  );
  const converted = new Map(videos.map((video) => [video.path, video]));
  const passed = await countingOverrides(executor, ids);
  const texts = [
    row.description,
    ...rows.map(({ content, instructions, hints }) => [content, instructions, hints]),
    questions,
    definitions,
  ];
  const addresses = [
    row.thumbnail,
    ...rows.flatMap(addressesOf),
    ...videos.flatMap(({ sizes, posterPath }) => [...sizes.map(({ path }) => path), posterPath]),
    ...picturesIn(JSON.stringify(texts)),
  ].filter((address): address is string => address !== null && /^\/(media|files|pictures)\//.test(address));
  const kept = await executor.select().from(storedFiles).where(inArray(storedFiles.path, addresses));
  const stored = new Map(kept.map((file) => [file.path, file]));

  const files = new Map<string, Stored>();
  const names = new Map<string, string>();
  const named = (folder: 'files' | 'pictures', file: Stored, wanted: string): string => {
    const known = names.get(file.path);
    if (known) return known;
    const [, stem, ending] = /^(.+?)(\.[^.]*)?$/.exec(wanted)!;
    let name = wanted;
    for (let more = 2; files.has(`${folder}/${name}`); more += 1) name = `${stem}-${more}${ending ?? ''}`;
    files.set(`${folder}/${name}`, file);
    names.set(file.path, name);
    return name;
  };
  const nameOf = (address: string | null): string | null => {
    const file = address ? stored.get(address) : undefined;
    return file ? named('files', file, file.path.split('/').slice(3).join('-')) : address || null;
  };
  const convertedOf = (address: string | null): ConvertedFiles => {
    const video = converted.get(address);
    if (!video || ![address!, ...video.sizes.map(({ path }) => path)].every((path) => stored.has(path)))
      return NOT_CONVERTED;
    // After the video itself, whose name begins theirs.
    nameOf(address);
    const sizes = video.sizes.map(({ path, height }) => ({ file: nameOf(path)!, height }));
    const poster = video.posterPath && stored.has(video.posterPath) ? nameOf(video.posterPath)! : undefined;
    return { sizes, poster };
  };
  const pictureNameOf = (address: string): string | null => {
    const file = stored.get(address);
    return file ? named('pictures', file, pictureName(address)) : null;
  };
  const { level: courseLevel } = row;
  const width = Math.max(2, String(rows.length).length);
  const lessonNames = new Map(
    rows.map((lesson, index) => [
      shownId(lesson),
      `${String(index + 1).padStart(width, '0')}-${nameFor(lesson.title)}`,
    ]),
  );
  const content = rows.map((row) => {
    const own = <T extends { lessonId: number }>(all: readonly T[]) =>
      all.filter((one) => one.lessonId === row.id);
    const asked = own(questions);
    const lesson = lessonOfRow(row, {
      name: lessonNames.get(shownId(row))!,
      lessonName: (id) => lessonNames.get(id),
      nameOf,
      questions: asked.map(questionOfRow),
      converted: convertedOf(row.fileUrl),
      letPass: own(passed).map(({ findingKey: finding, message, reason }) => ({
        finding,
        message: message.slice(0, 2000).trim() || undefined,
        reason,
      })),
      definition: own(definitions)[0]?.definition ?? null,
      courseLevel,
    });
    return {
      row,
      questions: asked,
      lesson: withTexts(lesson, (text) => toFolder(text, pictureNameOf, '../')),
    };
  });
  const picture = stored.get(row.thumbnail);
  const thumbnail = picture ? `thumbnail.${extensionOf(picture.path) || 'bin'}` : row.thumbnail;
  if (picture) files.set(thumbnail, picture);
  return {
    row,
    lessons: content,
    files,
    content: {
      ...valuesOf(row),
      description: toFolder(row.description, pictureNameOf, ''),
      thumbnail,
      content: content.map(({ lesson }) => lesson),
      empty: placedBefore(
        emptyAmong(
          rows.map((lesson) => ({ id: shownId(lesson), section: lesson.section })),
          row.emptySections,
        ),
        (before) => lessonNames.get(before)!,
      ),
    },
  };
}

/** These are compressed already. */
export const PACKED = /\.(png|jpe?g|gif|webp|avif|mp4|m4v|mov|mkv|webm|mp3|pdf|zip|docx|xlsx|pptx)$/i;
// The same course exports as the same bytes.
const NO_MOMENT = { mtime: new Date(1980, 0, 1), mode: 0o100_644, forceDosTimestamp: true } as const;

/**
 * A course as an archive, in the format of the demo catalogue.
 * @throws {AppError} not_found
 */
export async function exportCourse(
  courseId: number,
): Promise<{ name: string; body: ReadableStream<Uint8Array> }> {
  const course = await db().transaction((tx) => readStored(tx, courseId), {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  });
  const slug = course.row.slug ?? nameFor(course.row.title);
  const exportedFrom = new URL(`/courses/${courseId}`, env().siteUrl).href;
  const zip = new ZipFile();
  for (const [path, source] of writeCourse(course.content, { exportedFrom })) {
    zip.addBuffer(Buffer.from(source, 'utf8'), `${slug}/${path}`, { ...NO_MOMENT, compress: true });
    // Each entry takes 256 KB and compresses at once.
    await nextTurn();
  }
  const store = fileStore();
  for (const [path, file] of course.files) {
    const options = { ...NO_MOMENT, compress: !PACKED.test(path), size: file.size };
    if (file.size === 0) zip.addBuffer(Buffer.alloc(0), `${slug}/${path}`, NO_MOMENT);
    else {
      zip.addReadStreamLazy(`${slug}/${path}`, options, (done) => {
        store.read(file.sha256, { start: 0, end: file.size - 1 }).then(
          (stream) => done(null, stream),
          (error: unknown) => done(error, Readable.from([])),
        );
      });
    }
  }
  zip.end();
  const output = zip.outputStream as Readable;
  // An unreadable file breaks the download off: a course must not look whole without it.
  zip.on('error', (error) => output.destroy(error as Error));
  return { name: `${slug}.zip`, body: Readable.toWeb(output) as ReadableStream<Uint8Array> };
}
