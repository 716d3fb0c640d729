import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeWebStream } from 'node:stream/web';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { BACKUP_DRAFT, sweepDrafts, UNPACKED_BACKUP } from '#db/file-store.ts';
import { AppError } from '#src/shared/errors.ts';
import { env } from '#src/server/start/env.ts';
import type { ReceivedFile } from './files.ts';

const FORM_OVERHEAD_BYTES = 256_000;
const HEAD_BYTES = 8192;
export const NAME_MAX_CHARACTERS = 200;

const ABANDONED_MINUTES = 60;

const uploadFolder = () => join(env().dataDir, 'uploads');

export const UPLOAD_HOURS = 24;

export const archiveUploadFolder = () => join(env().dataDir, 'course-uploads');

const ABANDONED_BACKUP_HOURS = 24;

/** Removes uploads and backups whose process was killed. */
export async function sweepAbandoned(): Promise<void> {
  const { dataDir } = env();
  await removeOld(uploadFolder(), ABANDONED_MINUTES * 60_000, () => true);
  await removeOld(archiveUploadFolder(), UPLOAD_HOURS * 3_600_000, () => true);
  await sweepDrafts(dataDir, ABANDONED_MINUTES * 60_000);
  await removeOld(join(dataDir, 'backups'), ABANDONED_BACKUP_HOURS * 3_600_000, (name) =>
    name.startsWith(BACKUP_DRAFT),
  );
  await removeOld(dataDir, ABANDONED_BACKUP_HOURS * 3_600_000, (name) => name.startsWith(UNPACKED_BACKUP));
}

async function removeOld(folder: string, ageMs: number, isDraft: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const moved = join(folder, name.replace(/\.json$/, ''));
    const info = isDraft(name)
      ? await stat(moved)
          .catch(() => stat(path))
          .catch(() => null)
      : null;
    if (info && Date.now() - info.mtimeMs > ageMs) await rm(path, { force: true, recursive: true });
  }
}

export interface Upload {
  fields: Record<string, string>;
  file: Extract<ReceivedFile, { file: string }> | null;
}

/**
 * Receives a form with one file, which is on disk only while `work` runs.
 * @throws {AppError} unsupported_media_type; too_large; bad_request
 */
export async function withUpload<T>(
  request: Request,
  { maxBytes }: { maxBytes: number },
  work: (upload: Upload) => Promise<T>,
): Promise<T> {
  const contentType = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*;.*boundary=/i.test(contentType) || !request.body) {
    throw new AppError('unsupported_media_type', 'Send the file as multipart/form-data.');
  }
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes + FORM_OVERHEAD_BYTES)
    throw tooLarge(maxBytes);
  const folder = uploadFolder();
  await mkdir(folder, { recursive: true });
  const path = join(folder, randomBytes(16).toString('hex'));
  try {
    return await work(await receive(request, contentType, path, maxBytes));
  } finally {
    await rm(path, { force: true });
  }
}

async function receive(
  request: Request,
  contentType: string,
  path: string,
  maxBytes: number,
): Promise<Upload> {
  const fields: Record<string, string> = {};
  let writing: Promise<Upload['file']> | undefined;
  let arriving: BusboyFileStream | undefined;
  let cut = false;
  let parser: InstanceType<typeof Busboy>;
  try {
    parser = new Busboy({
      headers: { 'content-type': contentType },
      limits: { fileSize: maxBytes, files: 1, fields: 10, fieldSize: FORM_OVERHEAD_BYTES, headerPairs: 50 },
    });
  } catch {
    throw new AppError('bad_request', 'The form could not be read.');
  }
  parser.on('field', (name, value, _nameCut, valueCut) => {
    if (valueCut) cut = true;
    if (!Object.hasOwn(fields, name) && name !== '__proto__') fields[name] = value;
  });
  parser.on('file', (name, stream, originalName) => {
    // A browser sends an empty part for a file field that was left empty.
    if (name !== 'file' || writing || !originalName) {
      stream.resume();
      return;
    }
    arriving = stream;
    writing = write(stream, path, originalName, maxBytes);
    writing.catch(() => {});
  });
  try {
    await pipeline(Readable.fromWeb(request.body as NodeWebStream<Uint8Array>), parser);
  } catch (error) {
    // Nothing more will come; and the writer knows better why, when it was the one that stopped.
    arriving?.destroy(error as Error);
    const reason: unknown = await writing?.catch((failure: unknown) => failure);
    throw reason instanceof AppError
      ? reason
      : new AppError('bad_request', 'The upload broke off. Please try again.', { cause: error });
  }
  const file = (await writing) ?? null;
  if (cut) throw new AppError('too_large', 'A field of the form is too long.');
  return { fields, file };
}

async function write(
  stream: BusboyFileStream,
  path: string,
  originalName: string,
  maxBytes: number,
): Promise<Upload['file']> {
  const hash = createHash('sha256');
  const head = Buffer.alloc(HEAD_BYTES);
  let size = 0;
  const out = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  let failure: NodeJS.ErrnoException | null = null;
  out.on('error', (error) => {
    failure = error;
  });
  const ready = () =>
    new Promise<void>((done) => {
      const go = () => {
        out.off('drain', go).off('close', go);
        done();
      };
      out.on('drain', go).on('close', go);
    });
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      // A form that is left half read gets no answer.
      if (failure) continue;
      if (size < HEAD_BYTES) chunk.copy(head, size);
      size += chunk.length;
      hash.update(chunk);
      if (!out.write(chunk) && !failure) await ready();
    }
    if (!failure) out.end();
    await finished(out);
  } catch (error) {
    out.destroy();
    throw failure ?? error;
  }
  if (stream.truncated) throw tooLarge(maxBytes);
  return {
    originalName: cleanName(originalName),
    file: path,
    head: head.subarray(0, Math.min(size, HEAD_BYTES)),
    size,
    sha256: hash.digest('hex'),
  };
}

/** One line without folders, control or direction characters (faults U1, U5). */
export const plainName = (name: string): string =>
  name
    .toWellFormed()
    .split(/[\\/]/)
    .at(-1)!
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufffd]+/gu, '')
    .trim();

function cleanName(name: string): string {
  const plain = plainName(name);
  if ([...plain].length <= NAME_MAX_CHARACTERS) return plain || 'file';
  const extension = /\.[a-z0-9]{1,8}$/i.exec(plain)?.[0] ?? '';
  return [...plain].slice(0, NAME_MAX_CHARACTERS - extension.length).join('') + extension;
}

function tooLarge(maxBytes: number): AppError {
  const message = `The file must not be larger than ${Math.floor(maxBytes / 1_048_576)} MB.`;
  return new AppError('too_large', message, { fields: { file: message } });
}
