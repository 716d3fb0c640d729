import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { and, asc, count, eq, inArray, sql } from 'drizzle-orm';
import { lookup } from 'mrmime';
import { ZipFile } from 'yazl';
import { db, type Executor, type Tx } from '#db/client.ts';
import {
  type CourseContent,
  type CourseFault,
  CourseFileError,
  lessonColumns,
  lessonFiles,
  lessonOfRow,
  linesOf,
  readCourse,
  referencesOf,
  writeCourse,
} from './course-format.server.ts';
import { isOwnFile } from './lesson-format.server.ts';
import { type CourseLesson, lessonFormatOf } from './lesson-formats.server.ts';
import {
  COURSE_FIELD_NAMES,
  COURSE_FIELDS,
  columnsOf,
  typedValue,
  valuesOf,
} from '#src/features/authoring/courses/course-fields.ts';
import { categories, courses, lessons } from '#db/schema/catalogue.ts';
import { questionOfRow } from '#src/features/lessons/types/quiz/question.ts';
import { lessonProgress, quizQuestions } from '#db/schema/learn.ts';
import { storedFiles } from '#db/schema/machinery.ts';
import { scenarios } from '#db/schema/scenario.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { isSafeAddress } from '#src/features/catalogue/catalogue.ts';
import {
  addLessons,
  changeLesson,
  deleteLessons,
  type LessonRow,
  type LessonToWrite,
  lockCourse,
  type Place,
  placeLessons,
} from '#src/features/lessons/lesson-store.server.ts';
import { recomputeCourse } from '#src/features/learn/progress/learn.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { env } from '#src/server/start/env.ts';
import { checkFile, extensionOf, fileStore, saveFile } from '#src/server/files/files.ts';
import { withUpload } from '#src/server/files/uploads.ts';
import { AppError } from '#src/shared/errors.ts';
import { slugOf } from '#src/shared/slug.ts';
import { counted } from '#src/shared/counted.ts';
import { ARCHIVE_MAX_BYTES, type ImportPlan, type ImportRow, planSummary } from './course-files.ts';
import { type UnpackedCourse, withUnpackedCourse } from './course-zip.server.ts';
import { LESSONS_MAX } from '#src/features/authoring/lesson-editor/schema.ts';

const noCourse = () => new AppError('not_found', 'Course not found');

type Stored = typeof storedFiles.$inferSelect;

/** A course of the database as files, with the rows and bytes that they are made of. */
interface StoredCourse {
  row: typeof courses.$inferSelect;
  content: CourseContent;
  lessons: { row: LessonRow; lesson: CourseLesson; questions: (typeof quizQuestions.$inferSelect)[] }[];
  /** Path inside the course's folder → what is stored under it. */
  files: Map<string, Stored>;
}

/** A name for files. */
const nameFor = (title: string) => slugOf(title, 60) || 'untitled';

