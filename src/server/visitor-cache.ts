import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/**
 * Milliseconds for which a visitor's page may be shown again. A price or a visibility is never older than one second
 * on any instance; the rest of the second is for rendering it.
 */
export const VISITOR_CACHE_MS = 800;

/** Pages that are the same for everybody who is not signed in, and change when an administrator edits. */
const SHARED_PATHS =
  /^\/(courses?(\/\d{1,10})?|marketplace|api\/courses(\/\d{1,10}(\/reviews)?)?|api\/categories|api\/suggestions)\/?$/;
const LONGEST_KEY = 300;

type Kept = { status: number; headers: [string, string][]; body: ArrayBuffer; etag: string };

// Few, because the largest answers have half a megabyte and the addresses are the caller's to make up; what many ask for
// at one moment fits.
const MOST_ANSWERS = 48;

const kept = new LRUCache<string, Promise<Kept | null>>({ max: MOST_ANSWERS, ttl: VISITOR_CACHE_MS });

/**
 * Whether an answer may be shared: a plain read of a shared path by someone who shows no sign of an account.
 *
 * @param request its cookies and headers must name nobody
 */
export function isSharedRead(request: Request, url: URL): boolean {
  return (
    request.method === 'GET' &&
    SHARED_PATHS.test(url.pathname) &&
    url.href.length <= LONGEST_KEY &&
    !request.headers.has('authorization') &&
    !request.headers.has('cookie')
  );
}

/**
 * Answers from what was rendered for another visitor a moment ago, or renders once for all who ask meanwhile. Only
 * plain successes are kept. They carry an entity tag and must be asked for again each time, so that a browser shows what
 * it has where nothing has changed and never anything older.
 *
 * @param knownTags the request's If-None-Match
 */
export async function sharedAnswer(
  url: URL,
  render: () => Promise<Response>,
  knownTags: string | null = null,
): Promise<Response> {
  const key = url.pathname + url.search;
  const known = kept.get(key);
  if (known) {
    const answer = await known;
    return answer ? toResponse(answer, knownTags) : render();
  }
  let own: Response | undefined;
  const rendering = render().then(async (response) => {
    if (response.status !== 200 || response.headers.has('set-cookie')) {
      own = response;
      return null;
    }
    const body = await response.arrayBuffer();
    const etag = `W/"${createHash('sha1').update(new Uint8Array(body)).digest('base64url')}"`;
    response.headers.set('etag', etag);
    response.headers.set('cache-control', 'no-cache');
    response.headers.append('vary', 'Cookie, Authorization');
    return { status: response.status, headers: [...response.headers], body, etag };
  });
  kept.set(key, rendering);
  try {
    const answer = await rendering;
    if (answer) return toResponse(answer, knownTags);
  } catch (error) {
    kept.delete(key);
    throw error;
  }
  kept.delete(key);
  return own!;
}

function toResponse({ status, headers, body, etag }: Kept, knownTags: string | null): Response {
  const isKnown = knownTags?.split(',').some((tag) => ['*', etag].includes(tag.trim()));
  return isKnown ? new Response(null, { status: 304, headers }) : new Response(body, { status, headers });
}
