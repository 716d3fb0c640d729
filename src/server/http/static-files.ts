import { createHash, type Hash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { parseRange } from '#src/server/files/byte-range.ts';
import { typeByName } from '#src/server/files/types-by-name.ts';
import { type Header, NO_FRAMING, withFrameAncestors } from './security-headers.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

export const BUILT_SITE_URL = 'https://site-address.invalid';

const IN_MEMORY_MAX_BYTES = 4_000_000;
const ONE_WRITE_MAX_BYTES = 65_536;
const COMPRESS_MIN_BYTES = 512;
const COMPRESSIBLE =
  /^(text\/|image\/svg|application\/(json|javascript|xml|manifest|wasm|vnd\.ms-fontobject)|font\/ttf)|\+(json|xml)/;
const SEEKABLE = /^(audio|video)\//;

interface Variant {
  body: Buffer | null;
  /** Node sends a string together with the headers in one write. */
  text: string | null;
  bytes: number;
  etag: string;
  headers: string[];
  notModifiedHeaders: string[];
}

export interface StaticFile {
  path: string;
  plain: Variant;
  brotli: Variant | null;
  gzip: Variant | null;
  seekable: boolean;
  isPage: boolean;
  policy: readonly Header[];
}

export interface StaticFiles {
  find(pathname: string): StaticFile | undefined;
  findElsewhere(pathname: string): Promise<StaticFile | undefined>;
  count: number;
  bytes: number;
}

export function contentType(name: string): string {
  const type = typeByName(name) ?? 'application/octet-stream';
  if (/^text\/|javascript|json$|xml$/.test(type) && !type.includes('charset'))
    return `${type}; charset=utf-8`;
  return type;
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

const isPage = (type: string) => type.startsWith('text/html');
const isCompressedCopy = (name: string) => /\.(br|gz)$/.test(name);

const WEIGHED_MAX_BYTES = 300_000;

async function compress(body: Buffer, isHurried = false): Promise<{ brotli: Buffer; gzip: Buffer }> {
  const [brotli, gzipped] = await Promise.all([
    compressBrotli(body, {
      params: {
        // The highest quality takes ten seconds for the code editor's file and saves 9 %.
        [constants.BROTLI_PARAM_QUALITY]: isHurried && body.length > WEIGHED_MAX_BYTES ? 4 : 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
    compressGzip(body, { level: 9 }),
  ]);
  return { brotli, gzip: gzipped };
}

/** Part of `npm run build`. */
export async function precompressFiles(folder: string, { isHurried = false } = {}): Promise<number> {
  let count = 0;
  for (const path of await listFiles(folder)) {
    const type = contentType(path);
    if (isCompressedCopy(path) || isPage(type) || !COMPRESSIBLE.test(type)) continue;
    const body = await readFile(path);
    if (body.length < COMPRESS_MIN_BYTES) continue;
    const { brotli, gzip: gzipped } = await compress(body, isHurried);
    if (brotli.length < body.length) await writeFile(`${path}.br`, brotli);
    if (gzipped.length < body.length) await writeFile(`${path}.gz`, gzipped);
    count += 1;
  }
  return count;
}

function cachePolicy(urlPath: string, type: string): string {
  if (urlPath.startsWith('/_astro/')) return 'public, max-age=31536000, immutable';
  if (type.startsWith('text/html')) return 'public, max-age=0, must-revalidate';
  return 'public, max-age=3600';
}

function urlPaths(urlPath: string): string[] {
  if (!urlPath.endsWith('.html')) return [urlPath];
  const page = urlPath.replace(/\/index\.html$/, '').replace(/\.html$/, '');
  if (page === '') return ['/', '/index.html'];
  return [page, `${page}/`, `${page}.html`, `${page}/index.html`];
}

interface StaticFolder {
  folder: string;
  baseHeaders: readonly Header[];
  siteUrl: string;
  policiesFile?: string;
  otherFolders?: () => Promise<string[]>;
}

const HASHED_FILE = /^\/_astro\/(?:fonts\/)?[\w-][\w.-]*$/;

export async function loadStaticFiles(options: StaticFolder): Promise<StaticFiles> {
  const { folder, otherFolders } = options;
  const files = new Map<string, StaticFile>();
  const aliases = new Map<string, StaticFile>();
  const policies = await readPolicies(options.policiesFile);
  const paths = await listFiles(folder);
  const present = new Set(paths);
  let bytes = 0;
  const loaded = await Promise.all(
    paths
      .filter((path) => !(isCompressedCopy(path) && present.has(path.replace(/\.(br|gz)$/, ''))))
      .map(async (path) => {
        const urlPath = `/${relative(folder, path).split(sep).join('/')}`;
        const policy = policies.get(urlPaths(urlPath)[0]!);
        return { urlPath, file: await loadFile(path, urlPath, (name) => present.has(name), options, policy) };
      }),
  );
  for (const { urlPath, file } of loaded) {
    files.set(urlPath, file);
    for (const alias of urlPaths(urlPath)) aliases.set(alias, file);
    for (const variant of [file.plain, file.brotli, file.gzip]) bytes += variant?.body?.length ?? 0;
  }
  return {
    find: (pathname) => files.get(pathname) ?? aliases.get(pathname),
    async findElsewhere(pathname) {
      if (!otherFolders || !HASHED_FILE.test(pathname) || isCompressedCopy(pathname)) return undefined;
      for (const other of await otherFolders()) {
        const path = join(other, pathname);
        if (!existsSync(path)) continue;
        const file = await loadFile(path, pathname, existsSync, options).catch(() => undefined);
        if (file) files.set(pathname, file);
        return file;
      }
      return undefined;
    },
    count: files.size,
    bytes,
  };
}

async function readPolicies(file: string | undefined): Promise<Map<string, readonly Header[]>> {
  type Page = { pathname: string; headers: { key: string; value: string }[] };
  const pages: Page[] = file ? JSON.parse(await readFile(file, 'utf8')) : [];
  const policyOf = ({ headers }: Page) =>
    headers.find(({ key }) => key.toLowerCase() === 'content-security-policy')!.value;
  return new Map(
    pages.map((page) => [page.pathname.replace(/(.)\/$/, '$1'), withFrameAncestors(policyOf(page))]),
  );
}

async function loadFile(
  path: string,
  urlPath: string,
  exists: (path: string) => boolean,
  { baseHeaders, siteUrl }: StaticFolder,
  policy = NO_FRAMING,
): Promise<StaticFile> {
  const type = contentType(path);
  const page = isPage(type);
  const hasCopies = page || exists(`${path}.br`) || exists(`${path}.gz`);
  const headers: Header[] = [
    ['Content-Type', type],
    ['Cache-Control', cachePolicy(urlPath, type)],
    ...(hasCopies ? [['Vary', 'Accept-Encoding'] as const] : []),
    ...(SEEKABLE.test(type) ? [['Accept-Ranges', 'bytes'] as const] : []),
    ...baseHeaders,
    ...policy,
  ];
  const facts = { path, seekable: SEEKABLE.test(type), isPage: page, policy };
  if (page) {
    const body = Buffer.from((await readFile(path, 'utf8')).replaceAll(BUILT_SITE_URL, siteUrl));
    const small = await compress(body);
    return {
      ...facts,
      plain: variantOf(body, null, headers),
      brotli: variantOf(small.brotli, 'br', headers),
      gzip: variantOf(small.gzip, 'gzip', headers),
    };
  }
  const [plain, brotli, gzipped] = await Promise.all([
    loadVariant(path, null, headers),
    exists(`${path}.br`) ? loadVariant(`${path}.br`, 'br', headers) : null,
    exists(`${path}.gz`) ? loadVariant(`${path}.gz`, 'gzip', headers) : null,
  ]);
  return { ...facts, plain, brotli, gzip: gzipped };
}

async function loadVariant(path: string, encoding: string | null, base: readonly Header[]): Promise<Variant> {
  const { size } = await stat(path);
  if (size <= IN_MEMORY_MAX_BYTES) return variantOf(await readFile(path), encoding, base);
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return variantOf(null, encoding, base, { bytes: size, hash });
}

function variantOf(
  body: Buffer | null,
  encoding: string | null,
  base: readonly Header[],
  onDisk?: { bytes: number; hash: Hash },
): Variant {
  const bytes = body?.length ?? onDisk!.bytes;
  const hash = body ? createHash('sha256').update(body) : onDisk!.hash;
  const etag = `"${hash.digest('base64url').slice(0, 20)}"`;
  const shared = [...base.flat(), 'ETag', etag];
  return {
    body,
    text: body && bytes <= ONE_WRITE_MAX_BYTES ? body.toString('latin1') : null,
    bytes,
    etag,
    headers: [
      ...shared,
      ...(encoding ? ['Content-Encoding', encoding] : []),
      'Content-Length',
      String(bytes),
    ],
    notModifiedHeaders: base
      .filter(([name]) => name !== 'Content-Type')
      .flat()
      .concat('ETag', etag),
  };
}

/** Named or covered by `*`, and not with `q=0`. */
export function acceptsEncoding(header: string | undefined, coding: string): boolean {
  if (!header) return false;
  let wildcard = false;
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';');
    const refused = parameters.some((parameter) => /^\s*q\s*=\s*0(\.0*)?\s*$/i.test(parameter));
    const found = name.trim().toLowerCase();
    if (found === coding) return !refused;
    if (found === '*') wildcard = !refused;
  }
  return wildcard;
}

function chooseVariant(file: StaticFile, acceptEncoding: string | undefined): Variant {
  if (!acceptEncoding) return file.plain;
  if (file.brotli && acceptsEncoding(acceptEncoding, 'br')) return file.brotli;
  if (file.gzip && acceptsEncoding(acceptEncoding, 'gzip')) return file.gzip;
  return file.plain;
}

function matchesEtag(header: string, etag: string): boolean {
  if (header === etag || header.trim() === '*') return true;
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}

export function sendStaticFile(
  file: StaticFile,
  request: IncomingMessage,
  response: ServerResponse,
  extra: string[],
  status = 200,
): void {
  const { headers } = request;
  const variant = chooseVariant(file, headers['accept-encoding']);
  const known = headers['if-none-match'];
  if (known !== undefined && status === 200 && matchesEtag(known, variant.etag)) {
    response.writeHead(304, variant.notModifiedHeaders.concat(extra));
    response.end();
    return;
  }
  if (file.seekable && headers.range && status === 200) {
    const current = headers['if-range'] === undefined || headers['if-range'] === variant.etag;
    const range = current ? parseRange(headers.range, variant.bytes) : null;
    if (range === 'unsatisfiable') {
      const kept = variant.notModifiedHeaders.concat(extra, 'Content-Range', `bytes */${variant.bytes}`);
      response.writeHead(416, kept.concat('Content-Length', '0'));
      response.end();
      return;
    }
    if (range) {
      // The last two are Content-Length and its value, which here is the part's.
      const partial = variant.headers
        .slice(0, -2)
        .concat(extra, [
          'Content-Range',
          `bytes ${range.start}-${range.end}/${variant.bytes}`,
          'Content-Length',
          String(range.end - range.start + 1),
        ]);
      response.writeHead(206, partial);
      sendBody(file, variant, request, response, range);
      return;
    }
  }
  response.writeHead(status, variant.headers.concat(extra));
  sendBody(file, variant, request, response, null);
}

function sendBody(
  file: StaticFile,
  variant: Variant,
  request: IncomingMessage,
  response: ServerResponse,
  range: { start: number; end: number } | null,
): void {
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  if (variant.text !== null && !range) {
    response.end(variant.text, 'latin1');
    return;
  }
  if (variant.body) {
    response.end(range ? variant.body.subarray(range.start, range.end + 1) : variant.body);
    return;
  }
  const suffix = variant === file.brotli ? '.br' : variant === file.gzip ? '.gz' : '';
  const stream = createReadStream(file.path + suffix, range ?? {});
  stream.on('error', () => response.destroy());
  response.on('close', () => stream.destroy());
  stream.pipe(response);
}