async function readStored(executor: Executor, courseId: number): Promise<StoredCourse> {
  const [row] = await executor.select().from(courses).where(eq(courses.id, courseId));
  if (!row) throw noCourse();
  const rows = await executor
    .select()
    .from(lessons)
    .where(eq(lessons.courseId, courseId))
    .orderBy(asc(lessons.order), asc(lessons.id));
  const ids = rows.map(({ id }) => id);
  const none = ids.length === 0;
  const questions = none
    ? []
    : await executor
        .select()
        .from(quizQuestions)
        .where(inArray(quizQuestions.lessonId, ids))
        .orderBy(asc(quizQuestions.order), asc(quizQuestions.id));
  const definitions = none
    ? []
    : await executor
        .select({ lessonId: scenarios.lessonId, definition: scenarios.definition })
        .from(scenarios)
        .where(inArray(scenarios.lessonId, ids));
  const addresses = [
    row.thumbnail,
    ...rows.flatMap(({ fileUrl, captionsUrl }) => [fileUrl, captionsUrl]),
  ].filter((address): address is string => address !== null && /^\/(media|files)\//.test(address));
  const stored = new Map(
    (addresses.length === 0
      ? []
      : await executor.select().from(storedFiles).where(inArray(storedFiles.path, addresses))
    ).map((file) => [file.path, file]),
  );

  const files = new Map<string, Stored>();
  const names = new Map<string, string>();
  /** A file's name in the course's folder; addresses of elsewhere stay as they are. */
  const nameOf = (address: string | null): string | null => {
    const file = address ? stored.get(address) : undefined;
    if (!file) return address || null;
    const known = names.get(file.path);
    if (known) return known;
    const wanted = file.path.split('/').at(-1)!;
    const dot = wanted.lastIndexOf('.');
    const [stem, ending] = dot > 0 ? [wanted.slice(0, dot), wanted.slice(dot)] : [wanted, ''];
    let name = wanted;
    for (let more = 2; files.has(`files/${name}`); more += 1) name = `${stem}-${more}${ending}`;
    files.set(`files/${name}`, file);
    names.set(file.path, name);
    return name;
  };
  const width = Math.max(2, String(rows.length).length);
  const content = rows.map((lesson, index) => ({
    row: lesson,
    questions: questions.filter(({ lessonId }) => lessonId === lesson.id),
    lesson: lessonOfRow(lesson, {
      name: `${String(index + 1).padStart(width, '0')}-${nameFor(lesson.title)}`,
      file: nameOf(lesson.fileUrl),
      captions: nameOf(lesson.captionsUrl),
      questions: questions.filter(({ lessonId }) => lessonId === lesson.id).map(questionOfRow),
      definition: definitions.find(({ lessonId }) => lessonId === lesson.id)?.definition ?? null,
      courseLevel: row.level,
    }),
  }));
  const picture = stored.get(row.thumbnail);
  const thumbnail = picture ? `thumbnail.${extensionOf(picture.path) || 'bin'}` : row.thumbnail;
  if (picture) files.set(thumbnail, picture);
  return {
    row,
    lessons: content,
    files,
    content: {
      ...valuesOf(row),
      thumbnail,
      content: content.map(({ lesson }) => lesson),
    },
  };
}

/** Texts compress; pictures, films and archives are compressed already. */
const PACKED = /\.(png|jpe?g|gif|webp|avif|mp4|webm|mp3|pdf|zip|docx|xlsx|pptx)$/i;
// The same course gives the same bytes whenever it is exported.
const NO_MOMENT = { mtime: new Date(1980, 0, 1), mode: 0o100_644, forceDosTimestamp: true } as const;

/**
 * A course as an archive of files, in the format of the demo catalogue.
 *
 * @throws {AppError} not_found without such a course
 */
export async function exportCourse(
  courseId: number,
): Promise<{ name: string; body: ReadableStream<Uint8Array> }> {
  const course = await db().transaction((tx) => readStored(tx, courseId), {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  });
  const slug = course.row.slug ?? nameFor(course.row.title);
  const zip = new ZipFile();
  for (const [path, source] of writeCourse(course.content)) {
    zip.addBuffer(Buffer.from(source, 'utf8'), `${slug}/${path}`, { ...NO_MOMENT, compress: true });
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
  // A file that cannot be read breaks the download off, instead of leaving it out of a course that looks whole.
  zip.on('error', (error) => output.destroy(error as Error));
  return { name: `${slug}.zip`, body: Readable.toWeb(output) as ReadableStream<Uint8Array> };
}

/** The parts that a person would tell apart in lessons of every type. */
const PART_LABELS: Record<string, string> = {
  title: 'Title',
  section: 'Section',
  duration: 'Duration',
  isPreview: 'Free preview',
  requiredToComplete: 'Required',
  points: 'Points',
  difficulty: 'Difficulty',
  content: 'Content',
  instructions: 'Instructions',
};

/** A lesson as it compares: the name of its files says nothing, the bytes of its file do. */
function comparable(lesson: CourseLesson, digestOf: (reference: string) => string): CourseLesson {
  const files = referencesOf(lesson).map(([key, reference]) => [key, digestOf(reference)]);
  return { ...lesson, name: 'lesson', ...Object.fromEntries(files) };
}

/** Labels of a course's fields that differ; an import does not touch its visibility. */
function fieldDifferences(before: CourseContent, after: CourseContent): string[] {
  return COURSE_FIELD_NAMES.filter(
    (name) => name !== 'isActive' && typedValue(name, before).trim() !== typedValue(name, after).trim(),
  ).map((name) => COURSE_FIELDS[name].label);
}

function lessonDifferences(before: CourseLesson, after: CourseLesson): string[] {
  const told = (lesson: CourseLesson) => JSON.stringify([...lessonFiles(lesson)]);
  if (told(before) === told(after)) return [];
  const [old, now] = [before, after] as unknown as Record<string, unknown>[];
  const labels: Record<string, string> = { ...PART_LABELS, ...lessonFormatOf(after.type).labels };
  const parts = Object.entries(labels).filter(([part]) => {
    const [a, b] = [old![part], now![part]];
    return !isDeepStrictEqual(typeof a === 'string' ? a.trim() : a, typeof b === 'string' ? b.trim() : b);
  });
  return parts.length > 0 ? parts.map(([, label]) => label) : ['Spelling'];
}

interface Match {
  lesson: CourseLesson;
  /** The lesson that it changes; null for a new one. */
  before: StoredCourse['lessons'][number] | null;
  changed: string[];
}

interface Plan {
  shown: ImportPlan;
  matches: Match[];
  removed: StoredCourse['lessons'];
  courseChanged: boolean;
}

/** Finds for each lesson of the files the one that it is a version of: by the name of its file, then by its title. */
function matchLessons(
  course: CourseContent,
  stored: StoredCourse | null,
): Map<CourseLesson, StoredCourse['lessons'][number]> {
  const free = new Set(stored?.lessons ?? []);
  const found = new Map<CourseLesson, StoredCourse['lessons'][number]>();
  for (const isSame of [
    (a: CourseLesson, b: CourseLesson) => a.name === b.name && a.title === b.title,
    (a: CourseLesson, b: CourseLesson) => a.title === b.title && a.section === b.section,
    (a: CourseLesson, b: CourseLesson) => a.title === b.title,
    (a: CourseLesson, b: CourseLesson) => a.name === b.name,
  ]) {
    for (const lesson of course.content) {
      if (found.has(lesson)) continue;
      // The type of a lesson cannot be changed: learners' results are of that type.
      const match = [...free].find((one) => one.lesson.type === lesson.type && isSame(one.lesson, lesson));
      if (!match) continue;
      found.set(lesson, match);
      free.delete(match);
    }
  }
  return found;
}

async function makePlan(
  executor: Executor,
  course: CourseContent,
  folder: UnpackedCourse,
  courseId: number | null,
): Promise<Plan & { stored: StoredCourse | null }> {
  const stored = courseId === null ? null : await readStored(executor, courseId);
  const newDigest = (place: string) => (reference: string) =>
    isOwnFile(reference) ? (folder.binaries.get(`${place}${reference}`)?.sha256 ?? reference) : reference;
  const oldDigest = (place: string) => (reference: string) =>
    stored?.files.get(`${place}${reference}`)?.sha256 ?? reference;
  const found = matchLessons(course, stored);
  const removed = (stored?.lessons ?? []).filter((one) => ![...found.values()].includes(one));
  // Places among those that stay: a lesson that is only pushed down by a new one has not moved.
  const staying = (stored?.lessons ?? []).filter((one) => !removed.includes(one));
  const arriving = course.content.flatMap((lesson) => found.get(lesson) ?? []);
  const matches = course.content.map((lesson): Match => {
    const before = found.get(lesson) ?? null;
    if (!before) return { lesson, before, changed: [] };
    const changed = lessonDifferences(
      comparable(before.lesson, oldDigest('files/')),
      comparable(lesson, newDigest('files/')),
    );
    if (staying.indexOf(before) !== arriving.indexOf(before)) changed.push('Place');
    return { lesson, before, changed };
  });
  const told = (content: CourseContent, digestOf: (reference: string) => string) => ({
    ...content,
    thumbnail: digestOf(content.thumbnail),
  });
  const courseDetails = stored
    ? fieldDifferences(told(stored.content, oldDigest('')), told(course, newDigest('')))
    : [];
  const completions = await completionsOf(
    executor,
    removed.map(({ row }) => row.id),
  );
  const rows: ImportRow[] = [
    {
      kind: 'course',
      title: course.title,
      change: !stored ? 'new' : courseDetails.length > 0 ? 'changed' : 'unchanged',
      details: courseDetails,
    },
    ...matches.map(
      ({ lesson, before, changed }): ImportRow => ({
        kind: 'lesson',
        title: lesson.title,
        change: !before ? 'new' : changed.length > 0 ? 'changed' : 'unchanged',
        details: changed,
      }),
    ),
    ...removed.map(({ row }): ImportRow => {
      const done = completions.get(row.id) ?? 0;
      const lost = `${counted(done, 'learner')} completed it: their results and points for it go with it`;
      return { kind: 'lesson', title: row.title, change: 'removed', details: done > 0 ? [lost] : [] };
    }),
  ];
  // What the files say and what they meet: if either changes between looking and doing, the plan is another one.
  const digest = createHash('sha256')
    .update(
      JSON.stringify([
        courseId,
        rows,
        [...writeCourse(course)],
        [...folder.binaries].map(([path, { sha256 }]) => [path, sha256]),
        stored?.row.version ?? 0,
        stored?.lessons.map(({ row }) => [row.id, row.version, row.revision, row.order]) ?? [],
      ]),
    )
    .digest('hex');
  return {
    shown: { courseId, title: stored?.row.title ?? course.title, rows, ignored: folder.ignored, digest },
    matches,
    removed,
    courseChanged: courseDetails.length > 0,
    stored,
  };
}

async function completionsOf(executor: Executor, ids: number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await executor
    .select({ lessonId: lessonProgress.lessonId, done: count() })
    .from(lessonProgress)
    .where(and(inArray(lessonProgress.lessonId, ids), eq(lessonProgress.completed, true)))
    .groupBy(lessonProgress.lessonId);
  return new Map(rows.map(({ lessonId, done }) => [lessonId, done]));
}

const PICTURES = ['png', 'jpg', 'jpeg', 'webp', 'avif', 'gif', 'svg'];

/** What the format allows and this site does not take. */
async function checkForSite(course: CourseContent, folder: UnpackedCourse): Promise<void> {
  const faults: CourseFault[] = [];
  const known = new Map<string, ReturnType<typeof linesOf>>();
  const at = async (file: string, field: string, message: string, offset = 0) => {
    let lineOf = known.get(file);
    if (!lineOf) {
      const source = await folder.text(file);
      lineOf = linesOf(offset === 0 ? source : (/^---\r?\n(.*?)\r?\n---/s.exec(source)?.[1] ?? ''));
      known.set(file, lineOf);
    }
    faults.push({ file, field, message, line: lineOf(field.split('.')) + offset });
  };
  const [category] = await db()
    .select({ id: categories.id })
    .from(categories)
    .where(eq(categories.id, course.categoryId));
  if (!category) await at('course.yaml', 'category', 'There is no such category');
  if (course.content.length > LESSONS_MAX) {
    await at('course.yaml', 'lessons', `A course has at most ${LESSONS_MAX} lessons`);
  }
  if (
    course.thumbnail !== '' &&
    (isOwnFile(course.thumbnail)
      ? !PICTURES.includes(extensionOf(course.thumbnail))
      : !isSafeAddress(course.thumbnail))
  ) {
    await at('course.yaml', 'thumbnail', 'must be a picture of the course, or an https:// address');
  }
  const used = new Set(isOwnFile(course.thumbnail) ? [course.thumbnail] : []);
  for (const lesson of course.content) {
    for (const [field, reference] of referencesOf(lesson)) {
      if (isOwnFile(reference)) used.add(`files/${reference}`);
      else if (!isSafeAddress(reference)) {
        await at(
          `lessons/${lesson.name}.md`,
          field,
          'must be a file of the course, or an https:// address',
          1,
        );
      }
    }
  }
  for (const path of used) {
    try {
      await checkFile(folder.binaries.get(path)!);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      faults.push({ file: path, line: null, field: '', message: error.message });
    }
  }
  // What nothing refers to is kept out of the site.
  folder.ignored.push(...[...folder.binaries.keys()].filter((path) => !used.has(path)));
  if (faults.length > 0) throw new CourseFileError(faults);
}

/** Faults that an answer lists at most; who mends these finds the others. */
const FAULTS_SHOWN = 100;

/**
 * Receives a course's archive: says what it would change, or does it, in one transaction.
 *
 * @throws {AppError} invalid_input with `faults` for files that are no course; not_found for a course that is not there;
 *   conflict where something changed since the plan was shown
 */
export async function receiveCourse(
  actor: Actor & { id: number },
  request: Request,
): Promise<{ plan: ImportPlan; appliedTo: number | null }> {
  return withUpload(request, { maxBytes: ARCHIVE_MAX_BYTES }, async ({ file, fields }) => {
    const refuseField = (field: string, message: string) =>
      new AppError('invalid_input', message, { fields: { [field]: message } });
    if (!file || file.size === 0) throw refuseField('file', file ? 'The file is empty' : 'Choose a file');
    const { courseId: asked = '', digest = '' } = fields;
    if (!/^([1-9]\d{0,9})?$/.test(asked) || Number(asked) > 2_147_483_647) {
      throw refuseField('courseId', 'Choose a course');
    }
    const courseId = asked === '' ? null : Number(asked);
    const scratch = join(env().dataDir, 'uploads', randomBytes(16).toString('hex'));
    try {
      return await withUnpackedCourse(file.file, scratch, async (folder) => {
        const course = await readCourse(folder);
        await checkForSite(course, folder);
        if (digest === '') {
          return { plan: (await makePlan(db(), course, folder, courseId)).shown, appliedTo: null };
        }
        // The bytes travel before the transaction: an object store may be slow.
        for (const own of ownFiles(course)) {
          const { sha256, file: path, size } = folder.binaries.get(own)!;
          await fileStore().put(sha256, { file: path }, size);
        }
        return retryOnConflict(() =>
          db().transaction((tx) => apply(tx, actor, { course, folder, courseId, digest })),
        );
      });
    } catch (error) {
      if (!(error instanceof CourseFileError)) throw error;
      const { file: path, line, field, message } = error.faults[0]!;
      const more =
        error.faults.length > 1 ? ` (and ${counted(error.faults.length - 1, 'more mistake')})` : '';
      const sentence = `${path}${line === null ? '' : `, line ${line}`}: ${field ? `${field}: ` : ''}${message}${more}`;
      throw new AppError('invalid_input', sentence, {
        fields: { file: sentence },
        extra: { faults: error.faults.slice(0, FAULTS_SHOWN) },
        cause: error,
      });
    }
  });
}

/** Paths of the files that a course refers to and brings along. */
function ownFiles(course: CourseContent): string[] {
  const references = course.content.flatMap(referencesOf).map(([, reference]) => reference);
  return [
    ...(isOwnFile(course.thumbnail) ? [course.thumbnail] : []),
    ...references.filter(isOwnFile).map((reference) => `files/${reference}`),
  ];
}

async function apply(
  tx: Tx,
  actor: Actor & { id: number },
  {
    course,
    folder,
    courseId,
    digest,
  }: { course: CourseContent; folder: UnpackedCourse; courseId: number | null; digest: string },
): Promise<{ plan: ImportPlan; appliedTo: number }> {
  if (courseId !== null) await lockCourse(tx, courseId);
  const { shown, matches, removed, courseChanged, stored } = await makePlan(tx, course, folder, courseId);
  if (shown.digest !== digest) {
    throw new AppError(
      'conflict',
      'The course or the file has changed since you looked. Look at the changes again.',
      {
        extra: { plan: shown },
      },
    );
  }
  const present = new Map([...(stored?.files ?? [])].map(([, file]) => [file.sha256, file]));
  const kept = new Map<string, Stored>();
  /** The stored file of a reference: the one that the course has already where the bytes are the same. */
  const keep = async (path: string, area: 'media' | 'files'): Promise<Stored> => {
    const known = kept.get(path);
    if (known) return known;
    const binary = folder.binaries.get(path)!;
    const same = present.get(binary.sha256);
    const file = same?.path.startsWith(`/${area}/`) ? same : await saveFile({ ...binary, area }, tx);
    kept.set(path, file);
    return file;
  };
  const thumbnail = isOwnFile(course.thumbnail)
    ? (await keep(course.thumbnail, 'media')).path
    : course.thumbnail;
  const fields = columnsOf({ ...course, thumbnail, isActive: undefined });
  let id = courseId;
  if (id === null) {
    const slug = folder.slug && /^[a-z0-9-]{1,80}$/.test(folder.slug) ? folder.slug : null;
    const [taken] = slug
      ? await tx.select({ id: courses.id }).from(courses).where(eq(courses.slug, slug))
      : [];
    const [made] = await tx
      .insert(courses)
      .values({ ...fields, slug: taken ? null : slug, isActive: false, createdBy: actor.id })
      .returning({ id: courses.id });
    id = made!.id;
  } else if (courseChanged) {
    await tx
      .update(courses)
      .set({ ...fields, version: sql`${courses.version} + 1`, updatedAt: sql`now()` })
      .where(eq(courses.id, id));
  }
  await deleteLessons(
    tx,
    removed.map(({ row }) => row.id),
  );
  const places: Place[] = [];
  for (const [index, { lesson, before, changed }] of matches.entries()) {
    if (before && changed.length === 0) {
      places.push(before.row);
      continue;
    }
    const written = await lessonToWrite(lesson, before, course.level, keep);
    const [row] = before
      ? [await changeLesson(tx, before.row.id, written)]
      : await addLessons(tx, id, [written], index + 1);
    places.push(row!);
  }
  await placeLessons(tx, id, places);
  if (courseId !== null) await recomputeCourse(tx, id);
  await recordAudit(tx, actor, {
    action: 'course.imported',
    subjectType: 'course',
    subjectId: id,
    details: { title: course.title, changes: planSummary(shown.rows) },
  });
  return { plan: shown, appliedTo: id };
}

/** A lesson of the files as it is to be; its own files are kept on the way. */
async function lessonToWrite(
  lesson: CourseLesson,
  before: Match['before'],
  level: CourseContent['level'],
  keep: (path: string, area: 'media' | 'files') => Promise<Stored>,
): Promise<LessonToWrite> {
  const { file: reference, captions } = Object.fromEntries(referencesOf(lesson));
  const keepOwn = async (name: string | undefined) =>
    name && isOwnFile(name) ? keep(`files/${name}`, 'files') : null;
  const file = await keepOwn(reference);
  const elsewhere = reference && !file ? reference : null;
  const written = lessonColumns(lesson, level);
  // A question that says the same stays the same one, so that attempts still name it.
  const free = [...(before?.questions ?? [])];
  return {
    ...written,
    fileUrl: file?.path ?? elsewhere,
    fileSize: file?.size ?? null,
    // Never opened from here (fault U2): an address of somebody else says nothing reliable about its file.
    mimeType: file?.mimeType ?? (elsewhere ? (lookup(elsewhere.replace(/[?#].*$/, '')) ?? null) : null),
    captionsUrl: (await keepOwn(captions))?.path ?? captions ?? null,
    questions: written.questions?.map((question) => {
      const at = free.findIndex((one) => one.question === question.question);
      return { ...question, id: at === -1 ? null : free.splice(at, 1)[0]!.id };
    }),
  };
}
