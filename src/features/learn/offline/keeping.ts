import { ACCOUNT_HEADER, LESSON_HEADER } from '#src/shared/offline/kept-lessons.ts';

/** Bytes are the sum of all entries. */
export interface Bounds {
  entries: number;
  bytes: number;
}

const MB = 1_048_576;
export const PAGES: Bounds = { entries: 60, bytes: 30 * MB };
export const FILES: Bounds = { entries: 120, bytes: 60 * MB };
export const ASSETS: Bounds = { entries: 400, bytes: 60 * MB };
/** Larger ones, such as videos, would push out all others. */
const LARGEST_BYTES = 12 * MB;

const BYTES_HEADER = 'x-kept-bytes';
const KEPT_AT_HEADER = 'x-kept-at';
const TITLE_HEADER = 'x-kept-title';

/** Without the time: `/learn/5?lesson=7&t=90` is the same lesson. */
export function pageKey(address: string): string {
  const url = new URL(address);
  const kept = new URL(url.pathname, url.origin);
  for (const name of ['lesson', 'view']) {
    const value = url.searchParams.get(name);
    if (value !== null) kept.searchParams.set(name, value);
  }
  return kept.href;
}

/** The lesson that an answer shows, also for "go on with the course". */
export function lessonKey(address: string, response: Response): string {
  const { pathname, origin } = new URL(address);
  const lesson = response.headers.get(LESSON_HEADER)?.split('/')[1];
  const isCourse = lesson !== undefined && /^\/learn\/\d+\/?$/.test(pathname);
  return isCourse && !new URL(address).searchParams.has('view')
    ? pageKey(`${origin}${pathname}?lesson=${lesson}`)
    : pageKey(address);
}

/** Another account may have signed in meanwhile. */
export function isOwn(response: Response, account: string): boolean {
  return response.status === 200 && !response.redirected && response.headers.get(ACCOUNT_HEADER) === account;
}

/** Body, size and title; null for one that is too large. */
export async function keptForm(response: Response): Promise<Response | null> {
  if (Number(response.headers.get('content-length')) > LARGEST_BYTES) {
    // An unread branch of the tee buffers in memory.
    await response.body?.cancel();
    return null;
  }
  const body = await response.blob();
  if (body.size > LARGEST_BYTES) return null;
  const headers = new Headers(response.headers);
  // The body is decoded already.
  headers.delete('content-encoding');
  headers.delete('content-length');
  headers.set(BYTES_HEADER, String(body.size));
  headers.set(KEPT_AT_HEADER, new Date().toISOString());
  const title = headers.has(LESSON_HEADER) && /<title>([^<]*)<\/title>/.exec(await body.text())?.[1];
  // Headers are Latin-1.
  if (title) headers.set(TITLE_HEADER, encodeURIComponent(title));
  return new Response(body, { status: response.status, headers });
}

export interface KeptLesson {
  href: string;
  course: string;
  title: string;
  at: Date;
}

export const keptAt = (response: Response): Date => new Date(response.headers.get(KEPT_AT_HEADER) ?? 0);

export function keptLesson(address: string, response: Response): KeptLesson {
  const { pathname, search } = new URL(lessonKey(address, response));
  const { headers } = response;
  return {
    href: pathname + search,
    course: headers.get(LESSON_HEADER)?.split('/')[0] ?? '',
    // Without the site's name.
    title: decodeURIComponent(headers.get(TITLE_HEADER) ?? '').replace(/ \| [^|]*$/, ''),
    at: keptAt(response),
  };
}

/** Oldest first; a cache lists its newest entry last. */
export async function trim(cache: Cache, { entries, bytes }: Bounds): Promise<void> {
  let room = bytes;
  let count = 0;
  for (const key of [...(await cache.keys())].reverse()) {
    count += 1;
    room -= Number((await cache.match(key))?.headers.get(BYTES_HEADER) ?? 0);
    if (count > entries || room < 0) await cache.delete(key);
  }
}
