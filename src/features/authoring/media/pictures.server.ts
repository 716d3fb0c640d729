import { createHash } from 'node:crypto';
import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { Turns } from '#db/turns.ts';
import sharp, { type Sharp } from 'sharp';
import { db, type Executor, type Tx } from '#db/client.ts';
import { courses, lessons, pictures } from '#db/schema/catalogue.ts';
import { quizQuestions } from '#db/schema/learn.ts';
import { storedFiles } from '#db/schema/machinery.ts';
import { scenarios } from '#db/schema/scenario.ts';
import { addressName, newPath, removeUnusedBytes, storeFile } from '#db/stored-files.ts';
import {
  checkFile,
  extensionOf,
  fileStore,
  forgetBytes,
  type ReceivedFile,
} from '#src/server/files/files.ts';
import { questionShows } from '#src/features/catalogue/access.server.ts';
import { withUpload } from '#src/server/files/uploads.ts';
import { sendJob } from '#src/server/jobs.ts';
import { workingId } from '#src/features/lessons/working-copy.server.ts';
import { AppError } from '#src/shared/errors.ts';
import { counted } from '#src/shared/counted.ts';
import { PICTURE_MAX_WIDTH, PICTURE_TYPES, type PictureKind, pictureFacts } from '#src/shared/pictures.ts';
import {
  altText,
  PICTURE_ENDINGS,
  PICTURE_MAX_BYTES,
  PICTURE_MAX_PIXELS,
  PICTURES_MAX,
  type PictureModel,
} from './schema.ts';
import { omit } from '#src/shared/pick.ts';

const MAX_HEIGHT = 4000;
const SECONDS_TO_READ = 60;
/** One at a time: each needs the pixels of a whole picture, and a thread of libuv's pool. */
const oneAtATime = new Turns(1);

type OnDisk = Extract<ReceivedFile, { file: string }>;

function refuse(
  message: string,
  code: 'invalid_input' | 'unsupported_media_type' = 'invalid_input',
): AppError {
  return new AppError(code, message, { fields: { file: message } });
}

function kindOf(name: string): PictureKind {
  const ending = extensionOf(name);
  if (ending === 'jpeg') return 'jpg';
  // A still GIF loses nothing as PNG.
  return ending === 'gif' ? 'png' : (ending as PictureKind);
}

/**
 * Checks by its head that a file is a still picture of bearable size; gives its pixels.
 * @throws {AppError} invalid_input, unsupported_media_type
 */
export async function checkPicture(file: OnDisk): Promise<number> {
  if (file.size > PICTURE_MAX_BYTES) {
    throw refuse(`The picture is larger than ${PICTURE_MAX_BYTES / 1_048_576} MB.`);
  }
  if (file.size === 0) throw refuse('The file is empty');
  if (!PICTURE_ENDINGS.includes(extensionOf(file.originalName))) {
    throw refuse(`Choose a picture: ${PICTURE_ENDINGS.join(', ')}`, 'unsupported_media_type');
  }
  await checkFile(file);
  const {
    width,
    height,
    pages = 1,
  } = await sharp(file.file, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw damaged();
    });
  if (pages > 1 || Buffer.from(file.head).includes('acTL')) {
    throw refuse('The picture moves, which readers cannot stop. Upload a still one, or a video.');
  }
  if (width * height > PICTURE_MAX_PIXELS) {
    const megapixels = (pixels: number) => Math.round(pixels / 1_000_000);
    throw refuse(
      `The picture has ${megapixels(width * height)} megapixels; at most ${megapixels(PICTURE_MAX_PIXELS)} are taken.`,
    );
  }
  return width * height;
}

/**
 * Decodes a whole picture, which finds a cut-off one.
 * @throws {AppError} invalid_input
 */
export async function readWholePicture(file: OnDisk): Promise<void> {
  await oneAtATime
    .run(() =>
      sharp(file.file, { limitInputPixels: PICTURE_MAX_PIXELS, failOn: 'truncated' })
        .timeout({ seconds: SECONDS_TO_READ })
        .resize({ width: 32 })
        .raw()
        .toBuffer(),
    )
    .catch(() => {
      throw damaged();
    });
}

