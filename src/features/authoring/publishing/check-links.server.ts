import { lookup as resolveName } from 'node:dns/promises';
import { type IncomingHttpHeaders, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { fileTypeFromBuffer } from 'file-type';
import MarkdownIt from 'markdown-it';

/** What an address answered. */
export type LinkAnswer =
  | { kind: 'fine' }
  /** It is wrong and stays wrong until somebody changes it. */
  | { kind: 'broken'; why: string }
  /** It may be fine tomorrow, or is so for people with a browser. `answers`: something is there and talks to us. */
  | { kind: 'unsure'; why: string; answers?: true };

/** What a page does with an address, and what it must therefore be. */
export type Expected = 'link' | 'picture' | 'video' | 'captions' | 'file';

/** Bytes of a picture, video or file that are read to tell what it is. */
const HEAD_BYTES = 8192;
const PICTURES = new Set(
  ['png', 'apng', 'jpeg', 'gif', 'webp', 'avif', 'bmp', 'x-icon'].map((kind) => `image/${kind}`),
);
const VIDEOS = new Set(['video/mp4', 'video/x-m4v', 'video/webm']);

const REDIRECTS_MAX = 5;
/** Milliseconds for one link with all its redirects. */
const LINK_MS = 6_000;

// Everything that is not the public internet (IANA's special-purpose registries): this machine, its neighbors, and what
// hosts tell their guests about themselves.
const closed = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  closed.addSubnet(network, prefix, 'ipv4');
}
const open6 = new BlockList();
open6.addSubnet('2000::', 3, 'ipv6');
for (const [network, prefix] of [
  // Tunnels and translations hide an address of the other family.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  closed.addSubnet(network, prefix, 'ipv6');
}

/** Whether an IP address lies in the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !closed.check(address, 'ipv4');
  return family === 6 && open6.check(address, 'ipv6') && !closed.check(address, 'ipv6');
}

/** How names are looked up and which addresses may be asked; tests put their own in. */
export interface LinkNetwork {
  resolve: (host: string) => Promise<{ address: string; family: number }[]>;
  isAllowed: (address: string, port: number) => boolean;
}

const INTERNET: LinkNetwork = {
  resolve: (host) => resolveName(host, { all: true, verbatim: true }),
  isAllowed: (address, port) => isPublicAddress(address) && (port === 80 || port === 443),
};

class Refused extends Error {
  override name = 'Refused';
}

/**
 * Asks whether an address of the web answers, and for what a page loads also with what: of that the first bytes are read,
 * as its own word is not always true. Never reaches into a private network: the very address that was checked is
 * connected to, at each redirect anew, so that a name cannot mean another one later.
 */
export async function checkLink(
  address: string,
  network: LinkNetwork = INTERNET,
  expected: Expected = 'link',
): Promise<LinkAnswer> {
  const signal = AbortSignal.timeout(LINK_MS);
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return { kind: 'broken', why: 'is not an address' };
  }
  try {
    for (let step = 0; step <= REDIRECTS_MAX; step += 1) {
      if (url.protocol !== 'https:' && url.protocol !== 'http:') {
        return { kind: 'broken', why: 'leads to something that is not http or https' };
      }
      if (url.username || url.password) return { kind: 'broken', why: 'holds a user name or password' };
      const isLoaded = expected !== 'link';
      let answer = await ask(url, isLoaded ? 'GET' : 'HEAD', network, signal, isLoaded ? HEAD_BYTES : 0);
      // Some servers know no HEAD; what they would send is not read.
      if (!isLoaded && [400, 403, 404, 405, 501].includes(answer.status)) {
        answer = await ask(url, 'GET', network, signal, 0);
      }
      const { status, headers } = answer;
      if (status >= 300 && status < 400 && headers.location) {
        const next = new URL(headers.location, url);
        if (isLoaded && url.protocol === 'https:' && next.protocol === 'http:') {
          return { kind: 'broken', why: 'leads to an address without https, which browsers do not load' };
        }
        url = next;
        continue;
      }
      if (status < 400) return isLoaded ? await loaded(expected, answer, url) : { kind: 'fine' };
      if (isLoaded && (status === 401 || status === 403)) {
        return { kind: 'broken', why: `answers ${status}: learners may not load it` };
      }
      if (status === 404 || status === 410)
        return { kind: 'broken', why: `answers ${status}: nothing is there` };
      return { kind: 'unsure', why: `answers ${status}`, ...(status < 500 ? { answers: true } : {}) };
    }
    return { kind: 'broken', why: 'redirects in a circle' };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof Refused) return { kind: 'broken', why: error.message };
    if (code === 'ENOTFOUND') return { kind: 'broken', why: 'names a server that does not exist' };
    if (error instanceof TypeError)
      return { kind: 'broken', why: 'redirects to something that is not an address' };
    return { kind: 'unsure', why: signal.aborted ? 'did not answer in time' : 'could not be reached' };
  }
}

