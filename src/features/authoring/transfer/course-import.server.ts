import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { and, eq, sql } from 'drizzle-orm';
import { typeByName } from '#src/server/files/types-by-name.ts';
import { db, type Tx } from '#db/client.ts';
import { categories, courses } from '#db/schema/catalogue.ts';
import { storeFile } from '#db/stored-files.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { columnsOf } from '#src/features/authoring/courses/course-fields.ts';
import {
  addPrepared,
  forgetPrepared,
  type PreparedPicture,
  preparePicture,
} from '#src/features/authoring/media/pictures.server.ts';
import { placedBefore } from '#src/features/authoring/lesson-editor/list/sections.ts';
import { ALT_MAX } from '#src/features/authoring/media/schema.ts';
import { dropUnchanged } from '#src/features/authoring/changes/switch.server.ts';
import { letPassAgain } from '#src/features/authoring/publishing/finding-overrides.server.ts';
import { picturesOf } from '#src/features/authoring/publishing/check-links.server.ts';
import { recomputeCourse } from '#src/features/learn/progress/completion.server.ts';
import {
  addLessons,
  changeLesson,
  deleteLessons,
  type LessonToWrite,
  type Place,
  placeLessons,
  setChanged,
  setOpenings,
} from '#src/features/lessons/lesson-store.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { fileStore, saveFile } from '#src/server/files/files.ts';
import { KEPT_FREE_BYTES } from '#src/server/files/resumable.ts';
import { archiveUploadFolder } from '#src/server/files/uploads.ts';
import { isOwnCourse, lockForChange, shownId } from '#src/features/lessons/working-copy.server.ts';
import { env } from '#src/server/start/env.ts';
import { counted } from '#src/shared/counted.ts';
import { AppError } from '#src/shared/errors.ts';
import { withArchive } from './archive-uploads.server.ts';
import { keepConverted, originalsOf } from './archive-videos.server.ts';
import { textsOf, toSite, withTexts } from './archive-pictures.server.ts';
import { checkCourseFiles } from './check-files.server.ts';
import type { Stored } from './course-export.server.ts';
import { planSummary } from './course-files.ts';
import { type CourseContent, CourseFileError, type ReadCourse } from './course-format.server.ts';
import { lessonColumns, openingsByName } from './lesson-rows.server.ts';
import { type UnpackedCourse, withUnpackedCourse } from './course-zip.server.ts';
import { type FilesToRead, makePlan, type Match } from './import-plan.server.ts';
import { isOwnFile } from '#src/features/lessons/lesson-format.server.ts';
import type { CourseLesson } from './lesson-formats.server.ts';
import type { CourseFault, ImportInput, ImportPlan } from './schema.ts';

const FAULTS_SHOWN = 100;

async function courseOfFiles(
  { exportedFrom, course }: ReadCourse,
  slug: string | null,
): Promise<number | null> {
  const [, id] = exportedFrom?.startsWith(`${env().siteUrl}/`)
    ? (/\/courses\/([1-9]\d{0,9})$/.exec(exportedFrom) ?? [])
    : [];
  const named = [
    ...(id && Number(id) <= 2_147_483_647 ? [eq(courses.id, Number(id))] : []),
    ...(slug ? [eq(courses.slug, slug)] : []),
    ...(course ? [eq(courses.title, course.title)] : []),
  ];
  for (const condition of named) {
    const found = await db()
      .select({ id: courses.id })
      .from(courses)
      .where(and(condition, isOwnCourse))
      .limit(2);
    if (found.length === 1) return found[0]!.id;
  }
  return null;
}

/** A course's id, null for a new one, or the course that the files were exported from. */
export type ImportTarget = number | null | 'source';

/**
 * Says what the files of a course would change, or does it in one transaction.
 * @param digest of the confirmed plan; '' only looks
 * @param newVersions ids of changed lessons that are new versions for those who completed them
 * @throws {CourseFileError} with every mistake in the files
 * @throws {AppError} not_found; conflict where something changed since the plan was shown
 */