/**
 * A small square WebP, cut to the most striking part.
 * @throws {AppError} as `checkPicture`
 */
export async function squarePicture(file: OnDisk, pixels: number): Promise<Buffer> {
  await checkPicture(file);
  return oneAtATime
    .run(() =>
      sharp(file.file, { limitInputPixels: PICTURE_MAX_PIXELS, failOn: 'truncated' })
        .timeout({ seconds: SECONDS_TO_READ })
        .autoOrient()
        .resize({ width: pixels, height: pixels, fit: 'cover', position: 'attention' })
        .toColourspace('srgb')
        .webp({ quality: 82 })
        .toBuffer(),
    )
    .catch(() => {
      throw damaged();
    });
}

const damaged = () => refuse('The picture is cut off or damaged.');

/** All sizes, upright, in sRGB and without metadata. Decoding also finds a cut-off file. */
async function makeSizes(file: OnDisk) {
  const read = sharp(file.file, { limitInputPixels: PICTURE_MAX_PIXELS, failOn: 'truncated' })
    .timeout({ seconds: SECONDS_TO_READ })
    .autoOrient()
    .resize({ width: PICTURE_MAX_WIDTH, height: MAX_HEIGHT, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' });
  const { data, info } = await read.toBuffer({ resolveWithObject: true }).catch(() => {
    throw damaged();
  });
  const { width, height, channels } = info;
  const stem = addressName(file.originalName)
    .replace(/\.[a-z0-9]+$/, '')
    .replaceAll('.', '-');
  const path = newPath('pictures', `${stem || 'picture'}-${width}x${height}.${kindOf(file.originalName)}`);
  const sizes: { path: string; kind: PictureKind; bytes: Buffer; sha256: string }[] = [];
  for (const size of pictureFacts(path)!.files) {
    const image = sharp(data, { raw: { width, height, channels } }).resize({ width: size.width });
    const bytes = await encoded(image, size.kind).toBuffer();
    sizes.push({ ...size, bytes, sha256: createHash('sha256').update(bytes).digest('hex') });
  }
  return { path, sizes };
}

function encoded(image: Sharp, kind: PictureKind): Sharp {
  switch (kind) {
    case 'avif':
      // More effort saves a tenth of the bytes and takes several times as long.
      return image.avif({ quality: 55, effort: 2 });
    case 'webp':
      return image.webp({ quality: 80 });
    case 'jpg':
      return image.jpeg({ quality: 82, progressive: true });
    case 'png':
      return image.png();
  }
}

async function usesOf(courseId: number, executor: Executor): Promise<{ path: string; titles: string[] }[]> {
  return executor
    .select({
      path: pictures.path,
      // A subquery: the outermost query omits the names of tables, so inner columns would shadow them.
      titles: sql<string[]>`${sql`array(
        select 'Course description' from ${courses}
        where ${courses.id} = ${pictures.courseId} and position(${pictures.path} in ${courses.description}) > 0
        union all
        (select ${lessons.title} from ${lessons}
        where ${lessons.courseId} in (${pictures.courseId}, ${workingId(sql`${pictures.courseId}`)}) and (
          position(${pictures.path} in concat(${lessons.content}, ' ', ${lessons.instructions}, ' ', ${lessons.hints}, ' ', ${lessons.solutionNotes})) > 0
          or exists (select from ${quizQuestions} where ${quizQuestions.lessonId} = ${lessons.id} and ${questionShows(pictures.path)})
          or exists (select from ${scenarios} where ${scenarios.lessonId} = ${lessons.id} and position(${pictures.path} in ${scenarios.definition}::text) > 0))
        group by ${lessons.title} order by min(${lessons.order}))
      )`}`,
    })
    .from(pictures)
    .where(eq(pictures.courseId, courseId));
}

async function checkCourse(courseId: number): Promise<void> {
  const [course] = await db().select({ id: courses.id }).from(courses).where(eq(courses.id, courseId));
  if (!course) throw new AppError('not_found', 'Course not found');
}

const shown = { id: pictures.id, path: pictures.path, name: pictures.name, alt: pictures.alt };

/**
 * The pictures of a course, newest first.
 * @throws {AppError} not_found
 */
export async function listPictures(courseId: number): Promise<PictureModel[]> {
  await checkCourse(courseId);
  const [rows, uses] = await Promise.all([
    db().select(shown).from(pictures).where(eq(pictures.courseId, courseId)).orderBy(desc(pictures.id)),
    usesOf(courseId, db()),
  ]);
  const titles = new Map(uses.map((use) => [use.path, use.titles]));
  return rows.map((row) => ({ ...row, usedIn: titles.get(row.path) ?? [] }));
}

async function modelOf(id: number): Promise<PictureModel> {
  const [row] = await db()
    .select({ ...shown, courseId: pictures.courseId })
    .from(pictures)
    .where(eq(pictures.id, id));
  if (!row) throw new AppError('not_found', 'Picture not found');
  const { courseId, ...picture } = row;
  const use = (await usesOf(courseId, db())).find(({ path }) => path === picture.path);
  return { ...picture, usedIn: use?.titles ?? [] };
}

/**
 * Adds an uploaded picture in all sizes; the same file again gives the existing picture (fault U1).
 * @throws {AppError} not_found, invalid_input, unsupported_media_type, too_large; conflict for a full library
 */
export async function receivePicture(courseId: number, request: Request): Promise<AddedPicture> {
  await checkCourse(courseId);
  return withUpload(request, { maxBytes: PICTURE_MAX_BYTES }, async ({ file, fields }) => {
    if (!file) throw refuse('Choose a picture');
    const alt = altText.safeParse(fields.alt ?? '');
    if (!alt.success) {
      const message = alt.error.issues[0]!.message;
      throw new AppError('invalid_input', message, { fields: { alt: message } });
    }
    await checkPicture(file);
    return addPicture(courseId, file, alt.data);
  });
}

type AddedPicture = PictureModel & { isNew: boolean };

/** Its bytes are stored; no row names them yet. */
export interface PreparedPicture {
  path: string;
  file: OnDisk;
  sizes: Awaited<ReturnType<typeof makeSizes>>['sizes'];
}

/**
 * Stores all sizes of a checked picture, before a transaction: an object store may be slow.
 * @throws {AppError} invalid_input
 */
export async function preparePicture(file: OnDisk): Promise<PreparedPicture> {
  const { path, sizes } = await oneAtATime.run(() => makeSizes(file));
  const prepared = { path, file, sizes };
  try {
    for (const { sha256, bytes } of sizes) await fileStore().put(sha256, bytes, bytes.byteLength);
  } catch (error) {
    await forgetPrepared(prepared);
    throw error;
  }
  return prepared;
}

/** Removes the bytes of a picture that was not added, unless something else names them. */
export async function forgetPrepared({ sizes }: PreparedPicture): Promise<void> {
  for (const { sha256 } of sizes) await removeUnusedBytes(fileStore(), sha256).catch(() => {});
}

/**
 * Adds a prepared picture; null where a colleague added the same file first.
 * @throws {AppError} conflict for a full library
 */
export async function addPrepared(
  tx: Tx,
  courseId: number,
  { path, file, sizes }: PreparedPicture,
  alt: string,
): Promise<number | null> {
  if ((await tx.$count(pictures, eq(pictures.courseId, courseId))) >= PICTURES_MAX) {
    throw new AppError('conflict', `A course has at most ${counted(PICTURES_MAX, 'picture')}.`);
  }
  const [row] = await tx
    .insert(pictures)
    .values({ courseId, path, name: file.originalName, alt, sourceSha256: file.sha256 })
    .onConflictDoNothing({ target: [pictures.courseId, pictures.sourceSha256] })
    .returning({ id: pictures.id });
  if (!row) return null;
  for (const size of sizes) {
    await storeFile(tx, fileStore(), {
      area: 'pictures',
      path: size.path,
      originalName: file.originalName.replace(/\.[^.]*$/, `.${size.kind}`),
      mimeType: PICTURE_TYPES[size.kind],
      bytes: size.bytes,
    });
  }
  return row.id;
}

async function addPicture(courseId: number, file: OnDisk, alt: string): Promise<AddedPicture> {
  const present = async () => {
    const [row] = await db()
      .select({ id: pictures.id })
      .from(pictures)
      .where(and(eq(pictures.courseId, courseId), eq(pictures.sourceSha256, file.sha256)));
    return row ? { ...(await modelOf(row.id)), isNew: false } : null;
  };
  const known = await present();
  if (known) return known;
  const prepared = await preparePicture(file);
  let id: number | null = null;
  try {
    id = await db().transaction((tx) => addPrepared(tx, courseId, prepared, alt));
  } finally {
    // Refused, or a colleague was faster: removes its bytes.
    if (id === null) await forgetPrepared(prepared);
  }
  if (id !== null) return { ...(await modelOf(id)), isNew: true };
  return (await present()) ?? addPicture(courseId, file, alt);
}

/** A course's pictures by the digests of their uploaded and exported files. */
export async function picturesByDigest(executor: Executor, courseId: number): Promise<Map<string, string>> {
  const rows = await executor
    .select({ path: pictures.path, source: pictures.sourceSha256, kept: storedFiles.sha256 })
    .from(pictures)
    .innerJoin(storedFiles, eq(storedFiles.path, pictures.path))
    .where(eq(pictures.courseId, courseId))
    .orderBy(desc(pictures.id));
  return new Map(rows.flatMap(({ path, source, kept }) => [[kept, path] as const, [source, path] as const]));
}

/**
 * Puts pictures into another course's library; both share the bytes.
 * @returns new addresses by the old ones
 * @throws {AppError} conflict for a full library
 */
export async function adoptPictures(
  tx: Tx,
  { from, to, shown }: { from: number; to: number; shown: readonly string[] },
): Promise<Map<string, string>> {
  if (shown.length === 0) return new Map();
  const rows = await tx
    .select()
    .from(pictures)
    .where(and(eq(pictures.courseId, from), inArray(pictures.path, [...shown])));
  const known = await picturesByDigest(tx, to);
  const addresses = new Map<string, string>();
  for (const { path, name, alt, sourceSha256 } of rows) {
    const present = known.get(sourceSha256);
    addresses.set(path, present ?? newPath('pictures', path.split('/').at(-1)!));
    if (present) continue;
    if ((await tx.$count(pictures, eq(pictures.courseId, to))) >= PICTURES_MAX) {
      throw new AppError('conflict', `A course has at most ${counted(PICTURES_MAX, 'picture')}.`);
    }
    const copy = addresses.get(path)!;
    await tx.insert(pictures).values({ courseId: to, path: copy, name, alt, sourceSha256 });
    const copies = pictureFacts(copy)!.files;
    for (const [at, size] of pictureFacts(path)!.files.entries()) {
      // Locked against removal of its bytes.
      const [file] = await tx.select().from(storedFiles).where(eq(storedFiles.path, size.path)).for('share');
      if (!file) continue;
      const columns = omit(file, ['id', 'createdAt']);
      await tx.insert(storedFiles).values({ ...columns, path: copies[at]!.path });
    }
  }
  return addresses;
}

/**
 * Texts that show it already keep their words.
 * @throws {AppError} not_found
 */
export async function describePicture(id: number, alt: string): Promise<PictureModel> {
  await db().update(pictures).set({ alt }).where(eq(pictures.id, id));
  return modelOf(id);
}

/** @throws {AppError} not_found; conflict while a text shows it */
export async function removePicture(id: number): Promise<{ removed: true }> {
  return db().transaction(async (tx) => {
    const [row] = await tx
      .select({ path: pictures.path, courseId: pictures.courseId })
      .from(pictures)
      .where(eq(pictures.id, id))
      .for('update');
    if (!row) throw new AppError('not_found', 'Picture not found');
    const use = (await usesOf(row.courseId, tx)).find(({ path }) => path === row.path);
    if (use && use.titles.length > 0) {
      throw new AppError('conflict', `The picture is shown in: ${use.titles.join(', ')}.`);
    }
    await tx.delete(pictures).where(eq(pictures.id, id));
    const paths = pictureFacts(row.path)!.files.map(({ path }) => path);
    const gone = await tx
      .delete(storedFiles)
      .where(inArray(storedFiles.path, paths))
      .returning({ sha256: storedFiles.sha256 });
    for (const bytes of gone) await sendJob(tx, forgetBytes, bytes);
    return { removed: true as const };
  });
}
