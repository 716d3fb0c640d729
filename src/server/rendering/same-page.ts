import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { acceptsEncoding } from '#src/server/http/static-files.ts';
import { wholeBodyOf, wholeResponse } from './whole-body.ts';

const MOST_BYTES = 4_000_000;

type SamePage = { headers: [string, string][]; packed: Uint8Array<ArrayBuffer> };
type Context = { request: Request; url: URL; locals: App.Locals };

const pages = new LRUCache<string, SamePage>({
  maxSize: MOST_BYTES,
  sizeCalculation: ({ packed }, key) => packed.length + key.length + 2_000,
});

/**
 * A visitor's page that was made before from the same data at the same address: making markup takes several times as
 * long as reading what it shows. Null where it has to be made; `keepSame` keeps it then. Nobody who is signed in gets one.
 *
 * @param data everything that the page shows and that can change while the process lives
 */
export function samePage({ request, url, locals }: Context, data: unknown): Response | null {
  if (locals.user || !acceptsEncoding(request.headers.get('accept-encoding') ?? undefined, 'gzip'))
    return null;
  const key = hash('sha256', `${url.pathname}${url.search}\n${JSON.stringify(data)}`, 'base64url');
  const known = pages.get(key);
  if (known) return toResponse(known);
  locals.sameAs = key;
  return null;
}

/** Keeps a page that asked for it by `samePage`; gives the answer to send. */
export function keepSame(locals: App.Locals, response: Response): Response {
  const key = locals.sameAs;
  // A page that stands in for another passes here twice.
  locals.sameAs = undefined;
  const { headers: given, status } = response;
  const body = wholeBodyOf(response);
  if (!key || body === undefined || status !== 200) return response;
  if (given.has('set-cookie') || given.has('content-encoding')) return response;
  const packed = new Uint8Array(gzipSync(body, { level: 1 }));
  const headers = [...given].filter(([name]) => name !== 'content-length');
  const page: SamePage = { headers: [...headers, ['content-encoding', 'gzip']], packed };
  pages.set(key, page);
  return toResponse(page);
}

function toResponse({ headers, packed }: SamePage): Response {
  return wholeResponse(packed, { headers });
}