export async function importCourse(
  actor: Actor,
  folder: UnpackedCourse,
  {
    target,
    digest,
    newVersions = [],
  }: { target: ImportTarget; digest: string; newVersions?: readonly number[] },
): Promise<{ plan: ImportPlan; appliedTo: number | null }> {
  const present = await db().select({ id: categories.id }).from(categories);
  const read = await checkCourseFiles(folder, new Set(present.map(({ id }) => id)));
  const { course, faults, ignored, pictures: names } = read;
  if (faults.length > 0 || !course) throw new CourseFileError(faults);
  const courseId = target === 'source' ? await courseOfFiles(read, folder.slug) : target;
  const files = { course, folder, courseId, ignored, names };
  const { shown: plan, pictures } = await makePlan(db(), files);
  if (digest === '') return { plan, appliedTo: null };
  const made = new Map<string, PreparedPicture>();
  let answer: { plan: ImportPlan; appliedTo: number } | null = null;
  // Before the transaction: an object store may be slow.
  try {
    for (const own of read.files) {
      const { sha256, file: path, size } = folder.binaries.get(own)!;
      await fileStore().put(sha256, { file: path }, size);
    }
    for (const name of names.filter((one) => !pictures.has(one))) {
      const file = folder.binaries.get(`pictures/${name}`)!;
      if (!made.has(file.sha256)) made.set(file.sha256, await preparePicture(file));
    }
    answer = await retryOnConflict(() =>
      db().transaction((tx) => apply(tx, actor, { ...files, digest, newVersions, made })),
    );
    return answer;
  } finally {
    if (!answer) for (const picture of made.values()) await forgetPrepared(picture);
  }
}

/**
 * `importCourse` for an uploaded archive.
 * @throws {AppError} invalid_input with `faults`; those of `importCourse` and `withArchive`
 */
export async function receiveCourse(
  actor: { id: number; name: string },
  { upload, courseId, digest, newVersions }: ImportInput,
): Promise<{ plan: ImportPlan; appliedTo: number | null }> {
  const scratch = join(archiveUploadFolder(), `${upload}.${randomBytes(8).toString('hex')}`);
  try {
    return await withArchive({ id: upload, userId: actor.id, isLast: digest !== '' }, (path) =>
      withUnpackedCourse(
        path,
        scratch,
        (folder) => importCourse(actor, folder, { target: courseId ?? null, digest, newVersions }),
        { maxBytes: env().courseMaxBytes, keptFreeBytes: KEPT_FREE_BYTES },
      ),
    );
  } catch (error) {
    if (!(error instanceof CourseFileError)) throw error;
    const more = error.faults.length > 1 ? ` (and ${counted(error.faults.length - 1, 'more mistake')})` : '';
    const sentence = `${faultText(error.faults[0]!)}${more}`;
    throw new AppError('invalid_input', sentence, {
      fields: { upload: sentence },
      extra: { faults: error.faults.slice(0, FAULTS_SHOWN) },
      cause: error,
    });
  }
}

/** Such as "lessons/one.md, line 4: file: names a file that is missing". */
export function faultText({ file, line, field, message }: CourseFault): string {
  return `${file}${line === null ? '' : `, line ${line}`}: ${field ? `${field}: ` : ''}${message}`;
}

