import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { fileTypeFromBuffer } from 'file-type';
import { z } from 'zod';
import { db, type Executor } from '#db/client.ts';
import { type FileStore, FileStoreError, localFileStore, s3FileStore } from '#db/file-store.ts';
import {
  type FileArea,
  findStoredFile,
  removeUnusedBytes,
  type StoredFile,
  storeFile,
} from '#db/stored-files.ts';
import { AppError } from '#src/shared/errors.ts';
import { env } from '#src/server/start/env.ts';
import type { JobDefinition } from '#src/server/jobs.ts';
import { log } from '#src/server/log.ts';
import { parseRange } from './byte-range.ts';

export type { StoredFile } from '#db/stored-files.ts';

type Kind = {
  mimeType: string;
  inline: boolean;
  looksLike: readonly string[] | 'text';
};

const OFFICE = ['wordprocessingml.document', 'spreadsheetml.sheet', 'presentationml.presentation'].map(
  (part) => `application/vnd.openxmlformats-officedocument.${part}`,
);
const office = (at: number): Kind => ({
  mimeType: OFFICE[at]!,
  inline: false,
  // Its inner files tell it from another archive, and they may lie past what is looked at.
  looksLike: [OFFICE[at]!, 'application/zip'],
});
const image = (name: string): Kind => ({
  mimeType: `image/${name}`,
  inline: true,
  looksLike: [`image/${name}`],
});

// Files of other kinds are only ever saved, never shown (fault U1).
const KINDS: Record<string, Kind> = {
  png: { ...image('png'), looksLike: ['image/png', 'image/apng'] },
  jpg: image('jpeg'),
  jpeg: image('jpeg'),
  gif: image('gif'),
  webp: image('webp'),
  avif: image('avif'),
  // Runs nothing inside <img>; the sandbox of `fileResponse` covers the rest.
  svg: { mimeType: 'image/svg+xml', inline: true, looksLike: 'text' },
  mp4: { mimeType: 'video/mp4', inline: true, looksLike: ['video/mp4', 'video/x-m4v'] },
  webm: { mimeType: 'video/webm', inline: true, looksLike: ['video/webm'] },
  mp3: { mimeType: 'audio/mpeg', inline: true, looksLike: ['audio/mpeg'] },
  vtt: { mimeType: 'text/vtt', inline: true, looksLike: ['text/vtt'] },
  pdf: { mimeType: 'application/pdf', inline: true, looksLike: ['application/pdf'] },
  txt: { mimeType: 'text/plain', inline: true, looksLike: 'text' },
  csv: { mimeType: 'text/csv', inline: false, looksLike: 'text' },
  md: { mimeType: 'text/markdown', inline: false, looksLike: 'text' },
  zip: {
    mimeType: 'application/zip',
    inline: false,
    looksLike: ['application/zip', ...OFFICE],
  },
  docx: office(0),
  xlsx: office(1),
  pptx: office(2),
};
const SNIFFED_BYTES = 8192;

async function looksLike(kind: Kind, head: Uint8Array): Promise<boolean> {
  if (kind.looksLike === 'text') return !head.includes(0);
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  return found !== undefined && kind.looksLike.includes(found.mime);
}

const INLINE_TYPES = new Set(
  Object.values(KINDS).flatMap(({ inline, mimeType }) => (inline ? [mimeType] : [])),
);
const UNKNOWN_TYPE = 'application/octet-stream';

// Whatever is opened by itself (an SVG above all) runs nothing.
const NO_CODE = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'; sandbox; ";

/** Their addresses change with their bytes. */
const PUBLIC_CACHE_SECONDS = 31_536_000;

export type ReceivedFile = { originalName: string } & (
  | { bytes: Uint8Array }
  | { file: string; head: Uint8Array; size: number; sha256: string }
);

export function fileStore(): FileStore {
  const { s3, dataDir } = env();
  const key = s3 ? JSON.stringify(s3) : dataDir;
  if (openStore?.key !== key) openStore = { key, store: s3 ? s3FileStore(s3) : localFileStore(dataDir) };
  return openStore.store;
}
let openStore: { key: string; store: FileStore } | undefined;

