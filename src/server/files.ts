import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { db, type Executor } from '#db/client.ts';
import {
  type FileArea,
  findStoredFile,
  type StoredFile,
  storedFileLocation,
  storeFile,
} from '#db/stored-files.ts';
import { AppError } from '#src/shared/errors.ts';
import { env } from './env.ts';

export type { StoredFile } from '#db/stored-files.ts';

type Kind = {
  mimeType: string;
  /** Shown by the browser in place; everything else is saved. */
  inline: boolean;
  /** Whether bytes may begin a file of this kind; without it any bytes may. */
  begins?: (bytes: Uint8Array) => boolean;
};

const ascii = (text: string, at: number) => (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', at, at + text.length) ===
  text;
const either =
  (...tests: ((bytes: Uint8Array) => boolean)[]) =>
  (bytes: Uint8Array) =>
    tests.some((test) => test(bytes));
const both =
  (...tests: ((bytes: Uint8Array) => boolean)[]) =>
  (bytes: Uint8Array) =>
    tests.every((test) => test(bytes));
const zip = either(ascii('PK\x03\x04', 0), ascii('PK\x05\x06', 0));
const plainText = (bytes: Uint8Array) => !bytes.subarray(0, 8192).includes(0);

// The kinds a course is made of. What is missing here is kept too, but only ever saved, never shown (fault U1).
const KINDS: Record<string, Kind> = {
  png: { mimeType: 'image/png', inline: true, begins: ascii('\x89PNG\r\n\x1a\n', 0) },
  jpg: { mimeType: 'image/jpeg', inline: true, begins: ascii('\xff\xd8\xff', 0) },
  jpeg: { mimeType: 'image/jpeg', inline: true, begins: ascii('\xff\xd8\xff', 0) },
  gif: { mimeType: 'image/gif', inline: true, begins: either(ascii('GIF87a', 0), ascii('GIF89a', 0)) },
  webp: { mimeType: 'image/webp', inline: true, begins: both(ascii('RIFF', 0), ascii('WEBP', 8)) },
  avif: { mimeType: 'image/avif', inline: true, begins: ascii('ftypavi', 4) },
  // Runs nothing inside <img>, and the sandbox of `fileResponse` stops it when it is opened by itself.
  svg: { mimeType: 'image/svg+xml', inline: true, begins: plainText },
  mp4: { mimeType: 'video/mp4', inline: true, begins: ascii('ftyp', 4) },
  webm: { mimeType: 'video/webm', inline: true, begins: ascii('\x1aE\xdf\xa3', 0) },
  mp3: {
    mimeType: 'audio/mpeg',
    inline: true,
    begins: either(ascii('ID3', 0), ascii('\xff\xfb', 0), ascii('\xff\xf3', 0)),
  },
  vtt: {
    mimeType: 'text/vtt',
    inline: true,
    begins: either(ascii('WEBVTT', 0), ascii('\xef\xbb\xbfWEBVTT', 0)),
  },
  pdf: { mimeType: 'application/pdf', inline: true, begins: ascii('%PDF-', 0) },
  txt: { mimeType: 'text/plain', inline: true, begins: plainText },
  csv: { mimeType: 'text/csv', inline: false, begins: plainText },
  md: { mimeType: 'text/markdown', inline: false, begins: plainText },
  zip: { mimeType: 'application/zip', inline: false, begins: zip },
  docx: {
    mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    inline: false,
    begins: zip,
  },
  xlsx: {
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    inline: false,
    begins: zip,
  },
  pptx: {
    mimeType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    inline: false,
    begins: zip,
  },
};
const INLINE_TYPES = new Set(
  Object.values(KINDS).flatMap(({ inline, mimeType }) => (inline ? [mimeType] : [])),
);
const UNKNOWN_TYPE = 'application/octet-stream';

// Whatever is opened by itself (an SVG above all) runs nothing. Browsers refuse to show a PDF under a sandbox, and run
// its scripts, if any, in a process of their own.
const NO_CODE = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'; sandbox; ";

/** Seconds a browser may keep a public file; its address changes whenever its bytes do. */
const PUBLIC_CACHE_SECONDS = 31_536_000;

/**
 * Keeps a file that someone gave us. Its type is what its name says, checked against how it begins; a name that says
 * nothing known makes it a file that is only ever saved.
 *
 * @throws {AppError} unsupported_media_type where the bytes are not what the name says (fault U1)
 */
export async function saveFile(
  file: { area: FileArea; originalName: string; bytes: Uint8Array },
  executor: Executor = db(),
): Promise<StoredFile> {
  const extension = /\.([a-z0-9]{1,8})$/i.exec(file.originalName)?.[1]?.toLowerCase() ?? '';
  const kind = Object.hasOwn(KINDS, extension) ? KINDS[extension] : undefined;
  if (kind?.begins && !kind.begins(file.bytes)) {
    throw new AppError('unsupported_media_type', `The file is not what its name says: .${extension}`);
  }
  return storeFile(executor, env().dataDir, { ...file, mimeType: kind?.mimeType ?? UNKNOWN_TYPE });
}

/** The stored file served under an address of this site, or null. */
export function findFile(path: string): Promise<StoredFile | null> {
  // No address that we give out is longer, and none holds anything else.
  if (path.length > 200 || !/^\/(media|files)\/[\w-]+\/[a-z0-9.-]+$/.test(path)) return Promise.resolve(null);
  return findStoredFile(db(), path);
}

/** The part of a file that a Range header asks for, or null for the whole; 'unsatisfiable' where it lies outside. */
export function parseRange(
  header: string | null,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | null {
  const match = header && /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim());
  // Several ranges, other units and nonsense: the standard allows answering with the whole.
  if (!match || (match[1] === '' && match[2] === '')) return null;
  if (match[1] === '') {
    const length = Math.min(Number(match[2]), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(match[1]);
  const end = match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1);
  if (match[2] !== '' && Number(match[2]) < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end };
}

/**
 * Answers a request with a stored file: whole or the range asked for, unchanged as 304, with its type as it was
 * checked, never sniffed, and saved instead of shown where a browser could run it.
 *
 * @param audience `public` files may be kept by every cache; `personal` ones by the reader's browser only, which asks
 *   each time
 */
export async function fileResponse(
  file: StoredFile,
  request: Request,
  audience: 'public' | 'personal',
): Promise<Response> {
  const location = storedFileLocation(env().dataDir, file.sha256);
  const onDisk = await stat(location).catch(() => null);
  if (onDisk?.size !== file.size) {
    throw new Error(`The bytes of stored file ${file.id} are missing or incomplete.`);
  }
  const etag = `"${file.sha256.slice(0, 32)}"`;
  const wantsDownload = new URL(request.url).searchParams.has('download');
  const inline = INLINE_TYPES.has(file.mimeType) && !wantsDownload;
  const headers = new Headers({
    'content-type': file.mimeType.startsWith('text/') ? `${file.mimeType}; charset=utf-8` : file.mimeType,
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
  const stream = createReadStream(location, { start, end });
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