async function apply(
  tx: Tx,
  actor: Actor,
  {
    digest,
    newVersions,
    made,
    ...files
  }: FilesToRead & {
    digest: string;
    newVersions: readonly number[];
    made: ReadonlyMap<string, PreparedPicture>;
  },
): Promise<{ plan: ImportPlan; appliedTo: number }> {
  const { folder, courseId } = files;
  const working = courseId === null ? null : await lockForChange(tx, courseId);
  const { shown, matches, removed, courseChanged, stored, pictures } = await makePlan(tx, files);
  if (shown.digest !== digest) {
    throw changedMeanwhile(shown);
  }
  const told = new Set(shown.rows.map(({ completed }) => completed?.lessonId));
  if (newVersions.some((lesson) => !told.has(lesson))) {
    const message = 'A new version must be a lesson that these files change and that learners have completed';
    throw new AppError('invalid_input', message, { fields: { newVersions: message } });
  }
  const present = new Map([...(stored?.files ?? [])].map(([, file]) => [file.sha256, file]));
  const originals = originalsOf(files.course.content);
  const kept = new Map<string, Stored>();
  const keep = async (path: string, area: 'media' | 'files'): Promise<Stored> => {
    const known = kept.get(path);
    if (known) return known;
    const binary = { ...folder.binaries.get(path)!, area };
    const same = present.get(binary.sha256);
    // Browsers may not know the type of a converted video's original; they never play it.
    const mimeType = originals.has(path) ? typeByName(path) : undefined;
    const file = same?.path.startsWith(`/${area}/`)
      ? same
      : mimeType?.startsWith('video/')
        ? await storeFile(tx, fileStore(), { ...binary, mimeType })
        : await saveFile(binary, tx);
    kept.set(path, file);
    return file;
  };
  const { thumbnail } = files.course;
  const addressOf = (name: string) =>
    pictures.get(name) ?? made.get(folder.binaries.get(`pictures/${name}`)?.sha256 ?? '')?.path ?? null;
  const onSite = (text: string) => toSite(text, addressOf);
  const course: CourseContent = {
    ...files.course,
    thumbnail: isOwnFile(thumbnail) ? (await keep(thumbnail, 'media')).path : thumbnail,
    description: onSite(files.course.description),
    content: files.course.content.map((lesson) => withTexts(lesson, onSite)),
  };
  const fields = columnsOf({ ...course, isActive: undefined });
  let id = courseId;
  if (id === null) {
    const named = /^[a-z0-9-]{1,80}$/.test(folder.slug ?? '') ? folder.slug : null;
    const slug = named && (await tx.$count(courses, eq(courses.slug, named))) === 0 ? named : null;
    const [made] = await tx
      .insert(courses)
      .values({ ...fields, slug, isActive: false, createdBy: actor.id })
      .returning({ id: courses.id });
    id = made!.id;
  } else if (courseChanged) {
    await tx
      .update(courses)
      .set({ ...fields, version: sql`${courses.version} + 1`, updatedAt: sql`now()` })
      .where(eq(courses.id, id));
  }
  const lessonsId = working?.id ?? id;
  for (const prepared of made.values()) {
    const alt = altOf(files.course, prepared.file.originalName);
    // The same picture was added meanwhile, so the plan is another one.
    if ((await addPrepared(tx, id, prepared, alt)) === null) throw changedMeanwhile(shown);
  }
  // A lesson may wait for a new one that comes after it.
  const idOf = new Map(
    matches.flatMap(({ lesson, before }) => (before ? [[lesson.name, shownId(before.row)]] : [])),
  );
  const rowOf = new Map<string, number>();
  await deleteLessons(
    tx,
    removed.map(({ row }) => row.id),
  );
  const places: Place[] = [];
  for (const [index, { before, changed }] of matches.entries()) {
    const lesson = course.content[index]!;
    if (before && changed.length === 0) {
      places.push(before.row);
      continue;
    }
    const written = await lessonToWrite(lesson, before, course.level, keep);
    await keepConverted(tx, lesson, {
      ...{ courseId: id, by: actor.id, path: written.fileUrl, binaries: folder.binaries },
    });
    const [row] = before
      ? [await changeLesson(tx, before.row.id, written, actor.id)]
      : await addLessons(tx, lessonsId, [written], index + 1);
    idOf.set(lesson.name, shownId(row!));
    rowOf.set(lesson.name, row!.id);
    if (newVersions.includes(row!.id)) await setChanged(tx, row!.id);
    places.push(row!);
  }
  const opened = course.content.filter(({ name }) => rowOf.has(name));
  await setOpenings(tx, openingsByName(opened, idOf, rowOf));
  await placeLessons(tx, lessonsId, places);
  if (courseId === null || courseChanged) {
    const emptySections = placedBefore(course.empty ?? [], (before) => idOf.get(before) ?? null);
    await tx.update(courses).set({ emptySections }).where(eq(courses.id, id));
  }
  for (const [at, { letPass }] of matches.entries()) await letPassAgain(tx, actor, places[at]!.id, letPass);
  if (working) {
    await recomputeCourse(tx, working.id);
    await dropUnchanged(tx, working);
  }
  await recordAudit(tx, actor, {
    action: 'course.imported',
    subjectType: 'course',
    subjectId: id,
    details: { title: course.title, changes: planSummary(shown.rows) },
  });
  return { plan: shown, appliedTo: id };
}

const changedMeanwhile = (plan: ImportPlan) =>
  new AppError(
    'conflict',
    'The course or the file has changed since you looked. Look at the changes again.',
    { extra: { plan } },
  );

function altOf(course: CourseContent, name: string): string {
  for (const text of [course.description, ...course.content.flatMap(textsOf)]) {
    const image = picturesOf(text).find(({ address }) => address.endsWith(`pictures/${name}`));
    if (image) return image.alt.slice(0, ALT_MAX);
  }
  return '';
}

async function lessonToWrite(
  lesson: CourseLesson,
  before: Match['before'],
  level: CourseContent['level'],
  keep: (path: string, area: 'media' | 'files') => Promise<Stored>,
): Promise<LessonToWrite> {
  const written = await lessonColumns(lesson, level, async (reference) =>
    isOwnFile(reference)
      ? keep(`files/${reference}`, 'files')
      : // Never opened from here (fault U2): an address of somebody else says nothing reliable about its file.
        { path: reference, size: null, mimeType: typeByName(reference.replace(/[?#].*$/, '')) ?? null },
  );
  // An unchanged question keeps its id, so that attempts still name it.
  const free = [...(before?.questions ?? [])];
  return {
    ...written,
    questions: written.questions?.map((question) => {
      const at = free.findIndex((one) => one.question === question.question);
      const [kept] = at === -1 ? [] : free.splice(at, 1);
      return { ...question, id: kept ? shownId(kept) : null };
    }),
  };
}