export function extensionOf(name: string): string {
  return /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

/**
 * The kind of a file that is what its name says, shown texts in UTF-8; undefined for an unknown kind.
 * @throws {AppError} unsupported_media_type (fault U1)
 */
export async function checkFile(file: ReceivedFile): Promise<Kind | undefined> {
  const extension = extensionOf(file.originalName);
  const kind = Object.hasOwn(KINDS, extension) ? KINDS[extension] : undefined;
  const head = 'bytes' in file ? file.bytes.subarray(0, SNIFFED_BYTES) : file.head;
  const isShownText = kind?.inline && /^text|svg/.test(kind.mimeType);
  let isRight = !kind || (await looksLike(kind, head));
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    if (isShownText) {
      const parts = 'bytes' in file ? [file.bytes] : createReadStream(file.file);
      for await (const part of parts) decoder.decode(part, { stream: true });
      decoder.decode();
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    isRight = false;
  }
  if (!isRight) {
    const message = `The file is not what its name says: .${extension}${isShownText ? ' in UTF-8' : ''}`;
    throw new AppError('unsupported_media_type', message, { fields: { file: message } });
  }
  return kind;
}

/**
 * Stores a file; one of an unknown kind is only ever saved, never shown.
 * @throws {AppError} unsupported_media_type (fault U1)
 */
export async function saveFile(
  { area, ...file }: ReceivedFile & { area: FileArea },
  executor: Executor = db(),
): Promise<StoredFile> {
  const kind = await checkFile(file);
  return storeFile(executor, fileStore(), { ...file, area, mimeType: kind?.mimeType ?? UNKNOWN_TYPE });
}

const forgetting = z.object({ sha256: z.string() });

/** Queued in the transaction that deletes the row, so that nothing waits for a slow object store. */
export const forgetBytes: JobDefinition<typeof forgetting> = {
  name: 'site.forget-bytes',
  data: forgetting,
  retries: 12,
  retryDelaySeconds: 30,
  leaseSeconds: 60,
  run: ({ sha256 }) => removeUnusedBytes(fileStore(), sha256),
};

export function findFile(path: string): Promise<StoredFile | null> {
  // No address that we give out is longer, and none holds anything else.
  if (path.length > 200 || !/^\/(media|files|pictures)\/[\w-]+\/[a-z0-9.-]+(\/[a-z0-9.]+)?$/.test(path))
    return Promise.resolve(null);
  return findStoredFile(db(), path);
}

function notGiven(file: StoredFile, cause: unknown): never {
  log.error({ err: cause, file: file.path }, 'a stored file cannot be given');
  if (file.mimeType.startsWith('image/'))
    throw new AppError('not_found', 'The picture cannot be shown.', { cause });
  throw new AppError('unavailable', 'This file cannot be reached at the moment. Please try again later.', {
    cause,
    retryAfterSeconds: cause instanceof FileStoreError ? 5 : 60,
  });
}

/** Never sniffed, and saved instead of shown where a browser could run it. */
export async function fileResponse(
  file: StoredFile,
  request: Request,
  audience: 'public' | 'personal',
): Promise<Response> {
  const store = fileStore();
  const size = await store.size(file.sha256).catch((error: unknown) => notGiven(file, error));
  if (size !== file.size)
    notGiven(file, new Error(`The bytes of stored file ${file.id} are missing or incomplete.`));
  const etag = `"${file.sha256.slice(0, 32)}"`;
  const wantsDownload = new URL(request.url).searchParams.has('download');
  const inline = INLINE_TYPES.has(file.mimeType) && !wantsDownload;
  const headers = new Headers({
    'content-type': /^text\/|\+xml$/.test(file.mimeType) ? `${file.mimeType}; charset=utf-8` : file.mimeType,
    'x-content-type-options': 'nosniff',
    'content-disposition': `${inline ? 'inline' : 'attachment'}; ${dispositionName(file)}`,
    'content-security-policy': `${file.mimeType === 'application/pdf' ? '' : NO_CODE}frame-ancestors 'self'`,
    'cross-origin-resource-policy': 'same-origin',
    'accept-ranges': 'bytes',
    etag,
    'cache-control':
      audience === 'public' ? `public, max-age=${PUBLIC_CACHE_SECONDS}, immutable` : 'private, no-cache',
  });
  if (audience === 'personal') headers.set('vary', 'Cookie, Authorization');
  if (
    request.headers
      .get('if-none-match')
      ?.split(',')
      .some((tag) => tag.trim().replace(/^W\//, '') === etag)
  ) {
    return new Response(null, { status: 304, headers });
  }
  const ifRange = request.headers.get('if-range');
  const range = ifRange && ifRange !== etag ? null : parseRange(request.headers.get('range'), file.size);
  if (range === 'unsatisfiable') {
    headers.set('content-range', `bytes */${file.size}`);
    return new Response(null, { status: 416, headers });
  }
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  headers.set('content-length', String(end - start + 1));
  if (range) headers.set('content-range', `bytes ${start}-${end}/${file.size}`);
  const status = range ? 206 : 200;
  if (request.method === 'HEAD' || file.size === 0) return new Response(null, { status, headers });
  const stream = await store
    .read(file.sha256, { start, end })
    .catch((error: unknown) => notGiven(file, error));
  return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, { status, headers });
}

function dispositionName(file: StoredFile): string {
  const plain = file.path.split('/').at(-1)!;
  const full = encodeURIComponent(file.originalName.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${plain}"; filename*=UTF-8''${full}`;
}
