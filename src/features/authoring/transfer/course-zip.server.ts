import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, validateFileName, type ZipFile } from 'yauzl';
import { CourseFileError, type CourseFolder, faultOf } from './course-format.server.ts';
import { VIDEO_MAX_BYTES } from '#src/features/authoring/media/schema.ts';
import type { CourseFault } from './schema.ts';
import { AppError } from '#src/shared/errors.ts';
import type { ReceivedFile } from '#src/server/files/files.ts';

export const ZIP_LIMITS = {
  entries: 3000,
  /** Default for the bytes of all files, unpacked. */
  totalBytes: 400 * 1_048_576,
  /** Bytes of one text, and of all texts: these are in memory. */
  textBytes: 1_048_576,
  allTextBytes: 32 * 1_048_576,
  /** Unpacked bytes per packed byte: text has about 10, a bomb 1000. */
  ratio: 150,
  /** Smaller files may have any ratio. */
  ratioFromBytes: 262_144,
} as const;

const HEAD_BYTES = 8192;
export const TEXTS = /^(course\.yaml|lessons\/[^/]+\.md|scenarios\/[^/]+\.yaml|code\/[^/]+)$/;
export const BINARIES = /^((files|pictures)\/[^/]+|[^/]+\.[a-z0-9]+)$/i;
const CLUTTER = /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i;

type FileOnDisk = Extract<ReceivedFile, { file: string }>;

export interface UnpackedCourse extends CourseFolder {
  slug: string | null;
  binaries: Map<string, FileOnDisk>;
  leftOver(used: ReadonlySet<string>): string[];
}

const refuse = (file: string, message: string) => new CourseFileError([faultOf(file, message)]);

/**
 * Unpacks an archive into `scratch` while `work` runs. Everything is checked before it is unpacked; no name
 * from the archive reaches the disk.
 * @throws {CourseFileError} for a broken, hostile or too large archive, naming the entry
 */
export async function withUnpackedCourse<T>(
  path: string,
  scratch: string,
  work: (course: UnpackedCourse) => Promise<T>,
  { maxBytes = ZIP_LIMITS.totalBytes, keptFreeBytes = 0 }: { maxBytes?: number; keptFreeBytes?: number } = {},
): Promise<T> {
  return withZip(path, maxBytes, async (zip, entries) => {
    try {
      await mkdir(join(scratch, '..'), { recursive: true });
      await seeRoom(entries, join(scratch, '..'), keptFreeBytes);
      await mkdir(scratch, { recursive: true });
      return await work(await unpack(zip, entries, scratch));
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  });
}

export interface ZipTexts {
  names: ReadonlySet<string>;
  text(name: string): Promise<string>;
}

/**
 * Reads texts of an archive within the same limits; unpacks only those that are read.
 * @throws {CourseFileError} as `withUnpackedCourse`
 */
export function withZipTexts<T>(path: string, work: (texts: ZipTexts) => Promise<T>): Promise<T> {
  return withZip(path, ZIP_LIMITS.totalBytes, (zip, entries) => {
    let bytes = 0;
    return work({
      names: new Set(entries.keys()),
      text: (name) => {
        const entry = entries.get(name)!;
        bytes += entry.uncompressedSize;
        if (bytes > ZIP_LIMITS.allTextBytes) throw tooMuchText();
        return readText(zip, entry, name);
      },
    });
  });
}

const tooMuchText = () =>
  refuse('the archive', `has more than ${ZIP_LIMITS.allTextBytes / 1_048_576} MB of texts`);

async function withZip<T>(
  path: string,
  maxBytes: number,
  work: (zip: ZipFile, entries: Map<string, Entry>) => Promise<T>,
): Promise<T> {
  let zip: ZipFile;
  try {
    zip = await openPromise(path, {
      lazyEntries: true,
      autoClose: false,
      decodeStrings: false,
      validateEntrySizes: true,
    });
  } catch {
    throw refuse('the archive', 'is no zip file, or is cut off or broken');
  }
  try {
    return await work(zip, await entriesOf(zip, maxBytes));
  } finally {
    zip.close();
  }
}

async function entriesOf(zip: ZipFile, maxBytes: number): Promise<Map<string, Entry>> {
  if (zip.entryCount > ZIP_LIMITS.entries) {
    throw refuse('the archive', `has more than ${ZIP_LIMITS.entries} files`);
  }
  const found = new Map<string, Entry>();
  const seen = new Set<string>();
  const faults: CourseFault[] = [];
  let total = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      const name = nameOf(entry);
      const { uncompressedSize: size, compressedSize } = entry;
      const wrong = (message: string) => faults.push(faultOf(name, message));
      const kind = (entry.externalFileAttributes >>> 16) & 0o170_000;
      if (kind === 0o120_000) wrong('is a link to another file, which is not taken');
      else if (![0, 0o100_000, 0o040_000].includes(kind)) wrong('is no plain file');
      if (name.endsWith('/') || CLUTTER.test(name)) continue;
      if (entry.isEncrypted()) wrong('is encrypted');
      else if (!entry.canDecodeFileData()) wrong('is compressed in a way that is not known here');
      total += size;
      if (total > maxBytes) throw refuse('the archive', `holds more than ${maxBytes / 1_048_576} MB`);
      if (size > VIDEO_MAX_BYTES) wrong(`is larger than ${VIDEO_MAX_BYTES / 1e9} GB`);
      if (size > ZIP_LIMITS.ratioFromBytes && size > compressedSize * ZIP_LIMITS.ratio) {
        wrong(`grows to more than ${ZIP_LIMITS.ratio} times its packed size, as only bombs do`);
      }
      // Some file systems do not tell capitals apart.
      const plain = name.normalize('NFC').toLowerCase();
      if (seen.has(plain)) wrong('is there twice');
      seen.add(plain);
      found.set(name, entry);
    }
  } catch (error) {
    throw error instanceof CourseFileError ? error : refuse('the archive', 'is broken');
  }
  if (faults.length > 0) throw new CourseFileError(faults);
  return found;
}