/** Whether what came is what the page makes of it. */
async function loaded(
  expected: Exclude<Expected, 'link'>,
  { headers, head }: Answer,
  url: URL,
): Promise<LinkAnswer> {
  const broken = (why: string): LinkAnswer => ({ kind: 'broken', why });
  const type = headers['content-type'] ?? '';
  const isPage = /^(text\/html|application\/xhtml)/i.test(type);
  const start = head.toString('utf8');
  if (expected === 'file') {
    const ending = /\.([a-z0-9]{1,8})$/i.exec(url.pathname)?.[1] ?? 'html';
    const isLie = isPage && !/^(html?|php|aspx?|jsp)$/i.test(ending);
    return isLie ? broken(`is a page, not a .${ending} file`) : { kind: 'fine' };
  }
  if (expected === 'captions') {
    return /^\ufeff?WEBVTT/.test(start) ? { kind: 'fine' } : broken('is no WebVTT file');
  }
  const policy = headers['cross-origin-resource-policy'];
  if (policy === 'same-origin' || policy === 'same-site') {
    return broken('may not be shown on pages of other sites, as its server says');
  }
  const mime = (await fileTypeFromBuffer(head).catch(() => undefined))?.mime ?? '';
  const [article, known, family] =
    expected === 'picture' ? ['picture', PICTURES, 'image/'] : ['video', VIDEOS, 'video/'];
  const isDrawing = expected === 'picture' && /^image\/svg\+xml/i.test(type) && /<svg[\s>]/i.test(start);
  if (!known.has(mime) && !isDrawing) {
    return broken(isPage ? `is a page, not a ${article}` : `is not a ${article} that browsers show`);
  }
  if (headers['x-content-type-options'] === 'nosniff' && !type.toLowerCase().startsWith(family)) {
    return broken(`is sent as ${type || 'nothing'}, so that browsers do not show it as a ${article}`);
  }
  return { kind: 'fine' };
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** As many bytes of it as were asked for. */
  head: Buffer;
}

async function ask(
  url: URL,
  method: 'HEAD' | 'GET',
  network: LinkNetwork,
  signal: AbortSignal,
  bytes: number,
): Promise<Answer> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const found = isIP(host)
    ? [{ address: host, family: isIP(host) }]
    : await within(network.resolve(host), signal);
  if (found.length === 0) throw new Error('The name has no address');
  if (!found.every(({ address }) => network.isAllowed(address, port))) {
    throw new Refused('leads into a private network or to an unusual port, which is not asked');
  }
  const pinned: LookupFunction = (_host, options, done) => {
    if (options.all) done(null, found);
    else done(null, found[0]!.address, found[0]!.family);
  };
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestSecure : requestPlain;
    const request = send(url, {
      method,
      agent: false,
      lookup: pinned,
      signal,
      maxHeaderSize: 16_384,
      headers: {
        'user-agent': 'course-link-check',
        accept: '*/*',
        ...(method === 'GET' ? { range: `bytes=0-${Math.max(bytes - 1, 0)}` } : {}),
      },
    });
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      const done = () => {
        const head = Buffer.concat(chunks).subarray(0, bytes);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, head });
        response.destroy();
      };
      if (bytes === 0) return done();
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length >= bytes) done();
      });
      response.once('end', done);
      response.once('error', reject);
    });
    // Each of them: an answer that goes wrong after its head would end the process otherwise.
    request.on('error', reject);
    request.end();
  });
}

/** A name's lookup knows no end of its own. */
function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

// As `renderMarkdown` reads it: what is no link on the page is none here.
const parser = new MarkdownIt({ html: false, linkify: true });
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

/** The pictures that a Markdown text shows, with what it says that they show. */
export function picturesOf(markdown: string): { address: string; alt: string }[] {
  return parser
    .parse(markdown, {})
    .flatMap(({ children }) => children ?? [])
    .filter(({ type }) => type === 'image')
    .map((token) => ({ address: String(token.attrGet('src') ?? ''), alt: token.content }));
}

/** The addresses that a Markdown text links to or shows as pictures, each once, with the line of the first. */
export function linksOf(markdown: string): { address: string; line: number; isPicture: boolean }[] {
  const found = new Map<string, { line: number; isPicture: boolean }>();
  for (const block of parser.parse(markdown, {})) {
    for (const token of block.children ?? []) {
      const address = token.attrGet(token.type === 'image' ? 'src' : 'href');
      if (token.type !== 'link_open' && token.type !== 'image') continue;
      if (typeof address === 'string' && address && !found.has(address)) {
        found.set(address, { line: (block.map?.[0] ?? 0) + 1, isPicture: token.type === 'image' });
      }
    }
  }
  return [...found].map(([address, facts]) => ({ address, ...facts }));
}
