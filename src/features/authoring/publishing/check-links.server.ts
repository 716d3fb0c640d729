import { fileTypeFromBuffer } from 'file-type';
import MarkdownIt from 'markdown-it';
import {
  askOutside,
  INTERNET,
  type OutsideAnswer,
  type OutsideNetwork,
  Refused,
} from '#src/server/http/outside.ts';

export type LinkAnswer =
  | { kind: 'fine'; seconds?: number }
  /** Wrong until it is edited. */
  | { kind: 'broken'; why: string }
  /** May be fine tomorrow or in a browser. `answers`: a server responds. */
  | { kind: 'unsure'; why: string; answers?: true };

/** What a page does with an address. */
export type Expected = 'link' | 'picture' | 'video' | 'captions' | 'file';

const HEAD_BYTES = 8192;
const PICTURES = new Set(
  ['png', 'apng', 'jpeg', 'gif', 'webp', 'avif', 'bmp', 'x-icon'].map((kind) => `image/${kind}`),
);
const VIDEOS = new Set(['video/mp4', 'video/x-m4v', 'video/webm']);

const REDIRECTS_MAX = 5;
/** Milliseconds for one link with its redirects. */
const LINK_MS = 6_000;

/**
 * Requests an address; of loaded files it reads the first bytes, as their headers may lie. Connects to the
 * very IP that was checked, at each redirect, so that private networks stay out of reach.
 */
export async function checkLink(
  address: string,
  network: OutsideNetwork = INTERNET,
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
      // Some servers know no HEAD; the body stays unread.
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
      if (status >= 200 && status < 400)
        return isLoaded ? await loaded(expected, answer, url) : { kind: 'fine' };
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

const ask = (url: URL, method: 'HEAD' | 'GET', network: OutsideNetwork, signal: AbortSignal, bytes: number) =>
  askOutside(url, {
    method,
    network,
    signal,
    bytes,
    limitMs: LINK_MS,
    headers: {
      'user-agent': 'course-link-check',
      accept: '*/*',
      ...(method === 'GET' ? { range: `bytes=0-${Math.max(bytes - 1, 0)}` } : {}),
    },
  });

async function loaded(
  expected: Exclude<Expected, 'link'>,
  { headers, head }: OutsideAnswer,
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

// As `renderMarkdown`, so that both see the same links.
const parser = new MarkdownIt({ html: false, linkify: true });
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

/** The pictures of a Markdown text, with their alternative texts. */
export function picturesOf(markdown: string): { address: string; alt: string }[] {
  return parser
    .parse(markdown, {})
    .flatMap(({ children }) => children ?? [])
    .filter(({ type }) => type === 'image')
    .map((token) => ({ address: String(token.attrGet('src') ?? ''), alt: token.content }));
}

/** Addresses of links and pictures, each once, with the line of the first. */
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