const bytesIn = (entries: ReadonlyMap<string, Entry>) =>
  [...entries.values()].reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);

/** Each file is on the disk twice until the import is done. */
async function seeRoom(
  entries: ReadonlyMap<string, Entry>,
  folder: string,
  keptFreeBytes: number,
): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bytesIn(entries) * 2 + keptFreeBytes > bavail * bsize) {
    throw new AppError('unavailable', 'There is no room on the disk for the files of this course.');
  }
}

function nameOf(entry: Entry): string {
  let name: string;
  try {
    // Old tools of Windows write backslashes.
    name = new TextDecoder('utf-8', { fatal: true }).decode(entry.fileNameRaw).replaceAll('\\', '/');
  } catch {
    throw refuse('the archive', 'has a file name that is not UTF-8');
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  const shown = name.replace(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, '\ufffd').slice(0, 200);
  if (shown !== name)
    throw refuse(shown, 'has a name that is too long, or holds characters that names do not have');
  if (/^[a-z]:/i.test(name) || validateFileName(name) !== null) {
    throw refuse(shown, 'has a name that leads out of its folder');
  }
  return name;
}

async function unpack(zip: ZipFile, entries: Map<string, Entry>, scratch: string): Promise<UnpackedCourse> {
  const named = [...entries.keys()].filter((name) => /^([^/]+\/){0,2}course\.yaml$/.test(name));
  const near = named.filter((name) => name.split('/').length <= 2);
  const roots = near.length > 0 ? near : named;
  if (roots.length > 1) throw refuse(roots[1]!, 'is a second course; an archive holds one');
  if (roots.length === 0) throw refuse('course.yaml', 'is missing');
  const prefix = roots[0]!.slice(0, -'course.yaml'.length);
  const texts = new Map<string, Entry>();
  const packed = new Map<string, Entry>();
  const ignored: string[] = [];
  for (const [name, entry] of entries) {
    const isInside = name.startsWith(prefix);
    const path = isInside ? name.slice(prefix.length) : name;
    if (isInside && TEXTS.test(path)) texts.set(path, entry);
    else if (isInside && BINARIES.test(path)) packed.set(path, entry);
    else ignored.push(path);
  }
  if (bytesIn(texts) > ZIP_LIMITS.allTextBytes) throw tooMuchText();
  const binaries: UnpackedCourse['binaries'] = new Map();
  const faults: CourseFault[] = [];
  for (const [path, entry] of packed) {
    try {
      binaries.set(path, await extract(zip, entry, path, join(scratch, String(binaries.size))));
    } catch (error) {
      if (!(error instanceof CourseFileError)) throw error;
      faults.push(...error.faults);
    }
  }
  const read = new Set<string>();
  if (faults.length > 0) throw new CourseFileError(faults);
  return {
    slug: prefix.split('/').at(-2) ?? null,
    binaries,
    leftOver: (used) => [
      ...ignored,
      ...[...binaries.keys()].filter((path) => !used.has(path)),
      ...[...texts.keys()].filter((path) => !read.has(path)),
    ],
    has: (path) => texts.has(path) || binaries.has(path),
    text: (path) => {
      read.add(path);
      return readText(zip, texts.get(path)!, path);
    },
  };
}

async function readText(zip: ZipFile, entry: Entry, path: string): Promise<string> {
  if (entry.uncompressedSize > ZIP_LIMITS.textBytes) throw refuse(path, 'is larger than 1 MB');
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
  } catch {
    throw refuse(path, 'is broken');
  }
  try {
    // Programs stay byte for byte; elsewhere a byte order mark means nothing.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: path.startsWith('code/') }).decode(
      Buffer.concat(chunks),
    );
  } catch {
    throw refuse(path, 'is not UTF-8 text');
  }
}

async function extract(zip: ZipFile, entry: Entry, path: string, place: string): Promise<FileOnDisk> {
  const hash = createHash('sha256');
  const head = Buffer.alloc(HEAD_BYTES);
  let size = 0;
  const watch = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (size < HEAD_BYTES) chunk.copy(head, size);
      size += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  try {
    const stream = await zip.openReadStreamPromise(entry);
    await pipeline(Readable.from(stream), watch, createWriteStream(place, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw error;
    throw refuse(path, 'is broken');
  }
  return {
    originalName: path.split('/').at(-1)!,
    file: place,
    head: head.subarray(0, Math.min(size, HEAD_BYTES)),
    size,
    sha256: hash.digest('hex'),
  };
}
